/** While the user listens for a test event, a delivery that is refused says which settings would verify it, and a stranger learns nothing. */
import nodeCrypto from 'node:crypto';
import { ServerResponse } from 'node:http';
import { until } from '../../host/until.ts';
import { openSsl, openSslKeys, openSslSign } from '../unit/openSsl.ts';
import type { ListenSetup } from './harness.ts';
import { credited, deliver, refused, withTrigger } from './withTrigger.ts';

const listen = withTrigger();
// On a busy machine a search could end at its bound of time, which findSettings.test.ts is about.
beforeEach(() => void jest.spyOn(performance, 'now').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

const SECRET = 'fake-webhook-secret-0123';
const MISSING = refused(401, 'The header x-svc-signature is missing');
const PROVES =
	'This proves only that the sender knows the Webhook Secret. If others can know it, because it is a public key or an ID, anyone can sign.';
const AGAIN = 'Then click Execute step and let the service send another event. It must pass, too.';
const UNSIGNED = 'The service signs no time, so a recorded delivery can be sent again at any time.';
const CORRECT = 'Correct the cause, click Execute step and let the service send the event again.';

let nodes = 0;
/** A trigger that the user listens with. The settings of its credential are left as they are in a new one, but for these. */
async function listening(credentials: object = { webhookSecret: SECRET }, setup: Partial<ListenSetup> = {}) {
	const nodeId = `finds-settings-${(nodes += 1)}`;
	return await listen({
		mode: 'manual',
		nodeId,
		parameters: { verification: 'credential' },
		credentials: credentials as never,
		...setup,
	});
}
type Listening = Awaited<ReturnType<typeof listening>>;

/** What the user reads, line by line, without the link below it. */
async function adviceOf({ started, runs }: Pick<Listening, 'started' | 'runs'>): Promise<string[]> {
	await until('the execution', () => started.length > 0);
	const [run] = await runs();
	expect(run?.data).toBeUndefined();
	const lines = String(run?.error?.description).split('<br>');
	expect(lines.pop()).toMatch(
		/^<a href="https:[^"]+\/docs\/set-up\/verify-webhooks\.md#[a-z-]+" target="_blank">Verify webhooks<\/a>$/,
	);
	return lines;
}

const seconds = () => String(Math.floor(Date.now() / 1000));
const text = () => JSON.stringify(credited({ 'Sender account name': 'a name in the body' }));

test('each setting that differs stands on a line, in the order of the form, and then the delivery passes', async () => {
	const credentials: Record<string, unknown> = { webhookSecret: SECRET };
	const listener = await listening(credentials);
	const send = async () => {
		const [body, time] = [text(), seconds()];
		const signature = openSsl(`v0:${time}:${body}`, SECRET);
		return await listener.post(body, { 'x-acme-signature': `v0=${signature}`, 'x-acme-timestamp': time });
	};
	expect(await send()).toEqual(MISSING);
	expect(await adviceOf(listener)).toEqual([
		'Other settings verify this delivery. Set in the credential:',
		'Webhook Style: <code>Custom</code>',
		'Webhook Header: <code>x-acme-signature</code>',
		'Webhook Payload: <code>v0:{timestamp}:{body}</code>',
		'Webhook Signature Format: <code>v0={signature}</code>',
		'Webhook Timestamp Header: <code>x-acme-timestamp</code>',
		AGAIN,
		PROVES,
	]);
	Object.assign(credentials, { webhookStyle: 'custom', webhookVerification: 'hmac' });
	Object.assign(credentials, { webhookHeader: 'x-acme-signature', webhookPayload: 'v0:{timestamp}:{body}' });
	Object.assign(credentials, { webhookSignatureFormat: 'v0={signature}' });
	Object.assign(credentials, { webhookTimestampHeader: 'x-acme-timestamp' });
	expect(await send()).toMatchObject({ status: 200 });
});

