/** What a person fills in becomes the exact body of a request, or a message that says what is wrong. */
import { ENDPOINTS, type Endpoint } from '../../api/endpoints.ts';
import type { AmountFormat } from '../../nodes/WalletService/input/readInput.ts';
import { longLiteral } from '../../nodes/WalletService/input/readInput.ts';
import { buildRequest } from '../../nodes/WalletService/input/buildRequest.ts';
import { bodyOf } from '../../nodes/shared/serviceRequest.ts';

const payout: Endpoint = ENDPOINTS['fiatWallet.createPayout'];
const proof: Endpoint = ENDPOINTS['funding.submitProof'];
const free: Endpoint = ENDPOINTS['cryptoWallet.createPayout'];

function requestFor(endpoint: Endpoint, parameters: Record<string, unknown>, amountFormat?: AmountFormat) {
	const value = (name: string) => parameters[name];
	const { request, issues } = buildRequest(endpoint, { value, expression: value }, { amountFormat });
	return { ...request.money, body: issues.length === 0 ? bodyOf(request) : undefined, issues };
}

function build(...request: Parameters<typeof requestFor>): string | undefined {
	const { body, issues } = requestFor(...request);
	return issues.length === 0 ? body : issues.map(({ message }) => message).join('; ');
}

const valid = { currency: 'NGN', amount: '10', account_alias: 'supplier-main' };
const filled = { coin: 'USDT', amount: '1.50', wallet_alias: 'treasury' };

describe('amounts', () => {
	test.each([
		['{{ 9007199254740991 }}', undefined],
		['{{ "1000000000000000001" }}', undefined],
		['0.300000000000000001', undefined],
		['{{ 1_000_000_000_000_000.7 }}', '1_000_000_000_000_000.7'],
		['{{ 1234567890.1234567 }}', undefined],
		// Not written as a decimal, so it is not compared.
		['{{ 1234567890123456. }}', '1234567890123456.'],
		['{{ 1. + "12345678901234567" }}', undefined],
	])('the number of the expression %s that may have lost digits: %s', (expression, lost) => {
		expect(longLiteral(`=${expression}`)).toBe(lost);
	});

	test.each([
		['0.123456789012345678', '0.123456789012345678'],
		['\uFEFF77.50\t', '77.50'],
		// Numbers come from expressions.
		[1e-7, '0.0000001'],
		[0.123456789012345, '0.123456789012345'],
		[9007199254740991, '9007199254740991'],
	])('the amount %j is sent as %s, with every digit', (amount, sent) => {
		expect(build(payout, { ...valid, amount })).toBe(
			`{"currency":"NGN","amount":${sent},"account_alias":"supplier-main"}`,
		);
	});

	test('an amount is held once, as its text, and is a number only in the body', () => {
		const expression = (name: string) => ({ ...valid, amount: '0.10' })[name];
		const { request } = buildRequest(payout, { value: expression, expression });
		expect(request.money.amount).toBe('0.10');
		expect(request.fields!.get('amount')).toEqual({ roles: ['amount'], isText: false });
		const signed = (name: string) => ({ currency: 'NGN', amount: '-0.10' })[name];
		const adjusted = buildRequest(ENDPOINTS['sandbox.adjustFiatBalance'], {
			value: signed,
			expression: signed,
		});
		expect(adjusted.request.fields!.get('amount')).toEqual({ value: '-0.10', isNumber: true });
		expect(bodyOf(adjusted.request)).toBe('{"currency":"NGN","amount":-0.10}');
	});

	test.each([
		['', "'Amount' is empty"],
		[1e21, "'Amount' came as the number 1e+21, which may have lost digits"],
		[null, "'Amount' is empty"],
		['1,000.50', "'Amount' has a comma: 1,000.50"],
		['1e3', "'Amount' has an exponent: 1e3"],
		['1e3x', "'Amount' is not a decimal number: 1e3x"],
		['+5', "'Amount' has a plus sign: +5"],
		['1 000', "'Amount' has spaces: 1 000"],
		['0XFF', "'Amount' is hexadecimal: 0XFF"],
		['007', "'Amount' has leading zeros: 007"],
		['.5', "'Amount' is not a decimal number: .5"],
		['\uFF15', "'Amount' is not a decimal number: \uFF15"],
		['-1E-7', "'Amount' has an exponent: -1E-7"],
		['0', "'Amount' is not above zero: 0"],
		['-5', "'Amount' is not above zero: -5"],
		[{}, "'Amount' is not text"],
		[NaN, "'Amount' came as the number NaN, which may have lost digits"],
		[0.12345678901234568, "'Amount' came as the number 0.12345678901234568, which may have lost digits"],
	])('the amount %p is refused, and the message says why', (amount, message) => {
		expect(build(payout, { ...valid, amount })).toBe(message);
	});

	test.each(['-5', '0', '+5'])('the advice about the amount %s is about its sign', (amount) => {
		expect(requestFor(payout, { ...valid, amount }).issues).toMatchObject([
			{ description: expect.stringMatching(/^Enter 'Amount' without a sign, and above zero, e\.g\. /) },
		]);
	});

	describe('in the format of another country', () => {
		test.each<[AmountFormat, unknown, string]>([
			['1,250.50', '1,234,567.8900', '1234567.8900'],
			['1,250.50', '12.345', '12.345'],
			['1.250,50', ' 1.250,50 ', '1250.50'],
			['1.250,50', '1.250', '1250'],
			['1.250,50', '12,345', '12.345'],
			['strict', '1.250', '1.250'],
			// Numbers come from expressions.
			['1.250,50', 1.25, '1.25'],
		])('with the format %s, %j is sent as %s', (format, amount, sent) => {
			expect(build(payout, { ...valid, amount }, format)).toContain(`"amount":${sent},`);
		});

		test.each<[AmountFormat, string]>([
			['1,250.50', '1.250,50'],
			['1,250.50', '12,50'],
			['1,250.50', '1,2500'],
			['1,250.50', '1234,567'],
			['1.250,50', '1250.50'],
			['1.250,50', '0.250'],
		])('with the format %s, %s is refused, since it may be another amount', (format, amount) => {
			const message = `'Amount' does not have the form ${format}: ${amount}`;
			const description = "Write 'Amount' in this form, or choose another 'Amount Format'";
			expect(requestFor(payout, { ...valid, amount }, format).issues).toMatchObject([
				{ message, description },
			]);
		});

		test('an amount with a minus is read in its format, and then refused', () => {
			expect(build(payout, { ...valid, amount: '-1,250.50' }, '1,250.50')).toBe(
				"'Amount' is not above zero: -1,250.50",
			);
		});
	});
});

