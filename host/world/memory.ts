/** The world in memory: a service with its ledger, and the rows that workflows write. It has its own time. */
import { DAY, HOUR, SECOND } from './clock.ts';
import { isCoin, cutOff, textOf, type Asset } from './money.ts';
import { updateOf, type Movement, type Payment } from './movement.ts';
import { PERSON, rowsOf, type Item, type Row, type Writer } from './rows.ts';
import { World } from './world.ts';

/** Items that were booked together, and their rows. */
export interface Batch {
	items: Item[];
	rows: Row[];
	writer: Writer;
	now: string;
}

const FIRST = { NGN: 100_000_000_000_000n, USDT: 1_000_000_000_000n };
const FEES = [500_000n, 1_000_000n, 1_000_000n, 2_500_000n];

export class WorldInMemory extends World {
	/** What was inserted into the book, the oldest first. */
	readonly batches: Batch[] = [];
	readonly #ledger = { ...FIRST };

	get now(): string {
		return this.clock.now;
	}

	rows(): Row[] {
		return this.batches.flatMap((batch) => batch.rows);
	}

	ledger(asset: Asset): bigint {
		return this.#ledger[asset];
	}

	/** A currency is cut off, and a coin has no zeros at its end. */
	balance(asset: Asset): string {
		const text = textOf(cutOff(this.#ledger[asset], asset), asset);
		return isCoin(asset) ? text.replace(/\.?0+$/, '') : text;
	}

	typed(cells: Item): void {
		this.book([cells]);
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
		const isWithFee = !isFree && !this.isRare(0.07);
		this.deliver(updateOf(payment, 'successful', isWithFee ? payment.costs : undefined), () => {
			payment.isFinal = true;
		});
		if (isFree || isWithFee) return;
		// The fee comes later, or a person who misses it asks the service.
		if (this.isRare(0.7))
			return this.later(this.between(6, 40) * HOUR, () =>
				this.deliver(updateOf(payment, 'successful', payment.costs)),
			);
		const { asset, id, costs } = payment;
		this.later(this.between(1, 2.5) * DAY, () => {
			const fee = { fee: textOf(costs, asset), feeAsset: asset };
			this.typed({ kind: 'crypto payout', reference: id, asset, ...fee });
		});
	}

	/** A delivery comes within seconds. Few come hours late, and few come twice. `comes`: when it is in the book. */
	deliver(event: Item, comes = () => {}): void {
		const deliveryKey = `${event.event}:${event.id}:${event.status}:${event.fee ?? ''}`;
		const write = () =>
			this.book([{ ...event, deliveryKey, receivedAt: this.now }], this.run('book an event'));
		this.later(this.isRare(0.01) ? this.between(1, 14) * HOUR : this.between(1, 8) * SECOND, () => {
			write();
			comes();
			if (this.isRare(0.05)) this.later(this.between(0, 5) * HOUR, write);
		});
	}

	/* What workflows and people write. */

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
}
