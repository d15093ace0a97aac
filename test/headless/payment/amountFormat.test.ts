import { cryptoPayout, FIAT, PAYOUT, payout, withNode } from '../withNode.ts';

/** Amounts as people of a country write them. */
const { run, accepted, asked } = withNode();

const items = [' 1.250,50 ', '2.000', '3,75'].map((amount) => payout(amount));
const written = (amountFormat: string, more: object = {}) => ({
	...PAYOUT,
	options: { amountFormat, ...more },
});

test('amounts in the format that the user has chosen are paid with every digit', async () => {
	const { error, items: outputs } = await run(written('1.250,50', { maximumTotal: '3254.25' }), { items });
	expect(error).toBeUndefined();
	expect(accepted()).toEqual(['1250.50', '2000', '3.75']);
	expect(outputs[0]!.map(({ json }) => json.amount)).toEqual(['1250.50', '2000', '3.75']);
});

test('limits count the amounts that are sent', async () => {
	const { error } = await run(written('1.250,50', { maximumAmount: '1999.99' }), { items });
	expect(error?.message).toContain("The amount 2000 is above 'Maximum Amount' 1999.99");
	expect(asked()).toBe(0);
});

test('a format may differ for each item', async () => {
	const mixed = ['1.250,50', 'strict'].map((format) => payout('1.250', { format }));
	await run(written('={{ $json.format }}'), { items: mixed });
	expect(accepted()).toEqual(['1250', '1.250']);
});

test('crypto payouts by fields follow the format, and a JSON body does not', async () => {
	const byFields = { ...cryptoPayout(''), specifyBody: 'fields', coin: 'USDT', wallet_alias: 'treasury' };
	const paid = await run({ ...byFields, amount: '1,5', options: { amountFormat: '1.250,50' } });
	expect(paid.items[0]![0]!.json.amount).toBe('1.5');
	const json = cryptoPayout('{"coin":"USDT","amount":"1.250","wallet_alias":"treasury"}');
	const sent = await run({ ...json, options: { amountFormat: '1.250,50' } });
	expect(sent.items[0]![0]!.json.amount).toBe('1.250');
});

test('without the option, a comma is refused and the message names the option', async () => {
	const { error } = await run({ ...FIAT, amount: '1,250.50' });
	expect((error as { description?: string }).description).toContain("'Amount Format'");
	expect(asked()).toBe(0);
});