test('all problems of an item are reported at once', () => {
	expect(build(payout, { currency: '', amount: 'x', account_alias: ' ' })).toBe(
		"'Currency' is empty; 'Amount' is not a decimal number: x; 'Settlement Account' is empty",
	);
});

test('a proof of payment is a web address', () => {
	expect(build(proof, { pop: 'https://example.com/r.pdf' })).toBe('{"pop":"https://example.com/r.pdf"}');
	for (const pop of ['receipt', 'ftp://example.com/x', 'https://'])
		expect(build(proof, { pop })).toBe(`'Proof of Payment URL' is not a web address: ${pop}`);
});

test('codes and texts that come as numbers are sent as text', () => {
	for (const account_alias of [42, 42n])
		expect(build(payout, { ...valid, currency: ' NGN ', account_alias })).toBe(
			'{"currency":"NGN","amount":10,"account_alias":"42"}',
		);
});

test.each([
	['GBp', "'Currency' GBp is pence"],
	['GBX', "'Currency' GBX is pence"],
	['USd', "'Currency' USd is cents"],
	[' ILa ', "'Currency' ILa is agorot"],
	['NGk', "'Currency' NGk is a small unit, such as pence or cents"],
])('the code %s counts pence or cents, and is refused', (currency, says) => {
	expect(build(payout, { ...valid, currency })).toBe(says);
});

test.each([
	['gbp', 'gbp'],
	['Gbp', 'Gbp'],
	['GBP', 'GBP'],
])('the code %s is a currency', (currency, sent) => {
	expect(build(payout, { ...valid, currency })).toContain(`"currency":"${sent}"`);
});

test('the coin USDt is no small unit', () => {
	expect(build(free, { ...filled, coin: 'USDt' })).toContain('"coin":"USDt"');
});

