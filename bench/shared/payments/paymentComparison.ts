/** Payments that a soak wants made, compared with those that the service lists. */
import type { Json } from '../../../host/n8n/client.ts';
import type { Stack } from '../../../host/stack.ts';
import type { PaymentLine } from './lines.ts';

/** A payment that is wanted once. Its amount is no other payment's, so the service's records tell them apart. */
export interface Payment {
	key: string;
	amount: string;
}

let made = 0;

export function makePayments(count: number): Payment[] {
	return Array.from({ length: count }, () => {
		made += 1;
		return { key: `invoice-${made}`, amount: `${made}.01` };
	});
}

/** How many times the service has made a payment of each amount. */
export function timesPaid({ sandbox }: Pick<Stack, 'sandbox'>): Map<string, number> {
	const times = new Map<string, number>();
	for (const { amount } of sandbox.service.ledger.payouts.all())
		times.set(amount, (times.get(amount) ?? 0) + 1);
	return times;
}

/** What an item says about its payment: its `result`. Throws if its other fields say something else. */
export function wordOf(item: Json): string {
	const { result, error, alreadyPaid = false, payoutId, destination } = item;
	// A row of pay once, which is made of texts.
	if (typeof destination === 'string' && typeof result === 'string') return result;
	const isTrue =
		error !== undefined
			? (error as Json).outcome === result
			: alreadyPaid === (result === 'alreadyPaid') && (typeof payoutId === 'string') === (result === 'paid');
	if (typeof result === 'string' && isTrue) return result;
	throw new Error(`An item contradicts itself: ${JSON.stringify(item)}`);
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
