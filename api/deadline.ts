/**
 * When a request must have begun, and when it must be over. Two clocks say how long ago something was: people and other programs set
 * the one of the machine, and the one of the process only runs on, and stands still while the machine sleeps.
 */

/** Milliseconds. */
export interface Clocks {
	/** Since 1970, by the clock of the machine. */
	machine(): number;
	/** Since the process began. */
	process(): number;
}

export const CLOCKS: Clocks = { machine: () => Date.now(), process: () => performance.now() };

/** More than this between the two clocks means that one was set, or that the machine has slept. */
const MAX_APART = 30_000;

/** How long ago something began. */
export class Stopwatch {
	readonly #clocks: Clocks;
	readonly #machine: number;
	readonly #process: number;

	constructor(clocks = CLOCKS) {
		this.#clocks = clocks;
		this.#machine = clocks.machine();
		this.#process = clocks.process();
	}

	/** When it began, by the clock of the machine. */
	get start(): number {
		return this.#machine;
	}

	/** Milliseconds, by the clock that has run further: no request begins or lasts longer by either. */
	get most(): number {
		return Math.max(...this.#elapsed());
	}

	/** Milliseconds, by the clock that has run less: what has passed by both. */
	get least(): number {
		return Math.min(...this.#elapsed());
	}

	/** Whether both clocks say nearly the same. */
	get isSure(): boolean {
		return this.most - this.least <= MAX_APART;
	}

	#elapsed(): [number, number] {
		return [this.#clocks.machine() - this.#machine, this.#clocks.process() - this.#process];
	}
}

/** A request that would begin too late: what it pays may have been decided meanwhile. n8n wraps errors and keeps the code. */
export class LateError extends Error {
	static readonly code = 'LATE';
	readonly code = LateError.code;
}

/** The same while nobody knows how late it is. */
export class ClockError extends Error {
	static readonly code = 'CLOCK_WAS_SET';
	readonly code = ClockError.code;
}

/** The time that a request has, in milliseconds since it was decided. */
export interface TimeLimit {
	since: Stopwatch;
	beginWithin: number;
	endWithin: number;
}

/** Throws LateError and ClockError if a request must not begin any more. */
export function requireInTime({ since, beginWithin }: TimeLimit): void {
	if (!since.isSure) throw new ClockError('The clock was set');
	if (since.most > beginWithin) throw new LateError('The request comes too late');
}
