/** Imports the workflows in examples/, with all that a person would choose or fill in after an import. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { dataTable } from './n8n/dataTable.ts';
import type { Column } from './n8n/dataTable.ts';
import type { Json, N8nClient, StoredWorkflow, Workflow, WorkflowNode } from './n8n/client.ts';

/** A credential of the examples. The name tells it from others of its type. */
export interface ExampleCredential {
	id: string;
	name: string;
	type: string;
}

/** The other columns of the table of payouts. */
const OTHERS = {
	coin: null,
	note: null,
	again: null,
	decision: null,
	result: null,
	message: null,
	approvedBy: 'Ada Obi',
};

/** Columns of an order that are empty at first. */
const NO_RESULT: Json = { decision: '', result: '', received: '', message: '' };

/** The first rows of the Data Tables, so that an example does something when it is executed for the first time. */
const FIRST_ROWS: Record<string, Json[]> = {
	// Other workflows write this one, so it has no first rows.
	wallet_service_book: [],
	wallet_service_payouts: [
		{ paymentKey: 'INV-3001', amount: '310.40', currency: 'NGN', destination: 'supplier-main', ...OTHERS },
		{ paymentKey: 'INV-3002', amount: '31.05', currency: 'USD', destination: 'supplier-usd', ...OTHERS },
	],
	// The rate of the contract is 1542.648 after its fee, so the second order waits.
	wallet_service_orders: [
		{ order_number: 'A-1001', from: 'USDT', to: 'NGN', amount: '100.25', minimum_rate: '1500', ...NO_RESULT },
		{ order_number: 'A-1002', from: 'USDT', to: 'NGN', amount: '50', minimum_rate: '2000', ...NO_RESULT },
	],
};

/** Workflows that begin with these work without a click in the editor, so they are published. */
const PUBLISHED = ['.formTrigger', '.executeWorkflowTrigger', '.walletServiceTrigger'];

/** n8n lists the newest first, so the examples of the first hour come last. */
const LAST = ['payouts-from-file', 'payouts-from-list', 'deposit-arrives'];

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
	credentials: readonly ExampleCredential[],
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
			await createTables(client, workflow, [...files.values()]);
			if (isPublished(workflow)) await client.publish(stored);
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
function fillIn(
	workflow: Workflow,
	credentials: readonly ExampleCredential[],
	imported: StoredWorkflow[],
): Workflow {
	const filled = structuredClone(workflow);
	for (const node of filled.nodes) {
		for (const [type, { name }] of Object.entries(node.credentials ?? {})) {
			const found = credentials.find((each) => each.type === type && each.name === name);
			if (found !== undefined) node.credentials![type] = { id: found.id, name };
		}
		const called = imported.find(({ name }) => name === calledName(node));
		if (called !== undefined) (node.parameters.workflowId as Json).value = called.id;
	}
	return filled;
}

const isPublished = ({ nodes }: Workflow): boolean =>
	nodes.some(({ type }) => PUBLISHED.some((trigger) => type.endsWith(trigger)));

/** What a node *Data Table* says of its table. */
interface TableParameters {
	tableName?: string;
	dataTableId?: { value?: string };
	columns?: { column?: Column[] };
}

const tablesOf = ({ nodes }: Workflow): TableParameters[] =>
	nodes.map(({ parameters }) => parameters as TableParameters);

/**
 * Creates the Data Tables that a workflow uses and that have first rows: with the columns of the example that creates them, or of
 * their rows. Leaves those that exist alone.
 */
async function createTables(client: N8nClient, workflow: Workflow, all: Workflow[]): Promise<void> {
	const names = tablesOf(workflow).map(({ tableName, dataTableId }) => tableName ?? dataTableId?.value ?? '');
	for (const name of new Set(names)) {
		const rows = FIRST_ROWS[name];
		const table = dataTable(client, name);
		if (rows === undefined || (await table.exists())) continue;
		const creator = all.flatMap(tablesOf).find(({ tableName }) => tableName === name);
		await table.create(creator?.columns?.column ?? columnsOf(rows));
		if (rows.length > 0) await table.insert(rows);
	}
}

/** The columns of these rows, all of them text. */
const columnsOf = (rows: Json[]): Column[] =>
	[...new Set(rows.flatMap((row) => Object.keys(row)))].map((name) => ({ name, type: 'string' }));
