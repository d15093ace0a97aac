/** Lists of payouts as texts, and what Read says of them. */
import type { ListRow } from '../../nodes/WalletServiceDesk/list/listRow.ts';
import { DEFAULT_COLUMNS, readFile } from '../../nodes/WalletServiceDesk/list/read/readList.ts';
import type { ListSettings } from '../../nodes/WalletServiceDesk/list/read/readList.ts';

export const HEADER = 'paymentKey,amount,currency,coin,destination';
export const csv = (...lines: string[]) => [HEADER, ...lines].join('\n');

export const SETTINGS: ListSettings = { columns: DEFAULT_COLUMNS };
export const read = (text: string, settings = SETTINGS) => readFile(Buffer.from(text), settings);

/** `Row 2: what is wrong`, and what is wrong with the whole list. */
export const said = (rows: ListRow[]) =>
	rows.flatMap(({ row, problems }) => problems.map((each) => (row === 0 ? each : `Row ${row}: ${each}`)));

/** Rows of a file, each with a key of its own. */
export const rowsOf = (count: number) =>
	Array.from({ length: count }, (_, index) => `K${index},${index + 1},NGN,,supplier`);

/** … stands for the text of the cell. */
export const DEBIT =
	'The amount … looks like a debit or credit note, not like a payout. Remove the row. If it is a payout, write the amount as a number such as 1250.50.';
export const TOTAL =
	'This looks like a total, not like a payout. Remove the row. If it is a payout, enter its destination.';
