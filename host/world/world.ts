/**
 * One world for all tests and soaks of the book: a business that pays and receives, faults that no row tells, and people who book what
 * they find. It knows what is true. Where its service and its book are, its kinds say: memory.ts, and a real n8n in soak/books.
 */
import { Clock, DAY, HOUR, type Act } from './clock.ts';
import type { Command, CommandName } from './commands.ts';
import { textOf, type Asset } from './money.ts';
import type { Movement, Payment } from './movement.ts';
import type { Item, Row } from './rows.ts';

/** What no row tells, until a person finds it and books it. */
export interface Fault {
	name: CommandName;
	movement: Movement;
	minute: number;
	state: 'open' | 'found' | 'booked';
}

const DESTINATIONS = {
	NGN: ['supplier-main', 'payroll', 'rent'],
	USDT: ['treasury', 'supplier-usdt', 'exchange'],
};

/** What a command does in a world. */
export type Acts<W extends World> = Record<CommandName, (world: W, command: Command) => void | Promise<void>>;

export abstract class World {
	readonly faults: Fault[] = [];
	readonly movements: Movement[] = [];
	protected readonly clock = new Clock();
	readonly #random: () => number;
	#numbers = 0;

	constructor(random: () => number) {
		this.#random = random;
	}

	/* What a reader sees. */

	/** The time that rows have. ISO 8601 in UTC. */
	abstract readonly now: string;
	/** Rows of the book so far, in the order in which they were inserted. */
	abstract rows(): Row[] | Promise<Row[]>;
	/** The balance in the service's ledger, with all its digits, in millionths. */
	abstract ledger(asset: Asset): bigint;
	/** The same, as the service tells it. */
	abstract balance(asset: Asset): string;
	/** A person types a row. */
	abstract typed(cells: Item): void | Promise<void>;

	/* Time and chance. */

	/** Lets these commands happen. */
	willLive<W extends World>(this: W, commands: readonly Command[], acts: Acts<W>): W {
		for (const command of commands) this.later(command.minute, () => acts[command.name](this, command));
		return this;
	}

	get minute(): number {
		return this.clock.minute;
	}

	async liveUntil(minute: number): Promise<void> {
		await this.clock.runUntil(minute);
	}

	later(minutes: number, act: Act): void {
		this.clock.later(minutes, act);
	}

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

	/* What happens. */

	movement(name: string, asset: Asset, amount: bigint): Movement {
		return this.#known({ name, asset, amount, moved: 0n });
	}

	order(asset: Asset, units: bigint): Payment {
		const destination = this.oneOf(DESTINATIONS[asset]);
		const known = { destination, id: '', costs: 0n, isFinal: false, isOurs: true };
		return this.#known({ name: `INV-${this.number()}`, asset, amount: -units, moved: 0n, ...known });
	}

	#known<M extends Movement>(movement: M): M {
		this.movements.push(movement);
		return movement;
	}

	/** No row tells it. */
	addFault(name: CommandName, movement: Movement): void {
		this.faults.push({ name, movement, minute: this.minute, state: 'open' });
	}

	/* What people do. */

	faultsOf(asset: Asset): Fault[] {
		return this.faults.filter(({ movement, state }) => movement.asset === asset && state !== 'booked');
	}

	/** A person reads that a balance is not explained, looks at the service, and books what is missing within three days. */
	find(asset: Asset): void {
		for (const fault of this.faultsOf(asset).filter(({ state }) => state === 'open')) {
			const { movement } = fault;
			fault.state = 'found';
			this.later(Math.floor(this.between(0, 3)) * DAY + this.between(2, 8) * HOUR, async () => {
				fault.state = 'booked';
				await this.correct(movement, movement.moved);
			});
		}
	}

	/** A person books what no other row does. */
	async correct({ name, asset }: Movement, amount: bigint): Promise<void> {
		const key = `correction ${this.number()}`;
		await this.typed({ key, kind: 'correction', asset, amount: textOf(amount, asset), reference: name });
	}
}
