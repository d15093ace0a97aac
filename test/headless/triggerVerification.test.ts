/** The trigger lets in what its credential verifies, and a forged delivery costs it little. */
import nodeCrypto from 'node:crypto';
import { WebhookContext } from 'n8n-core';
import type { ListenSetup } from './harness.ts';
import { MemoryCredentials } from './memoryCredentials.ts';
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
			// A broken credential is read again after a second.
			pass(1.1);
			return error.mock.calls.length;
		};
		for (let times = 0; times < 3; times += 1) expect(await logged('', NOT_READY)).toBe(1);
		expect(error.mock.calls).toEqual([
			['Node answers every delivery with 503 until this is corrected: Webhook Secret is empty'],
		]);
		expect(await logged(' x', NOT_READY)).toBe(2);
		expect(await logged(SECRET, STARTED)).toBe(2);
		pass(5);
		expect(await logged(' x', NOT_READY)).toBe(2);
		pass(60);
		expect(await logged(' x', NOT_READY)).toBe(3);
	});
});

const now = performance.now.bind(performance);
let passed = 0;
beforeEach(() => (passed = 0));
/** Lets the monotonic clock go on. */
function pass(seconds: number): void {
	passed += seconds * 1000;
	jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
}

describe('what the log says of deliveries that are refused', () => {
	const timed = { webhookPayload: '{timestamp}.{body}', webhookTimestampHeader: 'x-svc-timestamp' };
	const at = (time: string) => (text: string) => ({ ...sign(`${time}.${text}`), 'x-svc-timestamp': time });

	/** A trigger, and the function that logs its warnings. */
	async function warning(nodeId: string, setup: Partial<ListenSetup> = {}) {
		const { send, post } = await listening({ ...setup, nodeId });
		const warn = jest.fn();
		jest.spyOn(WebhookContext.prototype, 'logger', 'get').mockReturnValue({ warn } as never);
		return { send, post, warn };
	}

	test('a wrong secret is there once a minute, with what to do, and with nothing of the sender or the secret', async () => {
		const { send, warn } = await warning('of-the-secret');
		const wrong = (text: string) => ({ ...sign(text, 'another-secret'), 'x-other': 'words of the sender' });
		for (const headers of [wrong, wrong, () => FORGED]) expect(await send(headers)).toBe(401);
		expect(warn.mock.calls).toEqual([
			[
				'Node answered a delivery with 401: The signature does not match the body. If the service sent it, listen for a test event: the trigger then says which settings verify it. If a stranger sent it, there is nothing to do',
			],
		]);
		pass(61);
		expect(await send(wrong)).toBe(401);
		expect(warn).toHaveBeenCalledTimes(2);
	});

	test('a right delivery that is refused by its time is there once a minute with what to do, beside forged ones', async () => {
		const credentials = { ...CUSTOM, ...timed, webhookSecret: SECRET };
		const { send, warn } = await warning('of-the-time', { credentials });
		expect(await send(at(String(Math.floor(Date.now() / 1000))))).toBe(200);
		expect(await send(() => ({ ...FORGED, 'x-svc-timestamp': '1767225600' }))).toBe(401);
		// The service repeats it with its first time, which is further away then.
		for (const time of ['1767225600', '1767225599', '1767225590']) expect(await send(at(time))).toBe(401);
		// An hour too early.
		expect(await send(at(String(Math.floor(Date.now() / 1000) + 3600)))).toBe(401);
		const words =
			/^Node answered a delivery with 401: .* \d+ seconds away from the time here, .* set Webhook Tolerance higher/;
		expect(warn.mock.calls).toEqual([
			[expect.stringMatching(/The signature does not match/)],
			[expect.stringMatching(words)],
		]);
	});

	test('a signed delivery that is no event is there once a minute with its reason, and each other reason, too', async () => {
		const { post, warn } = await warning('of-no-event');
		const event = JSON.stringify(credited());
		const answered = async (body: string) => (await post(body, sign(body))).status;
		// Services that send several events at once, a form, a text in a text, and a test without a body.
		const none = [
			`[${event}]`,
			`payload=${encodeURIComponent(event)}`,
			JSON.stringify(event),
			'',
			'{"events":[]}',
		];
		for (const body of none) expect(await answered(body)).toBe(400);
		expect(await answered(`[${'0,'.repeat(3000)}0]`)).toBe(413);
		const told = (status: number, reason: string) => [
			`Node answered a delivery with ${status}: ${reason}. If the service sent it, its event started nothing: ask the service to send one event as a JSON object. If a stranger sent it, there is nothing to do`,
		];
		expect(warn.mock.calls).toEqual([
			told(400, 'The body is not a JSON object'),
			told(400, 'The body is not valid JSON'),
			told(400, 'The body cannot be read: it is empty, multipart, wrongly compressed or cut off'),
			told(400, "The body has no text in 'event'"),
			told(413, 'The body has more than 1 MiB or 2,000 values'),
		]);
	});
});

