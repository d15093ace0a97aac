/** Deposits and fundings that a person must look at: without an amount, pending, taken back, or told under several IDs. */
import { canonical, compare, withoutSign } from '../../../../api/exact/decimal.ts';
import { comparedAlias } from '../../../shared/alias.ts';
import { isFailedStatus } from '../../../shared/answers/statuses.ts';
import { enumerated, shortLine } from '../../../shared/text.ts';
import { groupsOf } from '../../values/groups.ts';
import type { Movement } from '../movement.ts';
import { nameOfRow } from '../row.ts';
import type { BookRow } from '../row.ts';
import { firstIn, lastIn } from './began.ts';
import { contradictionIn } from './contradiction.ts';
import { hoursBetween, isNews } from './hours.ts';
import { EVENT, hoursInWords, listed, rowLine, UPDATE } from './messages.ts';
import type { Alert } from './messages.ts';

/** IDs that one sentence names. */
const MOST_IDS = 5;

export function eventAlerts(
	movement: Movement,
	now: string,
	{ updateHours }: { updateHours: number },
): Alert[] {
	const { kind, state, amount, rows, row, newest } = movement;
	const reference = shortLine(movement.reference) || shortLine(nameOfRow(row));
	const lines = listed(rows.map(rowLine));
	const hours = hoursBetween(newest, now);
	return [
		...(amount === '' && state !== 'not made' ? [withoutAmount(kind, reference, movement)] : []),
		...(state === 'pending' && hours > updateHours
			? [EVENT.stillPending({ kind, reference, hours: hoursInWords(hours), lines })]
			: []),
		...(isNews(movement, now) ? contradictions(movement, { kind, reference, lines }) : []),
	];
}

function withoutAmount(kind: string, reference: string, { row, rows }: Movement): Alert {
	const words = { kind, reference, event: rowLine(row), reason: shortLine(row.message) };
	return { ...EVENT.amountUnreadable(words), row: firstIn(rows) };
}

/** A deposit that came and then failed was taken back. What failed first, or is no deposit, is for the service to say. */
function contradictions(
	{ rows, state, amount, kind }: Movement,
	words: { kind: string; reference: string; lines: string },
): Alert[] {
	const isDeposit = kind === 'deposit' || kind === 'crypto deposit';
	if (isDeposit && state === 'made' && amount.startsWith('-'))
		return [{ ...EVENT.takenBack({ ...words, isPart: false }), row: firstIn(rows) }];
	const ends = contradictionIn(rows);
	if (ends === undefined) return [];
	const { first, last, began } = ends;
	const alert =
		isDeposit && isFailedStatus(last.status)
			? EVENT.takenBack({ ...words, isPart: isPartOf(first, last) })
			: UPDATE.twoStates({ ...words, first: shortLine(first.status), last: shortLine(last.status) });
	return [{ ...alert, row: began }];
}

function isPartOf(first: BookRow, last: BookRow): boolean {
	const [whole, part] = [withoutSign(first.amount), withoutSign(last.amount)];
	return whole !== '' && part !== '' && compare(part, whole) < 0;
}

/** Deposits of one transaction with the same wallet and amount, under different IDs. */
export function severalIds(movements: readonly Movement[], now: string): Alert[] {
	const outputs = movements.filter(
		({ kind, state, txHash, amount }) =>
			kind === 'crypto deposit' && state !== 'not made' && txHash !== '' && amount !== '',
	);
	const same = groupsOf(outputs, ({ txHash, asset, counterpart, amount }) =>
		JSON.stringify([txHash, asset, comparedAlias(counterpart), canonical(amount)]),
	);
	return same.flatMap((group) => {
		const references = [...new Set(group.map(({ reference }) => shortLine(reference)))];
		const [first = '', second] = references;
		if (second === undefined || !group.some((each) => isNews(each, now))) return [];
		const ids = enumerated(references, { most: MOST_IDS });
		const lines = listed(group.map(({ row }) => rowLine(row)));
		const alert = EVENT.severalIds({ txHash: shortLine(group[0]!.txHash), ids, first, lines });
		return [{ ...alert, row: lastIn(group.map(({ rows }) => firstIn(rows))) }];
	});
}
