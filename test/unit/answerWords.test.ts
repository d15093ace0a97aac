/** What an answer says of a payment where the document shows nothing, measured with the words of services that others run. */
import { getOperation } from '../../api/catalog.ts';
import { readResponse } from '../../nodes/shared/answers/interpret.ts';
import * as vocabulary from '../../nodes/shared/answers/vocabulary.ts';
import { readCorpus, readLines } from '../fixtures/answers/corpus.ts';
import { expectGrowthWith, processorTimeOf } from './growth.ts';
import { paymentRequest } from './paymentRequest.ts';

const FIAT = getOperation('fiatWallet.createPayout');
const CRYPTO = getOperation('cryptoWallet.createPayout');
const fields = { amount: '10', currency: 'NGN', account_alias: 'supplier-main' };
const options = { simplify: true, request: paymentRequest(fields) };

function failureOf(body: string, statusCode = 400, refusedCodes: string[] = []) {
	const read = readResponse(FIAT, { statusCode, body }, { ...options, refusedCodes });
	return read.ok ? undefined : read.failure;
}

function outcomeOf(body: string, statusCode = 400, operation = FIAT): string {
	const read = readResponse(operation, { statusCode, body }, options);
	return read.ok ? 'paid' : read.failure.outcome;
}

const message = (text: string) => JSON.stringify({ message: text });

describe('the documented answers of other payment services', () => {
	test('of 524 plain refusals, at most 12 % are unknown', () => {
		const all = readCorpus('refusals');
		const unknown = all.filter(({ body }) => outcomeOf(body) !== 'rejected');
		expect(all).toHaveLength(524);
		expect(unknown.length / all.length).toBeLessThanOrEqual(0.12);
	});

	test('of 160 answers with an open copy, none frees the key', () => {
		const all = readCorpus('openCopies');
		expect(all).toHaveLength(160);
		expect(all.filter(({ body }) => outcomeOf(body) !== 'unknown')).toEqual([]);
	});

	test.each([400, 403, 422])('as the message of a %d, no sentence of ours frees the key', (statusCode) => {
		const freed = readLines('sentences').filter((text) => outcomeOf(message(text), statusCode) !== 'unknown');
		expect(freed).toEqual([]);
	});
});

