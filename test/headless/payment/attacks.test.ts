/** Attacks of 22 November on the payments of dd41006. Each test states a promise, and fails while the promise is broken. */
import { DataDeduplicationService } from 'n8n-core';
import type { INodeExecutionData } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import { readKeyText } from '../../../nodes/WalletService/action/payment/keyText.ts';
import { PaymentKeys } from '../../../nodes/WalletService/action/payment/paymentKeys.ts';
import { SharedRecord } from '../../../nodes/WalletService/sharedRecord.ts';
import { control } from '../../../host/sandboxClient.ts';
import { startSandbox } from '../../../sandbox/server.ts';
import { startHttpServer } from '../httpServer.ts';
import { records } from '../memoryProcessedItems.ts';
import { CONTINUED, cryptoPayout, FIAT, PAYOUT, withPayments } from '../withPayments.ts';
import type { Setup } from '../withPayments.ts';

const { credentials, run, fault, accepted, asked, restart } = withPayments();

type Row = Record<string, unknown> & { error?: { message: string; description: string } };
type Write = (kind: 'ask' | 'remove', go: () => Promise<unknown>) => Promise<unknown>;
type Helper = (entries: string[], ...rest: unknown[]) => Promise<unknown>;

/** What each write to n8n's record does. */
const healthy: Write = async (_kind, go) => await go();
let write = healthy;
beforeAll(() => {
	const service = DataDeduplicationService.getInstance() as unknown as Record<string, Helper>;
	for (const [name, kind] of [
		['checkProcessedAndRecord', 'ask'],
		['removeProcessed', 'remove'],
	] as const) {
		const original = service[name]!.bind(service);
		service[name] = async (...given) => await write(kind, async () => await original(...given));
	}
});
afterEach(() => (write = healthy));

/** n8n is killed right after the next question to the record was stored. */
const killAfterQuestion = (): Write => {
	let isDead = false;
	return async (kind, go) => {
		if (isDead) throw new Error('killed');
		const answer = await go();
		isDead = kind === 'ask';
		return answer;
	};
};

const item = (key: string, amount = '10') => ({ json: { key, amount, alias: 'supplier-main' } });
const pay = async (
	items: INodeExecutionData[],
	options: object = {},
	more: Partial<Setup> = {},
	parameters: object = {},
): Promise<Row[]> => {
	const keyed = { ...PAYOUT, paymentKey: '={{ $json.key }}', options, ...parameters };
	const result = await run(keyed, { ...CONTINUED, items, ...more });
	return result.items.flat().map(({ json }) => json as Row);
};
const results = async (...given: Parameters<typeof pay>) => (await pay(...given)).map(({ result }) => result);
const within = async <T>(milliseconds: number, work: Promise<T>) =>
	await Promise.race([work, sleep(milliseconds).then(() => 'waits for ever')]);
const WAS_NOT_PAID = { ifOutcomeIsUnknown: 'wasNotPaid' };
const WAS_PAID = { ifOutcomeIsUnknown: 'wasPaid' };

const answered = async (parameters: object, status: number, body: string): Promise<Row> => {
	const server = await startHttpServer((_incoming, outgoing) => {
		outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body);
	});
	try {
		const onServer = { ...CONTINUED, credentials: { ...credentials, baseUrl: server.url } };
		const { items } = await run(parameters, onServer);
		return items.flat()[0]!.json as Row;
	} finally {
		await server.stop();
	}
};

