/** The payments that a situation wants, what n8n says of each, and what the service has made by its own records. */
import type { Json } from '../../host/n8n/client.ts';
import type { Stack } from '../../host/stack.ts';
import { tally } from '../../host/testkit/lists.ts';
import { makePayments, timesPaid, wordOf, type Payment } from '../../host/testkit/payments.ts';
import { judged, type PaymentFigures } from '../shared/figures.ts';

const FAILURES = ['unknown', 'rejected', 'notSent'];

export class Book {
	readonly payments: Payment[] = [];
	/** What an execution has said last of each payment. */
	readonly words = new Map<Payment, string>();
	readonly #service: Pick<Stack, 'sandbox'>;
	readonly #heard = new Map<string, string[]>();

	constructor(service: Pick<Stack, 'sandbox'>) {
		this.#service = service;
	}

	/** `others`: payments whose keys they have. */
	want(count: number, others: Payment[] = []): Payment[] {
		const payments = makePayments(count).map((payment, index) => ({
			...payment,
			key: others[index]?.key ?? payment.key,
		}));
		this.payments.push(...payments);
		return payments;
	}

	/** Keeps what the items say of the payments, and counts it under `when`. Returns the words. */
	hear(when: string, payments: Payment[], items: Json[]): string[] {
		const words = payments.map((payment, index) => {
			const word = wordOf(items[index] ?? {});
			this.words.set(payment, word);
			return word;
		});
		this.#heard.set(when, [...(this.#heard.get(when) ?? []), ...words]);
		return words;
	}

	isPaid({ amount }: Payment): boolean {
		return timesPaid(this.#service).has(amount);
	}

	countPaid(payments = this.payments): number {
		const times = timesPaid(this.#service);
		return payments.filter(({ amount }) => times.has(amount)).length;
	}

	/** `wrong`: figures that must be 0, by name, beside the payments that were made twice, or neither made nor named. */
	figures(what: string, wrong: Record<string, number> = {}, more: string[] = []): PaymentFigures {
		const times = timesPaid(this.#service);
		const isNamed = (payment: Payment) => FAILURES.includes(this.words.get(payment) ?? '');
		const paidTwice = this.payments.filter(({ amount }) => (times.get(amount) ?? 0) > 1).length;
		const unaccounted = this.payments.filter((each) => !times.has(each.amount) && !isNamed(each)).length;
		const heard = [...this.#heard].map(([when, words]) => `${when} said: ${tally(words)}`);
		const line = { what, asked: this.payments.length, paid: this.countPaid(), paidTwice };
		return judged(
			{ ...line, unaccounted, more: [...more, ...heard].join('; ') },
			{ 'paid twice': paidTwice, 'neither paid nor named': unaccounted, ...wrong },
		);
	}
}
