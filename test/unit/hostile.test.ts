/** Whatever is sent, the trigger reads it or refuses it. The soak sends such bodies to the real n8n. */
import fc from 'fast-check';
import { isWanted, readDelivery, toItem } from '../../nodes/WalletService/trigger/delivery.ts';
import { hostileBodies } from '../../bench/hostileBodies.ts';

const wanted = {
	events: ['admin_funding', 'crypto_payout_update', 'virtual_account_credited'],
	unknownEvents: true,
	statuses: ['successful'],
	currencies: ['USDT', 'NGN'],
	minimumAmount: '0.000000000000000001',
};

/** The event's item where the body is one. */
function read(body: Buffer): Record<string, unknown> | undefined {
	const received = readDelivery(body);
	if (!received.ok) {
		expect(received.reason).toMatch(/^The body (is not|is nested|has no)/);
		return undefined;
	}
	isWanted(received.event, wanted);
	return toItem(received.event, new Date(0), { includeRaw: true });
}

test('no body makes it throw, and every item can be stored', () => {
	let items = 0;
	fc.assert(
		fc.property(hostileBodies, (body) => {
			const item = read(body);
			if (item === undefined) return;
			items += 1;
			expect(item.event).toEqual(expect.stringMatching(/./s));
			expect(item.deliveryKey).toEqual(expect.stringContaining(`${item.event}:`));
			// Plain data: n8n stores it as text and sends copies of it about.
			expect(JSON.stringify(item).length).toBeGreaterThan(0);
			expect(structuredClone(item)).toEqual(item);
			expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
			for (const name of ['amount', 'fee']) {
				if (name in item) expect(item[name]).toMatch(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/);
			}
		}),
		{ numRuns: 5000 },
	);
	// The bodies are not all refused at the door.
	expect(items).toBeGreaterThan(1000);
	expect(({} as Record<string, unknown>).amount).toBeUndefined();
});

test.each([
	['a byte order mark', Buffer.from('\uFEFF{"event":"admin_funding","id":"a"}'), 'admin_funding:a:'],
	[
		'bytes that are no UTF-8',
		Buffer.from([...Buffer.from('{"event":"admin_funding","id":"'), 0xff, ...Buffer.from('"}')]),
		'admin_funding:\uFFFD:',
	],
	['half a character', Buffer.from('{"event":"admin_funding","id":"\\ud800"}'), 'admin_funding:\uD800:'],
])('%s is read', (_, body, key) => {
	expect(read(body)?.deliveryKey).toBe(key);
});

test('15 MiB are read', () => {
	const body = Buffer.from(`{"event":"admin_funding","id":"a","note":"${'x'.repeat(15 * 2 ** 20)}"}`);
	expect((read(body)?.extra as { note: string }).note).toHaveLength(15 * 2 ** 20);
});

test.each([
	[500, true],
	[501, false],
	[10_000, false],
])('%i levels: read %p', (levels, isRead) => {
	// The body itself is one level.
	const body = Buffer.from(`{"event":"x","y":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);
	expect(readDelivery(body).ok).toBe(isRead);
});
