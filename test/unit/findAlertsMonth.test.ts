/**
 * A month of a business in one minute: payments, deposits, credits and debits become rows, and alerts are looked for each minute while
 * something happens. Three payouts that nobody made are alerts within two minutes, two deposits that stay pending within a day, and
 * nothing that is well is one.
 */
import type { IDataObject } from 'n8n-workflow';

import { add, canonical } from '../../api/exact/decimal.ts';
import { findAlerts } from '../../nodes/WalletServiceDesk/book/alerts/alerts.ts';
import { rowsOfItem } from '../../nodes/WalletServiceDesk/book/make/makeRows.ts';
import { fold } from '../../nodes/WalletServiceDesk/book/payments.ts';
import { readRows } from '../../nodes/WalletServiceDesk/book/row.ts';
import type { BookCells } from '../../nodes/WalletServiceDesk/book/row.ts';
import { randomNumbers } from '../../host/testkit/random.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DAYS = 30;
const START = Date.UTC(2026, 0, 1);
/** Days on which something is not well. */
const ON = {
	/** Somebody else makes a payout in coins. */
	intruder: [4, 13, 22],
	/** n8n stops while it pays. */
	killed: [7, 19],
	/** The answer of a payment is lost. */
	lost: [2, 10, 16, 25],
	/** Two words for the end of a payout. */
	contradiction: [11, 27],
	/** A deposit stays pending. */
	stuck: [9, 20],
};

type Asset = 'NGN' | 'USDT';
const PLACES = { NGN: 2, USDT: 6 };

class Month {
	readonly #seen = new Map<string, number>();
	readonly #random = randomNumbers();
	#numbers = 0;
	/** What the service's ledger says moved, in decimals. */
	readonly ledger: Record<Asset, string> = { NGN: '0', USDT: '0' };
	readonly intruders: Array<{ id: string; at: number }> = [];
	readonly expected = new Set<string>();
	movements = 0;
	now = START;

	readonly rows: BookCells[] = [];

	/** When each alert was told first. */
	get told(): ReadonlyMap<string, number> {
		return this.#seen;
	}

	live(): void {
		for (let day = 0; day < DAYS; day += 1) this.#day(day);
	}

