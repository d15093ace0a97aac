import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import type { Reachable } from './sandboxProgram.ts';

/** Whatever it holds. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
	status: number;
	headers: Record<string, unknown>;
	text: string;
	json: Json;
}

/** One HTTP request with nothing added to it. */
export async function send(
	url: string,
	method: string,
	body?: string | Uint8Array,
	headers: Record<string, string> = {},
): Promise<Answer> {
	const answer = await request(url, { method: method as 'GET', body, headers });
	const text = await answer.body.text();
	const json = String(answer.headers['content-type']).startsWith('application/json')
		? JSON.parse(text)
		: undefined;
	return { status: answer.statusCode, headers: answer.headers, text, json };
}

/** The three headers by the credential's defaults, written out here so that no code under test signs for itself. */
export function signed(
	sandbox: Pick<Reachable, 'key' | 'secret'>,
	method: string,
	path: string,
	body: string,
	timestamp: number,
) {
	const signature = createHmac('sha256', sandbox.secret)
		.update(`${timestamp}${method}${path}${body}`)
		.digest('hex');
	return { 'x-svc-key': sandbox.key, 'x-svc-signature': signature, 'x-svc-timestamp': String(timestamp) };
}

/** A signed API call; the body is sent as it stands. */
export function call(sandbox: Reachable, route: string, body = '', now = Date.now()): Promise<Answer> {
	const [method, path] = route.split(' ');
	const headers: Record<string, string> = { accept: '*/*', ...signed(sandbox, method, path, body, now) };
	if (body !== '') headers['content-type'] = 'application/json';
	return send(sandbox.url + path, method, body === '' ? undefined : body, headers);
}

/** A call of the sandbox's own controls. */
export function control(sandbox: Reachable, route: string, body?: unknown): Promise<Answer> {
	const [method, path] = route.split(' ');
	return send(
		`${sandbox.url}/_sandbox/${path}`,
		method,
		body === undefined ? undefined : JSON.stringify(body),
	);
}

export async function balanceOf(sandbox: Reachable, code: string): Promise<string> {
	return (await control(sandbox, 'GET state')).json.balances[code];
}

export interface Received {
	method: string;
	headers: Record<string, unknown>;
	body: string;
}

/** A customer's webhook endpoint. */
export interface Receiver {
	url: string;
	received: Received[];
	/** Statuses of the next answers; 0 closes the connection. 200 when there are none left. */
	answers: number[];
	stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
	const received: Received[] = [];
	const answers: number[] = [];
	const server = createServer((incoming, outgoing) => {
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			const { method = '', headers } = incoming;
			received.push({ method, headers, body: Buffer.concat(chunks).toString() });
			const status = answers.shift() ?? 200;
			if (status === 0) incoming.socket.destroy();
			else outgoing.writeHead(status, { 'content-type': 'application/json' }).end('{"ok":true}');
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
