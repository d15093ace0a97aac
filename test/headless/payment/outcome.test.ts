import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { withAnswer } from '../withAnswer.ts';
import { CONTINUED, cryptoPayout, FIAT, resultOf, withNode } from '../withNode.ts';

/** What the service's answer proves: that the payment was made, that it was not made, or neither. */
const { credentials, run, answered, accepted, fault } = withNode();

const CRYPTO = cryptoPayout('{"coin":"USDT","amount":"5","wallet_alias":"treasury"}');

/** The item of a payment when the service gives this answer. */
const answeredWith = async (parameters: object, body: string, status = 200) => {
	const [item] = await answered(parameters, { status, body });
	return { result: resultOf(item!), json: item!.json };
};
const resultAfter = async (...given: Parameters<typeof answeredWith>) =>
	(await answeredWith(...given)).result;

/** A fiat payout's documented answer, and more fields. */
const withId = (more: string) => `{"payout_id":"po_1","amount":10,"currency":"NGN",${more}}`;

describe('no answer', () => {
	const errorAt = async (baseUrl: string) =>
		(await run(FIAT, { credentials: { ...credentials, baseUrl } })).error;

	test('a closed connection is unknown, the payment is sent once, and the error says what to do', async () => {
		await withAnswer(undefined, async (url, requests) => {
			expect(await errorAt(url)).toMatchObject({
				message: 'The service gave no answer (connection closed)',
				description: expect.stringContaining('could pay twice'),
				context: { outcome: 'unknown' },
			});
			expect(requests()).toBe(1);
		});
	});

	test.each(['http://127.0.0.1:9', 'https://wallet-service.invalid'])(
		'nothing was sent to %s, where nobody listens',
		async (address) => expect((await errorAt(address))?.context).toMatchObject({ outcome: 'notSent' }),
	);

	test('no answer in time is unknown', async () => {
		await fault({ delayMs: 2000 });
		const { error } = await run({ ...FIAT, requestOptions: { timeout: 200 } });
		expect(error?.context).toMatchObject({ outcome: 'unknown' });
	});
});

describe('a status', () => {
	test.each([402, 408, 409, 418, 423, 424, 425, 451, 499, 500, 502, 503, 504, 301, 302])(
		'%d proves nothing, with any JSON body',
		async (status) => {
			expect(await resultAfter(FIAT, '{"message":"no"}', status)).toBe('unknown');
		},
	);

	test.each([400, 401, 403, 404, 405, 413, 415, 422, 429])(
		'%d with a JSON object is rejected, and with a page of a gateway unknown',
		async (status) => {
			expect(await resultAfter(FIAT, '{"message":"no"}', status)).toBe('rejected');
			expect(await resultAfter(FIAT, '<html>no</html>', status)).toBe('unknown');
			expect(await resultAfter(FIAT, '', status)).toBe('unknown');
		},
	);

	test('429 says how long to wait', async () => {
		await fault({ status: 429, retryAfter: 30 });
		expect((await run(FIAT)).error).toMatchObject({
			description: expect.stringContaining('in 30 seconds or later'),
			context: { outcome: 'rejected', httpStatus: 429 },
		});
	});

	test.each([
		...['{"code":"DUPLICATE_REQUEST"}', '{"code":"ALREADY_PROCESSED"}', '{"error":"payout_already_exists"}'],
		...['{"alreadyPaid":true}', '{"error":{"code":"REPLAY_DETECTED"}}', '{"errors":["nonce_reused"]}'],
		...['{"message":"The reference has been taken"}', '{"message":"Your request is being processed"}'],
		...['{"message":"Payment with this reference exists"}', '{"detail":"reference must be unique"}'],
		...['{"message":"A payout with this reference is pending"}', '{"error":"There is a pending payment"}'],
		...[
			'{"status":"success"}',
			'{"accepted":true}',
			'{"success":"true"}',
			'{"result":"OK"}',
			'{"message":"Success"}',
		],
		...['{"id":"po_1"}', '{"data":{"id":7}}', '{"payout_ids":["po_1"]}', '{"payments":[{"id":"p"}]}'],
		...[
			'{"error":{"payout_id":"po_1"}}',
			'{"state":"in_progress"}',
			'{"message":"account is already closed"}',
		],
		...[
			'{"message":"callback failed","payout_id":"po_1"}',
			'{"message":"notify failed","transactionHash":"0xabc"}',
		],
		...['{"success":true,"message":"Payout created"}', withId('"status":"pending"')],
	])('a refusal that leaves an earlier copy open proves nothing: %s', async (body) => {
		for (const status of [400, 422]) expect(await resultAfter(FIAT, body, status)).toBe('unknown');
	});

	test.each([
		...['{"message":"Insufficient balance"}', '{"error":"account_alias does not exist"}', '{}'],
		...['{"code":"INVALID_AMOUNT","request_id":"req_1","trace_id":"t","timestamp":"2026-11-25"}'],
		...['{"error":{"id":"err_1","code":"LIMIT"},"trace":{"id":"t"},"request":{"id":"r","reference":"x"}}'],
		...['{"errors":[{"id":"e1","message":"amount is not allowed"}]}', '{"success":false,"status":"error"}'],
		...['{"message":"The payment cannot be processed","payout_id":null,"id":"","alreadyPaid":false}'],
		...['{"message":"The payment was not accepted","status":422}', '{"payout_ids":[]}'],
		...['{"message":"supplier-new is Pending; a payout needs a destination that is Whitelisted"}'],
	])('a refusal that names nothing of an earlier copy is one: %s', async (body) => {
		for (const status of [400, 422]) expect(await resultAfter(FIAT, body, status)).toBe('rejected');
	});

	test('a key whose payment was refused as a duplicate is not sent again, also by Retry On Fail', async () => {
		await withAnswer({ status: 422, body: '{"code":"DUPLICATE_REQUEST"}' }, async (baseUrl, requests) => {
			const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
			const at = { settings, credentials: { ...credentials, baseUrl } };
			for (let time = 0; time < 2; time += 1) {
				const { error } = await run({ ...FIAT, paymentKey: 'repeated' }, at);
				expect(error?.context).toMatchObject({ outcome: 'unknown' });
			}
			expect(requests()).toBe(1);
		});
	});
});