describe('claims that are made after the end of the run are never freed', () => {
	const keysOf = (name: string) => Array.from({ length: 12 }, (_, index) => item(`${name}-key${index}`));

	test('Retry On Fail with twelve keys goes on after the first is rejected', async () => {
		await fault({ status: 422 });
		const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const running = run(
			{ ...PAYOUT, paymentKey: '={{ $json.key }}' },
			{ items: keysOf('retry'), settings: retrying },
		);
		expect(await within(4000, running)).not.toBe('waits for ever');
	});

	test('a new execution goes on after the node stopped at its first item', async () => {
		await fault({ status: 422 });
		await run({ ...PAYOUT, paymentKey: '={{ $json.key }}' }, { items: keysOf('stop') });
		expect(await within(4000, results(keysOf('stop')))).not.toBe('waits for ever');
	});

	test('a new execution goes on after one write has failed', async () => {
		let writes = 0;
		write = async (_kind, go) => {
			writes += 1;
			if (writes === 2) throw new Error('database is locked');
			return await go();
		};
		await pay(keysOf('write'));
		expect(await within(4000, results(keysOf('write')))).not.toBe('waits for ever');
	});
});

test('a kill during a slow payment makes at most two keys unknown', async () => {
	await fault({ delayMs: 2000 });
	const items = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => item(`slow-${key}`));
	const running = pay(items);
	await sleep(1500);
	const [[place, entries] = ['', []]] = records;
	const atKill = [...entries];
	await running;
	records.set(place, atKill);
	expect((await results(items)).filter((result) => result === 'unknown').length).toBeLessThanOrEqual(2);
});

describe('It Was Not Paid, left in place, repeats no accepted payment', () => {
	test('after an answer that was lost', async () => {
		await fault({ dropAfter: true });
		await pay([item('lost')], WAS_NOT_PAID);
		await pay([item('lost')], WAS_NOT_PAID);
		expect(accepted()).toEqual(['10']);
	});

	test('"Retry execution" after an answer that was lost', async () => {
		await fault({ dropAfter: true });
		const parameters = { ...PAYOUT, paymentKey: '={{ $json.key }}', options: WAS_NOT_PAID };
		await (await run(parameters, { items: [item('lost-2')] })).retry();
		expect(accepted()).toEqual(['10']);
	});

	test('two equal items in one list, the answer to the first is lost', async () => {
		await fault({ dropAfter: true });
		await pay([item('lost-3'), item('lost-3')], WAS_NOT_PAID);
		expect(accepted()).toEqual(['10']);
	});

	test('after n8n was killed while it looked up a key that was paid long ago', async () => {
		await pay([item('old')], WAS_NOT_PAID);
		restart();
		write = killAfterQuestion();
		await pay([item('old')], WAS_NOT_PAID);
		write = healthy;
		restart();
		await pay([item('old')], WAS_NOT_PAID);
		await pay([item('old')], WAS_NOT_PAID);
		expect(accepted()).toEqual(['10']);
	});

	test('while another process is paying the key', async () => {
		let stored: string[] = [];
		const items = {
			add: async (entries: string[]) => {
				const before = new Set(stored);
				stored = [...new Set([...stored, ...entries])];
				return await Promise.resolve({
					new: entries.filter((entry) => !before.has(entry)),
					processed: entries.filter((entry) => before.has(entry)),
				});
			},
			remove: async (entries: string[]) => {
				stored = stored.filter((entry) => !entries.includes(entry));
				await Promise.resolve();
			},
		};
		const processOf = () => new PaymentKeys(new SharedRecord(async (time) => await sleep(time)));
		const [one, other] = [processOf(), processOf()];
		const payment = { key: 'k', details: { amount: '1' } };
		const claim = async (keys: PaymentKeys) =>
			(await keys.claim(items, payment, { settlement: 'wasNotPaid' })).is;
		expect(await claim(one)).toBe('claimed');
		// `one` waits for the service's answer now.
		expect(await claim(other)).toBe('unknown');
		expect(await claim(other)).not.toBe('claimed');
	});
});

