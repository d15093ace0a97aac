import { serve } from '../../host/doubles/loopbackServer.ts';

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
	const server = await serve((incoming, outgoing) => {
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

/** Runs `use` while a server answers each request after 10 ms. Returns how many came, and how many were open at a time. */
export async function countOpen(body: string, use: (url: string) => Promise<unknown>) {
	let [open, most, all] = [0, 0, 0];
	const server = await serve((incoming, outgoing) => {
		all += 1;
		most = Math.max(most, (open += 1));
		incoming.resume();
		setTimeout(() => {
			open -= 1;
			outgoing.end(body);
		}, 10);
	});
	await use(server.url);
	await server.stop();
	return { all, most };
}
