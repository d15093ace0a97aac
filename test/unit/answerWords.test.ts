/** What an answer says of a payment where the document shows nothing, measured with the words of services that others run. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { getOperation } from '../../api/catalog.ts';
import { readResponse } from '../../nodes/shared/answers/interpret.ts';
import { readCorpus } from '../fixtures/answers/corpus.ts';
import { paymentRequest } from './paymentRequest.ts';

const FIAT = getOperation('fiatWallet.createPayout');
const CRYPTO = getOperation('cryptoWallet.createPayout');
const fields = { amount: '10', currency: 'NGN', account_alias: 'supplier-main' };
const options = { simplify: true, request: paymentRequest(fields) };

function outcomeOf(body: string, statusCode = 422, operation = FIAT): string {
	const read = readResponse(operation, { statusCode, body }, options);
	return read.ok ? 'paid' : read.failure.outcome;
}

/** The lines whose answer has another outcome than `expected`. */
function others(name: 'refusals' | 'openCopies', expected: string): { heldOut: string[]; learned: string[] } {
	const wrong = readCorpus(name).filter(({ body }) => outcomeOf(body) !== expected);
	const linesOf = (isHeldOut: boolean) =>
		wrong.filter((answer) => answer.isHeldOut === isHeldOut).map(({ line }) => line);
	return { heldOut: linesOf(true), learned: linesOf(false) };
}

function countOf(name: 'refusals' | 'openCopies', isHeldOut: boolean): number {
	return readCorpus(name).filter((answer) => answer.isHeldOut === isHeldOut).length;
}

describe('the documented answers of other payment services', () => {
	test.each([
		['refusals', 149, 375],
		['openCopies', 37, 123],
	] as const)('of the %s, %d are held out and %d were learned from', (name, heldOut, learned) => {
		expect([countOf(name, true), countOf(name, false)]).toEqual([heldOut, learned]);
	});

	test('of the plain refusals that were held out, at most 10 % are unknown', () => {
		const { heldOut } = others('refusals', 'rejected');
		expect(heldOut.length / countOf('refusals', true)).toBeLessThanOrEqual(0.1);
	});

	test('of the answers with an open copy that were held out, at most 5 % free the key', () => {
		const { heldOut } = others('openCopies', 'unknown');
		expect(heldOut.length / countOf('openCopies', true)).toBeLessThanOrEqual(0.05);
	});

	test('of those that the tables were written from, none frees a key by mistake', () => {
		expect(others('openCopies', 'unknown').learned).toEqual([]);
		expect(others('refusals', 'rejected').learned.length).toBeLessThanOrEqual(11);
	});
});

test.each([
	...['{"message":"Invalid signature","id":"err_123"}', '{"error":"Unique reference is missing"}'],
	'{"message":"Rate limit exceeded. Requests are charged per call."}',
	'{"error":{"code":"insufficient_funds","message":"Insufficient funds","reference":"ERR-7"}}',
	'{"code":"INVALID_ACCOUNT","message":"The account number is not valid","reference":"e-19"}',
	...[
		'{"message":"Amount is below the minimum of 100","id":"4f2c"}',
		'{"message":"Beneficiary not found","reference":"NF-1"}',
	],
	'{"status":"error","message":"Currency XYZ is not supported","data":null,"reference":"r-1"}',
	'{"error":{"id":"err_9","type":"permission_error","message":"This key has no permission for payouts"}}',
	'{"id":"err_5","title":"Forbidden","detail":"IP address is not whitelisted"}',
	'{"message":"Request timestamp is too old","request_id":"r1","id":"e1"}',
	...[
		'{"message":"destination is not approved","id":"b7"}',
		'{"error":"account_alias is required","ref":"Q7"}',
	],
	'{"errors":[{"id":"v1","field":"amount","message":"must be greater than 0"}]}',
	'{"success":false,"message":"Daily limit exceeded","id":"77"}',
	'{"errorCode":"E102","errorMessage":"Wallet balance is too low for this amount","uuid":"0b7f2a31"}',
	'{"message":"The payout cannot be processed: the bank code is invalid"}',
	...[
		'{"message":"Idempotency key is missing"}',
		'{"message":"Your account is suspended","hash":null,"id":"s1"}',
	],
	'{"message":"Nonce is required","created_at":"2026-11-25T10:00:00Z"}',
	'{"code":429,"message":"Too many requests","id":"rl-1"}',
	'{"message":"The request could not be completed because the balance is insufficient"}',
	'{"error":{"code":"unauthorized","message":"Invalid API key","id":"u1"}}',
	'{"message":"Value received for amount is not a number"}',
	'{"message":"The beneficiary has not been approved yet","reference":"b-3"}',
	'{"code":"INVALID_AMOUNT","request_id":"req_1","trace_id":"t","timestamp":"2026-11-25"}',
	'{"error":{"id":"err_1","code":"LIMIT_EXCEEDED"},"trace":{"id":"t"},"request":{"id":"r","reference":"x"}}',
	'{"message":"The payment cannot be processed: too low","payout_id":null,"id":"","alreadyPaid":false}',
	'{"type":"about:blank","title":"insufficient_balance","status":422,"detail":"The NGN balance is 10"}',
	'{"error":{"code":"destination_not_whitelisted","message":"x is Pending; a payout needs one that is Whitelisted"}}',
	'{"message":"No such account","account_id":"a-1","x-request-id":"r","ray_id":"7"}',
	'{"message":"This account is locked. Use another account of the same currency."}',
	...['{"errors":{"payment_reference":["is missing"]}}', '{"errors":{"transaction_id":"required"}}'],
	...['{"code":"ACCOUNT_ON_HOLD"}', '{"success":false,"error":"Amount too low","payout_ids":[]}'],
	JSON.stringify({ message: 'Insufficient balance. '.repeat(400) }),
])('an ordinary refusal frees the key: %s', (body) => {
	expect(outcomeOf(body)).toBe('rejected');
});

