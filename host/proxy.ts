import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';

export interface Seen {
	method: string;
	path: string;
	headers: IncomingMessage['headers'];
	/** The exact text, as it came. */
	body: string;
	/** What the service answered; 0 where it closed the connection instead. */
	status: number;
}

/** About one connection, not about the message. */
const HOP_BY_HOP = ['host', 'connection', 'content-length', 'transfer-encoding'];

/**
 * A man in the middle before the service: keeps what passes and changes bodies where told to. It changes no header, so
 * that signatures stay as they were made. A connection that the service closes is closed here too.
 */
export async function startProxy(target: string) {
	const seen: Seen[] = [];
	const server = createServer(async (incoming, outgoing) => {
		// Each request on its own connection: the next one can be refused.
		outgoing.shouldKeepAlive = false;
		const { method = '', url: path = '', headers } = incoming;
		const body = await text(incoming);
		const passedOn = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name));
		const entry = { method, path, headers, body, status: 0 };
		seen.push(entry);
		try {
			const answer = await request(target + path, {
				method: method as 'GET',
				headers: Object.fromEntries(passedOn),
				body: body === '' ? undefined : await proxy.tamper(body),
			});
			entry.status = answer.statusCode;
			const given = Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.includes(name));
			outgoing.writeHead(answer.statusCode, Object.fromEntries(given));
			outgoing.end(await answer.body.text());
		} catch {
			incoming.socket.destroy();
		}
	});
	const listen = async (port: number) => {
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
		return (server.address() as AddressInfo).port;
	};
	const port = await listen(0);
	const proxy = {
		url: `http://127.0.0.1:${port}`,
		seen,
		/** Gives what is sent on instead of a body. */
		tamper: (body: string): string | Promise<string> => body,
		/** From now on nobody listens; what is under way is answered. */
		refuse: () => void server.close(),
		/** Listens again, at the same address. */
		accept: async () => {
			if (!server.listening) await listen(port);
		},
		stop: async () => {
			server.closeAllConnections();
			if (server.listening) await new Promise((done) => server.close(done));
		},
	};
	return proxy;
}
