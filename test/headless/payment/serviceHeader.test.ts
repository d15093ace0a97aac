import { ageKeys } from '../memoryProcessedItems.ts';
import { control } from '../../sandbox/client.ts';
import { FIAT, keyed, resultOf, withNode } from '../withNode.ts';

/** Payment Key Header carries the key to a service that knows it. The node itself sends nothing again without a person. */
const { credentials, payByKey, resultsOf, answered, fault, accepted, asked, sandbox } = withNode();

beforeEach(async () => await control(sandbox, 'PUT payment_key_header', { header: 'Idempotency-Key' }));

const withHeader = (paymentKeyHeader: string) => ({
	credentials: { ...credentials, signatureStyle: 'custom', paymentKeyHeader },
});
const results = async (keys: string[], options: object = {}) =>
	(
		await payByKey(
			keys.map((key) => keyed(key)),
			options,
			withHeader('Idempotency-Key'),
		)
	).map(resultOf);
const headersSent = () => sandbox.service.requests.all().map(({ headers }) => headers['idempotency-key']);

test('without a person nothing is sent again, and a person sends it under the same key', async () => {
	await fault({ dropAfter: true });
	for (let run = 0; run < 3; run += 1) expect(await results(['Inv-1'])).toEqual(['unknown']);
	expect(asked()).toBe(1);
	ageKeys();
	const wasNotPaid = { ifOutcomeIsUnknown: 'wasNotPaid' };
	expect(await results(['Inv-1'], wasNotPaid)).toEqual(['paid']);
	expect(await results(['Inv-1'], wasNotPaid)).toEqual(['alreadyPaid']);
	// The service keeps its promise, whatever the person says.
	expect(accepted()).toEqual(['10']);
	expect(headersSent()).toEqual(['Inv-1', 'Inv-1']);
});

test('a key is sent as the user wrote it, with what is folded in ASCII', async () => {
	expect(await results([' INV-100% ', 'INV‑200%'])).toEqual(['paid', 'paid']);
	expect(headersSent()).toEqual(['INV-100%', 'INV-200%']);
});

test('a payment key is no secret, also in a header that is named like one', async () => {
	const body = '{"payout_id":"po_1","amount":10,"currency":"NGN","reference":"invoice-1042"}';
	const parameters = { ...FIAT, paymentKey: 'invoice-1042' };
	const [item] = await answered(parameters, { body }, withHeader('x-idempotency-key'));
	expect(item!.json).toMatchObject({ paymentKey: 'invoice-1042', extra: { reference: 'invoice-1042' } });
});

test('without the setting no header is sent', async () => {
	expect(await resultsOf({ ...FIAT, paymentKey: 'a' })).toEqual(['paid']);
	expect(headersSent()).toEqual([undefined]);
});