describe('after a change of the secret in the credential', () => {
	const NEXT = 'the-next-secret';
	const signedWith = (secret: string) => (text: string) => sign(text, secret);
	/** A trigger that has accepted a delivery, and whose secret was changed then. */
	async function changed(setup: Partial<ListenSetup> = {}) {
		const credentials = { webhookSecret: SECRET };
		const { send } = await listening({ ...setup, credentials });
		expect(await send()).toBe(200);
		credentials.webhookSecret = NEXT;
		return send;
	}

	test('the new secret works at once, and then the old one no longer', async () => {
		const send = await changed();
		expect(await send(signedWith(NEXT))).toBe(200);
		for (const secret of [SECRET, 'a-wrong-secret']) expect(await send(signedWith(secret))).toBe(401);
	});

	test('the old secret works for five seconds at most, even if the clock of the machine is set back', async () => {
		const send = await changed();
		const hourAgo = Date.now() - 3_600_000;
		jest.spyOn(Date, 'now').mockReturnValue(hourAgo);
		pass(4);
		expect(await send(signedWith(SECRET))).toBe(200);
		pass(1);
		expect(await send(signedWith(SECRET))).toBe(401);
	});

	test('the old secret is refused at once while the user listens for a test event', async () => {
		const send = await changed({ mode: 'manual' });
		expect(await send(signedWith(SECRET))).toBe(401);
	});

	test('another credential that is chosen in the node counts at once', async () => {
		const shared = { nodeId: 'of-the-choice', credentialId: 'the first' };
		const one = await listening(shared);
		expect(await one.send()).toBe(200);
		const other = await listening({
			...shared,
			credentialId: 'the other',
			credentials: { webhookSecret: NEXT },
		});
		expect(await other.send(signedWith(SECRET))).toBe(401);
		expect(await other.send(signedWith(NEXT))).toBe(200);
	});

	test('the workflow is published by the settings of now', async () => {
		const credentials = { webhookSecret: SECRET };
		const setup = { ...VERIFIED, nodeId: 'of-publishing', credentials };
		const { send } = await listening(setup);
		expect(await send()).toBe(200);
		credentials.webhookSecret = '';
		await expect(listen(setup)).rejects.toThrow('Webhook Secret is empty');
	});
});

test('while the database is away, deliveries are accepted for five seconds, and then answered with 503', async () => {
	const { send } = await listening();
	expect(await send()).toBe(200);
	const decrypt = jest.spyOn(MemoryCredentials.prototype, 'getDecrypted');
	decrypt.mockRejectedValue(new Error('not for the sender'));
	expect(await send(() => FORGED)).toBe(401);
	pass(4);
	expect(await send()).toBe(200);
	pass(1);
	for (const headers of [sign, () => FORGED]) expect(await send(headers)).toBe(503);
	decrypt.mockRestore();
	pass(1);
	expect(await send()).toBe(200);
});

test('ten deliveries that arrive together read the credential once', async () => {
	const { send } = await listening();
	const decrypt = jest.spyOn(MemoryCredentials.prototype, 'getDecrypted');
	expect(await Promise.all(Array.from({ length: 10 }, () => send()))).toEqual(Array(10).fill(200));
	expect(decrypt).toHaveBeenCalledTimes(1);
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

	test('of many, each is verified once, and once more if the credential was read for it, which is once a second', async () => {
		const { send } = await listening();
		expect(await send()).toBe(200);
		const computed = jest.spyOn(nodeCrypto, 'createHmac');
		const decrypt = jest.spyOn(MemoryCredentials.prototype, 'getDecrypted');
		for (let count = 0; count < 10; count += 1) expect(await send(() => FORGED)).toBe(401);
		expect(computed).toHaveBeenCalledTimes(11);
		expect(decrypt).toHaveBeenCalledTimes(1);
	});
});
