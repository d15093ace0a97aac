import type { Store } from './store.ts';

/** Milliseconds between two events of a stream. */
const INTERVAL = 100;

/** Server-sent events without content: one at the start, then one soon after each commit. */
export function changeStream(store: Store): Response {
	let timer: NodeJS.Timeout | undefined;
	let unsubscribe = () => {};
	const stream = new ReadableStream<Uint8Array>({
		start(controller) {
			const send = () => {
				timer = undefined;
				controller.enqueue(Buffer.from('data: changed\n\n'));
			};
			unsubscribe = store.onCommit(() => {
				timer ??= setTimeout(send, INTERVAL).unref();
			});
			send();
		},
		cancel() {
			unsubscribe();
			clearTimeout(timer);
		},
	});
	return new Response(stream, {
		headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
	});
}
