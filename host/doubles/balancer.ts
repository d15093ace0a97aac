import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Balancer {
	url: string;
	/** The servers that get the requests in turn; may be changed at any time. */
	origins: string[];
	stop(): Promise<void>;
}

/** Starts the load balancer in front of the webhook processors of queue mode. It sends each request to the next origin. */
export async function startBalancer(): Promise<Balancer> {
	const origins: string[] = [];
	// Each request gets a new connection, because n8n may close a kept one at the moment of its next use.
	const agent = new Agent({ keepAlive: false });
	let next = 0;
	const server = createServer((incoming, outgoing) => {
		const { method, url = '/', headers } = incoming;
		next = (next + 1) % origins.length;
		const origin = origins[next];
		if (origin === undefined) {
			outgoing.writeHead(503).end();
			return;
		}
		const forwarded = request(origin + url, { method, headers, agent }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		forwarded.once('error', () => outgoing.destroy());
		incoming.pipe(forwarded);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		origins,
		stop: async () => {
			agent.destroy();
			server.closeAllConnections();
			await new Promise((done) => server.close(done));
		},
	};
}
