/** Pays through the example *pay once*, whose ledger is a Data Table. */
import { findDataTable } from '../../host/dataTable.ts';
import type { DataTable } from '../../host/dataTable.ts';
import type { Json } from '../../host/n8nClient.ts';
import type { Stack } from '../../host/stack.ts';
import type { NodeMaker } from '../shared/workflowParts.ts';
import { PAY_OUT, publishPayer } from './payer.ts';
import type { Payer } from './payer.ts';

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
	after: (node: NodeMaker) => ReturnType<NodeMaker>[] = () => [],
): Promise<Payer> {
	const { id } = stack.examples.payOnce;
	const value = {
		paymentKey: '={{ $json.key }}',
		amount: '={{ $json.amount }}',
		currency: "={{ $json.coin ? '' : $json.currency ?? 'NGN' }}",
		coin: '={{ $json.coin }}',
		destination: "={{ $json.destination ?? 'supplier-main' }}",
	};
	return await publishPayer(stack, name, {
		payer: (node) =>
			node(PAY_OUT, 'n8n-nodes-base.executeWorkflow', {
				workflowId: { __rl: true, mode: 'id', value: id },
				workflowInputs: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] },
				options: {},
			}),
		after,
	});
}

export async function paymentsTable({ client }: Pick<Stack, 'client'>): Promise<DataTable> {
	const table = await findDataTable(client, PAYMENTS_TABLE);
	if (table === undefined) throw new Error(`There is no Data Table ${PAYMENTS_TABLE}`);
	return table;
}
