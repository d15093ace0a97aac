/** The page that answers an upload: what is wrong, in words of the form, and the totals beside the balances. */
import {
	aliasProblem,
	formProblems,
	inWords,
	reportOf,
} from '../../examples/code/payouts-file-1-check.report.js';
import { run as besideTheBalance } from '../../examples/code/totals-and-balances.besideTheBalance.js';
import { run as totalsOf } from '../../examples/code/totals-and-balances.totals.js';
import { LIMIT, PAYMENT_KEY } from '../../nodes/WalletService/action/messages.ts';
import { ACCOUNTS, WALLETS } from './payoutFiles.ts';

const LISTS = { accounts: ACCOUNTS, wallets: WALLETS };
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
	['NGN', 'nobody', 'no settlement account has the alias nobody.'],
	['NGN', '=1+1', 'the destination =1+1 begins with a sign of a formula. Enter the alias.'],
	[
		'NGN',
		'supplier\u200b-main',
		'no settlement account has the alias supplier\u200b-main. It has the character U+200B, which nobody sees. Enter it again.',
	],
	[
		'NGN',
		'supplier-main\nB',
		'no settlement account has the alias supplier-main\nB. It has a line break. Enter it again.',
	],
	[
		'NGN',
		'supplier\u2010main',
		'no settlement account has the alias supplier\u2010main. It has the character \u2010 (U+2010). Enter it again.',
	],
])('%s to %s: %s', (code, destination, text) => {
	expect(aliasProblem(pay(code, destination), LISTS)?.text).toBe(text);
});

test('a row without a clear currency or coin has an alias all the same', () => {
	for (const codes of [
		{ currency: 'NGN', coin: 'USDT' },
		{ currency: '', coin: '' },
	]) {
		const row = { ...pay('NGN', 'treasury'), ...codes };
		expect(aliasProblem(row, LISTS)).toBeUndefined();
		expect(aliasProblem({ ...row, destination: 'nobody' }, LISTS)?.text).toBe(
			'no settlement account or wallet has the alias nobody.',
		);
	}
});

test('without a list of the service, or with other fields in it, no alias is called wrong', () => {
	const failed = { accounts: [{ error: { message: 'The service answered 503' } }], wallets: [] };
	expect(aliasProblem(pay('NGN', 'x'), failed)).toEqual({
		kind: 'other',
		text: 'the list of accounts could not be read. The service answered 503',
	});
	const other = { accounts: [{ name: 'x', status: 'Whitelisted' }], wallets: [] };
	expect(aliasProblem(pay('NGN', 'x'), other)?.text).toMatch(/^the list of accounts has no field alias/);
	const empty = { accounts: [{}], wallets: [{}] };
	expect(aliasProblem(pay('NGN', 'x'), empty)?.text).toBe('no settlement account has the alias x.');
});

const said = (...issues: Array<{ message: string; description: string }>) =>
	issues.map(({ message, description }) => `${message}. ${description}`).join('. ');

test.each([
	[
		LIMIT.amountIsAbove('600000.5', 'Maximum Amount', '500000'),
		'the amount 600000.5 is above 500000, the limit for one payout.',
	],
	[
		LIMIT.isNotAllowed('Allowed Aliases', 'nobody'),
		'nobody is not one of the destinations that may be paid.',
	],
	[LIMIT.isNotAllowed('Allowed Currencies', 'EUR'), 'EUR is not a currency or coin that may be paid.'],
	[
		LIMIT.perDayIsReached('Maximum Payments per Day', '12'),
		'the 12 payouts of today are made, and this is the limit for a day.',
	],
	[LIMIT.totalIsAbove('900', 'Maximum Total', '500'), 'the total 900 is above 500, the limit for one run.'],
	[
		PAYMENT_KEY.wasUsedDifferently('INV-1', 'amount'),
		'the paymentKey INV-1 was used before, for a payment with another amount. Find out which of the two is right.',
	],
	[
		PAYMENT_KEY.wasUsedByAnotherAccount('INV-1'),
		'the paymentKey INV-1 was used before, for a payment of another account. Find out which of the two is right.',
	],
	[
		LIMIT.isEmpty('Maximum Amount'),
		"'Maximum Amount' is empty. Show this to the person who looks after n8n.",
	],
])('a limit is named without the options of a node, which nobody sees at the form', (issue, text) => {
	const found = inWords(said(issue));
	expect(found.map((each) => each.text)).toEqual([text]);
	expect(text).not.toMatch(/raise|add |Allowed|change/i);
});

