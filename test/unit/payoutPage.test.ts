/** The page that answers an upload: what is wrong, in words of the form, and the totals beside the balances. */
import {
	aliasProblem,
	formProblems,
	inWords,
	reportOf,
} from '../../examples/code/payouts-file-1-check.report.js';
import { run as besideTheBalance } from '../../examples/code/totals-and-balances.besideTheBalance.js';
import { run as totalsOf } from '../../examples/code/totals-and-balances.totals.js';
import { DAY, KEY } from '../../nodes/WalletService/action/change/pay/messages.ts';
import { LIMIT } from '../../nodes/WalletService/action/change/read/messages.ts';
import { outputOf } from './outputOf.ts';

const LISTS = {
	accounts: [
		{ alias: 'supplier-main', status: 'Whitelisted', currency: 'NGN' },
		{ alias: 'supplier-main', status: 'Rejected', currency: 'USD' },
		{ alias: '+234 rent', status: 'whitelisted', currency: 'ngn' },
		{ alias: 'supplier-new', status: 'Pending', currency: 'NGN' },
		{ alias: 'M\u00fcller', status: 'Whitelisted', currency: 'NGN' },
	],
	wallets: [
		{ alias: 'treasury', status: 'Whitelisted', asset_supported: 'usdt, USDC' },
		{ alias: '@desk', status: 'Whitelisted', asset_supported: 'BTC' },
	],
};
const pay = (code: string, destination: string) => ({
	...{ paymentKey: 'A', amount: '5', destination },
	...(['USDT', 'USDC', 'BTC'].includes(code) ? { currency: '', coin: code } : { currency: code, coin: '' }),
});

test.each([
	['NGN', 'supplier-main', undefined],
	// The service may write codes in small letters, and any record of the alias that fits counts.
	['NGN', '+234 rent', undefined],
	['USDT', 'treasury', undefined],
	['BTC', '@desk', undefined],
	['USD', 'supplier-main', 'the account supplier-main is not approved. Its status is Rejected.'],
	['EUR', 'supplier-main', 'the account supplier-main takes NGN, USD, not EUR.'],
	['BTC', 'treasury', 'the wallet treasury takes USDT, USDC, not BTC.'],
	['NGN', 'treasury', 'treasury is a wallet, and the row has a currency. Wallets take a coin.'],
	['USDT', 'supplier-main', 'supplier-main is an account, and the row has a coin. Accounts take a currency.'],
	['NGN', 'supplier', 'no settlement account has the alias supplier.'],
	['NGN', 'SUPPLIER-MAIN', 'no settlement account has the alias SUPPLIER-MAIN.'],
	['NGN', '=1+1', 'the destination =1+1 begins with a sign of a formula. Enter the alias.'],
])('%s to %s: %s', (code, destination, text) => {
	expect(aliasProblem(pay(code, destination), LISTS)?.text).toBe(text);
});

test.each([
	['supplier\u200b-main', 'the character U+200B, which nobody sees'],
	['supplier-main\nB', 'a line break'],
	['supplier\u2010main', 'the character \u2010 (U+2010)'],
	['Mu\u0308ller', 'the character \u0308 (U+0308)'],
])('of the alias %j the page says that it has %s', (alias, sign) => {
	const text = `no settlement account has the alias ${alias}. It has ${sign}. Enter it again.`;
	expect(aliasProblem(pay('NGN', alias), LISTS)?.text).toBe(text);
});

test.each([
	{ currency: 'NGN', coin: 'USDT' },
	{ currency: '', coin: '' },
])('a row with %j has an alias all the same', (codes) => {
	const row = { ...pay('NGN', 'treasury'), ...codes };
	expect(aliasProblem(row, LISTS)).toBeUndefined();
	const text = 'no settlement account or wallet has the alias nobody.';
	expect(aliasProblem({ ...row, destination: 'nobody' }, LISTS)?.text).toBe(text);
});

