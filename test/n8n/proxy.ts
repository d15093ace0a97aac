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
	/** What the service answered. */
	status: number;
}

/** About one connection, not about the message. */
const HOP_BY_HOP = ['host', 'connection', 'content-length', 'transfer-encoding'];

/**
 * A man in the middle before the service: keeps what passes and changes bodies where told to. It changes no header, so
 * that signatures stay as they were made.
 */
export async function startProxy(target: string) {
	const seen: Seen[] = [];
	const proxy = { url: '', seen, tamper: (body: string) => body, stop: async () => {} };
	const server = createServer(async (incoming, outgoing) => {
		const { method = '', url: path = '', headers } = incoming;
		const body = await text(incoming);
		const passedOn = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name));
		const answer = await request(target + path, {
			method: method as 'GET',
			headers: Object.fromEntries(passedOn),
			body: body === '' ? undefined : proxy.tamper(body),
		});
		seen.push({ method, path, headers, body, status: answer.statusCode });
		outgoing.writeHead(answer.statusCode, { 'content-type': String(answer.headers['content-type']) });
		outgoing.end(await answer.body.text());
	});
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	proxy.stop = async () => {
		server.closeAllConnections();
		await new Promise((done) => server.close(done));
	};
	return proxy;
}
