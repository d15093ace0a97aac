import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Balancer {
	url: string;
	/** Takes the requests in turn; more may be added. */
	origins: string[];
	stop(): Promise<void>;
}

/** Passes each request on to the next origin: what stands before the webhook processors of queue mode. */
export async function startBalancer(): Promise<Balancer> {
	const origins: string[] = [];
	// A connection of its own for each: one that is kept may be closed by n8n as it is used again.
	const agent = new Agent({ keepAlive: false });
	let next = 0;
	const server = createServer((incoming, outgoing) => {
		const { method, url, headers } = incoming;
		next = (next + 1) % origins.length;
		const onward = request(origins[next] + url, { method, headers, agent }, (answer) => {
			outgoing.writeHead(answer.statusCode!, answer.headers);
			answer.pipe(outgoing);
		});
		onward.once('error', () => outgoing.destroy());
		incoming.pipe(onward);
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
