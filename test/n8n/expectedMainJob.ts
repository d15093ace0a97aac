import { until } from '../../host/n8n/client.ts';
import { runMainJob } from '../../host/mainJob.ts';
import type { Stack } from '../../host/stack.ts';

/** Runs the main job in the stack and expects its exact items and mails. */
export async function checkMainJob(stack: Stack): Promise<void> {
	const text = expect.any(String);
	const { mails } = stack.mailbox;
	mails.splice(0);
	const { deposits, payouts, updates } = await runMainJob(stack, () => {});
	expect(deposits).toEqual([
		{
			event: 'virtual_account_credited',
			id: text,
			status: 'successful',
			asset: 'NGN',
			amount: '250000.00',
			creditedTo: 'customer-0042',
			from: text,
		},
	]);
	expect(payouts).toMatchObject([
		{ payoutId: text, status: 'pending', currency: 'NGN', amount: '1250.50', accountAlias: 'supplier-main' },
		{ payoutId: text, status: 'pending', currency: 'USD', amount: '75.25', accountAlias: 'supplier-usd' },
		{ payoutId: text, status: 'pending', coin: 'USDT', amount: '12.50', walletAlias: 'treasury' },
	]);
	expect(updates).toEqual([
		{
			event: 'crypto_payout_update',
			id: payouts[2]!.payoutId,
			status: 'successful',
			coin: 'USDT',
			amount: '12.50',
			walletAlias: 'treasury',
			txHash: text,
		},
	]);
	await until('two mails', () => (mails.length >= 2 ? true : undefined));
	expect(mails.map(({ subject }) => subject).sort()).toEqual([
		'Deposit: 250000.00 NGN for customer-0042',
		'Payout successful: 12.50 USDT to treasury',
	]);
}