describe('a 200 that is no payment', () => {
	test.each(['', '<html>Welcome</html>', '[]', '{"error":"no"}', '{"status":"pending"}'])(
		'a documented response that is %p is unknown',
		async (body) => expect(await resultAfter(FIAT, body)).toBe('unknown'),
	);

	test.each(['[]', '[1]', '"ok"', 'null', '12', '{}'])('the JSON %s is unknown', async (body) => {
		expect(await resultAfter(CRYPTO, body)).toBe('unknown');
	});

	test.each([
		'{"success":false}',
		'{"error":"no"}',
		'{"status":"failed"}',
		'{"ok":0}',
		'{"data":{"status":"failed","message":"no funds"}}',
		'{"result":{"success":false}}',
		'{"status":400,"message":"Not enough balance"}',
		'{"status":"unsuccessful"}',
		'{"id":"req_1","success":false,"message":"Balance too low"}',
		'{"reference":"inv-1","error":"Insufficient funds"}',
		'{"message":"Starting up"}',
		'{"code":7}',
	])('a body that reports a failure, or no payment, is unknown: %s', async (body) => {
		expect(await resultAfter(CRYPTO, body)).toBe('unknown');
	});

	test.each(['', ' ', null])('a documented response whose payout_id is %p is unknown', async (payout_id) => {
		const body = JSON.stringify({ payout_id, status: 'pending', amount: 10, currency: 'NGN' });
		expect(await resultAfter(FIAT, body)).toBe('unknown');
	});

	test.each([
		'"status":"aborted"',
		'"status":"bounced"',
		'"status":"unpaid"',
		'"status":"not_paid"',
		'"status":"declined"',
		'"status":false',
		'"status":"on_hold"',
		'"status":"NOK"',
		'"code":"insufficient_funds"',
		'"result":"payment_refused"',
		'"transaction_state":"CANCELLED"',
		'"data":{"status":"expired"}',
		'"payoutStatus":"FAILED"',
		'"is_success":false',
		'"failed":true',
		'"result":[{"success":false}]',
	])('an ID beside a failure is unknown: %s', async (more) => {
		expect(await resultAfter(FIAT, withId(more))).toBe('unknown');
	});

	test.each([
		['status: FAILED', '"status":"FAILED"'],
		['status: reversed', '"status":"reversed"'],
		['status: returned', '"status":"returned"'],
		['status: blocked', '"status":"blocked"'],
		['success: false', '"status":"pending","success":false'],
		['state: failed', '"status":"pending","state":"failed"'],
	])('a payout that has an ID and failed (%s) says so on its item', async (word, more) => {
		expect((await answeredWith(FIAT, withId(more))).json).toMatchObject({
			result: 'unknown',
			amount: '10',
			currency: 'NGN',
			accountAlias: 'supplier-main',
			error: {
				outcome: 'unknown',
				message: `The service answered 200 with an identifier, and says that the payment failed (${word})`,
				details: { payout_id: 'po_1' },
			},
		});
	});

	test.each([
		['amount 100 instead of 10', '{"payout_id":"po_1","status":"pending","amount":100,"currency":"NGN"}'],
		['currency USD instead of NGN', '{"payout_id":"po_1","status":"pending","amount":10,"currency":"USD"}'],
	])('an answer with another %s is unknown', async (difference, body) => {
		expect((await answeredWith(FIAT, body)).json).toMatchObject({
			result: 'unknown',
			error: { message: `The service answered 200 for another payment: ${difference}` },
		});
	});

	test.each([
		[CRYPTO, '{"payout_id":"1","amount":"500","coin":"BTC","wallet_alias":"mallory"}'],
		[FIAT, '{"payout_id":"po_1","status":"pending","amount":10,"account_alias":"mallory"}'],
	])('an answer about another destination is unknown: %#', async (parameters, body) => {
		expect(await resultAfter(parameters, body)).toBe('unknown');
	});
});

