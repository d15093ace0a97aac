import { control } from '../../../host/sandboxClient.ts';
import { CONTINUED, FIAT, keyed, PAYOUT, resultOf, withNode } from '../withNode.ts';

/** A service that honours a header with Payment Key makes a payment with the same key once, so it may be sent again. */
const { credentials, run, answered, fault, accepted, asked, sandbox } = withNode();

beforeEach(async () => await control(sandbox, 'PUT payment_key_header', { header: 'Idempotency-Key' }));

const pay = async (keys: string[], more: object = {}) => {
	const { items } = await run(
		{ ...PAYOUT, paymentKey: '={{ $json.key }}', ...more },
		{
			...CONTINUED,
			credentials: { ...credentials, signatureStyle: 'custom', paymentKeyHeader: 'Idempotency-Key' },
			items: keys.map((key) => keyed(key)),
		},
	);
	return items.flat();
};
const results = async (...given: Parameters<typeof pay>) => (await pay(...given)).map(resultOf);
const headersSent = () => sandbox.service.requests.all().map(({ headers }) => headers['idempotency-key']);

test.each([{ dropAfter: true }, { dropBefore: true }, { status: 500, acted: true }, { malformed: true }])(
	'after %p the next run sends the payment again under its key, and it is paid once',
	async (kind) => {
		await fault(kind);
		expect(await results(['a'])).toEqual(['unknown']);
		expect(await results(['a'])).toEqual(['paid']);
		expect(await results(['a'])).toEqual(['alreadyPaid']);
		expect(accepted()).toEqual(['10']);
		expect(headersSent()).toEqual(['a', 'a']);
	},
);

test('an unknown payment says that it can be run again', async () => {
	await fault({ dropAfter: true });
	const [item] = await pay(['a']);
	expect(item!.json.error).toMatchObject({
		description: expect.stringContaining(
			'Run this item again: the service makes a payment with this key once.',
		),
	});
});

test('a refusal of the second request says nothing about the first', async () => {
	await fault({ dropAfter: true });
	await fault({ status: 401 });
	expect(await results(['a'])).toEqual(['unknown']);
	const [item] = await pay(['a']);
	expect(item!.json.error).toMatchObject({
		outcome: 'unknown',
		message: expect.stringContaining('This payment was sent again and refused'),
	});
	expect(await results(['a'])).toEqual(['paid']);
	expect(accepted()).toEqual(['10']);
});

test('Do Not Pay and It Was Paid send nothing, also with the header', async () => {
	await fault({ dropAfter: true });
	expect(await results(['a'])).toEqual(['unknown']);
	expect(await results(['a'], { options: { ifOutcomeIsUnknown: 'doNotPay' } })).toEqual(['unknown']);
	expect(await results(['a'], { options: { ifOutcomeIsUnknown: 'wasPaid' } })).toEqual(['alreadyPaid']);
	expect(asked()).toBe(1);
});

test('keys that look the same are sent in one spelling, and characters that no header carries are percent-encoded', async () => {
	expect(await results(['INV‑100%', 'Счёт 7'])).toEqual(['paid', 'paid']);
	expect(headersSent()).toEqual(['inv-100%25', 'c%D1%87%C3%ABt 7']);
});

test('a payment key is no secret, also in a header that is named like one', async () => {
	await control(sandbox, 'PUT payment_key_header', { header: 'X-Idempotency-Key' });
	const text =
		'{"payout_id":"po_1","status":"pending","amount":10,"currency":"NGN","reference":"invoice-1042"}';
	const [item] = await answered(
		{ ...FIAT, paymentKey: 'invoice-1042' },
		{ body: text },
		{ credentials: { ...credentials, signatureStyle: 'custom', paymentKeyHeader: 'X-Idempotency-Key' } },
	);
	expect(item!.json).toMatchObject({
		paymentKey: 'invoice-1042',
		extra: { reference: 'invoice-1042' },
	});
});

test('without the setting no header is sent', async () => {
	const { items } = await run({ ...FIAT, paymentKey: 'a' }, CONTINUED);
	expect(items.flat().map(resultOf)).toEqual(['paid']);
	expect(headersSent()).toEqual([undefined]);
});
