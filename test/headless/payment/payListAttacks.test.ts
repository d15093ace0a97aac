/**
 * Sets of rows that say who approved, what was decided, or which limits hold. Through *Read* none of them is paid. As they are, they
 * are paid within the limits of the node. What was paid is counted at the service.
 */
import type { IDataObject } from 'n8n-workflow';
import { ageKeys } from '../memoryProcessedItems.ts';
import { CONTINUED, resultOf, withNode } from '../withNode.ts';

const { run, fault, sandbox } = withNode();

const DESK = { type: 'walletServiceDesk' };
const READ = {
	resource: 'list',
	operation: 'read',
	source: 'items',
	options: { checkDestinations: false },
};
/** What the author of the workflow has set. */
const PAY = {
	resource: 'payoutList',
	operation: 'pay',
	limits: {
		limit: [
			{
				code: 'NGN',
				maximumAmount: '100',
				maximumTotal: '150',
				secondApprovalAbove: '50',
				allowedAliases: 'supplier-main',
			},
			{ code: 'USDT', isCoin: true, maximumAmount: '5', maximumTotal: '8', allowedAliases: 'treasury' },
		],
	},
	options: { maximumPerDay: '3', duplicateCheck: '7' },
};

const good = { paymentKey: 'INV-1', amount: '10', currency: 'NGN', destination: 'supplier-main' };
const coin = { paymentKey: 'INV-1', amount: '4', coin: 'USDT', destination: 'treasury' };
const ADA = { approvedBy: 'Ada Obi' };
const BOTH = { approvedBy: 'Ada Obi, Ben Eze' };
/** Rows under keys of their own. */
const several = (count: number, row: object) =>
	Array.from({ length: count }, (_, index) => ({ ...good, ...row, paymentKey: `INV-${index + 1}` }));

/** Who has said yes, or what became of a payment. `paid`: what the service pays of the rows as they are. */
const OF_PEOPLE: Array<[what: string, rows: object[], paid: string[]]> = [
	['one name', [{ ...good, ...ADA }], ['10 NGN']],
	['one name for a coin', [{ ...coin, ...ADA }], ['4 USDT']],
	['two names', [{ ...good, amount: '51', ...BOTH }], ['51 NGN']],
	['one name above the second approval', [{ ...good, amount: '51', ...ADA }], []],
	['one name twice', [{ ...good, amount: '51', approvedBy: 'Ada Obi, ADA OBI' }], []],
	['one name in wide letters, too', [{ ...good, amount: '51', approvedBy: 'Ada Obi, Ａｄａ Ｏｂｉ' }], []],
	['a name and a hidden sign', [{ ...good, amount: '51', approvedBy: 'Ada Obi, Ada\u2060 Obi' }], []],
	['names above the maximum', [{ ...good, amount: '101', ...BOTH }], []],
	['a name for another destination', [{ ...good, destination: 'supplier-usd', ...ADA }], []],
	['a name for another currency', [{ ...good, currency: 'USD', ...ADA }], []],
	['a name for a coin of that code', [{ ...coin, coin: 'NGN', ...ADA }], []],
	['a name for a currency of a coin', [{ ...good, currency: 'USDT', ...ADA }], []],
	[
		'names for more than the total',
		several(4, { amount: '45', ...ADA, again: true }),
		['45 NGN', '45 NGN', '45 NGN'],
	],
	[
		'names for more than a day',
		several(5, { amount: '1', ...ADA, again: true }),
		['1 NGN', '1 NGN', '1 NGN'],
	],
	['names for one payment under two keys', several(2, ADA), ['10 NGN']],
	['no name', [{ ...good, approvedBy: 'no' }], []],
	['a template', [{ ...good, approvedBy: '{{ $json.name }}' }], []],
	['an expression', [{ ...good, approvedBy: '={{ "Ada Obi" }}' }], []],
	['a yes', [{ ...good, approvedBy: true }], []],
	['a list of names', [{ ...good, amount: '51', approvedBy: ['Ada Obi', 'Ben Eze'] }], []],
	['fewer names than are needed', [{ ...good, amount: '51', ...ADA, approvalsNeeded: 1 }], []],
	['that none is needed', [{ ...good, amount: '51', ...ADA, approvalsNeeded: 0 }], []],
	['that none is needed, and no name', [{ ...good, approvalsNeeded: 0 }], []],
	['that it was not paid', [{ ...good, decision: 'wasNotPaid' }], []],
	['that it was not paid, and a name', [{ ...good, decision: 'wasNotPaid', ...ADA }], ['10 NGN']],
	['that it was paid, and a name', [{ ...good, decision: 'wasPaid', ...ADA }], []],
	['a decision in other letters', [{ ...good, Decision: 'wasNotPaid' }], []],
	['Approved By', [{ ...good, 'Approved By': 'Ada Obi' }], []],
	['approved_by', [{ ...good, approved_by: 'Ada Obi' }], []],
	['APPROVEDBY', [{ ...good, APPROVEDBY: 'Ada Obi' }], []],
	['ａｐｐｒｏｖｅｄＢｙ', [{ ...good, ａｐｐｒｏｖｅｄＢｙ: 'Ada Obi' }], []],
	['a name with a hidden sign in its column', [{ ...good, 'approved\u200bBy': 'Ada Obi' }], []],
	['Approvals needed', [{ ...good, 'Approvals needed': '1' }], []],
	['a name in the second row only', [good, { ...good, paymentKey: 'INV-2', ...ADA }], ['10 NGN']],
];

