import { CATALOG } from '../../api/catalog.ts';
import type { RawResponse } from '../../nodes/shared/answers/answer.ts';
import { readResponse } from '../../nodes/shared/answers/interpret.ts';
import { call, control, send, signed } from './client.ts';
import { withSandbox } from './withSandbox.ts';

const sandbox = withSandbox({ settleAfterMs: null });

describe('authentication by the three headers', () => {
	const path = '/v1/fiat_payout';
	const body = '{"currency":"NGN","amount":10,"account_alias":"supplier-main"}';
	/** Posts the body, signed at a time so many milliseconds from now, with these headers in place of the right ones. */
	const post = (away: number, headers: object = {}, sentBody = body) => {
		const signature = signed(sandbox, 'POST', path, body, Date.now() + away);
		const all = { 'content-type': 'application/json', ...signature, ...headers };
		return send(sandbox.url + path, 'POST', sentBody, all);
	};

	test('a timestamp 299 seconds ago is accepted', async () => {
		expect((await post(-299_000)).status).toBe(200);
	});

	const KEY = 'x-svc-key';
	const SIGNATURE = 'x-svc-signature';
	const TIMESTAMP = 'x-svc-timestamp';
	test.each([
		['no key', KEY, () => post(0, { [KEY]: '' })],
		['no signature', SIGNATURE, () => post(0, { [SIGNATURE]: '' })],
		['a wrong key', KEY, () => post(0, { [KEY]: `${sandbox.key}0` })],
		['another body', SIGNATURE, () => post(0, {}, body.replace('10', '11'))],
		['a space after the body', SIGNATURE, () => post(0, {}, `${body} `)],
		['another path', SIGNATURE, () => post(0, signed(sandbox, 'POST', '/v1/other', body, Date.now()))],
		['an old timestamp', TIMESTAMP, () => post(-301_000)],
		['a future timestamp', TIMESTAMP, () => post(301_000)],
		['a timestamp in seconds', TIMESTAMP, () => post(0, { [TIMESTAMP]: '1767322800' })],
	])('401 for %s names %s and contains no secret', async (_, header, sent) => {
		const { status, text, json } = await sent();
		expect(status).toBe(401);
		expect(json.error).toMatchObject({ code: 'unauthorized', field: header });
		expect(json.error.message).toMatch(new RegExp(`^${header} `));
		for (const secret of [sandbox.key, sandbox.secret]) expect(text).not.toContain(secret);
		expect(outcomeFor(`POST ${path}`, body, { statusCode: status, body: text })).toBe('rejected');
	});
});

/** Requests and answers. A request without a method is a POST. A field that is to be corrected is in brackets. */
const REFUSED = `
/v1/fiat_balance {"currency":" "} -> 400 invalid_request: currency is empty (currency)
/v1/fiat_balance {"currency":1} -> 400 invalid_request: currency must be text (currency)
/v1/fiat_balance {"currency":"NGN","x":1} -> 400 invalid_request: x is not a field of this request (x)
/v1/fiat_payout {"currency":"NGN","amount":"10","account_alias":"supplier-main"} -> 400 invalid_request: amount must be a JSON number (amount)
/v1/fiat_payout {"currency":"NGN","amount":-1,"account_alias":"supplier-main"} -> 400 invalid_request: amount must be above zero (amount)
/v1/fiat_payout {"currency":"NGN","amount":1e99999,"account_alias":"supplier-main"} -> 400 invalid_request: amount has more than 40 digits (amount)
/v1/fiat_payout {"currency":"NGN","amount":1e40,"account_alias":"supplier-main"} -> 400 invalid_request: amount has more than 40 digits (amount)
/v1/funding_request {"pop":"receipt.pdf"} -> 400 invalid_request: pop must be an absolute http or https URL (pop)
/v1/funding_request {"pop":"ftp://example.com/a"} -> 400 invalid_request: pop must be an absolute http or https URL (pop)
/v1/fiat_balance {"currency":"USDT"} -> 400 invalid_request: USDT is not a currency of this sandbox. Supported: NGN, USD, EUR, GBP, KES, GHS (currency)
/v1/fiat_balance {"currency": -> 400 invalid_request: The body is not JSON
/v1/fiat_balance ["NGN"] -> 400 invalid_request: The body is not a JSON object

/v1/virtual_details {"alias":"nobody"} -> 404 not_found: There is no virtual account nobody (alias)
/v1/instant_transaction {"id":"none"} -> 404 not_found: There is no instant transaction none (id)
/v1/fiat_payout {"currency":"NGN","amount":1,"account_alias":"none"} -> 404 not_found: There is no settlement account none (account_alias)
/nonsense -> 404 not_found: There is nothing at /nonsense

/v1/fiat_payout {"currency":"NGN","amount":5000000.01,"account_alias":"supplier-main"} -> 422 insufficient_balance: The NGN balance is 5000000, which does not cover 5000000.01 (amount)
/v1/crypto_payout {"coin":"USDT","amount":20000,"wallet_alias":"treasury"} -> 422 insufficient_balance: The USDT balance is 20000, which does not cover 20000.5 (amount)
/v1/instant_conversion {"contract_id":"ic_usdt_ngn","from_amount":15000.01} -> 422 amount_not_available: from_amount is more than the amount available of ic_usdt_ngn, which is 15000 USDT (from_amount)
/v1/fiat_payout {"currency":"NGN","amount":10,"account_alias":"supplier-usd"} -> 422 currency_mismatch: supplier-usd is an account in USD; it takes no NGN (account_alias)
/v1/fiat_payout {"currency":"NGN","amount":10,"account_alias":"supplier-new"} -> 422 destination_not_whitelisted: supplier-new is Pending; a payout needs a destination that is Whitelisted (account_alias)

/_sandbox/deposits {"alias":"customer-0042","amount":"1,5"} -> 400 invalid_request: amount must be a decimal number (amount)
/_sandbox/faults {"route":"*"} -> 400 invalid_request: A fault has one of status, delayMs, dropBefore, dropAfter, malformed, answer, appliedRate
/_sandbox/virtual_accounts {"alias":"customer-0042"} -> 409 conflict: The alias customer-0042 is already in use (alias)
PUT /_sandbox/payment_key_header {"header":"no header"} -> 400 invalid_request: Payment Key Header is not the name of a header, such as x-svc-id (header)

GET /v1/fiat_balance -> 404 not_found: There is no endpoint GET /v1/fiat_balance

GET /_sandbox/state?last=0 -> 400 invalid_request: last must be a whole number above zero (last)
`;