test('the same payment under another key is named with its key and day, and how both are paid', () => {
	const message =
		'The same payment has another key: INV 7 (b) (perhaps paid on 2026-11-02). If both must be paid, say yes in the field again, and run this again. Nothing was sent.';
	expect(inWords(message)).toEqual([
		{
			kind: 'file',
			text: 'the same payment was perhaps paid on 2026-11-02, with the paymentKey INV 7 (b). If both must be paid, write yes in a column again.',
		},
	]);
});

test('several limits of a row are all named', () => {
	const message = said(
		LIMIT.amountIsAbove('600000.5', 'Maximum Amount', '500000'),
		LIMIT.isNotAllowed('Allowed Aliases', 'x, y'),
		LIMIT.isNotAllowed('Allowed Currencies', 'USD'),
	);
	expect(
		inWords(message)
			.map(({ text }) => text)
			.sort(),
	).toEqual([
		'USD is not a currency or coin that may be paid.',
		'the amount 600000.5 is above 500000, the limit for one payout.',
		'x, y is not one of the destinations that may be paid.',
	]);
});

const PEOPLE = {
	form: { 'Your mail': 'finance@example.com', 'Who approves': 'approver@example.com' },
	approvers: ['approver@example.com'],
};
type Found = Parameters<typeof reportOf>[0];

/** The title and the words of the page, a line for each block. */
function page(rows: Array<Partial<Found['rows'][number]>>, more: Partial<Found> = {}) {
	const all = rows.map((row, index) => ({
		row: index + 2,
		line: index + 2,
		...pay('NGN', 'supplier-main'),
		paymentKey: `A-${index}`,
		problems: [],
		...row,
	}));
	const { title, message, unknown } = reportOf({
		...PEOPLE,
		...LISTS,
		rows: all,
		checks: all.map(({ paymentKey }) => ({ result: 'dryRun', paymentKey })),
		totals: [{ code: 'NGN', count: all.length, total: '5', balance: '7', isEnough: true }],
		...more,
	});
	const words = message
		.replaceAll(/<\/(li|p)>/g, '\n')
		.replaceAll(/<[^>]*>/g, '')
		.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
	return { title, lines: words.trim().split('\n'), unknown };
}

const NOTHING = 'Nothing was paid. Nobody was asked to approve it.';
const CORRECT = `${NOTHING} Correct the file and upload it again.`;
const WHO =
	'The limits are in n8n, in the workflow pay once. Only people who edit workflows there can change them.';
const above = (amount: string) => ({
	result: 'notSent',
	message: said(LIMIT.amountIsAbove(amount, 'Maximum Amount', '3')),
});

test('a good list', () => {
	expect(page([{}])).toEqual({
		title: 'The list is good',
		lines: [
			'1 payout, 5 NGN. The wallet has 7 NGN.',
			'approver@example.com gets a mail with the list. Nothing is paid yet. After a yes, the rows are paid, and you both get a mail with the results. The service reports no status of fiat payouts. Look in its dashboard.',
		],
		unknown: [],
	});
});

