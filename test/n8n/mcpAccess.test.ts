/** What models of n8n can do with the examples: its MCP access, with which they run and change workflows, and its own agents. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openMcp } from '../../host/doubles/mcpClient.ts';
import { itemsOf, succeeded } from '../../host/n8n/client.ts';
import type { Json } from '../../host/n8n/client.ts';
import { packagesFolder } from '../../host/n8n/process.ts';
import { askAgentOfN8n } from '../../host/testkit/agents.ts';
import { amountsPaid } from '../../host/testkit/payments.ts';
import { publishCopy } from '../../host/testkit/workflows.ts';
import { useModel, useStack } from './setup.ts';

const stack = useStack('pay-once', 'go-live');
const model = useModel();

/** The strictest case: n8n makes new workflows available by itself. */
const setAccess = async (isOn: boolean) =>
	await stack.client.rest('PATCH', '/mcp/settings', { mcpAccessEnabled: isOn, autoExposeNewWorkflows: isOn });

const connectModel = async () => {
	// n8n shows a key only once, when it makes it.
	await stack.client.rest('GET', '/mcp/api-key');
	const { apiKey } = await stack.client.rest<{ apiKey: string }>('POST', '/mcp/api-key/rotate');
	return await openMcp(`${stack.n8n.url}/mcp-server/http`, apiKey);
};

beforeAll(() => setAccess(true));
afterAll(() => setAccess(false));

/** A payout whose approver the model has made up. */
const payout = (paymentKey: string, amount: string): Json => ({
	paymentKey,
	amount,
	currency: 'NGN',
	destination: 'supplier-main',
	approvedBy: 'The Boss',
});

async function tryOut(workflowId: string, row: Json): Promise<string> {
	const mcp = await connectModel();
	return await mcp.call('test_workflow', { workflowId, pinData: { 'When called': [{ json: row }] } });
}

test('a model cannot pay through an example, even where new workflows are available to models', async () => {
	const { id } = await publishCopy(stack, 'pay-once', 'Pay once for a model', {});
	expect(await tryOut(id, payout('MCP-1', '11.01'))).toContain('Workflow is not available in MCP');
	const mcp = await connectModel();
	const run = { workflowId: id, executionMode: 'production', triggerNodeName: 'When called' };
	expect(await mcp.call('execute_workflow', run)).toContain('Workflow is not available in MCP');
	expect(amountsPaid(stack)).not.toContain('11.01');
});

test('where a person has made it available, the model pays with an approver that it has made up, and Go live names it', async () => {
	const name = 'Pay once, available';
	const { id } = await publishCopy(stack, 'pay-once', name, {}, { availableInMCP: true });
	expect(await tryOut(id, payout('MCP-2', '11.02'))).toContain('success');
	expect(amountsPaid(stack)).toContain('11.02');
	const check = succeeded(await stack.client.runByHand(stack.example('go-live').id, 'Check'));
	const left = itemsOf(check, 'What is left').find(({ finding }) =>
		String(finding).startsWith('Models may run this workflow'),
	);
	expect(left).toMatchObject({ where: name, whatToDo: expect.stringContaining('turn off Available in MCP') });
	await stack.client.rest('POST', `/workflows/${id}/archive`);
});

const { version } = JSON.parse(readFileSync(join(packagesFolder(), 'n8n/package.json'), 'utf8'));
/** n8n 2.35.7 has its own agents turned off. */
const testAgents = version === '2.35.7' ? test.skip : test;

testAgents.each<[amount: string, policy: string, read: string]>([
	// It reads the last rows of the book, and not what became of the payment.
	['11.03', 'workflowsFromSameOwner', '"status":"success"'],
	['11.04', 'workflowsFromAList', 'cannot be called by this agent'],
])('an agent of n8n asks for %s by a tool that is called by %s: %s', async (amount, callerPolicy, read) => {
	const workflow = `Pay once, ${callerPolicy}`;
	const { id: workflowId } = await publishCopy(stack, 'pay-once', workflow, {}, { callerPolicy });
	model.play([[{ tool: 'Payer', input: payout(`AGENT-${amount}`, amount) }]]);
	const tool = { type: 'workflow', workflow, workflowId, name: 'Payer', description: 'Pays' };
	await askAgentOfN8n(stack, model, workflow, tool);
	expect(model.read('Payer')).toEqual([expect.stringContaining(read)]);
	expect(amountsPaid(stack).includes(amount)).toBe(!read.includes('cannot'));
});
