import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Work that goes on after an answer: settlements and deliveries. None of it keeps the process alive. */
export class Tasks {
	readonly #running = new Set<Promise<void>>();
	#abort = newAbort();

	/** Starts in a later turn of the event loop, when what it follows from has been committed. */
	start(work: (signal: AbortSignal) => Promise<void>): void {
		const { signal } = this.#abort;
		const task: Promise<void> = nextTurn(undefined, { ref: false })
			.then(() => work(signal))
			.catch((error) => {
				if (!signal.aborted) throw error;
			})
			.finally(() => this.#running.delete(task));
		this.#running.add(task);
	}

	/** Milliseconds. Rejects when the tasks are stopped. */
	async sleep(duration: number, signal: AbortSignal = this.#abort.signal): Promise<void> {
		await sleep(duration, undefined, { ref: false, signal });
	}

	/** Resolves when nothing more happens by itself. */
	async idle(): Promise<void> {
		while (this.#running.size > 0) await Promise.allSettled(this.#running);
	}

	/** Ends what is under way; new tasks may start afterwards. */
	async stop(): Promise<void> {
		this.#abort.abort();
		await this.idle();
		this.#abort = newAbort();
	}
}

function newAbort(): AbortController {
	const abort = new AbortController();
	// One listener for each task is no leak.
	setMaxListeners(0, abort.signal);
	return abort;
}
