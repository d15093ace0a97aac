/** Pays through the example *pay once*, which writes the book: a Data Table. */
import { dataTable } from '../n8n/dataTable.ts';
import type { DataTable } from '../n8n/dataTable.ts';
import type { Json } from '../n8n/client.ts';
import type { Stack } from '../stack.ts';
import { queryDatabase, withDatabase } from './database.ts';
import { PAY_OUT, publishPayer } from './payments.ts';
import type { Payer, PayerOptions } from './payments.ts';
import { calls, node } from './workflows.ts';

/** A payment of the book, with the words that a caller of *pay once* knows. */
export interface PaymentRow extends Json {
	id: number;
	paymentKey: string;
	amount: string;
	currency: string;
	coin: string;
	destination: string;
	result: string | null;
	payoutId: string | null;
	message: string | null;
	execution: string | null;
	approvedBy: string | null;
}

/** Publishes a workflow that hands what its webhook receives to *pay once*, all rows at once. `more`: fields of a row, as expressions. */
export async function publishBookPayer(
	stack: Stack,
	name: string,
	options: PayerOptions = {},
	payOnce = stack.example('pay-once'),
	more: Record<string, string> = {},
): Promise<Payer> {
	const row = {
		paymentKey: '$json.key',
		amount: '$json.amount',
		currency: "$json.coin ? '' : $json.currency ?? 'NGN'",
		coin: '$json.coin',
		destination: "$json.destination ?? 'supplier-main'",
		// Payments of tests are often the same.
		again: "$json.again ?? 'yes'",
		// No sum of a day holds what two people have approved.
		approvedBy: "$json.approvedBy ?? 'Ada Obi, Ben Eze'",
		decision: '$json.decision',
		...more,
	};
	const fields = Object.entries(row).map(([name, value]) => `${name}: ${value}`);
	const rows = node('Row', 'set', {
		mode: 'raw',
		jsonOutput: `={{ { ${fields.join(', ')} } }}`,
		options: {},
	});
	const payer = node(PAY_OUT, 'executeWorkflow', { ...calls(payOnce), options: {} });
	return await publishPayer(stack, name, { ...options, before: [rows], payer });
}

export const bookTable = ({ client }: Pick<Stack, 'client'>): DataTable =>
	dataTable(client, 'wallet_service_book');

type Cells = Record<string, string>;

/** The rows of payments in the book, oldest first. Those `under way` are left out if their execution has written a result. */
export async function resultRows(stack: Pick<Stack, 'client'>): Promise<Cells[]> {
	const rows = await bookTable(stack).rows<Cells>();
	const payments = rows.filter(({ kind, result }) => kind!.endsWith(' payout') && result);
	const runOf = ({ key, execution }: Cells) => JSON.stringify([key, execution]);
	const withResult = new Set(payments.filter(({ result }) => result !== 'under way').map(runOf));
	return payments.filter((row) => row.result !== 'under way' || !withResult.has(runOf(row)));
}

/** The same, with the words that a caller of *pay once* knows. */
export async function paymentRows(stack: Pick<Stack, 'client'>): Promise<PaymentRow[]> {
	return (await resultRows(stack)).map(({ key, kind, asset, amount, counterpart, reference, ...row }) => ({
		...(row as unknown as PaymentRow),
		paymentKey: key!,
		amount: amount!.slice(1),
		currency: kind === 'fiat payout' ? asset! : '',
		coin: kind === 'crypto payout' ? asset! : '',
		destination: counterpart!,
		payoutId: reference!,
	}));
}

/** A payment as a row of the book. */
export function bookRow({ paymentKey, currency, coin, amount, destination, payoutId, ...row }: Json): Json {
	return {
		...row,
		key: paymentKey,
		kind: coin ? 'crypto payout' : 'fiat payout',
		asset: coin || currency,
		amount: `-${String(amount)}`,
		counterpart: destination,
		reference: payoutId ?? '',
	};
}

/** The book in n8n's database. */
function nameOfBook(stack: Pick<Stack, 'n8n'>): string {
	const [table] = queryDatabase(stack, "SELECT id FROM data_table WHERE name = 'wallet_service_book'");
	return `data_table_user_${String(table!.id)}`;
}

/** The same rows as those of `bookTable`, in one step. Empty cells are ''. */
export function bookRows(stack: Pick<Stack, 'n8n'>): Cells[] {
	const rows = queryDatabase(stack, `SELECT * FROM ${nameOfBook(stack)} ORDER BY id`);
	return rows.map((row) =>
		Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, String(cell ?? '')])),
	);
}

/** Inserts many rows, each written at its time. */
export function fillBook(stack: Pick<Stack, 'n8n'>, rows: readonly Cells[]): void {
	const name = nameOfBook(stack);
	withDatabase(stack, (database) => {
		database.exec('BEGIN');
		for (const row of rows) {
			const cells = { ...row, createdAt: row.time!.replace('T', ' ').replace('Z', '') };
			const columns = Object.keys(cells).map((column) => `"${column}"`);
			const marks = columns.map(() => '?').join();
			database
				.prepare(`INSERT INTO ${name} (${columns.join()}) VALUES (${marks})`)
				.run(...Object.values(cells));
		}
		database.exec('COMMIT');
	});
}

/** As if all that the book has had happened, and had been written, so many minutes earlier. */
export function ageBook(stack: Pick<Stack, 'n8n'>, minutes: number): void {
	const book = nameOfBook(stack);
	withDatabase(stack, (database) => {
		const older = (column: string, format: string) =>
			`strftime('${format}', ${column}, '-${minutes} minutes')`;
		database.exec(`UPDATE ${book} SET time = ${older('time', '%Y-%m-%dT%H:%M:%fZ')} WHERE time <> ''`);
		database.exec(`UPDATE ${book} SET createdAt = ${older('createdAt', '%Y-%m-%d %H:%M:%f')}`);
	});
}
