import { randomUUID } from 'node:crypto';
import { CONTINUED, cryptoPayout, FIAT, PAYOUT, resultOf, withPayments } from '../withPayments.ts';

/** Limits with a unit, and a limit that holds across executions. */
const { run, fault, accepted, asked } = withPayments();

const messageOf = async (parameters: object) => (await run(parameters)).error?.message;

describe('Allowed Currencies', () => {
	test.each([
		['NGN', 'USD', "'USD' is not one of 'Allowed Currencies'"],
		['NGN, USD', 'EUR', "'EUR' is not one of 'Allowed Currencies'"],
		[' , ', 'NGN', "'Allowed Currencies' is empty"],
		['={{ $json.missing }}', 'NGN', "'Allowed Currencies' is empty"],
		["={{ $fromAI('currencies') }}", 'NGN', "'Allowed Currencies' must not come from an AI model"],
	])('%p refuses a payment in %s', async (allowedCurrencies, currency, message) => {
		expect(await messageOf({ ...FIAT, currency, options: { allowedCurrencies } })).toBe(message);
		expect(asked()).toBe(0);
	});

	test.each(['NGN', 'usd, ngn '])('%p lets NGN pass, in any case', async (allowedCurrencies) => {
		expect(await messageOf({ ...FIAT, currency: 'ngn', options: { allowedCurrencies } })).toBeUndefined();
		expect(accepted()).toEqual(['10']);
	});

	test.each([
		['{"coin":"BTC","amount":"1","wallet_alias":"treasury"}', "'BTC' is not one of"],
		['{"amount":"1","wallet_alias":"treasury"}', "the request body has no readable 'coin'"],
		['{"coin":"USDT","asset":"BTC","amount":"1","wallet_alias":"treasury"}', "'asset' beside 'coin'"],
		['{"coin":"USDT","x":{"coin":"BTC"},"amount":"1","wallet_alias":"treasury"}', "'coin' beside 'coin'"],
	])('a crypto payout %s is refused', async (body, words) => {
		expect(await messageOf({ ...cryptoPayout(body), options: { allowedCurrencies: 'USDT' } })).toContain(
			words,
		);
		expect(asked()).toBe(0);
	});

	test('a conversion names contracts', async () => {
		const convert = async (allowedCurrencies: string) =>
			await messageOf({
				resource: 'instantLiquidity',
				operation: 'convert',
				contract_id: 'ic_usd_ngn',
				from_amount: '10',
				options: { allowedCurrencies },
			});
		expect(await convert('ic_usdt_ngn')).toContain("'ic_usd_ngn' is not one of 'Allowed Currencies'");
		expect(await convert('ic_usd_ngn')).toBeUndefined();
	});
});

describe('Maximum per Day', () => {
	/** n8n's process remembers what each workflow has paid today. */
	let workflowId: string;
	beforeEach(() => (workflowId = randomUUID()));

	const pay = async (amounts: string[], maximumPerDay: unknown, more: object = {}) => {
		const { items } = await run(
			{ ...PAYOUT, options: { maximumPerDay }, ...more },
			{
				...CONTINUED,
				workflowId,
				items: amounts.map((amount) => ({ json: { amount, alias: 'supplier-main', key: amount } })),
			},
		);
		return items.flat().map(resultOf);
	};

	test('all executions of the workflow together make no more payments than that', async () => {
		expect(await pay(['1', '2'], '3')).toEqual(['paid', 'paid']);
		expect(await pay(['3', '4'], '3')).toEqual(['paid', 'notSent']);
		expect(await pay(['5'], '3')).toEqual(['notSent']);
		expect(accepted()).toEqual(['1', '2', '3']);
		const { error } = await run({ ...FIAT, options: { maximumPerDay: '3' } }, { workflowId });
		expect(error?.message).toBe("This workflow has made its 3 payments of today ('Maximum per Day')");
	});

	test('executions at the same time do not get around it, and a payment with a key that was paid does not count', async () => {
		const paymentKey = '={{ $json.key }}';
		const all = await Promise.all(
			['1', '2', '3', '4', '5'].map(async (amount) => await pay([amount], '3', { paymentKey })),
		);
		expect(all.flat().filter((result) => result === 'paid')).toHaveLength(3);
		const [first] = accepted();
		expect(await pay([first!], '9', { paymentKey })).toEqual(['alreadyPaid']);
		expect(await pay(['6'], '4', { paymentKey })).toEqual(['paid']);
	});

	test('a payment that the service refused counts; a dry run and an item above a limit do not', async () => {
		await pay(['1'], '1', { options: { maximumPerDay: '1', dryRun: true } });
		await pay(['1'], '1', { options: { maximumPerDay: '1', maximumAmount: '0.5' } });
		await fault({ status: 422 });
		expect(await pay(['1'], '1')).toEqual(['rejected']);
		expect(await pay(['1'], '1')).toEqual(['notSent']);
		expect(asked()).toBe(1);
	});

	test('a key that was held back is free on another day, or with a higher limit', async () => {
		const paymentKey = '={{ $json.key }}';
		expect(await pay(['1', '2'], '1', { paymentKey })).toEqual(['paid', 'notSent']);
		expect(await pay(['1', '2'], '2', { paymentKey })).toEqual(['alreadyPaid', 'paid']);
	});

	test.each(['0.5', 'many', '-1', '1e3'])(
		'%p is no number of payments, so everything is refused',
		async (value) => {
			expect(await messageOf({ ...FIAT, options: { maximumPerDay: value } })).toBe(
				`'Maximum per Day' is not a whole number: ${value}`,
			);
			expect(asked()).toBe(0);
		},
	);

	test('0 refuses every payment', async () => {
		expect(await pay(['1'], '0')).toEqual(['notSent']);
		expect(asked()).toBe(0);
	});
});
