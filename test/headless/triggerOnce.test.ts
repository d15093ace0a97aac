/** "Each event once" of docs/reference/events.md: situations with what runs, in n8n-core with n8n's record in memory. */
import { createHmac } from 'node:crypto';
import { WebhookContext } from 'n8n-core';
import { laterSpellings, spellings } from '../fixtures/spellings.ts';
import { turn } from '../fixtures/turn.ts';
import type { headless, Listener, ListenSetup } from './harness.ts';
import { startProcess } from './withNode.ts';
import { deliver, NOT_READY, refused, withTrigger } from './withTrigger.ts';

const listen = withTrigger();
let nodes = 0;

/** Processes of n8n. They have one database, and each its own memory. */
const processes: Array<ReturnType<typeof headless>> = [];
let startedProcesses = 0;

beforeAll(async () => {
	while (processes.length < 4) processes.push(await startProcess());
});

beforeEach(() => (startedProcesses = 0));

/** The next process: it remembers nothing of the trigger of this test. Returns what activates the trigger in it. */
function nextProcess() {
	const n8n = processes[startedProcesses];
	if (n8n === undefined) throw new Error('A test has more processes than there are');
	startedProcesses += 1;
	return async (setup: Partial<ListenSetup> = {}) => await listen(setup, n8n);
}

/** The answer in words, such as `200 ok duplicate`. */
async function post(listener: Listener, delivery: Delivery, signal?: AbortSignal): Promise<string> {
	const { text, headers } = typeof delivery === 'string' ? { text: delivery, headers: {} } : delivery;
	const { status, body } = await deliver(listener, text, headers, signal);
	return `${status}${body.ok ? ' ok' : ''}${body.duplicate ? ' duplicate' : ''}`;
}

/** How many executions went on after the trigger. */
async function runsOf(listeners: Listener[]): Promise<number> {
	const runs = (await Promise.all(listeners.map((listener) => listener.runs()))).flat();
	return runs.filter(({ data }) => data?.main?.some((items) => items!.length > 0)).length;
}

type Delivery = string | { text: string; headers: Record<string, string> };

const funding = (fields: object = {}) =>
	JSON.stringify({ event: 'admin_funding', id: 'a', status: 'successful', Amount: '5', ...fields });
const [pending, successful] = [funding({ status: 'pending' }), funding()];
const wallet = (status: string) =>
	JSON.stringify({ event: 'settlement_wallet_update', Alias: 'treasury', Network: 'TRC20', status });
const vault = wallet('a').replace('treasury', 'vault');
const account = (status: string) =>
	JSON.stringify({ event: 'settlement_account_update', Alias: 'payroll', Currency: 'NGN', status });

