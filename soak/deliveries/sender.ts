/** A service that repeats each delivery until the trigger has acknowledged it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '../../host/http.ts';

const ANSWER_WITHIN_MS = 120_000;

export class Sender {
	/** When the trigger acknowledged each event, by its id. */
	readonly acknowledged = new Map<string, number[]>();
	readonly answers: string[] = [];
	/** Deliveries that wait for their acknowledgement. */
	waiting = 0;
	readonly #url: string;
	readonly #repeatMs: number;
	readonly #stopped = new AbortController();
	readonly #sent: Array<Promise<void>> = [];

	/** `repeatMs`: how long after an attempt the next one follows. */
	constructor(url: string, repeatMs: number) {
		this.#url = url;
		this.#repeatMs = repeatMs;
	}

	/** Sends now, or after this time, until the event is acknowledged. */
	send(id: string, delayMs = 0): void {
		const deliver = async () => await this.#deliver(id);
		this.#sent.push(delayMs === 0 ? deliver() : sleep(delayMs).then(deliver));
	}

	async allAcknowledged(): Promise<void> {
		await Promise.all(this.#sent);
	}

	stop(): void {
		this.#stopped.abort();
	}

	async #deliver(id: string): Promise<void> {
		const times = this.acknowledged.get(id) ?? [];
		this.acknowledged.set(id, times);
		this.waiting += 1;
		const body = JSON.stringify({ event: 'admin_funding', id, status: 'successful', Amount: '1' });
		while (!this.#stopped.signal.aborted) {
			const answer = await this.#post(body);
			this.answers.push(answer);
			if (answer.startsWith('{"ok":true')) {
				times.push(Date.now());
				this.waiting -= 1;
				return;
			}
			await sleep(this.#repeatMs);
		}
	}

	/** The body of an answer of 200; otherwise the status. n8n gives this status, too, while it starts. */
	async #post(body: string): Promise<string> {
		try {
			const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
			const headers = { 'content-type': 'application/json' };
			const { status, text } = await send(this.#url, 'POST', body, headers, signal);
			if (text.startsWith('n8n is starting')) return 'n8n is starting up';
			return status === 200 ? text : String(status);
		} catch {
			return 'no answer';
		}
	}
}
