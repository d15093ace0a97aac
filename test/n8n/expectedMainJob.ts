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
		{ payoutId: text, status: 'pending', coin: 'USDT' },
		{ payoutId: text, status: 'pending', coin: 'USDC', amount: '0.123456789012345678' },
	]);
	const update = {
		event: 'crypto_payout_update',
		status: 'successful',
		walletAlias: 'treasury',
		txHash: text,
	};
	expect(updates).toEqual([
		{ ...update, id: payouts[0]!.payoutId, coin: 'USDT', amount: '12.50' },
		{ ...update, id: payouts[1]!.payoutId, coin: 'USDC', amount: '0.123456789012345678' },
	]);
	await until('three mails', () => (mails.length >= 3 ? true : undefined));
	expect(mails.map(({ subject }) => subject).sort()).toEqual([
		'Deposit: 250000.00 NGN for customer-0042',
		'Payout successful: 0.123456789012345678 USDC to treasury',
		'Payout successful: 12.50 USDT to treasury',
	]);
}
