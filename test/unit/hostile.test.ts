/** The trigger reads or refuses any body without throwing. test/n8n/hostile.test.ts sends such bodies to n8n. */
import fc from 'fast-check';
import { select } from '../../nodes/WalletServiceTrigger/filter.ts';
import { toItem } from '../../nodes/WalletServiceTrigger/item.ts';
import { identityOf } from '../../nodes/WalletServiceTrigger/once/identity.ts';
import { isTooLarge, parseDelivery } from '../../nodes/WalletServiceTrigger/parse.ts';
import { hostileBodies } from '../fixtures/hostileBodies.ts';

const filters = {
	events: ['admin_funding', 'crypto_payout_update', 'virtual_account_credited'],
	unknownEvents: true,
	statuses: ['successful'],
	currencies: ['usdt', 'ngn'],
	minimumAmount: '0.000000000000000001',
};

/** The item, or undefined for a refused body. */
function read(body: Buffer): Record<string, unknown> | undefined {
	if (isTooLarge(body)) return undefined;
	const parsed = parseDelivery(body);
	if (typeof parsed === 'string') {
		expect(parsed).toMatch(/^The body (is not|is nested|has no)/);
		return undefined;
	}
	const selected = select(parsed, filters);
	const notFiltered = selected.isWanted ? selected.notFiltered : [];
	const { deliveryKey } = identityOf(parsed);
	return toItem(parsed, new Date(0), { deliveryKey, includeRaw: true, notFiltered });
}

test('no body makes the trigger throw, and n8n can store every item', () => {
	let items = 0;
	fc.assert(
		fc.property(hostileBodies, (body) => {
			const item = read(body);
			if (item === undefined) return;
			items += 1;
			expect(item.event).toEqual(expect.stringMatching(/./s));
			expect(String(item.deliveryKey)).toMatch(/^[^:]+:[^:]*:([^:]*:[0-9a-f]{8}|[0-9a-f]{64})$/);
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
	['a byte order mark', '\uFEFF{"event":"admin_funding","id":"a"}', 'admin_funding:a:'],
	['half a character', '{"event":"admin_funding","id":"\\ud800"}', 'admin_funding:\uD800:'],
])('a body with %s is read', (_, body, key) => {
	expect(read(Buffer.from(body))?.deliveryKey).toEqual(expect.stringContaining(key));
});

test.each([
	['{', 'The body is not valid JSON'],
	['[]', 'The body is not a JSON object'],
	['null', 'The body is not a JSON object'],
	['{}', "The body has no text in 'event'"],
	['{"event":7}', "The body has no text in 'event'"],
	['{"event":""}', "The body has no text in 'event'"],
])('the body %j is refused with a reason', (body, reason) => {
	expect(parseDelivery(Buffer.from(body))).toBe(reason);
});

/** An event with a field of this depth, and a flat one behind it. */
const nested = (open: string, close: string, depth: number) =>
	Buffer.from(`{"event":"admin_funding","id":"a","x":${open.repeat(depth)}1${close.repeat(depth)},"y":[]}`);

test.each([
	['lists', '[', ']'],
	['objects', '{"a":', '}'],
])('a body of 500 levels of %s is read, and one of 501 is refused', (_, open, close) => {
	const TOO_DEEP = 'The body is nested too deeply';
	expect(read(nested(open, close, 499))).toMatchObject({ event: 'admin_funding', id: 'a' });
	for (const depth of [500, 1500]) expect(parseDelivery(nested(open, close, depth))).toEqual(TOO_DEEP);
});

test.each([
	['a stray byte', '\xff'],
	['a surrogate', '\xed\xa0\x80'],
])('a body with %s is refused, not read with another character in its place', (_, bytes) => {
	const body = Buffer.from(`{"event":"admin_funding","id":"${bytes}"}`, 'latin1');
	expect(parseDelivery(body)).toBe('The body is not UTF-8 text');
});

describe('large bodies', () => {
	const MIB = 2 ** 20;
	const listOf = (value: string, length: number) =>
		Buffer.from(`{"event":"x","y":[${Array(length).fill(value).join()}]}`);

	test('a body of 1 MiB is read, and one byte more is refused with 413', () => {
		const [head, tail] = ['{"event":"admin_funding","id":"a","note":"', '"}'];
		const note = 'x'.repeat(MIB - head.length - tail.length);
		expect(read(Buffer.from(head + note + tail))?.extra).toEqual({ note });
		expect(isTooLarge(Buffer.from(`${head}${note}x${tail}`))).toBe(true);
	});

	test.each(['0', '{}', '[]', '""', 'null', '{"a":1}'])('900 times %s is read, 2,400 is not', (value) => {
		expect(read(listOf(value, 900))?.extra).toEqual({ y: Array(900).fill(JSON.parse(value)) });
		expect(isTooLarge(listOf(value, 2400))).toBe(true);
	});

	test('a body of 2,000 values is read, and one more is refused', () => {
		// The event, its object, its list and the comma between its members.
		expect([1997, 1998].map((length) => isTooLarge(listOf('0', length)))).toEqual([false, true]);
	});

	test('commas, brackets and quotes within a text are no values', () => {
		const note = ',[{\\\\\\",'.repeat(20_000);
		expect(read(Buffer.from(`{"event":"x","note":"${note}"}`))).toBeDefined();
	});
});
