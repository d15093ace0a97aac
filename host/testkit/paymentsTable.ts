/** Pays through the example *pay once*, whose book is a Data Table. */
import { findDataTable } from '../n8n/dataTable.ts';
import type { DataTable } from '../n8n/dataTable.ts';
import type { Json } from '../n8n/client.ts';
import type { Stack } from '../stack.ts';
import { PAY_OUT, publishPayer } from './payments.ts';
import type { Payer, PayerOptions } from './payments.ts';
import { calls, node } from './workflows.ts';

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
	payOnce = stack.examples.payOnce,
): Promise<Payer> {
	const value = {
		paymentKey: '={{ $json.key }}',
		amount: '={{ $json.amount }}',
		currency: "={{ $json.coin ? '' : $json.currency ?? 'NGN' }}",
		coin: '={{ $json.coin }}',
		destination: "={{ $json.destination ?? 'supplier-main' }}",
		dryRun: '={{ $json.dryRun }}',
	};
	const payer = node(PAY_OUT, 'executeWorkflow', {
		...calls(payOnce),
		workflowInputs: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] },
		options: {},
	});
	return await publishPayer(stack, name, { ...options, payer });
}

export async function paymentsTable({ client }: Pick<Stack, 'client'>): Promise<DataTable> {
	const table = await findDataTable(client, PAYMENTS_TABLE);
	if (table === undefined) throw new Error(`There is no Data Table ${PAYMENTS_TABLE}`);
	return table;
}
