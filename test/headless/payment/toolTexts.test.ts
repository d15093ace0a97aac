/** What a model reads about a payment by its tool: what happened, and what to do. */
import { startAnswering } from '../httpServer.ts';
import { FIAT, withPayments } from '../withPayments.ts';

const payments = withPayments();

const LIMITS = { maximumAmount: '100', allowedAliases: 'supplier-main', allowedCurrencies: 'NGN' };

/** The item of a call with these parameters in place of those of a payout of 10 NGN. */
const call = async (more: object = {}, credentials = payments.credentials) => {
	const parameters = { ...FIAT, options: LIMITS, ...more };
	const { items, error } = await payments.run(parameters, { type: 'walletServiceTool', credentials });
	expect(error).toBeUndefined();
	expect(items[0]).toHaveLength(1);
	return items[0]![0]!.json;
};

const LONG = 'x'.repeat(200_000);

const NOTHING = 'Nothing was sent.';
const REFUSED = 'The service refused this payment. No money was moved.';
const LIMIT = 'Do not change the payment to get around this limit. Tell the user.';
const OTHER = 'Do not change the payment to get around this. Tell the user.';
const INPUT = 'Correct what the message names, without changing the payment, or ask the user.';
const STOP = 'Stop. The money may have moved. Do not call this tool again for this payment; ask a person.';
const ONCE = 'Do not call this tool again for this payment.';

const failed = (happened: string) =>
	expect.stringMatching(new RegExp(`^${happened.replaceAll('.', '\\.')}.+\\.$`));

test.each([
	[
		'an amount above the limit',
		{ amount: '101' },
		'notSent',
		expect.stringContaining("above 'Maximum Amount'"),
		LIMIT,
	],
	['another alias', { account_alias: 'treasury' }, 'notSent', expect.stringContaining('treasury'), LIMIT],
	['no limits', { options: {} }, 'notSent', expect.stringContaining('These are missing'), LIMIT],
	['a comma', { amount: '1,000' }, 'notSent', failed(NOTHING), INPUT],
	['a key without a value', { paymentKey: '={{ undefined }}' }, 'notSent', failed(NOTHING), OTHER],
	['a key of two alphabets', { paymentKey: 'INV-\u0430b' }, 'notSent', failed(NOTHING), OTHER],
	[
		'a failing expression',
		{ amount: '={{ $("Nowhere").first().json.a }}' },
		'notSent',
		failed(NOTHING),
		OTHER,
	],
	['nothing wrong', {}, 'paid', 'The service has accepted the payment.', ONCE],
])('a call with %s', async (_, parameters, result, message, whatToDo) => {
	expect(await call(parameters)).toMatchObject({ result, message, whatToDo });
});

test.each([
	['refuses', { status: 422 }, 'rejected', failed(REFUSED), OTHER],
	[
		'gives no answer',
		{ dropAfter: true },
		'unknown',
		failed('It is unknown whether this payment was made.'),
		STOP,
	],
])('a service that %s', async (_, fault, result, message, whatToDo) => {
	await payments.fault(fault);
	expect(await call()).toMatchObject({ result, message, whatToDo });
});

test.each([
	['refuses', 422, { error: LONG, details: LONG }],
	['accepts', 200, { payout_id: LONG, status: LONG, amount: 10, currency: 'NGN' }],
])('a service that %s with 200,000 characters gives a short item', async (_, status, answer) => {
	const server = await startAnswering({ status, body: JSON.stringify(answer) });
	const item = await call({}, { ...payments.credentials, baseUrl: server.url });
	await server.stop();
	expect(JSON.stringify(item).length).toBeLessThan(1500);
});

test('a credential that cannot be used', async () => {
	const credentials = { ...payments.credentials, baseUrl: 'nowhere' };
	expect(await call({}, credentials)).toMatchObject({ result: 'notSent', whatToDo: OTHER });
});

test('a key that was used before', async () => {
	await call({ paymentKey: 'INV-7' });
	expect(await call({ paymentKey: 'INV-7' })).toMatchObject({
		result: 'alreadyPaid',
		message: 'Paid before. Nothing was sent now.',
		whatToDo: ONCE,
	});
	expect(await call({ paymentKey: 'INV-7', amount: '11' })).toMatchObject({
		result: 'notSent',
		message: expect.stringContaining('was used for a payment with another amount'),
		whatToDo: OTHER,
	});
});
