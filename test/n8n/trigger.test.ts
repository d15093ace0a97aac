/** The trigger in a real n8n. Its answers to deliveries are tested in `n8n.test.ts`. */
import { randomUUID } from 'node:crypto';
import { whileLocked } from '../../bench/shared/executions.ts';
import * as deduplicationMemory from '../../soak/deliveries/memory.ts';
import * as hostileDeliveries from '../../soak/hostile/deliveries.ts';
import { allEnded, executionsByEvent } from '../../soak/deliveries/executions.ts';
import { deliverAndKill } from '../../soak/deliveries/situations.ts';
import { publishSlowTrigger } from '../../soak/deliveries/slowTrigger.ts';
import type { Json, StoredWorkflow } from '../../host/n8n/client.ts';
import { CREDENTIAL_TYPE, webhookUrl } from '../../host/stack.ts';
import { MESSAGES } from '../../nodes/WalletService/trigger/messages.ts';
import { deliver as post, JSON_TYPE } from './deliver.ts';
import { useOwnN8n, useStack } from './setup.ts';
import { connect, node, triggerNode } from './workflowNodes.ts';

jest.setTimeout(400_000);

test('the memory of handled deliveries stops growing (the short form of the soak)', async () => {
	await deduplicationMemory.run({ short: true });
});

describe('the trigger of an n8n with its default settings', () => {
	const host = useOwnN8n();

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
			await allEnded(host);
			expect(executionsByEvent(host).get(id)).toMatchObject([
				{ status: 'success', stoppedAsDuplicate: false },
			]);
		}
	});

	test('nothing is lost or done twice while n8n is killed (the short form of the soak)', async () => {
		await deliverAndKill(host);
	});

	// The last one, because n8n may stop reading XML after it.
	test('hostile bodies are answered in time, and n8n survives (the short form of the soak)', async () => {
		await hostileDeliveries.sendBodies(host, hostileDeliveries.SHORT);
	});
});

describe('the trigger in the editor', () => {
	const stack = useStack();

	async function save(name: string, parameters: Json, credential?: Json): Promise<StoredWorkflow> {
		const { client } = stack;
		const data = { baseUrl: 'http://127.0.0.1:9', apiKey: 'fake', signatureSecret: 'fake', ...credential };
		const credentialId = credential && (await client.saveCredential(CREDENTIAL_TYPE, name, data));
		const settings = { events: ['admin_funding', 'crypto_received'], ...parameters };
		return await client.saveWorkflow({
			name,
			nodes: [triggerNode(randomUUID(), settings, credentialId)],
			connections: {},
		});
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

	const verified = { verification: 'credential', options: {} };
	/** Name, parameters, credential, and the reason that n8n shows. */
	const REFUSED: Array<[string, Json, Json | undefined, string]> = [
		[
			'no way to verify',
			verified,
			{ webhookStyle: 'custom', webhookVerification: 'none' },
			'Webhook Verification of the credential is None, so it checks no delivery; correct it in the credential',
		],
		['no secret', verified, {}, 'Webhook Secret is empty'],
		[
			'no header',
			verified,
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

	test('When Finished: the answer tells whether the workflow succeeded, and holds nothing of it', async () => {
		const answersOf = async (jsCode: string) => {
			const trigger = triggerNode(randomUUID(), {
				events: ['admin_funding'],
				verification: 'none',
				options: { acknowledge: 'whenFinished' },
			});
			const workflow = await stack.client.saveWorkflow({
				name: 'When Finished',
				nodes: [trigger, node('Code', 'code', 2, { jsCode })],
				connections: connect('Trigger -> Code'),
			});
			await stack.client.publish(workflow);
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
		const parameters = { verification: 'credential', options: {} };
		const token = {
			webhookStyle: 'custom',
			webhookVerification: 'token',
			webhookHeader: 'x-token',
			webhookSecret: 'only-here',
		};
		const workflow = await save('Content types', parameters, token);
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
			const workflow = await save('By hand', { options: {} });
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
			const workflow = await save('Refused by hand', verified, { webhookSecret: 'fake' });
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
			const workflow = await save('Flood by hand', verified, { webhookSecret: 'fake' });
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
