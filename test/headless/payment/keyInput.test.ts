import { CONTINUED, FIAT, withPayments } from '../withPayments.ts';

/** A Payment Key that could stand for two payments is refused: a number without its digits, a text without one of its parts. */
const { accepted, asked, run } = withPayments();

const pay = async (key: unknown, paymentKey = '={{ $json.key }}') =>
	await run({ ...FIAT, paymentKey }, { items: [{ json: { key: key as string } }] });

test.each([
	['an unsafe integer', JSON.parse('9007199254740993') as unknown, '={{ $json.key }}'],
	['too many digits', JSON.parse('0.12345678901234567') as unknown, '={{ $json.key }}'],
	['a number in the expression', 1, '={{ 9007199254740993 }}'],
	['a power', 1, '={{ 2 ** 64 }}'],
])('a Payment Key that is %s is refused', async (_, key, paymentKey) => {
	const { error } = await pay(key, paymentKey);
	expect(error?.message).toMatch(/^'Payment Key' came as the number .*, which may have lost digits/);
	expect(error?.context).toMatchObject({ outcome: 'notSent' });
	expect(asked()).toBe(0);
});

test.each(['={{ 0 / 0 }}', '={{ Infinity }}'])('%s is no Payment Key', async (paymentKey) => {
	const { error } = await pay(1, paymentKey);
	expect(error?.context).toMatchObject({ outcome: 'notSent' });
	expect(asked()).toBe(0);
});

test('a Payment Key that is a safe integer is the same key as its text', async () => {
	expect((await pay(1042)).error).toBeUndefined();
	const { items } = await pay('1042');
	expect(items[0]).toMatchObject([{ json: { alreadyPaid: true, paymentKey: '1042' } }]);
	expect(accepted()).toEqual(['10']);
});

test('a key of imported JSON that is a list refuses the item', async () => {
	const { error } = await run({ ...FIAT, paymentKey: [] });
	expect(error?.context).toMatchObject({ outcome: 'notSent' });
});

test.each(['={{ $now }}', '={{ true }}', "={{ ['x'] }}"])(
	'a key of another type is not called empty: %s',
	async (paymentKey) => {
		const { error } = await run({ ...FIAT, paymentKey });
		expect(error?.message).not.toContain('is empty');
	},
);

describe('a key without one of its parts is refused', () => {
	test.each([
		'=INV {{ $json.number }} 2026',
		'=INV{{ $json.number }}',
		'={{ $json.number }}-2026',
		"={{ 'INV' + $json.number }}",
		"={{ 'INV' + null + '-2026' }}",
		"={{ ['vendor', $json.number, 5].join('-') }}",
		"={{ 'INV-' + DateTime.fromISO('x').toFormat('yyyy') }}",
	])('%s', async (paymentKey) => {
		const { items } = await run(
			{ ...FIAT, paymentKey },
			{ ...CONTINUED, items: [{ json: {} }, { json: {} }] },
		);
		expect(items.flat().map(({ json }) => json.result)).toEqual(['notSent', 'notSent']);
	});
});
