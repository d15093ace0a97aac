import { ageKeys } from '../memoryProcessedItems.ts';
import { CONTINUED, cryptoPayout, FIAT, keyed, resultOf, withNode } from '../withNode.ts';

/** A Payment Key belongs to one account, one operation and one request. */
const { credentials, run, answered, payByKey, fault, asked } = withNode();

/** The result of a payment with the key, or the message of a failed one. */
const result = async (parameters: object, more: object = {}) => {
	const { items } = await run({ ...parameters, paymentKey: 'a' }, { ...CONTINUED, ...more });
	const [item] = items.flat();
	const { message } = (item!.json.error ?? {}) as { message?: string };
	return message ?? resultOf(item!);
};
const OTHER_ACCOUNT = "Not sent because 'Payment Key' a was used for the same payment of another account";
const differs = (field: string) =>
	`Not sent because 'Payment Key' a was used for a payment with another ${field}`;
const results = async (...given: Parameters<typeof payByKey>) => (await payByKey(...given)).map(resultOf);

const CRYPTO = { coin: 'USDT', amount: '5', wallet_alias: 'treasury', network: 'TRC20' };
const crypto = (body: object) => cryptoPayout(JSON.stringify(body));

test.each<[string, { credentialId?: string; credentials?: object }]>([
	['another credential', { credentialId: 'another' }],
	['another Base URL', { credentials: { baseUrl: 'http://127.0.0.1:9' } }],
])('a key that was paid is not paid with %s', async (_what, { credentials: changed, ...more }) => {
	expect(await result(FIAT)).toBe('paid');
	const other = { credentials: { ...credentials, ...changed }, ...more };
	expect(await result(FIAT, other)).toBe(OTHER_ACCOUNT);
	expect(await result({ ...FIAT, amount: '11' }, other)).toBe(differs('account and amount'));
	expect(asked()).toBe(1);
});

test('for another account, the advice is to look the payment up, and never another key', async () => {
	await result(FIAT);
	const [item] = await payByKey([keyed('a')], {}, { credentialId: 'another' });
	const { description } = item!.json.error as { description: string };
	expect(description).toMatch(/^Look the payment up at the service, in both accounts/);
	expect(description).not.toMatch(/another key/i);
});

test('after the API key was rotated, a paid key is paid and an unknown one can be settled', async () => {
	const rotated = { credentials: { ...credentials, apiKey: 'rotated-fake-key' } };
	expect(await result(FIAT)).toBe('paid');
	expect(await result(FIAT, rotated)).toBe('alreadyPaid');
	await fault({ dropAfter: true });
	expect(await results([keyed('b')])).toEqual(['unknown']);
	ageKeys();
	const wasPaid = { ifOutcomeIsUnknown: 'wasPaid' };
	expect(await results([keyed('b')], wasPaid, rotated)).toEqual(['alreadyPaid']);
	expect(asked()).toBe(2);
});

test('Base URL in another spelling is the same account', async () => {
	expect(await result(FIAT)).toBe('paid');
	const baseUrl = ` ${credentials.baseUrl}/v1/`;
	expect(await result(FIAT, { credentials: { ...credentials, baseUrl } })).toBe('alreadyPaid');
});

test.each<[string, object, object]>([
	['destination', FIAT, { ...FIAT, account_alias: 'supplier-new' }],
	['currency', FIAT, { ...FIAT, currency: 'USD' }],
	['operation', FIAT, crypto({ coin: 'NGN', amount: '10', wallet_alias: 'supplier-main' })],
	['field of the request', crypto(CRYPTO), crypto({ ...CRYPTO, network: 'ERC20' })],
	['field of the request', crypto(CRYPTO), crypto({ ...CRYPTO, memo: '7' })],
])('a key is refused for a payment with another %s: %j, %j', async (field, payment, other) => {
	expect(await result(payment)).toBe('paid');
	expect(await result(other)).toBe(differs(field));
	expect(asked()).toBe(1);
});

test('field order, white space and number notation do not change the payment', async () => {
	const body = '{"coin":"USDT","amount":5,"wallet_alias":"treasury","fee":1.50}';
	const same = '{ "fee": 1.5, "wallet_alias": "treasury", "amount": "5.0", "coin": "usdt" }';
	expect(await result(cryptoPayout(body))).toBe('paid');
	expect(await result(cryptoPayout(same))).toBe('alreadyPaid');
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
