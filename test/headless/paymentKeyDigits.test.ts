import { FIAT, withPayments } from './withPayments.ts';

/** A number as Payment Key must not have lost digits: two payments would share a key, and the second would not be made. */
const { accepted, run } = withPayments();

const pay = async (key: unknown, paymentKey = '={{ $json.key }}') =>
	await run({ ...FIAT, paymentKey }, { items: [{ json: { key: key as string } }] });

test.each([
	['an unsafe integer', JSON.parse('9007199254740993') as unknown, '={{ $json.key }}'],
	['too many digits', JSON.parse('0.12345678901234567') as unknown, '={{ $json.key }}'],
	['a number in the expression', 1, '={{ 9007199254740993 }}'],
	['no number', 1, '={{ 0 / 0 }}'],
])('a Payment Key that is %s is refused', async (_, key, paymentKey) => {
	const before = accepted().length;
	const { error } = await pay(key, paymentKey);
	expect(error?.message).toMatch(
		/^'Payment Key' (came as the number .*, which may have lost digits|is empty)/,
	);
	expect(accepted()).toHaveLength(before);
});

test('a Payment Key that is a safe integer is the same key as its text', async () => {
	const before = accepted().length;
	expect((await pay(1042)).error).toBeUndefined();
	const { items } = await pay('1042');
	expect(items[0]).toMatchObject([{ json: { alreadyPaid: true, paymentKey: '1042' } }]);
	expect(accepted()).toHaveLength(before + 1);
});
