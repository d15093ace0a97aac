/**
 * Rows of a day that are found again and deleted when they are old, by any process. The names in n8n's table cannot be listed, so
 * there is a way to each row: a row for the day, and below it one for each of the first bytes of a digest. A way is made from the
 * top before the rows at its end, and deleted from the bottom. So a kill, a failed write or a second process that deletes at the
 * same time leaves rows that the next sweep finds again, and none that it does not.
 */
import { hash } from 'node:crypto';
import { sleep } from 'n8n-workflow';

import { BoundedMap } from './boundedMap.ts';
import type { RowName, Rows } from './rows.ts';

const MILLISECONDS = 86_400_000;

/** The number of the day, in UTC. `time`: milliseconds, or a day such as `2026-11-22`. */
export function dayOf(time: number | string): number {
	return Math.floor(new Date(time).getTime() / MILLISECONDS);
}

/** Where rows of a day stand. */
export interface Place {
	/** What they are about, such as one trigger. Kinds may be about the whole workflow: none. */
	about: string[];
	day: number;
}

/** What the rows of one kind have in common. */
export interface DayKind {
	/** A word for the kind. */
	kind: string;
	/** Bytes of the digest that have a row each. */
	bytes: number;
	/** The rows of this many days before today are kept. */
	keptDays: number;
	/** Deletes what was made below the end of a way, so that a kill leaves nothing that the next call does not find. */
	clear(rows: Rows, end: RowName): Promise<void>;
}

/** A sweep looks back this many days: n8n may have been off. Rows that are older stay. */
const LOOKS_BACK = 100;
/** Milliseconds that a sweep waits after each row of a way, so that n8n does other work meanwhile. */
const PAUSE = 250;
/** Each byte as two hexadecimal digits. */
export const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export class DayRows {
	readonly #kind: DayKind;
	/** Rows of ways that this process has seen, by workflow and name. */
	readonly #seen = new BoundedMap<true>(20_000);
	/** Whether there was a day, by workflow and name of its row. Only of days that have passed. */
	readonly #days = new BoundedMap<boolean>();
	/** Days whose first row has begun a sweep in this process. */
	readonly #sweeps = new BoundedMap<true>();

	constructor(kind: DayKind) {
		this.#kind = kind;
	}

	/** The end of the way to a digest. Rows below it have names that begin with this one. Asks nothing. */
	endOf(place: Place, digest: string): RowName {
		return this.#wayTo(place, digest).at(-1)!;
	}

	/** Makes the way to a digest, and returns its end. The first call for a day sweeps old days, in the background. */
	async open(rows: Rows, place: Place, digest: string): Promise<RowName> {
		const way = this.#wayTo(place, digest);
		for (const name of way) {
			const id = idOf(rows, name);
			if (this.#seen.get(id) === true) continue;
			await rows.make(name);
			this.#seen.set(id, true);
		}
		this.#beginSweep(rows, place);
		return way.at(-1)!;
	}

	/** Nothing waits for a sweep. What it leaves after an error, the one of another day or process finds. */
	#beginSweep(rows: Rows, place: Place): void {
		const id = idOf(rows, this.#rootOf(place));
		if (this.#sweeps.get(id) === true) return;
		this.#sweeps.set(id, true);
		this.sweep(rows, place).catch(() => {});
	}

	/** Whether there are rows of a day. A process asks once, so only for a day whose rows are made already. */
	async hasDay(rows: Rows, place: Place): Promise<boolean> {
		const name = this.#rootOf(place);
		const id = idOf(rows, name);
		const isThere = this.#days.get(id) ?? (await rows.exists(name));
		this.#days.set(id, isThere);
		return isThere;
	}

	/** Deletes the rows of all days that are older than those to keep. Throws if n8n cannot. */
	async sweep(rows: Rows, { about, day }: Place): Promise<void> {
		const newest = day - this.#kind.keptDays - 1;
		for (let old = newest; old > newest - LOOKS_BACK; old -= 1) {
			const root = this.#rootOf({ about, day: old });
			if (await rows.exists(root)) await this.#remove(rows, root, this.#kind.bytes);
		}
	}

	/** Deletes what is below a row of the way, then the row. `bytes`: rows of the way below it. */
	async #remove(rows: Rows, name: RowName, bytes: number): Promise<void> {
		if (bytes === 0) await this.#kind.clear(rows, name);
		else
			for (const child of fromAnywhere(BYTES)) await this.#removeIfThere(rows, [...name, child], bytes - 1);
		await rows.delete(name);
		await sleep(PAUSE);
	}

	async #removeIfThere(rows: Rows, name: RowName, bytes: number): Promise<void> {
		if (await rows.exists(name)) await this.#remove(rows, name, bytes);
	}

	/** The names from the row of the day to the row of the last byte. */
	#wayTo(place: Place, digest: string): RowName[] {
		let name = this.#rootOf(place);
		const way = [name];
		for (const byte of bytesOf(digest, this.#kind.bytes)) {
			name = [...name, byte];
			way.push(name);
		}
		return way;
	}

	#rootOf({ about, day }: Place): RowName {
		return [this.#kind.kind, ...about, String(day)];
	}
}

/** The first bytes of a SHA-256 of the text, each as two hexadecimal digits. */
export function bytesOf(text: string, count: number): string[] {
	return hash('sha256', text).match(/../g)!.slice(0, count);
}

function idOf({ workflowId }: Rows, name: RowName): string {
	return JSON.stringify([workflowId, ...name]);
}

/** Begins anywhere, so that processes that sweep at the same time share the work. */
function fromAnywhere<T>(all: T[]): T[] {
	const first = Math.floor(Math.random() * all.length);
	return [...all.slice(first), ...all.slice(0, first)];
}