test.each([
	['an error', { error: 'No' }, 'other', 'the list of accounts could not be read. No'],
	[
		'other fields',
		{ name: 'x' },
		'other',
		'the list of accounts has no field alias, so nothing can be compared.',
	],
	['nothing', {}, 'file', 'no settlement account has the alias x.'],
] as Array<[string, object, string, string]>)(
	'a list of the service with %s calls an alias wrong only if it is',
	(_, account, kind, text) => {
		expect(aliasProblem(pay('NGN', 'x'), { accounts: [account], wallets: [] })).toEqual({ kind, text });
	},
);

const said = (...issues: Array<{ message: string; description: string }>) =>
	issues.map(({ message, description }) => `${message}. ${description}`).join('. ');

test('limits are named without the options of a node, which nobody sees at the form', () => {
	const found = inWords(
		said(
			LIMIT.amountIsAbove({ amount: '600000.5', label: 'Maximum Amount', maximum: '500000' }),
			LIMIT.isNotAllowed({ label: 'Allowed Aliases', value: 'x, y' }),
			LIMIT.isNotAllowed({ label: 'Allowed Currencies', value: 'EUR' }),
			DAY.perDayIsReached({ label: 'Maximum Payments per Day', maximum: '12' }),
			LIMIT.totalIsAbove({ total: '900', label: 'Maximum Total', maximum: '500' }),
			KEY.wasUsedDifferently({ key: 'INV-1', fields: 'amount' }),
			KEY.wasUsedByAnotherAccount('INV-2'),
		),
	);
	expect(found.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
		'limit: the amount 600000.5 is above 500000, the limit for one payout.',
		'limit: EUR is not a currency or coin that may be paid.',
		'limit: x, y is not one of the destinations that may be paid.',
		'limit: the 12 payouts of today are made, and this is the limit for a day.',
		'limit: the total 900 is above 500, the limit for one run.',
		'file: the paymentKey INV-1 was used before, for a payment with another amount. Find out which of the two is right.',
		'file: the paymentKey INV-2 was used before, for a payment of another account. Find out which of the two is right.',
	]);
	const other = "'Maximum Amount' is empty. Show this to the person who looks after n8n.";
	expect(inWords(said(LIMIT.isEmpty('Maximum Amount')))).toEqual([{ kind: 'other', text: other }]);
});

test('the same payment under another key is named with its key and day, and how both are paid', () => {
	const message =
		'The same payment has another key: INV 7 (b) (perhaps paid on 2026-11-02). If both must be paid, say yes in the field again, and run this again. Nothing was sent.';
	const text =
		'the same payment was perhaps paid on 2026-11-02, with the paymentKey INV 7 (b). If both must be paid, write yes in a column again.';
	expect(inWords(message)).toEqual([{ kind: 'file', text }]);
});

const approvers = ['approver@example.com'];
const PEOPLE = { form: { 'Your mail': 'finance@example.com', 'Who approves': approvers[0] }, approvers };
type Found = Parameters<typeof reportOf>[0];

const check = (paymentKey: string, result: string, message = '') => ({ paymentKey, result, message });

/** The words of the page, its title and a line for each block, and the keys that somebody is asked about. */
function page(rows: Array<Partial<Found['rows'][number]>>, more: Partial<Found> = {}) {
	const defaults = { ...pay('NGN', 'supplier-main'), problems: [] };
	const all = rows.map((row, index) => ({
		...{ row: index + 2, line: index + 2, ...defaults, paymentKey: `A-${index}` },
		...row,
	}));
	const { title, message, unknown } = reportOf({
		...{ ...PEOPLE, ...LISTS, rows: all, checks: all.map(({ paymentKey }) => check(paymentKey, 'dryRun')) },
		totals: [{ code: 'NGN', count: all.length, total: '5', balance: '7', isEnough: true }],
		...more,
	});
	const words = message
		.replaceAll(/<\/(li|p)>/g, '\n')
		.replaceAll(/<[^>]*>/g, '')
		.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
	return { says: [title, ...words.trim().split('\n')], unknown };
}

