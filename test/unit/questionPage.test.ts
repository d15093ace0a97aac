/** What an approver reads on the page and in the mail: the rows, by destination if they are many, and nothing that a text could fake. */
import { factsPage, factsText } from '../../examples/code/factsPage.js';
import { listAsText } from '../../examples/code/openLists.js';
import { run as toList } from '../../examples/code/payouts-file-1-check.list.js';
import { run as askedAbout } from '../../examples/code/payouts-file-2-pay.question.js';
import { run as toSecond } from '../../examples/code/payouts-file-2-pay.secondQuestion.js';
import { rowsShown } from '../../examples/code/rowsShown.js';
import { separated } from '../../examples/code/separated.js';
import { outputOf } from './outputOf.ts';

test.each([
	['12345.6789', '12,345.6789'],
	['900000000000000000.35', '900,000,000,000,000,000.35'],
	['-1234567.5', '-1,234,567.5'],
	// Below a thousand, and if it is no amount, a text is shown as it is.
	...['999', '1234x', '1234.', '1234.5.6', '1,234', ''].map((text) => [text, text]),
])('the amount %j is shown as %j', (amount, shown) => expect(separated(amount)).toBe(shown));

const row = (paymentKey: string, amount: string, destination = 'supplier-main', code = 'NGN') => ({
	...{ paymentKey, amount, destination },
	...(code === 'USDT' ? { currency: '', coin: code } : { currency: code, coin: '' }),
});

test('a short list is shown row by row', () => {
	expect(rowsShown([row('A-1', '1250.50'), row('A-2', '12.5', 'treasury', 'USDT')])).toEqual([
		'Payouts: 2',
		['A-1: 1,250.50 NGN to supplier-main', 'A-2: 12.5 USDT to treasury'],
	]);
	const most = Array.from({ length: 20 }, (_, index) => row(`A-${index}`, '5'));
	const lines = most.map(({ paymentKey }) => `${paymentKey}: 5 NGN to supplier-main`);
	expect(rowsShown(most)).toEqual(['Payouts: 20', lines]);
});

test('of a longer list the first 20 rows are shown, all by destination, and each that may be paid a second time', () => {
	const rows = [
		...Array.from({ length: 18 }, (_, index) => row(`A-${index}`, '1000.1')),
		row('B', '2', 'treasury', 'USDT'),
		row('C', '3', 'other'),
		row('D', '0.25', 'treasury', 'USDT'),
		// A currency and a coin of one name are not added.
		{ ...row('E', '7', 'treasury'), currency: 'USDT' },
		row('F', '1,5', 'other'),
	];
	const [count, shown, ...others] = rowsShown(rows);
	expect(count).toBe('Payouts: 23. These are the first 20');
	expect([shown!.length, (shown as string[]).at(-1)]).toEqual([20, 'C: 3 NGN to other']);
	const all = [
		'By destination: all 23',
		[
			'supplier-main: 18 payouts, 18,001.8 NGN',
			'treasury: 3 payouts, 2.25 USDT, 7 USDT',
			'other: 2 payouts, an amount cannot be read',
		],
	];
	expect(others).toEqual(all);
	const again = [{ ...rows[0]!, again: 'yes' }, ...rows.slice(1, -1), { ...rows.at(-1)!, again: 'yes' }];
	expect(rowsShown(again).slice(2)).toEqual([
		...all,
		'Paid even if they were paid before under another key: 2',
		['A-0: 1,000.1 NGN to supplier-main (again: yes)', 'F: 1,5 NGN to other (again: yes)'],
	]);
});

test('an approver reads which payment is the same, where the file says that both are meant', () => {
	const rows = [row('A-1', '5'), row('A-2', '5'), row('A-3', '6'), row('A-4', '7')].map((each, index) => ({
		...{ ...each, again: index < 3 ? 'yes' : '' },
		...{ problems: [], row: index + 2, line: index + 2 },
	}));
	const checks = [
		{ paymentKey: 'A-1', sameAs: 'INV-9 (paid on 2026-11-25)' },
		{ paymentKey: 'A-2', sameAs: '' },
		{ error: 'x' },
		{ paymentKey: 'A-4', sameAs: 'INV-9 (paid on 2026-11-25)' },
	];
	const nodes: Record<string, object[]> = {
		Rows: rows,
		Check: checks,
		'Upload payouts': [{ 'Your mail': ' ada@example.com ', 'Who approves': 'approver@example.com' }],
	};
	const $ = (name: string) => outputOf(...nodes[name]!);
	const list = toList({ $ } as never).map(({ json }) => json as unknown as ReturnType<typeof row>);
	expect(list[3]).toEqual({
		...{ ...row('A-4', '7'), again: '', asker: 'ada@example.com', approver: 'approver@example.com' },
	});
	expect(rowsShown(list)[1]).toEqual([
		'A-1: 5 NGN to supplier-main (again: yes, the same as INV-9 (paid on 2026-11-25))',
		'A-2: 5 NGN to supplier-main (again: yes)',
		'A-3: 6 NGN to supplier-main (again: yes)',
		'A-4: 7 NGN to supplier-main',
	]);
});