describe('a request whose fields the API document does not show', () => {
	test.each([
		['{"amount": 9007199254740993}', '{"amount":9007199254740993}'],
		[{ coin: 'USDT', amount: 1.5 }, '{"coin":"USDT","amount":1.5}'],
		['', "'Request Body' is empty"],
		['{}', "'Request Body' is empty"],
		['{', "'Request Body' is not valid JSON"],
		['{"a":1,"a":1}', "'Request Body' is JSON with a key twice"],
		[[{}], "'Request Body' is not a JSON object"],
		['{"amount":true}', "'amount' is not a decimal number: true"],
		[{ amount: ['10'] }, '\'amount\' is not a decimal number: ["10"]'],
		[{ amount: { value: 1000 } }, '\'amount\' is not a decimal number: {"value":1000}'],
		['{"amount":1e3}', "'amount' has an exponent: 1e3"],
		['{"coin":"USDT","amount":"0.0"}', "'amount' is not above zero: 0.0"],
		// Amounts keep their type, and fields their order.
		['{"note":{"amount":[1]},"amount":"1.50","coin":7}', '{"note":{"amount":[1]},"amount":"1.50","coin":7}'],
		[{ a: [2 ** 53] }, "'Request Body' has the number 9007199254740992, which may have lost digits"],
	])('the request body %j is sent, or refused, as: %s', (requestBody, result) =>
		expect(build(free, { specifyBody: 'json', requestBody })).toBe(result),
	);

	test('a value that JSON cannot hold is refused before anything is sent', () => {
		const circle: Record<string, unknown> = { ...filled };
		circle.inner = [circle];
		const wrong = build(free, { specifyBody: 'json', requestBody: circle });
		expect(wrong).toBe("'Request Body' is not a JSON object");
		const bodyFields = { field: [{ name: 'note', value: circle }] };
		expect(build(free, { ...filled, bodyFields })).toBe("'note' is not text");
	});

	test('a JSON body that is too long to be checked is refused, and not a crash', () => {
		const requestBody = JSON.stringify({ ...filled, note: '\\'.repeat(1e7) });
		const { body, issues } = requestFor(free, { specifyBody: 'json', requestBody });
		expect([body, issues]).toMatchObject([undefined, [{ message: "'Request Body' is not valid JSON" }]]);
	});
});

describe('the fields of an undocumented payment', () => {
	const rows = (...field: Array<{ name: string; value: unknown }>) => ({ bodyFields: { field } });

	test.each([
		[{ amount: 0.1 + 0.2 }, "'Amount' came as the number 0.30000000000000004, which may have lost digits"],
		[{ wallet_alias: undefined }, "'Settlement Wallet' is empty"],
		[rows({ name: undefined as never, value: 'x' }), "A field in 'Body Fields' has no name"],
		[rows({ name: 'amount', value: '5' }), "The body would have 'amount' twice"],
		[rows({ name: 'tag', value: 1e60 }), "'tag' came as the number 1e+60, which may have lost digits"],
	])('the fields of an undocumented payment are refused with %p', (changed, message) =>
		expect(build(free, { ...filled, ...changed })).toBe(message),
	);

	test('an undocumented payment may have further fields; a row without a value is left out', () => {
		const values = { ' network ': 'TRC20', memo: '', priority: 2 };
		const more = rows(...Object.entries(values).map(([name, value]) => ({ name, value })));
		expect(build(free, { ...filled, ...more })).toBe(
			'{"coin":"USDT","amount":1.50,"wallet_alias":"treasury","network":"TRC20","priority":2}',
		);
	});

	test('the fields of an undocumented payment have the keys that the options name', () => {
		const value = (name: string) => (filled as Record<string, unknown>)[name];
		const names = { amount: 'sum', currency: 'asset', destination: 'to' };
		const { request, issues } = buildRequest(free, { value, expression: value }, { names });
		expect(bodyOf(request)).toBe('{"asset":"USDT","sum":1.50,"to":"treasury"}');
		expect(request.money).toEqual({ amount: '1.50', currency: 'USDT', destination: 'treasury' });
		expect(issues).toEqual([]);
	});

	test('a read leaves out an undocumented field that is empty, and refuses one whose expression has no value', () => {
		const get: Endpoint = ENDPOINTS['cryptoWallet.get'];
		expect(build(get, {})).toBe('{}');
		const expression = (name: string) => (name === 'alias' ? '={{ $json.no }}' : undefined);
		const { issues } = buildRequest(get, { value: () => undefined, expression });
		expect(issues).toMatchObject([{ message: "'Crypto Wallet' is empty" }]);
	});
});