const NOTHING = 'Nothing was paid. Nobody was asked to approve it.';
const CORRECT = `${NOTHING} Correct the file and upload it again.`;
const WHO =
	'The limits are in n8n, in the workflow pay once. Only people who edit workflows there can change them.';
const above = (key: string, amount: string) =>
	check(key, 'notSent', said(LIMIT.amountIsAbove({ amount, label: 'Maximum Amount', maximum: '3' })));

test('a good list', () => {
	expect(page([{}])).toEqual({
		says: [
			'The list is good',
			'1 payout, 5 NGN. The wallet has 7 NGN.',
			'approver@example.com gets a mail with the list. Nothing is paid yet. After a yes, the rows are paid, and you both get a mail with the results. The service reports no status of fiat payouts. Look in its dashboard.',
		],
		unknown: [],
	});
});

test('all problems of all rows are on one page, by rows', () => {
	const problems = ['the amount is missing.', 'fill in currency or coin: one of the two.'];
	const rows = [
		{ amount: '', currency: '', problems, destination: 'nobody' },
		{ amount: '4' },
		{ amount: '4.5', line: 7 },
		{ amount: '9', destination: 'supplier-new' },
	];
	const checks = [check('A-0', ''), above('A-1', '4'), above('A-2', '4.5'), above('A-3', '9')];
	expect(page(rows, { checks })).toEqual({
		says: [
			'Correct the file',
			'Row 2: the amount is missing.',
			'Row 2: fill in currency or coin: one of the two.',
			'Row 2: no settlement account or wallet has the alias nobody.',
			'Rows 3, 4 (line 7) and 5: the amount … is above 3, the limit for one payout.',
			'Row 5: the account supplier-new is not approved. Its status is Pending.',
			WHO,
			'Rows are counted as in Excel, lines as in a text editor.',
			CORRECT,
		],
		unknown: [],
	});
});

test('a limit alone is not a mistake of the file', () => {
	const limit = 'Row 2: the amount 4 is above 3, the limit for one payout.';
	const { says } = page([{ amount: '4' }], { checks: [above('A-0', '4')] });
	expect(says).toEqual(['Nobody was asked', limit, WHO, NOTHING]);
});

test.each([
	[{ 'Who approves': 'me@example.org' }, 'Choose who approves from the list.'],
	[{ 'Your mail': ' Approver@example.com ' }, 'Another person must approve. Choose one.'],
	[{ 'Your mail': 'a@example.com,b@example.com' }, 'Enter one mail address in Your mail.'],
	[{ 'Your mail': undefined }, 'Enter one mail address in Your mail.'],
])('a mistake of the form is not one of the file, and sends no mail: %j', (change, text) => {
	const form = { ...PEOPLE.form, ...change };
	const isUnknown = page([{}], { form, checks: [check('A-0', 'unknown')] });
	const notKnown = 'Row 2: it is not known if this was paid before.';
	expect(isUnknown).toEqual({ says: ['Correct the form', text, notKnown, NOTHING], unknown: [] });
	const both = page([{ problems: ['the amount is 0.'] }], { form });
	expect(both.says).toEqual(['Correct the form and the file', text, 'Row 2: the amount is 0.', CORRECT]);
});

test('what was paid, and what is not known', () => {
	const paid = 'this paymentKey was paid before. Remove the row.';
	const unknown = 'it is not known if this was paid before. approver@example.com gets a mail to settle it.';
	expect(page([{}, {}], { checks: [check('A-0', 'alreadyPaid'), check('A-1', 'unknown')] })).toEqual({
		says: ['Correct the file', `Row 2: ${paid}`, `Row 3: ${unknown}`, CORRECT],
		unknown: ['A-1'],
	});
	expect(page([{}], { checks: [check('A-0', 'unknown')] }).says[0]).toBe('Nobody was asked');
	const failed =
		'this paymentKey was sent before, and its status is failed. To pay it again, use another paymentKey.';
	const says = 'This was sent before, and its status is failed. To pay it again, use another key.';
	expect(page([{}], { checks: [check('A-0', 'notSent', says)] }).says[1]).toBe(`Row 2: ${failed}`);
});

