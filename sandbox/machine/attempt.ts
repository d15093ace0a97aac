/** One HTTP request of a delivery, signed as the credential expects. */
import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import type { Settings } from './settings.ts';

export interface DeliveryAttempt {
	at: string;
	url: string;
	durationMs: number;
	/** HTTP status of the response; absent if there was none. */
	status?: number;
	/** The first 2,000 characters of the response body. */
	answer?: string;
	/** Why there was no response. */
	error?: string;
}

export function createSender(settings: Settings, now: () => number) {
	/** Its own connections, so that `stop` can close them. */
	const agent = new Agent({ connections: 64 });
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
	return {
		/** Sends the body once, and says what became of it. */
		attempt: async (to: string, body: string, signal: AbortSignal): Promise<DeliveryAttempt> => {
			const start = now();
			const outcome = await post(to, body, signal).catch(({ message }: Error) => ({ error: message }));
			return { at: new Date(start).toISOString(), url: to, durationMs: now() - start, ...outcome };
		},
		stop: () => agent.destroy(),
	};
}
