import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from './loopbackServer.ts';

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>;

/** Starts a customer's webhook endpoint that records what it receives. */
export async function startWebhookReceiver() {
	/** Oldest first. */
	const received: Array<{ method: string; headers: IncomingHttpHeaders; body: string }> = [];
	/** Statuses of the next responses; 0 closes the connection. 200 when the list is empty. */
	const answers: number[] = [];
	const { url, stop } = await serve(async (incoming, outgoing) => {
		const { method = '', headers } = incoming;
		received.push({ method, headers, body: await text(incoming) });
		const status = answers.shift() ?? 200;
		if (status === 0) return incoming.socket.destroy();
		// What the trigger would answer.
		const answer = status < 400 ? '{"ok":true}' : '{"ok":false,"reason":"The delivery is refused"}';
		return outgoing.writeHead(status, { 'content-type': 'application/json' }).end(answer);
	});
	return { url: `${url}/hook`, received, answers, stop };
}
