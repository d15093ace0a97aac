import type { IHttpRequestOptions } from 'n8n-workflow';
import { serve } from '../../../host/doubles/loopbackServer.ts';
import { credentialType, MemoryCredentials } from '../memoryCredentials.ts';
import { FIAT, PAYOUT, payout, withNode } from '../withNode.ts';

/** No secret is in an item, an error or a stored execution. */
const { credentials, sandbox, fault, run, answered } = withNode();

test('if the digits of the API key occur in the amount, the payment is paid and the amount is shown as it is', async () => {
	const body = '{"payout_id":"po_1","status":"pending","amount":1250000,"currency":"NGN"}';
	const withKey = { credentials: { ...credentials, apiKey: '250000' } };
	const [item] = await answered({ ...FIAT, amount: '1250000' }, { body }, withKey);
	expect(item!.json).toMatchObject({ result: 'paid', payoutId: 'po_1', amount: '1250000' });
});

test('a dry run shows neither user nor password of Base URL', async () => {
	const baseUrl = sandbox.url.replace('http://', 'http://someone:only-for-this-test@');
	const options = { dryRun: true, showRequest: true };
	const { stored } = await run({ ...FIAT, options }, { credentials: { ...credentials, baseUrl } });
	expect(stored).toContain('/v1/fiat_payout');
	expect(stored).not.toContain('only-for-this-test');
	expect(stored).not.toContain('someone');
});

// Nothing says that n8n signs the options of the node themselves.
test.each([
	['the options of the node', false],
	['a copy of them', true],
])('no stored execution holds a secret that the service repeats, if n8n signs %s', async (_, isCopy) => {
	let signature = '';
	const signing = jest.spyOn(MemoryCredentials.prototype, 'authenticate');
	signing.mockImplementation(
		async (data, _type, options) =>
			await (credentialType.authenticate as (...given: object[]) => Promise<IHttpRequestOptions>)(
				data,
				isCopy ? { ...options } : options,
			),
	);
	const server = await serve((incoming, outgoing) => {
		signature = String(incoming.headers['x-svc-signature']);
		incoming.resume().on('end', () => {
			outgoing.writeHead(401).end(JSON.stringify({ message: 'Bad headers', received: incoming.headers }));
		});
	});
	for (const parameters of [FIAT, { resource: 'fiatWallet', operation: 'getBalance', currency: 'NGN' }])
		for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
			const atServer = { ...credentials, baseUrl: server.url };
			const { stored } = await run(parameters, { credentials: atServer, settings: { onError } });
			expect(signature).toMatch(/^[0-9a-f]{64}$/);
			expect(stored).toContain('Bad headers');
			for (const secret of [sandbox.key, sandbox.secret, signature]) expect(stored).not.toContain(secret);
		}
	signing.mockRestore();
	await server.stop();
});

// n8n's HTTP client would remove the character, and the service could repeat a key that nobody knows as one.
test.each([
	['API Key', { apiKey: 'fake-live-\u200bkey-0001' }],
	[
		'Signature',
		{ signatureStyle: 'custom', signatureMethod: 'static', staticSignature: 'fake-sig\u200bnature' },
	],
])('%s with a character that no header can carry is refused', async (label, changed) => {
	const { error } = await run(FIAT, { credentials: { ...credentials, ...changed } });
	expect(error?.message).toContain(label);
	expect(error?.context).toMatchObject({ outcome: 'notSent' });
});

test.each(['dropAfter', 'malformed'])('no secret is stored after %s', async (kind) => {
	await fault({ delayMs: 1 });
	await fault({ [kind]: true });
	const { stored, error } = await run(PAYOUT, { items: [payout('1'), payout('2')] });
	expect(error).toBeDefined();
	// The record of what was paid in this execution.
	expect(stored).toContain('walletServiceMoneyCalls');
	for (const secret of [sandbox.key, sandbox.secret]) expect(stored).not.toContain(secret);
});
