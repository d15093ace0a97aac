/** The fields of a row go along to its result, so that nobody has to join both again. */
import type { IDataObject } from 'n8n-workflow';

import { moneyFieldsOf } from '../../../../api/catalog.ts';
import { isRecord } from '../../../../api/exact/json.ts';
import { camelCase } from '../../../../api/shape.ts';
import type { CallResult } from '../../../shared/result.ts';
import { PAYOUTS_OF_LIST } from '../../input/payList.ts';

/** What only this run says of a payment. A row that was a result before has them, too, and they are about another run. */
const OF_RESULT = new Set([
	'result',
	'error',
	'alreadyPaid',
	'dryRun',
	'request',
	'waiting',
	'belowMinimum',
	'requestId',
	'payoutId',
	'status',
	...PAYOUTS_OF_LIST.map((payout) => camelCase(moneyFieldsOf(payout).destination ?? '')),
]);

/** The result with the fields of its row that it does not have itself. Without a row, the result. */
export function handedOn(result: CallResult, row: IDataObject | undefined): CallResult {
	if (row === undefined) return result;
	if (!result.ok) return { ...result, row: withFields(result.row ?? {}, row) };
	return { ...result, items: result.items.map((item) => withFields(item, row)) };
}

function withFields(item: IDataObject, row: IDataObject): IDataObject {
	const fields = Object.entries(row).filter(([name]) => !OF_RESULT.has(name) && !Object.hasOwn(item, name));
	const areBoth = isRecord(item.extra) && isRecord(row.extra);
	return {
		...item,
		// Assigning to a key `__proto__` would change the prototype; fromEntries adds an ordinary property.
		...Object.fromEntries(fields),
		...(areBoth && { extra: { ...(row.extra as IDataObject), ...(item.extra as IDataObject) } }),
	};
}