	#day(day: number): void {
		this.now = START + day * DAY + 10 * 60 * MINUTE;
		this.#pay(day, 'NGN');
		this.#pay(day, 'USDT');
		for (let left = 26; left > 0; left -= 1) this.#deposit(left % 2 === 0 ? 'NGN' : 'USDT');
		if (ON.stuck.includes(day)) this.#deposit(day % 2 === 0 ? 'NGN' : 'USDT', true);
		for (const direction of ['credit', 'debit']) this.#fund(direction);
		if (ON.contradiction.includes(day)) this.#contradict();
		if (ON.intruder.includes(day)) this.#intrude();
		this.#lookFor(5);
		// The rest of the day.
		for (const hours of [1, 2, 7]) {
			this.now += hours * 60 * MINUTE;
			this.#look();
		}
	}

	#write(items: object[], execution = String(100 + this.#numbers)): void {
		const now = new Date(this.now).toISOString();
		const context = { now, workflow: 'wf1 Pay', execution, approvedBy: 'ada', needsApproval: true };
		for (const [place, item] of items.entries())
			this.rows.push(...rowsOfItem(item as IDataObject, place, context));
	}

	#lookFor(minutes: number): void {
		for (let left = minutes; left > 0; left -= 1) {
			this.now += MINUTE;
			this.#look();
		}
	}

	#look(): void {
		const now = new Date(this.now).toISOString();
		const since = new Date(this.now - 11 * DAY).toISOString();
		const book = readRows(this.rows.filter(({ time }) => time > since) as unknown as IDataObject[]);
		const alerts = findAlerts({
			...{ book, folded: fold(book.rows, now), balances: [], minimums: [], now },
			settings: { waitHours: 1, updateHours: 6 },
		});
		for (const { alert } of alerts) if (!this.#seen.has(alert)) this.#seen.set(alert, this.now);
	}

	#amount(asset: Asset): string {
		return (10 + this.#random() * 900).toFixed(PLACES[asset]);
	}

	#move(asset: Asset, amount: string): void {
		this.ledger[asset] = add(this.ledger[asset], amount);
		this.movements += 1;
	}

	/** A list of sixteen payments: written as under way, paid, and written with its results. */
	#pay(day: number, asset: Asset): void {
		const isCoin = asset === 'USDT';
		const execution = `${day}${isCoin ? 'c' : 'f'}`;
		const list = Array.from({ length: 16 }, () => {
			this.#numbers += 1;
			const money = { paymentKey: `INV-${this.#numbers}`, amount: this.#amount(asset) };
			return {
				...money,
				...(isCoin ? { coin: asset } : { currency: asset }),
				destination: 'treasury',
				id: `po_${this.#numbers}`,
			};
		});
		this.#write(list, execution);
		const kills = ON.killed.includes(day) && isCoin;
		const loses = ON.lost.includes(day) && isCoin;
		const made = kills ? list.slice(0, 9) : list;
		for (const { amount } of made) this.#move(asset, `-${amount}`);
		// The service is quick: its updates come before the results are written.
		if (isCoin) for (const payment of made) this.#update(payment, 'pending');
		this.#look();
		if (kills) return this.#retry(list, execution);
		this.#write(
			list.map((payment, place) => resultOf(payment, loses && place === 3 ? 'unknown' : 'paid')),
			execution,
		);
		this.#lookFor(2);
		if (isCoin) for (const payment of list) this.#update(payment, 'successful');
		if (loses) this.#settle(list[3]!);
	}

	/** n8n stops in the middle. A person is told, and the retried execution pays what is left. */
	#retry(list: Payment[], execution: string): void {
		this.expected.add(`ended in the middle ${execution}`);
		this.#lookFor(20);
		const left = list.slice(9);
		for (const { amount } of left) this.#move('USDT', `-${amount}`);
		for (const payment of left) this.#update(payment, 'pending');
		this.#write(
			list.map((payment, place) => resultOf(payment, place < 9 ? 'alreadyPaid' : 'paid')),
			`${execution}2`,
		);
		this.#lookFor(2);
		for (const payment of list) this.#update(payment, 'successful');
	}

	/** The service has made it, and a person says so. */
	#settle(payment: Payment): void {
		this.expected.add(`looks paid ${payment.id}`);
		this.#lookFor(2);
		this.now += 90 * MINUTE;
		this.#look();
		this.#write([resultOf(payment, 'alreadyPaid')]);
	}

	#update({ id, coin, amount }: Payment, status: string): void {
		const event = 'crypto_payout_update';
		const fields = { id, status, coin, amount, walletAlias: 'treasury', fee: '0.5', feeCoin: coin };
		const receivedAt = new Date(this.now).toISOString();
		this.#write([{ event, ...fields, receivedAt, deliveryKey: `${event}:${id}:${status}` }]);
	}

	#deposit(asset: Asset, isStuck = false): void {
		this.#numbers += 1;
		const amount = this.#amount(asset);
		const id = `dep_${this.#numbers}`;
		const fiat = { event: 'virtual_account_credited', currency: asset, accountAlias: 'customer-0042' };
		const coin = { event: 'crypto_received', coin: asset, walletAlias: 'deposits-usdt' };
		const event = asset === 'NGN' ? fiat : coin;
		const write = (status: string) =>
			this.#write([{ ...event, id, amount, status, deliveryKey: `${event.event}:${id}:${status}` }]);
		write('pending');
		if (isStuck) {
			this.expected.add(`pending ${asset === 'NGN' ? 'deposit' : 'crypto deposit'} ${id}`);
			return;
		}
		this.#move(asset, amount);
		this.now += 1_000;
		write('successful');
	}

	#fund(direction: string): void {
		this.#numbers += 1;
		const amount = this.#amount('NGN');
		this.#move('NGN', direction === 'debit' ? `-${amount}` : amount);
		const id = `adm_${this.#numbers}`;
		const fields = { event: 'admin_funding', id, asset: 'NGN', amount, direction, status: 'successful' };
		this.#write([{ ...fields, deliveryKey: `admin_funding:${id}:successful` }]);
	}

	#contradict(): void {
		const [row] = this.rows
			.filter(
				({ kind, result, reference }) => kind === 'crypto payout' && result === 'paid' && reference !== '',
			)
			.slice(-1);
		const { reference: id, amount } = row!;
		this.#update({ id, coin: 'USDT', amount: amount.slice(1) } as Payment, 'failed');
		this.expected.add(`two states payout ${id}`);
	}

	/** Somebody with the key makes a payout: with an amount of its own, and once with that of a payment of today. */
	#intrude(): void {
		this.#numbers += 1;
		const today = this.rows.findLast(({ kind, result }) => kind === 'crypto payout' && result === 'paid');
		const amount = this.intruders.length === 1 ? today!.amount.slice(1) : this.#amount('USDT');
		const id = `po_${this.#numbers}`;
		this.#move('USDT', `-${amount}`);
		this.#update({ id, coin: 'USDT', amount } as Payment, 'pending');
		this.intruders.push({ id, at: this.now });
		this.expected.add(`not ordered ${id}`);
	}
}

type Payment = { paymentKey: string; amount: string; id: string; coin?: string; currency?: string };

function resultOf({ paymentKey, amount, id, coin, currency }: Payment, result: string): object {
	const row = {
		result,
		paymentKey,
		amount,
		...(coin ? { coin, walletAlias: 'treasury' } : { currency, accountAlias: 'treasury' }),
	};
	if (result === 'unknown') return { ...row, error: { message: 'No answer' } };
	return result === 'paid' ? { ...row, payoutId: id, status: 'pending' } : { ...row, alreadyPaid: true };
}

test('three intruders are alerts within two minutes, and all else by its cause', () => {
	const month = new Month();
	month.live();
	expect(month.movements).toBeGreaterThan(1700);
	expect(month.intruders).toHaveLength(3);
	for (const { id, at } of month.intruders) {
		expect(month.told.get(`not ordered ${id}`)! - at).toBeLessThanOrEqual(2 * MINUTE);
	}
	expect([...month.told.keys()].sort()).toEqual([...month.expected].sort());
	// The book and the ledger are equal to the last digit.
	const ids = new Set(month.intruders.map(({ id }) => id));
	const moved = month.rows.filter(({ kind, result, reference, status }) =>
		kind === 'crypto payout' && result === ''
			? ids.has(reference) && status === 'pending'
			: result === '' && status !== 'pending',
	);
	// Each run has a row of its own, and a payment moves once.
	const made = month.rows.filter(({ result }) => result === 'paid' || result === 'alreadyPaid');
	moved.push(...new Map(made.map((row) => [row.key, row])).values());
	for (const asset of ['NGN', 'USDT'] as const) {
		const sum = moved.filter((row) => row.asset === asset).reduce((all, { amount }) => add(all, amount), '0');
		expect(canonical(sum)).toBe(canonical(month.ledger[asset]));
	}
});
