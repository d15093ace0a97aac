/** Operations that move no money: their items, and how they treat a busy service. */
import { serve } from '../../host/doubles/loopbackServer.ts';
import { CONTINUED, withNode } from './withNode.ts';

const { credentials, run, fault, asked } = withNode();

const BALANCE = { resource: 'fiatWallet', operation: 'getBalance', currency: 'NGN' };

test('the items of a list link to their input item', async () => {
	const parameters = { resource: 'virtualAccount', operation: 'getAll' };
	const { items } = await run(parameters, { items: [{ json: {} }, { json: {} }] });
	expect(items[0]!.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 0, 1, 1, 1].map((item) => ({ item })));
});

test('in continue mode a failed read does not affect other items', async () => {
	const { items } = await run(
		{ ...BALANCE, currency: '={{ $json.currency }}' },
		{
			items: ['NGN', 'XXX', '', 'USD'].map((currency) => ({ json: { currency } })),
			settings: { onError: 'continueErrorOutput' },
		},
	);
	expect(items[0]!.map(({ json }) => json.currency)).toEqual(['NGN', 'USD']);
	expect(items[1]).toMatchObject([
		{ pairedItem: { item: 1 } },
		{ json: { error: { message: "'Currency' is empty" } }, pairedItem: { item: 2 } },
	]);
});

test('a read waits and is sent again when the service answers 429', async () => {
	await fault({ status: 429, retryAfter: 1 }, 1, 'GET /v1/rates');
	const started = Date.now();
	const { items } = await run({ resource: 'rate', operation: 'getAll' }, CONTINUED);
	expect(items[0]!.length).toBeGreaterThan(1);
	expect(Date.now() - started).toBeGreaterThanOrEqual(990);
	expect(asked()).toBe(2);
});

test('at most ten reads run at a time', async () => {
	let open = 0;
	let most = 0;
	const server = await serve((incoming, outgoing) => {
		open += 1;
		most = Math.max(most, open);
		incoming.resume();
		setTimeout(() => {
			open -= 1;
			outgoing.end('{"currency":"NGN","balance":"1.00"}');
		}, 20);
	});
	const { items } = await run(BALANCE, {
		items: Array.from({ length: 50 }, () => ({ json: {} })),
		credentials: { ...credentials, baseUrl: server.url },
	});
	await server.stop();
	expect(items[0]).toHaveLength(50);
	expect(most).toBe(10);
});