describe('a key belongs to one request, also after a kill while another request was refused', () => {
	beforeEach(async () => {
		await pay([item('one', '10')]);
		write = killAfterQuestion();
		await pay([item('one', '11')]);
		write = healthy;
	});

	test('the other request is still refused', async () => {
		expect(await pay([item('one', '11')])).toMatchObject([
			{ result: 'notSent', error: { message: expect.stringContaining('was used for a') as string } },
		]);
	});

	test('It Was Not Paid does not pay the other request', async () => {
		for (let tries = 0; tries < 2; tries += 1) await pay([item('one', '11')], WAS_NOT_PAID);
		expect(accepted()).toEqual(['10']);
	});

	test('It Was Paid does not make the other request alreadyPaid', async () => {
		expect(await results([item('one', '11')], WAS_PAID)).toEqual(['notSent']);
	});
});

describe('It Was Paid, left in place, says alreadyPaid of no key that this list has never sent', () => {
	test('after a write that was stored and reported an error', async () => {
		let isFirst = true;
		write = async (_kind, go) => {
			const answer = await go();
			if (!isFirst) return answer;
			isFirst = false;
			throw new Error('connection lost');
		};
		expect(await results([item('fresh')], WAS_PAID)).not.toEqual(['alreadyPaid']);
		expect(asked()).toBe(0);
	});

	test('after a kill, of a key that was claimed ahead and not sent', async () => {
		await fault({ delayMs: 800 });
		const running = pay([item('sent'), item('ahead')], WAS_PAID);
		await sleep(500);
		const [[place, entries] = ['', []]] = records;
		const atKill = [...entries];
		await running;
		records.set(place, atKill);
		restart();
		expect((await results([item('sent'), item('ahead')], WAS_PAID))[1]).not.toBe('alreadyPaid');
	});
});

describe('no advice leads to a second payment', () => {
	test.each([
		['a key with an unknown outcome', {}],
		['It Was Paid', WAS_PAID],
	])(
		"a record that cannot be written is no reason to choose 'It Was Not Paid': %s",
		async (_what, options) => {
			await fault({ dropAfter: true });
			await pay([item('advice')]);
			write = async (kind, go) => {
				if (kind === 'remove' || options !== WAS_PAID) throw new Error('database is locked');
				return await go();
			};
			const [row] = await pay([item('advice')], options);
			expect(accepted()).toEqual(['10']);
			expect(row!.error!.description).not.toContain("set 'If Outcome Is Unknown' to 'It Was Not Paid'");
		},
	);
});

test('a payment that was sent without the header is not sent again when the credential gets one', async () => {
	const live = await startSandbox({ port: 0, paymentKeyHeader: 'Idempotency-Key', settleAfterMs: null });
	try {
		const plain = { baseUrl: live.url, apiKey: live.key, signatureSecret: live.secret };
		const withHeader = { ...plain, signatureStyle: 'custom', paymentKeyHeader: 'Idempotency-Key' };
		await control(live, 'POST faults', { route: 'POST /v1/fiat_payout', times: 1, dropAfter: true });
		await pay([item('header')], {}, { credentials: plain });
		await pay([item('header')], { ifOutcomeIsUnknown: 'doNotPay' }, { credentials: withHeader });
		expect([...live.service.ledger.payouts.all()]).toHaveLength(1);
	} finally {
		await live.stop();
	}
});

describe('a key without one of its parts is refused', () => {
	test.each([
		'=INV {{ $json.number }} 2026',
		'=INV{{ $json.number }}',
		'={{ $json.number }}-2026',
		"={{ 'INV' + $json.number }}",
		"={{ 'INV' + null + '-2026' }}",
		"={{ ['vendor', $json.number, 5].join('-') }}",
		"={{ 'INV-' + DateTime.fromISO('x').toFormat('yyyy') }}",
	])('%s', async (paymentKey) => {
		expect(await results([item('x'), item('y')], {}, {}, { paymentKey })).toEqual(['notSent', 'notSent']);
	});
});

test('limits that are one expression do not vanish', async () => {
	const { error } = await run({ ...FIAT, options: '={{ ({ maximumAmount: "1", dryRun: true }) }}' });
	expect(error?.message).toContain("'Options' is one expression");
	expect(asked()).toBe(0);
});

