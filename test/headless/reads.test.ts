/** Operations that move no money: their items, and how they treat a busy service. */
import { serve } from '../../host/doubles/loopbackServer.ts';
import { countOpen } from './withAnswer.ts';
import { CONTINUED, withNode } from './withNode.ts';

const { credentials, run, runAt, fault, asked } = withNode();

const BALANCE = { resource: 'fiatWallet', operation: 'getBalance', currency: 'NGN' };

test('the items of a list link to their input item', async () => {
	const parameters = { resource: 'virtualAccount', operation: 'getAll' };
	const { items } = await run(parameters, { items: [{ json: {} }, { json: {} }] });
	expect(items[0]!.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 0, 1, 1, 1].map((item) => ({ item })));
});

test('a read ends at its time-out, also while the service goes on sending', async () => {
	const server = await serve((_, outgoing) => {
		outgoing.writeHead(200);
		const drip = setInterval(() => outgoing.write(' '), 20);
		outgoing.on('close', () => clearInterval(drip));
	});
	const baseUrl = { ...credentials, baseUrl: server.url };
	const { error } = await run({ ...BALANCE, requestOptions: { timeout: 300 } }, { credentials: baseUrl });
	await server.stop();
	expect(error?.message).toContain('no answer');
});

test('in continue mode a failed read does not affect other items', async () => {
	const input = ['NGN', 'XXX', '', 'USD'].map((currency) => ({ json: { currency } }));
	const each = { ...BALANCE, currency: '={{ $json.currency }}' };
	const { items } = await run(each, { items: input, settings: { onError: 'continueErrorOutput' } });
	expect(items[0]!.map(({ json }) => json.currency)).toEqual(['NGN', 'USD']);
	const empty = { error: { message: "'Currency' is empty" } };
	expect(items[1]).toMatchObject([{ pairedItem: { item: 1 } }, { json: empty, pairedItem: { item: 2 } }]);
});

// n8n evaluates a declarative node's expressions before it asks the node, and makes the item itself.
describe('an expression that fails in a read in continue mode', () => {
	const failing = '={{ $json.currency ?? $("Nowhere").first().json.currency }}';
	const readEach = async (currencies: object[], onError: 'continueRegularOutput' | 'continueErrorOutput') => {
		const items = currencies.map((json) => ({ json: json as never }));
		const { items: outputs } = await run({ ...BALANCE, currency: failing }, { items, settings: { onError } });
		return outputs.map((output) => output.map(({ json, pairedItem }) => ({ json, pairedItem })));
	};
	const [NGN, USD] = ['NGN', 'USD'].map((currency) => ({ currency }));
	const failed = { error: "Referenced node doesn't exist" };
	const balance = expect.any(String) as string;

	test('gives the words of n8n as text, sends nothing for its item, and does not affect other items', async () => {
		expect(await readEach([NGN!, {}, USD!], 'continueRegularOutput')).toEqual([
			[
				{ json: { ...NGN, balance }, pairedItem: { item: 0 } },
				{ json: failed, pairedItem: { item: 1 } },
				{ json: { ...USD, balance }, pairedItem: { item: 2 } },
			],
		]);
		expect(asked()).toBe(2);
	});

	test('goes to the error output, without a link to its item if there are several', async () => {
		expect(await readEach([NGN!, {}], 'continueErrorOutput')).toEqual([
			[{ json: { ...NGN, balance }, pairedItem: { item: 0 } }],
			[{ json: failed, pairedItem: undefined }],
		]);
		expect(await readEach([{}], 'continueErrorOutput')).toEqual([
			[],
			[{ json: failed, pairedItem: { item: 0 } }],
		]);
		expect(asked()).toBe(1);
	});
});

test('a read waits and is sent again when the service answers 429', async () => {
	await fault({ status: 429, retryAfter: 1 }, 1, 'GET /v1/rates');
	const started = Date.now();
	const { items } = await run({ resource: 'rate', operation: 'getAll' }, CONTINUED);
	expect(items[0]!.length).toBeGreaterThan(1);
	expect(Date.now() - started).toBeGreaterThanOrEqual(990);
	expect(asked()).toBe(2);
});

test('the advice after a read that got no answer is to try again later', async () => {
	const { error } = await runAt(BALANCE, undefined);
	expect(error?.description).toMatch(/try again later/i);
});

test('at most ten reads run at a time', async () => {
	const counted = await countOpen('{"currency":"NGN","balance":"1.00"}', async (baseUrl) => {
		const items = Array.from({ length: 50 }, () => ({ json: {} }));
		const read = await run(BALANCE, { items, credentials: { ...credentials, baseUrl } });
		expect(read.items[0]).toHaveLength(50);
	});
	expect(counted).toEqual({ all: 50, most: 10 });
});
