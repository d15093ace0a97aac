/** Lets some calls be under way at the same time. The others wait, in the order in which they came. */
export class Concurrency {
	#free: number;
	readonly #waiting: Array<() => void> = [];

	constructor(count: number) {
		this.#free = count;
	}

	/** Makes the call as soon as a slot is free, and frees it when the call has ended, also with an error. */
	async use<Answer>(call: () => Promise<Answer>): Promise<Answer> {
		await this.#take();
		try {
			return await call();
		} finally {
			this.#leave();
		}
	}

	async #take(): Promise<void> {
		if (this.#free > 0) {
			this.#free -= 1;
			return;
		}
		await new Promise<void>((resolve) => this.#waiting.push(resolve));
	}

	/** Hands the slot to the call that waits longest. */
	#leave(): void {
		const next = this.#waiting.shift();
		if (next === undefined) this.#free += 1;
		else next();
	}
}
