/** A service that repeats each delivery until the trigger has acknowledged it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

const ANSWER_WITHIN_MS = 120_000;

export class Sender {
	/** When the trigger acknowledged each event, by its id. */
	readonly acknowledged = new Map<string, number[]>();
	readonly answers: string[] = [];
	/** Deliveries that wait for their acknowledgement. */
	waiting = 0;
	readonly #url: string;
	readonly #repeatMs: number;
	readonly #agent = new Agent();
	#isStopped = false;
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

	async stop(): Promise<void> {
		this.#isStopped = true;
		await this.#agent.destroy();
	}

	async #deliver(id: string): Promise<void> {
		const times = this.acknowledged.get(id) ?? [];
		this.acknowledged.set(id, times);
		this.waiting += 1;
		const body = JSON.stringify({ event: 'admin_funding', id, status: 'successful', Amount: '1' });
		while (!this.#isStopped) {
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
			const answer = await request(this.#url, {
				method: 'POST',
				body,
				headers: { 'content-type': 'application/json' },
				dispatcher: this.#agent,
				headersTimeout: ANSWER_WITHIN_MS,
			});
			const text = await answer.body.text();
			if (text.startsWith('n8n is starting')) return 'n8n is starting up';
			return answer.statusCode === 200 ? text : String(answer.statusCode);
		} catch {
			return 'no answer';
		}
	}
}