describe('limits fail closed for a body with a second amount or destination', () => {
	test.each(['amt', 'units', 'volume', 'usd', 'sats', 'send_all', 'percent', 'аmount', 'Ａmount'])(
		'Maximum Amount beside %s',
		async (name) => {
			const body = { coin: 'USDT', amount: '1', wallet_alias: 'treasury', [name]: '1000' };
			const json = `={{ JSON.stringify(${JSON.stringify(body)}) }}`;
			await run({ ...cryptoPayout(json), options: { maximumAmount: '10' } });
			expect(asked()).toBe(0);
		},
	);
	test.each(['send_to', 'payTo', 'email', 'phone', 'username', 'pubkey', 'vpa', 'from_to_address'])(
		'Allowed Aliases beside %s',
		async (name) => {
			const body = { coin: 'USDT', amount: '1', wallet_alias: 'treasury', [name]: 'mallory' };
			const json = `={{ JSON.stringify(${JSON.stringify(body)}) }}`;
			await run({ ...cryptoPayout(json), options: { allowedAliases: 'treasury' } });
			expect(asked()).toBe(0);
		},
	);
	test('Maximum Total beside ccy', async () => {
		const body = { coin: 'USDT', ccy: 'BTC', amount: '1', wallet_alias: 'treasury' };
		const json = `={{ JSON.stringify(${JSON.stringify(body)}) }}`;
		await run({ ...cryptoPayout(json), options: { maximumTotal: '10' } });
		expect(asked()).toBe(0);
	});
});

const CRYPTO = cryptoPayout('{"coin":"USDT","amount":"5","wallet_alias":"treasury"}');

describe('a refusal that names a payment proves nothing', () => {
	test.each([
		[400, '{"message":"callback failed","data":{"payout_id":"po_1","status":"pending"}}'],
		[422, '{"message":"notify failed","transactionHash":"0xabc"}'],
		[400, '{"success":true,"message":"Payout created"}'],
	])('%d %s', async (status, body) => {
		expect((await answered(FIAT, status, body)).result).toBe('unknown');
	});
});

describe('an answer that says no, or nothing, is not paid', () => {
	test.each([
		'"status":"aborted"',
		'"status":"bounced"',
		'"status":"unpaid"',
		'"status":"not_paid"',
		'"payoutStatus":"FAILED"',
		'"is_success":false',
		'"failed":true',
		'"message":"Payout failed: insufficient funds"',
		'"result":[{"success":false}]',
	])('with an ID: %s', async (more) => {
		const body = `{"payout_id":"po_1","amount":10,"currency":"NGN",${more}}`;
		expect((await answered(FIAT, 200, body)).result).toBe('unknown');
	});
	test.each([
		'{"message":"Starting up"}',
		'{"message":"Maintenance, try again later"}',
		'{"message":"Daily limit exceeded"}',
		'{"message":"OTP required"}',
		'{"code":7}',
	])('without an ID: %s', async (body) => {
		expect((await answered(CRYPTO, 200, body)).result).toBe('unknown');
	});
	test('a crypto payout of another amount, coin and wallet', async () => {
		const body = '{"payout_id":"1","amount":"500","coin":"BTC","wallet_alias":"mallory"}';
		expect((await answered(CRYPTO, 200, body)).result).toBe('unknown');
	});
	test('a fiat payout to another account', async () => {
		const body = '{"payout_id":"po_1","status":"pending","amount":10,"account_alias":"mallory"}';
		expect((await answered(FIAT, 200, body)).result).toBe('unknown');
	});
});

describe('a good answer is paid', () => {
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
	])('%s', async (more) => {
		const body = `{"payout_id":"po_1","amount":10,"currency":"NGN",${more}}`;
		expect((await answered(FIAT, 200, body)).result).toBe('paid');
	});
});

