import type { Sandbox } from '../../sandbox/server.ts';
import { headless } from './harness.ts';
import { records } from './processedItems.ts';
import { withSandbox } from './withSandbox.ts';

/** A number as Payment Key must not have lost digits: two payments would share a key, and the second would not be made. */
const n8n = headless();
let sandbox: Sandbox;
let credentials: Record<string, string>;
withSandbox((started) => ({ sandbox, credentials } = started), { settleAfterMs: null });
beforeEach(() => records.clear());

const pay = async (key: unknown, paymentKey = '={{ $json.key }}') =>
	await n8n.runNode({
		parameters: {
			resource: 'fiatWallet',
			operation: 'createPayout',
			currency: 'NGN',
			amount: '10',
			account_alias: 'supplier-main',
			paymentKey,
		},
		items: [{ json: { key: key as string } }],
		credentials,
	});

const payouts = () => [...sandbox.service.ledger.payouts.all()].length;

test.each([
	['an unsafe integer', JSON.parse('9007199254740993') as unknown, '={{ $json.key }}'],
	['too many digits', JSON.parse('0.12345678901234567') as unknown, '={{ $json.key }}'],
	['a number in the expression', 1, '={{ 9007199254740993 }}'],
	['no number', 1, '={{ 0 / 0 }}'],
])('a Payment Key that is %s is refused', async (_, key, paymentKey) => {
	const before = payouts();
	const { error } = await pay(key, paymentKey);
	expect(error?.message).toMatch(
		/^'Payment Key' (came as the number .*, which may have lost digits|is empty)/,
	);
	expect(payouts()).toBe(before);
});

test('a Payment Key that is a safe integer is the same key as its text', async () => {
	const before = payouts();
	expect((await pay(1042)).error).toBeUndefined();
	const { items } = await pay('1042');
	expect(items[0]).toMatchObject([{ json: { alreadyPaid: true, paymentKey: '1042' } }]);
	expect(payouts()).toBe(before + 1);
});
