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
	/** The first workflow of payouts from a file. Published. */
	payoutsFromFile: StoredWorkflow;
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

/** These work without a click in the editor: they have a form, get events, or are called. A caller is imported after them. */
const PUBLISHED = [
	...['pay-once', 'totals-and-balances', 'payout-with-approval', 'payouts-from-list', 'deposit-to-item'],
	...['payouts-file-1-check', 'payouts-file-2-pay', 'payouts-file-3-updates', 'payouts-file-4-settle'],
];

/** n8n lists the newest first, so the examples of the main job come last. */
const LAST = ['payouts-file-1-check', 'payouts-from-list', 'deposit-to-item'];

/** Imports all examples and publishes those that must run by themselves. */
export async function importExamples(client: N8nClient, credentials: Credentials): Promise<Examples> {
	const files = new Map(
		readdirSync('examples').map((file) => {
			const workflow = JSON.parse(readFileSync(join('examples', file), 'utf8')) as Workflow;
			return [basename(file, '.json'), workflow];
		}),
	);
	const all = new Map<string, StoredWorkflow>();
	const importExample = async (name: string): Promise<StoredWorkflow> => {
		const known = all.get(name);
		if (known !== undefined) return known;
		const workflow = files.get(name)!;
		// n8n does not publish a workflow that calls an unpublished one.
		for (const [called, { name: title }] of files)
			if (calledBy(workflow).includes(title)) await importExample(called);
		const earlier = await client.workflowNamed(workflow.name);
		const stored = earlier ?? (await client.saveWorkflow(fillIn(workflow, credentials, [...all.values()])));
		if (earlier === undefined) await createTables(client, workflow);
		if (earlier === undefined && PUBLISHED.includes(name)) await client.publish(stored);
		// n8n publishes its active workflows after it has started.
		if (earlier?.active) await client.listening(earlier);
		all.set(name, stored);
		return stored;
	};
	const names = [...files.keys()];
	for (const name of [...names.filter((each) => !LAST.includes(each)), ...LAST]) await importExample(name);
	return {
		deposits: all.get('deposit-to-item')!,
		payouts: all.get('payouts-from-list')!,
		payOnce: all.get('pay-once')!,
		payoutsFromFile: all.get('payouts-file-1-check')!,
		all,
	};
}

/** The names of the workflows that this one calls, as an import shows them. */
function calledBy({ nodes }: Workflow): string[] {
	return nodes.flatMap((node) => calledName(node) ?? []);
}

function calledName({ parameters }: WorkflowNode): string | undefined {
	return ((parameters.workflowId ?? {}) as { cachedResultName?: string }).cachedResultName;
}

/** Fills in what a person chooses after an import: the credentials, and the workflows that this one calls. */
function fillIn(workflow: Workflow, credentials: Credentials, imported: StoredWorkflow[]): Workflow {
	const nodes = workflow.nodes.map((node) => {
		const types = Object.keys(node.credentials ?? {}).filter((type) => credentials[type] !== undefined);
		const chosen = Object.fromEntries(types.map((type) => [type, credentials[type]!]));
		const filled = types.length === 0 ? node : { ...node, credentials: { ...node.credentials, ...chosen } };
		const called = imported.find(({ name }) => name === calledName(node));
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