describe('a known reason beside anything that is not known frees no key', () => {
	test.each([
		[403, 'This payment needs a second signature'],
		[422, 'quote expired; filled at market'],
		[404, 'Recipient bank not found, rerouted via SWIFT'],
		[400, 'Invalid account. The debit will settle tomorrow'],
		[422, 'Insufficient balance: payout saved, fund your wallet to continue'],
		[429, 'Rate limit exceeded. Your payout is in our system'],
		[400, 'invalid field; payout_id=po_1'],
		[400, 'Session expired, the transfer could have gone out'],
	])('%d %s', (statusCode, text) => {
		expect(outcomeOf(message(text), statusCode)).toBe('unknown');
	});

	test.each([
		'"charged":true',
		'"newBalance":90',
		'"amount":90',
		'"balance":90',
		'"id":"abc"',
		'"id":7',
		'"code":"po_1"',
		'"success":true',
		'"success":"true"',
		'"ok":1',
		'"failed":false',
		'"error":false',
		'"code":0',
		'"code":"00"',
		'"code":"0"',
		'"detail":"0"',
		'"detail":"7"',
		'"status":200',
		'"status":"active"',
		'"status":"OK"',
		'"code":"200"',
		'"note":"invalid"',
		'"ошибка":"invalid"',
		'"data":{"payout":{"amount":10}}',
		'"data":{"id":"a"}',
		'"payout":{}, "transfer":{"code":"a"}',
		'"alreadyPaid":false',
		'"requestId":["po_1"]',
		'"data":{"requestId":"po_1"}',
		'"path":"/v1/payouts/po_1"',
		'"url":"https://x.example/p/1"',
		'"errors":{"charged":"invalid"}',
		'"errors":{"amount":90}',
		'"errors":[{"id":"v1","message":"invalid"}]',
		'"info":"https://docs.x.example/payouts/7781"',
		'"links":[{"href":"https://x.example/9","rel":"payout"}]',
		'"hint":"second attempt"',
		'"info":"{\\"payout_id\\":\\"po_1\\"}"',
		'"error":{"code":"REPLAY_DETECTED"}',
		'"executed_at":"2026-01-01"',
		'"txid":"0xab"',
		'"reference":"INV-1"',
		'"links":{"payout":"https://x.example"}',
	])('the field %s', (more) => {
		expect(outcomeOf(`{"message":"invalid",${more}}`)).toBe('unknown');
		expect(outcomeOf(`{"message":"invalid",${more}}`, 429)).toBe('unknown');
	});

	test.each([
		'po_1',
		'7781',
		'ref 12345',
		'#12345',
		'0xab12',
		'4f2c1d3e-9b1c-4f6a-8c5e-0123456789ab',
		'TX20261128',
		'١٢٣',
		'amount 7781x',
		'payout=7781',
		'8,8,1',
		'next nonce 5',
	])('the ID %s in a text', (id) => {
		expect(outcomeOf(message(`Invalid amount. ${id}`))).toBe('unknown');
		expect(outcomeOf(message(`Invalid amount for ${id}`))).toBe('unknown');
	});

	test.each([
		'du\u200bplicate',
		'ＤＵＰＬＩＣＡＴＥ',
		'déjà payé',
		'La referencia ya fue utilizada',
		'重复交易',
		'r\u0435play',
		'✅',
		'→ settled',
		'paid!',
		'alreadyPaid',
		'ALREADY_PAID',
		"it's done",
		'It’s done',
	])('in other letters, signs or spellings: %s', (text) => {
		expect(outcomeOf(message(`Invalid request: ${text}`))).toBe('unknown');
	});

	// Each word of these may stand in a plain refusal.
	test.each([
		'Your transfer is with the bank',
		'The money is with the recipient',
		'Transaction is on chain',
		'Currently with the bank',
		'Payout in settlement',
		'Payout is active',
		'Transfer registered',
		'payout valid',
		'Check your email',
		'Do not try again',
		'No errors found',
		'The payout is in the system',
		'Payout next day',
		'Payout complete',
		'standard payout',
	])('a sentence of words that refusals have: %s', (text) => {
		expect(outcomeOf(message(`Invalid callback. ${text}`))).toBe('unknown');
	});
});

describe('what is said of the payment itself is no reason', () => {
	test.each([
		'The payout to your settlement account is pending',
		'Your account has a payout pending',
		'Payout is not approved',
		'The payout was not verified',
		'Not approved',
		'Not verified',
		'Approval required',
		'Payout not found',
		'Transaction does not exist',
		'Payment not authorized',
		'Payment is missing authorization',
		'Payout blocked',
		'Payment requires authorization',
		'authentication required',
		'This payout requires an administrator',
		'Transfer requires PIN to continue',
		'Payout under validation',
		'Insufficient confirmations',
		'The request does not match the key',
		'Request body mismatch',
		'Idempotency key does not match the request',
		'Payout limit for this merchant reference exceeded',
		'Amount limited to your balance',
		'Additional information is needed for this transaction',
		'Document required for this transfer',
		'Payment failed',
		'Not yet',
		'Please verify your payment',
	])('%s', (text) => {
		for (const statusCode of [400, 402, 403, 404, 422])
			expect([statusCode, outcomeOf(message(text), statusCode)]).toEqual([statusCode, 'unknown']);
	});
});

