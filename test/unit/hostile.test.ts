/** The trigger reads or refuses any body without throwing. The soak sends such bodies to a real n8n. */
import fc from 'fast-check';
import { isWanted } from '../../nodes/WalletService/trigger/filter.ts';
import { toItem } from '../../nodes/WalletService/trigger/item.ts';
import { parseDelivery } from '../../nodes/WalletService/trigger/parse.ts';
import { hostileBodies } from '../../bench/shared/hostileBodies.ts';

const filters = {
	events: ['admin_funding', 'crypto_payout_update', 'virtual_account_credited'],
	unknownEvents: true,
	statuses: ['successful'],
	currencies: ['USDT', 'NGN'],
	minimumAmount: '0.000000000000000001',
};

/** The item, or undefined for a refused body. */
function read(body: Buffer): Record<string, unknown> | undefined {
	const parsed = parseDelivery(body);
	if (!parsed.ok) {
		expect(parsed.reason).toMatch(/^The body (is not|is nested|has no)/);
		return undefined;
	}
	isWanted(parsed.event, filters);
	return toItem(parsed.event, new Date(0), { includeRaw: true });
}

test('no body makes the trigger throw, and n8n can store every item', () => {
	let items = 0;
	fc.assert(
		fc.property(hostileBodies, (body) => {
			const item = read(body);
			if (item === undefined) return;
			items += 1;
			expect(item.event).toEqual(expect.stringMatching(/./s));
			expect(item.deliveryKey).toEqual(expect.stringContaining(`${String(item.event)}:`));
			// n8n stores items as text and clones them.
			expect(JSON.stringify(item).length).toBeGreaterThan(0);
			expect(structuredClone(item)).toEqual(item);
			expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
			for (const name of ['amount', 'fee']) {
				if (name in item) expect(item[name]).toMatch(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/);
			}
		}),
		{ numRuns: 1000 },
	);
	// Enough of the random bodies are valid.
	expect(items).toBeGreaterThan(200);
	expect(({} as Record<string, unknown>).amount).toBeUndefined();
});

test.each([
	['a byte order mark', Buffer.from('\uFEFF{"event":"admin_funding","id":"a"}'), 'admin_funding:a:'],
	[
		'bytes that are not UTF-8',
		Buffer.from([...Buffer.from('{"event":"admin_funding","id":"'), 0xff, ...Buffer.from('"}')]),
		'admin_funding:\uFFFD:',
	],
	['half a character', Buffer.from('{"event":"admin_funding","id":"\\ud800"}'), 'admin_funding:\uD800:'],
])('a body with %s is read', (_, body, key) => {
	expect(read(body)?.deliveryKey).toBe(key);
});

test('a body of 15 MiB is read', () => {
	const body = Buffer.from(`{"event":"admin_funding","id":"a","note":"${'x'.repeat(15 * 2 ** 20)}"}`);
	expect((read(body)?.extra as { note: string }).note).toHaveLength(15 * 2 ** 20);
});

test('a body with a thousand numbers of ten thousand digits is read within a second', () => {
	const numbers = Array.from({ length: 1000 }, () => '1e-9999');
	const before = process.cpuUsage();
	const item = read(Buffer.from(`{"event":"x","y":[${numbers.join()}]}`));
	const { user } = process.cpuUsage(before);
	expect((item?.extra as { y: string[] }).y).toEqual(numbers);
	expect(user).toBeLessThan(1_000_000);
});

test.each([
	[500, true],
	[501, false],
	[10_000, false],
])('a body of %i levels is read: %p', (levels, isRead) => {
	// The outer object is one level.
	const body = Buffer.from(`{"event":"x","y":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);
	expect(parseDelivery(body).ok).toBe(isRead);
});