describe('every row has the key, the amount, the currency and the destination', () => {
	const keyed = { ...FIAT, paymentKey: 'k' };
	const broken = "={{ $('Nope').item.json.x }}";
	test.each<[string, object]>([
		['an empty limit', { options: { maximumAmount: '' } }],
		['an amount with a comma', { amount: '1,000' }],
		['Request Options', { requestOptions: { timeout: 'x' } }],
		['a limit from a model', { options: { maximumAmount: "={{ $fromAI('x') }}" } }],
		['an option that fails', { options: { maximumAmount: broken } }],
		['an amount that fails', { amount: broken }],
		['a key that is refused', { paymentKey: 'INV-null' }],
	])('refused for %s', async (what, changed) => {
		const { items } = await run({ ...keyed, ...changed }, CONTINUED);
		const known = {
			paymentKey: expect.any(String) as string,
			currency: 'NGN',
			accountAlias: 'supplier-main',
			...(what.includes('an amount') ? {} : { amount: '10' }),
		};
		expect(items.flat()[0]!.json).toMatchObject(known);
	});
	test.each([
		'{"payout_id":"1","amount":null,"coin":null,"walletAlias":null}',
		'{"payout_id":"1","amount":{}}',
	])('paid with the answer %s', async (body) => {
		expect(await answered(CRYPTO, 200, body)).toMatchObject({
			amount: '5',
			coin: 'USDT',
			walletAlias: 'treasury',
		});
	});
});

describe('keys are compared as people read them', () => {
	const keyOf = (text: string) => {
		const read = readKeyText(text);
		return 'key' in read ? read.key : undefined;
	};
	test.each([
		['ΟΔΟΣ.Α-1', 'οδος.α-1'],
		['STRASSE-1', 'straße-1'],
		['Ӏ-1', 'I-1'],
		['ǀNV-1', 'INV-1'],
		['Ү-1', 'Y-1'],
		['օ-1', 'o-1'],
		['a⧸1', 'a/1'],
		['INV\u2d7f1', 'INV1'],
		['INV\ufffc1', 'INV1'],
	])('%s and %s are one key, or the first is refused', (one, other) => {
		expect([undefined, keyOf(other)]).toContain(keyOf(one));
	});
});

test('a paid key that was forgotten with the record is not paid again by the process that knows it', async () => {
	await pay([item('life')]);
	// *Clean Database* of a Remove Duplicates node.
	records.clear();
	expect(await results([item('life')])).toEqual(['alreadyPaid']);
	expect(accepted()).toEqual(['10']);
});

test('a key that a new process pays after the record was forgotten is unknown until its answer is known', async () => {
	await pay([item('life')]);
	records.clear();
	restart();
	await fault({ dropBefore: true });
	expect(await results([item('life')])).toEqual(['unknown']);
	await pay([item('next')]);
	expect(await results([item('life')])).toEqual(['unknown']);
});

test('a Remove Duplicates node with a short history does not make a paid key payable', async () => {
	await pay([item('shared')]);
	const service = DataDeduplicationService.getInstance() as unknown as Record<string, Helper>;
	const place = { workflow: { id: 'workflow-id' }, node: { id: 'remove-duplicates' } };
	await service.checkProcessedAndRecord!(['x'], 'workflow', place, { mode: 'entries', maxEntries: 1 });
	await pay([item('shared')]);
	expect(accepted()).toEqual(['10']);
});

test.each(['localhost:9', 'proxy.example:3128', 'socks5://127.0.0.1:9'])(
	'a payment does not go around the proxy %s',
	async (proxy) => {
		await run({ ...FIAT, requestOptions: { proxy } }, CONTINUED);
		expect(asked()).toBe(0);
	},
);

test.each(['={{ $now }}', '={{ true }}', "={{ ['x'] }}"])(
	'a key of another type is not called empty: %s',
	async (paymentKey) => {
		const [row] = await pay([item('x')], {}, {}, { paymentKey });
		expect(row!.error?.message).not.toContain('is empty');
	},
);
