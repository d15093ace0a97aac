/** Sends webhooks, retries as the document says, and records every attempt. */
import { isLoopback } from '../../api/address.ts';
import { newId } from '../ledger/ids.ts';
import { Refusal } from '../ledger/refusal.ts';
import { requireRecord } from '../ledger/table.ts';
import type { Table } from '../ledger/table.ts';
import { createSender } from './attempt.ts';
import type { DeliveryAttempt } from './attempt.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store.ts';
import type { Tasks } from './tasks.ts';

export interface DeliveryRecord {
	id: string;
	event: string;
	/** The exact text that every attempt sends. */
	body: string;
	created_at: string;
	/** `unsent`: no webhook URL was set. `failed`: every attempt failed. */
	status: 'unsent' | 'pending' | 'delivered' | 'failed';
	triesLeft: number;
	attempts: DeliveryAttempt[];
}

/** The first attempt and the document's "up to 3" retries. */
const MAX_ATTEMPTS = 4;

export function createDeliveries(store: Store, tasks: Tasks, settings: Settings, now: () => number) {
	const table: Table<DeliveryRecord> = store.table('deliveries');
	const sender = createSender(settings, now);
	/** The URLs that were set since the start, newest last. Nothing may listen at an older one. */
	const urls = new Set<string>();
	const url = () => settings.current.webhookUrl;

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
				const attempt = await sender.attempt(url(), delivery!.body, signal);
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

		/** '' sends no webhooks. Throws a Refusal for a URL that deliveries cannot go to. */
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
				id: newId('dlv'),
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

		/** Sends the same bytes again, with a full number of attempts. Throws a Refusal. */
		redeliver: (id: string): DeliveryRecord => {
			const delivery = requireRecord(table, id, 'delivery', 'id');
			if (url() === '') throw new Refusal('conflict', 'No webhook URL is set');
			const restarted: DeliveryRecord = { ...delivery, status: 'pending', triesLeft: MAX_ATTEMPTS };
			table.put(id, restarted);
			if (delivery.status !== 'pending') start(id);
			return restarted;
		},

		stop: sender.stop,
	};
}

/** The service requires https. The sandbox also allows http for a receiver on this machine. */
export function checkUrl(url: string): void {
	const { protocol, hostname = '' } = URL.parse(url) ?? {};
	if (url === '' || protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return;
	throw new Refusal('invalid_request', 'url must be https, or http for a loopback host', 'url');
}
