/** Pays through the example *pay once*, whose ledger is a Data Table. */
import { findDataTable } from '../../host/n8n/dataTable.ts';
import type { DataTable } from '../../host/n8n/dataTable.ts';
import type { Json } from '../../host/n8n/client.ts';
import type { Stack } from '../../host/stack.ts';
import { groupBy, tally } from '../../bench/shared/lists.ts';
import { judged } from '../shared/paymentLines.ts';
import type { PaymentFigures, PaymentLine } from '../shared/paymentLines.ts';
import { PAY_OUT, publishPayer } from '../../bench/shared/payments/payer.ts';
import type { Payer, PayerOptions } from '../../bench/shared/payments/payer.ts';
import { node } from '../../bench/shared/workflowParts.ts';

export const PAYMENTS_TABLE = 'wallet_service_payments';

/** A row of the payments table. */
export interface PaymentRow extends Json {
	id: number;
	paymentKey: string;
	state: string;
	settle: string | null;
	result: string | null;
	message: string | null;
	execution: string | null;
}

/** Publishes a workflow that hands what its webhook receives to *pay once*, all rows at once. */
export async function publishTablePayer(
	stack: Stack,
	name: string,
	options: PayerOptions = {},
): Promise<Payer> {
	const { id } = stack.examples.payOnce;
	const value = {
		paymentKey: '={{ $json.key }}',
		amount: '={{ $json.amount }}',
		currency: "={{ $json.coin ? '' : $json.currency ?? 'NGN' }}",
		coin: '={{ $json.coin }}',
		destination: "={{ $json.destination ?? 'supplier-main' }}",
		dryRun: '={{ $json.dryRun }}',
	};
	return await publishPayer(stack, name, {
		...options,
		payer: node(PAY_OUT, 'n8n-nodes-base.executeWorkflow', {
			workflowId: { __rl: true, mode: 'id', value: id },
			workflowInputs: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] },
			options: {},
		}),
	});
}

export async function paymentsTable({ client }: Pick<Stack, 'client'>): Promise<DataTable> {
	const table = await findDataTable(client, PAYMENTS_TABLE);
	if (table === undefined) throw new Error(`There is no Data Table ${PAYMENTS_TABLE}`);
	return table;
}

/** What the table shows after executions with the same keys at the same instant. */
interface TableFigures {
	/** Rows that two executions had added for one key at the same instant. */
	added: number;
	/** Keys that still have more than one row. */
	doubled: number;
	/** Keys that two executions had claimed, so that only Payment Key stopped the second one. */
	claimedTwice: number;
	more: string;
}

async function tableFigures(stack: Stack): Promise<TableFigures> {
	const rows = await (await paymentsTable(stack)).rows<PaymentRow>();
	const keys = [...groupBy(rows, ({ paymentKey }) => paymentKey).values()];
	// Ids go on after rows are deleted.
	const added = Math.max(0, ...rows.map(({ id }) => id)) - keys.length;
	const doubled = keys.filter((same) => same.length > 1).length;
	const claimedTwice = rows.filter(({ result }) => result !== 'paid').length;
	const more = `${added} rows added twice, ${doubled} left doubled, ${claimedTwice} claimed twice; states: ${tally(rows.map(({ state }) => state))}`;
	return { added, doubled, claimedTwice, more };
}

/** The lines of pairs through the table of a new n8n, with what the table shows at the end. */
export async function judgedByTable(stack: Stack, lines: PaymentLine[]): Promise<PaymentFigures> {
	const { doubled, claimedTwice, more } = await tableFigures(stack);
	const where = lines.at(-1)?.what ?? '';
	const { misses } = judged(lines);
	return {
		lines: [...lines, { what: `the table after all pairs`, more }],
		misses: [
			...misses,
			...(doubled > 0 ? [`${where}: ${doubled} keys have two rows`] : []),
			...(claimedTwice > 0 ? [`${where}: ${claimedTwice} claimed twice`] : []),
		],
	};
}
