/** What the options of a payment say, and what they forbid. */
import { checkLimits, checkTotal, totalOf } from '../../nodes/WalletService/action/change/read/limits.ts';
import { readOptions } from '../../nodes/WalletService/action/change/read/options.ts';

test('different currencies, and a payment without amount or currency, cannot be added up', () => {
	const total = totalOf([{ amount: '1' }, { amount: '2', currency: 'usdt' }]);
	expect(checkTotal('100', total)).toMatchObject([
		{ message: "'Maximum Total' cannot add up different currencies: unknown, USDT" },
	]);
	const both = totalOf(['NGN', 'USD'].map((currency) => ({ amount: '10', currency })));
	expect(checkTotal('100', both)).toMatchObject([{ message: expect.stringMatching(/: NGN, USD$/) }]);
	const unread = totalOf([{ currency: 'NGN' }, { amount: '1', currency: 'NGN' }]);
	expect(checkTotal('100', unread)).toMatchObject([{ message: expect.stringContaining('Maximum Total') }]);
});

test('what is missing is on no list, so it is named by what reads it', () => {
	const options = { allowedAliases: ['treasury'], allowedCurrencies: ['NGN'], maximumAmount: '1' };
	expect(checkLimits(options as never, {} as never)).toEqual([]);
});

test.each([
	['a, b', ['a', 'b']],
	['"Acme, Inc" , b', ['Acme, Inc', 'b']],
	['a\n"b"', ['a', 'b']],
	['" a " ,, b c', ['a', 'b c']],
	['"a"b, c', ['"a"b', 'c']],
])('the list %j has the entries %j', (allowedAliases, entries) => {
	const given = { allowedAliases, maximumPerDay: '20' };
	const { options, issues } = readOptions(given, () => given, []);
	expect([options.allowedAliases, options.maximumPerDay, issues]).toEqual([entries, 20, []]);
});

test('an option that n8n leaves out, because its expression gives nothing, is empty', () => {
	const { issues } = readOptions({ maximumAmount: '={{ $json.none }}' }, () => ({}), []);
	expect(issues).toMatchObject([{ message: "'Maximum Amount' is empty" }]);
});
