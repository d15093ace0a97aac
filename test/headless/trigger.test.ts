import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'undici';
import { WebhookContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { EVENT_KINDS } from '../fixtures/eventKinds.ts';
import { headless } from './harness.ts';
import type { Listener, ListenSetup } from './harness.ts';

const SECRET = 'fake-webhook-secret';
const HMAC = { webhookSecret: SECRET };
const TOKEN = { webhookStyle: 'custom', webhookVerification: 'token' };

const example = JSON.parse(readFileSync('examples/every-event.json', 'utf8')) as {
	pinData: Record<'Wallet Service Trigger', Array<{ json: Record<string, unknown> }>>;
};

const n8n = headless();
const open: Listener[] = [];
let nodeNumber = 0;

afterEach(async () => {
	for (const listener of open.splice(0)) await listener.close();
});

async function listen(setup: Partial<ListenSetup> = {}) {
	const listener = await n8n.listen({
		type: 'walletServiceTrigger',
		...setup,
		parameters: { events: EVENT_KINDS, verification: 'none', ...setup.parameters },
	});
	open.push(listener);
	const post = async (body: string | object, headers: Record<string, string> = {}) => {
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		const answer = await request(listener.url, {
			method: 'POST',
			body: text,
			headers: { 'content-type': 'application/json', ...headers },
		});
		return { status: answer.statusCode, body: await answer.body.json() };
	};
	return { ...listener, post };
}

const hmac = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('hex');
const sign = (text: string) => ({ 'x-svc-signature': hmac(text, SECRET) });

/** Each call makes a new event, because the trigger remembers deliveries longer than one listener lives. */
const credited = (fields: object = {}) => ({
	event: 'virtual_account_credited',
	id: `vc_${(nodeNumber += 1)}`,
	status: 'successful',
	currency: 'NGN',
	Amount: '100.00',
	...fields,
});

function firstItem([firstRun]: Listener['started']) {
	const item = firstRun?.[0]?.[0];
	if (item === undefined) throw new Error('No workflow was started');
	return item.json;
}

const STARTED = { status: 200, body: { ok: true } };
const IGNORED = { status: 200, body: { ok: true, ignored: true } };
const NOT_READY = {
	status: 503,
	body: { ok: false, reason: 'This receiver cannot accept events at the moment' },
};
const DUPLICATE = { status: 200, body: { ok: true, duplicate: true } };

describe('answers to deliveries', () => {
	test('a wanted, new delivery starts the workflow', async () => {
		const { post, started } = await listen();
		const body = credited();
		expect(await post(body)).toEqual(STARTED);
		expect(started).toHaveLength(1);
		expect(Object.keys(firstItem(started))).toEqual([
			...['event', 'id', 'status', 'currency', 'amount', 'deliveryKey', 'receivedAt', 'raw'],
		]);
		expect(firstItem(started)).toEqual({
			event: 'virtual_account_credited',
			id: body.id,
			deliveryKey: `virtual_account_credited:${body.id}:successful`,
			receivedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
			currency: 'NGN',
			status: 'successful',
			amount: '100.00',
			raw: body,
		});
	});

	test('a duplicate does not start the workflow, the same event with another status does', async () => {
		const { post, started } = await listen();
		const body = credited();
		expect([await post(body), await post(body)]).toEqual([STARTED, DUPLICATE]);
		expect(await post({ ...body, status: 'reversed' })).toEqual(STARTED);
		expect(started).toHaveLength(2);
	});

	test('the trigger asks for no static data, so what other nodes count in it stays', async () => {
		const staticData = jest.spyOn(Workflow.prototype, 'getStaticData');
		const { post, ...listener } = await listen();
		const body = credited();
		expect([await post(body), await post(body)]).toEqual([STARTED, DUPLICATE]);
		await listener.idle();
		expect(staticData.mock.calls).toEqual([]);
		staticData.mockRestore();
	});

	test('of fifty copies that arrive together, one starts the workflow', async () => {
		const { post, started } = await listen();
		const body = credited();
		const answers = await Promise.all(Array.from({ length: 50 }, async () => await post(body)));
		expect(answers.filter((answer) => !('duplicate' in (answer.body as object)))).toEqual([STARTED]);
		expect(started).toHaveLength(1);
	});

	test('duplicates start the workflow if the option is off or the user listens for a test event', async () => {
		for (const setup of [
			{ parameters: { options: { ignoreDuplicates: false } } },
			{ mode: 'manual' as const },
		]) {
			const { post, started } = await listen(setup);
			const body = credited();
			expect([await post(body), await post(body)]).toEqual([STARTED, STARTED]);
			expect(started).toHaveLength(2);
		}
	});

	test('unselected and unknown kinds of events are ignored', async () => {
		const { post, started } = await listen({ parameters: { events: ['admin_funding'] } });
		expect(await post(credited())).toEqual(IGNORED);
		expect(await post({ event: 'something_new', id: '1' })).toEqual(IGNORED);
		expect(started).toEqual([]);
	});

	test('unknown kinds of events start the workflow if enabled, with their fields under extra', async () => {
		const { post, started } = await listen({ parameters: { options: { unknownEvents: true } } });
		expect(await post({ event: 'something_new', id: 'n1', Field: 5 })).toEqual(STARTED);
		expect(firstItem(started)).toMatchObject({ event: 'something_new', id: 'n1', extra: { Field: 5 } });
	});

	test.each([
		['[]', 'The body is not a JSON object'],
		['{}', "The body has no text in 'event'"],
		['{"event":5}', "The body has no text in 'event'"],
	])('the body %s is refused with 400', async (text, reason) => {
		const { post, started } = await listen();
		expect(await post(text)).toEqual({ status: 400, body: { ok: false, reason } });
		expect(started).toEqual([]);
	});

	test('a body that is not JSON is refused with 400 if n8n lets it through', async () => {
		const { post, started } = await listen();
		expect(await post('event=x', { 'content-type': 'text/plain' })).toMatchObject({ status: 400 });
		expect(started).toEqual([]);
	});
});

describe('bodies that cannot be read', () => {
	const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
	const brokenGzip = { 'content-type': 'application/octet-stream', 'content-encoding': 'gzip' };
	const UNREADABLE = 'The body cannot be read: it is multipart, wrongly compressed or cut off';

	test.each([multipart, brokenGzip])('%p is refused with 400 and starts nothing', async (headers) => {
		const { post, started } = await listen();
		expect(await post('--x', headers)).toEqual({ status: 400, body: { ok: false, reason: UNREADABLE } });
		expect(started).toEqual([]);
	});

	test.each([multipart, brokenGzip])('%p is refused with 401 if it is not verified', async (headers) => {
		const { post, started } = await listen({
			parameters: { verification: 'credential' },
			credentials: HMAC,
		});
		expect(await post('--x', { ...headers, ...sign('--x') })).toMatchObject({ status: 401 });
		expect(started).toEqual([]);
	});

	test('a body of more than 1 MiB or of more than 2,000 values is refused with 413', async () => {
		const { post, started } = await listen();
		for (const body of [credited({ note: 'x'.repeat(2 ** 20) }), credited({ list: Array(2001).fill(0) })]) {
			expect(await post(body)).toEqual({
				status: 413,
				body: { ok: false, reason: 'The body has more than 1 MiB or 2,000 values' },
			});
		}
		expect(started).toEqual([]);
	});
});

describe('content and status', () => {
	test('with verification None, a forged delivery does not make the genuine one a duplicate', async () => {
		const { post, started } = await listen();
		const genuine = credited();
		expect([await post({ ...genuine, Amount: '9' }), await post(genuine), await post(genuine)]).toEqual([
			STARTED,
			STARTED,
			DUPLICATE,
		]);
		const [forged, real] = started.map((outputs) => outputs[0]?.[0]?.json ?? {});
		expect(forged?.deliveryKey).toBe(real?.deliveryKey);
	});
});

describe('verification', () => {
	const verified = { parameters: { verification: 'credential' }, credentials: HMAC };

	test('a delivery with the right signature starts the workflow', async () => {
		const { post, started } = await listen(verified);
		const text = JSON.stringify(credited(), null, 2);
		expect(await post(text, sign(text))).toEqual(STARTED);
		expect(started).toHaveLength(1);
	});

	test('a delivery with one changed character is refused with 401', async () => {
		const { post, started } = await listen(verified);
		const text = JSON.stringify(credited());
		const answer = await post(text.replace('100.00', '900.00'), sign(text));
		expect(answer).toEqual({
			status: 401,
			body: {
				ok: false,
				reason: 'The signature does not match the body',
			},
		});
		expect(await post(text)).toEqual({
			status: 401,
			body: { ok: false, reason: 'The header x-svc-signature is missing' },
		});
		expect(started).toEqual([]);
	});

	test('after a refused forgery, the genuine delivery with the same ID starts the workflow', async () => {
		const { post, started } = await listen(verified);
		const text = JSON.stringify(credited());
		expect(await post(text, sign(`${text} `))).toMatchObject({ status: 401 });
		expect(await post(text, sign(text))).toEqual(STARTED);
		expect(started).toHaveLength(1);
	});

	test.each([
		['no secret', { webhookStyle: 'custom', webhookVerification: 'hmac' }, 'Webhook Secret is empty'],
		[
			'no method',
			{ webhookStyle: 'custom', webhookVerification: 'none' },
			'Webhook Verification of the credential is None, so it checks no delivery',
		],
		['Custom as it begins', { webhookStyle: 'custom' }, 'Webhook Secret is empty'],
		['the default style and no secret', {}, 'Webhook Secret is empty'],
		['no token', { ...TOKEN, webhookHeader: 'x-token' }, 'Webhook Secret is empty'],
		['nothing left of it', undefined, 'Verification is on, but the credential is missing or cannot be read'],
	])('a credential with %s lets nothing in', async (_, credentials, reason) => {
		const setup = { parameters: { verification: 'credential' }, credentials };
		await expect(listen(setup)).rejects.toMatchObject({
			message: `${reason}; correct it in the credential of the trigger, or choose None under Verification, which accepts events from anyone`,
			description: 'The trigger would refuse every delivery until this is fixed.',
		});
		// The credential may also have changed after the workflow was published.
		const { post, started } = await listen({ ...setup, activated: false });
		const text = JSON.stringify(credited());
		expect(await post(text, { ...sign(text), 'x-token': '' })).toEqual(NOT_READY);
		expect(started).toEqual([]);
		// The user who listens for a test event sees the reason.
		const tried = await listen({ ...setup, activated: false, mode: 'manual' });
		expect(await tried.post(text, sign(text))).toEqual(NOT_READY);
		expect((await tried.runs())[0]?.error?.message).toBe(`The trigger refused this delivery: ${reason}`);
	});

	test('the default is Use Credential: without a webhook secret nothing can be published', async () => {
		const parameters = { events: EVENT_KINDS };
		await expect(n8n.listen({ type: 'walletServiceTrigger', parameters, credentials: {} })).rejects.toThrow(
			'Webhook Secret is empty; correct it in the credential',
		);
	});

	/** Lets the monotonic clock go on. */
	const pass = (seconds: number) => {
		const now = performance.now.bind(performance);
		jest.spyOn(performance, 'now').mockImplementation(() => now() + seconds * 1000);
	};

	test('why this side refuses is in the log, once until it is corrected, and not in the answer', async () => {
		const credentials = { webhookSecret: '' };
		const { post } = await listen({
			parameters: { verification: 'credential' },
			credentials,
			activated: false,
		});
		const error = jest.fn();
		jest.spyOn(WebhookContext.prototype, 'logger', 'get').mockReturnValue({ error } as never);
		const send = async () => {
			const text = JSON.stringify(credited());
			return await post(text, sign(text));
		};
		for (let times = 0; times < 3; times += 1) expect(await send()).toEqual(NOT_READY);
		expect(error.mock.calls).toEqual([
			['Node answers every delivery with 503 until this is corrected: Webhook Secret is empty'],
		]);
		credentials.webhookSecret = ' x';
		expect(await send()).toEqual(NOT_READY);
		expect(error).toHaveBeenCalledTimes(2);
		credentials.webhookSecret = SECRET;
		expect(await send()).toEqual(STARTED);
		credentials.webhookSecret = '';
		expect(await send()).toEqual(STARTED);
		credentials.webhookSecret = ' x';
		pass(5.1);
		expect(await send()).toEqual(NOT_READY);
		expect(error).toHaveBeenCalledTimes(3);
		jest.restoreAllMocks();
	});

	test('a delivery with the right token starts the workflow, one with another token is refused', async () => {
		const credentials = { ...TOKEN, webhookHeader: 'X-Token', webhookSecret: SECRET };
		const { post } = await listen({ parameters: { verification: 'credential' }, credentials });
		expect(await post(credited(), { 'x-token': SECRET })).toEqual(STARTED);
		expect(await post(credited(), { 'x-token': 'other' })).toMatchObject({ status: 401 });
	});

	test('a delivery for one workflow is refused by another whose project gives the shared credential another secret', async () => {
		const shared = { parameters: { verification: 'credential' }, credentialId: 'shared' };
		const one = await listen({ ...shared, nodeId: 'of-one', credentials: HMAC });
		const credentials = { ...HMAC, webhookSecret: 'the-secret-of-the-other' };
		const other = await listen({ ...shared, nodeId: 'of-other', credentials });
		const text = JSON.stringify(credited());
		expect(await one.post(text, sign(text))).toEqual(STARTED);
		expect(await other.post(text, sign(text))).toMatchObject({ status: 401 });
	});

	describe('after a change of the secret in the credential', () => {
		const changed = async (setup: Partial<ListenSetup> = {}) => {
			const credentials = { ...HMAC };
			const { post } = await listen({ parameters: { verification: 'credential' }, credentials, ...setup });
			const send = async (secret: string) => {
				const text = JSON.stringify(credited());
				return await post(text, { 'x-svc-signature': hmac(text, secret) });
			};
			expect(await send(SECRET)).toEqual(STARTED);
			credentials.webhookSecret = 'the-next-secret';
			return send;
		};

		afterEach(() => jest.restoreAllMocks());

		test('the new secret works at once, and the old one still works within 5 seconds', async () => {
			const send = await changed();
			expect(await send('the-next-secret')).toEqual(STARTED);
			expect(await send(SECRET)).toMatchObject({ status: 401 });

			const sendOld = await changed();
			pass(4);
			expect(await sendOld(SECRET)).toEqual(STARTED);
		});

		test('the old secret no longer works after 5 seconds', async () => {
			const send = await changed();
			pass(5.1);
			expect(await send(SECRET)).toMatchObject({ status: 401 });
		});

		test('the old secret no longer works after 5 seconds when the clock is set back by an hour', async () => {
			const send = await changed();
			pass(5.1);
			const hourAgo = Date.now() - 3_600_000;
			jest.spyOn(Date, 'now').mockReturnValue(hourAgo);
			expect(await send(SECRET)).toMatchObject({ status: 401 });
		});

		test('a wrong secret never works', async () => {
			const send = await changed();
			expect(await send('a-wrong-secret')).toMatchObject({ status: 401 });
		});

		test('the old secret fails at once while the user listens for a test event', async () => {
			const send = await changed({ mode: 'manual' });
			expect(await send(SECRET)).toMatchObject({ status: 401 });
		});
	});

	test('the item includes the headers that hold no secret', async () => {
		const { post, started } = await listen({
			parameters: { verification: 'credential', options: { includeHeaders: true, includeRaw: false } },
			credentials: HMAC,
		});
		const text = JSON.stringify(credited());
		await post(text, {
			...sign(text),
			authorization: 'Bearer fake',
			'verif-hash': 'a',
			'x-request-id': 'kept',
		});
		const { headers, raw } = firstItem(started) as { headers: Record<string, string>; raw?: unknown };
		expect(raw).toBeUndefined();
		expect(headers['x-request-id']).toBe('kept');
		for (const name of ['x-svc-signature', 'authorization', 'verif-hash'])
			expect(headers[name]).toBeUndefined();
	});
});

describe('filters', () => {
	const answerTo = async (options: object, body: object) => {
		const { post } = await listen({ parameters: { options: options as never } });
		return await post(body);
	};
	const created = () => ({
		event: 'virtual_account_created',
		Alias: `a${(nodeNumber += 1)}`,
		Currency: 'NGN',
	});

	test.each([
		[{ statuses: 'Successful, pending' }, {}, STARTED],
		[{ statuses: 'pending' }, {}, IGNORED],
		[{ statuses: 'successful' }, { status: null }, IGNORED],
		[{ currencies: 'usd,ngn' }, {}, STARTED],
		[{ currencies: 'USD' }, {}, IGNORED],
		[{ minimumAmount: '100' }, {}, STARTED],
		[{ minimumAmount: '100.000000000000000001' }, {}, IGNORED],
		[{ minimumAmount: '100' }, { Amount: '-100' }, STARTED],
		[{ minimumAmount: '100' }, { Amount: '-99.99' }, IGNORED],
		[{ minimumAmount: '100' }, { Amount: 'many' }, STARTED],
		[{ minimumAmount: '100' }, { Amount: undefined }, STARTED],
		[{ minimumAmount: '9007199254740993' }, { Amount: '9007199254740992' }, IGNORED],
		[{ minimumAmount: '9007199254740993' }, { Amount: '9007199254740993' }, STARTED],
	])('the filter %p is applied to a deposit with %p', async (options, fields, answer) => {
		expect(await answerTo(options, credited(fields))).toEqual(answer);
	});

	test('a filter does not apply to kinds of events without its field', async () => {
		expect(await answerTo({ minimumAmount: '1000', statuses: 'successful' }, created())).toEqual(STARTED);
		expect(await answerTo({ currencies: 'USD' }, created())).toEqual(IGNORED);
	});
});

describe('with Output "One per Event"', () => {
	/** The number of items on each output, for one delivery of each of these kinds. */
	const itemsOnOutputs = async (kinds: string[], setup: Partial<ListenSetup>) => {
		const { post, runs } = await listen(setup);
		for (const event of kinds) expect(await post({ event, id: `p${(nodeNumber += 1)}` })).toEqual(STARTED);
		return (await runs()).map(({ data }) => data!.main!.map((items) => items!.length));
	};

	test.each(['v0', 'v1'] as const)(
		'each kind of event leaves through its own output, selected or not, in the order of execution %s',
		async (executionOrder) => {
			const row = (place: number) => Array.from({ length: 8 }, (_, index) => (index === place ? 1 : 0));
			const perEvent = { output: 'perEvent', options: { unknownEvents: true } };
			const settings = { executionOrder };
			expect(
				await itemsOnOutputs([...EVENT_KINDS, 'card_issued'], {
					settings,
					parameters: { ...perEvent, events: EVENT_KINDS },
				}),
			).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map(row));
			const events = ['admin_funding', 'virtual_account_credited'];
			expect(
				await itemsOnOutputs([...events, 'card_issued'], { settings, parameters: { ...perEvent, events } }),
			).toEqual([6, 4, 7].map(row));
		},
	);
});