describe('a signature', () => {
	test.each([
		'Invalid signature',
		'Signature mismatch',
		'Wrong signature',
		'The signature is not valid',
		'Missing signature',
		'Unable to verify the signature',
		'signature_error',
		'The signature does not match',
		'Invalid request signature',
		'Invalid merchant HMAC signature',
		'The signature certificate has expired',
	])('%s is a reason with 400, 401 and 403 only', (text) => {
		const outcomes = [400, 401, 403, 404, 422].map((statusCode) => outcomeOf(message(text), statusCode));
		expect(outcomes).toEqual(['rejected', 'rejected', 'rejected', 'unknown', 'unknown']);
	});

	test.each([
		'A signature is needed',
		'Signature required',
		'This payment requires a signature',
		'Signature pending',
		'Missing client signature',
		'Invalid without second signature',
		'Waiting for the second signature',
		'Signature missing: second',
		'Insufficient signatures',
	])('%s is none', (text) => {
		const outcomes = [400, 401, 403].map((statusCode) => outcomeOf(message(text), statusCode));
		expect(outcomes).toEqual(['unknown', 'unknown', 'unknown']);
	});
});

describe('an ordinary refusal frees the key', () => {
	test.each([
		'Contract has expired',
		'Amount has too many decimals',
		'You do not have access to this resource',
		'Unprocessable Entity',
		'Maintenance',
		'The service is under maintenance, please try again later.',
		...['pending', 'rejected', 'closed'].map((state) => `The settlement account is ${state}`),
		...['pending', 'rejected', 'closed'].map((state) => `Your settlement account supplier-main is ${state}.`),
		'Insufficient funds',
		'INSUFFICIENT_FUNDS',
		'insufficientFunds',
		'insufficient-funds',
		'You don’t have enough funds',
		"Account doesn't exist",
		"The account's currency is not supported",
		'Currencies are not supported',
		'Minimum amount is NGN 1,000.00',
		'The NGN balance is 5, which does not cover 10',
		'at least 10 USDT required',
		'accountNumber must be 10 digits',
		'Too many requests, please try again in 60 seconds',
		'amount (10) is invalid',
		'supplier-main is not whitelisted',
		'SUPPLIER-MAIN is not a valid account',
		'account_alias is required',
		'Idempotency key is missing',
		'Rate limit exceeded',
		'Payment failed: insufficient funds',
		'Account IDs are required',
		'Invalid digit(s)',
		'The addresses are invalid',
		'Amount exceeds the limit',
		'Insufficient balance. '.repeat(400),
	])('with the message %s', (text) => {
		expect(outcomeOf(message(text))).toBe('rejected');
	});

	test.each([
		'{"error":"Insufficient balance"}',
		'{"error":{"code":"insufficient_funds","message":"Insufficient funds","requestId":"9f-1","doc_url":"https://x.example/1"}}',
		'{"code":"INVALID_ACCOUNT","message":"The account number is not valid","trace_id":"t-19"}',
		'{"status":"error","message":"The currency is not supported","data":null,"payout_id":null,"ids":[]}',
		'{"timestamp":"2026-11-25T10:00:00Z","status":422,"error":"Unprocessable Entity","path":"/v1/fiat_payout"}',
		'{"statusCode":400,"message":["amount must be a positive number"],"error":"Bad Request"}',
		'{"errors":[{"code":"E102","field":"amount","message":"must be greater than 0"}]}',
		'{"errors":{"payment_reference":["is missing"],"account_alias":["The account alias field is required."]}}',
		'{"detail":[{"loc":["body","amount"],"msg":"field required","type":"value_error.missing"}]}',
		'{"code":40012,"msg":"Insufficient balance","success":false,"correlationId":"77"}',
		'{"type":"about:blank","title":"insufficient_balance","status":422,"detail":"The NGN balance is 10"}',
		'{"message":"Invalid amount","amount":10,"currency":"NGN","account_alias":"supplier-main"}',
		'{"request":{"amount":10,"account_alias":"supplier-main"},"error":{"code":"LIMIT_EXCEEDED"}}',
		'{"type":"https://tools.ietf.org/html/rfc7231#section-6.5.1","title":"One or more validation errors occurred."}',
		'{"message":"Invalid amount. See https://docs.x.example/errors","_links":{"documentation":{"href":"https://docs.x.example"}}}',
		'{"name":"INVALID_REQUEST","message":"Invalid amount","links":[{"href":"https://x.example/9","rel":"information_link"}]}',
		'{"code":"LIMIT_EXCEEDED","limit":{"amount":"1000.00","currency":"EUR"}}',
		'{"error":{"code":"limit_exceeded","details":{"maximum":"5","currency":"NGN"}}}',
		'{"code":"ACCOUNT_ON_HOLD"}',
		'{"success":false,"error":"Amount too low"}',
	])('with the body %s', (body) => {
		expect(outcomeOf(body)).toBe('rejected');
	});

	test.each([
		'{"message":"OK"}',
		'{"id":"po_1"}',
		'{"payout_id":"p","payout_id":null}',
		'{}',
		'[]',
		'"invalid"',
		'{"success":false,"status":"error"}',
		'{"message":"No"}',
		'{"error":"Bad Request","message":"Payment order"}',
		'{"narration":"missing invoice"}',
		'{"request":{"amount":10}}',
		'{"account_alias":"supplier-main"}',
	])('but not without a reason: %s', (body) => {
		expect(outcomeOf(body)).toBe('unknown');
	});
});

