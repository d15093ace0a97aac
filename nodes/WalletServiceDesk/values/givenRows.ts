/** A list of rows that an expression gives: `{{ $json.rows }}`, or `{{ $('node').all() }}`. */
import type { IDataObject } from 'n8n-workflow';

import { isRecord, parseExact, repeatsKey, toPlain } from '../../../api/exact/json.ts';

/** Why a value is no list of rows. `place`: of the first entry that is no row, 1 is the first. */
export interface NoRows {
	is: 'nothing' | 'noList' | 'noRow' | 'nameTwice';
	place?: number;
}

/** The rows of a list, or of its JSON text. An entry is a row, or an item of n8n with a row in it. */
export function givenRows(value: unknown): { rows: IDataObject[] } | NoRows {
	if (value === undefined || value === null || value === '') return { is: 'nothing' };
	const list = typeof value === 'string' ? listIn(value) : value;
	if (!Array.isArray(list)) return { is: 'noList' };
	// Nobody knows which of the two values is meant.
	if (typeof value === 'string' && repeatsKey(value, list)) return { is: 'nameTwice' };
	const rows = list.map(rowIn);
	const place = rows.indexOf(undefined) + 1;
	return place > 0 ? { is: 'noRow', place } : { rows: rows as IDataObject[] };
}

/** A number that a double would round comes as its text. */
function listIn(text: string): unknown {
	try {
		return toPlain(parseExact(text));
	} catch {
		return undefined;
	}
}

function rowIn(entry: unknown): Record<string, unknown> | undefined {
	if (!isRecord(entry)) return undefined;
	return isRecord(entry.json) ? entry.json : entry;
}
