import { serve } from '../../../host/doubles/loopbackServer.ts';
import { FIAT, PAYOUT, payout, withNode } from '../withNode.ts';

/** No secret is in an item, an error or a stored execution. */
const { credentials, sandbox, fault, run, answered } = withNode();

const secrets = () => [sandbox.key, sandbox.secret];
/** The items as text, when the service of this API key gives this answer. */
const shown = async (apiKey: string, body: string, status = 200) =>
	JSON.stringify(await answered(FIAT, { status, body }, { credentials: { ...credentials, apiKey } }));

test('if the digits of the API key occur in the amount, the payment is paid and the amount is shown as it is', async () => {
	const body = '{"payout_id":"po_1","status":"pending","amount":1250000,"currency":"NGN"}';
	const [item] = await answered(
		{ ...FIAT, amount: '1250000' },
		{ body },
		{ credentials: { ...credentials, apiKey: '250000' } },
	);
	expect(item!.json).toMatchObject({ result: 'paid', payoutId: 'po_1', amount: '1250000' });
});

test('a dry run shows neither user nor password of Base URL', async () => {
	const baseUrl = sandbox.url.replace('http://', 'http://someone:only-for-this-test@');
	const { stored } = await run(
		{ ...FIAT, options: { dryRun: true, showRequest: true } },
		{ credentials: { ...credentials, baseUrl } },
	);
	expect(stored).toContain('/v1/fiat_payout');
	expect(stored).not.toContain('only-for-this-test');
	expect(stored).not.toContain('someone');
});

test('no stored execution holds a secret that the service repeats', async () => {
	let signature = '';
	const server = await serve((incoming, outgoing) => {
		signature = String(incoming.headers['x-svc-signature']);
		incoming.resume().on('end', () => {
			outgoing.writeHead(401).end(JSON.stringify({ message: 'Bad headers', received: incoming.headers }));
		});
	});
	for (const onError of ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const) {
		const atServer = { ...credentials, baseUrl: server.url };
		const { stored } = await run(FIAT, { credentials: atServer, settings: { onError } });
		expect(signature).toMatch(/^[0-9a-f]{64}$/);
		expect(stored).toContain('Bad headers');
		for (const secret of [...secrets(), signature]) expect(stored).not.toContain(secret);
	}
	await server.stop();
});

test.each(['dropBefore', 'dropAfter', 'malformed'])(
	'no stored execution, and no record of money calls in it, holds a secret after %s',
	async (kind) => {
		await fault({ delayMs: 1 });
		await fault({ [kind]: true });
		const { stored, error } = await run(PAYOUT, { items: [payout('1'), payout('2')] });
		expect(error).toBeDefined();
		expect(stored).toContain('walletServiceMoneyCalls');
		for (const secret of secrets()) expect(stored).not.toContain(secret);
	},
);

const API_KEY = 'fake-key-only-for-this-test-0123456789';

test('a page that is cut off inside the key shows no part of it', async () => {
	const page = `<html>${'x'.repeat(2000 - 6 - API_KEY.length + 1)}${API_KEY}`;
	expect(await shown(API_KEY, page, 500)).not.toContain(API_KEY.slice(0, -1));
});

test('a key of digits is not shown as the text of a field', async () => {
	const digits = '918273645546372819';
	expect(await shown(digits, `{"message":"no","key":"${digits}"}`, 400)).not.toContain(digits);
});

test('a key in a field that becomes lower or upper case is not shown', async () => {
	const key = API_KEY.toUpperCase();
	const body = `{"payout_id":"po_1","status":"${key}","amount":10,"currency":"NGN"}`;
	expect((await shown(key, body)).toUpperCase()).not.toContain(key);
});