describe('ordinary reasons in other grammar', () => {
	test.each([
		'Expired API key',
		'Unauthorized to execute command',
		'This action is unauthorized.',
		'The key or user does not have permission for the action.',
		'User hit their daily limit.',
		'The selected currency is invalid.',
		'You do not have enough credit',
		'Payout cap reached',
		'IP not authorized to utilize Disbursement API.',
		'Missing mandatory attribute: reference',
		'Certain inputs do not meet our API validation requirements.',
		'The balance is too low, only has 0',
		'insufficient balance: requested 10, available 3000000',
		'Address checksum failed',
		'The account could not be found or is not available',
		'Recipient failed sanctions screening',
		'Missing HTTP header: X-Idempotency-Key',
		"Unknown value. Valid values are 'card', 'bank'.",
		'Exchange rate moved more than 0.5% since the quote was issued',
		'Outside operating hours',
		'Request IP is not in the allowlist (203.0.113.9)',
	])('%s', (text) => expect(outcomeOf(message(text))).toBe('rejected'));

	test.each([
		'Action required',
		'This action is required',
		'Action by the recipient is required',
		'Invalid callback. Payout requested 77812',
		'Invalid callback. Ordered 10',
		'Payout in ledger',
		'Invalid callback but the amount is with the bank',
		'Invalid callback. Payout in screening',
		'Payment failed screening',
		'Payout rate has changed',
		'The payout needs to be renewed',
		'Payout outside business hours',
		'Invalid callback. Refund amount 10',
		"Invalid callback. Valid values are 'card', the payout was sent",
	])('but not %s', (text) => {
		for (const statusCode of [400, 403, 404, 422])
			expect([statusCode, outcomeOf(message(text), statusCode)]).toEqual([statusCode, 'unknown']);
	});

	test.each([
		'Amount is less than the minimum (10)',
		'not enough balance, need (20.000)',
		'Insufficient balance (12.50)',
		'Quantity (1.4) does not match quantity tick (10)',
	])('a short number beside an amount is no ID: %s', (text) => {
		expect(outcomeOf(message(text))).toBe('rejected');
	});

	test.each([
		'Amount is less than the minimum of this network (7781)',
		'Amount too low for payout (12)',
		'Invalid key (12)',
		'Amount too low: transfer 12.50',
		'Amount too low, reference (12)',
		'Amount too low 1.2.3',
		'Insufficient funds in account 123456789.12345',
	])('but another one may be: %s', (text) => expect(outcomeOf(message(text))).toBe('unknown'));
});