test('a style is one line, and a field that has to be empty is said', async () => {
	const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
	const listener = await listening({ webhookSecret: `whsec_${secret}` });
	const [body, time] = [text(), seconds()];
	const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
	const signature = openSsl(`${id}.${time}.${body}`, secret, {
		encoding: 'base64',
		secretEncoding: 'base64',
	});
	const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
	expect(await listener.post(body, headers)).toEqual(MISSING);
	expect(await adviceOf(listener)).toEqual([
		'Other settings verify this delivery. Set in the credential:',
		'Webhook Style: <code>Standard Webhooks</code>',
		AGAIN,
		PROVES,
	]);

	const custom = {
		webhookStyle: 'custom',
		webhookVerification: 'hmac',
		webhookSecret: SECRET,
		webhookPayload: '{timestamp}.{body}',
		webhookTimestampHeader: 'x-time',
		webhookHeader: 'x-signature',
	};
	const other = await listening(custom);
	await other.post(body, { 'x-signature': openSsl(body, SECRET, { algorithm: 'sha512' }), 'x-time': time });
	expect(await adviceOf(other)).toEqual([
		'Other settings verify this delivery. Set in the credential:',
		'Webhook Algorithm: <code>HMAC-SHA512</code>',
		'Webhook Payload: <code>{body}</code>',
		'Webhook Timestamp Header: nothing. Clear the field',
		UNSIGNED,
		AGAIN,
		PROVES,
	]);
});

describe('what is weaker is said', () => {
	test.each<[name: string, headers: (body: string) => Record<string, string>, lines: Array<string | RegExp>]>(
		[
			[
				'a token',
				() => ({ 'x-token': SECRET }),
				[
					'Webhook Verification: <code>Token</code>',
					'Webhook Header: <code>x-token</code>',
					/^A token is the same/,
				],
			],
			[
				'an old delivery',
				(body) => ({ 'x-time': '1767225600', 'x-sig': openSsl(`1767225600&${body}`, SECRET) }),
				[
					'Webhook Payload: <code>{timestamp}&amp;{body}</code>',
					/^The time of this delivery is \d+ seconds away/,
				],
			],
			[
				'the address',
				(body) => ({ 'x-sig': openSsl(`https://n8n.example.com/webhook-test/x/webhook${body}`, SECRET) }),
				[/^The service signs the address of the trigger, too\. Before you publish/],
			],
		],
	)('%s', async (_, headers, lines) => {
		const address = 'https://n8n.example.com/webhook-test/x/webhook';
		const { WebhookContext } = await import('n8n-core');
		jest.spyOn(WebhookContext.prototype, 'getNodeWebhookUrl').mockReturnValue(address);
		const listener = await listening();
		const body = text();
		expect(await listener.post(body, headers(body))).toEqual(MISSING);
		const advice = await adviceOf(listener);
		for (const line of lines)
			expect(advice).toContainEqual(typeof line === 'string' ? line : expect.stringMatching(line));
	});

	test('a public key in the field of the secret', async () => {
		const { privateKey, der } = openSslKeys('ed25519');
		const listener = await listening({ webhookSecret: der.subarray(-32).toString('hex') });
		const [body, time] = [text(), seconds()];
		const signature = openSslSign(time + body, privateKey, 'ed25519').toString('hex');
		await listener.post(body, { 'x-signature-ed25519': signature, 'x-signature-timestamp': time });
		expect(await adviceOf(listener)).toEqual([
			'Other settings verify this delivery. Set in the credential:',
			'Webhook Style: <code>Custom</code>',
			'Webhook Verification: <code>Public Key Signature</code>',
			'Webhook Public Key: the text that is in Webhook Secret now, which is a public key',
			'Webhook Header: <code>x-signature-ed25519</code>',
			'Webhook Payload: <code>{timestamp}{body}</code>',
			'Webhook Timestamp Header: <code>x-signature-timestamp</code>',
			AGAIN,
			'This proves only that the sender has the private key of this public key. Take the public key from the service itself.',
		]);
	});
});

test.each<[what: string, headers: (body: string) => Record<string, string>, line: RegExp]>([
	[
		'another secret',
		(body) => ({ 'x-sig': openSsl(body, 'another-secret') }),
		/^No usual way to sign fits .* is most often another one: of another account, of the test system, or the API key/,
	],
	['no signature', () => ({ 'x-other': 'words' }), /^No header of this delivery looks like a signature/],
	[
		'SHA-1',
		(body) => ({ 'x-sig': openSsl(body, SECRET, { algorithm: 'sha1' }) }),
		/^The Webhook Secret is right, but .* SHA-1/,
	],
	[
		'a body written anew',
		(body) => ({ 'x-svc-signature': openSsl(body.replaceAll('":', '": ').replaceAll(',"', ', "'), SECRET) }),
		/^The Webhook Secret or key is right: .* proxy/,
	],
])('with %s the user reads what to look at first', async (_, headers, line) => {
	const listener = await listening();
	const body = text();
	expect(await listener.post(body, headers(body))).toMatchObject({ status: 401 });
	expect(await adviceOf(listener)).toEqual([expect.stringMatching(line), CORRECT]);
});