test('all problems of all rows are on one page, by rows', () => {
	const rows = [
		{
			amount: '',
			currency: '',
			problems: ['the amount is missing.', 'fill in currency or coin: one of the two.'],
			destination: 'nobody',
		},
		{ amount: '4' },
		{ amount: '4.5', line: 7 },
		{ ...pay('NGN', 'supplier-new'), amount: '9' },
	];
	const checks = [{}, above('4'), above('4.5'), above('9')].map((check, index) => ({
		paymentKey: `A-${index}`,
		...check,
	}));
	rows[3] = { ...rows[3]!, paymentKey: 'A-3' } as (typeof rows)[number];
	expect(page(rows, { checks })).toEqual({
		title: 'Correct the file',
		lines: [
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
	const { title, lines } = page([{ amount: '4' }], { checks: [{ paymentKey: 'A-0', ...above('4') }] });
	expect([title, ...lines]).toEqual([
		'Nobody was asked',
		'Row 2: the amount 4 is above 3, the limit for one payout.',
		WHO,
		NOTHING,
	]);
});

test.each([
	[{ 'Who approves': 'me@example.org' }, 'Choose who approves from the list.'],
	[{ 'Your mail': ' Approver@example.com ' }, 'Another person must approve. Choose one.'],
	[{ 'Your mail': 'a@example.com,b@example.com' }, 'Enter one mail address in Your mail.'],
	[{ 'Your mail': undefined }, 'Enter one mail address in Your mail.'],
])('a mistake of the form is not one of the file: %j', (form, text) => {
	const wrong = { ...PEOPLE.form, ...form };
	expect(formProblems(wrong, PEOPLE.approvers)).toEqual([text]);
	const unknown = [{ paymentKey: 'A-0', result: 'unknown' }];
	expect(page([{}], { form: wrong })).toEqual({
		title: 'Correct the form',
		lines: [text, NOTHING],
		unknown: [],
	});
	// Nobody gets a mail from a form that is wrong.
	expect(page([{}], { form: wrong, checks: unknown })).toMatchObject({
		title: 'Correct the form',
		unknown: [],
	});
	const both = page([{ problems: ['the amount is 0.'] }], { form: wrong });
	expect([both.title, ...both.lines]).toEqual([
		'Correct the form and the file',
		text,
		'Row 2: the amount is 0.',
		CORRECT,
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

test('what was paid, and what is not known', () => {
	const checks = [
		{ paymentKey: 'A-0', result: 'alreadyPaid' },
		{ paymentKey: 'A-1', result: 'unknown' },
	];
	expect(page([{}, {}], { checks })).toEqual({
		title: 'Correct the file',
		lines: [
			'Row 2: this paymentKey was paid before. Remove the row.',
			'Row 3: it is not known if this was paid before. approver@example.com gets a mail to settle it.',
			CORRECT,
		],
		unknown: ['A-1'],
	});
	expect(
		page([{}], { checks: checks.slice(1).map((check) => ({ ...check, paymentKey: 'A-0' })) }).title,
	).toBe('Nobody was asked');
});

test.each<[string, Partial<Found>, string]>([
	[
		'a check that did not run',
		{ checks: [{ error: { message: 'The workflow has issues' } }] },
		'Row 2: this row could not be checked. The workflow has issues',
	],
	[
		'a check of another row',
		{ checks: [{ paymentKey: 'B', result: 'dryRun' }] },
		'Row 2: this row could not be checked. Upload the file again.',
	],
	['no check', { checks: [] }, 'Row 2: this row could not be checked. Upload the file again.'],
	[
		'balances that fail',
		{ totals: [{ error: { message: 'No workflow' } }] },
		'The balances could not be read. No workflow',
	],
	['no total', { totals: [{}] }, 'The total in NGN could not be compared with a balance.'],
	[
		'too little',
		{ totals: [{ code: 'NGN', count: 1, total: '5', balance: '-3', isEnough: false }] },
		'The list needs 5 NGN. The wallet has -3 NGN.',
	],
])('nobody is asked after %s', (_, more, text) => {
	const { title, lines } = page([{}], more);
	expect([title, ...lines]).toEqual(['Nobody was asked', text, NOTHING]);
});

test('a balance that cannot be read is told', () => {
	const totals = [{ code: 'NGN', count: 2, total: '5', balance: '', isEnough: null }];
	expect(page([{}, {}], { totals })).toMatchObject({
		title: 'The list is good',
		lines: [
			'2 payouts, 5 NGN. The balance could not be read, so nobody knows if it is enough.',
			expect.anything(),
		],
	});
});

test('no text of a file becomes a tag', () => {
	const { message } = reportOf({
		...PEOPLE,
		...LISTS,
		rows: [{ row: 2, line: 2, ...pay('NGN', '<img src=x>'), problems: ['the amount <b>'] }],
		checks: [],
		totals: [],
	});
	expect(message).not.toMatch(/<img|amount <b>/);
	expect(page([{ destination: 'x'.repeat(900_000) }]).lines[0]).toMatch(/^.{307}…$/);
});

/** What a Code node of totals and balances gives for these items. */
const node = (run: typeof totalsOf, items: object[], before: object[] = []) => {
	const given = (all: object[]) => ({ all: () => all.map((json) => ({ json })) });
	return run({ $input: given(items), $: () => given(before) } as unknown as Parameters<
		typeof totalsOf
	>[0]).map(({ json }) => json as object);
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
