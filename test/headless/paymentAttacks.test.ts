import { parse, stringify } from 'flatted';
import { ExecutionLifecycleHooks, SupplyDataContext, WorkflowExecute } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type {
	IExecuteData,
	INodeExecutionData,
	INodeType,
	IRunExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WalletServiceApi } from '../../credentials/WalletServiceApi.credentials.ts';
import { payItems } from '../../nodes/WalletService/action/payment/payItems.ts';
import { ExecutionLedger } from '../../nodes/WalletService/action/payment/executionLedger.ts';
import { getEndpoint } from '../../api/catalog.ts';
import { WalletService } from '../../nodes/WalletService/WalletService.node.ts';
import { createEngine, newExecutionId, NODE, SOURCE, withExpressions } from './engine.ts';
import { startHttpServer } from './httpServer.ts';
import { CONTINUED, cryptoPayout, FIAT, resultOf, withPayments } from './withPayments.ts';

/** Attacks on payments: each of them moved money twice, passed a limit or hid an outcome once. */
const { credentials, run, fault, accepted, asked } = withPayments();
const outcomes = (result: { items: INodeExecutionData[][] }) => result.items.flat().map(resultOf);

/** A service that answers each request with these bytes and closes. Gives the number of requests it saw. */
const answeringBytes = async (bytes: string, use: (baseUrl: string) => Promise<void>): Promise<number> => {
	let requests = 0;
	const server = createServer((socket) => {
		let got = '';
		socket.on('error', () => {});
		socket.on('data', (data) => {
			got += String(data);
			const length = Number(/content-length: (\d+)/i.exec(got)?.[1] ?? 0);
			const end = got.indexOf('\r\n\r\n');
			if (end < 0 || got.length < end + 4 + length) return;
			got = '';
			requests += 1;
			socket.end(bytes);
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	try {
		await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	} finally {
		server.close();
	}
	return requests;
};

const answered = async (
	parameters: object,
	status: number,
	body: string,
	apiKey?: string,
	items?: INodeExecutionData[],
) => {
	const server = await startHttpServer((_incoming, outgoing) => {
		outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body);
	});
	const onServer = { ...credentials, ...(apiKey !== undefined && { apiKey }), baseUrl: server.url };
	try {
		return await run(parameters, { ...CONTINUED, credentials: onServer, items });
	} finally {
		await server.stop();
	}
};

describe('n8n repeats a 401 whose body breaks off', () => {
	test.each([
		'content-length: 100\r\n\r\n{"message"',
		'content-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}',
	])('a payment is sent once when the answer is a 401 with %p', async (rest) => {
		const requests = await answeringBytes(`HTTP/1.1 401 Unauthorized\r\n${rest}`, async (baseUrl) => {
			await run(FIAT, { ...CONTINUED, credentials: { ...credentials, baseUrl } });
		});
		expect(requests).toBe(1);
	});
});

describe('"Retry execution" of an execution that failed before the payment', () => {
	/** Fails in the first execution only. */
	let broken = true;
	class Step implements INodeType {
		description = {
			displayName: 'Step',
			name: 'step',
			group: ['transform' as const],
			version: 1,
			description: '',
			defaults: {},
			inputs: ['main' as const],
			outputs: ['main' as const],
			properties: [],
		};
		async execute(this: { getInputData(): INodeExecutionData[] }) {
			if (broken) throw new Error('The step before the payment fails');
			return await Promise.resolve([this.getInputData()]);
		}
	}

	test('the payment is made once when the same execution is retried twice', async () => {
		const engine = createEngine([WalletService, Step as never], WalletServiceApi);
		const setup = { parameters: FIAT, credentials };
		const execute = async (mode: WorkflowExecuteMode, failed?: IRunExecutionData) => {
			const node = engine.nodeOf(setup);
			const step = {
				...node,
				id: 'step-id',
				name: 'Step',
				type: 'n8n-nodes-wallet-service.step',
				parameters: {},
			};
			const workflow = new Workflow({
				id: 'workflow-id',
				nodes: [{ ...step, id: 'source-id', name: SOURCE, type: SOURCE }, step, node],
				connections: {
					[SOURCE]: { main: [[{ node: 'Step', type: 'main', index: 0 }]] },
					Step: { main: [[{ node: NODE, type: 'main', index: 0 }]] },
				},
				active: false,
				nodeTypes: engine.nodeTypes,
				settings: { executionOrder: 'v1' },
			});
			const executionId = newExecutionId();
			const hooks = new ExecutionLifecycleHooks(mode, executionId, {} as never);
			const execution = new WorkflowExecute(
				engine.additionalDataOf(setup, { hooks, executionId }),
				mode,
				failed,
			);
			return failed
				? await execution.processRunExecutionData(workflow)
				: await execution.run({
						workflow,
						startNode: workflow.nodes[SOURCE],
						pinData: { [SOURCE]: [{ json: {} }] },
					});
		};
		broken = true;
		const stored = stringify((await execute('trigger')).data);
		broken = false;
		for (let chosen = 0; chosen < 2; chosen += 1) {
			const data = parse(stored) as IRunExecutionData;
			delete data.resultData.error;
			data.resultData.runData.Step?.pop();
			await execute('retry', data);
		}
		expect(accepted()).toEqual(['10']);
	});
});

describe('a tool that n8n calls directly', () => {
	const LIMITED = { maximumAmount: '100', allowedAliases: 'supplier-main', allowedCurrencies: 'NGN, USDT' };

	/** One execution of an agent with this node as its tool. */
	const execution = (parameters: object) => {
		const setup = { parameters: parameters as never, credentials };
		const engine = createEngine([WalletService], WalletServiceApi);
		const node = engine.nodeOf(setup);
		const workflow = engine.workflowOf(node);
		const executionId = newExecutionId();
		const hooks = new ExecutionLifecycleHooks('trigger', executionId, {} as never);
		const additionalData = engine.additionalDataOf(setup, { hooks, executionId });
		const agent = { ...node, id: 'agent', name: 'Agent' };
		const executeData: IExecuteData = { node: agent, data: { main: [[{ json: {} }]] }, source: null };
		const data = {
			startData: {},
			resultData: { runData: {} },
			executionData: {
				contextData: {},
				nodeExecutionStack: [],
				metadata: {},
				waitingExecution: {},
				waitingExecutionSource: {},
			},
		} as unknown as IRunExecutionData;
		const nodeType = engine.nodeTypeOf(node);
		return {
			/** As makeHandleToolInvocation of n8n-core: each agent item counts its run indexes from the runs it found. */
			call: async (runIndex: number, json: object) => {
				const context = new SupplyDataContext(
					workflow,
					node,
					additionalData,
					'trigger',
					data,
					runIndex,
					[{ json: json as never }],
					{},
					'ai_tool',
					executeData,
					[],
					undefined,
					agent,
				);
				context.addInputData('ai_tool', [[{ json: json as never }]]);
				return await withExpressions(workflow, async () => await nodeType.execute!.call(context as never));
			},
		};
	};

	test('Retry On Fail never sends again after an unknown outcome, though the body has a new reference', async () => {
		const { call } = execution({
			resource: 'cryptoWallet',
			operation: 'createPayout',
			coin: 'USDT',
			amount: '1',
			wallet_alias: 'treasury',
			bodyFields: { field: [{ name: 'ref', value: '={{ String(Math.random()) }}' }] },
			options: { ...LIMITED, allowedAliases: 'treasury' },
		});
		await fault({ dropAfter: true }, 1, 'POST /v1/crypto_payout');
		await call(0, {}).catch(() => undefined);
		await call(1, {}).catch(() => undefined);
		expect(accepted()).toEqual(['1']);
	});

	test.each([
		[
			'no limits',
			{},
			'within limits. These are missing: Maximum Amount, Allowed Aliases, Allowed Currencies',
		],
		['a limit too few', { maximumAmount: '5', allowedAliases: 'a' }, 'These are missing: Allowed Currencies'],
		[
			'empty limits',
			{ maximumAmount: '', allowedAliases: '', allowedCurrencies: '' },
			"'Maximum Amount' is empty",
		],
		['Maximum Total', { ...LIMITED, maximumTotal: '9' }, "'Maximum Total' cannot be counted where"],
		['Maximum per Day', { ...LIMITED, maximumPerDay: '9' }, "'Maximum per Day' cannot be counted where"],
	])('a tool with %s pays nothing and says what to do', async (_what, options, words) => {
		const { call } = execution({ ...FIAT, options });
		const [item] = ((await call(0, {})) as INodeExecutionData[][]).flat();
		expect(item!.json).toMatchObject({
			result: 'notSent',
			message: expect.stringContaining(words),
			whatToDo: 'Do not change the payment to get around this limit. Tell the user.',
		});
		expect(asked()).toBe(0);
	});

	/** The items of a batch start at one run index, where n8n then reads the arguments of the first. */
	const payBatch = async (...amounts: string[]) => {
		const { call } = execution({ ...FIAT, amount: "={{ $fromAI('amount') }}", options: LIMITED });
		const items: INodeExecutionData[] = [];
		for (const amount of amounts)
			items.push(...((await call(0, { amount })) as INodeExecutionData[][]).flat());
		return items.map(({ json }) => json.message);
	};
	const PAID = 'The service has accepted the payment.';
	const MIXED_UP = 'Nothing was sent. n8n has mixed up the arguments of two calls at the same time.';

	test('equal payments of two agent items are both made', async () => {
		expect(await payBatch('1', '1')).toEqual([PAID, PAID]);
		expect(accepted()).toEqual(['1', '1']);
	});

	test('nothing is paid for an agent item for which n8n reads the arguments of another one', async () => {
		expect(await payBatch('1', '2')).toEqual([PAID, MIXED_UP]);
		expect(accepted()).toEqual(['1']);
	});
});

describe('a key whose payment cannot be read', () => {
	test.each([
		[
			'destination',
			{ coin: 'USDT', amount: '5', address: 'T1' },
			{ coin: 'USDT', amount: '5', address: 'T2' },
		],
		[
			'amount',
			{ coin: 'USDT', value: '5', wallet_alias: 't' },
			{ coin: 'USDT', value: '500', wallet_alias: 't' },
		],
		[
			'amount',
			{ coin: 'USDT', amount: '5,00', wallet_alias: 't' },
			{ coin: 'USDT', amount: '900,00', wallet_alias: 't' },
		],
		[
			'currency',
			{ Coin: 'USDT', amount: '5', wallet_alias: 't' },
			{ Coin: 'BTC', amount: '5', wallet_alias: 't' },
		],
	])(
		'a key that was used with another %s is never answered with alreadyPaid',
		async (_what, first, second) => {
			const parameters = { ...cryptoPayout('={{ JSON.stringify($json) }}'), paymentKey: 'k' };
			const pay = async (json: object) =>
				await answered(parameters, 200, '{"id":"1"}', undefined, [{ json: json as never }]);
			await pay(first);
			expect(outcomes(await pay(second))).toEqual(['notSent']);
		},
	);
});

describe('an expression that fails when the payment is about to leave', () => {
	const simplify = "={{ $itemIndex === 1 ? $('Nope').item.json.x : true }}";
	const items = [{ json: { n: 1 } }, { json: { n: 2 } }, { json: { n: 3 } }];

	test('when an expression fails in continue mode, no input item comes out as if it was paid', async () => {
		const { items: outputs } = await run({ ...FIAT, simplify }, { items, ...CONTINUED });
		expect(
			outputs.flat().filter(({ json }) => json.error === undefined && json.payoutId === undefined),
		).toEqual([]);
	});

	test('the error of the stopped node lists what was paid before', async () => {
		const { error } = await run({ ...FIAT, simplify }, { items });
		expect(error?.context).toMatchObject({ outcome: 'notSent' });
		expect(asked() === 0 || (error?.context as { executed?: unknown[] })?.executed?.length === asked()).toBe(
			true,
		);
	});

	test('after an expression failed, the key is free again and no other execution waits for it for ever', async () => {
		const broken = { ...FIAT, paymentKey: 'k', simplify: "={{ $('Nope').item.json.x }}" };
		await run(broken);
		const fixed = run({ ...FIAT, paymentKey: 'k' }, CONTINUED);
		const first = await Promise.race([fixed.then(outcomes), sleep(5000).then(() => 'waits for ever')]);
		expect(first).toEqual(['paid']);
	});

	test.each([
		{ proxy: 'http://user:only-for-this-test@bad host:99' },
		{ timeout: "={{ $('Nope').item.json.x }}" },
	])(
		'Request Options %p in continue mode give an error for each item, and show no password',
		async (requestOptions) => {
			const { items: outputs, stored } = await run({ ...FIAT, requestOptions }, { items, ...CONTINUED });
			expect(outputs.flat().map((item) => (item.json.error as { outcome?: string })?.outcome)).toEqual([
				'notSent',
				'notSent',
				'notSent',
			]);
			expect(stored).not.toContain('only-for-this-test');
		},
	);
});

describe('keys that are numbers', () => {
	test.each(['={{ 9007199254740993 }}', '={{ NaN }}', '={{ Infinity }}', '={{ 2 ** 64 }}'])(
		'the key %s is refused, because other keys read the same',
		async (paymentKey) => {
			const { error } = await run({ ...FIAT, paymentKey });
			expect(error?.context).toMatchObject({ outcome: 'notSent' });
			expect(asked()).toBe(0);
		},
	);

	test.each([[[]]])('a key of imported JSON that is %p refuses the item', async (paymentKey) => {
		const { error } = await run({ ...FIAT, paymentKey });
		expect(error?.context).toMatchObject({ outcome: 'notSent' });
	});
});

describe('limits', () => {
	test.each([
		[
			'Coin',
			['{"Coin":"BTC","amount":"1","wallet_alias":"t"}', '{"Coin":"USDT","amount":"1","wallet_alias":"t"}'],
		],
		[
			'asset_code',
			[
				'{"asset_code":"BTC","amount":"1","wallet_alias":"t"}',
				'{"asset_code":"USDT","amount":"1","wallet_alias":"t"}',
			],
		],
		[
			'coin beside currency',
			[
				'{"coin":"X","currency":"BTC","amount":"1","wallet_alias":"t"}',
				'{"coin":"X","currency":"USDT","amount":"1","wallet_alias":"t"}',
			],
		],
	])('Maximum Total does not add up different currencies (%s)', async (_name, bodies) => {
		const items = bodies.map((body) => ({ json: { body } }));
		await run({ ...cryptoPayout('={{ $json.body }}'), options: { maximumTotal: '10' } }, { items });
		expect(asked()).toBe(0);
	});

	test.each(['wallet_id', 'to_wallet', 'dest', 'payee', 'iban', 'target'])(
		"Allowed Aliases refuse a body that has '%s' beside the alias",
		async (field) => {
			const body = JSON.stringify({
				coin: 'USDT',
				amount: '1',
				wallet_alias: 'treasury',
				[field]: 'mallory',
			});
			await run({ ...cryptoPayout(body), options: { allowedAliases: 'treasury' } });
			expect(asked()).toBe(0);
		},
	);
});

describe('a 200 that reports a failure', () => {
	const body = cryptoPayout('{"coin":"USDT","amount":"1","wallet_alias":"treasury"}');
	test.each([
		'{"status":false,"message":"Balance too low"}',
		'{"data":{"status":"failed","message":"no funds"}}',
		'{"result":{"success":false}}',
		'{"status":400,"message":"Not enough balance"}',
		'{"message":"Unauthorized"}',
		'{"status":"unsuccessful"}',
		'{"id":"req_1","success":false,"message":"Balance too low"}',
		'{"reference":"inv-1","error":"Insufficient funds"}',
	])('the outcome of a payment is unknown after a 200 that reports a failure: %s', async (text) => {
		expect(outcomes(await answered(body, 200, text))).toEqual(['unknown']);
	});

	test('a payout that has failed is not given as alreadyPaid', async () => {
		const text = '{"payout_id":"po_1","status":"failed","amount":10,"currency":"NGN"}';
		await answered({ ...FIAT, paymentKey: 'failed' }, 200, text);
		expect(outcomes(await answered({ ...FIAT, paymentKey: 'failed' }, 200, text))).not.toEqual([
			'alreadyPaid',
		]);
	});
});

describe('outcomes', () => {
	test.each([
		'{"payout_id":"po_1","status":"pending","amount":10,"currency":"NGN"}',
		'{"message":"callback failed","payout_id":"po_1"}',
	])('a 400 whose body names a payout does not prove that nothing was done: %s', async (text) => {
		expect(outcomes(await answered(FIAT, 400, text))).toEqual(['unknown']);
	});

	test('without a readable credential nothing left this machine, and the key stays free', async () => {
		const missing = await run(
			{ ...FIAT, paymentKey: 'no-credential' },
			{ ...CONTINUED, credentials: undefined },
		);
		expect(outcomes(missing)).toEqual(['notSent']);
		expect(outcomes(await run({ ...FIAT, paymentKey: 'no-credential' }, CONTINUED))).toEqual(['paid']);
	});

	test.each(['HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'])(
		'the answer %p gives an item with the outcome unknown',
		async (bytes) => {
			await answeringBytes(bytes, async (baseUrl) => {
				const running = run(
					{ ...FIAT, requestOptions: { timeout: 1000 } },
					{ ...CONTINUED, credentials: { ...credentials, baseUrl } },
				);
				const first = await Promise.race([running.then(outcomes), sleep(8000).then(() => 'silence')]);
				expect(first).toEqual(['unknown']);
			});
		},
	);

	test('a run that is stopped while it waits for its key sends nothing', async () => {
		let cancelled = false;
		let sent = 0;
		let released = 0;
		const parameters = { ...FIAT, paymentKey: 'k' };
		const claim = {
			is: 'claimed',
			released: ['ticket', []],
			release: () => Promise.resolve(void (released += 1)),
		};
		const { results } = await payItems({
			entry: getEndpoint('fiatWallet.createPayout'),
			items: [
				{
					value: (name) => parameters[name as keyof typeof FIAT],
					entered: (name) => parameters[name as keyof typeof FIAT],
					evaluate: (expression) => expression,
				},
			],
			ledger: new ExecutionLedger({}, 0, '1'),
			payer: () => Promise.resolve({ account: 'a' }),
			keys: {
				claim: () => {
					cancelled = true;
					return Promise.resolve(claim as never);
				},
				takePayment: () => Promise.resolve(true),
				findNotFreed: () => Promise.resolve([]),
			},
			send: () => {
				sent += 1;
				return Promise.resolve({ ok: true, items: [] });
			},
			dryRun: () => Promise.reject(new Error('not asked for')),
			continueOnFail: true,
			isCancelled: () => cancelled,
		});
		expect(sent).toBe(0);
		expect(released).toBe(1);
		expect(results).toMatchObject([{ ok: false, failure: { outcome: 'notSent' } }]);
	});
});

describe('secrets', () => {
	const apiKey = 'fake-key-only-for-this-test-0123456789';

	test('a page that is cut off inside the key shows no part of it', async () => {
		const page = `<html>${'x'.repeat(2000 - 6 - apiKey.length + 1)}${apiKey}`;
		const { stored } = await answered(FIAT, 500, page, apiKey);
		expect(stored).not.toContain(apiKey.slice(0, -1));
	});

	test('a key of digits is not shown as the text of a field', async () => {
		const { stored } = await answered(
			FIAT,
			400,
			'{"message":"no","key":"918273645546372819"}',
			'918273645546372819',
		);
		expect(stored).not.toContain('918273645546372819');
	});

	test('a key in a field that becomes lower or upper case is not shown', async () => {
		const text = `{"payout_id":"po_1","status":"${apiKey.toUpperCase()}","amount":10,"currency":"NGN"}`;
		const { stored } = await answered(FIAT, 200, text, apiKey.toUpperCase());
		expect(stored.toUpperCase()).not.toContain(apiKey.toUpperCase());
	});
});

describe('numbers that a double cannot have held', () => {
	test.each([
		'={{ 1.000000000000000001 }}',
		'={{ 1000000000000000.01 }}',
		'={{ 9007199254740991.4 }}',
		'={{ String(9007199254740993) }}',
		'={{ 9007199254740993 + "" }}',
		'={{ `${9007199254740993}` }}',
	])('the amount %s is refused, because a double cannot have held it', async (amount) => {
		const { error } = await run({ ...FIAT, amount });
		expect(error?.context).toMatchObject({ outcome: 'notSent' });
		expect(asked()).toBe(0);
	});
});

test('3,000 items with Maximum Total are checked within seconds (the time grows with the square)', async () => {
	const items = Array.from({ length: 3000 }, () => ({ amount: '1.50' }));
	const parameters = items.map((item) => ({
		value: (name: string) =>
			name === 'options'
				? { maximumTotal: '1000000', dryRun: true }
				: { ...FIAT, ...item }[name as keyof typeof FIAT],
		entered: (name: string) =>
			name === 'options'
				? { maximumTotal: '1000000', dryRun: true }
				: { ...FIAT, ...item }[name as keyof typeof FIAT],
		evaluate: (expression: string) => expression,
	}));
	const begun = Date.now();
	await payItems({
		entry: getEndpoint('fiatWallet.createPayout'),
		items: parameters,
		ledger: new ExecutionLedger({}, 0, '1'),
		send: () => Promise.reject(new Error('not asked for')),
		dryRun: () => Promise.resolve({ ok: true, items: [{}] }),
		continueOnFail: true,
		isCancelled: () => false,
	});
	expect(Date.now() - begun).toBeLessThan(1500);
}, 300_000);
