/** What the trigger answers to a delivery, when it starts the workflow, and with which item. */
import { readFileSync } from 'node:fs';
import { deflateSync, gzipSync } from 'node:zlib';
import { WebhookContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import { requireControl } from '../sandbox/client.ts';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { EVENT_KINDS } from '../fixtures/eventKinds.ts';
import type { Listener } from './harness.ts';
import {
	credited,
	DUPLICATE,
	IGNORED,
	refused,
	sign,
	STARTED,
	VERIFIED,
	withTrigger,
} from './withTrigger.ts';

const listen = withTrigger();

function firstItem([firstRun]: Listener['started']) {
	const item = firstRun?.[0]?.[0];
	if (item === undefined) throw new Error('No workflow was started');
	return item.json;
}

describe('answers to deliveries', () => {
	test('a wanted, new delivery starts the workflow', async () => {
		const { post, started } = await listen();
		const body = credited();
		expect(await post(body)).toEqual(STARTED);
		expect(started).toHaveLength(1);
		// In this order.
		expect(Object.entries(firstItem(started))).toEqual(
			Object.entries({
				...{ event: 'virtual_account_credited', id: body.id, status: 'successful', currency: 'NGN' },
				...{ amount: '100.00', deliveryKey: `virtual_account_credited:${body.id}:successful` },
				...{ receivedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string, raw: body },
			}),
		);
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

	test('while the user listens for a test event, a duplicate starts the workflow', async () => {
		const { post, started } = await listen({ mode: 'manual' });
		const body = credited();
		expect([await post(body), await post(body)]).toEqual([STARTED, STARTED]);
		expect(started).toHaveLength(2);
	});

	test('while the user listens for a test event, of many refused deliveries one starts the workflow', async () => {
		const { post, started } = await listen({ mode: 'manual', nodeId: 'refuses-many' });
		await Promise.all(Array.from({ length: 20 }, () => post({ no: 'event' })));
		// The answer comes before the execution.
		await post({ no: 'event' });
		expect(started).toHaveLength(1);
	});

	test('events of kinds that are unknown or not selected are ignored', async () => {
		const { post, started } = await listen({ parameters: { events: ['admin_funding'] } });
		expect(await post(credited())).toEqual(IGNORED);
		expect(await post({ event: 'something_new', id: '1' })).toEqual(IGNORED);
		expect(started).toEqual([]);
	});

	test('without Events, Unknown Events still lets events of unknown kinds in, and no others', async () => {
		const { post } = await listen({ parameters: { events: '={{ [] }}', options: { unknownEvents: true } } });
		expect(await post({ event: 'something_newer', id: 'n1' })).toEqual(STARTED);
		expect(await post(credited())).toEqual(IGNORED);
	});

	test('with With Headers and without With Raw Delivery, the item has the headers that hold no secret', async () => {
		const parameters = { verification: 'credential', options: { includeHeaders: true, includeRaw: false } };
		const { post, started } = await listen({ ...VERIFIED, parameters });
		const text = JSON.stringify(credited());
		const harmless = { 'user-agent': 'service', 'x-request-id': 'kept' };
		await post(text, { ...sign(text), authorization: 'Bearer fake', ...harmless });
		const { headers, raw } = firstItem(started) as { headers: Record<string, string>; raw?: unknown };
		expect(raw).toBeUndefined();
		const sent = { 'content-type': 'application/json', 'content-length': String(text.length) };
		expect(headers).toMatchObject({ ...harmless, ...sent, host: expect.any(String) });
		for (const name of ['x-svc-signature', 'authorization']) expect(headers[name]).toBeUndefined();
	});
});

describe('bodies that cannot be used, and compressed ones that can', () => {
	const JSON_TYPE = { 'content-type': 'application/json' };
	const MULTIPART = { 'content-type': 'multipart/form-data; boundary=x' };
	const FORM = '--x\r\ncontent-disposition: form-data; name="event"\r\n\r\nadmin_funding\r\n--x--\r\n';
	const GZIP = { 'content-type': 'application/octet-stream', 'content-encoding': 'gzip' };
	const COMPRESSED = gzipSync(JSON.stringify(credited()));
	const UNREADABLE = 'The body cannot be read: it is empty, multipart, wrongly compressed or cut off';

	test.each<[string, string | Buffer, Record<string, string>, number, string]>([
		['a list', '[]', JSON_TYPE, 400, 'The body is not a JSON object'],
		['a form', FORM, MULTIPART, 400, UNREADABLE],
		['broken gzip', JSON.stringify(credited()), GZIP, 400, UNREADABLE],
		['gzip that is cut off', COMPRESSED.subarray(0, -9), GZIP, 400, UNREADABLE],
	])('%s is refused, and starts nothing', async (_, body, headers, status, reason) => {
		const { post, started } = await listen();
		expect(await post(body, headers)).toEqual(refused(status, reason));
		expect(started).toEqual([]);
	});

	test.each([
		['a form', FORM, MULTIPART],
		['broken gzip', FORM, GZIP],
	])('%s whose sender cannot be verified is refused with 401', async (_, body, headers) => {
		const { post, started } = await listen(VERIFIED);
		expect(await post(body, { ...headers, ...sign(body) })).toMatchObject({ status: 401 });
		expect(started).toEqual([]);
	});

	test.each([
		['gzip', gzipSync],
		['deflate', deflateSync],
	])('with %s, the bytes before are signed', async (encoding, compress) => {
		for (const type of ['application/json', 'application/octet-stream']) {
			const { post, started } = await listen(VERIFIED);
			const text = JSON.stringify(credited());
			const headers = { 'content-type': type, 'content-encoding': encoding };
			expect(await post(compress(text), { ...headers, ...sign(text) })).toEqual(STARTED);
			expect(firstItem(started).raw).toEqual(JSON.parse(text));
		}
	});
});

describe('filters', () => {
	const answerTo = async (options: object, body: object) => {
		const { post } = await listen({ parameters: { options: options as never } });
		return await post(body);
	};

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
		[{ minimumAmount: '9007199254740993' }, { Amount: '9007199254740992' }, IGNORED],
	])('the filter %p is applied to a deposit with %p', async (options, fields, answer) => {
		expect(await answerTo(options, credited(fields))).toEqual(answer);
	});

	test.each([
		['crypto_received', { coin: 'USDT' }],
		['crypto_payout_update', { coin: 'usdt' }],
		['admin_funding', { Asset: 'USDT' }],
	])('the currencies of %s are its coins', async (event, fields) => {
		const body = { event, id: 'c1', status: 'successful', ...fields };
		expect(await answerTo({ currencies: 'btc' }, body)).toEqual(IGNORED);
		expect(await answerTo({ currencies: 'usdt' }, body)).toEqual(STARTED);
	});

	test('a filter does not apply to kinds of events without its field', async () => {
		const created = { event: 'virtual_account_created', Alias: 'of the filter', Currency: 'NGN' };
		expect(await answerTo({ currencies: 'USD' }, created)).toEqual(IGNORED);
		expect(await answerTo({ minimumAmount: '1000', statuses: 'successful' }, created)).toEqual(STARTED);
	});
});

test.each(['v0', 'v1'] as const)(
	'with Output "One per Event", each kind leaves through its own output in the execution order %s, and keeps it in a selection',
	async (executionOrder) => {
		const events = EVENT_KINDS.slice(1);
		const parameters = { output: 'perEvent', options: { unknownEvents: true }, events };
		const { post, runs } = await listen({ settings: { executionOrder }, parameters });
		for (const event of [...events, `${events[0]}_reversed`, 'toString'])
			expect(await post({ ...credited(), event })).toEqual(STARTED);
		const outputs = (await runs()).map(({ data }) => data!.main!.map((items) => items!.length).join(''));
		expect(outputs).toEqual(
			[1, 2, 3, 4, 5, 6, 7, 7].map((place) => '1'.padStart(place + 1, '0').padEnd(8, '0')),
		);
	},
);

test('with Output "One for All Events", every kind leaves through the only output', async () => {
	const { post, runs } = await listen();
	for (const event of EVENT_KINDS) expect(await post({ ...credited(), event })).toEqual(STARTED);
	for (const { data } of await runs()) expect(data!.main!.map((items) => items!.length)).toEqual([1]);
});

describe('while the user listens for a test event', () => {
	test('a refused delivery ends an execution with the reason, and the service gets the same answer', async () => {
		const { post, runs } = await listen({ ...VERIFIED, mode: 'manual' });
		const reason = 'The header x-svc-signature is missing';
		expect(await post(credited())).toEqual(refused(401, reason));
		const [run] = await runs();
		expect(run).toMatchObject({
			executionStatus: 'error',
			error: {
				message: `The trigger refused this delivery: ${reason}`,
				description: 'Correct the cause, click Execute step and let the service send the event again.',
			},
		});
		expect(run?.data).toBeUndefined();
	});

	test.each([
		['http://n8n.example.com/', 'manual', true],
		['https://n8n.example.com/', 'manual', false],
		['http://n8n.example.com/', 'webhook', false],
	] as const)('at %s, mode %s, the hint of https: %p', async (baseUrl, mode, hasHint) => {
		// The address of the editor does not count.
		const editorUrl = hasHint ? 'https://n8n.example.com/' : 'http://10.0.0.5:5678/';
		const { post, runs } = await listen({ mode, baseUrl, editorUrl });
		expect(await post(credited())).toEqual(STARTED);
		const message = expect.stringContaining('does not begin with https') as string;
		const hint = { type: 'warning', message, location: 'outputPane' };
		expect((await runs())[0]?.hints ?? []).toEqual(hasHint ? [hint] : []);
	});
});

test('an event that is spelt otherwise is ignored, and the log says so once a minute, on one short line', async () => {
	const [notSelected, ...events] = EVENT_KINDS;
	const { post } = await listen({ parameters: { events } });
	const warn = jest.fn();
	jest.spyOn(WebhookContext.prototype, 'logger', 'get').mockReturnValue({ warn } as never);
	const ofAccount = ['Virtual_Account_Credited', `virtual-account-credited\n${'-'.repeat(5000)}`];
	const ofFunding = [`ADMIN\n\u001b\u007f\u009b\u2028\u202e_FUNDING${' '.repeat(5000)}`, 'AdminFunding'];
	for (const event of [...ofAccount, ...ofFunding, 'card_issued', notSelected])
		expect(await post(credited({ event }))).toEqual(IGNORED);
	expect(warn.mock.calls).toEqual([
		[expect.stringContaining("event 'Virtual_Account_Credited', which is not spelt like 'virtual_acc")],
		[expect.stringMatching(/^[ -~…]{1,250}$/)],
	]);
	jest.restoreAllMocks();
});

describe('samples of the sandbox', () => {
	let sandbox: Sandbox;
	beforeAll(async () => (sandbox = await startSandbox()));
	afterAll(async () => await sandbox.stop());

	const example = JSON.parse(readFileSync('examples/deposit-to-item.json', 'utf8')) as {
		pinData: Record<'Wallet Service Trigger', Array<{ json: Record<string, unknown> }>>;
	};

	test.each(EVENT_KINDS)('a signed sample of %s starts the workflow', async (event) => {
		const credentials = { webhookSecret: sandbox.webhookSecret };
		const { url, started } = await listen({ ...VERIFIED, credentials });
		await requireControl(sandbox, 'PUT webhook', { url });
		await requireControl(sandbox, 'POST events', { event });
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