describe('names of fields', () => {
	test.each([
		"'charge_bearer' is not supported",
		"Missing required field 'foo'",
		'`bar` must be a valid string',
		'unexpected field: foo_bar',
		'network_fee_foo is required',
		'The field foo must be a number',
		"Invalid 'cursor_x' query param",
		'The foo field is required.',
		'address.street.foo cannot be blank',
		'mode must be one of [PAN, SORT_CODE]',
		'kind should be one of: card, foo, bar',
	])('need no known words beside what is wrong with them: %s', (text) => {
		expect(outcomeOf(message(text))).toBe('rejected');
	});

	test.each([
		"'transfer' is pending",
		"Invalid payout in state 'settled'",
		"'payout' must be confirmed",
		"'order' is not supported: it is being settled",
		"'otp' is required",
		'confirmation_code is missing',
		"'reference_x' must be unique",
		"'idempotency_key' is invalid",
		"'payout_state' is not valid",
		'transfer_po_1 is required',
		"'po_7781' is invalid",
		'The payout field is on hold',
		'status must be one of [settled, paid]',
		'one of: pending, sent payout continues',
	])('but what else is said of them does: %s', (text) => {
		expect(outcomeOf(message(text))).toBe('unknown');
	});

	test.each([
		['"jsonPath":"$.parties[0].foo.number"', 'rejected'],
		['"pointer":"payout.sent"', 'unknown'],
		['"field":"payout.completed"', 'unknown'],
		['"path":"/v1/payouts/queued"', 'unknown'],
		['"instance":"/payouts/settled"', 'unknown'],
		['"docs":"https://docs.example.com/already-paid"', 'unknown'],
		['"pointer":"/data/attributes/foo"', 'rejected'],
		['"property":"foo.line_1"', 'rejected'],
		['"path":["items",0,"amount"]', 'unknown'],
		['"jsonPath":"$.payouts.po_123"', 'unknown'],
		['"pointer":"/payouts/7781234"', 'unknown'],
		['"property":"transfer otp sent"', 'unknown'],
		['"param":"otp.code"', 'unknown'],
		['"path":"/v1/payouts/7781"', 'unknown'],
	])('as a path in %s are %s', (field, outcome) => {
		expect(outcomeOf(`{"message":"invalid","errors":[{${field},"message":"invalid"}]}`)).toBe(outcome);
	});
});

describe('names that services give to the fields and codes of their errors', () => {
	test.each([
		'"tracingId":"9f-1"',
		'"diagnosticsId":"77"',
		'"log_id":"a1"',
		'"supportUrl":"https://x.example/7"',
		'"validationErrors":[{"debugMessage":"too long"}]',
		'"recoverySuggestion":"Please check the amount"',
		'"customCode":"INVALID_INPUT"',
		'"errorName":"bodyDoesNotMatchSchema"',
		'"mode":"STAGING"',
		'"code":"svc.errors.parameter_validation.missing_key"',
		'"code":"TXN_INSUFFICIENT_FUNDS"',
		'"limit":{"maximumAmount":150}',
		'"rejectedValue":-1',
		'"meta":{"totalPages":1}',
		'"errorCode":203',
		'"id":"validation_error"',
		'"embedded":{"errors":[{"message":"required"}]}',
		'"errorId":"InvalidAmount"',
		'"origin":"MPY"',
		'"serviceName":"payin-core"',
		'"transactionType":"Payout"',
		'"retry_count":0',
		'"code":"205"',
		'"codeLiteral":"MISSING_SWIFT_CODE"',
		'"statusDesc":"Invalid amount"',
		'"errors":{"account":[{"code":"invalid"}]}',
		'"responseHeader":{"timestamp":7}',
		'"parameter_name":"account_id"',
		'"cause":{"paymentToken":["Token disabled"]}',
	])('are known: %s', (field) => {
		expect(outcomeOf(`{"message":"invalid",${field}}`)).toBe('rejected');
	});

	test.each([
		'"settledErrors":[]," payout":{"a":1}',
		'"authCode":"123456"',
		'"paymentCode":"A12"',
		'"errorId":"SENT"',
		'"customCode":"SENT"',
		'"code":"svc.errors.queued"',
		'"code":"NEW_ORDER_INVALID"',
		'"mode":"queued"',
		'"supportUrl":"the payout was sent"',
		'"id":"abc"',
		'"limit":{"payoutId":7}',
		'"rejectedValue":"po_1"',
		'"origin":"payout sent"',
		'"serviceName":"po_1"',
		'"transactionType":"sent"',
		'"retry_count":1',
		'"code":"200"',
		'"code":201',
		'"data":{"code":205}',
		'"operation_id":"a"',
		'"state":1',
		'"errors":{"account":[{"id":"a","code":"invalid"}]}',
		'"responseHeader":{"payoutId":"a"}',
		'"accounts":[{"code":"invalid"}]',
		'"documentUrl":"https://x.example/receipt"',
		'"successMessage":"payout made"',
		'"eventTime":"2026-01-01"',
		'"embedded":{"payout":{"id":"a"}}',
	])('but not these: %s', (field) => {
		expect(outcomeOf(`{"message":"invalid",${field}}`)).toBe('unknown');
	});

	test('and the list of errors may be the whole answer', () => {
		expect(outcomeOf('[{"errorCode":"35","errorMessage":"Account not found"}]')).toBe('rejected');
		expect(outcomeOf('[{"message":"invalid"},{"payout":"a"}]')).toBe('unknown');
	});

	test('and a code may stand before its text', () => {
		expect(outcomeOf(message('E102: Invalid amount'))).toBe('rejected');
		expect(
			['PO-102: Invalid amount', 'TRF_1021: limit exceeded'].map((text) => outcomeOf(message(text))),
		).toEqual(['unknown', 'unknown']);
	});
});

