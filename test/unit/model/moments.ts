/**
 * A process that pays with the node's own code, as a tree of moments: what it waits for, by what it has heard. The code runs once
 * for each moment, however many schedules come by.
 */
import type { IExecuteFunctions } from 'n8n-workflow';
import { PaymentKeys } from '../../../nodes/WalletService/payments/guards/idempotencyKey.ts';
import type { KeyedPayment } from '../../../nodes/WalletService/input/payment.ts';
import type { Claim, Decision } from '../../../nodes/WalletService/payments/guards/idempotencyKey.ts';
import { rowsOf, type Rows } from '../../../nodes/shared/store/rows.ts';

export type Payment = Pick<KeyedPayment, 'details'> & { name: string; key: string };
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
	/** All by execution. `known`: what its code may know, and `heard` what the question that it asks now has heard. */
	readonly calls: Array<Call | undefined> = [];
	readonly said: Array<Said | undefined> = [];
	readonly known: unknown[][] = [];
	readonly heard: unknown[][] = [];
	readonly #protocol: Protocol;
	readonly #keys = new PaymentKeys(
		{ machine: () => this.#time * TICK, process: () => this.#time * TICK },
		async () => await Promise.resolve(),
	);
	#time = 0;

	constructor(protocol: Protocol) {
		this.#protocol = protocol;
	}

	async hear({ who, time, starts, result, fails }: Heard): Promise<void> {
		this.#time = time;
		const call = this.calls[who];
		this.calls[who] = undefined;
		if (starts) this.known[who] = [0, ...starts, time];
		this.heard[who] = [...(this.heard[who] ?? []), fails ?? result];
		if (starts) void this.#pay(who, ...starts).then((said) => (this.said[who] = said));
		else call?.hear(fails ? new Error('database is locked') : undefined, result);
		await new Promise((resolve) => setImmediate(resolve));
	}

	/** As pay.ts does. */
	async #pay(who: number, payment: Payment, decision: Decision): Promise<Said> {
		try {
			const own = await rowsOf(this.#contextOf(who));
			const readable = this.#withoutEmptyTimes(own);
			const rows = this.#noting(who, this.#protocol.rows?.(readable) ?? readable);
			const taken = await this.#keys.claim(rows, this.#noticing(who, payment), decision);
			if (taken.is === 'paid') return { result: 'alreadyPaid' };
			if (taken.is === 'different') return { result: 'different' };
			if (taken.is === 'unknown' || taken.is === 'unrecorded') return { result: taken.is };
			const claim = (await this.#protocol.claim?.(taken)) ?? taken;
			// How many rounds it took matters no more.
			this.known[who]![0] = 0;
			const result = (await this.#call(who, 'send')) as 'accepted' | 'unknown' | 'rejected';
			this.known[who]!.push(result);
			return await claim.end(result).then(
				() => ({ result }),
				() => ({ result, ...(result === 'rejected' && { isNotFree: true }) }),
			);
		} catch {
			return { result: 'notSent' };
		}
	}

	/** In a round, for which it reads the payment, the code knows nothing of the last one but their number. */
	#noticing(who: number, { key, details }: Payment): KeyedPayment {
		const forget = () => {
			const [rounds, ...starts] = this.known[who]!.slice(0, 4);
			this.known[who] = [Number(rounds) + 1, ...starts];
			return details;
		};
		return {
			key: { written: key, compared: key, sent: key },
			get details() {
				return forget();
			},
		};
	}

	/** The code knows what its questions were answered, and not how that came about. */
	#noting(who: number, rows: Rows): Rows {
		const noted = async <T>(asked: Promise<T>): Promise<T> => {
			try {
				const answer = await asked;
				this.known[who]!.push(answer ?? null);
				return answer;
			} catch (error) {
				this.known[who]!.push('fails');
				throw error;
			} finally {
				this.heard[who] = [];
			}
		};
		return {
			...rows,
			exists: async (name) => await noted(rows.exists(name)),
			make: async (name, ...texts) => await noted(rows.make(name, ...texts)),
			delete: async (name) => await noted(rows.delete(name)),
		};
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
			await this.#call(who, kind, short(node.id), texts.map(short));
		const helpers = {
			checkProcessedAndRecord: async (texts: string[]) => {
				const added = new Set((await call('ask', texts)) as string[]);
				const isNew = (text: string) => added.has(short(text));
				return { new: texts.filter(isNew), processed: texts.filter((text) => !isNew(text)) };
			},
			removeProcessed: async (texts: string[]) => await call('remove', texts),
			getProcessedDataCount: async () => await call('count'),
			clearAllProcessedItems: async () => await call('clear'),
		};
		const context = { getWorkflow: () => ({ id: 'w' }), getExecuteData: () => ({ node }), helpers };
		return context as unknown as IExecuteFunctions;
	}

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
	readonly #isPlain: boolean;
	#made = 0;

	/** `isPlain`: each way to a moment is a moment of its own. */
	constructor(protocol: Protocol, isPlain: boolean) {
		this.#protocol = protocol;
		this.#isPlain = isPlain;
	}

	async after(before: Moment | undefined, heard: Heard): Promise<Moment> {
		const event = JSON.stringify([before?.id, heard]);
		const known = this.#known.get(event);
		if (known !== undefined) return known;
		const path = [...(before?.path ?? []), heard];
		const process = before?.process ?? new Process(this.#protocol);
		for (const one of before?.process ? [heard] : path) await process.hear(one);
		if (before) before.process = undefined;
		const essence = this.#isPlain ? event : essenceOf(process);
		const same = this.#known.get(essence);
		const { calls, said } = process;
		const next = same ?? { id: (this.#made += 1), path, process, calls: [...calls], said: [...said] };
		this.#known.set(event, next);
		this.#known.set(essence, next);
		return next;
	}
}

/** Two processes with the same essence go on in the same way. An execution that waits for another one knows its payment only. */
function essenceOf({ said, known, heard }: Process): string {
	return JSON.stringify([said, known, heard]);
}
