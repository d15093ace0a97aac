/** Pays through the example *pay once*, whose ledger is a Data Table. */
import { findDataTable } from '../../host/n8n/dataTable.ts';
import type { DataTable } from '../../host/n8n/dataTable.ts';
import type { Json } from '../../host/n8n/client.ts';
import type { Stack } from '../../host/stack.ts';
import { groupBy, tally } from '../../bench/shared/lists.ts';
import { judged } from '../shared/figures.ts';
import type { PaymentFigures } from '../shared/figures.ts';
import { PAY_OUT, publishPayer } from '../../bench/shared/payments/payer.ts';
import type { Payer, PayerOptions } from '../../bench/shared/payments/payer.ts';
import { node } from '../../bench/shared/workflowParts.ts';

const PAYMENTS_TABLE = 'wallet_service_payments';

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

/** After pairs in a new n8n: two executions may add a row for one key at the same instant, but one row stays. */
export async function figuresOfTable(stack: Stack): Promise<PaymentFigures> {
	const rows = await (await paymentsTable(stack)).rows<PaymentRow>();
	const keys = [...groupBy(rows, ({ paymentKey }) => paymentKey).values()];
	const wrong = {
		'keys with two rows': keys.filter((same) => same.length > 1).length,
		// Only Payment Key has stopped the second execution.
		'keys that two executions claimed': rows.filter(({ result }) => result !== 'paid').length,
	};
	// Ids go on after rows are deleted.
	const added = Math.max(0, ...rows.map(({ id }) => id)) - keys.length;
	const more = `rows added twice: ${added}; states: ${tally(rows.map(({ state }) => state))}`;
	return judged({ what: 'the payments table after all pairs', more }, wrong);
}
