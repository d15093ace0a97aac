/** Sends webhooks, retries as the document says, and records every attempt. */
import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import { isLoopback } from '../api/address.ts';
import type { DeliveryAttempt, DeliveryRecord } from './records.ts';
import { invalid, notFound, Refusal } from './refusal.ts';
import { randomHex } from './settings.ts';
import type { Settings } from './settings.ts';
import type { Store, Table } from './store.ts';
import type { Tasks } from './tasks.ts';

/** The first attempt and the document's "up to 3" retries. */
const MAX_ATTEMPTS = 4;

export function createDeliveries(store: Store, tasks: Tasks, settings: Settings, now: () => number) {
	const table: Table<DeliveryRecord> = store.table('deliveries');
	/** Its own connections, so that `stop` can close them. */
	const agent = new Agent({ connections: 64 });
	/** The URLs that were set since the start, newest last. Nothing may listen at an older one. */
	const urls = new Set<string>();
	const url = () => settings.current.webhookUrl;

	const post = async (to: string, body: string, signal: AbortSignal) => {
		const { webhookSecret, deliveryTimeoutMs } = settings.current;
		const signature = createHmac('sha256', webhookSecret).update(body).digest('hex');
		const response = await request(to, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-svc-signature': signature },
			body,
			signal: AbortSignal.any([signal, AbortSignal.timeout(deliveryTimeoutMs)]),
			dispatcher: agent,
		});
		return { status: response.statusCode, answer: (await response.body.text()).slice(0, 2000) };
	};
	const attemptAt = async (to: string, body: string, signal: AbortSignal): Promise<DeliveryAttempt> => {
		const start = now();
		const outcome = await post(to, body, signal).catch(({ message }: Error) => ({ error: message }));
		return { at: new Date(start).toISOString(), url: to, durationMs: now() - start, ...outcome };
	};

	/** Returns whether it was the last attempt. */
	const record = (id: string, attempt: DeliveryAttempt): boolean => {
		const delivery = table.get(id) as DeliveryRecord;
		const { status: code = 0 } = attempt;
		const triesLeft = delivery.triesLeft - 1;
		const status = code >= 200 && code < 300 ? 'delivered' : triesLeft > 0 ? 'pending' : 'failed';
		table.put(id, { ...delivery, status, triesLeft, attempts: [...delivery.attempts, attempt] });
		return status !== 'pending';
	};

	const start = (id: string) =>
		tasks.start(async (signal) => {
			const delivery = table.get(id);
			// Its transaction may have failed after this task was started.
			for (let isDone = delivery === undefined; !isDone; ) {
				const attempt = await attemptAt(url(), delivery!.body, signal);
				// A reset during the attempt has deleted the delivery.
				signal.throwIfAborted();
				isDone = store.transaction(() => record(id, attempt));
				if (!isDone) await tasks.sleep(settings.current.retryDelayMs);
			}
		});

	// Continues the deliveries that a kill interrupted.
	for (const { id, status } of table.all()) if (status === 'pending') start(id);

	return {
		/** The workflows behind URLs, for the page. */
		names: {} as Record<string, string>,

		/** The other URLs that were registered since the start, the newest first, five at most. */
		earlierUrls: (): string[] => {
			const earlier = [...urls].filter((each) => each !== url());
			return earlier.toReversed().slice(0, 5);
		},

		/** '' sends no webhooks. Throws a Refusal (400) for a URL that deliveries cannot go to. */
		register: (webhookUrl: string): void => {
			checkUrl(webhookUrl);
			settings.change({ webhookUrl });
			urls.delete(webhookUrl);
			if (webhookUrl !== '') urls.add(webhookUrl);
		},

		/** Oldest first. `last`: only so many of the newest. */
		all: (last?: number): DeliveryRecord[] => table.all(last),

		/** Records the delivery now, so that it is committed with its cause, and sends it later. */
		add: (body: { event: string }): DeliveryRecord => {
			const delivery: DeliveryRecord = {
				id: `dlv_${randomHex(8)}`,
				event: body.event,
				body: JSON.stringify(body),
				created_at: new Date(now()).toISOString(),
				status: url() === '' ? 'unsent' : 'pending',
				triesLeft: MAX_ATTEMPTS,
				attempts: [],
			};
			table.put(delivery.id, delivery);
			if (delivery.status === 'pending') start(delivery.id);
			return delivery;
		},

		/** Sends the same bytes again, with a full number of attempts. Throws a Refusal (404, 409). */
		redeliver: (id: string): DeliveryRecord => {
			const delivery = table.get(id);
			if (delivery === undefined) throw notFound(`There is no delivery ${id}`, 'id');
			if (url() === '') throw new Refusal(409, 'conflict', 'No webhook URL is set');
			const restarted: DeliveryRecord = { ...delivery, status: 'pending', triesLeft: MAX_ATTEMPTS };
			table.put(id, restarted);
			if (delivery.status !== 'pending') start(id);
			return restarted;
		},

		stop: () => agent.destroy(),
	};
}

/** The service requires https. The sandbox also allows http for a receiver on this machine. */
export function checkUrl(url: string): void {
	const { protocol, hostname = '' } = URL.parse(url) ?? {};
	if (url === '' || protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return;
	throw invalid('url must be https, or http for a loopback host', 'url');
}