describe('in Portuguese, Spanish and French', () => {
	test.each([
		'A solicitação possui erros de validação.',
		'O valor não pode ser menor que 0.01.',
		'Acesso negado',
		'A conta está encerrada',
		'Cobrança inválida.',
		'O campo cob.valor não respeita o schema',
	])('%s is a reason too', (text) => expect(outcomeOf(message(text))).toBe('rejected'));

	test.each(['Saldo insuficiente', 'Conta inválida', 'La cuenta no es válida', 'Montant invalide'])(
		'%s is a reason',
		(text) => expect(outcomeOf(message(text))).toBe('rejected'),
	);

	test.each([
		'Saldo insuficiente; pagamento agendado',
		'Transferência em processamento, conta inválida',
		'Cobrança encerrada',
		'Pagamento não tem autorização',
		'Callback inválido. Pagamento encerrado',
		'Callback inválido. Valor em validação',
		'Lançamento idêntico pendente',
		'Pago no encontrado',
		'Pago requerido',
		'O mesmo pagamento não permitido',
		'Firma requerida',
		'Référence déjà utilisée',
		'Compte invalide; le virement a été émis',
		'O beneficiário possui o valor. Saldo insuficiente',
		'Conta inválida. O titular tem o valor',
	])('%s is none', (text) => expect(outcomeOf(message(text))).toBe('unknown'));
});

test.each([409, 410, 412])(
	'with %d, a reason in words counts, and the name of a status does not',
	(statusCode) => {
		const texts = ['The account is not active', 'Conflict', 'Gone', 'Bad Request', 'Precondition Failed'];
		expect(texts.map((text) => outcomeOf(message(text), statusCode))).toEqual([
			'rejected',
			'unknown',
			'unknown',
			'unknown',
			'unknown',
		]);
	},
);

test('a value of the request is left out as the request spells it', () => {
	const money = paymentRequest(fields);
	const own = { narration: 'Paid №7 — “Ünal & Söhne”', meta: { order: 'po_1', tags: ['重复 7781'] } };
	const request = { ...money, fields: new Map(money.fields) };
	for (const [name, value] of Object.entries(own)) request.fields.set(name, { value });
	const outcome = (text: string) => {
		const read = readResponse(FIAT, { statusCode: 400, body: message(text) }, { simplify: true, request });
		return read.ok ? 'paid' : read.failure.outcome;
	};
	const texts = [
		'Invalid narration: Paid №7 — “Ünal & Söhne”',
		'Invalid tag 重复 7781',
		'invalid order PO_1',
	];
	expect(texts.map(outcome)).toEqual(['rejected', 'rejected', 'rejected']);
	expect(['Invalid narration: Paid №8', 'Invalid tag 重复 7782', 'invalid: paid'].map(outcome)).toEqual([
		'unknown',
		'unknown',
		'unknown',
	]);
});

