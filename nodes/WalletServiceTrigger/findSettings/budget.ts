/** What a search may take. A stranger can cause one, so it ends soon and lets n8n do other work meanwhile. */
import { sleep } from 'n8n-workflow';

/** Signatures that are computed, or checked with a public key. */
const MAX_TRIES = 4000;
/** Milliseconds of work. */
const MAX_WORK = 250;
/** Milliseconds of work after which the event loop gets a turn. */
const TURN = 20;

export class Budget {
	tries = 0;
	#work = 0;
	readonly #clock: () => number;
	#begun: number;

	/** `clock` gives milliseconds. */
	constructor(clock: () => number = () => performance.now()) {
		this.#clock = clock;
		this.#begun = clock();
	}

	/** Asked before each try. False if there is nothing left. */
	async take(): Promise<boolean> {
		const worked = this.#clock() - this.#begun;
		if (this.tries >= MAX_TRIES || this.#work + worked >= MAX_WORK) return false;
		if (worked >= TURN) {
			this.#work += worked;
			await sleep(0);
			this.#begun = this.#clock();
		}
		this.tries += 1;
		return true;
	}
}
