/** The accounts as a file for bookkeepers and their programs: a line for each entry, in order of time. */
import { add } from '../../../../api/exact/decimal.ts';
import { dayIn } from '../../../shared/timeZone.ts';
import { csvFile } from '../../page/csvFile.ts';
import { byTime } from '../bookTime.ts';
import type { BookRow } from '../row.ts';
import type { Judged } from './judge.ts';

/** `date`: the day of `time` in the workflow's time zone. `balance`: that of the asset behind the line. */
const COLUMNS = [
	...(['date', 'time', 'asset', 'kind', 'amount', 'balance', 'counterpart', 'details'] as const),
	...(['reference', 'status', 'txHash', 'key', 'message'] as const),
];
type Line = Record<(typeof COLUMNS)[number], string>;

export function statementOf(
	judged: readonly Judged[],
	{ now, timeZone }: { now: string; timeZone: string },
): string {
	const lines = judged.flatMap((each) => linesOf(each, now));
	lines.sort(byTime);
	const rows = lines.map((line) => ({ ...line, date: dayIn(timeZone, new Date(line.time)) }));
	return csvFile(
		COLUMNS,
		rows.map((line) => COLUMNS.map((column) => line[column])),
	);
}

/** The opening, each entry with the balance behind it, what is not booked, and the balance that was read. */
function linesOf(
	{ asset, account, opening, openedAt, balance, difference, verdict }: Judged,
	now: string,
): Line[] {
	if (opening === '') return [];
	const line = (time: string, kind: string, amount: string, row?: BookRow, after = ''): Line => {
		const {
			counterpart = '',
			details = '',
			reference = '',
			status = '',
			txHash = '',
			key = '',
			message = '',
		} = row ?? {};
		return {
			date: '',
			time,
			asset,
			kind,
			amount,
			balance: after,
			counterpart,
			details,
			reference,
			status,
			txHash,
			key,
			message,
		};
	};
	let sum = opening;
	const entries = account.entries.map(({ time, kind, amount, row }) => {
		sum = add(sum, amount);
		return line(time, kind, amount, row, sum);
	});
	const isOpen = difference !== '' && verdict !== 'not read';
	return [
		line(openedAt, 'opening', opening, account.opening, opening),
		...entries,
		...(isOpen ? [{ ...line(now, 'difference', difference, undefined, balance), status: verdict }] : []),
	];
}