describe('a stranger', () => {
	const signed = (body: string) => ({ 'x-acme-signature': openSsl(body, SECRET) });

	test('gets the answer of every other refusal, before anything is looked for', async () => {
		const published = await listening(undefined, { mode: 'webhook' });
		const listener = await listening();
		// Each signature takes some milliseconds, so that a search takes long.
		const body = JSON.stringify(credited({ note: 'x'.repeat(2 ** 20 - 1000) }));
		const headers = { 'x-acme-signature': openSsl(body, 'another-secret') };
		expect(await published.post(body, headers)).toEqual(MISSING);
		const computed = jest.spyOn(nodeCrypto, 'createHmac');
		const answered: Array<{ started: number; computed: number }> = [];
		const end = Reflect.get(ServerResponse.prototype, 'end') as (...given: unknown[]) => ServerResponse;
		// When the answer is sent: until the sender has read it, a search on a busy machine may be over.
		jest.spyOn(ServerResponse.prototype, 'end').mockImplementation(function (this: ServerResponse, ...given) {
			answered.push({ started: listener.started.length, computed: computed.mock.calls.length });
			return end.apply(this, given);
		});
		expect(await listener.post(body, headers)).toEqual(MISSING);
		await adviceOf(listener);
		expect(answered).toEqual([{ started: 0, computed: expect.any(Number) as number }]);
		// The answer was there after a turn of the search at most.
		expect(computed.mock.calls.length).toBeGreaterThan(2 * answered[0]!.computed);
	});

	test('causes one search while the user listens, and none on a published workflow or with what is no event', async () => {
		const listener = await listening();
		const body = text();
		await listener.post(body, signed(body));
		await adviceOf(listener);
		const computed = jest.spyOn(nodeCrypto, 'createHmac');
		await Promise.all(Array.from({ length: 10 }, () => listener.post(body, signed(body))));
		const published = await listening(undefined, { mode: 'webhook' });
		await published.post(body, signed(body));
		const other = await listening();
		for (const none of [`1767225600.${body}`, '{"no":"event"}', '[]', ''])
			expect(await deliver(other, none, signed(none))).toMatchObject({ status: 401 });
		expect(await adviceOf(other)).toEqual([CORRECT]);
		expect(listener.started).toHaveLength(1);
		expect(published.started).toHaveLength(0);
		expect(computed).not.toHaveBeenCalled();
	});

	test('reads nothing, and nothing is stored: no secret, no value of a header, nothing of the body', async () => {
		const previous = 'the-secret-before-this';
		const listener = await listening({ webhookSecret: SECRET, webhookPreviousSecret: previous });
		// Not the time at which n8n says that it has begun.
		const [body, time] = [text(), String(Number(seconds()) - 100)];
		const signature = openSsl(`${time}.${body}`, SECRET);
		const headers = {
			'x-acme-signature': `t=${time},v1=${signature}`,
			authorization: 'Bearer token-in-a-header',
			'x-acme-note': 'words-of-the-sender',
		};
		const answer = await listener.post(body, headers);
		expect(await adviceOf(listener)).toContain(
			'Webhook Signature Format: <code>t={timestamp},v1={signature}</code>',
		);
		const [run] = await listener.runs();
		const stored = JSON.stringify([answer, listener.started, run, String(run?.error?.stack)]);
		const hidden = [
			SECRET,
			previous,
			time,
			signature,
			'token-in-a-header',
			'words-of-the-sender',
			'a name in the body',
		];
		for (const each of hidden) expect(stored).not.toContain(each);
	});
});

test('a right delivery whose time is wrong is not looked into: its settings are right', async () => {
	const credentials = {
		webhookStyle: 'custom',
		webhookVerification: 'hmac',
		webhookSecret: SECRET,
		webhookPayload: '{timestamp}.{body}',
		webhookTimestampHeader: 'x-time',
		webhookHeader: 'x-sig',
	};
	const listener = await listening(credentials);
	const body = text();
	await listener.post(body, { 'x-sig': openSsl(`1767225600.${body}`, SECRET), 'x-time': '1767225600' });
	expect(await adviceOf(listener)).toEqual([CORRECT]);
});