test('the mail and the page have the same facts, and no text adds a line, a tag or an expression of n8n', () => {
	const facts = [...rowsShown([row('A\nPay: 1', '5', '<img src=x>{{ $env }}')]), 'Asked by: a: b <i>'];
	expect(factsText(facts)).toBe('Payouts: 1\n- A Pay: 1: 5 NGN to <img src=x>{{ $env }}\nAsked by: a: b <i>');
	expect(factsPage(facts)).toBe(
		'<p><b>Payouts:</b> 1</p><ul><li>A Pay: 1: 5 NGN to &#60;img src=x&#62;&#123;&#123; $env &#125;&#125;</li></ul><p><b>Asked by:</b> a: b &#60;i&#62;</p>',
	);
});

describe('the question to the second person', () => {
	const rows = [row('A-1', '600'), row('A-2', '400.01')];
	const [asker, first, second] = ['ada', 'first', 'second'].map((name) => `${name}@example.com`);
	const hash = 'h'.repeat(64);
	const earlier = { id: 7, hash, same: listAsText(rows), asker, asked: 'then' };

	/** What *Question* makes of these, with the lists that have no answer yet. */
	function question(lists: object[], more: object = {}, settings: object = {}) {
		const nodes: Record<string, object[]> = {
			Hash: [{ hash }],
			List: rows,
			'When called': [{ asker, approver: second, approvedBy: first, list: '7', ...more }],
			Totals: [{ code: 'NGN', count: 2, total: '1000.01', balance: '5000' }],
			'Open lists': lists,
			Settings: [{ secondYesAbove: 'NGN 1000', secondApprover: second, ...settings }],
			File: [{}],
		};
		const n8n = { $: (name: string) => outputOf(...nodes[name]!), $now: { toFormat: () => 'now' } };
		return askedAbout(n8n as never)[0]!.json;
	}

	test('it names who said yes, has the hash last, and asks nobody after it', () => {
		const { text, ...asked } = question([earlier]);
		const last = [`Said yes before: ${first}`, `SHA-256 of the file: ${hash}`];
		expect(text.split('\n').slice(-2)).toEqual(last);
		expect(asked).toMatchObject({ problem: '', second: '', people: `${first}, ${second}` });
	});

	test.each([
		['whose file has changed', [{ ...earlier, hash: 'x' }], {}, 'The file has changed since the first yes.'],
		['that was closed', [], {}, 'The same list was answered with no before.'],
		['without a first yes', [earlier], { approvedBy: '' }, 'The same list was answered with no before.'],
	])('nobody is asked about a list %s, and it is closed', (_, lists, more, why) => {
		expect(question(lists, more)).toMatchObject({ problem: why, closes: listAsText(rows) });
	});

	test('a first question names the second person, and one that cannot be asked closes no other', () => {
		const before = { list: '', approvedBy: '', approver: first };
		expect(question([], before)).toMatchObject({
			text: expect.stringContaining(`Second yes: ${second} is asked after your yes`),
			people: `${first}, ${second}`,
		});
		const problem = expect.stringContaining('cannot be read');
		expect(question([earlier], before, { secondYesAbove: 'x' })).toMatchObject({ problem, closes: '' });
	});
});

test('the list of the first yes goes to the second person as it is', () => {
	const rows = [row('A-1', '600'), row('A-2', '1', 'treasury', 'USDT')];
	const asker = 'ada@example.com';
	const people = { approvedBy: 'first@example.com, other@example.com', approver: 'second@example.com' };
	const approver = `${people.approvedBy}, ${people.approver}`;
	const taken = { id: 7, rows: JSON.stringify(rows), asker, approver };
	const $ = (name: string) => outputOf(...(name === 'First yes' ? [taken] : []));
	expect(toSecond({ $ } as never).map(({ json }: { json: object }) => json)).toEqual(
		rows.map((each) => ({ ...each, asker, ...people, list: '7' })),
	);
});
