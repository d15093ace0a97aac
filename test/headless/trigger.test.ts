/** What the trigger answers to a delivery, when it starts the workflow, and with which item. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { WebhookContext } from 'n8n-core';
import { until } from '../../host/until.ts';
import { requireControl } from '../sandbox/client.ts';
import { startSandbox, type Sandbox } from '../../sandbox/http/server.ts';
import { EVENT_KINDS } from '../fixtures/eventKinds.ts';
import type { Listener } from './harness.ts';
import { credited, IGNORED, refused, sign, STARTED, VERIFIED, withTrigger } from './withTrigger.ts';

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
				event: 'virtual_account_credited',
				id: body.id,
				status: 'successful',
				currency: 'NGN',
				amount: '100.00',
				deliveryKey: expect.stringMatching(`^virtual_account_credited:${body.id}:successful:[0-9a-f]{8}$`),
				receivedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
				raw: body,
			}),
		);
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
		await post(text, { ...sign(text), authorization: 'Bearer fake', 'x-request-id': 'kept' });
		const { headers, raw } = firstItem(started) as { headers: Record<string, string>; raw?: unknown };
		expect(raw).toBeUndefined();
		expect(headers).toMatchObject({ 'x-request-id': 'kept', 'content-type': 'application/json' });
		for (const name of ['x-svc-signature', 'authorization']) expect(headers[name]).toBeUndefined();
	});
});

describe('bodies that cannot be used, and compressed ones that can', () => {
	const GZIP = { 'content-type': 'application/octet-stream', 'content-encoding': 'gzip' };
	const text = JSON.stringify(credited());
	const UNREADABLE = 'The body cannot be read: it is empty, multipart, wrongly compressed or cut off';

	test.each([
		['a list', '[]', {}, 'The body is not a JSON object'],
		['broken gzip', text, GZIP, UNREADABLE],
		['gzip that is cut off', gzipSync(text).subarray(0, -9), GZIP, UNREADABLE],
	])('%s is refused, and starts nothing', async (_, body, headers, reason) => {
		const { post, started } = await listen();
		expect(await post(body, headers)).toEqual(refused(400, reason));
		expect(started).toEqual([]);
	});

	test('broken gzip whose sender cannot be verified is refused with 401', async () => {
		const { post, started } = await listen(VERIFIED);
		expect(await post(text, { ...GZIP, ...sign(text) })).toMatchObject({ status: 401 });
		expect(started).toEqual([]);
	});

	test('with gzip of a type that n8n does not read, the bytes before are signed', async () => {
		const { post, started } = await listen(VERIFIED);
		expect(await post(gzipSync(text), { ...GZIP, ...sign(text) })).toEqual(STARTED);
		expect(firstItem(started).raw).toEqual(JSON.parse(text));
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
		[{ currencies: 'usd,ngn' }, {}, STARTED],
		[{ currencies: 'USD' }, {}, IGNORED],
		[{ minimumAmount: '100' }, {}, STARTED],
		[{ minimumAmount: '100.000000000000000001' }, {}, IGNORED],
		[{ minimumAmount: '100' }, { Amount: '-100' }, STARTED],
		[{ minimumAmount: '100' }, { Amount: '-99.99' }, IGNORED],
		[{ minimumAmount: '9007199254740993' }, { Amount: '9007199254740992' }, IGNORED],
	])('the filter %p is applied to a deposit with %p', async (options, fields, answer) => {
		expect(await answerTo(options, credited(fields))).toEqual(answer);
	});

	test.each([
		['crypto_received', { coin: 'USDT' }],
		['admin_funding', { Asset: 'USDT' }],
	])('the currencies of %s are its coins', async (event, fields) => {
		const body = { event, id: 'c1', status: 'successful', ...fields };
		expect(await answerTo({ currencies: 'btc' }, body)).toEqual(IGNORED);
		expect(await answerTo({ currencies: 'usdt' }, body)).toEqual(STARTED);
	});

	test.each<[unreadable: string, options: object, fields: object, names: string[]]>([
		['missing', { statuses: 'successful' }, { status: undefined }, ['status']],
		['null', { currencies: 'NGN' }, { currency: null }, ['currency']],
		['empty', { currencies: 'NGN' }, { currency: ' ' }, ['currency']],
		['spelt in another way', { currencies: 'USD' }, { currency: undefined, Currency: 'NGN' }, ['currency']],
		['no number', { minimumAmount: '100' }, { Amount: 'many' }, ['amount']],
		[
			'missing',
			{ minimumAmount: '100', statuses: 'pending' },
			{ Amount: undefined, status: {} },
			['status', 'amount'],
		],
	])('a field that is %s lets the event pass %j, and the item says so', async (_, options, fields, names) => {
		const { post, started } = await listen({ parameters: { options: options as never } });
		expect(await post(credited(fields))).toEqual(STARTED);
		expect(firstItem(started).notFiltered).toEqual(names);
	});

	test.each([
		['crypto_received', 'coin'],
		['admin_funding', 'asset'],
	])('the currency of %s is its %s', async (event, name) => {
		const { post, started } = await listen({ parameters: { options: { currencies: 'usdt' } } });
		expect(await post({ event, id: 'c2', status: 'successful' })).toEqual(STARTED);
		expect(firstItem(started).notFiltered).toEqual([name]);
	});

	test('a filter that can be read still holds back what another one cannot read', async () => {
		const options = { currencies: 'USD', minimumAmount: '100' };
		expect(await answerTo(options, credited({ currency: 'NGN', Amount: null }))).toEqual(IGNORED);
		expect(await answerTo(options, credited({ currency: null, Amount: '99' }))).toEqual(IGNORED);
	});

	test('an event of which every filter was read says nothing of it, and a sender cannot say it', async () => {
		const { post, started } = await listen({ parameters: { options: { currencies: 'NGN' } } });
		expect(await post(credited({ notFiltered: ['currency'] }))).toEqual(STARTED);
		expect(firstItem(started)).not.toHaveProperty('notFiltered');
	});

	test('the editor gets a hint, and n8n a line in its log once a minute and trigger', async () => {
		const { post, runs } = await listen({
			nodeId: 'not-filtered',
			parameters: { options: { currencies: 'NGN' } },
		});
		const warn = jest.fn();
		jest.spyOn(WebhookContext.prototype, 'logger', 'get').mockReturnValue({ warn } as never);
		for (const currency of [null, undefined, ['NGN'], 'NGN'])
			expect(await post(credited({ currency }))).toEqual(STARTED);
		expect(warn.mock.calls).toEqual([
			[
				expect.stringMatching(
					/^[ -~]*could not check the event.*virtual_account_credited.*: currency\b[ -~]*$/,
				),
			],
		]);
		const message = expect.stringContaining(
			'could not check this event, because these fields cannot be read: currency',
		) as string;
		const hint = { message, type: 'warning', location: 'outputPane' };
		expect((await runs()).map(({ hints }) => hints)).toEqual([[hint], [hint], [hint], []]);
		jest.restoreAllMocks();
	});

	test('a filter does not apply to kinds of events without its field', async () => {
		const created = { event: 'virtual_account_created', Alias: 'of the filter', Currency: 'NGN' };
		expect(await answerTo({ currencies: 'USD' }, created)).toEqual(IGNORED);
		const { post, started } = await listen({
			parameters: { options: { minimumAmount: '1000', statuses: 'successful' } },
		});
		expect(await post(created)).toEqual(STARTED);
		expect(firstItem(started)).not.toHaveProperty('notFiltered');
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
		const { post, runs, started } = await listen({ ...VERIFIED, mode: 'manual' });
		const reason = 'The header x-svc-signature is missing';
		expect(await post(credited())).toEqual(refused(401, reason));
		await until('the execution', () => started.length > 0);
		const [run] = await runs();
		const error = {
			message: `The trigger refused this delivery: ${reason}`,
			description: expect.any(String),
		};
		expect(run).toMatchObject({ executionStatus: 'error', error });
		expect(run?.data).toBeUndefined();
	});

	test.each([
		['http://n8n.example.com/', 'manual', [expect.stringContaining('does not begin with https')]],
		['https://n8n.example.com/', 'manual', []],
		['http://n8n.example.com/', 'webhook', []],
	] as const)('at %s, mode %s, the hint of https is %j', async (baseUrl, mode, hints) => {
		// The address of the editor does not count.
		const { post, runs } = await listen({ mode, baseUrl, editorUrl: 'https://n8n.example.com/' });
		await post(credited());
		expect(((await runs())[0]!.hints ?? []).map(({ message }) => message)).toEqual(hints);
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

	const items = JSON.parse(readFileSync('test/fixtures/sampleItems.json', 'utf8')) as Array<
		Record<string, unknown>
	>;

	test.each(EVENT_KINDS)('a signed sample of %s is the item of its fixture', async (event) => {
		const credentials = { webhookSecret: sandbox.webhookSecret };
		const { url, started } = await listen({ ...VERIFIED, credentials });
		await requireControl(sandbox, 'PUT webhook', { url });
		await requireControl(sandbox, 'POST events', { event });
		await sandbox.idle();
		const { raw, receivedAt, ...item } = firstItem(started);
		const expected = items.find((each) => each.event === event)!;
		expect({ ...item, receivedAt: expected.receivedAt }).toEqual(expected);
	});
});
