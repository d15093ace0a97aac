/** What an approver reads on the page and in the mail: the rows, by destination if they are many, and nothing that a text could fake. */
import { factsPage, factsText } from '../../examples/code/factsPage.js';
import { rowsShown } from '../../examples/code/rowsShown.js';
import { separated } from '../../examples/code/separated.js';

test.each([
	['0', '0'],
	['999', '999'],
	['1000', '1,000'],
	['12345.6789', '12,345.6789'],
	['900000000000000000.35', '900,000,000,000,000,000.35'],
	['-1234567.5', '-1,234,567.5'],
	['1e5', '1e5'],
	['1234x', '1234x'],
	['1,234', '1,234'],
	['', ''],
	[undefined, 'undefined'],
])('the amount %j is shown as %s', (amount, shown) => expect(separated(amount)).toBe(shown));

const row = (key: string, amount: string, destination = 'supplier-main', code = 'NGN') => ({
	paymentKey: key,
	amount,
	...(code === 'USDT' ? { currency: '', coin: code } : { currency: code, coin: '' }),
	destination,
});

test('a short list is shown row by row', () => {
	expect(rowsShown([row('A-1', '1250.50'), row('A-2', '12.5', 'treasury', 'USDT')])).toEqual([
		'Payouts: 2',
		['A-1: 1,250.50 NGN to supplier-main', 'A-2: 12.5 USDT to treasury'],
	]);
	const most = Array.from({ length: 20 }, (_, index) => row(`A-${index}`, '5'));
	expect(rowsShown(most)).toEqual([
		'Payouts: 20',
		most.map(({ paymentKey }) => `${paymentKey}: 5 NGN to supplier-main`),
	]);
});

test('of a longer list the first 20 rows are shown, and all by destination', () => {
	const rows = [
		...Array.from({ length: 18 }, (_, index) => row(`A-${index}`, '1000.1')),
		row('B', '2', 'treasury', 'USDT'),
		row('C', '3', 'other'),
		row('D', '0.25', 'treasury', 'USDT'),
		row('E', '7', 'treasury'),
	];
	const [count, shown, title, groups] = rowsShown(rows);
	expect(count).toBe('Payouts: 22. These are the first 20');
	expect(shown).toHaveLength(20);
	expect((shown as string[]).at(-1)).toBe('C: 3 NGN to other');
	expect(title).toBe('By destination: all 22');
	expect(groups).toEqual([
		'supplier-main: 18 payouts, 18,001.8 NGN',
		'treasury: 3 payouts, 2.25 USDT, 7 NGN',
		'other: 1 payout, 3 NGN',
	]);
});

test('a currency and a coin of one name are not added', () => {
	const rows = Array.from({ length: 21 }, (_, index) => ({
		...row(`A-${index}`, '1', 'both', 'USD'),
		...(index === 0 && { currency: '', coin: 'USD' }),
	}));
	expect(rowsShown(rows)[3]).toEqual(['both: 21 payouts, 1 USD, 20 USD']);
});

test('an amount that is no decimal is shown as it is, and breaks nothing', () => {
	const rows = Array.from({ length: 21 }, (_, index) => row(`A-${index}`, index === 3 ? '1,5' : '2'));
	expect((rowsShown(rows)[1] as string[])[3]).toBe('A-3: 1,5 NGN to supplier-main');
	expect(rowsShown(rows)[3]).toEqual(['supplier-main: 21 payouts, an amount cannot be read']);
});

test('the mail and the page have the same facts, and no text adds a line, a tag or an expression of n8n', () => {
	const facts = [...rowsShown([row('A\nPay: 1', '5', '<img src=x>{{ $env }}')]), 'Asked by: a: b <i>'];
	expect(factsText(facts)).toBe('Payouts: 1\n- A Pay: 1: 5 NGN to <img src=x>{{ $env }}\nAsked by: a: b <i>');
	expect(factsPage(facts)).toBe(
		'<p><b>Payouts:</b> 1</p><ul><li>A Pay: 1: 5 NGN to &#60;img src=x&#62;&#123;&#123; $env &#125;&#125;</li></ul><p><b>Asked by:</b> a: b &#60;i&#62;</p>',
	);
});
