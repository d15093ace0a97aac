/** What an item says of a row of the list, beside the payment in it. */
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../api/exact/json.ts';
import { anyText, textOf, writtenText } from '../values/itemValues.ts';
import type { ListRow } from './listRow.ts';
import { LIST_ROW } from './messages.ts';

/** Without a number, it is no row of a list. Without problems, nobody has read it. */
export type RowFields = Pick<ListRow, 'note'> &
	Partial<
		Pick<
			ListRow,
			'row' | 'line' | 'destinationDetails' | 'payee' | 'payeeMatch' | 'leftOut' | 'extra' | 'problems'
		>
	>;

export function readRowFields(item: IDataObject): RowFields {
	const row = readNumber(item.row);
	const [details, payee] = [writtenText(item.destinationDetails), writtenText(item.payee)];
	const payeeMatch = PAYEE_MATCHES.find((word) => word === item.payeeMatch);
	const leftOut = textOf(item.leftOut);
	const extra = readExtra(item.extra);
	const problems = readProblems(item.problems);
	return {
		...(row !== undefined && { row, line: readNumber(item.line) ?? row }),
		...(details !== '' && { destinationDetails: details }),
		...(payee !== '' && { payee }),
		...(payeeMatch !== undefined && { payeeMatch }),
		...(ROW_NUMBERS.test(leftOut) && { leftOut }),
		note: writtenText(item.note),
		...(extra !== undefined && { extra }),
		...(problems !== undefined && { problems }),
	};
}

/** `3, 7`. */
export const ROW_NUMBERS = /^\d{1,9}(?:\s*,\s*\d{1,9})*$/;

const PAYEE_MATCHES = ['match', 'close', 'none'] as const;

/** A whole number from 0 on. */
function readNumber(value: unknown): number | undefined {
	const text = textOf(value);
	return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function readProblems(problems: unknown): string[] | undefined {
	if (!Array.isArray(problems)) return undefined;
	return problems.map((problem) => textOf(problem) || LIST_ROW.problemCannotBeRead());
}

function readExtra(extra: unknown): Record<string, string> | undefined {
	if (!isRecord(extra)) return undefined;
	const entries = Object.entries(extra).map(([name, value]) => [name, anyText(value)] as const);
	const filled = entries.filter(([, text]) => text !== '');
	return filled.length > 0 ? Object.fromEntries(filled) : undefined;
}
