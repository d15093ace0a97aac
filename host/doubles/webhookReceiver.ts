import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
	method: string;
	headers: IncomingHttpHeaders;
	body: string;
}

/** A customer's webhook endpoint that records what it receives. */
export interface WebhookReceiver {
	url: string;
	/** Oldest first. */
	received: ReceivedWebhook[];
	/** Statuses of the next responses; 0 closes the connection. 200 when the list is empty. */
	answers: number[];
	stop(): Promise<void>;
}

/** What the trigger would answer. */
const answer = (status: number) =>
	status < 400 ? '{"ok":true}' : '{"ok":false,"reason":"The delivery is refused"}';

/** Listens on a free port of 127.0.0.1. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
	const received: ReceivedWebhook[] = [];
	const answers: number[] = [];
	const server = createServer((incoming, outgoing) => {
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			const { method = '', headers } = incoming;
			received.push({ method, headers, body: Buffer.concat(chunks).toString() });
			const status = answers.shift() ?? 200;
			if (status === 0) incoming.socket.destroy();
			else outgoing.writeHead(status, { 'content-type': 'application/json' }).end(answer(status));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
		received,
		answers,
		stop: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