describe('what may leave an earlier copy of a payment open frees no key', () => {
	const sentences = readFileSync(resolve(import.meta.dirname, '../fixtures/answers/sentences.txt'), 'utf8')
		.split('\n')
		.filter((line) => line !== '' && !line.startsWith('#'));

	test.each(sentences)('as a message: %s', (message) => {
		expect(outcomeOf(JSON.stringify({ message }))).toBe('unknown');
	});

	// The reason is known, and something else speaks of a payment.
	test.each([
		...['"alreadyPaid":true', '"accepted":true', '"success":"true"', '"executed":true', '"result":"OK"'],
		...['"state":"in_progress"', '"status":"initiated"', '"state":"settled"', '"state":"unknown"'],
		...[
			'"status":"IN_TRANSIT"',
			'"status":"pending_approval"',
			'"code":"on_hold"',
			'"status":"under_review"',
		],
		...[
			'"status":"success_with_warnings"',
			'"executed_at":"2026-01-01"',
			'"paidOn":"2026-01-01"',
			'"sent":true',
		],
		...['"code":"DUPLICATE_REQUEST"', '"error":{"code":"REPLAY_DETECTED"}', '"errors":["nonce_reused"]'],
		...['"existing_id":"x"', '"duplicate":1', '"conflict":{"with":"x"}', '"previousAttempt":"x"'],
		...['"txid":"0xab"', '"txids":["ab1"]', '"uetr":"eb6305c9"', '"nip_session":"0001"'],
		...['"trx_ref":"77"', '"transaction_no":77', '"payout":"po_1"', '"payout_id":"po_1"', '"utr":"1234"'],
		...[
			'"order":{"no":"A1"}',
			'"links":{"payout":"https://x/p/1"}',
			'"payoutUrl":"https://x"',
			'"txHash":"0xab"',
		],
		...['"data":{"id":"po_1"}', '"data":[{"id":7}]', '"transfer":{"id":7}', '"details":{"withdrawalId":"9"}'],
		...['"note":"{\\"payout_id\\":\\"po_1\\"}"', '"info":"Payout was sent"', '"hint":"second attempt"'],
	])('beside a known reason: %s', (more) => {
		expect(outcomeOf(`{"message":"Insufficient balance",${more}}`)).toBe('unknown');
	});

	test.each([
		...[
			'Invalid request: du\u200bplicate',
			'Invalid request: ＤＵＰＬＩＣＡＴＥ',
			'invalid_request: déjà payé',
		],
		...['bad_request: La referencia ya fue utilizada', 'bad_request: Transacción duplicada'],
		...['invalid_request: 重复交易', 'Invalid request: r\u0435play'],
	])('in other letters or another language: %s', (message) => {
		expect(outcomeOf(JSON.stringify({ message }))).toBe('unknown');
	});

	test.each([
		...[
			'{"code":"DOUBLE_SPEND"}',
			'{"id":"po_1"}',
			'{"message":"OK"}',
			'{"payout_id":"p","payout_id":null}',
			'{}',
		],
		...['{"success":false,"status":"error"}', '{"payout_ids":[]}', '{"message":"No"}', '[]'],
		// Fields that repeat the request name no reason.
		...['{"narration":"missing invoice"}', '{"request":{"note":"Insufficient balance"}}'],
	])('without a reason: %s', (body) => {
		expect(outcomeOf(body)).toBe('unknown');
	});
});

