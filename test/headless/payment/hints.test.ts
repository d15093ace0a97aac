import { NODE } from '../engine.ts';
import { cryptoPayout, FIAT, PAYOUT, withPayments } from '../withPayments.ts';

/** What n8n shows above the items of the node. */
const { run } = withPayments();

const payout = (amount: string, currency = 'NGN', key?: string) => ({
	json: { amount, currency, alias: 'supplier-main', key },
});
const hints = async (...[parameters, more]: Parameters<typeof run>) => {
	const { runData } = await run(parameters, more);
	return runData[NODE]!.at(-1)!.hints?.map(({ type, message }) => [type, message]) ?? [];
};

test('a payment without Payment Key says that a new run pays again', async () => {
	expect(await hints(FIAT)).toEqual([
		['warning', 'This payment has no Payment Key: if you run this step again, it is paid again.'],
	]);
	expect(await hints(PAYOUT, { items: [payout('1'), payout('2')] })).toEqual([
		['warning', '2 of these payments have no Payment Key: if you run this step again, they are paid again.'],
	]);
});

test('a payment with a key has no hint, nor has a refused one', async () => {
	expect(await hints({ ...FIAT, paymentKey: 'a' })).toEqual([]);
	expect(await hints({ ...FIAT, paymentKey: 'a' })).toEqual([]);
	const refused = { ...FIAT, account_alias: 'nobody' };
	expect(await hints(refused, { settings: { onError: 'continueRegularOutput' } })).toEqual([]);
});

test('a dry run says what all its payments add up to, in each currency', async () => {
	const items = [payout('0.1'), payout('0.2'), payout('2.50', 'usd'), payout('1', 'USD')];
	const parameters = { ...PAYOUT, currency: '={{ $json.currency }}', options: { dryRun: true } };
	expect(await hints(parameters, { items })).toEqual([
		['info', 'Dry run: nothing was sent. In total 4 payments: 0.3 NGN, 3.50 USD.'],
	]);
});

test('a key that comes twice in a dry run is one payment', async () => {
	const items = [payout('5', 'NGN', 'P-1'), payout('5', 'NGN', 'p-1')];
	const parameters = { ...PAYOUT, paymentKey: '={{ $json.key }}', options: { dryRun: true } };
	expect(await hints(parameters, { items })).toEqual([
		['info', 'Dry run: nothing was sent. In total 1 payment: 5 NGN.'],
	]);
});

test('a dry run of a body that says no amount counts it as unreadable', async () => {
	const parameters = { ...cryptoPayout('{"coin":"USDT","sum":"1"}'), options: { dryRun: true } };
	expect(await hints(parameters)).toEqual([
		['info', 'Dry run: nothing was sent. In total 1 payment: 1 without a readable amount.'],
	]);
});

test('a tool, whose item is for a model, has no hint', async () => {
	const options = { maximumAmount: '100', allowedAliases: 'supplier-main', allowedCurrencies: 'NGN' };
	expect(await hints({ ...FIAT, options }, { type: 'walletServiceTool' })).toEqual([]);
});
