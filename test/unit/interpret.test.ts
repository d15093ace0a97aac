/** No answer of the service makes the node throw, show a secret, or call a payment made that may not be. */
import fc from 'fast-check';
import { CATALOG, getOperation, movesMoney } from '../../api/catalog.ts';
import { readResponse } from '../../nodes/shared/answers/interpret.ts';
import { answerOf } from '../fixtures/operationCases.ts';
import { OPERATIONS } from '../fixtures/operations.ts';
import { expectGrowthWith } from './growth.ts';
import { paymentRequest } from './paymentRequest.ts';

/** Bodies of any kind: JSON of any shape, with the keys of real answers, and text that is not JSON. */
const KEYS = ['payout_id', 'transaction_id', 'id', 'status', 'results', 'error', 'success', 'message'];
const key = fc.oneof(fc.constantFrom(...KEYS, '__proto__'), fc.string());
const { value } = fc.letrec((tie) => ({
	value: fc.oneof(
		{ maxDepth: 4 },
		fc.constantFrom(null, '', 'failed', true, false, 0, -0, 1e308, '1e9', '0.1'),
		fc.string(),
		fc.double(),
		fc.array(tie('value')),
		fc.dictionary(key, tie('value')),
	),
}));
const body = fc.oneof(
	value.map((json) => JSON.stringify(json) ?? ''),
	fc.string(),
	fc.constantFrom('', '[]', '[[]]', '{', '<html>', '\uFEFF{}', '1e9999'),
);
const statusCode = fc.oneof(
	fc.constantFrom(200, 201, 204, 400, 401, 409, 422, 429, 500),
	fc.integer({ min: 100, max: 599 }),
);

/** What the service answers to this operation, with other values for up to two keys. */
function changedAnswer(id: string): fc.Arbitrary<string> {
	const { items, raw = items[0]! } = OPERATIONS[id]!.cases[0]!;
	// A matcher of Jest stands for a text.
	const shown = JSON.parse(
		JSON.stringify(answerOf(raw), (_, each: unknown) => (each instanceof TEXT ? 'some text' : each)),
	) as object;
	const change = fc.tuple(fc.constantFrom(...Object.keys(shown), ...KEYS), value);
	return fc
		.array(change, { maxLength: 2 })
		.map((changes) => JSON.stringify({ ...shown, ...Object.fromEntries(changes) }));
}
const TEXT = (expect.stringMatching(/./) as object).constructor as new () => object;

test.each(CATALOG)('no answer to $id throws, and an accepted payment is one item', (endpoint) => {
	let accepted = 0;
	fc.assert(
		fc.property(
			statusCode,
			fc.oneof(body, changedAnswer(endpoint.id)),
			fc.boolean(),
			fc.string(),
			(code, text, simplify, secret) => {
				const raw = { statusCode: code, body: text, retryAfter: secret };
				const result = readResponse(endpoint, raw, { simplify, secrets: [secret] });
				if (!result.ok) {
					expect(['rejected', 'unknown']).toContain(result.failure.outcome);
					expect(result.failure.message).not.toBe('');
					return;
				}
				accepted += 1;
				expect(code >= 200 && code < 300).toBe(true);
				if (movesMoney(endpoint)) expect(result.items).toHaveLength(1);
			},
		),
		{ numRuns: 300 },
	);
	// Enough of the random answers are accepted.
	expect(accepted).toBeGreaterThan(5);
});

const PAYOUT = getOperation('fiatWallet.createPayout');
const CRYPTO = getOperation('cryptoWallet.createPayout');

const SECRET = 'Fake-Key-0123456789';

