import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function startHttpServer(handle: RequestListener) {
	const server = createServer(handle);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		/** Origin, such as http://127.0.0.1:40123. */
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		stop: async () => {
			const closed = once(server, 'close');
			server.close();
			server.closeAllConnections();
			await closed;
		},
	};
}

export interface Answer {
	/** Default 200. */
	status?: number;
	body: string;
	headers?: Record<string, string>;
}

/** Runs `use` while a server gives each request this answer. Without an answer it closes the connection. */
export async function withAnswer<T>(
	answer: Answer | undefined,
	use: (url: string, requests: () => number) => Promise<T>,
): Promise<T> {
	let requests = 0;
	const server = await startHttpServer((incoming, outgoing) => {
		requests += 1;
		incoming.resume().on('end', () => {
			if (answer === undefined) return void incoming.socket.destroy();
			const type = answer.body.startsWith('<') ? 'text/html' : 'application/json';
			const headers = { 'content-type': type, ...answer.headers };
			outgoing.writeHead(answer.status ?? 200, headers).end(answer.body);
		});
	});
	try {
		return await use(server.url, () => requests);
	} finally {
		await server.stop();
	}
}
