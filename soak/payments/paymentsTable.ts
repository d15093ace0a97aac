/** Pays through the example *pay once*, whose book is a Data Table. */
import { findDataTable } from '../../host/n8n/dataTable.ts';
import type { DataTable } from '../../host/n8n/dataTable.ts';
import type { Json } from '../../host/n8n/client.ts';
import type { Stack } from '../../host/stack.ts';
import { tally } from '../../bench/shared/lists.ts';
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
	settle: string | null;
	result: string | null;
	payoutId: string | null;
	message: string | null;
	execution: string | null;
	/** The id of the workflow that made the row. Only that one knows the key. */
	workflow: string | null;
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

/** After pairs in a new n8n: each key has a row with the ID of its payment. Data Tables have no unique columns, so it may have two. */
export async function figuresOfTable(stack: Stack): Promise<PaymentFigures> {
	const rows = await (await paymentsTable(stack)).rows<PaymentRow>();
	const keys = [...Map.groupBy(rows, ({ paymentKey }) => paymentKey).values()];
	const hasPayment = ({ result, payoutId }: PaymentRow) => result === 'paid' && Boolean(payoutId);
	const wrong = {
		'keys without a row that has the payment': keys.filter((same) => !same.some(hasPayment)).length,
	};
	const twice = keys.filter((same) => same.length > 1).length;
	const more = `keys with two rows: ${twice}; results: ${tally(rows.map(({ result }) => String(result)))}`;
	return judged({ what: 'the payments table after all pairs', more }, wrong);
}