const NOT_CHECKED = 'Row 2: this row could not be checked.';
const TOTAL = { code: 'NGN', count: 1, total: '5', balance: '-3', isEnough: false };

test.each<[string, Partial<Found>, string]>([
	['a check that did not run', { checks: [{ error: { message: 'No' } }] }, `${NOT_CHECKED} No`],
	['a check of another row', { checks: [check('B', 'dryRun')] }, `${NOT_CHECKED} Upload the file again.`],
	['no check', { checks: [] }, `${NOT_CHECKED} Upload the file again.`],
	['balances that fail', { totals: [{ error: { message: 'No' } }] }, 'The balances could not be read. No'],
	['no total', { totals: [{}] }, 'The total in NGN could not be compared with a balance.'],
	['too little', { totals: [TOTAL] }, 'The list needs 5 NGN. The wallet has -3 NGN.'],
])('nobody is asked after %s', (_, more, text) => {
	expect(page([{}], more).says).toEqual(['Nobody was asked', text, NOTHING]);
});

test('a balance that cannot be read is told', () => {
	const { says } = page([{}, {}], { totals: [{ ...TOTAL, count: 2, balance: '', isEnough: null }] });
	expect(says.slice(0, 2)).toEqual([
		'The list is good',
		'2 payouts, 5 NGN. The balance could not be read, so nobody knows if it is enough.',
	]);
});

test('no text of a file becomes a tag', () => {
	const row = { row: 2, line: 2, ...pay('NGN', '<img src=x>'), problems: ['the amount <b>'] };
	const { message } = reportOf({ ...PEOPLE, ...LISTS, rows: [row], checks: [], totals: [] });
	expect(message).not.toMatch(/<img|amount <b>/);
	expect(page([{ destination: 'x'.repeat(900_000) }]).says[1]).toMatch(/^.{307}…$/);
});

/** What a Code node of totals and balances gives for these items. */
const node = (run: typeof totalsOf, items: object[], before: object[] = []) => {
	const n8n = { $input: outputOf(...items), $: () => outputOf(...before) };
	return run(n8n as never).map(({ json }) => json as object);
};

test('totals are compared with balances whose code is in small letters, or that are below zero', () => {
	const rows = [
		{ amount: '1.5', coin: 'usdt' },
		{ amount: ' 2 ', coin: 'USDT' },
		{ amount: 3, currency: 'NGN' },
		{ amount: '4', currency: 'USD' },
		{ amount: '5', currency: 'EUR' },
		{ amount: '6', coin: 'USD' },
	];
	const balances = [
		{ coin: 'usdt', balance: '20000' },
		{ currency: ' ngn', balance: '-0.50' },
		{ currency: 'USD', balance: '1,000.00' },
		{ coin: 'USD', balance: '7.5' },
	];
	const totals = node(totalsOf, rows);
	expect(node(besideTheBalance, balances, totals)).toMatchObject([
		{ code: 'USDT', count: 2, total: '3.5', balance: '20000', isEnough: true },
		{ code: 'NGN', total: '3', balance: '-0.50', isEnough: false },
		{ code: 'USD', balance: '', isEnough: null },
		{ code: 'EUR', balance: '', isEnough: null },
		{ code: 'USD', total: '6', balance: '7.5', isEnough: true },
	]);
});

test.each([
	'Ada Obi <Finance@Example.com>',
	'approver@example.com, finance@example.com',
	' finance@example.com ; approver@example.com',
])('nobody may approve a list of their own, also as one of “%s”', (approver) => {
	const form = { ...PEOPLE.form, 'Your mail': 'finance@example.com', 'Who approves': approver };
	expect(formProblems(form, [approver])).toEqual(['Another person must approve. Choose one.']);
	expect(formProblems({ ...form, 'Your mail': 'nance@example.com' }, [approver])).toEqual([]);
});
