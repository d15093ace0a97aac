/** Imports the workflows in examples/, with all that a person would choose or fill in after an import. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createDataTable, findDataTable } from './n8n/dataTable.ts';
import type { Column } from './n8n/dataTable.ts';
import type { Json, N8nClient, StoredWorkflow, Workflow, WorkflowNode } from './n8n/client.ts';

/** The imported examples. Examples from an earlier start stay unchanged, because a person may have edited them. */
export interface Examples {
	/** Published, like `payouts`. */
	deposits: StoredWorkflow;
	payouts: StoredWorkflow;
	/** Published, because other examples call it. */
	payOnce: StoredWorkflow;
	/** By file name, without `.json`. */
	all: Map<string, StoredWorkflow>;
}

/** The credentials of the examples by their types. */
export type Credentials = Record<string, { id: string; name: string }>;

/** The first rows of the Data Tables, so that an example does something when it is executed for the first time. */
const FIRST_ROWS: Record<string, Json[]> = {
	// Other workflows write this one, so it has no first rows.
	wallet_service_payments: [],
	wallet_service_payouts: [
		{ invoice: 'INV-1001', currency: 'NGN', amount: '1250.50', account_alias: 'supplier-main' },
		{ invoice: 'INV-1002', currency: 'NGN', amount: '0.125', account_alias: 'supplier-main' },
	],
	// The contract gives 1542.648 after its fee, so the second order waits.
	wallet_service_orders: [
		{
			order_number: 'A-1001',
			from_currency: 'USDT',
			to_currency: 'NGN',
			from_amount: '100.25',
			minimum_rate: '1500',
		},
		{
			order_number: 'A-1002',
			from_currency: 'USDT',
			to_currency: 'NGN',
			from_amount: '50',
			minimum_rate: '2000',
		},
	],
};

/** Imports all examples. Publishes the two of the main job, which come first in n8n's list, and those that others call. */
export async function importExamples(client: N8nClient, credentials: Credentials): Promise<Examples> {
	const all = new Map<string, StoredWorkflow>();
	const importExample = async (name: string, publish = false) => {
		const workflow = JSON.parse(readFileSync(join('examples', `${name}.json`), 'utf8')) as Workflow;
		const earlier = await client.workflowNamed(workflow.name);
		const stored = earlier ?? (await client.saveWorkflow(fillIn(workflow, credentials, [...all.values()])));
		if (earlier === undefined) await createTables(client, workflow);
		if (earlier === undefined && publish) await client.publish(stored);
		// n8n publishes its active workflows after it has started.
		if (earlier?.active) await client.listening(earlier);
		all.set(name, stored);
		return stored;
	};
	const names = readdirSync('examples').map((file) => basename(file, '.json'));
	// n8n lists the newest first. It does not publish a workflow that calls an unpublished one.
	const payOnce = await importExample('pay-once', true);
	await importExample('payout-with-approval', true);
	const last = ['payouts-from-list', 'deposit-to-item'];
	for (const name of names.filter((each) => !all.has(each) && !last.includes(each)))
		await importExample(name);
	const payouts = await importExample('payouts-from-list', true);
	const deposits = await importExample('deposit-to-item', true);
	return { payouts, deposits, payOnce, all };
}

/** Fills in what a person chooses after an import: the credentials, and the workflows that this one calls. */
function fillIn(workflow: Workflow, credentials: Credentials, imported: StoredWorkflow[]): Workflow {
	const nodes = workflow.nodes.map((node) => {
		const types = Object.keys(node.credentials ?? {}).filter((type) => credentials[type] !== undefined);
		const chosen = Object.fromEntries(types.map((type) => [type, credentials[type]!]));
		const filled = types.length === 0 ? node : { ...node, credentials: { ...node.credentials, ...chosen } };
		const { cachedResultName } = (node.parameters.workflowId ?? {}) as { cachedResultName?: string };
		const called = imported.find(({ name }) => name === cachedResultName);
		return called === undefined ? filled : callWorkflow(filled, called);
	});
	return { ...workflow, nodes };
}

function callWorkflow(node: WorkflowNode, { id }: StoredWorkflow): WorkflowNode {
	const workflowId = { ...(node.parameters.workflowId as Json), value: id };
	return { ...node, disabled: false, parameters: { ...node.parameters, workflowId } };
}

/** Creates the Data Tables that have first rows, as the node of the example would. Leaves those that exist alone. */
async function createTables(client: N8nClient, { nodes }: Workflow): Promise<void> {
	for (const { parameters } of nodes) {
		const { operation, tableName, columns } = parameters as {
			operation?: string;
			tableName?: string;
			columns?: { column: Column[] };
		};
		if (operation !== 'create' || tableName === undefined || columns === undefined) continue;
		const rows = FIRST_ROWS[tableName];
		if (rows === undefined || (await findDataTable(client, tableName)) !== undefined) continue;
		const table = await createDataTable(client, tableName, columns.column);
		if (rows.length > 0) await table.insert(rows);
	}
}
