import { PAYOUT, withPayments } from '../withPayments.ts';

/** A dry run shows what would be paid, and sends nothing. */
const { credentials, sandbox, run, asked } = withPayments();

const payout = (amount: string) => ({ json: { amount, alias: 'supplier-main' } });

test('a dry run returns the request and sends nothing', async () => {
	const options = { dryRun: true, showRequest: true };
	const { items, stored } = await run({ ...PAYOUT, options }, { items: [payout('0.123456789012345678')] });
	expect(items[0]!.map(({ json }) => json)).toEqual([
		{
			result: 'dryRun',
			dryRun: true,
			amount: '0.123456789012345678',
			currency: 'NGN',
			accountAlias: 'supplier-main',
			request: {
				method: 'POST',
				url: `${sandbox().url}/v1/fiat_payout`,
				headers: {
					Accept: '*/*',
					'Content-Type': 'application/json',
					'x-svc-key': '[redacted]',
					'x-svc-signature': '[redacted]',
					'x-svc-timestamp': expect.stringMatching(/^\d{13}$/),
				},
				body: { currency: 'NGN', amount: '0.123456789012345678', account_alias: 'supplier-main' },
			},
		},
	]);
	expect(asked()).toBe(0);
	for (const secret of [sandbox().key, sandbox().secret]) expect(stored).not.toContain(secret);
});

test('a dry run enforces the limits and reports a credential that cannot sign', async () => {
	const above = await run(
		{ ...PAYOUT, options: { dryRun: true, maximumAmount: '1' } },
		{ items: [payout('2')] },
	);
	expect(above.error?.message).toContain("above 'Maximum Amount' 1");
	const { error } = await run(
		{ ...PAYOUT, options: { dryRun: true } },
		{ items: [payout('2')], credentials: { ...credentials, signatureSecret: '' } },
	);
	expect(error?.message).toBe('The credential cannot be used: Signature Secret is empty');
});
