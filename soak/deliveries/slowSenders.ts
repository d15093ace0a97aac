/** Senders that keep a connection of a webhook processor busy. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface SlowSender {
	/** How its connection ended: the status of an answer, or that there was none. */
	ended: Promise<string>;
	stop: () => void;
}

type Write = (
	socket: Socket,
	parts: { head: (more: string) => string; body: string },
) => Promise<void> | void;

const A_SECOND = 1000;
/** More than any server should take of one header or body. */
const ENDLESS = 10_000;

function slowSender(write: Write): (url: URL, body: string, signature: string) => SlowSender {
	return ({ hostname, port, pathname }, body, signature) => {
		const socket = connect(Number(port), hostname);
		const { promise: ended, resolve } = Promise.withResolvers<string>();
		let status = 'no answer';
		socket.on('data', (data) => (status = /^HTTP\/1\.1 (\d+)/.exec(String(data))?.[1] ?? status));
		socket.on('error', () => {});
		socket.on('close', () => resolve(status));
		const head = (more: string) =>
			[
				`POST ${pathname} HTTP/1.1`,
				`host: ${hostname}`,
				'content-type: application/json',
				`x-svc-signature: ${signature}`,
				more,
			].join('\r\n');
		void Promise.resolve(write(socket, { head, body })).catch(() => {});
		return { ended, stop: () => socket.destroy() };
	};
}

const whole = (body: string) => `content-length: ${Buffer.byteLength(body)}\r\n\r\n`;

/** Writes one piece a second, as long as the connection is open. */
async function drip(socket: Socket, pieces: Iterable<string>): Promise<void> {
	for (const piece of pieces) {
		if (socket.destroyed) return;
		socket.write(piece);
		await sleep(A_SECOND);
	}
}

function* endless(piece: string): Generator<string> {
	for (let count = 0; count < ENDLESS; count += 1) yield piece;
}

/** By their names in the figures. */
export const SLOW_SENDERS = {
	'slow headers': slowSender(async (socket, { head }) => {
		socket.write(head('x-first: 1'));
		await drip(socket, endless('\r\nx-more: 1'));
	}),
	'slow and whole body': slowSender(async (socket, { head, body }) => {
		socket.write(head(whole(body)));
		const size = Math.ceil(body.length / 10);
		await drip(socket, body.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []);
	}),
	'body that never ends': slowSender(async (socket, { head, body }) => {
		socket.write(head('transfer-encoding: chunked\r\n\r\n'));
		socket.write(`${body.length.toString(16)}\r\n${body}\r\n`);
		await drip(socket, endless('1\r\n \r\n'));
	}),
	'body shorter than it says': slowSender((socket, { head, body }) => {
		socket.write(head(`content-length: ${body.length + 1}\r\n\r\n${body}`));
	}),
	'hang-up in the middle': slowSender(async (socket, { head, body }) => {
		socket.write(head(whole(body)) + body.slice(0, -5));
		await sleep(A_SECOND);
		socket.destroy();
	}),
	'open and silent': slowSender(() => {}),
};
