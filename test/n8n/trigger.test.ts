/** The trigger in a real n8n. Its answers to deliveries are tested in `n8n.test.ts`. */
import { executionsByEvent } from '../../soak/deliveries/executions.ts';
import { deliverAndKill, publishSlowTrigger, startKeeping } from '../../soak/deliveries/situations.ts';
import type { Json, StoredWorkflow } from '../../host/n8n/client.ts';
import { webhookUrl } from '../../host/stack.ts';
import { whileLocked } from '../../host/testkit/database.ts';
import { deliver as post, JSON_TYPE } from '../../host/testkit/deliveries.ts';
import { node, publishLine, saveOther, triggerNode } from '../../host/testkit/workflows.ts';
import { MESSAGES } from '../../nodes/WalletService/trigger/messages.ts';
import { useOwnStack, useStack } from './setup.ts';

jest.setTimeout(400_000);

describe('the trigger of an n8n with its default settings', () => {
	const host = useOwnStack(startKeeping());

	test('what arrives while the database is locked is not acknowledged, and runs once when it is repeated', async () => {
		for (const [id, acknowledge] of [
			['e1000001', 'whenStored'],
			['e1000002', 'whenFinished'],
		] as const) {
			const url = webhookUrl(host.n8n, await publishSlowTrigger(host.client, { acknowledge }));
			const body = JSON.stringify({ event: 'admin_funding', id, status: 'successful', Amount: '1' });
			const send = async () => await post(url, body, JSON_TYPE);
			expect(await whileLocked(host, send)).toMatchObject({ status: 500 });
			expect(await send()).toMatchObject({ status: 200, answer: { ok: true } });
			expect(await send()).toMatchObject({ status: 200, answer: { ok: true, duplicate: true } });
			expect((await executionsByEvent(host)).get(id)).toMatchObject([
				{ status: 'success', stoppedAsDuplicate: false },
			]);
		}
	});

	test('nothing is lost or done twice while n8n is killed (the short form of the soak)', async () => {
		await deliverAndKill(host);
	});
});

