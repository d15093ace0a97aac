import { startHttpServer } from './httpServer.ts';
import { MemoryCredentials } from './memoryCredentials.ts';
import { FIAT, PAYOUT, withPayments } from './withPayments.ts';

/** How many requests a run makes, how fast, and how often it reads its credential. */
const { n8n, credentials, run, fault, accepted, asked } = withPayments();

describe('a busy service', () => {
	test('a read waits and is sent again when the service answers 429', async () => {
		await fault({ status: 429, retryAfter: 1 }, 1, 'GET /v1/rates');
		const started = Date.now();
		const { items, error } = await n8n.runNode({
			parameters: { resource: 'rate', operation: 'getAll' },
			credentials,
		});
		expect(error).toBeUndefined();
		expect(items[0]!.length).toBeGreaterThan(0);
		expect(Date.now() - started).toBeGreaterThanOrEqual(990);
		expect(asked()).toBe(2);
	});

	test('a payout that gets 429 is rejected, and the error says how long to wait', async () => {
		await fault({ status: 429, retryAfter: 30 }, 1);
		const { error } = await run(FIAT);
		expect(error?.context).toMatchObject({ outcome: 'rejected', httpStatus: 429 });
		expect(error).toMatchObject({ description: expect.stringContaining('in 30 seconds or later') });
		expect(asked()).toBe(1);
	});

	test('at most ten reads run at a time', async () => {
		let open = 0;
		let most = 0;
		const server = await startHttpServer((incoming, outgoing) => {
			open += 1;
			most = Math.max(most, open);
			incoming.resume();
			setTimeout(() => {
				open -= 1;
				outgoing.end('{"currency":"NGN","balance":"1.00"}');
			}, 20);
		});
		const { items } = await n8n.runNode({
			parameters: { resource: 'fiatWallet', operation: 'getBalance', currency: 'NGN' },
			items: Array.from({ length: 50 }, () => ({ json: {} })),
			credentials: { ...credentials, baseUrl: server.url },
		});
		await server.stop();
		expect(items[0]).toHaveLength(50);
		expect(most).toBe(10);
	});
});

test('a batch reads the allowed domains of its credential once; n8n reads the credential once more for each request', async () => {
	const read = jest.spyOn(MemoryCredentials.prototype, 'getDecrypted');
	const items = ['1', '2', '3', '4', '5'].map((amount) => ({ json: { amount, alias: 'supplier-main' } }));
	const { error } = await run(PAYOUT, { items });
	expect(error).toBeUndefined();
	expect(accepted()).toEqual(['1', '2', '3', '4', '5']);
	expect(read).toHaveBeenCalledTimes(1 + 5);
	read.mockRestore();
});