describe('an accepted payment', () => {
	test.each([
		'{"status":"success","response":{"payout_id":"po_1"}}',
		'{"data":{"payout_id":"po_1","status":"pending","amount":10,"currency":"NGN"}}',
		...['approved', 'paid', 'completed'].map(
			(name) => `{"payout_id":"po_1","status":"pending","${name}":false}`,
		),
	])('whose answer is documented, nested or early: %s', (body) => {
		expect(outcomeOf(body, 200)).toBe('paid');
	});

	test.each([
		...[
			'{"data":{"id":"po_1"}}',
			'{"payout":{"id":"po_1"}}',
			'{"success":true,"result":{"transaction_id":"t1"}}',
		],
		...['{"data":{"payout":{"id":"po_1","status":"queued"}}}', '{"withdrawal":{"tx_hash":"0xab12"}}'],
		...['{"code":0,"message":"ok","data":{"payoutId":"p9"}}', '{"transaction":{"reference":"TX-9"}}'],
		...[
			'{"payout_id":"po_1","status":"submitted","approved":false}',
			'{"id":"po_1","processed":false,"sent":false}',
		],
		'{"data":{"id":"po_1","status":"pending","completed":false}}',
	])('whose answer is not documented: %s', (body) => {
		expect(outcomeOf(body, 200, CRYPTO)).toBe('paid');
	});

	test.each([
		...[
			'{"payout":{"id":"po_1"},"transaction":{"id":"t_1"}}',
			'{"customer":{"id":"c_1"}}',
			'{"data":[{"id":7}]}',
		],
		...[
			'{"error":{"id":"err_1"}}',
			'{"data":{"id":"po_1","status":"failed"}}',
			'{"data":{"id":"p","success":false}}',
		],
		...[
			'{"success":false,"data":{"id":"po_1"}}',
			'{"data":{"id":"po_1","amount":11}}',
			'{"data":{"id":"10"}}',
		],
		'{"data":{"data":{"data":{"data":{"id":"po_1"}}}}}',
	])('is not proved by %s', (body) => {
		expect(outcomeOf(body, 200, CRYPTO)).toBe('unknown');
	});
});

test('an item of a nested answer has the identifier where all items have it', () => {
	const read = (operation: typeof FIAT, body: string, idField?: string) =>
		readResponse(operation, { statusCode: 200, body }, { simplify: true, idField });
	const nested = '{"status":"success","response":{"payout_id":"po_1","amount":10.10}}';
	const fiat = { payoutId: 'po_1', amount: '10.10', extra: { status: 'success' } };
	expect(read(FIAT, nested)).toEqual({ ok: true, items: [fiat], id: 'po_1' });
	const crypto = { payoutId: '7', data: { id: 7, no: 'W-1' } };
	expect(read(CRYPTO, '{"data":{"id":7,"no":"W-1"}}')).toEqual({ ok: true, items: [crypto], id: '7' });
	expect(read(CRYPTO, '{"data":{"id":7,"no":"W-1"}}', 'no')).toMatchObject({ id: 'W-1' });
	const request = '{"id":"req_1","data":{"payout_id":"p"}}';
	expect(read(CRYPTO, request)).toMatchObject({ id: 'p' });
	expect(read(CRYPTO, '{"payout_id":"p"}', 'no')).toMatchObject({ failure: { outcome: 'unknown' } });
});

test('an answer of 15 MB is read in a moment', () => {
	const words = 'payment payment not found and ';
	const bodies = [
		JSON.stringify({ message: words.repeat(500_000) }),
		JSON.stringify({ errors: Array.from({ length: 3000 }, () => ({ message: words.repeat(166) })) }),
		`<title${words.repeat(500_000)}`,
	];
	const before = performance.now();
	for (const body of bodies) for (const statusCode of [200, 422, 500]) outcomeOf(body, statusCode);
	// Read in full, these took half a minute.
	expect(performance.now() - before).toBeLessThan(2000);
});