test.each([
	['the message', 401, `{"message":"key ${SECRET} is wrong"}`],
	['keys and values', 401, `{"message":"no","received":{"${SECRET}":["${SECRET}"]}}`],
	['a page that is cut off inside it', 500, `<html>${'x'.repeat(1980)}${SECRET}`],
	['a field that becomes lower case', 200, `{"payout_id":"p","status":"${SECRET}","amount":10}`],
	['a field for another payment', 200, `{"payout_id":"p","account_alias":"${SECRET}${'x'.repeat(9000)}"}`],
	['signs of a pattern', 400, '{"message":"no","key":"a+(b)*[c]^"}'],
	['a field, as digits', 400, '{"message":"no","key":"918273645546372819"}'],
	['a field, as a number', 400, '{"message":"no","key":918273645}'],
	['a text, after a shorter one that it begins with', 400, '{"message":"a+(b)*[c]^wyz is wrong"}'],
])('a secret in %s of an answer is shown nowhere', (_what, statusCode, body) => {
	const digits = ['918273645', '918273645546372819'];
	const secrets = [SECRET, ...digits, 'a+(b)*[c]^', 'a+(b)*[c]^wyz'];
	const options = { simplify: true, secrets, request: paymentRequest({ account_alias: 'supplier-main' }) };
	const result = readResponse(PAYOUT, { statusCode, body }, options);
	expect(JSON.stringify(result)).not.toMatch(/fake-key|918273645|\(b\)|wyz/i);
	expect(JSON.stringify(result)).toContain('[redacted]');
	expect(result.ok ? 0 : result.failure.message.length).toBeLessThan(400);
});

test('words with fewer than six letters are shown, even if a key has them', () => {
	const answer = { statusCode: 400, body: '{"message":"short words"}' };
	const shown = (...secrets: string[]) =>
		JSON.stringify(readResponse(PAYOUT, answer, { simplify: true, secrets }));
	expect(shown('short')).toContain('short words');
	expect(shown('words', 't word')).toContain('shor[redacted]s');
});

/** What an answer says of a fiat payout, whose answer the document shows. */
const fiat = (body: string, statusCode = 200) => {
	const asked = { amount: '10', currency: 'NGN', account_alias: 'supplier-main' };
	const read = readResponse(PAYOUT, { statusCode, body }, { simplify: true, request: paymentRequest(asked) });
	return read.ok ? { outcome: 'paid' } : read.failure;
};
/** What an answer says of a crypto payout, whose answer the document does not show. */
const crypto = (
	body: string,
	asked: Record<string, string> = { amount: '5', coin: 'USDT', wallet_alias: 'treasury' },
) => {
	const read = readResponse(
		CRYPTO,
		{ statusCode: 200, body },
		{ simplify: true, request: paymentRequest(asked) },
	);
	return read.ok ? 'paid' : read.failure.outcome;
};
/** A refusal with a known reason. */
const REFUSED = '{"message":"Insufficient balance"}';
/** A fiat payout's documented answer, and more fields. */
const withId = (more: string) => `{"payout_id":"po_1","amount":10,"currency":"NGN",${more}}`;

describe('a status', () => {
	test.each([406, 408, 423, 424, 425, 499, 500, 199, 300])(
		'%d proves nothing, with any JSON body',
		(status) => {
			for (const body of [REFUSED, withId('"status":"pending"')])
				expect(fiat(body, status).outcome).toBe('unknown');
		},
	);

	test.each([400, 402, 403, 404, 409, 410, 412, 422, 451])(
		'%d is rejected with a known reason only',
		(status) => {
			const bodies = [REFUSED, '{"message":"no"}', '{}', '<html>no</html>', ''];
			const outcomes = ['rejected', 'unknown', 'unknown', 'unknown', 'unknown'];
			expect(bodies.map((body) => fiat(body, status).outcome)).toEqual(outcomes);
		},
	);

	test.each([401, 405, 411, 413, 414, 415, 421, 426, 428, 429, 431])(
		'%d names its reason itself',
		(status) => {
			const bodies = ['{"message":"no"}', '{}', '{"message":"Payout sent"}', '{"id":"a"}', '<html>no</html>'];
			const outcomes = ['rejected', 'rejected', 'unknown', 'unknown', 'unknown'];
			expect(bodies.map((body) => fiat(body, status).outcome)).toEqual(outcomes);
		},
	);

	test.each([
		[401, 'rejected'],
		[429, 'rejected'],
		[403, 'unknown'],
		[413, 'unknown'],
	])('%d without a body is %s', (status, outcome) => {
		expect(fiat('', status).outcome).toBe(outcome);
	});

	test.each([
		[402, '{"message":"no"}', 'rejected'],
		[409, '{"message":"no"}', 'rejected'],
		[422, '{"mensaje":"Saldo insuficiente"}', 'unknown'],
		[422, '{"error":"Payment failed"}', 'rejected'],
		[409, '{"message":"Reference already used"}', 'unknown'],
		[409, '{"payout_id":"po_1"}', 'unknown'],
		[409, '<html>no</html>', 'unknown'],
		[403, '{"message":"no"}', 'unknown'],
	])('%d %s, where 402, 409 and 422 are said to be refusals, is %s', (statusCode, body, outcome) => {
		const read = readResponse(
			PAYOUT,
			{ statusCode, body },
			{ simplify: true, refusedCodes: ['402', '409', '422'] },
		);
		expect(read).toMatchObject({ failure: { outcome } });
	});
});