test('a secret that a refusal repeats is left out', () => {
	const secrets = ['Fake-Key-0123456789'];
	const body = message(`The API key ${secrets[0]} is invalid`);
	const read = readResponse(FIAT, { statusCode: 401, body }, { ...options, secrets });
	expect(read).toMatchObject({ failure: { outcome: 'rejected' } });
});

describe('what is unknown names what is not known', () => {
	test.each([
		['{"message":"quote expired; filled at market"}', "'filled' in 'message'"],
		['{"error":{"detail":"Invalid. ref 12345"}}', "'12345' in 'detail'"],
		['{"code":"POOL_IS_EMPTY","message":"Invalid"}', "'POOL_IS_EMPTY' in 'code'"],
		['{"message":"invalid","charged":true}', "the field 'charged'"],
	])('%s: %s', (body, name) => {
		expect(failureOf(body)).toMatchObject({
			outcome: 'unknown',
			message: expect.stringContaining(`(not known in a refusal: ${name})`),
		});
	});

	test('or says that there is no reason', () => {
		expect(failureOf('{"message":"Payment failed"}')?.message).toBe(
			'The service answered 400: Payment failed (no known reason)',
		);
	});
});

describe('the codes of Refused Codes', () => {
	test.each([
		['{"code":"POOL_IS_EMPTY"}', 422, 'rejected'],
		['{"error":{"code":"pool_is_empty"}}', 422, 'rejected'],
		['{"error_code":"POOL_IS_EMPTY","message":"Payment failed"}', 422, 'rejected'],
		['{"type":" POOL_IS_EMPTY "}', 422, 'rejected'],
		['{"error":"POOL_IS_EMPTY"}', 422, 'rejected'],
		// It makes nothing else known.
		['{"code":"POOL_IS_EMPTY","message":"The pool is empty"}', 422, 'unknown'],
		['{"code":"POOL_IS_EMPTY","payout_id":"po_1"}', 422, 'unknown'],
		['{"code":"POOL_IS_EMPTY, filled"}', 422, 'unknown'],
		['{"message":"POOL_IS_EMPTY"}', 422, 'unknown'],
		['{"data":{"code":{"reason":"POOL_IS_EMPTY"}}}', 422, 'unknown'],
		['{"code":"POOL_IS_EMPTY"}', 409, 'rejected'],
		['{"code":"POOL_IS_EMPTY"}', 408, 'unknown'],
		['{"code":"POOL_IS_EMPTY"}', 500, 'unknown'],
		['{"code":"POOL_IS_EMPTY"}', 200, 'unknown'],
	])('%s with %d is %s', (body, statusCode, outcome) => {
		expect(failureOf(body, statusCode, ['POOL_IS_EMPTY'])?.outcome).toBe(outcome);
	});

	test.each([
		[409, '{"error":{"code":"x1"}}', 'rejected'],
		[409, '{}', 'rejected'],
		[409, '{"message":"Payment failed"}', 'rejected'],
		[409, '{"message":"no"}', 'rejected'],
		[409, '{"message":"Reference already used"}', 'unknown'],
		[409, '{"payout_id":"po_1"}', 'unknown'],
		[409, '<html>no</html>', 'unknown'],
		[409, '', 'unknown'],
		[402, '{"message":"no"}', 'unknown'],
	])('with 409 in it, %d %s is %s', (statusCode, body, outcome) => {
		expect(failureOf(body, statusCode, ['409'])?.outcome).toBe(outcome);
	});
});

