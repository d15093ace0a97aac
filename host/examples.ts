/** Imports the workflows in examples/, with all that a person would choose or fill in after an import. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { dataTable } from './n8n/dataTable.ts';
import type { Column } from './n8n/dataTable.ts';
import type { Json, N8nClient, StoredWorkflow, Workflow, WorkflowNode } from './n8n/client.ts';

/** The credentials of the examples by their types. */
type Credentials = Record<string, { id: string; name: string }>;

const USDT_TO_NGN = { from_currency: 'USDT', to_currency: 'NGN' };

/** The first rows of the Data Tables, so that an example does something when it is executed for the first time. */
const FIRST_ROWS: Record<string, Json[]> = {
	// Other workflows write this one, so it has no first rows.
	wallet_service_book: [],
	wallet_service_payouts: [
		{ invoice: 'INV-1001', currency: 'NGN', amount: '1250.50', account_alias: 'supplier-main' },
		{ invoice: 'INV-1002', currency: 'NGN', amount: '0.125', account_alias: 'supplier-main' },
	],
	// The rate of the contract is 1542.648 after its fee, so the second order waits.
	wallet_service_orders: [
		{ order_number: 'A-1001', from_amount: '100.25', minimum_rate: '1500', ...USDT_TO_NGN },
		{ order_number: 'A-1002', from_amount: '50', minimum_rate: '2000', ...USDT_TO_NGN },
	],
};

/** These work without a click in the editor: they have a form, get events, or are called. A caller is imported after them. */
const PUBLISHED = [
	...['pay-once', 'totals-and-balances', 'payout-with-approval', 'payouts-from-list', 'deposit-to-item'],
	...['payouts-file-1-check', 'payouts-file-2-pay', 'payouts-file-4-settle', 'book-an-event'],
];

/** n8n lists the newest first, so the examples of the main job come last. */
const LAST = ['payouts-file-1-check', 'payouts-from-list', 'deposit-to-item'];

/** The file names of all examples, without `.json`. */
export const exampleNames = (): string[] =>
	readdirSync('examples').flatMap((file) => (extname(file) === '.json' ? [basename(file, '.json')] : []));

/**
 * Imports the examples with these file names, all by default, and those that they call. Publishes those that must run by
 * themselves. Examples from an earlier start stay unchanged, because a person may have edited them. Returns them by file name,
 * without `.json`.
 */
export async function importExamples(
	client: N8nClient,
	credentials: Credentials,
	wanted?: readonly string[],
): Promise<Map<string, StoredWorkflow>> {
	const read = (name: string) => JSON.parse(readFileSync(`examples/${name}.json`, 'utf8')) as Workflow;
	const files = new Map(exampleNames().map((name) => [name, read(name)]));
	const all = new Map<string, StoredWorkflow>();
	const importExample = async (name: string): Promise<StoredWorkflow> => {
		const known = all.get(name);
		if (known !== undefined) return known;
		const workflow = files.get(name)!;
		// n8n does not publish a workflow that calls an unpublished one.
		const called = workflow.nodes.map(calledName);
		for (const [other, { name: title }] of files) if (called.includes(title)) await importExample(other);
		let stored = await client.workflowNamed(workflow.name);
		if (stored === undefined) {
			stored = await client.saveWorkflow(fillIn(workflow, credentials, [...all.values()]));
			await createTables(client, workflow);
			if (PUBLISHED.includes(name)) await client.publish(stored);
		} else if (stored.active) {
			// n8n publishes its active workflows after it has started.
			await client.listening(stored);
		}
		all.set(name, stored);
		return stored;
	};
	const inOrder = [...files.keys()].toSorted((one, other) => LAST.indexOf(one) - LAST.indexOf(other));
	for (const name of wanted ?? inOrder) await importExample(name);
	return all;
}

/** The name of the workflow that a node calls, as an import shows it. */
function calledName({ parameters }: WorkflowNode): string | undefined {
	return (parameters.workflowId as { cachedResultName?: string } | undefined)?.cachedResultName;
}

/** Fills in what a person chooses after an import: the credentials, and the workflows that this one calls. */
function fillIn(workflow: Workflow, credentials: Credentials, imported: StoredWorkflow[]): Workflow {
	const filled = structuredClone(workflow);
	for (const node of filled.nodes) {
		for (const type of Object.keys(node.credentials ?? {}))
			if (credentials[type] !== undefined) node.credentials![type] = credentials[type];
		const called = imported.find(({ name }) => name === calledName(node));
		if (called === undefined) continue;
		(node.parameters.workflowId as Json).value = called.id;
		node.disabled = false;
	}
	return filled;
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
		const table = dataTable(client, tableName);
		if (rows === undefined || (await table.exists())) continue;
		await table.create(columns.column);
		if (rows.length > 0) await table.insert(rows);
	}
}
