import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Background work: settlements and deliveries. It does not keep the process alive. */
export class Tasks {
	readonly #running = new Set<Promise<void>>();
	#abort = newAbort();

	/** Starts in a later turn of the event loop, after the caller has committed. */
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
	async sleep(duration: number): Promise<void> {
		await sleep(duration, undefined, { ref: false, signal: this.#abort.signal });
	}

	/** Resolves when no task is running. */
	async idle(): Promise<void> {
		while (this.#running.size > 0) await Promise.allSettled(this.#running);
	}

	/** Aborts the running tasks. New tasks can start afterwards. */
	async stop(): Promise<void> {
		this.#abort.abort();
		await this.idle();
		this.#abort = newAbort();
	}
}

function newAbort(): AbortController {
	const abort = new AbortController();
	// Every task adds a listener, which Node would report as a leak.
	setMaxListeners(0, abort.signal);
	return abort;
}
