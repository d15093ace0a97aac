/** A request ends at its deadline: the service sees the connection close, also while it goes on sending. */
import { serve } from '../../host/doubles/loopbackServer.ts';
import { timing } from './memoryProcessedItems.ts';
import { FIAT, withNode } from './withNode.ts';

const { credentials, run } = withNode();

const BALANCE = { resource: 'fiatWallet', operation: 'getBalance', currency: 'NGN' };

/** A service that never ends its answer, so that no socket is ever idle. `whenAsked` is called once. */
async function endless(whenAsked = () => {}) {
	const ended: number[] = [];
	let closed = () => {};
	const isClosed = new Promise<void>((resolve) => (closed = resolve));
	const server = await serve((incoming, outgoing) => {
		const began = process.hrtime.bigint();
		outgoing.writeHead(200, { 'content-type': 'application/json' });
		const drip = setInterval(() => outgoing.write(' '), 20);
		incoming.socket.once('close', () => {
			clearInterval(drip);
			ended.push(Number(process.hrtime.bigint() - began) / 1e6);
			closed();
		});
		whenAsked();
	});
	return { ...server, ended, isClosed };
}

describe.each([
	['a payment', { ...FIAT, paymentKey: 'a' }, 'unknown'],
	['a payment without a key', FIAT, 'unknown'],
	['a read', BALANCE, undefined],
])('the connection of %s closes', (_, parameters, outcome) => {
	test('at its time-out', async () => {
		const { url, stop, ended, isClosed } = await endless();
		const timed = { ...parameters, requestOptions: { timeout: 500 } };
		const { error } = await run(timed, { credentials: { ...credentials, baseUrl: url } });
		await isClosed;
		await stop();
		expect(error?.message).toBe('The service gave no answer (timed out)');
		if (outcome !== undefined) expect(error?.context).toMatchObject({ outcome });
		expect(ended).toHaveLength(1);
		expect(ended[0]).toBeGreaterThan(200);
		expect(ended[0]).toBeLessThan(5000);
	});

	test.each(['ahead', 'set'] as const)('when its five minutes are over by a clock: %s', async (clock) => {
		const { url, stop, ended, isClosed } = await endless(() => (timing[clock] = 301_000));
		const { error } = await run(parameters, { credentials: { ...credentials, baseUrl: url } });
		await isClosed;
		await stop();
		expect(error?.message).toBe('The service gave no answer (timed out)');
		expect(ended).toHaveLength(1);
		expect(ended[0]).toBeLessThan(10_000);
	});
});
