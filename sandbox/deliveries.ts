/** Sends the webhooks, tries again as the document says, and keeps a record of every attempt. */
import { Agent, request } from 'undici';
import { SettingError } from '../api/settingError.ts';
import type { VerificationSettings } from '../api/signature/settings.ts';
import { checkVerification, signDelivery } from '../api/signature/webhookVerification.ts';
import { isLoopback } from './loopback.ts';
import { notFound, Refusal } from './refusal.ts';
import type { Attempt, DeliveryRecord } from './records.ts';
import type { Store, Table } from './store.ts';
import type { Tasks } from './tasks.ts';

/** The first try and the document's "up to 3" retries. */
const TRIES = 4;

export interface DeliverySettings {
	/** How deliveries are signed unless something else is set: the settings with which a receiver checks them. */
	signing: VerificationSettings;
	/** Asked before each attempt. */
	timing: () => DeliveryTiming;
	now: () => number;
	randomHex: (bytes: number) => string;
}

/** In milliseconds. The document shows neither. */
export interface DeliveryTiming {
	/** Between two attempts. */
	retryDelayMs: number;
	/** Until no answer counts as none. */
	deliveryTimeoutMs: number;
}

export class Deliveries {
	readonly #store: Store;
	readonly #tasks: Tasks;
	readonly #settings: DeliverySettings;
	/** With its own connections, so that they end with it. */
	readonly #agent = new Agent({ connections: 64 });
	readonly #table: Table<DeliveryRecord>;
	readonly #registration: Table<string>;
	readonly #signing: Table<VerificationSettings>;

	constructor(store: Store, tasks: Tasks, settings: DeliverySettings) {
		this.#store = store;
		this.#tasks = tasks;
		this.#settings = settings;
		this.#table = store.table('deliveries');
		this.#registration = store.table('webhook');
		this.#signing = store.table('webhook_signing');
		// Those that a kill interrupted.
		for (const { id, status } of this.#table.all()) if (status === 'pending') this.#start(id);
	}

	/** The registered URL; '' when there is none. */
	get url(): string {
		return this.#registration.get('url') ?? '';
	}

	set url(url: string) {
		this.register({ url });
	}

	/** How deliveries are signed. */
	get signing(): VerificationSettings {
		return this.#signing.get('signing') ?? this.#settings.signing;
	}

	/**
	 * What is not given stays as it is; a signing without header or secret has those of the start. Throws a Refusal where
	 * nothing can be sent there, or signed so.
	 */
	register({ url, signing }: { url?: string; signing?: VerificationSettings }): void {
		const { webhookHeader, webhookSecret } = this.#settings.signing;
		const whole = signing && { webhookHeader, webhookSecret, ...signing };
		if (url !== undefined) checkUrl(url);
		if (whole !== undefined) checkSigning(whole);
		if (url !== undefined) this.#registration.put('url', url);
		if (whole !== undefined) this.#signing.put('signing', whole);
	}

	/** Oldest first. */
	all(): DeliveryRecord[] {
		return this.#table.all();
	}

	/** Records the delivery now, to be committed with its cause, and sends it afterwards. */
	add(body: { event: string }): DeliveryRecord {
		const delivery: DeliveryRecord = {
			id: `dlv_${this.#settings.randomHex(8)}`,
			event: body.event,
			body: JSON.stringify(body),
			created_at: new Date(this.#settings.now()).toISOString(),
			status: this.url === '' ? 'unsent' : 'pending',
			triesLeft: TRIES,
			attempts: [],
		};
		this.#table.put(delivery.id, delivery);
		if (delivery.status === 'pending') this.#start(delivery.id);
		return delivery;
	}

	/** The same bytes again, with as many tries as the first time. */
	redeliver(id: string): DeliveryRecord {
		const delivery = this.#table.get(id);
		if (delivery === undefined) throw notFound(`There is no delivery ${id}`, 'id');
		if (this.url === '') throw new Refusal(409, 'conflict', 'There is no webhook URL to send to');
		const underWay = delivery.status === 'pending';
		const again: DeliveryRecord = { ...delivery, status: 'pending', triesLeft: TRIES };
		this.#table.put(id, again);
		if (!underWay) this.#start(id);
		return again;
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
				// A reset in the meantime has forgotten the delivery.
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

	async #attempt(id: string, signal: AbortSignal): Promise<Attempt> {
		const { url } = this;
		const body = Buffer.from(this.#record(id).body);
		const begun = this.#settings.now();
		const attempt = (outcome: Partial<Attempt>): Attempt => ({
			at: new Date(begun).toISOString(),
			url,
			durationMs: this.#settings.now() - begun,
			...outcome,
		});
		try {
			const headers = {
				'content-type': 'application/json',
				...signatureHeaders(this.signing, id, body, begun),
			};
			const answer = await request(url, {
				method: 'POST',
				headers,
				body,
				signal: AbortSignal.any([signal, AbortSignal.timeout(this.#settings.timing().deliveryTimeoutMs)]),
				dispatcher: this.#agent,
			});
			const answerText = await answer.body.text();
			return attempt({ status: answer.statusCode, answer: answerText.slice(0, 2000) });
		} catch (error) {
			return attempt({ error: (error as Error).message });
		}
	}

	#record(id: string): DeliveryRecord {
		return this.#table.get(id) as DeliveryRecord;
	}
}

/** The service demands https; here a receiver on the same machine may do without. */
function checkUrl(url: string): void {
	const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
	if (url === '' || protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return;
	throw new Refusal(400, 'invalid_request', 'url must be https, or http for a loopback host', 'url');
}

function checkSigning(signing: VerificationSettings): void {
	try {
		checkVerification(signing);
		// Headers knows what a name and a value may hold.
		new Headers(signatureHeaders(signing, 'dlv_0', Buffer.from('{}'), 0));
	} catch (error) {
		// The message of any other error may hold the secret.
		const reason = error instanceof SettingError ? error.message : 'That cannot stand in an HTTP header';
		throw new Refusal(400, 'invalid_request', reason, 'signing');
	}
}

/** Made anew for each attempt, since a signature may hold the time. `now` in milliseconds since 1970. */
function signatureHeaders(
	signing: VerificationSettings,
	id: string,
	body: Uint8Array,
	now: number,
): Record<string, string> {
	const { webhookHeader = '', webhookTimestampHeader, webhookIdHeader } = signing;
	const timestamp = String(Math.floor(now / 1000));
	switch (signing.webhookVerification) {
		case 'none':
			return {};
		case 'token':
			return { [webhookHeader]: signing.webhookSecret ?? '' };
		case 'hmac':
			return {
				[webhookHeader]: signDelivery(signing, body, { timestamp, id }),
				...(webhookTimestampHeader ? { [webhookTimestampHeader]: timestamp } : {}),
				...(webhookIdHeader ? { [webhookIdHeader]: id } : {}),
			};
	}
}