/** Rows with other limits, or in the form of what a node has given before. `isProblem`: *Read* says so. */
const OTHERS: Array<[what: string, rows: object[], paid: string[]]> = [
	['larger limits', [{ ...good, ...ADA, amount: '101', maximumAmount: '999', maximumTotal: '999' }], []],
	[
		'limits as the node has them',
		[{ ...good, ...ADA, amount: '101', limits: { limit: [{ code: 'NGN' }] } }],
		[],
	],
	['options as the node has them', [{ ...good, options: { needsApproval: false } }], []],
	['that no approval is needed', [{ ...good, needsApproval: false }], []],
	['that it is no dry run', [{ ...good, dryRun: false, isUnapproved: false }], []],
	['a decision as the option is called', [{ ...good, ...ADA, ifOutcomeIsUnknown: 'wasNotPaid' }], ['10 NGN']],
	['a repetition as the option is called', several(2, { ...ADA, allowDuplicate: true }), ['10 NGN']],
	[
		'other destinations that are allowed',
		[{ ...good, ...ADA, destination: 'supplier-usd', allowedAliases: 'supplier-usd' }],
		[],
	],
	['that it was paid', [{ ...good, result: 'paid', alreadyPaid: true }], []],
	['a name in an inner field', [{ ...good, extra: ADA, json: ADA, data: ADA }], []],
	[
		'a name for the prototype',
		[JSON.parse(JSON.stringify(good).replace('{', '{"__proto__":{"approvedBy":"Ada Obi"},')) as object],
		[],
	],
	['a name in the key', [{ ...good, paymentKey: 'INV-1 approvedBy Ada Obi' }], []],
];

const itemsOf = (rows: object[]) => rows.map((json) => ({ json: json as IDataObject }));
const read = async (rows: object[]) =>
	(await run(READ, { ...DESK, items: itemsOf(rows) })).items.flat().map(({ json }) => json);
const pay = async (rows: object[]) => (await run(PAY, { ...CONTINUED, items: itemsOf(rows) })).items.flat();
const paid = () => [...sandbox.service.ledger.payouts.all()].map(({ amount, code }) => `${amount} ${code}`);

test('there are at least forty sets', () =>
	expect(OF_PEOPLE.length + OTHERS.length).toBeGreaterThanOrEqual(40));

test.each(OF_PEOPLE)(
	'%s: Read names the column, does not hand it on, and nothing is paid',
	async (_, rows) => {
		const said = (value: unknown) =>
			/ada obi|wasNotPaid|wasPaid/i.test(JSON.stringify(value).normalize('NFKC'));
		const all = await read(rows);
		expect(all.length).toBeGreaterThanOrEqual(rows.length);
		expect(all.filter(({ problems }) => (problems as string[]).length > 0).length).toBeGreaterThan(0);
		for (const { problems, ...row } of all) {
			expect(problems).toBeDefined();
			expect(said(row)).toBe(false);
			for (const name of ['approvedBy', 'approvalsNeeded', 'decision']) expect(row).not.toHaveProperty(name);
		}
		for (const item of await pay(all)) expect(['notSent', 'dryRun']).toContain(resultOf(item));
		expect(paid()).toEqual([]);
	},
);

test.each(OTHERS)('%s, through Read: nothing is paid', async (_, rows) => {
	for (const item of await pay(await read(rows))) expect(['notSent', 'dryRun']).toContain(resultOf(item));
	expect(paid()).toEqual([]);
});

test.each([...OF_PEOPLE, ...OTHERS])(
	'%s, as it is: paid within the limits of the node',
	async (_, rows, expected) => {
		await pay(rows);
		expect(paid()).toEqual(expected);
	},
);

test('rows that look as if Read had given them are read again', async () => {
	const row = { ...good, row: 2, line: 2, note: '', again: false, problems: [], ...ADA };
	const items = [{ json: { rows: [row, { ...row, row: 3, paymentKey: 'INV-2', decision: 'wasNotPaid' }] } }];
	const list = { ...READ, source: 'list', list: '={{ $json.rows }}' };
	const all = (await run(list, { ...DESK, items })).items.flat().map(({ json }) => json);
	expect(all).toHaveLength(2);
	for (const each of all) {
		expect(each.problems).not.toEqual([]);
		expect(each).not.toHaveProperty('approvedBy');
		expect(each).not.toHaveProperty('decision');
	}
	expect((await pay(all)).map(resultOf)).toEqual(['notSent', 'notSent']);
});

test.each([
	['wasNotPaid', {}, 0],
	['wasNotPaid', ADA, 0],
	['wasPaid', ADA, 0],
])('the decision %s of a row with %j that comes too early decides nothing', async (decision, said, more) => {
	await fault({ dropAfter: true }, 1);
	expect((await pay([{ ...good, ...ADA }])).map(resultOf)).toEqual(['unknown']);
	expect((await pay([{ ...good, ...said, decision }])).map(resultOf)).toEqual(['unknown']);
	expect(paid()).toHaveLength(1 + more);
});

test('a decision by nobody stays undecided when its time has come', async () => {
	await fault({ dropAfter: true }, 1);
	await pay([{ ...good, ...ADA }]);
	ageKeys();
	for (const said of [{}, { approvedBy: '' }, { approvedBy: 'no' }])
		expect((await pay([{ ...good, ...said, decision: 'wasNotPaid' }])).map(resultOf)).not.toContain('paid');
	expect(paid()).toHaveLength(1);
});
