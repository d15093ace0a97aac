/** A request ends at its deadline: the service sees the connection close, also while it goes on sending. */
import { serve } from '../../host/doubles/loopbackServer.ts';
import { until } from '../../host/until.ts';
import { timing } from './memoryProcessedItems.ts';
import { FIAT, withNode } from './withNode.ts';

const { credentials, run } = withNode();

const BALANCE = { resource: 'fiatWallet', operation: 'getBalance', currency: 'NGN' };

/** Runs the node at a service that never ends its answer, so that no socket is ever idle. `ended`: when each connection closed, in ms. */
async function runEndless(parameters: object, whenAsked = () => {}) {
	const ended: number[] = [];
	const server = await serve((incoming, outgoing) => {
		const began = process.hrtime.bigint();
		outgoing.writeHead(200, { 'content-type': 'application/json' });
		const drip = setInterval(() => outgoing.write(' '), 20);
		incoming.socket.once('close', () => {
			clearInterval(drip);
			ended.push(Number(process.hrtime.bigint() - began) / 1e6);
		});
		whenAsked();
	});
	try {
		const { error } = await run(parameters, { credentials: { ...credentials, baseUrl: server.url } });
		await until('the connection to close', () => ended.length > 0 || undefined, 10_000);
		return { error, ended };
	} finally {
		await server.stop();
	}
}

describe.each([
	['a payment', { ...FIAT, paymentKey: 'a' }, 'unknown'],
	['a payment without a key', FIAT, 'unknown'],
	['a read', BALANCE, undefined],
])('the connection of %s closes', (_, parameters, outcome) => {
	test('at its time-out', async () => {
		const { error, ended } = await runEndless({ ...parameters, requestOptions: { timeout: 500 } });
		expect(error?.message).toBe('The service gave no answer (timed out)');
		if (outcome !== undefined) expect(error?.context).toMatchObject({ outcome });
		expect(ended).toHaveLength(1);
		expect(ended[0]).toBeGreaterThan(200);
	});

	test.each(['ahead', 'set'] as const)('when its five minutes are over by a clock: %s', async (clock) => {
		const { error, ended } = await runEndless(parameters, () => (timing[clock] = 301_000));
		expect(error?.message).toBe('The service gave no answer (timed out)');
		expect(ended).toHaveLength(1);
	});
});
