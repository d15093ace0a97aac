/** The requests that tests send to n8n and to the sandbox. */
import { serve } from '../../host/doubles/loopbackServer.ts';
import { send } from '../../host/http.ts';
import { browse } from '../../host/testkit/approvals.ts';

test.each([
	['a call', async (url: string) => (await send(url, 'POST', '{}')).text],
	['a page', async (url: string) => (await browse(url, ['yes'])).page],
])('%s does not meet the end of a connection that was kept', async (_, ask) => {
	const used = new Set<unknown>();
	const { url, stop } = await serve((incoming, outgoing) => {
		if (used.has(incoming.socket)) return incoming.socket.resetAndDestroy();
		used.add(incoming.socket);
		return outgoing.end('answer');
	});
	try {
		for (let request = 0; request < 4; request += 1) expect(await ask(url)).toBe('answer');
	} finally {
		await stop();
	}
});