const SECRET = Buffer.from('only for these tests, 32 bytes..');
const webhookSecret = `whsec_${SECRET.toString('base64')}`;
const STANDARD = {
	publish: {
		parameters: { verification: 'credential' },
		credentials: { webhookStyle: 'standardWebhooks', webhookSecret },
	},
};
/** A delivery with a signed message ID. */
function signed(id: string, text: string): Delivery {
	const time = String(Math.floor(Date.now() / 1000));
	const digest = createHmac('sha256', SECRET).update(`${id}.${time}.${text}`).digest('base64');
	const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${digest}` };
	return { text, headers };
}

/** A delivery, a restart of n8n, or a change of the trigger, which is published again. */
type Step = Delivery | typeof RESTART | { publish: Partial<ListenSetup> };
const RESTART = { restart: true };
const options = (values: object) => ({ publish: { parameters: { options: values as never } } });
const FINISHED = options({ acknowledge: 'whenFinished' });
const history = [pending, successful];
const numbers = ['1.50', '1.5'].map((text) => `{"event":"admin_funding","Amount":${text}}`);

const attempts = [1, 2, 3].map((attempt) => funding({ attempt, sent_at: `10:0${attempt}` }));
const reviews = ['a', 'b', 'a', 'b'].map((state, index) => signed('12'[index % 2]!, wallet(state)));
const [next, withoutId] = [funding({ id: 'b' }), funding({ id: undefined })];

/** What happens, and how often the workflow runs. */
const SITUATIONS: Array<[situation: string, steps: Step[], runs: number]> = [
	['a repetition after a restart', [successful, RESTART, successful, RESTART, successful], 1],
	['a history sent again, also after a restart', [...history, ...history, RESTART, ...history], 2],
	['an amount that comes back', ['5', '6', '5', '6'].map((Amount) => funding({ Amount })), 2],
	['a field that the document does not name changes with each attempt', attempts, 1],
	['one event in twenty spellings, also after a restart', [...spellings(), RESTART, ...spellings()], 1],
	['a fee, and then a hash, that come later', [...spellings(), ...laterSpellings(), ...spellings()], 3],
	['a documented field that tells nothing apart changes', [funding(), funding({ Business: 'Acme' })], 1],
	['a fee in another spelling', ['1', '1.0', 1].map((fee) => funding({ fee })), 1],
	['a field that counts changes', [funding(), funding({ Asset: 'USD' }), funding({ Amount: '6' })], 3],
	['an amount that cannot be read, and another one', ['5,0', '6,0'].map((Amount) => funding({ Amount })), 2],
	['a signed ID, and another one for the same event', [STANDARD, signed('7', next), signed('8', next)], 2],
	['a number written in another way', numbers, 1],
	['two equal deposits with two ids', [next, funding({ id: 'c' })], 2],
	['two equal deposits without id', [withoutId, withoutId], 1],
	['a forged delivery before the genuine one', [funding({ Amount: '9' }), successful, successful], 2],
	['a wallet whose state comes back', ['Whitelisted', 'Rejected', 'Whitelisted', 'Rejected'].map(wallet), 4],
	['an account whose state comes back', ['Whitelisted', 'Rejected', 'Whitelisted'].map(account), 3],
	['a review that is repeated at once', [wallet('Whitelisted'), wallet('Whitelisted')], 1],
	['a review, one of another wallet, and the first again', [wallet('a'), vault, wallet('a')], 2],
	['a review that is repeated after a restart', [wallet('Whitelisted'), RESTART, wallet('Whitelisted')], 2],
	['signed reviews, also after a restart', [STANDARD, ...reviews.slice(0, 3), RESTART, reviews[3]!], 2],
	['a signed ID twice, with two bodies', [STANDARD, signed('3', pending), signed('3', next)], 1],
	['Ignore Duplicates is off', [options({ ignoreDuplicates: false }), successful, RESTART, successful], 2],
	['When Workflow Finishes: a repetition after the end', [FINISHED, successful, successful], 1],
	[
		'When Workflow Finishes: a repetition after each restart',
		[FINISHED, successful, next, RESTART, successful, successful, RESTART, successful],
		4,
	],
	['Respond is switched to When Workflow Finishes', [successful, FINISHED, successful], 1],
	['Respond is switched, and a restart', [successful, FINISHED, RESTART, successful], 2],
];

describe('situations, and how often the workflow runs', () => {
	test.each(SITUATIONS)('%s', async (_, steps, runs) => {
		const nodeId = `node-${(nodes += 1)}`;
		const listeners: Listener[] = [];
		let setup: Partial<ListenSetup> = {};
		let listen = nextProcess();
		const publish = async () => void listeners.push(await listen({ nodeId, ...setup }));
		await publish();
		for (const step of steps) {
			if (step === RESTART) {
				listen = nextProcess();
				await publish();
			} else if (typeof step === 'object' && 'publish' in step) {
				setup = step.publish;
				await publish();
			} else {
				expect(await post(listeners.at(-1)!, step as Delivery)).toMatch(/^200 ok/);
				await listeners.at(-1)!.idle();
			}
		}
		expect(await runsOf(listeners)).toBe(runs);
	});
});

/** Two processes with the same trigger of the same workflow. */
async function twoProcesses(first: Partial<ListenSetup> = {}, both: Partial<ListenSetup> = {}) {
	const nodeId = `node-${(nodes += 1)}`;
	const one = await nextProcess()({ nodeId, ...both, ...first });
	const other = await nextProcess()({ nodeId, ...both });
	return { one, other };
}

describe('an execution that n8n had stored when it was killed', () => {
	test.each(['recovered', 'repeated'])('runs once, if the %s one begins first, also later', async (first) => {
		const { one, other } = await twoProcesses({ killed: true });
		await expect(post(one, successful)).rejects.toThrow();
		if (first === 'recovered') other.recover(one.started[0]!);
		await other.idle();
		expect(await post(other, successful)).toBe('200 ok');
		await other.idle();
		if (first === 'repeated') other.recover(one.started[0]!);
		await other.idle();
		const next = await nextProcess()({ nodeId: `node-${nodes}` });
		expect(await post(next, successful)).toBe('200 ok');
		expect(await runsOf([other, next])).toBe(1);
	});

	test('goes on when another worker begins it again', async () => {
		const { one, other } = await twoProcesses();
		one.recover([[{ json: {} }], [{ json: { key: 'the key' } }]], 'same');
		await one.idle();
		other.recover([[{ json: {} }], [{ json: { key: 'the key' } }]], 'same');
		expect(await runsOf([one, other])).toBe(2);
	});
});

test('a second process starts an execution for a repetition, which stops at the trigger with a hint', async () => {
	const { one, other } = await twoProcesses();
	expect(await post(one, successful)).toBe('200 ok');
	await one.idle();
	expect(await post(other, successful)).toBe('200 ok');
	const message = expect.stringContaining('admin_funding:a:successful') as string;
	const stopped = { data: { main: [[]] }, hints: [{ message, location: 'outputPane' }] };
	expect((await other.runs())[0]).toMatchObject(stopped);
});

test('"Retry execution" of an event that was handled goes on', async () => {
	const { one } = await twoProcesses();
	expect(await post(one, successful)).toBe('200 ok');
	await one.idle();
	one.recover(one.started[0]!, 'retry', 'retry');
	expect(await runsOf([one])).toBe(2);
});

test('of two processes that begin an execution of one event at the same moment, one goes on', async () => {
	const { one, other } = await twoProcesses();
	await Promise.all([one, other].map((process) => post(process, successful)));
	expect(await runsOf([one, other])).toBe(1);
});

test('each trigger of a workflow detects duplicates on its own', async () => {
	const listen = nextProcess();
	const [one, other] = [await listen({ nodeId: 'one' }), await listen({ nodeId: 'other' })];
	expect([await post(one, successful), await post(other, successful)]).toEqual(['200 ok', '200 ok']);
	expect(await runsOf([one, other])).toBe(2);
});

test('a delivery that n8n answered with 500 starts the workflow when it is repeated', async () => {
	let failures = 2;
	const listener = await nextProcess()({
		onStart: () => {
			if (failures-- > 0) throw new Error('The database is away');
		},
	});
	const answers = [];
	for (let attempt = 0; attempt < 4; attempt += 1) answers.push(await post(listener, successful));
	expect(answers).toEqual(['500', '500', '200 ok', '200 ok duplicate']);
});

/** Waits until so many deliveries have reached the trigger. An answer that it has given too early has come then, too. */
async function arrivalOf(count: number, listener: Listener): Promise<void> {
	while (listener.arrived() < count) await turn();
	await listener.roundTrip();
}

/** A sender that hangs up while n8n works. */
async function hangUp(listener: Listener, delivery: Delivery): Promise<void> {
	const impatient = new AbortController();
	const before = listener.arrived();
	const answer = post(listener, delivery, impatient.signal);
	await arrivalOf(before + 1, listener);
	impatient.abort();
	await expect(answer).rejects.toThrow();
}

describe.each([
	['Immediately', 'onStart', 'whenStored'],
	['When Workflow Finishes', 'rest', 'whenFinished'],
])('%s: copies that arrive before the answer', (_, hook, acknowledge) => {
	/** The first delivery waits until it is released with an outcome. */
	async function held() {
		let release: (isFailure: boolean) => void = () => {};
		const gate = new Promise<boolean>((resolve) => (release = resolve));
		let attempts = 0;
		const wait = async () => {
			if ((attempts += 1) === 1 && (await gate)) throw new Error('The database is away');
		};
		const parameters = { options: { acknowledge } };
		const listener = await nextProcess()({ nodeId: `node-${(nodes += 1)}`, parameters, [hook]: wait });
		return { listener, succeed: () => release(false), fail: () => release(true) };
	}

	test('they wait, and are duplicates if the first succeeds', async () => {
		const { listener, succeed } = await held();
		const answers: string[] = [];
		const all = [1, 2, 3].map(async () => answers.push(await post(listener, successful)));
		await arrivalOf(3, listener);
		expect(answers).toEqual([]);
		succeed();
		await Promise.all(all);
		expect(answers.toSorted()).toEqual(['200 ok', '200 ok duplicate', '200 ok duplicate']);
	});

	test('the second one starts the workflow if the first fails, and the third is a duplicate', async () => {
		const { listener, fail } = await held();
		const all = Promise.all([1, 2, 3].map(() => post(listener, successful)));
		await arrivalOf(3, listener);
		fail();
		expect((await all).toSorted()).toEqual(['200 ok', '200 ok duplicate', '500']);
	});

	test.each([
		['succeed', '200 ok duplicate'],
		['fail', '200 ok'],
	] as const)('the sender of the first hangs up: if it then does %s, the next is %s', async (end, answer) => {
		const { listener, [end]: release } = await held();
		await hangUp(listener, successful);
		const second = post(listener, successful);
		await arrivalOf(2, listener);
		release();
		expect([await second, await post(listener, successful)]).toEqual([answer, '200 ok duplicate']);
	});

	describe('while the first has no answer', () => {
		// Only what the wait is measured by: the engine and its connections go on.
		beforeEach(() => {
			const others = ['Date', 'hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'setInterval'] as const;
			const theirs = ['clearImmediate', 'clearInterval'] as const;
			jest.useFakeTimers({ doNotFake: [...others, ...theirs] });
		});
		afterEach(() => jest.useRealTimers());

		test('a repetition gets 503 after ten seconds, and the workflow starts again only if the first fails', async () => {
			const { listener, fail } = await held();
			const first = post(listener, successful);
			await arrivalOf(1, listener);
			let answer: unknown;
			const second = deliver(listener, successful).then((given) => (answer = given));
			await arrivalOf(2, listener);
			jest.advanceTimersByTime(9_000);
			await listener.roundTrip();
			expect(answer).toBeUndefined();
			jest.advanceTimersByTime(1_000);
			await second;
			expect(answer).toEqual(NOT_READY);
			fail();
			expect([await first, await post(listener, successful)]).toEqual(['500', '200 ok']);
		});

		test('after a minute each repetition gets 503 at once, also the hundredth, and another event its answer', async () => {
			const { listener, succeed } = await held();
			const first = post(listener, successful);
			await arrivalOf(1, listener);
			jest.advanceTimersByTime(60_001);
			for (let repetition = 0; repetition < 100; repetition += 1)
				expect(await post(listener, successful)).toBe('503');
			expect(await post(listener, next)).toBe('200 ok');
			succeed();
			expect([await first, await post(listener, successful)]).toEqual(['200 ok', '200 ok duplicate']);
		});

		test('a hundred repetitions wait, and the next one gets 503 at once, with a line in the log', async () => {
			const { listener, succeed } = await held();
			const warn = jest.fn();
			jest.spyOn(WebhookContext.prototype, 'logger', 'get').mockReturnValue({ warn } as never);
			const waiting = Array.from({ length: 101 }, () => post(listener, successful));
			await arrivalOf(101, listener);
			expect([await post(listener, successful), await post(listener, successful)]).toEqual(['503', '503']);
			expect(warn.mock.calls).toEqual([[expect.stringContaining('stop it under Executions')]]);
			jest.restoreAllMocks();
			succeed();
			const duplicates = Array.from({ length: 100 }, () => '200 ok duplicate');
			expect((await Promise.all(waiting)).toSorted()).toEqual(['200 ok', ...duplicates]);
		});
	});

	test('a waiting copy whose sender hangs up does not block later copies', async () => {
		const { listener, fail } = await held();
		const first = post(listener, successful);
		await arrivalOf(1, listener);
		await hangUp(listener, successful);
		fail();
		expect(await first).toBe('500');
		expect(await post(listener, successful)).toBe('200 ok duplicate');
	});
});

describe('When Workflow Finishes', () => {
	const both = { parameters: { options: { acknowledge: 'whenFinished' } } };

	test('only the process that answered remembers: a repetition at another one runs the workflow', async () => {
		const { one, other } = await twoProcesses({}, both);
		expect(await post(one, successful)).toBe('200 ok');
		expect(await post(other, successful)).toBe('200 ok');
		expect(await post(one, successful)).toBe('200 ok duplicate');
		expect(await runsOf([one, other])).toBe(2);
	});

	test('a workflow that failed is answered with 500 and nothing of its data, and the repetition runs, also after a restart', async () => {
		const rest = () => {
			throw new Error('secret of the workflow');
		};
		const { one, other } = await twoProcesses({ rest }, both);
		expect(await deliver(one, successful)).toEqual(refused(500, 'The workflow did not succeed'));
		expect([await post(one, successful), await post(other, successful)]).toEqual(['500', '200 ok']);
		expect(await runsOf([one, other])).toBe(3);
	});

	test('a delivery whose execution was cut off by a kill runs again when it is repeated', async () => {
		let end = () => {};
		const rest = async () => await new Promise<void>((resolve) => (end = resolve));
		const { one, other } = await twoProcesses({ rest }, both);
		await hangUp(one, successful);
		await one.runs();
		expect(await post(other, successful)).toBe('200 ok');
		expect(await post(other, successful)).toBe('200 ok duplicate');
		end();
	});
});