describe('a 200 that is a payment', () => {
	test.each([
		'"status":"pending_blockchain_confirmation"',
		'"status":"accepted, not yet settled"',
		'"status":"pending","error":{}',
		'"status":"pending","errorCode":"00"',
		'"status":"pending","errorMessage":"No error"',
		'"status":"pending","failure_url":"https://shop.example/failed"',
		'"status":"pending","currency_info":{"code":566}',
		'"status":"pending","bank":{"code":999992}',
		'"status":"pending","refund_status":"not_refunded"',
		'"status":"pending","kyc_status":"not required"',
		'"status":"pending","code":1000',
		'"status":"pending","beneficiary":{"state":"Blockhouse Bay"}',
		'"status":"pending","message":"Accepted without error"',
		'"status":"pending","note":"A refund is returned if the bank rejects it"',
	])('an ID beside %s', async (more) => {
		expect(await resultAfter(FIAT, withId(more))).toBe('paid');
	});

	test.each([
		'{"payout_id":7,"status":"pending","amount":10,"currency":"NGN"}',
		'{"payout_id":"po_1","status":"pending","amount":10.00,"currency":"ngn"}',
		'{"payout_id":"po_1","status":"pending","amount":1e1}',
	])('the same payment in another notation: %s', async (body) => {
		expect(await resultAfter(FIAT, body)).toBe('paid');
	});

	test('an identifier is enough where the document shows no answer, and a word of success is not', async () => {
		const asked = { result: 'paid', coin: 'USDT', amount: '5', walletAlias: 'treasury' };
		expect((await answeredWith(CRYPTO, '{"id":7,"note":"later"}')).json).toEqual({
			...asked,
			id: 7,
			note: 'later',
		});
		for (const body of ['{"accepted":true}', '{"data":{"status":"queued"}}'])
			expect(await resultAfter(CRYPTO, body)).toBe('unknown');
	});

	test('fields of the response with names of this node are kept under extra', async () => {
		const { json } = await answeredWith(CRYPTO, '{"id":7,"result":"queued"}');
		expect(json).toMatchObject({ id: 7, result: 'paid', extra: { result: 'queued' } });
	});
});

test.each([
	['{"message":"Too little money"}', 'Too little money'],
	['{"error":"Too little money"}', 'Too little money'],
	['{"error":{"detail":"Too little money"}}', 'Too little money'],
	['{"errors":[{"message":"Too little money"}]}', 'Too little money'],
	['"Too little money"', 'Too little money'],
	['Too little money', 'Too little money'],
	['<html><head><title>Too little money</title></head></html>', 'Too little money'],
	['{}', 'no reason given'],
	['', 'no reason given'],
])("the service's message is found in the response body %s", async (body, words) => {
	const { json } = await answeredWith(FIAT, body, 409);
	expect(json.error).toMatchObject({ message: `The service answered 409: ${words}` });
});

describe('an answer that is broken', () => {
	/** A service that answers each request with these bytes and closes. Returns the number of requests it saw. */
	const answeringBytes = async (bytes: string, use: (baseUrl: string) => Promise<void>): Promise<number> => {
		let requests = 0;
		const server = createServer((socket) => {
			let got = '';
			socket.on('error', () => {});
			socket.on('data', (data) => {
				got += String(data);
				const length = Number(/content-length: (\d+)/i.exec(got)?.[1] ?? 0);
				const end = got.indexOf('\r\n\r\n');
				if (end < 0 || got.length < end + 4 + length) return;
				got = '';
				requests += 1;
				socket.end(bytes);
			});
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		try {
			await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
		} finally {
			server.close();
		}
		return requests;
	};

	test.each([
		'content-length: 100\r\n\r\n{"message"',
		'content-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}',
	])('a payment is sent once when the answer is a 401 with %p, which n8n would repeat', async (rest) => {
		const requests = await answeringBytes(`HTTP/1.1 401 Unauthorized\r\n${rest}`, async (baseUrl) => {
			await run(FIAT, { ...CONTINUED, credentials: { ...credentials, baseUrl } });
		});
		expect(requests).toBe(1);
	});

	test('a 101 with nothing after it is unknown, and the node does not wait for ever', async () => {
		const bytes = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n';
		await answeringBytes(bytes, async (baseUrl) => {
			const atOnce = { ...FIAT, requestOptions: { timeout: 300 } };
			const { items } = await run(atOnce, { ...CONTINUED, credentials: { ...credentials, baseUrl } });
			expect(items.flat().map(resultOf)).toEqual(['unknown']);
		});
	});
});

test('without a readable credential nothing left this machine, and the key stays free', async () => {
	const keyed = { ...FIAT, paymentKey: 'no-credential' };
	const missing = await run(keyed, { ...CONTINUED, credentials: undefined });
	expect(missing.items.flat().map(resultOf)).toEqual(['notSent']);
	const { items } = await run(keyed, CONTINUED);
	expect(items.flat().map(resultOf)).toEqual(['paid']);
	expect(accepted()).toEqual(['10']);
});
