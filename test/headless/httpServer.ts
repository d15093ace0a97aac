import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpServer {
	/** Origin, such as http://127.0.0.1:40123. */
	url: string;
	stop: () => Promise<void>;
}

export const startHttpServer = async (handle: RequestListener): Promise<HttpServer> => {
	const server = createServer(handle);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		stop: async () => {
			const closed = once(server, 'close');
			server.close();
			server.closeAllConnections();
			await closed;
		},
	};
};

/** A server that gives every request the same answer; without one it closes the connection. */
export async function startAnswering(answer?: { status: number; body: string; type?: string }) {
	let requests = 0;
	const server = await startHttpServer((incoming, outgoing) => {
		requests += 1;
		incoming.resume().on('end', () => {
			if (answer === undefined) incoming.socket.destroy();
			else
				outgoing
					.writeHead(answer.status, { 'content-type': answer.type ?? 'application/json' })
					.end(answer.body);
		});
	});
	return { ...server, requests: () => requests };
}