test.each(REFUSED.split('\n').filter((line) => line !== ''))('%s', async (line) => {
	const [, method = 'POST', path, body, expected] = /^(?:([A-Z]+) )?(\S+)(?: (.*?))? -> (.*)$/.exec(line)!;
	const before = (await control(sandbox, 'GET state')).json;
	const { status, text, json } = await call(sandbox, `${method} ${path}`, body);
	const { code, message, field } = json.error;
	expect(`${status} ${code}: ${message}${field ? ` (${field})` : ''}`).toBe(expected);
	expect((await control(sandbox, 'GET state')).json).toEqual(before);
	expect(outcomeFor(`${method} ${path}`, body, { statusCode: status, body: text })).toBe('rejected');
});

/** What the node makes of the answer to a request. */
function outcomeFor(route: string, body: string | undefined, raw: RawResponse): string {
	const endpoint = CATALOG.find((each) => each.route === route);
	// A body that is no object is not sent by the node.
	if (endpoint === undefined || body === undefined || !/^\{.*\}$/.test(body)) return 'rejected';
	const fields = Object.entries(JSON.parse(body) as object).map(
		([name, value]) => [name, { value }] as const,
	);
	const headerNames = Object.keys(signed(sandbox, 'POST', '/', '', 0));
	const options = { simplify: true, headerNames, request: { money: {}, fields: new Map(fields) } };
	const read = readResponse(endpoint, raw, options);
	return read.ok ? 'accepted' : read.failure.outcome;
}

describe('the controls are for this machine only', () => {
	test.each([
		[403, { host: 'sandbox.example.com' }],
		[403, { origin: 'https://example.com' }],
		[403, { origin: 'null' }],
		[200, { host: 'localhost' }],
		[200, { host: '[::1]:80' }],
	])('%d for requests with the header %j', async (status, headers) => {
		for (const path of ['/_sandbox/state', '/', '/page.js', '/openapi.json']) {
			expect((await send(sandbox.url + path, 'GET', undefined, headers)).status).toBe(status);
		}
	});

	test('a page of another port cannot use a control', async () => {
		const reset = `${sandbox.url}/_sandbox/reset`;
		const headers = { origin: 'http://127.0.0.1:8080' };
		for (const sent of [headers, { ...headers, 'content-type': 'text/plain' }])
			expect((await send(reset, 'POST', '{}', sent)).status).toBe(415);
		const preflight = await send(reset, 'OPTIONS', undefined, headers);
		expect(preflight.status).toBeGreaterThanOrEqual(400);
		expect(Object.keys(preflight.headers).join()).not.toContain('access-control');
	});
});

test('a funding that is refused changes nothing, also not the proof of payment that it would settle', async () => {
	await call(sandbox, 'POST /v1/funding_request', '{"pop":"https://example.com/receipt.pdf"}');
	const state = async () => (await control(sandbox, 'GET state')).json;
	const before = await state();
	const { id: funding_request } = before.funding_requests[0];
	const debit = { asset: 'GHS', amount: 1, direction: 'debit', funding_request };
	expect((await control(sandbox, 'POST admin_funding', debit)).status).toBe(422);
	expect(await state()).toEqual(before);
});
