import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

/** Serves HTTP on a free port of 127.0.0.1. When `handle` fails, it closes the connection without an answer. */
export async function serve(handle: Handler) {
	const answer: typeof handle = async (incoming, outgoing) => {
		try {
			await handle(incoming, outgoing);
		} catch {
			incoming.socket.destroy();
		}
	};
	const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	const stop = async () => {
		const closed = new Promise((done) => server.close(done));
		server.closeAllConnections();
		await closed;
	};
	return { url: `http://127.0.0.1:${port}`, port, server, stop };
}
