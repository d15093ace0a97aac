/** "See each result in the sandbox" of docs/reference/results.md: each line does what it says. */
import { readFileSync } from 'node:fs';
import type { INodeExecutionData } from 'n8n-workflow';

import { tableOf } from '../../fixtures/documentTables.ts';
import { ageKeys } from '../memoryProcessedItems.ts';
import { BY_KEY, CONTINUED, keyed, payout, resultOf, withNode } from '../withNode.ts';

const { run, payByKey, fault, accepted } = withNode();

const page = readFileSync('sandbox/page/page.js', 'utf8');
/** What the button with these words makes of the next fiat payouts. */
const click = async (words: string, times = 1) => {
	const [, kind = ''] = new RegExp(`^\\t'?${words}'?: \\{ (\\w+: \\w+) \\},$`, 'm').exec(page)!;
	await fault(JSON.parse(`{${kind.replace(/\w+/, '"$&"')}}`) as object, times);
};
const LOST = 'made, and its answer is lost';
const NOT_MADE = 'not made, and there is no answer';
const pay = async (item = keyed('new'), options: object = {}) => await payByKey([item], options);
const decide = async (ifOutcomeIsUnknown: string) => {
	await click(LOST);
	await pay();
	ageKeys();
	return await pay(keyed('new'), { ifOutcomeIsUnknown });
};
const ORDER = {
	resource: 'instantLiquidity',
	operation: 'convertAtRate',
	from: 'USDT',
	to: 'NGN',
	amount: '10',
	minimumRate: '2000',
};

/** What each line does, the result of its last item, and how many payouts the sandbox has then. */
const LINES: Record<string, [act: () => Promise<INodeExecutionData[]>, result: string, made: number]> = {
	'Execute the step with a new key': [pay, 'paid', 1],
	'Execute it again': [async () => (await pay(), await pay()), 'alreadyPaid', 1],
	'Add *Dry Run*, and enter a new key': [async () => await pay(keyed('new'), { dryRun: true }), 'dryRun', 0],
	'Enter the amount `1,250.50`': [async () => await pay(keyed('new', '1,250.50')), 'notSent', 0],
	'Enter a key that was paid, with another amount': [
		async () => (await pay(), await pay(keyed('new', '11'))),
		'notSent',
		1,
	],
	'Click **refused**, and enter a new key': [
		async () => (await click('refused'), await pay()),
		'rejected',
		0,
	],
	'Pay to `supplier-new`, which nobody has approved': [
		async () => await pay(payout('10', { key: 'new', alias: 'supplier-new' })),
		'rejected',
		0,
	],
	[`Click **${LOST}**, and enter a new key`]: [async () => (await click(LOST), await pay()), 'unknown', 1],
	[`Click **${NOT_MADE}**, and enter a new key`]: [
		async () => (await click(NOT_MADE), await pay()),
		'unknown',
		0,
	],
	'Seven minutes after `unknown`, add *If Outcome Is Unknown*: *It Was Paid*': [
		async () => await decide('wasPaid'),
		'alreadyPaid',
		1,
	],
	'Seven minutes after `unknown`, add *If Outcome Is Unknown*: *It Was Not Paid: Pay Now*': [
		async () => await decide('wasNotPaid'),
		'paid',
		2,
	],
	'*Convert at Best Rate* of 10 USDT to NGN at 2000': [
		async () => (await run(ORDER, CONTINUED)).items.flat(),
		'waiting',
		0,
	],
	[`Click **${LOST}** three times, and pay four items`]: [
		async () => {
			await click(LOST, 3);
			const items = ['a', 'b', 'c', 'd'].map((key) => keyed(key));
			return (await run(BY_KEY, { items, ...CONTINUED })).items.flat();
		},
		'notSent',
		3,
	],
};

const rows = tableOf('docs/reference/results.md', 'See each result in the sandbox');

test('the guide has a line for each result', () => {
	expect(rows.map(([, how]) => how)).toEqual(Object.keys(LINES));
});

test.each(rows)('%s: %s', async (shown, how = '') => {
	const [act, result, made] = LINES[how]!;
	expect(resultOf((await act()).at(-1)!)).toBe(result);
	expect(shown).toContain(result);
	expect(accepted()).toHaveLength(made);
});
