/** The limits of Pay List in n8n's editor: what a person enters is stored, and what was stored is shown. */
import { until } from '../../host/n8n/client.ts';
import type { Json, WorkflowNode } from '../../host/n8n/client.ts';
import { node } from '../../host/testkit/workflows.ts';
import { byId, open, ours, page, stack, store, useEditor } from '../browser/editorPage.ts';

useEditor();

test('a second limit is added by hand, both are stored, and none is left when both are deleted', async () => {
	const entry = { code: 'NGN', maximumAmount: '5000.50', allowedAliases: 'supplier-main' };
	const parameters = { resource: 'payoutList', operation: 'pay', limits: { limit: [entry] }, options: {} };
	const workflow = await store('Limits', [
		node('Start', 'manualTrigger'),
		ours('Pay List', 'walletService', parameters),
	]);
	await open(workflow, 'Pay List');
	await page.getByText('Add limit').last().click();
	const codes = byId('parameter-input-code').locator('input');
	await codes.last().fill('USDT');
	const storedLimits = async () => {
		const { nodes } = await stack.client.rest<{ nodes: WorkflowNode[] }>('GET', `/workflows/${workflow.id}`);
		return nodes.find(({ name }) => name === 'Pay List')!.parameters.limits as Json | undefined;
	};
	const entries = async () => ((await storedLimits())?.limit ?? []) as Json[];
	await until('both limits', async () => (await entries())[1]?.code === 'USDT');
	expect(await entries()).toMatchObject([entry, { code: 'USDT' }]);
	for (let left = 2; left > 0; left -= 1)
		await byId('fixed-collection-delete').first().click({ force: true });
	// An empty list would refuse every row.
	await until('no limits', async () => (await storedLimits()) === undefined);
});
