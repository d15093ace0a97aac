import { killAfter, timing } from '../memoryProcessedItems.ts';
import { CONTINUED, cryptoPayout, FIAT, keyed, resultOf, withNode } from '../withNode.ts';
import { startSandbox } from '../../../sandbox/server.ts';
import type { Sandbox } from '../../../sandbox/server.ts';

/** A Payment Key belongs to one account, one operation and one request. */
const { credentials, run, answered, payByKey, fault, accepted, asked, restart } = withNode();

const result = async (parameters: object, more: object = {}) => {
	const { items } = await run({ ...parameters, paymentKey: 'a' }, { ...CONTINUED, ...more });
	const [item] = items.flat();
	const { message } = (item!.json.error ?? {}) as { message?: string };
	return message ?? resultOf(item!);
};
const OTHER_ACCOUNT = "'Payment Key' a was used for the same payment of another account";
const differs = (field: string) => `'Payment Key' a was used for a payment with another ${field}`;

const CRYPTO = { coin: 'USDT', amount: '5', wallet_alias: 'treasury', network: 'TRC20' };
const crypto = (body: object) => cryptoPayout(JSON.stringify(body));

describe('the live account, after the test account', () => {
	let live: Sandbox;
	beforeAll(async () => void (live = await startSandbox({ port: 0 })));
	afterAll(async () => await live.stop());
	const atLive = () => ({
		credentialId: 'live',
		credentials: { ...credentials, baseUrl: live.url, apiKey: live.key, signatureSecret: live.secret },
	});

	test('a key that the test account has paid is refused for the live account', async () => {
		expect(await result(FIAT)).toBe('paid');
		expect(await result(FIAT, atLive())).toBe(OTHER_ACCOUNT);
		restart();
		expect(await result(FIAT, atLive())).toBe(OTHER_ACCOUNT);
		expect(await result({ ...FIAT, amount: '11' }, atLive())).toBe(differs('account and amount'));
		expect(live.service.requests.all()).toHaveLength(0);
		expect(await result(FIAT)).toBe('alreadyPaid');
	});

	test.each(['wasPaid', 'wasNotPaid'])(
		'%s with the live credential settles nothing of the test account, also after a restart',
		async (ifOutcomeIsUnknown) => {
			await fault({ dropAfter: true });
			const results = async (...more: [object, object] | []) =>
				(await payByKey([keyed('a')], ...more)).map(resultOf);
			expect(await results()).toEqual(['unknown']);
			expect(await results({ ifOutcomeIsUnknown }, atLive())).toEqual(['notSent']);
			restart();
			expect(await results({ ifOutcomeIsUnknown }, atLive())).toEqual(['notSent']);
			expect(live.service.requests.all()).toHaveLength(0);
			expect(await results()).toEqual(['unknown']);
		},
	);
});

test.each<[string, { credentialId?: string; credentials?: object }]>([
	['another credential', { credentialId: 'another' }],
	['another Base URL', { credentials: { baseUrl: 'http://127.0.0.1:9' } }],
])('a key that was paid is not paid with %s', async (_what, { credentials: changed, ...more }) => {
	expect(await result(FIAT)).toBe('paid');
	expect(await result(FIAT, { credentials: { ...credentials, ...changed }, ...more })).toBe(OTHER_ACCOUNT);
	expect(asked()).toBe(1);
});

test('for another account, the advice is to look the payment up, and never another key', async () => {
	await result(FIAT);
	const [item] = await payByKey([keyed('a')], {}, { credentialId: 'another' });
	const { description } = item!.json.error as { description: string };
	expect(description).toMatch(/^Look the payment up at the service, in both accounts/);
	expect(description).not.toMatch(/another key/i);
	// The words of the advice that would be wrong here.
	const [different] = await payByKey([keyed('a', '11')]);
	expect(different!.json.error).toMatchObject({ description: expect.stringMatching(/another key/i) });
});

test('after the API key was rotated, a paid key is paid and an unknown one can be settled', async () => {
	const rotated = { credentials: { ...credentials, apiKey: 'rotated-fake-key' } };
	expect(await result(FIAT)).toBe('paid');
	expect(await result(FIAT, rotated)).toBe('alreadyPaid');
	await fault({ dropAfter: true });
	const results = async (...more: [object, object] | []) =>
		(await payByKey([keyed('b')], ...more)).map(resultOf);
	expect(await results()).toEqual(['unknown']);
	expect(await results({ ifOutcomeIsUnknown: 'wasPaid' }, rotated)).toEqual(['alreadyPaid']);
	expect(asked()).toBe(2);
});

test('Base URL in another spelling is the same account', async () => {
	expect(await result(FIAT)).toBe('paid');
	const baseUrl = ` ${credentials.baseUrl}/v1/`;
	expect(await result(FIAT, { credentials: { ...credentials, baseUrl } })).toBe('alreadyPaid');
});

test('a key of a fiat payout is refused for a crypto payout', async () => {
	const body = { coin: 'NGN', amount: '10', wallet_alias: 'supplier-main' };
	expect(await result(FIAT)).toBe('paid');
	expect(await result(crypto(body))).toBe(differs('operation'));
	expect(asked()).toBe(1);
});

test.each([
	{ ...CRYPTO, network: 'ERC20' },
	{ ...CRYPTO, network: undefined },
	{ ...CRYPTO, memo: '7' },
])('a key with another network or another field is refused: %j', async (body) => {
	expect(await result(crypto(CRYPTO))).toBe('paid');
	expect(await result(crypto(body))).toBe(differs('field of the request'));
	expect(asked()).toBe(1);
});

test('field order, white space and number notation do not change the payment', async () => {
	expect(await result(cryptoPayout('{"coin":"USDT","amount":5,"wallet_alias":"treasury","fee":1.50}'))).toBe(
		'paid',
	);
	expect(
		await result(cryptoPayout('{ "fee": 1.5, "wallet_alias": "treasury", "amount": "5.0", "coin": "usdt" }')),
	).toBe('alreadyPaid');
});

test.each<[string, object, object]>([
	['destination', { coin: 'USDT', amount: '5', address: 'T1' }, { address: 'T2' }],
	['amount', { coin: 'USDT', value: '5', wallet_alias: 't' }, { value: '500' }],
	['currency', { Coin: 'USDT', amount: '5', wallet_alias: 't' }, { Coin: 'BTC' }],
])('a key whose %s cannot be read is not alreadyPaid with another one', async (_what, body, changed) => {
	const pay = async (json: object) =>
		(await answered({ ...crypto(json), paymentKey: 'k' }, { body: '{"id":"1"}' })).map(resultOf);
	expect(await pay(body)).toEqual(['paid']);
	expect(await pay({ ...body, ...changed })).toEqual(['notSent']);
});

describe('n8n is killed while another request under a used key is refused', () => {
	const pay = async (amount: string, options: object = {}) =>
		(await payByKey([keyed('one', amount)], options)).map(resultOf);

	/** Of the refusal: the row of the other request, a question to the row of the key, and the three that take both back. */
	test.each([1, 2, 3, 4])(
		'after write %i the other request is never paid, and the first stays paid',
		async (number) => {
			await pay('10');
			restart();
			killAfter(number);
			await pay('11');
			timing.fail = undefined;
			restart();
			const first = await pay('11');
			expect(['unknown', 'notSent']).toContain(first[0]);
			// Without a person, it stays so.
			expect(await pay('11')).toEqual(first);
			expect(await pay('10')).toEqual(['alreadyPaid']);
			expect(accepted()).toEqual(['10']);
		},
	);
});