describe('while the user listens for a test event', () => {
	const setup = {
		mode: 'manual' as const,
		parameters: { verification: 'credential' },
		credentials: HMAC,
		baseUrl: 'http://n8n.example.com/',
	};

	test('the first refused delivery ends an execution with the reason, and the service gets the same answer', async () => {
		const { post, runs } = await listen(setup);
		const reason = 'The header x-svc-signature is missing';
		expect(await post(credited())).toEqual({ status: 401, body: { ok: false, reason } });
		const [run] = await runs();
		expect(run).toMatchObject({
			executionStatus: 'error',
			error: {
				message: `The trigger refused this delivery: ${reason}`,
				description: 'Correct the cause, click Execute step and let the service send the event again.',
			},
		});
		expect(run?.data).toBeUndefined();
		expect(await post(credited())).toEqual({ status: 401, body: { ok: false, reason } });
		expect(await runs()).toHaveLength(1);
	});

	test('a hint names an address without https, except an address of this machine', async () => {
		const hints = async (baseUrl: string) => {
			const { post, runs } = await listen({ ...setup, baseUrl, parameters: { verification: 'none' } });
			expect(await post(credited())).toEqual(STARTED);
			return (await runs())[0]?.hints ?? [];
		};
		const message = expect.stringContaining('does not begin with https');
		const hint = { type: 'warning', message, location: 'outputPane' };
		expect(await hints('http://n8n.example.com/')).toEqual([hint]);
		expect(await hints('http://localhost:5678/')).toEqual([]);
		expect(await hints('https://n8n.example.com/')).toEqual([]);
	});
});

