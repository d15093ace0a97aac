/** The trigger lets in what its credential verifies, and a forged delivery costs it little. */
import nodeCrypto from 'node:crypto';
import { WebhookContext } from 'n8n-core';
import type { ListenSetup } from './harness.ts';
import { credited, NOT_READY, refused, SECRET, sign, STARTED, VERIFIED, withTrigger } from './withTrigger.ts';

const listen = withTrigger();
afterEach(() => jest.restoreAllMocks());

const CUSTOM = { webhookStyle: 'custom', webhookVerification: 'hmac' };
const FORGED = { 'x-svc-signature': '0'.repeat(64) };

/** A verifying trigger. `send` delivers new events to it, and returns the status of the answer. */
async function listening(setup: Partial<ListenSetup> = {}) {
	const listener = await listen({ ...VERIFIED, ...setup });
	const send = async (headers: (text: string) => Record<string, string> = sign) => {
		const text = JSON.stringify(credited());
		return (await listener.post(text, headers(text))).status;
	};
	return { ...listener, send };
}

describe('what the trigger lets in', () => {
	test('a delivery with one changed character is refused with 401', async () => {
		const { post, started } = await listen(VERIFIED);
		const text = JSON.stringify(credited(), null, 2);
		expect(await post(text.replace('100.00', '900.00'), sign(text))).toEqual(
			refused(401, 'The signature does not match the body'),
		);
		expect(await post(text)).toEqual(refused(401, 'The header x-svc-signature is missing'));
		expect(started).toEqual([]);
		// A refused delivery does not make the genuine one a duplicate.
		expect(await post(text, sign(text))).toEqual(STARTED);
		expect(started).toHaveLength(1);
	});

	test('a delivery for one workflow is refused by another whose project gives the shared credential another secret', async () => {
		const shared = { credentialId: 'shared' };
		const one = await listening({ ...shared, nodeId: 'of-one' });
		const credentials = { webhookSecret: 'the-secret-of-the-other' };
		const other = await listening({ ...shared, nodeId: 'of-other', credentials });
		expect(await one.send()).toBe(200);
		expect(await other.send()).toBe(401);
	});
});

describe('a credential that cannot verify', () => {
	test.each([
		['no secret', {}, 'Webhook Secret is empty'],
		[
			'no method',
			{ ...CUSTOM, webhookVerification: 'none' },
			'Webhook Verification of the credential is None, so it checks no delivery',
		],
		['nothing left of it', undefined, 'Verification is on, but the credential is missing or cannot be read'],
	])('a credential with %s lets nothing in', async (_, credentials, reason) => {
		const setup = { ...VERIFIED, credentials };
		await expect(listen(setup)).rejects.toMatchObject({
			message: `${reason}; correct it in the credential of the trigger, or choose None under Verification, which accepts events from anyone`,
			description: 'The trigger would refuse every delivery until this is fixed.',
		});
		// The credential may also have changed after the workflow was published.
		const { post, started } = await listen({ ...setup, activated: false });
		const text = JSON.stringify(credited());
		expect(await post(text, sign(text))).toEqual(NOT_READY);
		expect(started).toEqual([]);
		// The user who listens for a test event sees the reason.
		const tried = await listen({ ...setup, activated: false, mode: 'manual' });
		expect(await tried.post(text, sign(text))).toEqual(NOT_READY);
		expect((await tried.runs())[0]?.error?.message).toBe(`The trigger refused this delivery: ${reason}`);
	});

	test('the default is Use Credential: without a webhook secret nothing can be published', async () => {
		await expect(listen({ parameters: { verification: undefined }, credentials: {} })).rejects.toThrow(
			'Webhook Secret is empty; correct it in the credential',
		);
	});

	test('why this side refuses is in the log, each reason once a minute, and not in the answer', async () => {
		const credentials = { webhookSecret: '' };
		const { post } = await listen({ ...VERIFIED, nodeId: 'of-the-log', credentials, activated: false });
		const error = jest.fn();
		jest.spyOn(WebhookContext.prototype, 'logger', 'get').mockReturnValue({ error } as never);
		/** Delivers to a trigger with this secret, and returns how often something was logged until then. */
		const logged = async (webhookSecret: string, answer: object) => {
			credentials.webhookSecret = webhookSecret;
			const text = JSON.stringify(credited());
			expect(await post(text, sign(text))).toEqual(answer);
			return error.mock.calls.length;
		};
		for (let times = 0; times < 3; times += 1) expect(await logged('', NOT_READY)).toBe(1);
		expect(error.mock.calls).toEqual([
			['Node answers every delivery with 503 until this is corrected: Webhook Secret is empty'],
		]);
		expect(await logged(' x', NOT_READY)).toBe(2);
		expect(await logged(SECRET, STARTED)).toBe(2);
		expect(await logged(' x', NOT_READY)).toBe(2);
		const now = performance.now() + 61_000;
		jest.spyOn(performance, 'now').mockReturnValue(now);
		expect(await logged(' x', NOT_READY)).toBe(3);
	});
});

test('a right delivery that is refused by its time is in the log once with what to do, a forged one is not', async () => {
	const timed = { webhookPayload: '{timestamp}.{body}', webhookTimestampHeader: 'x-svc-timestamp' };
	const credentials = { ...CUSTOM, ...timed, webhookSecret: SECRET };
	const { send } = await listening({ credentials, nodeId: 'of-the-time' });
	const warn = jest.fn();
	jest.spyOn(WebhookContext.prototype, 'logger', 'get').mockReturnValue({ warn } as never);
	const at = (time: string) => (text: string) => ({ ...sign(`${time}.${text}`), 'x-svc-timestamp': time });
	expect(await send(at(String(Math.floor(Date.now() / 1000))))).toBe(200);
	expect(await send(() => ({ ...FORGED, 'x-svc-timestamp': '1767225600' }))).toBe(401);
	expect(warn).not.toHaveBeenCalled();
	// The service repeats it with its first time, which is further away then.
	for (const time of ['1767225600', '1767225599', '1767225590']) expect(await send(at(time))).toBe(401);
	const words =
		/^Node answered a delivery with 401: .* \d+ seconds away from the time here, .* set Webhook Tolerance higher/;
	expect(warn.mock.calls).toEqual([[expect.stringMatching(words)]]);
});

test('after a change of the secret in the credential, only the new one works, and at once', async () => {
	const credentials = { webhookSecret: SECRET };
	const { send } = await listening({ credentials });
	expect(await send()).toBe(200);
	credentials.webhookSecret = 'the-next-secret';
	const sendWith = async (secret: string) => await send((text) => sign(text, secret));
	expect(await sendWith('the-next-secret')).toBe(200);
	for (const secret of [SECRET, 'a-wrong-secret']) expect(await sendWith(secret)).toBe(401);
});

/** Counts the calls of Node.js that take the time. */
describe('the cost of a forged delivery', () => {
	test('a body above 1 MiB is refused before its signature is computed, forged or not', async () => {
		const { post } = await listen(VERIFIED);
		const large = JSON.stringify(credited({ note: 'x'.repeat(2 ** 20) }));
		const signature = sign(large);
		const computed = jest.spyOn(nodeCrypto, 'createHmac');
		for (const headers of [FORGED, signature])
			expect(await post(large, headers)).toMatchObject({ status: 413 });
		expect(computed).not.toHaveBeenCalled();
	});

	test('another one is verified once', async () => {
		const { send } = await listening();
		const computed = jest.spyOn(nodeCrypto, 'createHmac');
		expect(await send(() => FORGED)).toBe(401);
		expect(computed).toHaveBeenCalledTimes(1);
	});
});
