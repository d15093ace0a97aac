/**
 * *Second Approval Above per Day*: what one person can let go out in a day. The amounts of rows with fewer than two names are added up, by
 * code, in all runs of the workflow; the row that would be above needs a second name. A row with two names counts nothing: two people
 * stand for it.
 *
 * The rows of a run are added in one step if all of them fit, and one by one otherwise. What they do not need is given back at the end.
 */
import { add, compare, isZero, subtract } from '../../../../api/exact/decimal.ts';
import { notSent } from '../../../shared/answers/failure.ts';
import { sumOf } from '../../../shared/sums.ts';
import { LIMIT_FIELDS } from '../../input/payList.ts';
import type { OneApproval, Payment } from '../../input/payment.ts';
import { LIMIT } from '../../input/paymentMessages.ts';
import type { Added, TotalOf } from './dayTotal.ts';
import { giveBackUnlessMade, NOTHING_HELD } from './guard.ts';
import type { Attempt, Guard, Refusal } from './guard.ts';
import { SECOND_APPROVAL } from './messages.ts';

/** What the guard asks of n8n. */
export interface TotalPort {
	/** `2026-11-22`, in the time zone of the workflow. */
	today(): string;
	/** Adds an amount, unless the total would be above the maximum. Throws if n8n cannot keep it. */
	addToTotal(of: TotalOf, amount: string, maximum: string): Promise<Added>;
	takeOffTotal(of: TotalOf, amount: string): Promise<void>;
	/** Throws if n8n cannot read it. Writes nothing. */
	readTotal(of: TotalOf): Promise<string>;
}

interface Counted extends OneApproval {
	amount: string;
}

/** What the run has added of a code and day, and what of it no row has. */
interface Pool {
	of: TotalOf;
	left: string;
	/** Whether the rest of the rows was too much. */
	isTight: boolean;
}

const { label } = LIMIT_FIELDS.secondApprovalAbovePerDay;

/** `payments`: those of the run, by item. */
export function secondApproval(port: TotalPort, payments: ReadonlyMap<number, Payment>): Guard {
	const pools = new Map<string, Pool>();
	const poolOf = (asset: string): Pool => {
		const of = { asset, day: port.today() };
		const name = JSON.stringify(of);
		const pool = pools.get(name) ?? { of, left: '0', isTight: false };
		pools.set(name, pool);
		return pool;
	};
	const rest = (asset: string, from: number): string => {
		const left = [...payments].filter(([item]) => item >= from).map(([, payment]) => payment);
		const counted = left.flatMap((payment) => (willBeTried(payment) ? (countedOf(payment) ?? []) : []));
		return sumOf(counted.filter((each) => each.asset === asset));
	};
	/** Undefined once the pool has the amount; or the total that would be above. */
	const fill = async (pool: Pool, { asset, amount, maximum }: Counted, item: number) => {
		const addMissing = async (sum: string) => {
			const missing = subtract(sum, pool.left);
			const added = await port.addToTotal(pool.of, missing, maximum);
			if (added.isAdded) pool.left = sum;
			return added;
		};
		if (compare(pool.left, amount) >= 0) return undefined;
		const all = pool.isTight ? amount : rest(asset, item);
		if (compare(all, amount) > 0 && (await addMissing(all)).isAdded) return undefined;
		pool.isTight = true;
		const { isAdded, total } = await addMissing(amount);
		return isAdded ? undefined : total;
	};
	const tried = new TriedRows(port);
	return {
		take: async ({ item, payment }) => {
			const counted = countedOf(payment);
			if (counted === undefined) return unreadable(payment) ?? NOTHING_HELD;
			const { amount } = counted;
			try {
				const pool = poolOf(counted.asset);
				const above = await fill(pool, counted, item);
				if (above !== undefined) return refusalOf(counted, above);
				pool.left = subtract(pool.left, amount);
				return giveBackUnlessMade(() => void (pool.left = add(pool.left, amount)));
			} catch (error) {
				return isNotKept(error);
			}
		},
		look: async (attempt) => {
			const counted = countedOf(attempt.payment);
			if (counted === undefined) return unreadable(attempt.payment) ?? {};
			try {
				const total = await tried.totalWith(attempt, counted);
				const begin = () => tried.add(attempt, counted);
				if (compare(total, counted.maximum) <= 0) return { begin };
				if (!counted.mayWait) return refusalOf(counted, total);
				// What nobody has approved yet can still get two names.
				return counted.saysItself ? { begin } : { begin, attempt: askingForTwo(attempt) };
			} catch (error) {
				return isNotKept(error);
			}
		},
		end: async () => {
			const left = [...pools.values()].filter((pool) => !isZero(pool.left));
			await Promise.all(left.map(async (pool) => await port.takeOffTotal(pool.of, pool.left)));
		},
	};
}

/** Undefined if the payment does not count. */
function countedOf({ ofOne, request: { money } }: Payment): Counted | undefined {
	return ofOne === undefined || money.amount === undefined ? undefined : { ...ofOne, amount: money.amount };
}

function willBeTried({ issues, options }: Payment): boolean {
	return issues.length === 0 && !options.dryRun;
}

function unreadable({ ofOne }: Payment): Refusal | undefined {
	return ofOne === undefined ? undefined : { failure: notSent(LIMIT.totalIsUnreadable(label)) };
}

function refusalOf({ asset, maximum }: Counted, total: string): Refusal {
	return { failure: notSent(SECOND_APPROVAL.isAbove({ label, total, code: codeOf(asset), maximum })) };
}

/** `coin USDT` */
function codeOf(asset: string): string {
	return asset.slice(asset.indexOf(' ') + 1);
}

function isNotKept(error: unknown): Refusal {
	return { failure: notSent(SECOND_APPROVAL.isNotKept({ label, reason: (error as Error).message })) };
}

/** The next node reads it from the result, as from a row that says so itself. */
function askingForTwo(attempt: Attempt): Attempt {
	const { payment } = attempt;
	return { ...attempt, payment: { ...payment, chosen: { ...payment.chosen, approvalsNeeded: 2 } } };
}

/** What a dry run would have sent so far. A key that comes twice is one payment. */
class TriedRows {
	readonly #port: TotalPort;
	readonly #totals = new Map<string, Promise<string>>();
	readonly #amounts = new Map<string, string>();

	constructor(port: TotalPort) {
		this.#port = port;
	}

	/** Beside what other runs have paid. */
	async totalWith({ item, payment }: Attempt, { asset, amount }: Counted): Promise<string> {
		const known = this.#totals.get(asset) ?? this.#port.readTotal({ asset, day: this.#port.today() });
		this.#totals.set(asset, known);
		const before = await known;
		return this.#amounts.has(nameOf(item, payment)) ? before : add(before, amount);
	}

	add({ item, payment }: Attempt, { asset, amount }: Counted): void {
		const name = nameOf(item, payment);
		if (this.#amounts.has(name)) return;
		this.#amounts.set(name, amount);
		this.#totals.set(
			asset,
			this.#totals.get(asset)!.then((total) => add(total, amount)),
		);
	}
}

function nameOf(item: number, { key }: Payment): string {
	return key?.compared ?? String(item);
}
