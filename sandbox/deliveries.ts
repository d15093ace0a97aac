/** Sends webhooks, retries as the document says, and records every attempt. */
import { isDeepStrictEqual } from 'node:util';
import { Agent, request } from 'undici';
import { isLoopback } from '../api/address.ts';
import { SettingError } from '../api/settingError.ts';
import type { VerificationSettings } from '../api/signature/settings.ts';
import { WEBHOOK_STYLES } from '../api/signature/settings.ts';
import { compileVerifier } from '../api/signature/verifier.ts';
import { notFound, Refusal } from './refusal.ts';
import { signDelivery } from './signDelivery.ts';
import type { DeliveryAttempt, DeliveryRecord } from './records.ts';
import type { Store, Table } from './store.ts';
import type { Tasks } from './tasks.ts';
import type { TimingSettings } from './timing.ts';

/** The first attempt and the document's "up to 3" retries. */
const MAX_ATTEMPTS = 4;

export interface DeliverySettings {
	/** How deliveries are signed by default, as the settings with which a receiver verifies them. */
	signing: VerificationSettings;
	/** Read before each attempt. */
	timing: () => Omit<TimingSettings, 'settleAfterMs'>;
	now: () => number;
	randomHex: (bytes: number) => string;
}

export class Deliveries {
	readonly #store: Store;
	readonly #tasks: Tasks;
	readonly #settings: DeliverySettings;
	/** Its own connections, so that `stop` can close them. */
	readonly #agent = new Agent({ connections: 64 });
	readonly #table: Table<DeliveryRecord>;
	readonly #registration: Table<string>;
	readonly #signing: Table<VerificationSettings>;
	/** The URLs that were set since the start, newest last. Nothing may listen at an older one. */
	readonly #urls = new Set<string>();
	/** The workflows behind URLs, for the page. */
	readonly names: Record<string, string> = {};

	constructor(store: Store, tasks: Tasks, settings: DeliverySettings) {
		this.#store = store;
		this.#tasks = tasks;
		this.#settings = settings;
		this.#table = store.table('deliveries');
		this.#registration = store.table('webhook');
		this.#signing = store.table('webhook_signing');
		// Continues the deliveries that a kill interrupted.
		for (const { id, status } of this.#table.all()) if (status === 'pending') this.#start(id);
	}

	/** The webhook URL; '' if there is none. */
	get url(): string {
		return this.#registration.get('url') ?? '';
	}

	set url(url: string) {
		this.register({ url });
	}

	/** The other URLs that were registered since the start, the newest first, five at most. */
	get earlierUrls(): string[] {
		return [...this.#urls]
			.filter((url) => url !== this.url)
			.toReversed()
			.slice(0, 5);
	}

	/** How deliveries are signed. */
	get signing(): VerificationSettings {
		return this.#signing.get('signing') ?? this.#settings.signing;
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
		const { webhookHeader, webhookSecret } = this.#settings.signing;
		const complete = signing && { webhookHeader, webhookSecret, ...signing };
		if (url !== undefined) checkUrl(url);
		if (complete !== undefined) checkSigning(complete);
		if (url !== undefined) this.#registration.put('url', url);
		if (url) {
			this.#urls.delete(url);
			this.#urls.add(url);
		}
		if (complete !== undefined) this.#signing.put('signing', complete);
	}

	/** Oldest first. */
	all(): DeliveryRecord[] {
		return this.#table.all();
	}

	/** Records the delivery now, so that it is committed with its cause, and sends it later. */
	add(body: { event: string }): DeliveryRecord {
		const delivery: DeliveryRecord = {
			id: `dlv_${this.#settings.randomHex(8)}`,
			event: body.event,
			body: JSON.stringify(body),
			created_at: new Date(this.#settings.now()).toISOString(),
			status: this.url === '' ? 'unsent' : 'pending',
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
		if (this.url === '') throw new Refusal(409, 'conflict', 'No webhook URL is set');
		const running = delivery.status === 'pending';
		const restarted: DeliveryRecord = { ...delivery, status: 'pending', triesLeft: MAX_ATTEMPTS };
		this.#table.put(id, restarted);
		if (!running) this.#start(id);
		return restarted;
	}

	clear(): void {
		this.#store.clear(['deliveries']);
	}

	async stop(): Promise<void> {
		await this.#agent.destroy();
	}

	#start(id: string): void {
		this.#tasks.start(async (signal) => {
			for (;;) {
				const attempt = await this.#attempt(id, signal);
				// A reset during the attempt has deleted the delivery.
				signal.throwIfAborted();
				const delivery = this.#record(id);
				const delivered = attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300;
				const triesLeft = delivery.triesLeft - 1;
				const status = delivered ? 'delivered' : triesLeft > 0 ? 'pending' : 'failed';
				this.#table.put(id, { ...delivery, status, triesLeft, attempts: [...delivery.attempts, attempt] });
				this.#store.commit();
				if (status !== 'pending') return;
				await this.#tasks.sleep(this.#settings.timing().retryDelayMs, signal);
			}
		});
	}

	async #attempt(id: string, signal: AbortSignal): Promise<DeliveryAttempt> {
		const { url } = this;
		const body = Buffer.from(this.#record(id).body);
		const start = this.#settings.now();
		const attempt = (outcome: Partial<DeliveryAttempt>): DeliveryAttempt => ({
			at: new Date(start).toISOString(),
			url,
			durationMs: this.#settings.now() - start,
			...outcome,
		});
		try {
			const headers = {
				'content-type': 'application/json',
				...signatureHeaders(this.signing, id, body, start),
			};
			const response = await request(url, {
				method: 'POST',
				headers,
				body,
				signal: AbortSignal.any([signal, AbortSignal.timeout(this.#settings.timing().deliveryTimeoutMs)]),
				dispatcher: this.#agent,
			});
			const text = await response.body.text();
			return attempt({ status: response.statusCode, answer: text.slice(0, 2000) });
		} catch (error) {
			return attempt({ error: (error as Error).message });
		}
	}

	#record(id: string): DeliveryRecord {
		return this.#table.get(id) as DeliveryRecord;
	}
}

/** The service requires https. The sandbox also allows http for a receiver on this machine. */
function checkUrl(url: string): void {
	const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
	if (url === '' || protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return;
	throw new Refusal(400, 'invalid_request', 'url must be https, or http for a loopback host', 'url');
}

function checkSigning(signing: VerificationSettings): void {
	try {
		if (signing.webhookVerification !== 'none') compileVerifier(signing);
		// Throws for a name or value that HTTP does not allow.
		new Headers(signatureHeaders(signing, 'dlv_0', Buffer.from('{}'), 0));
	} catch (error) {
		// The message of another error could contain the secret.
		const reason = error instanceof SettingError ? error.message : 'That cannot stand in an HTTP header';
		throw new Refusal(400, 'invalid_request', reason, 'signing');
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
	const timestamp = String(Math.floor(now / 1000));
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
