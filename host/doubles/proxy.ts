import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';

/** One request that has passed the proxy. */
export interface ProxiedRequest {
	method: string;
	path: string;
	headers: IncomingMessage['headers'];
	/** The exact text that was received. */
	body: string;
	/** The status code of the answer; 0 if the service closed the connection instead. */
	status: number;
}

/** Headers that belong to one connection, not to the message. */
const HOP_BY_HOP = ['host', 'connection', 'content-length', 'transfer-encoding'];

function withoutHopByHop(headers: IncomingHttpHeaders): IncomingHttpHeaders {
	return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)));
}

/**
 * Starts a proxy in front of the service that records all requests and can change their bodies. It changes no header,
 * so signatures stay as they are. When the service closes a connection, the proxy closes it too.
 */
export async function startProxy(target: string) {
	const seen: ProxiedRequest[] = [];
	const forward = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
		// Each request needs its own connection, so that the next one can be refused.
		outgoing.shouldKeepAlive = false;
		const { method = '', url: path = '', headers } = incoming;
		const body = await text(incoming);
		const entry = { method, path, headers, body, status: 0 };
		seen.push(entry);
		try {
			const answer = await request(target + path, {
				method: method as 'GET',
				headers: withoutHopByHop(headers),
				body: body === '' ? undefined : await proxy.tamper(body),
			});
			entry.status = answer.statusCode;
			outgoing.writeHead(answer.statusCode, withoutHopByHop(answer.headers));
			outgoing.end(await answer.body.text());
		} catch {
			incoming.socket.destroy();
		}
	};
	const server = createServer((incoming, outgoing) => void forward(incoming, outgoing));
	const listen = async (port: number) => {
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
		return (server.address() as AddressInfo).port;
	};
	const port = await listen(0);
	const proxy = {
		url: `http://127.0.0.1:${port}`,
		seen,
		/** Returns the body to send to the service. Tests replace it. */
		tamper: (body: string): string | Promise<string> => body,
		/** Stops listening. Requests that have begun are still answered. */
		refuse: () => void server.close(),
		/** Listens again at the same address. */
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
