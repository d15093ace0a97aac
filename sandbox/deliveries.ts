/** Sends webhooks, retries as the document says, and records every attempt. */
import { Agent, request } from 'undici';
import { isLoopback } from '../api/address.ts';
import { WEBHOOK_STYLES } from '../api/signature/settings.ts';
import { invalid, notFound, Refusal } from './refusal.ts';
import { signDelivery } from './signDelivery.ts';
import type { DeliveryAttempt, DeliveryRecord } from './records.ts';
import { randomHex } from './settings.ts';
import type { Settings } from './settings.ts';
import type { Store, Table } from './store.ts';
import type { Tasks } from './tasks.ts';

/** The first attempt and the document's "up to 3" retries. */
const MAX_ATTEMPTS = 4;

export class Deliveries {
	readonly #tasks: Tasks;
	readonly #store: Store;
	readonly #settings: Settings;
	readonly #now: () => number;
	readonly #table: Table<DeliveryRecord>;
	/** Its own connections, so that `stop` can close them. */
	readonly #agent = new Agent({ connections: 64 });
	/** The URLs that were set since the start, newest last. Nothing may listen at an older one. */
	readonly #urls = new Set<string>();
	/** The workflows behind URLs, for the page. */
	readonly names: Record<string, string> = {};

	constructor(store: Store, tasks: Tasks, settings: Settings, now: () => number) {
		this.#store = store;
		this.#tasks = tasks;
		this.#settings = settings;
		this.#now = now;
		this.#table = store.table('deliveries');
		// Continues the deliveries that a kill interrupted.
		for (const { id, status } of this.#table.all()) if (status === 'pending') this.#start(id);
	}

	get #url(): string {
		return this.#settings.current.webhookUrl;
	}

	/** The other URLs that were registered since the start, the newest first, five at most. */
	get earlierUrls(): string[] {
		const earlier = [...this.#urls].filter((url) => url !== this.#url);
		return earlier.toReversed().slice(0, 5);
	}

	/** '' sends no webhooks. Throws a Refusal (400) for a URL that deliveries cannot go to. */
	register(url: string): void {
		checkUrl(url);
		this.#settings.change({ webhookUrl: url });
		if (url === '') return;
		this.#urls.delete(url);
		this.#urls.add(url);
	}

	/** Oldest first. `last`: only so many of the newest. */
	all(last?: number): DeliveryRecord[] {
		return this.#table.all(last);
	}

	/** Records the delivery now, so that it is committed with its cause, and sends it later. */
	add(body: { event: string }): DeliveryRecord {
		const delivery: DeliveryRecord = {
			id: `dlv_${randomHex(8)}`,
			event: body.event,
			body: JSON.stringify(body),
			created_at: new Date(this.#now()).toISOString(),
			status: this.#url === '' ? 'unsent' : 'pending',
			triesLeft: MAX_ATTEMPTS,
			attempts: [],
		};
		this.#table.put(delivery.id, delivery);
		if (delivery.status === 'pending') this.#start(delivery.id);
		return delivery;
	}

	/** Sends the same bytes again, with a full number of attempts. Throws a Refusal (404, 409). */
	redeliver(id: string): DeliveryRecord {
		const delivery = this.#table.get(id);
		if (delivery === undefined) throw notFound(`There is no delivery ${id}`, 'id');
		if (this.#url === '') throw new Refusal(409, 'conflict', 'No webhook URL is set');
		const running = delivery.status === 'pending';
		const restarted: DeliveryRecord = { ...delivery, status: 'pending', triesLeft: MAX_ATTEMPTS };
		this.#table.put(id, restarted);
		if (!running) this.#start(id);
		return restarted;
	}

	async stop(): Promise<void> {
		await this.#agent.destroy();
	}

	#start(id: string): void {
		this.#tasks.start(async (signal) => {
			// Its transaction may have failed after this task was started.
			for (let isDone = this.#table.get(id) === undefined; !isDone; ) {
				const attempt = await this.#attempt(id, signal);
				// A reset during the attempt has deleted the delivery.
				signal.throwIfAborted();
				isDone = this.#store.transaction(() => this.#record(id, attempt));
				if (!isDone) await this.#tasks.sleep(this.#settings.current.retryDelayMs, signal);
			}
		});
	}

	/** Returns whether it was the last attempt. */
	#record(id: string, attempt: DeliveryAttempt): boolean {
		const delivery = this.#table.get(id) as DeliveryRecord;
		const delivered = attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300;
		const triesLeft = delivery.triesLeft - 1;
		const status = delivered ? 'delivered' : triesLeft > 0 ? 'pending' : 'failed';
		this.#table.put(id, { ...delivery, status, triesLeft, attempts: [...delivery.attempts, attempt] });
		return status !== 'pending';
	}

	async #attempt(id: string, signal: AbortSignal): Promise<DeliveryAttempt> {
		const url = this.#url;
		const { body } = this.#table.get(id) as DeliveryRecord;
		const start = this.#now();
		const attempt = (outcome: Partial<DeliveryAttempt>): DeliveryAttempt => ({
			at: new Date(start).toISOString(),
			url,
			durationMs: this.#now() - start,
			...outcome,
		});
		const timeout = AbortSignal.timeout(this.#settings.current.deliveryTimeoutMs);
		try {
			const { webhookHeader, ...style } = WEBHOOK_STYLES.default;
			const { webhookSecret } = this.#settings.current;
			const signature = signDelivery({ ...style, webhookSecret }, Buffer.from(body));
			const response = await request(url, {
				method: 'POST',
				headers: { 'content-type': 'application/json', [webhookHeader]: signature },
				body,
				signal: AbortSignal.any([signal, timeout]),
				dispatcher: this.#agent,
			});
			const text = await response.body.text();
			return attempt({ status: response.statusCode, answer: text.slice(0, 2000) });
		} catch (error) {
			return attempt({ error: (error as Error).message });
		}
	}
}

/** The service requires https. The sandbox also allows http for a receiver on this machine. */
export function checkUrl(url: string): void {
	const { protocol, hostname = '' } = URL.parse(url) ?? {};
	if (url === '' || protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return;
	throw invalid('url must be https, or http for a loopback host', 'url');
}
