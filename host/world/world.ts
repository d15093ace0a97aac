/**
 * One world for all tests of the book: a service with its ledger, a business that pays and receives, and people who book what they find.
 * It has its own time. It knows what is true, and what the rows of the book tell of it so far. What happens in it: business.ts.
 */
import { Clock, DAY, HOUR, SECOND } from './clock.ts';
import type { CommandName } from './commands.ts';
import { isCoin, textOf, type Asset } from './money.ts';
import { movementOf, toldOf, updateOf, type Movement, type Payment } from './movement.ts';
import { PERSON, rowsOf, type Item, type Row, type Writer } from './rows.ts';

/** What no row tells, until a person finds it and books it. */
export interface Fault {
	name: CommandName;
	movement: Movement;
	minute: number;
	state: 'open' | 'found' | 'booked';
}

/** Items that were booked together, and their rows. */
export interface Batch {
	items: Item[];
	rows: Row[];
	writer: Writer;
	now: string;
}

const DESTINATIONS = {
	NGN: ['supplier-main', 'payroll', 'rent'],
	USDT: ['treasury', 'supplier-usdt', 'exchange'],
};
const FIRST = { NGN: 100_000_000_000_000n, USDT: 1_000_000_000_000n };
const FEES = [500_000n, 1_000_000n, 1_000_000n, 2_500_000n];

export class World {
	/** What was inserted into the book, the oldest first. */
	readonly batches: Batch[] = [];
	readonly faults: Fault[] = [];
	readonly movements: Movement[] = [];
	readonly #ledger = { ...FIRST };
	readonly #told = { NGN: 0n, USDT: 0n };
	readonly #clock = new Clock();
	readonly #random: () => number;
	#numbers = 0;

	constructor(random: () => number) {
		this.#random = random;
	}

	/* What a reader sees, and what is true. */

	get now(): string {
		return this.#clock.now;
	}

	get minute(): number {
		return this.#clock.minute;
	}

	liveUntil(minute: number): void {
		this.#clock.runUntil(minute);
	}

	/** The balance as the service tells it. */
	balance(asset: Asset): string {
		const text = textOf(this.#ledger[asset], asset);
		return isCoin(asset) ? text.replace(/\.?0+$/, '') : text;
	}

	/** By how much the service has more than the rows of the book tell. */
	difference(asset: Asset): bigint {
		return this.#ledger[asset] - FIRST[asset] - this.#told[asset];
	}

	faultsOf(asset: Asset): Fault[] {
		return this.faults.filter(({ movement, state }) => movement.asset === asset && state !== 'booked');
	}

	/** A person reads that a balance is not explained, looks at the service, and books what is missing within three days. */
	find(asset: Asset): void {
		for (const fault of this.faultsOf(asset).filter(({ state }) => state === 'open')) {
			const { movement } = fault;
			fault.state = 'found';
			this.later(Math.floor(this.between(0, 3)) * DAY + this.between(2, 8) * HOUR, () => {
				fault.state = 'booked';
				this.correct(movement, movement.moved);
			});
		}
	}

	/* Chance and time. */

	between(from: number, to: number): number {
		return from + this.#random() * (to - from);
	}

	isRare(share: number): boolean {
		return this.#random() < share;
	}

	oneOf<T>(all: readonly T[]): T {
		return all[Math.floor(this.#random() * all.length)]!;
	}

	number(): number {
		return (this.#numbers += 1);
	}

	later(minutes: number, act: () => void): void {
		this.#clock.later(minutes, act);
	}

	/* What the service does and tells. */

	move(movement: Movement, amount = movement.amount): void {
		movement.moved += amount;
		this.#ledger[movement.asset] += amount;
	}

	/** Makes a payout. Of those in coins the service tells, and of their fee with the end or later. */
	make(payment: Payment): void {
		payment.id = `po_${this.number()}`;
		if (!isCoin(payment.asset)) return this.move(payment);
		const isFree = this.isRare(0.05);
		payment.costs = isFree ? 0n : this.oneOf(FEES);
		this.move(payment, payment.amount - payment.costs);
		this.later(this.between(0.1, 1), () => this.deliver(updateOf(payment, 'pending')));
		const isLate = this.isRare(0.03);
		this.later(isLate ? this.between(6, 30) * HOUR : this.between(2, HOUR), () => this.#end(payment, isFree));
	}

	#end(payment: Payment, isFree: boolean): void {
		const isEnd = payment.isOurs ? { counts: true, isFinal: true } : {};
		const ofFee = payment.isOurs ? { fee: payment.costs } : {};
		const isWithFee = !isFree && !this.isRare(0.07);
		this.deliver(updateOf(payment, 'successful', isWithFee ? payment.costs : undefined), () =>
			this.learn(payment, isWithFee ? { ...isEnd, ...ofFee } : isEnd),
		);
		if (isFree || isWithFee) return;
		// The fee comes later, or a person who misses it asks the service.
		if (this.isRare(0.7))
			return this.later(this.between(6, 40) * HOUR, () =>
				this.deliver(updateOf(payment, 'successful', payment.costs), () => this.learn(payment, ofFee)),
			);
		const { asset, id, costs } = payment;
		this.later(this.between(1, 2.5) * DAY, () => {
			const fee = { fee: textOf(costs, asset), feeAsset: asset };
			this.book([{ kind: 'crypto payout', reference: id, asset, ...fee }]);
			this.learn(payment, ofFee);
		});
	}

	/** A delivery comes within seconds. Few come hours late, and few come twice. */
	deliver(event: Item, learns = () => {}): void {
		const deliveryKey = `${event.event}:${event.id}:${event.status}:${event.fee ?? ''}`;
		const comes = () =>
			this.book([{ ...event, deliveryKey, receivedAt: this.now }], this.run('book an event'));
		this.later(this.isRare(0.01) ? this.between(1, 14) * HOUR : this.between(1, 8) * SECOND, () => {
			comes();
			learns();
			if (this.isRare(0.05)) this.later(this.between(0, 5) * HOUR, comes);
		});
	}

	/* What the business writes. */

	order(asset: Asset, units: bigint): Payment {
		const known = {
			destination: this.oneOf(DESTINATIONS[asset]),
			id: '',
			costs: 0n,
			isFinal: false,
			isOurs: true,
		};
		return Object.assign(this.movement(`INV-${this.number()}`, asset, -units), known);
	}

	movement(name: string, asset: Asset, amount: bigint): Movement {
		const movement = movementOf(name, asset, amount);
		this.movements.push(movement);
		return movement;
	}

	run(name: string): Writer {
		return { workflow: `wf-${name.replaceAll(' ', '-')} ${name}`, execution: String(this.number()) };
	}

	book(items: Item[], writer = PERSON): void {
		const { now } = this;
		this.insert({ items, rows: items.flatMap((item) => rowsOf(item, writer, now)), writer, now });
	}

	insert(batch: Batch): void {
		this.batches.push(batch);
	}

	/** A person books what no other row does. */
	correct(movement: Movement, amount: bigint): void {
		const { name, asset } = movement;
		const key = `correction ${this.number()}`;
		this.book([{ key, kind: 'correction', asset, amount: textOf(amount, asset), reference: name }]);
		this.learn(movement, { corrected: movement.corrected + amount });
	}

	/** The rows that have come tell more of a movement. */
	learn(movement: Movement, more: Partial<Payment>): void {
		const before = toldOf(movement);
		Object.assign(movement, more);
		this.#told[movement.asset] += toldOf(movement) - before;
	}
}
