/** What the options of a payment say, and what they forbid. */
import { checkLimits, checkTotal, totalOf } from '../../nodes/WalletService/input/limits.ts';
import type { PaymentOptions } from '../../nodes/WalletService/input/options.ts';
import { paymentRequest } from './paymentRequest.ts';
import { readOptions } from '../../nodes/WalletService/input/options.ts';

test('different currencies, and a payment without amount or currency, cannot be added up', () => {
	const both = totalOf(['NGN', 'USD'].map((currency) => ({ amount: '10', currency })));
	expect(checkTotal('100', both)).toMatchObject([
		{ message: "'Maximum Total' cannot add up different currencies: NGN, USD" },
	]);
	for (const unreadable of [{ currency: 'NGN' }, { amount: '1' }]) {
		const total = totalOf([unreadable, { amount: '1', currency: 'ngn' }]);
		expect(checkTotal('100', total)).toMatchObject([
			{
				message: expect.stringMatching(/^'Maximum Total' is set, but an earlier payment .* has no readable/),
			},
		]);
	}
});

describe('a limit refuses a payment that lacks what it needs', () => {
	const MONEY = { amount: '1', currency: 'NGN', destination: 'treasury' };
	const LIMITS = {
		maximumAmount: '1',
		maximumTotal: '9',
		allowedAliases: ['treasury'],
		allowedCurrencies: ['NGN'],
	};

	test.each([
		['maximumAmount', 'amount', "'Maximum Amount' is set, but the payment has no readable amount"],
		['maximumTotal', 'amount', "'Maximum Total' is set, but the payment has no readable amount"],
		['maximumTotal', 'currency', "'Maximum Total' is set, but the payment has no readable currency"],
		[
			'allowedAliases',
			'destination',
			"'Allowed Aliases' is set, but the payment has no readable destination",
		],
		[
			'allowedCurrencies',
			'currency',
			"'Allowed Currencies' is set, but the payment has no readable currency",
		],
	] as const)('%s without %s', (limit, part, message) => {
		const options = { [limit]: LIMITS[limit] } as unknown as PaymentOptions;
		expect(checkLimits(options, { money: MONEY })).toEqual([]);
		const { [part]: _, ...money } = MONEY;
		expect(checkLimits(options, { money })).toMatchObject([{ message, about: 'limit' }]);
	});

	test('without limits, nothing is needed', () => {
		expect(checkLimits({} as PaymentOptions, { money: {} })).toEqual([]);
	});
});

test.each(['Treasury', ' treasury', 'treasury\u00ad'])('the alias %j is one with treasury', (alias) => {
	const request = paymentRequest({ currency: 'NGN', amount: '1', account_alias: alias });
	const limitedTo = (...aliases: string[]) => ({ allowedAliases: aliases }) as unknown as PaymentOptions;
	expect(checkLimits(limitedTo('other', 'treasury'), request)).toEqual([]);
	expect(checkLimits(limitedTo('treasury2', 'trea sury'), request)).toHaveLength(1);
});

test('currencies have no case, also of an account with the name of one; IDs of contracts have', () => {
	const options = { allowedCurrencies: ['ngn'] } as unknown as PaymentOptions;
	const fiat = paymentRequest({ currency: 'NGN', amount: '1', account_alias: 'NGN' });
	expect(checkLimits(options, fiat)).toEqual([]);
	const money = { currency: 'NGN', amount: '1', destination: 'NGN' };
	const contract = { roles: ['currency', 'destination'], isText: true } as const;
	expect(checkLimits(options, { money, fields: new Map([['contract_id', contract]]) })).toMatchObject([
		{ message: "'NGN' is not one of 'Allowed Currencies'" },
	]);
});

test.each([
	['a, b', ['a', 'b']],
	['"Acme, Inc" , b', ['Acme, Inc', 'b']],
	['a\n"b"', ['a', 'b']],
	['" a " ,, b c', ['a', 'b c']],
	['"a"b, c', ['"a"b', 'c']],
])('the list %j has the entries %j', (allowedAliases, entries) => {
	const given = { allowedAliases, maximumPerDay: '20' };
	const { options, issues } = readOptions(given, () => given);
	expect([options.allowedAliases, options.maximumPerDay, issues]).toEqual([entries, 20, []]);
});

test('an option that n8n leaves out, because its expression gives nothing, is empty', () => {
	const { issues } = readOptions({ maximumAmount: '={{ $json.none }}' }, () => ({}));
	expect(issues).toMatchObject([{ message: "'Maximum Amount' is empty" }]);
});

test('no limit of a tool is an expression: each of them can read what the model has sent', () => {
	const written = { maximumAmount: '={{ $json.most }}', allowedAliases: 'supplier-main' };
	const { issues } = readOptions(written, () => ({ ...written, maximumAmount: '9' }), ['maximumAmount']);
	expect(issues).toMatchObject([{ message: "'Maximum Amount' must not come from an AI model" }]);
});

test('what comes from a model is not even evaluated', () => {
	const evaluate = jest.fn(() => ({ maximumAmount: '9' }));
	readOptions({ maximumAmount: "={{ $fromAI('most') }}" }, evaluate);
	readOptions({ maximumAmount: '={{ $json.most }}' }, evaluate, ['maximumAmount']);
	expect(evaluate).not.toHaveBeenCalled();
	// The author's own text and list are not from a model, whatever they hold.
	const own = { maximumAmount: '9', allowedAliases: 'a=b', refusedCodes: ['=402'] };
	const { issues } = readOptions(own, () => ({ ...own, refusedCodes: ['402'] }), ['maximumAmount']);
	expect(issues).toEqual([]);
});

test('a tool without limits reads which of them it needs', () => {
	const { issues } = readOptions({ allowedAliases: 'a' }, () => ({}), [
		...(['maximumAmount', 'allowedAliases', 'allowedCurrencies'] as const),
	]);
	expect(issues).toMatchObject([{ message: expect.stringContaining('Maximum Amount, Allowed Currencies') }]);
});

test('a switched-on Dry Run counts, even if no option can be evaluated', () => {
	const { options } = readOptions({ dryRun: true, maximumAmount: '={{ $json.none }}' }, () => undefined);
	expect(options.dryRun).toBe(true);
});

test('a value that cannot be read is shown without the spaces around it', () => {
	const { issues } = readOptions({ maximumAmount: ' many ' }, () => ({ maximumAmount: ' many ' }));
	expect(issues).toMatchObject([{ message: expect.stringMatching(/^'Maximum Amount' .*\bmany$/) }]);
});
