import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { send } from '../http.ts';
import { serve } from './loopbackServer.ts';

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
	/** `body` is the exact text that was received. `status` is 0 if the service closed the connection in place of an answer. */
	const seen: Array<{
		method: string;
		path: string;
		headers: IncomingHttpHeaders;
		body: string;
		status: number;
	}> = [];
	const { url, port, server, stop } = await serve(async (incoming, outgoing) => {
		// Each request needs its own connection, so that the next one can be refused.
		outgoing.shouldKeepAlive = false;
		const { method = '', url: path = '', headers } = incoming;
		const body = await text(incoming);
		const entry = { method, path, headers, body, status: 0 };
		seen.push(entry);
		const content = body === '' ? undefined : await proxy.tamper(body);
		const answer = await send(target + path, method, content, withoutHopByHop(headers));
		entry.status = answer.status;
		outgoing.writeHead(answer.status, withoutHopByHop(answer.headers));
		outgoing.end(answer.text);
	});
	const proxy = {
		url,
		seen,
		/** Returns the body to send to the service. Tests replace it. */
		tamper: (body: string): string | Promise<string> => body,
		/** Stops listening. Requests that have begun are still answered. */
		refuse: () => void server.close(),
		/** Listens again at the same address. */
		accept: async () => {
			if (!server.listening) await once(server.listen(port, '127.0.0.1'), 'listening');
		},
		stop,
	};
	return proxy;
}
