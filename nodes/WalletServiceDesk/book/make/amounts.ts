/** Amounts as rows have them, or why they have none. A person who looks one up inserts a row with it. */
import { negate } from '../../../../api/exact/decimal.ts';
import { amountOf } from '../../values/itemValues.ts';
import { MOVEMENT_PROBLEM } from './messages.ts';

interface ReadAmount {
	/** Decimal text; '' if nobody can be sure of it. */
	amount: string;
	/** '' if there is none. */
	problem: string;
}

export function amountAsWritten(value: unknown): ReadAmount {
	const amount = amountOf(value);
	if (amount !== undefined) return { amount, problem: '' };
	return { amount: '', problem: MOVEMENT_PROBLEM.amountUnreadable(JSON.stringify(value ?? null)) };
}

/** Of money that goes out, with its minus. */
export function amountOut(value: unknown): ReadAmount {
	const { amount, problem } = amountAsWritten(value);
	if (amount.startsWith('-')) return { amount: '', problem: MOVEMENT_PROBLEM.amountHasSign(amount) };
	return { amount: amount === '' ? '' : negate(amount), problem };
}