test('no word of a repetition, of a success or of what comes later is known by itself', () => {
	const words = new Set(vocabulary.WORDS);
	const dangerous = [
		'queued',
		'saved',
		'later',
		'tomorrow',
		'pending',
		'settle',
		'settled',
		'settlement',
		'filled',
		'rerouted',
		'second',
		'until',
		'could',
		'would',
		'will',
		'but',
		'system',
		'already',
		'duplicate',
		'exist',
		'exists',
		'progress',
		'accepted',
		'processing',
		'processed',
		'retry',
		'again',
		'sent',
		'paid',
		'done',
		'success',
		'successful',
		'complete',
		'completed',
		'created',
		'executed',
		'approved',
		'approval',
		'confirmed',
		'confirmation',
		'credited',
		'debited',
		'charged',
		'used',
		'same',
		'other',
		'previous',
		'first',
		'last',
		'one',
		'new',
		'more',
		'before',
		'after',
		'reference',
		'invoice',
		'nonce',
		'idempotency',
		'timeout',
		'review',
		'hold',
		'held',
		'open',
		'final',
		'active',
		'registered',
		'valid',
		'allowed',
		'available',
		'signature',
		'authorization',
		'verification',
		'verify',
		'continue',
		'returned',
	];
	expect(dangerous.filter((word) => words.has(word))).toEqual([]);
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
		'{"data":{"id":"po_1"}}',
		'{"payout":{"id":"po_1"}}',
		'{"success":true,"result":{"transaction_id":"t1"}}',
		'{"data":{"payout":{"id":"po_1","status":"queued"}}}',
		'{"withdrawal":{"tx_hash":"0xab12"}}',
		'{"code":0,"message":"ok","data":{"payoutId":"p9"}}',
		'{"transaction":{"reference":"TX-9"}}',
		'{"payout_id":"po_1","status":"submitted","approved":false}',
		'{"id":"po_1","processed":false,"sent":false}',
		'{"data":{"id":"po_1","status":"pending","completed":false}}',
	])('whose answer is not documented: %s', (body) => {
		expect(outcomeOf(body, 200, CRYPTO)).toBe('paid');
	});

	test.each([
		'{"payout":{"id":"po_1"},"transaction":{"id":"t_1"}}',
		'{"customer":{"id":"c_1"}}',
		'{"data":[{"id":7}]}',
		'{"error":{"id":"err_1"}}',
		'{"data":{"id":"po_1","status":"failed"}}',
		'{"data":{"id":"p","success":false}}',
		'{"success":false,"data":{"id":"po_1"}}',
		'{"data":{"id":"po_1","amount":11}}',
		'{"data":{"id":"10"}}',
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

test('an answer of 15 MB is read in a moment', async () => {
	const words = 'payment payment not found and ';
	const bodies = [
		JSON.stringify({ message: words.repeat(500_000) }),
		JSON.stringify({ errors: Array.from({ length: 3000 }, () => ({ message: words.repeat(166) })) }),
		`<title${words.repeat(500_000)}`,
	];
	// Read in full, these took a hundred times as long as JSON.parse takes.
	const all = (read: (body: string, statusCode: number) => void) => () => {
		for (const body of bodies) for (const statusCode of [200, 422, 500]) read(body, statusCode);
	};
	const parse = all((body) => {
		if (body.startsWith('{')) JSON.parse(body);
	});
	expect(await processorTimeOf(all(outcomeOf))).toBeLessThan(await processorTimeOf(parse));
});

test.each([
	'payment not found and ',
	'not a a a found ',
	'account a a blocked ',
	'supplier-main ',
	'1 ',
	'aA ',
	'https://doc-',
	'amount 1.5 ',
])(
	'the time to judge a refusal grows with it, up to the longest that is judged: %s',
	async (words) =>
		await expectGrowthWith(19_000 / 8, (length) => () => {
			const times = Math.floor(length / words.length);
			outcomeOf(message(words.repeat(times)));
			outcomeOf(JSON.stringify({ errors: Array.from({ length: times / 2 }, () => ({ message: words })) }));
		}),
);