describe.each(EVENT_KINDS)('%s', (event) => {
	let sandbox: Sandbox;
	beforeAll(async () => (sandbox = await startSandbox()));
	afterAll(async () => await sandbox.stop());

	test(`a signed sample of ${event} from the sandbox starts the workflow`, async () => {
		const { url, started } = await listen({
			parameters: { verification: 'credential' },
			credentials: { webhookSecret: sandbox.webhookSecret },
		});
		const control = async (method: 'PUT' | 'POST', path: string, body: object) => {
			const answer = await request(`${sandbox.url}/_sandbox/${path}`, {
				method,
				body: JSON.stringify(body),
				headers: { 'content-type': 'application/json' },
			});
			expect(answer.statusCode).toBeLessThan(300);
			await answer.body.dump();
		};
		await control('PUT', 'webhook', { url });
		await control('POST', 'events', { event });
		await sandbox.idle();
		expect(started).toHaveLength(1);
		const { raw, ...item } = firstItem(started);
		expect(item.event).toBe(event);
		expect(raw).toMatchObject({ event });
		expect(item).not.toHaveProperty('extra');
		// The example pins the same item to its trigger.
		const pinned = example.pinData['Wallet Service Trigger'].find(({ json }) => json.event === event);
		expect({ ...item, receivedAt: pinned?.json.receivedAt }).toEqual(pinned?.json);
	});
});
