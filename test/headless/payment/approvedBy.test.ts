/** With Approved By, nothing leaves for an item without the name of somebody who has said yes. */
import { CONVERT, CRYPTO, FIAT, keyed, PAYOUT, payout, withNode } from '../withNode.ts';

const { run, resultsOf, refusalOf, payByKey, accepted, asked } = withNode();

const approvedBy = '={{ $json.approvedBy }}';
const approved = (by: unknown, amount = '1') => payout(amount, { approvedBy: by });
const AT_RATE = { resource: 'instantLiquidity', operation: 'convertAtRate', from: 'USDT', to: 'NGN' };

test.each([
	['a fiat payout', FIAT],
	['a crypto payout', CRYPTO],
	['a conversion', CONVERT],
	['a conversion at the best rate', { ...AT_RATE, amount: '5', minimumRate: '1540', paymentKey: 'c-1' }],
])('%s is sent with a name, and not without', async (_, parameters) => {
	const pay = async (by: unknown) =>
		await resultsOf({ ...parameters, options: { approvedBy } }, { items: [approved(by)] });
	for (const nobody of ['no', '', undefined]) expect(await pay(nobody)).toEqual(['notSent']);
	expect(await pay('Ada Obi')).toEqual(['paid']);
});

test.each([
	'no',
	' No. ',
	'false',
	'yes',
	'true',
	'n/a',
	'null',
	'undefined',
	'nobody',
	'-',
	'7',
	'Ada Obi, no',
	true,
	false,
	0,
	7,
	['Ada Obi'],
	{ name: 'Ada Obi' },
	'',
	' ',
	', ',
	null,
	undefined,
])('an item with %j refuses everything before the first request', async (by) => {
	const items = [approved('Ada Obi'), approved(by), approved('Ben Eze')];
	const { message, description } = await refusalOf({ ...PAYOUT, options: { approvedBy } }, { items });
	expect(message).toMatch(
		/^'Approved By', the name of who has said yes, is no name of a person: .+ \[item 2\]$/s,
	);
	expect(description).toMatch(/^Enter the name of the person who has said yes/);
	expect(description).not.toMatch(/remove/);
	const all = await resultsOf({ ...PAYOUT, options: { approvedBy } }, { items });
	expect(all).toEqual(['notSent', 'notSent', 'notSent']);
	expect(asked()).toBe(0);
});

test('a list in which each item names somebody is paid', async () => {
	const items = [approved('Ada Obi', '1'), approved('Ada Obi, Ben Eze', '2'), approved('王', '3')];
	expect(await resultsOf({ ...PAYOUT, options: { approvedBy } }, { items })).toEqual(Array(3).fill('paid'));
	expect(accepted()).toEqual(['1', '2', '3']);
});

test('a dry run asks for no name, and needs none for items that are paid beside it', async () => {
	const options = { approvedBy, dryRun: '={{ !$json.approvedBy }}' };
	const items = [approved(''), approved('Ada Obi', '2'), approved(undefined)];
	expect(await resultsOf({ ...PAYOUT, options }, { items })).toEqual(['dryRun', 'paid', 'dryRun']);
	expect(accepted()).toEqual(['2']);
	const dry = { approvedBy, dryRun: true };
	expect(await resultsOf({ ...PAYOUT, options: dry }, { items: [approved('no')] })).toEqual(['dryRun']);
	const { error } = await run(
		{ ...PAYOUT, options: { ...dry, maximumAmount: 'much' } },
		{ items: [approved('no')] },
	);
	expect(error!.message).toContain("'Maximum Amount'");
});

test('what nobody has approved leaves its key free, and says nothing of what was paid', async () => {
	expect((await payByKey([keyed('a')], { approvedBy: '' })).map(({ json }) => json.result)).toEqual([
		'notSent',
	]);
	const [paid] = await payByKey([keyed('a')], { approvedBy: 'Ada Obi' });
	expect(paid!.json).toMatchObject({ result: 'paid', paymentKey: 'a' });
	const [again] = await payByKey([keyed('a')], { approvedBy: 'no' });
	expect(again!.json).toMatchObject({ result: 'notSent', paymentKey: 'a', amount: '10' });
	expect(accepted()).toEqual(['10']);
});

test('no model says who has approved: a tool has no such option', async () => {
	const limits = { maximumAmount: '100', allowedAliases: 'supplier-main', allowedCurrencies: 'NGN' };
	for (const by of ['Ada Obi', approvedBy, "={{ $fromAI('name') }}"]) {
		const parameters = { ...FIAT, options: { ...limits, approvedBy: by } };
		const { items } = await run(parameters, { type: 'walletServiceTool', items: [approved('Ada Obi')] });
		expect(items.flat()).toMatchObject([
			{ json: { result: 'notSent', message: expect.stringContaining("'Approved By'") } },
		]);
	}
	const { error } = await run(
		{ ...FIAT, options: { approvedBy: "={{ $fromAI('name') }}" } },
		{ items: [approved('Ada Obi')] },
	);
	expect(error!.message).toContain("'Approved By' must not come from an AI model");
	expect(asked()).toBe(0);
});
