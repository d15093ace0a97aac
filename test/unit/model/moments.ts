/**
 * A process that pays with the node's own code, as a tree of moments: what it waits for, by what it has heard. The code runs once
 * for each moment, however many schedules come by.
 */
import type { IExecuteFunctions } from 'n8n-workflow';
import { PaymentKeys } from '../../../nodes/WalletService/payments/guards/idempotencyKey.ts';
import type { KeyedPayment } from '../../../nodes/WalletService/input/payment.ts';
import type { Claim, Decision } from '../../../nodes/WalletService/payments/guards/idempotencyKey.ts';
import { rowsOf, type Rows } from '../../../nodes/shared/store/rows.ts';

export type Payment = KeyedPayment & { name: string };
/** Another protocol, as a wrapper. `claim` runs before the payment is sent. */
export type Protocol = { rows?(rows: Rows): Rows; claim?(claim: Claim): Promise<Claim> };
/** A call of a helper of n8n or of the service, and who waits for it. */
export type Call = {
	kind: string;
	place: string;
	texts: string[];
	hear(error?: Error, result?: unknown): void;
};
/** What the node says of a payment. `isNotFree`: the key could not be freed. */
export type Said = { result: string; isNotFree?: boolean };
/** What an execution hears, at a time. */
export type Heard = {
	who: number;
	time: number;
	starts?: [Payment, Decision];
	result?: unknown;
	fails?: boolean;
};

/** The time between two ticks of the clock. Longer than any request. Milliseconds. */
const TICK = 600_000;
/** The length of the times in the names of rows, and how many of them an attempt tries to take. */
const UNIT = 30_000;
const UNITS_TO_TAKE = 3;

const words = new Map<string, string>();
/** A short name for a digest. */
function short(text: string): string {
	const [, kind = '', digest] = /^(?:wallet-service (\w+) )?(.{43})$/.exec(text) ?? [];
	if (digest !== undefined && !words.has(text)) words.set(text, `${kind}#${words.size}`);
	return words.get(text) ?? text;
}

class Process {
	/** Both by execution. */
	readonly calls: Array<Call | undefined> = [];
	readonly said: Array<Said | undefined> = [];
	readonly #protocol: Protocol;
	readonly #keys = new PaymentKeys(
		{ machine: () => this.#time * TICK, process: () => this.#time * TICK },
		async () => await Promise.resolve(),
	);
	readonly #random: string[] = [];
	#time = 0;

	constructor(protocol: Protocol) {
		this.#protocol = protocol;
	}

	async hear({ who, time, starts, result, fails }: Heard): Promise<void> {
		this.#time = time;
		const call = this.calls[who];
		this.calls[who] = undefined;
		if (starts) void this.#pay(who, ...starts).then((said) => (this.said[who] = said));
		else call?.hear(fails ? new Error('database is locked') : undefined, result);
		await new Promise((resolve) => setImmediate(resolve));
	}

	/** As payItems does. */
	async #pay(who: number, payment: Payment, decision: Decision): Promise<Said> {
		try {
			const own = await rowsOf(this.#contextOf(who));
			const readable = this.#withoutEmptyTimes(own);
			const rows = this.#protocol.rows?.(readable) ?? readable;
			const taken = await this.#keys.claim(rows, payment, decision);
			if (taken.is === 'paid') return { result: 'alreadyPaid' };
			if (taken.is === 'different') return { result: 'different' };
			if (taken.is === 'unknown' || taken.is === 'unrecorded') return { result: taken.is };
			const claim = (await this.#protocol.claim?.(taken)) ?? taken;
			const result = (await this.#call(who, 'send')) as 'accepted' | 'unknown' | 'rejected';
			return await claim.end(result).then(
				() => ({ result }),
				() => ({ result, ...(result === 'rejected' && { isNotFree: true }) }),
			);
		} catch {
			return { result: 'notSent' };
		}
	}

	/** Nobody writes the row of another time than that of this tick. So to read one is no step of a schedule. */
	#withoutEmptyTimes(rows: Rows): Rows {
		const exists: Rows['exists'] = async (name) => {
			const since = Number(name.at(-1)) - (this.#time * TICK) / UNIT;
			if (name[0] === 'begun' && (since < 0 || since >= UNITS_TO_TAKE)) return false;
			return await rows.exists(name);
		};
		return { ...rows, exists };
	}

	/** Each helper reads the id of the node before it waits, as n8n's do. */
	#contextOf(who: number): IExecuteFunctions {
		const node = { id: 'node' };
		const call = async (kind: string, texts: string[] = []) =>
			await this.#call(who, kind, short(node.id), texts.map(this.#nameOf));
		const helpers = {
			checkProcessedAndRecord: async (texts: string[]) => {
				const added = new Set((await call('ask', texts)) as string[]);
				const isNew = (text: string) => added.has(this.#nameOf(text));
				return { new: texts.filter(isNew), processed: texts.filter((text) => !isNew(text)) };
			},
			removeProcessed: async (texts: string[]) => await call('remove', texts),
			getProcessedDataCount: async () => await call('count'),
			clearAllProcessedItems: async () => await call('clear'),
		};
		const context = { getWorkflow: () => ({ id: 'w' }), getExecuteData: () => ({ node }), helpers };
		return context as unknown as IExecuteFunctions;
	}

	/** Random texts get numbers, which are the same whenever the code runs again. */
	readonly #nameOf = (text: string): string => {
		if (!/^[\da-f]{8}-/.test(text)) return short(text);
		if (!this.#random.includes(text)) this.#random.push(text);
		return `~${this.#random.indexOf(text)}`;
	};

	async #call(who: number, kind: string, place = '', texts: string[] = []): Promise<unknown> {
		return await new Promise((resolve, reject) => {
			const hear: Call['hear'] = (error, result) => (error ? reject(error) : resolve(result));
			this.calls[who] = { kind, place, texts, hear };
		});
	}
}

/** What its executions wait for and have said. Its process goes on once; for other ways on, the code runs again. */
export type Moment = Pick<Process, 'calls' | 'said'> & { id: number; path: Heard[]; process?: Process };

/** Moments of a protocol, by the one before and what was heard then. */
export class Moments {
	readonly #known = new Map<string, Moment>();
	readonly #protocol: Protocol;

	constructor(protocol: Protocol) {
		this.#protocol = protocol;
	}

	async after(before: Moment | undefined, heard: Heard): Promise<Moment> {
		const event = JSON.stringify([before?.id, heard]);
		const known = this.#known.get(event);
		if (known !== undefined) return known;
		const path = [...(before?.path ?? []), heard];
		const process = before?.process ?? new Process(this.#protocol);
		for (const one of before?.process ? [heard] : path) await process.hear(one);
		if (before) before.process = undefined;
		const { calls, said } = process;
		const next = { id: this.#known.size, path, process, calls: [...calls], said: [...said] };
		this.#known.set(event, next);
		return next;
	}
}
