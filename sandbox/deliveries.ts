/** Sends webhooks, retries as the document says, and records every attempt. */
import { isDeepStrictEqual } from 'node:util';
import { Agent, request } from 'undici';
import { isLoopback } from '../api/address.ts';
import { SettingError } from '../api/settingError.ts';
import type { VerificationSettings } from '../api/signature/settings.ts';
import { WEBHOOK_STYLES } from '../api/signature/settings.ts';
import { TIME_FORMATS } from '../api/signature/time.ts';
import { compileVerifier } from '../api/signature/verifier.ts';
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

	/** How deliveries are signed. */
	get signing(): VerificationSettings {
		const { signing, webhookSecret } = this.#settings.current;
		return { ...WEBHOOK_STYLES.default, webhookSecret, ...signing };
	}

	/** The fields of a credential that verifies the deliveries. */
	get credential(): Partial<VerificationSettings> {
		const { webhookSecret, ...style } = this.signing;
		const isDefault = isDeepStrictEqual(style, WEBHOOK_STYLES.default);
		return isDefault ? { webhookSecret } : { webhookStyle: 'custom', ...style, webhookSecret };
	}

	/**
	 * Sets what is given. A signing without header or secret uses the default ones. Throws a Refusal (400) for a URL that
	 * deliveries cannot go to, or a signing that cannot work.
	 */
	register({ url, signing }: { url?: string; signing?: VerificationSettings }): void {
		if (url !== undefined) checkUrl(url);
		const { webhookSecret } = this.#settings.current;
		if (signing !== undefined) checkSigning({ ...WEBHOOK_STYLES.default, webhookSecret, ...signing });
		this.#settings.change({ webhookUrl: url, signing });
		if (!url) return;
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
			const signature = signatureHeaders(this.signing, id, Buffer.from(body), start);
			const response = await request(url, {
				method: 'POST',
				headers: { 'content-type': 'application/json', ...signature },
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
	const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
	if (url === '' || protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return;
	throw invalid('url must be https, or http for a loopback host', 'url');
}

function checkSigning(signing: VerificationSettings): void {
	try {
		if (signing.webhookVerification !== 'none') compileVerifier(signing);
		// Throws for a name or value that HTTP does not allow.
		new Headers(signatureHeaders(signing, 'dlv_0', Buffer.from('{}'), 0));
	} catch (error) {
		// The message of another error could contain the secret.
		const reason = error instanceof SettingError ? error.message : 'That cannot stand in an HTTP header';
		throw invalid(reason, 'signing');
	}
}

/** Computed for each attempt, because a signature can include the time. `now` is in milliseconds since 1970. */
function signatureHeaders(
	signing: VerificationSettings,
	id: string,
	body: Uint8Array,
	now: number,
): Record<string, string> {
	const { webhookHeader = '', webhookTimestampHeader, webhookIdHeader } = signing;
	const timestamp = TIME_FORMATS.unixSeconds(now);
	switch (signing.webhookVerification) {
		case 'token':
			return { [webhookHeader]: signing.webhookSecret ?? '' };
		case 'hmac':
			return {
				[webhookHeader]: signDelivery(signing, body, { timestamp, id }),
				...(webhookTimestampHeader ? { [webhookTimestampHeader]: timestamp } : {}),
				...(webhookIdHeader ? { [webhookIdHeader]: id } : {}),
			};
		default:
			return {};
	}
}
