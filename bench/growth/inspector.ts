/** Node's inspector in another process, which was started with the options of `inspectorOptions`. */

/** Options of Node.js that open the inspector on this loopback port. */
export const inspectorOptions = (port: number) => [`--inspect=127.0.0.1:${port}`];

export interface Memory {
	/** Bytes in use after a full garbage collection: JavaScript's heap, and what belongs to its objects outside. */
	heap: number;
	/** Bytes of the process. */
	resident: number;
}

interface Answer {
	result: { value: NodeJS.MemoryUsage };
}

/** The memory of the process after a full garbage collection. */
export async function memoryOf(port: number): Promise<Memory> {
	const targets = await fetch(`http://127.0.0.1:${port}/json/list`);
	const [target] = (await targets.json()) as Array<{ webSocketDebuggerUrl: string }>;
	if (target === undefined) throw new Error('The process has no inspector');
	const socket = new WebSocket(target.webSocketDebuggerUrl);
	try {
		await new Promise((done) => socket.addEventListener('open', done, { once: true }));
		const call = async (id: number, method: string, params: object = {}): Promise<unknown> => {
			const answer = new Promise<MessageEvent>((done) =>
				socket.addEventListener('message', done, { once: true }),
			);
			socket.send(JSON.stringify({ id, method, params }));
			return (JSON.parse(String((await answer).data)) as { result: unknown }).result;
		};
		await call(1, 'HeapProfiler.collectGarbage');
		const { result } = (await call(2, 'Runtime.evaluate', {
			expression: 'process.memoryUsage()',
			returnByValue: true,
		})) as Answer;
		const { heapUsed, external, rss } = result.value;
		return { heap: heapUsed + external, resident: rss };
	} finally {
		socket.close();
	}
}