describe('the trigger in the editor', () => {
	const stack = useStack();

	async function save(name: string, parameters: Json, credential?: Json): Promise<StoredWorkflow> {
		const fields = { webhookSecret: '', ...credential };
		const trigger = triggerNode(
			{ events: ['admin_funding', 'crypto_received'], ...parameters },
			credential && (await saveOther(stack, name, fields)),
		);
		return await stack.client.saveWorkflow({ name, nodes: [trigger], connections: {} });
	}

	async function deliver(
		workflow: StoredWorkflow,
		mode: 'webhook' | 'webhook-test',
		body: Json,
		headers: Record<string, string> = JSON_TYPE,
	): Promise<Json> {
		const url = `${stack.n8n.url}/${mode}/${workflow.nodes[0]!.webhookId}/webhook`;
		const { status, answer } = await post(url, JSON.stringify(body), headers);
		return { status, ...(answer as Json) };
	}

	/** Name, parameters, credential, and the reason that n8n shows. */
	const REFUSED: Array<[string, Json, Json | undefined, string]> = [
		[
			'no way to verify',
			{},
			{ webhookStyle: 'custom', webhookVerification: 'none' },
			'Webhook Verification of the credential is None, so it checks no delivery; correct it in the credential',
		],
		['no secret', {}, {}, 'Webhook Secret is empty'],
		[
			'no header',
			{},
			{ webhookStyle: 'custom', webhookVerification: 'token', webhookSecret: 'fake', webhookHeader: '' },
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
		// They run together, because n8n tries each for 15 seconds.
		await Promise.all(
			REFUSED.map(async ([name, parameters, credential, reason]) => {
				await expect(stack.client.publish(await save(name, parameters, credential))).rejects.toThrow(reason);
			}),
		);
	});

	test('When Workflow Finishes: the answer tells whether the workflow succeeded, and holds nothing of it', async () => {
		const answersOf = async (jsCode: string) => {
			const options = { acknowledge: 'whenFinished' };
			const trigger = triggerNode({ events: ['admin_funding'], options });
			const code = node('Code', 'code', { jsCode });
			const workflow = await publishLine(stack.client, 'When Workflow Finishes', trigger, code);
			const send = async () => await deliver(workflow, 'webhook', { event: 'admin_funding', id: 'a' });
			return [await send(), await send()];
		};
		expect(await answersOf('return [{ json: { secret: 1 } }, { json: { secret: 2 } }]')).toEqual([
			{ status: 200, ok: true },
			{ status: 200, ok: true, duplicate: true },
		]);
		const failed = { status: 500, ok: false, reason: 'The workflow did not succeed' };
		expect(await answersOf('throw new Error("secret")')).toEqual([failed, failed]);
	});

	test('a body with any content type is read', async () => {
		const token = {
			webhookStyle: 'custom',
			webhookVerification: 'token',
			webhookHeader: 'x-token',
			webhookSecret: 'only-here',
		};
		const workflow = await save('Content types', {}, token);
		await stack.client.publish(workflow);
		for (const type of ['application/json', 'text/plain', 'application/octet-stream', undefined]) {
			const headers = { 'x-token': 'only-here', ...(type && { 'content-type': type }) };
			const answer = await deliver(workflow, 'webhook', { event: 'admin_funding', id: `${type}` }, headers);
			expect({ type, ...answer }).toEqual({ type, status: 200, ok: true });
		}
	});

	describe('while listening for a test event', () => {
		/** Sends the delivery that starts the execution. */
		async function listenAndDeliver(workflow: StoredWorkflow, body: Json, time: number) {
			await stack.client.startByHand(workflow.id, 'Trigger');
			const answer = await deliver(workflow, 'webhook-test', body);
			const [newest] = await stack.client.endedExecutions(workflow.id, time);
			const { runData, error } = newest!.data.resultData;
			return { answer, run: runData.Trigger![0], error };
		}

		test('the trigger accepts duplicates, and an address of this machine needs no https', async () => {
			const workflow = await save('By hand', {});
			for (const time of [1, 2]) {
				const { answer, run } = await listenAndDeliver(
					workflow,
					{ event: 'admin_funding', id: 'same' },
					time,
				);
				expect(answer).toEqual({ status: 200, ok: true });
				expect(run).toMatchObject({ executionStatus: 'success' });
				expect(run).not.toHaveProperty('hints.0');
			}
			await stack.client.publish(workflow);
			expect(stack.n8n.log()).not.toContain(MESSAGES.notHttps);
		});

		test('a refused delivery ends an execution with the reason, and starts no published workflow', async () => {
			const workflow = await save('Refused by hand', {}, { webhookSecret: 'fake' });
			const reason = 'The header x-svc-signature is missing';
			const refused = { status: 401, ok: false, reason };
			const { answer, run, error } = await listenAndDeliver(workflow, { event: 'admin_funding' }, 1);
			expect(answer).toEqual(refused);
			expect(error).toMatchObject({ message: `The trigger refused this delivery: ${reason}` });
			expect(run).not.toHaveProperty('data');

			await stack.client.publish(workflow);
			expect(await deliver(workflow, 'webhook', { event: 'admin_funding' })).toEqual(refused);
			expect(await stack.client.executions(workflow.id)).toHaveLength(1);
		});

		test('of 50 refused deliveries at once, one ends an execution, and again when the user listens again', async () => {
			const workflow = await save('Flood by hand', {}, { webhookSecret: 'fake' });
			for (const time of [1, 2]) {
				await stack.client.startByHand(workflow.id, 'Trigger');
				const forge = async () => await deliver(workflow, 'webhook-test', { event: 'admin_funding' });
				await Promise.all(Array.from({ length: 50 }, forge));
				await stack.client.endedExecutions(workflow.id, time);
				expect(await stack.client.executions(workflow.id)).toHaveLength(time);
			}
		});
	});
});
