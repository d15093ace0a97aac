import { request } from 'node:http';
import { serve } from './loopbackServer.ts';

/** Starts the load balancer in front of the webhook processors of queue mode. It sends each request to the next origin. */
export async function startBalancer() {
	/** The addresses of the webhook processors, which start later. */
	const origins: string[] = [];
	let next = 0;
	const { url, stop } = await serve((incoming, outgoing) => {
		const { method, url: path, headers } = incoming;
		const origin = origins[next++ % origins.length];
		// `agent: false` opens a new connection, because n8n may close a kept one at the moment of its next use.
		const forwarded = request(`${origin}${path}`, { method, headers, agent: false }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		forwarded.on('error', () => outgoing.destroy());
		return incoming.pipe(forwarded);
	});
	return { url, origins, stop };
}
