import { itemsOf } from '../../host/n8n/client.ts';
import type { Execution, Json, N8nClient, WorkflowNode } from '../../host/n8n/client.ts';
import { CREDENTIAL_TYPE } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import type { ProxiedRequest, startProxy } from '../../host/doubles/proxy.ts';
import { CASES, withTransactionId } from '../fixtures/operationCases.ts';

export function walletService(name: string, parameters: Json, credentialId: string, y = 0): WorkflowNode {
	return {
		name,
		type: 'n8n-nodes-wallet-service.walletService',
		typeVersion: 1,
		position: [300, y],
		parameters,
		credentials: { [CREDENTIAL_TYPE]: { id: credentialId, name: 'by id' } },
	};
}

/** Runs the nodes one after another from top to bottom, each with one empty item. */
export async function runNodes(client: N8nClient, name: string, nodes: WorkflowNode[]): Promise<Execution> {
	const start: WorkflowNode = {
		name: 'Start',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const targets = nodes.map((node) => ({ node: node.name, type: 'main', index: 0 }));
	const { id } = await client.saveWorkflow({
		name,
		nodes: [start, ...nodes],
		connections: { Start: { main: [targets] } },
	});
	return await client.runByHand(id, 'Start');
}

/** Registers the tests of all operations in a real n8n, against the sandbox. The caller decides where n8n executes them. */
export function testOperations(
	given: () => {
		stack: Stack;
		/** Between n8n and the sandbox. */
		proxy: Awaited<ReturnType<typeof startProxy>>;
		/** Points to the proxy. */
		credentialId: string;
	},
): void {
	describe('operations in a real n8n', () => {
		let execution: Execution;
		let sent: ProxiedRequest[];
		let transactionId: string;

		beforeAll(async () => {
			const { stack, proxy, credentialId } = given();
			const before = proxy.seen.length;
			const nodes = CASES.map(({ name, resource, operation, parameters }, index) => {
				const filled = withTransactionId(
					parameters,
					"={{ $('instantLiquidity.convert').first().json.transactionId }}",
				);
				return walletService(name, { resource, operation, ...filled }, credentialId, index * 200);
			});
			execution = await runNodes(stack.client, 'All operations', nodes);
			sent = proxy.seen.slice(before);
			const [conversion] = itemsOf(execution, 'instantLiquidity.convert');
			transactionId = conversion?.transactionId as string;
		});

		test('each case of each operation is sent once, in order', () => {
			expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(CASES.map(({ route }) => route));
			expect(sent.map(({ body }) => body)).toEqual(
				CASES.map(({ sent: body }) => withTransactionId(body, transactionId)),
			);
			expect(execution.status).toBe('success');
		});

		test.each(CASES)('$name, $route: the items come out in n8n', ({ name, items }) => {
			expect(itemsOf(execution, name)).toEqual(withTransactionId(items, transactionId));
		});
	});
}
