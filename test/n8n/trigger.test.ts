/** The trigger in a real n8n: what only n8n can show. Its answers to deliveries are tested in `n8n.test.ts`. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { run as soak } from '../../bench/soak/trigger.ts';
import { connect, itemsOf } from '../../host/n8nClient.ts';
import type { Json, N8nClient, StoredWorkflow, Workflow } from '../../host/n8nClient.ts';
import { installPackage, startN8n } from '../../host/n8n.ts';
import type { N8n } from '../../host/n8n.ts';
import { CREDENTIAL_TYPE, TEMPORARY_OWNER } from '../../host/stack.ts';

jest.setTimeout(180_000);

test('nothing is lost or done twice while n8n is killed (the short form of the soak)', async () => {
	await soak({ short: true });
});

describe('in the editor', () => {
	const userFolder = mkdtempSync(join(tmpdir(), 'wallet-service-trigger-'));
	let n8n: N8n;
	let client: N8nClient;

	beforeAll(async () => {
		await installPackage(userFolder);
		n8n = await startN8n({ userFolder });
		client = await connect(n8n.url, TEMPORARY_OWNER);
	});

	afterAll(async () => {
		await n8n?.stop();
		rmSync(userFolder, { recursive: true, force: true });
	});

	async function save(name: string, parameters: Json, credential?: Json): Promise<StoredWorkflow> {
		const data = { baseUrl: 'http://127.0.0.1:9', apiKey: 'fake', ...credential };
		const credentials = credential && {
			[CREDENTIAL_TYPE]: { id: await client.saveCredential(CREDENTIAL_TYPE, name, data), name },
		};
		return await client.saveWorkflow({
			name,
			nodes: [
				{
					name: 'Trigger',
					type: 'n8n-nodes-wallet-service.walletServiceTrigger',
					typeVersion: 1,
					position: [0, 0],
					webhookId: randomUUID(),
					parameters: { events: ['admin_funding', 'crypto_received'], ...parameters },
					credentials,
				},
			],
			connections: {},
		});
	}

	async function deliver(
		workflow: StoredWorkflow,
		mode: 'webhook' | 'webhook-test',
		body: Json,
		headers: Record<string, string> = { 'content-type': 'application/json' },
	): Promise<Json> {
		const { statusCode, body: answer } = await request(
			`${n8n.url}/${mode}/${workflow.nodes[0].webhookId}/webhook`,
			{ method: 'POST', body: JSON.stringify(body), headers },
		);
		return { status: statusCode, ...((await answer.json()) as Json) };
	}

	const verified = { verification: 'credential', options: {} };
	const REFUSED: Array<[string, Json, Json | undefined, string]> = [
		[
			'no way to verify',
			verified,
			{ webhookVerification: 'none' },
			'Verification is on, but Webhook Verification of the credential is None',
		],
		['no secret', verified, { webhookVerification: 'hmac' }, 'Webhook Secret is empty'],
		[
			'no header',
			verified,
			{ webhookVerification: 'token', webhookSecret: 'fake', webhookHeader: '' },
			'Webhook Header is empty',
		],
		[
			'an unreadable amount',
			{ options: { minimumAmount: 'ten' } },
			undefined,
			'Minimum Amount is not a decimal',
		],
	];

	test('a trigger that cannot work cannot be published, and n8n says why', async () => {
		// All at once, because n8n tries each for 15 seconds.
		await Promise.all(
			REFUSED.map(async ([name, parameters, credential, reason]) => {
				await expect(client.publish(await save(name, parameters, credential))).rejects.toThrow(reason);
			}),
		);
	});

	test('each event leaves through its own output', async () => {
		const workflow = await save('Outputs', { output: 'perEvent', options: { unknownEvents: true } });
		await client.publish(workflow);
		for (const event of ['crypto_received', 'card_issued']) {
			expect(await deliver(workflow, 'webhook', { event, id: '1' })).toEqual({ status: 200, ok: true });
			const { data } = await client.execution(workflow.id, 'the execution', (candidate) =>
				JSON.stringify(candidate.data).includes(event),
			);
			const outputs = data.resultData.runData.Trigger[0].data!.main.map((items) =>
				(items ?? []).map(({ json }) => json.event),
			);
			expect(outputs).toEqual(event === 'card_issued' ? [[], [], [event]] : [[], [event], []]);
		}
	});

	test('a body is read whatever its content type is', async () => {
		const parameters = { verification: 'credential', options: {} };
		const token = { webhookVerification: 'token', webhookHeader: 'x-token', webhookSecret: 'only-here' };
		const workflow = await save('Content types', parameters, token);
		await client.publish(workflow);
		for (const type of ['application/json', 'text/plain', 'application/octet-stream', undefined]) {
			const headers = { 'x-token': 'only-here', ...(type && { 'content-type': type }) };
			const answer = await deliver(workflow, 'webhook', { event: 'admin_funding', id: `${type}` }, headers);
			expect({ type, ...answer }).toEqual({ type, status: 200, ok: true });
		}
	});

	test('the example with a sample of every event runs before any delivery', async () => {
		const example = JSON.parse(readFileSync('examples/every-event.json', 'utf8')) as Workflow;
		const { id } = await client.saveWorkflow(example);
		const execution = await client.runByHand(id, 'Wallet Service Trigger');
		expect(new Set(itemsOf(execution, 'Build here').map(({ event }) => event)).size).toBe(7);
	});

	test('while listening for a test event a duplicate is let in, and the address without https is pointed out', async () => {
		const workflow = await save('By hand', { options: {} });
		for (const time of [1, 2]) {
			// The execution comes with the delivery.
			await client.startByHand(workflow.id, 'Trigger');
			const answer = await deliver(workflow, 'webhook-test', { event: 'admin_funding', id: 'same' });
			expect(answer).toEqual({ status: 200, ok: true });
			const { data } = await client.execution(workflow.id, `run ${time}`, () => true);
			expect(data.resultData.runData.Trigger[0]).toMatchObject({
				hints: [{ type: 'warning', message: expect.stringContaining('does not begin with https') }],
			});
		}
		await client.publish(workflow);
		expect(n8n.log()).toContain('does not begin with https');
	});
});
