/** When the examples that ask an approver need a second person, and when they may ask nobody at all. */
import fc from 'fast-check';
import { secondYes } from '../../examples/code/secondYes.js';

const SECOND = 'second@example.com';
const people = { asker: 'finance@example.com', approver: 'approver@example.com' };
const pay = (...amounts: string[]) =>
	amounts.map((text) => {
		const [amount, code] = text.split(' ') as [string, string];
		const isCoin = ['USDT', 'BTC'].includes(code);
		const codes = { currency: isCoin ? '' : code, coin: isCoin ? code : '' };
		return { paymentKey: 'A', amount, ...codes, destination: 'supplier-main' };
	});
const found = (above: unknown, amounts: string[], more: object = {}, second: unknown = SECOND) =>
	secondYes({ secondYesAbove: above, secondApprover: second }, { rows: pay(...amounts), ...people, ...more });

const NOBODY = { second: '', problem: '' };
const ABOVE = 'NGN 1000000, USDT 500';

test('without settings nobody else is asked, whatever is paid', () => {
	expect(found('', ['999999999 NGN'], {}, '')).toEqual(NOBODY);
	expect(found('  ', ['1 NGN'], {}, ' ')).toEqual(NOBODY);
});

test.each([
	['the amount in another spelling', ['1000000.000 NGN'], ''],
	['the smallest part more', ['1000000.000000000000000001 NGN'], SECOND],
	['each below its own amount', ['1000000 NGN', '500 USDT'], ''],
	['one of two above', ['1 NGN', '500.5 USDT'], SECOND],
	['a currency without an amount', ['0.01 USD'], SECOND],
	['a code in small letters', ['5 ngn'], ''],
	['an amount that is no decimal', ['1,5 NGN'], SECOND],
	['an amount that is no decimal, before others', ['x NGN', '1 NGN'], SECOND],
])('%s: %j needs %j', (_, amounts, second) => {
	expect(found(ABOVE, amounts)).toEqual({ second, problem: '' });
});

test('a digit more or less counts, for any sums', () => {
	fc.assert(
		fc.property(
			fc.array(fc.bigInt({ min: 1n, max: 10n ** 20n }), { minLength: 1, maxLength: 30 }),
			fc.bigInt({ min: -3n, max: 3n }),
			(parts, more) => {
				const places = (units: bigint) => `${units / 1000n}.${String(units % 1000n).padStart(3, '0')}`;
				const sum = parts.reduce((a, b) => a + b, 0n);
				const limit = sum + more < 0n ? 0n : sum + more;
				const amounts = parts.map((units) => `${places(units)} NGN`);
				const { second } = found(`NGN ${places(limit)}`, amounts);
				expect(second).toBe(sum > limit ? SECOND : '');
			},
		),
	);
});

test('the amounts are read in any order and spelling', () => {
	const above = ' usdt 500 ,NGN  1000000.00';
	expect(found(above, ['1000000 NGN', '500 USDT'])).toEqual(NOBODY);
	expect(found(above, ['1000000.1 NGN']).second).toBe(SECOND);
});

test.each([
	...['NGN 1,000,000', 'NGN', '1000000', 'NGN:1000000', 'NGN 1000000; USDT 500', 'NGN 1e6', 'NGN -1'],
	...['NGN 5, NGN 7', 'NGN 1000000,', 'all 5 NGN', '0', 'off', 'NGN 1.', 'N\u0413N 5', ''],
])('the amounts %j cannot be read, so nobody is asked', (above) => {
	const problem = expect.stringContaining(`cannot be read: “${above}”`);
	expect(found(above, ['1 NGN'])).toEqual({ second: '', problem });
});

test.each(['', 'second', 'a@example.com, b@example.com', 'Second <second@example.com>', 'a b@example.com'])(
	'the second person %j is not one address, so nobody is asked',
	(second) => {
		expect(found(ABOVE, ['1 NGN'], {}, second).problem).toContain('is not one mail address');
	},
);

test.each([undefined, null, 5, {}])('a setting that is %j is not off', (value) => {
	for (const settings of [{ secondYesAbove: value }, { secondApprover: value }]) {
		const all = { secondYesAbove: '', secondApprover: '', ...settings };
		const { problem } = secondYes(all, { rows: pay('1 NGN'), ...people });
		expect(problem).toContain('The node Settings has no fields');
	}
});

test.each([
	['one of the first approvers', { approver: 'a@example.com;SECOND@example.com' }, 'first approver'],
	['the first approver, by name', { approver: 'Sec Ond <second@example.com>' }, 'first approver'],
	['the one who asks, with a name', { asker: 'Sec Ond second@example.com' }, 'who has asked for this'],
	['the one who asks', { asker: 'SECOND @example.com' }, 'who has asked for this'],
])('the second person may not be %s', (_, more, problem) => {
	expect(found(ABOVE, ['1000001 NGN'], more).problem).toContain(problem);
	// Nobody needs a second yes for less.
	expect(found(ABOVE, ['1 NGN'], more)).toEqual(NOBODY);
});
