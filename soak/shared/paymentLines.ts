/** The lines of the one table that the money soaks print. */
import { timesPaid } from '../../bench/shared/payments/paymentComparison.ts';
import type { Payment } from '../../bench/shared/payments/paymentComparison.ts';
import type { Stack } from '../../host/stack.ts';
import { tableOf } from './table.ts';

export interface PaymentLine {
	what: string;
	/** How many payments were wanted, each with an amount of its own. */
	asked?: number;
	/** How many of them the service made, by its own records. */
	paid?: number;
	/** How many of them it made more than once. */
	paidTwice?: number;
	/** How many it did not make although no execution names them as failed or unknown. */
	unaccounted?: number;
	/** Further figures. */
	more: string;
}

/** What a money soak gives. */
export interface PaymentFigures {
	lines: PaymentLine[];
	/** The missed targets, in words. */
	misses: string[];
}

/** The lines, with a miss for each payment that was made twice, or neither made nor named. */
export function judged(lines: PaymentLine[]): PaymentFigures {
	const misses = lines.flatMap(({ what, paidTwice = 0, unaccounted = 0 }) => [
		...(paidTwice > 0 ? [`${what}: ${paidTwice} paid twice`] : []),
		...(unaccounted > 0 ? [`${what}: ${unaccounted} neither paid nor named`] : []),
	]);
	return { lines, misses };
}

const FAILURES = ['unknown', 'rejected', 'notSent'];

/** The figures of payments. `words`: what the last execution said about each; absent if that is not asked. */
export function figuresOf(
	stack: Pick<Stack, 'sandbox'>,
	payments: Payment[],
	words?: ReadonlyMap<Payment, string>,
): Pick<PaymentLine, 'asked' | 'paid' | 'paidTwice' | 'unaccounted'> {
	const times = timesPaid(stack);
	const count = (matches: (times: number, payment: Payment) => boolean) =>
		payments.filter((payment) => matches(times.get(payment.amount) ?? 0, payment)).length;
	return {
		asked: payments.length,
		paid: count((paid) => paid > 0),
		paidTwice: count((paid) => paid > 1),
		...(words !== undefined && {
			unaccounted: count((paid, payment) => paid === 0 && !FAILURES.includes(words.get(payment) ?? '')),
		}),
	};
}

const COLUMNS: Array<[keyof PaymentLine, string]> = [
	['what', 'what'],
	['asked', 'asked'],
	['paid', 'paid'],
	['paidTwice', 'paid twice'],
	['unaccounted', 'neither paid nor named'],
	['more', 'more'],
];

export function tableOfPayments(lines: PaymentLine[]): string {
	return tableOf(COLUMNS, lines);
}
