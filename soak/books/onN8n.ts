/**
 * The world on a real n8n: the service is the sandbox, and workflows write the book. What takes hours happens at once, in its order.
 * Before each morning, all rows become as old as they would be.
 */
import { unitsOf, cutOff, isCoin, textOf, type Asset } from '../../host/world/money.ts';
import type { Payment } from '../../host/world/movement.ts';
import type { Item, Row } from '../../host/world/rows.ts';
import { World } from '../../host/world/world.ts';
import { ageBook, bookRows, bookTable } from '../../host/testkit/book.ts';
import { countUnderWay } from '../../host/testkit/database.ts';
import { pay, type Payer } from '../../host/testkit/payments.ts';
import { until, type Json } from '../../host/n8n/client.ts';
import type { Mail } from '../../host/doubles/mailbox.ts';
import type { Stack } from '../../host/stack.ts';
import { moveBalance } from '../../sandbox/ledger/ledger.ts';
import type { Payout } from '../../sandbox/ledger/records.ts';

/** Each wants to be 0, but for those of what was done. */
export interface FiguresOnN8n {
	kills: number;
	conversions: number;
	rejected: number;
	strangers: number;
	slowestAlarm: number;
	strangersNotTold: number;
	strangersToldTwice: number;
	falseAlarmsByMail: number;
}

export class WorldOnN8n extends World {
	readonly figures: FiguresOnN8n = {
		kills: 0,
		conversions: 0,
		rejected: 0,
		strangers: 0,
		slowestAlarm: 0,
		strangersNotTold: 0,
		strangersToldTwice: 0,
		falseAlarmsByMail: 0,
	};
	readonly stack: Stack;
	readonly #payer: Payer;
	readonly #alarms: Mail[] = [];

	constructor(random: () => number, stack: Stack, payer: Payer) {
		super(random);
		this.stack = stack;
		this.#payer = payer;
	}

	get now(): string {
		return new Date().toISOString();
	}

	rows(): Row[] {
		return bookRows(this.stack);
	}

	ledger(asset: Asset): bigint {
		return unitsOf(this.stack.sandbox.service.ledger.balances.get(asset)!.amount);
	}

	balance(asset: Asset): string {
		return textOf(cutOff(this.ledger(asset), asset), asset);
	}

	async typed(cells: Item): Promise<void> {
		await bookTable(this.stack).insert([{ ...cells, time: this.now }]);
	}

	/** Then all is quiet, and its rows are as old as they would be. */
	override async liveUntil(minute: number): Promise<void> {
		const before = this.minute;
		await super.liveUntil(minute);
		await this.quiet();
		this.#readAlarms();
		ageBook(this.stack, minute - before);
		process.stderr.write(`Day ${Math.floor(minute / (24 * 60))}\n`);
	}

	async quiet(): Promise<void> {
		const { deliveries, ledger } = this.stack.sandbox.service;
		const isBusy = () =>
			deliveries.all().some(({ status }) => status === 'pending') ||
			ledger.payouts.all().some((payout) => payout.class === 'crypto' && payout.status === 'pending') ||
			countUnderWay(this.stack) > 0;
		await until('the end of all executions', () => !isBusy());
	}

	/** Each mail that begins with ALARM is of a stranger, and of each there is one. */
	#readAlarms(): void {
		this.#alarms.push(...this.stack.mailbox.mails.splice(0).filter(isAlarm));
		const strangers = this.faults.filter(({ name, movement }) => name === 'intrude' && movement.name !== '');
		const namesIn = ({ text }: Mail) => strangers.filter(({ movement }) => text.includes(movement.name));
		const named = this.#alarms.map(namesIn);
		this.figures.falseAlarmsByMail = named.filter(({ length }) => length === 0).length;
		this.figures.strangersToldTwice = named.flat().length - new Set(named.flat()).size;
	}

	/** Waits for a mail, two minutes at most. */
	async mail(what: string, isIt: (mail: Mail) => boolean): Promise<void> {
		await until(what, () => this.stack.mailbox.mails.some(isIt), 120_000);
	}

	/* Payments. */

	/** *Pay once* pays USDT 1,000 at most, to one wallet. */
	override order(asset: Asset, units: bigint): Payment {
		const payment = super.order(asset, isCoin(asset) ? units / 3n + 1n : units);
		payment.destination = isCoin(asset) ? 'treasury' : 'supplier-main';
		return payment;
	}

	/** Pays by *pay once*, in one execution. */
	async pay(payments: Payment[], more: Json = {}): Promise<Json[]> {
		const before = this.payouts().length;
		const rows = payments.map(({ name: key, asset, amount, destination }): Json => {
			const code = isCoin(asset) ? { coin: asset } : { currency: asset };
			return { key, amount: textOf(-amount, asset), ...code, destination, ...more };
		});
		const items = await pay(this.stack.n8n, this.#payer, rows);
		this.areMade(payments, before);
		return items;
	}

	payouts(): Payout[] {
		return this.stack.sandbox.service.ledger.payouts.all();
	}

	/** Those of these payments that the service has made since then, in their order. */
	areMade(payments: Payment[], before: number): void {
		const made = this.payouts().slice(before);
		for (const payment of payments.filter(({ id }) => id === '')) {
			const { destination, asset, amount } = payment;
			const place = made.findIndex(
				(each) => each.code === asset && each.destination === destination && unitsOf(each.amount) === -amount,
			);
			if (place >= 0) this.isMade(payment, made.splice(place, 1)[0]!);
		}
	}

	isMade(payment: Payment, { payout_id, fee }: Payout): void {
		payment.id = payout_id;
		payment.costs = unitsOf(fee);
		payment.moved = payment.amount - payment.costs;
	}

	/* What the service does by itself. */

	/** Money moves, and nothing is told of it. */
	moveSilently(asset: Asset, amount: bigint): void {
		const { ledger, store } = this.stack.sandbox.service;
		const movement = {
			code: asset,
			amount: textOf(amount, asset),
			reason: 'deposit',
			reference: '',
		} as const;
		store.transaction(() => moveBalance(ledger, movement));
	}

	/** The service tells a payout or deposit, as it was, to be in another state. */
	async tell(event: Json): Promise<void> {
		await this.stack.control('POST', '/events', event);
		await this.quiet();
	}
}

export const isAlarm = ({ subject }: Mail): boolean => subject.startsWith('ALARM');