test.each(['', '<html>Welcome</html>', '[]', '{"error":"no"}', '{"status":"pending"}'])(
	'a documented response that is %p is unknown',
	(body) => expect(fiat(body).outcome).toBe('unknown'),
);

test.each([
	'""',
	'" "',
	'null',
	'0',
	'-1',
	'"null"',
	'"N/A"',
	'"00000000-0000-0000-0000-000000000000"',
	'"\\u200b"',
	'false',
	'true',
	'"false"',
	'"pending"',
	'"FAILED"',
	'"not created"',
	'"0x0000"',
])('a documented response whose payout_id is %s is unknown', (id) => {
	expect(fiat(`{"payout_id":${id},"status":"pending","amount":10,"currency":"NGN"}`).outcome).toBe('unknown');
});

test.each([
	'[]',
	'[1]',
	'"ok"',
	'null',
	'12',
	'{}',
	'{"success":false}',
	'{"error":"no"}',
	'{"status":"failed"}',
	'{"ok":0}',
	'{"data":{"status":"failed","message":"no funds"}}',
	'{"status":"unsuccessful"}',
	'{"status":400,"message":"Not enough balance"}',
	'{"code":7}',
	'{"accepted":true}',
	'{"reference":"inv-1","error":"Insufficient funds"}',
	'{"message":"Starting up"}',
	'{"data":{"status":"queued"}}',
	'{"payout_id":"1","amount":"5","wallet_alias":"mallory"}',
	...[600, 100_000].map((depth) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`),
])('an undocumented response that reports a failure, or no payment, is unknown: %#', (body) => {
	expect(crypto(body)).toBe('unknown');
});

test.each([
	'"status":"aborted"',
	'"status":"bounced"',
	'"status":"unpaid"',
	'"status":"not_paid"',
	'"failed":true',
	'"status":"declined"',
	'"status":false',
	'"status":"on_hold"',
	'"status":"NOK"',
	'"sent":"failed"',
	'"code":"insufficient_funds"',
	'"result":"payment_refused"',
	'"transaction_state":"CANCELLED"',
	'"data":{"status":"expired"}',
	'"payoutStatus":"FAILED"',
	'"result":[{"success":false}]',
	'"status":"reversed"',
	'"status":"returned"',
	'"status":"blocked"',
	'"status":"KO"',
	'"isError":true',
	'"success":"failed"',
	'"success":false',
	'"ok":"no"',
	'"accepted":0',
	'"status":"403 Forbidden"',
	'"withdrawal_status":"failed"',
	'"status":"undelivered"',
	'"status":"dry_run"',
	'"status":"TIMEOUT"',
	'"status":"timed_out"',
	'"attributes":{"status":"failed"}',
	'"status":{"code":"FAILED"}',
	'"status":"errored"',
	'"status":"unprocessed"',
	'"status":"incomplete"',
	'"status":"rolled_back"',
	'"status":"unsent"',
	'"status":"chargeback"',
	'"status":"limit_reached"',
	'"status":"failed","status":"pending"',
	'"rejection_reason":"limit"',
	'"http_status":402',
	'"error_msg":"no"',
	'"errorDetails":"no"',
	'"error":"Ошибка"',
	'"status":"失敗"',
	'"error":"?"',
	'"status":"declined because of insufficient funds"',
	'"status":["failed"]',
	'"status":-1',
	'"payout_status":{"code":"FAILED"}',
	'"payoutResult":{"status":"FAILED"}',
	'"last_status":"failed"',
	'"failed_reason":"Limit"',
	'"reject_reason":"limit"',
	'"failed_at":"2026-01-01T00:00:00Z"',
	'"statusReason":"INSUFFICIENT_FUNDS"',
	'"substatus":"failed"',
	'"payment_failed":true',
	'"cancelled":true',
	'"was_reversed":true',
	'"dry_run":true',
	'"payout_successful":false',
	// It may be another payment that was made before.
	'"status":"duplicate"',
	'"is_duplicate":true',
	'"status":"ALREADY_EXISTS"',
	'"status":"ignored"',
	'"status":"rechazado"',
	'"status":"échoué"',
	'"status":"abgelehnt"',
	'"err":"no"',
	'"type":"error"',
	'"status_message":"FAILED"',
	'"status_description":"Declined"',
])('an ID beside a failure is unknown: %s', (more) => {
	expect(fiat(withId(more)).outcome).toBe('unknown');
});

test('of a long page the first 2,000 characters are kept', () => {
	expect(fiat('x'.repeat(5000), 500)).toMatchObject({ details: 'x'.repeat(2000) });
});

test('an answer with both names of a payout keeps both', () => {
	const body = '{"payout_id":"p","payoutId":"q"}';
	const read = readResponse(CRYPTO, { statusCode: 200, body }, { simplify: true });
	expect(read).toMatchObject({ items: [{ payout_id: 'p', payoutId: 'q' }] });
});

test('a payment that has an ID and failed says so', () => {
	expect(fiat(withId('"status":"pending","success":false'))).toMatchObject({
		message: 'The service answered 200 with an identifier, and says that the payment failed (success: false)',
		details: { payout_id: 'po_1' },
	});
	for (const error of ['{"message":"Too little money"}', '[{"message":"Too little money"}]'])
		expect(fiat(withId(`"error":${error}`))).toMatchObject({
			message: expect.stringContaining('(error: Too little money)'),
		});
});

test.each([
	'"status":"pending_blockchain_confirmation"',
	'"status":"accepted, not yet settled"',
	'"success":"Ok"',
	'"error":{}',
	'"errorCode":"00"',
	'"errorMessage":"No error"',
	'"code":1000',
	'"failure_url":"https://shop.example/failed"',
	'"bank":{"code":999992}',
	'"failed_at":null',
	'"failed":false',
	'"failed_reason":""',
	'"status":{"code":"PENDING"}',
	'"final":false',
	'"new":false',
	'"response":"We have reached the bank and sent the money"',
	'"cancelled":false',
	'"duplicate":false',
	'"status":"Payout accepted and sent to the bank today"',
	'"refund_status":"not_refunded"',
	'"beneficiary":{"state":"Blockhouse Bay"}',
	'"note":"A refund is returned if the bank rejects it"',
	// Not yet is not failed.
	...['approved', 'paid', 'sent', 'done', 'completed', 'processed'].map((name) => `"${name}":false`),
])('an ID beside %s is a payment', (more) => {
	expect(fiat(withId(more)).outcome).toBe('paid');
});

test.each([
	['{"payout_id":"po_1","amount":100,"currency":"NGN"}', 'amount 100 instead of 10'],
	['{"payout_id":"po_1","amount":10,"currency":"USD"}', 'currency USD instead of NGN'],
	['{"payout_id":"po_1","account_alias":"mallory"}', 'account_alias mallory instead of supplier-main'],
	['{"payout_id":7,"amount":10.00,"currency":"ngn"}', undefined],
	['{"payout_id":"po_1","account_alias":" Supplier\u200b-Main"}', undefined],
	['{"payout_id":"po_1","amount":1e1}', undefined],
	['{"payout_id":"po_1","amount":"10.00"}', undefined],
])('the answer %s to a payment of 10 NGN differs in: %s', (body, difference) => {
	expect(fiat(body)).toMatchObject(
		difference === undefined
			? { outcome: 'paid' }
			: { outcome: 'unknown', message: `The service answered 200 for another payment: ${difference}` },
	);
});

test.each(['reference', 'id'])('a %s that the answer repeats proves nothing', (name) => {
	const asked = { coin: 'USDT', [name]: 'INV-1042' };
	expect(crypto(JSON.stringify({ ...asked, message: 'Insufficient balance' }), asked)).toBe('unknown');
	expect(crypto(`{"${name}":"INV-1042","payout_id":"po_1"}`, asked)).toBe('paid');
});

test('the alias 42 is not the alias 0042', () => {
	const body = '{"payout_id":"p","coin":"USDT","wallet_alias":42}';
	expect(crypto(body, { coin: 'USDT', wallet_alias: '0042' })).toBe('unknown');
});

test.each([
	'{"message":"Too little money"}',
	'{"error":"Too little money"}',
	'"Too little money"',
	'{"error":{"detail":"Too little money"}}',
	'{"errors":[{"message":"Too little money"}]}',
	'{"errors":[{"code":"c","detail":"Too little money"}]}',
	'Too little money',
	'{"type":"about:blank","title":"c","status":409,"detail":"Too little money"}',
	'<html><head><title>Too little money</title></head></html>',
])("the service's message is found in the response body %s", (body) => {
	expect(fiat(body, 408)).toMatchObject({ message: 'The service answered 408: Too little money' });
});

test.each(['{}', ''])('the response body %j has no message', (body) => {
	expect(fiat(body, 408)).toMatchObject({ message: 'The service answered 408: no reason given' });
});

test.each(['<<<‹', '<title‹title', 'payment payment ', '"', 'a '])(
	'the time to read a long answer grows with it: %s',
	async (piece) =>
		await expectGrowthWith(2500, (times) => () => {
			const text = piece.repeat(times);
			for (const statusCode of [200, 422, 500])
				for (const body of [text, JSON.stringify({ message: text })])
					readResponse(PAYOUT, { statusCode, body }, { simplify: true });
		}),
);

test.each(['[]', 'null', '"failed"', '[{"alias":"a"}]', '{"status":"failed"}', '{"a":1,"a":2}'])(
	'what changes something and is answered with %s is unknown',
	(body) => {
		const create = getOperation('cryptoWallet.create');
		const result = readResponse(create, { statusCode: 200, body }, { simplify: true });
		expect(result).toMatchObject({ failure: { outcome: 'unknown' } });
	},
);

test.each([
	['{"results":[{"alias":"a"},{"alias":"b"}],"note":"x"}', [{ alias: 'a' }, { alias: 'b' }]],
	['{"data":{"accounts":[{"alias":"a"}],"page":1}}', [{ alias: 'a' }]],
	['[{"alias":"a"}]', [{ alias: 'a' }]],
	['{"results":[]}', []],
	['{"a":[{"alias":"a"}],"b":[{"alias":"b"}]}', [{ a: [{ alias: 'a' }], b: [{ alias: 'b' }] }]],
	['{"results":["a"]}', [{ results: ['a'] }]],
	['{"alias":"a"}', [{ alias: 'a' }]],
])('the undocumented list %s gives the items %p', (body, items) => {
	const list = getOperation('settlementAccount.getAll');
	expect(readResponse(list, { statusCode: 200, body }, { simplify: true })).toEqual({ ok: true, items });
});
