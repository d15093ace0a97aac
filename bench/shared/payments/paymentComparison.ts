/** Payments that are wanted, what the service lists of them, and what n8n says of them. */
import type { Json } from '../../../host/n8n/client.ts';
import type { Stack } from '../../../host/stack.ts';

/** A payment that is wanted once. No other payment has its amount, so the service's records tell them apart. */
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
	// A row of *pay once* has no other fields that could contradict its result.
	if (typeof destination === 'string' && typeof result === 'string') return result;
	const isTrue =
		error !== undefined
			? (error as Json).outcome === result
			: alreadyPaid === (result === 'alreadyPaid') && (typeof payoutId === 'string') === (result === 'paid');
	if (typeof result === 'string' && isTrue) return result;
	throw new Error(`An item contradicts itself: ${JSON.stringify(item)}`);
}
