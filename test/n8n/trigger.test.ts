/**
 * The trigger in a real n8n. Its answers to deliveries are tested in `n8n.test.ts`, kills and a locked database in `kills.test.ts`.
 */
import type { Json, StoredWorkflow } from '../../host/n8n/client.ts';
import { deliver as post } from '../../host/testkit/deliveries.ts';
import { node, publishLine, saveOther, triggerNode } from '../../host/testkit/workflows.ts';
import { MESSAGES } from '../../nodes/WalletService/trigger/messages.ts';
import { useStack } from './setup.ts';

jest.setTimeout(60_000);

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
	): Promise<Json> {
		const url = `${stack.n8n.url}/${mode}/${workflow.nodes[0]!.webhookId}/webhook`;
		const { status, answer } = await post(url, JSON.stringify(body));
		return { status, ...(answer as Json) };
	}

	test('a trigger that cannot work cannot be published, and n8n says why', async () => {
		const unreadable = save('an unreadable amount', { options: { minimumAmount: 'ten' } });
		// They run together, because n8n tries each for 15 seconds.
		await Promise.all([
			expect(stack.client.publish(await save('no secret', {}, {}))).rejects.toThrow(
				'Webhook Secret is empty',
			),
			expect(stack.client.publish(await unreadable)).rejects.toThrow('Minimum Amount is not a decimal'),
		]);
	});

	test('an address of this machine needs no https', async () => {
		await stack.client.publish(await save('Without https', {}));
		expect(stack.n8n.log()).not.toContain(MESSAGES.notHttps);
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

	test('of 50 refused deliveries to a test URL at once, one ends an execution, and again when the user listens again', async () => {
		const workflow = await save('Flood by hand', {}, { webhookSecret: 'fake' });
		for (const time of [1, 2]) {
			await stack.client.startByHand(workflow.id, 'Trigger');
			const forge = async () => await deliver(workflow, 'webhook-test', { event: 'admin_funding' });
			const answers = await Promise.all(Array.from({ length: 50 }, forge));
			const reason = 'The header x-svc-signature is missing';
			expect(answers).toContainEqual({ status: 401, ok: false, reason });
			const [newest] = await stack.client.endedExecutions(workflow.id, time);
			expect(newest!.data.resultData.error).toMatchObject({
				message: `The trigger refused this delivery: ${reason}`,
			});
			expect(await stack.client.executions(workflow.id)).toHaveLength(time);
		}
	});
});
