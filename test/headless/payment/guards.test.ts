/**
 * The guards of a payment in the order in which they are asked, and what is left of what each has taken: one table, of an order of
 * Convert at Best Rate, which all guards look at.
 */
import { ExecuteContext } from 'n8n-core';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';
import { until } from '../../../host/until.ts';
import { DayRows } from '../../../nodes/shared/store/dayRows.ts';
import { nodesEnd } from '../engine.ts';
import { credentialType, MemoryCredentials, withDefaults } from '../memoryCredentials.ts';
import { timing } from '../memoryProcessedItems.ts';
import { CONTINUED, FIAT, resultOf, withNode, type Setup } from '../withNode.ts';

/**
 * `result`: of the order. Nobody sees that of a stopped execution.
 * `asked`: guards that look into n8n's rows, and the request. The others leave no trace: of them the last test shows the order.
 * `key`, `duplicate`, `day`, `contract`: what another payment finds. `contract` is what it had left, for the next order of the run.
 * `journal`: what the execution keeps of the order.
 * `halt`: whether the order counts as one of three without a clear answer.
 */
const TABLE = `
what happens                         | result   | asked                              | key     | duplicate | day   | contract | journal | halt
journal: an earlier try has paid     | paid     |                                    | paid    | taken     | taken |          | paid    |
stop: before the order               |          |                                    | free    | free      | free  |          |         |
key: its outcome is unknown          | unknown  | key                                | unknown | free      | free  | free     |         | unchanged
halt: three without a clear answer   | notSent  | key                                | free    | free      | free  | free     |         |
duplicate check: another is like it  | notSent  | key, duplicate check               | free    | taken     | free  | free     |         | unchanged
day's limit: none is left            | notSent  | key, duplicate check, day          | free    | free      | free  | free     |         | unchanged
market: no contract has the rate     | waiting  | key, duplicate check, day          | free    | free      | free  | free     |         | unchanged
stop: while the guards are asked     |          | key, duplicate check, day          | free    | free      | free  |          |         |
throw: while the guards are asked    | notSent  | key, duplicate check, day          | free    | free      | free  | free     |         | unchanged
throw: before the request            | notSent  | key, duplicate check, day          | free    | free      | free  | free     |         | unchanged
deadline: the guards took too long   | notSent  | key, duplicate check, day          | free    | free      | free  | free     |         | unchanged
nobody listens at the service        | notSent  | key, duplicate check, day          | free    | free      | free  | free     |         | unchanged
rejected                             | rejected | key, duplicate check, day, request | free    | free      | free  | free     |         | begins anew
accepted                             | paid     | key, duplicate check, day, request | paid    | taken     | taken | taken    | paid    | begins anew
no answer                            | unknown  | key, duplicate check, day, request | unknown | taken     | taken | taken    | unknown | counted
throw: at the answer                 | unknown  | key, duplicate check, day, request | unknown | taken     | taken | taken    | unknown | counted
stop: while the request is under way |          | key, duplicate check, day, request | unknown | taken     | taken |          | unknown |`;

type Column = 'result' | 'asked' | 'key' | 'duplicate' | 'day' | 'contract' | 'journal' | 'halt';
const [names = [], ...lines] = TABLE.trim()
	.split('\n')
	.map((line) => line.split('|').map((cell) => cell.trim()));
const ROWS = lines.map(([what = '', ...cells]) => {
	const row = Object.fromEntries(cells.map((cell, index) => [names[index + 1], cell]));
	return [what, row as Record<Column, string>] as const;
});
const rowsWith = (column: Column) => ROWS.filter(([, row]) => row[column] !== '');

const { run, fault, sandbox, credentials } = withNode();

/** The guards by the rows that they ask for, in n8n's table. */
const GUARDS: Record<string, string> = {
	begun: 'key',
	sent: 'key',
	used: 'key',
	paid: 'key',
	attempt: 'key',
	told: 'key',
	'duplicates first': 'duplicate check',
	'duplicates second': 'duplicate check',
	'duplicates period': 'duplicate check',
	'payments of day': 'day',
};
const guardOf = (place: string) => GUARDS[/wallet-service (.+) \S+$/.exec(place)?.[1] ?? ''];

const CONVERT = {
	resource: 'instantLiquidity',
	operation: 'convertAtRate',
	from: 'USDT',
	to: 'NGN',
	amount: '={{ $json.amount }}',
	minimumRate: '={{ $json.rate }}',
	paymentKey: '={{ $json.key }}',
};
const LIMITS = {
	duplicateCheck: '7',
	maximumPerDay: '={{ $json.perDay }}',
	dryRun: '={{ $json.isDry === true }}',
};
const item = (key: string, amount: string, more: object = {}) => ({
	json: { key, amount, rate: '1540', perDay: '9', ...more },
});
const KEY = 'O-1';
const ORDER = [KEY, '100'] as const;
const isConversion = ({ path }: { path: string }) => path === '/v1/instant_conversion';
const conversions = () => sandbox.service.requests.all().filter(isConversion).length;
const atConversion = async (kind: object, times = 1) =>
	await fault(kind, times, 'POST /v1/instant_conversion');

/** How an order comes to what happens to it. */
interface Story {
	/** What other executions have done before. */
	before?(): Promise<unknown>;
	/** Items of the same run before the order. */
	unclear?: number;
	/** What becomes of their requests; default: they get no answer. */
	unclearRequest?: object;
	/** What the order has and the other items have not. */
	order?: object;
	/** What becomes of its request. Undefined: none comes. */
	request?: object;
	/** What becomes of the request of the item behind it. */
	nextRequest?: object;
	/** Is done when the order takes one of the day's payments. */
	inBetween?: () => void;
	/** When a person stops the execution. */
	stopWhen?(): Promise<unknown>;
	/** How the items are run; default: as a new execution. */
	execute?(): ReturnType<typeof run>;
}

const pay = async (items: Setup['items'], more: Partial<Setup> = {}, changed: object = {}) =>
	await run({ ...CONVERT, options: LIMITS, ...changed }, { ...CONTINUED, items, ...more });
const payWithoutLimits = async (items: Setup['items']) => await pay(items, {}, { options: {} });

let stop: () => void;
let stopped: Promise<void>;
beforeEach(() => {
	stopped = new Promise((resolve) => (stop = resolve));
});
afterEach(() => jest.restoreAllMocks());

const leaveUnknown = async () => {
	await atConversion({ dropAfter: true });
	await payWithoutLimits([item(...ORDER)]);
};
const payAnother = async () => await pay([item('another', '100')], {}, { options: { duplicateCheck: '7' } });
/** Retries an execution that has paid the order. Whatever else could refuse it would now. */
const retryPaid = (): Story => {
	let failed: Awaited<ReturnType<typeof run>>;
	const refusing = { ...CONVERT, paymentKey: '', minimumRate: '9999', options: { maximumPerDay: '0' } };
	return {
		before: async () => {
			const items = [item(...ORDER), item('next', '1', { rate: '9999' })];
			failed = await run({ ...CONVERT, options: LIMITS }, { items });
		},
		execute: async () => await failed.retry({ parameters: refusing, ...CONTINUED }),
	};
};
const fail = () => {
	throw new Error('a mistake of the node');
};
/** The request cannot be written down. */
const failAtBody = () => {
	const { stringify } = JSON;
	jest.spyOn(JSON, 'stringify').mockImplementation((value: unknown, ...more) => {
		if (!Object.hasOwn(Object(value) as object, 'from_amount')) return stringify(value, ...(more as []));
		jest.mocked(JSON.stringify).mockRestore();
		return fail();
	});
};
/** The answer cannot be read. */
const failAtAnswer = () => {
	const { parse: read } = JSON;
	jest.spyOn(JSON, 'parse').mockImplementation((text, ...more) => {
		if (!String(text).includes('"transaction_id"')) return read(text, ...more) as unknown;
		jest.mocked(JSON.parse).mockRestore();
		return fail();
	});
};
const signNowhere = () => {
	const nowhere = { ...withDefaults(credentials), baseUrl: 'http://127.0.0.1:9' };
	const sign = jest.spyOn(MemoryCredentials.prototype, 'authenticate');
	sign.mockImplementation(async (data, _, request) => {
		const isOrder = isConversion({ path: request.url });
		// Not of the item behind it.
		if (isOrder) sign.mockRestore();
		const { authenticate } = credentialType;
		if (typeof authenticate !== 'function') throw new Error('authenticate is not a function');
		return await authenticate(isOrder ? nowhere : data, request);
	});
};
const afterRequest = async () => {
	const before = conversions();
	await until('the request', () => conversions() > before);
};
const failAtStop = () =>
	jest.spyOn(ExecuteContext.prototype, 'getExecutionCancelSignal').mockImplementationOnce(fail);

/** Guards that refuse, in their order, with what they say. */
const REFUSALS: Record<string, Story & { says: RegExp }> = {
	key: { before: leaveUnknown, says: /an earlier payment with 'Payment Key' O-1 may have/ },
	halt: { unclear: 3, says: /no clear answer to 3 requests before/ },
	'duplicate check': { before: payAnother, says: /had the same amount, currency and destination/ },
	"day's limit": { order: { perDay: '0' }, says: /has made its 0 payments of today/ },
	market: { order: { rate: '9999' }, says: /^The best rate from USDT to NGN/ },
};

const STORIES: Record<string, Story> = {
	...Object.fromEntries(
		ROWS.flatMap(([what]) => {
			const refusal = REFUSALS[what.split(':')[0]!];
			return refusal === undefined ? [] : [[what, refusal]];
		}),
	),
	'journal: an earlier try has paid': retryPaid(),
	'stop: before the order': {
		unclear: 1,
		unclearRequest: { delayMs: 1500 },
		stopWhen: async () => await afterRequest(),
	},
	'stop: while the guards are asked': { inBetween: () => stop(), stopWhen: async () => await stopped },
	'throw: while the guards are asked': { inBetween: failAtStop },
	'throw: before the request': { inBetween: failAtBody },
	'deadline: the guards took too long': { inBetween: () => void (timing.ahead += 31_000) },
	'nobody listens at the service': { inBetween: signNowhere },
	rejected: { request: { status: 422 } },
	accepted: { request: { delayMs: 0 } },
	'no answer': { request: { dropAfter: true } },
	'throw: at the answer': { inBetween: failAtAnswer, request: { delayMs: 0 } },
	'stop: while the request is under way': {
		request: { delayMs: 1500 },
		stopWhen: async () => await afterRequest(),
	},
};

/** The first payment of a day deletes the rows of old days. That asks for rows, too, and no guard does. */
async function deleteOldRows(): Promise<void> {
	await atConversion({ status: 422 });
	const sweep = jest.spyOn(DayRows.prototype, 'sweep');
	await pay([item('first of the day', '7')]);
	await Promise.allSettled(sweep.mock.results.map(({ value }) => value as Promise<void>));
	sweep.mockRestore();
}

/** Lets the story happen, and gives the results from the order on. `next`: the items behind it. */
async function tell(story: Story, next: () => Setup['items'] & object = () => []) {
	await story.before?.();
	const first = Array.from({ length: story.unclear ?? 0 }, (_, index) =>
		item(`unclear ${index}`, String(index + 1)),
	);
	const before = conversions() + first.length;
	if (first.length > 0) await atConversion(story.unclearRequest ?? { dropAfter: true }, first.length);
	for (const request of [story.request, story.nextRequest])
		if (request !== undefined) await atConversion(request);
	const asked = new Set<string>();
	let { inBetween } = story;
	timing.fail = (kind, place) => {
		const guard = conversions() === before ? guardOf(place) : undefined;
		if (guard !== undefined) asked.add(guard);
		if (guard !== 'day' || kind !== 'ask') return undefined;
		inBetween?.();
		return (inBetween = undefined);
	};
	const items = [...first, item(...ORDER, story.order), ...next()];
	const stopWhen = story.stopWhen?.();
	const { items: output, stored } = await (story.execute?.() ?? pay(items, { stopWhen }));
	// n8n does not wait for a node that it stops.
	await nodesEnd();
	timing.fail = undefined;
	if (conversions() > before) asked.add('request');
	return {
		results: output.flat().slice(first.length),
		asked: [...asked].join(', '),
		journal: journalOf(stored),
	};
}

/** What n8n's memory of the node has of the order. */
function journalOf(stored: string): string {
	const { executionData } = parse(stored) as IRunExecutionData;
	const entries: unknown[] = [executionData?.contextData];
	for (const entry of entries) {
		const { key, result, ...others } = Object(entry) as Record<string, unknown>;
		if (Object(key).written === KEY) return (result as { ok: boolean }).ok ? 'paid' : 'unknown';
		entries.push(...Object.values(others).filter((value) => typeof value === 'object'));
	}
	return '';
}

/** What others find. Another payment under the key waits while the order holds it in this process. */
async function findKey(): Promise<string> {
	const probe = run({ ...FIAT, paymentKey: KEY }, CONTINUED);
	const other = await Promise.race([probe, sleep(3000, undefined, { ref: false })]);
	if (other === undefined) return 'held for good';
	if (resultOf(other.items[0]![0]!) === 'paid') return 'free';
	const dry = await pay([item(...ORDER)], {}, { options: { dryRun: true } });
	const state = resultOf(dry.items[0]![0]!);
	return state === 'alreadyPaid' ? 'paid' : String(state);
}

async function findDuplicate(): Promise<string> {
	const dry = await pay([item('yet another', '100')], {}, { options: { ...LIMITS, dryRun: true } });
	return resultOf(dry.items[0]![0]!) === 'dryRun' ? 'free' : 'taken';
}

/** `others`: payments of the day beside the order. */
async function findDay(others: number): Promise<string> {
	const options = { maximumPerDay: String(others + 1) };
	const { items } = await run({ ...FIAT, amount: '11', options }, CONTINUED);
	return resultOf(items[0]![0]!) === 'paid' ? 'free' : 'taken';
}

test.each(ROWS)('%s', async (what, { result, asked, key, duplicate, day, journal }) => {
	const story = STORIES[what]!;
	await deleteOldRows();
	const told = await tell(story);
	const [order] = told.results;
	const left = {
		key: await findKey(),
		duplicate: await findDuplicate(),
		day: await findDay(story.unclear ?? 0),
	};
	if (story.stopWhen === undefined) expect(resultOf(order!)).toBe(result);
	expect({ asked: told.asked, journal: told.journal, ...left }).toEqual({
		asked,
		journal,
		key,
		duplicate,
		day,
	});
});

test.each(rowsWith('contract'))('the next order of the run, after: %s', async (what, { contract }) => {
	const story = STORIES[what]!;
	const next = () => {
		const { available } = sandbox.service.ledger.contracts.all()[0]!;
		// With the 100 of the order, it is more than there is.
		const amount = String(Number(available) - (story.unclear ?? 0) - 50);
		return [item('next', amount, { isDry: true })];
	};
	const { results } = await tell(story, next);
	expect(resultOf(results[1]!)).toBe(contract === 'free' ? 'dryRun' : 'waiting');
});

/** Two items without a clear answer come before the order, one after it. */
test.each(rowsWith('halt'))(
	'the halt after three without a clear answer, after: %s',
	async (what, { halt }) => {
		const story = STORIES[what]!;
		const next = [item('third', '12'), item('last', '13')];
		const { results } = await tell({ ...story, unclear: 2, nextRequest: { dropAfter: true } }, () => next);
		const rest = {
			counted: ['notSent', 'notSent'],
			'begins anew': ['unknown', 'paid'],
			unchanged: ['unknown', 'notSent'],
		};
		expect(results.slice(1).map(resultOf)).toEqual(rest[halt as keyof typeof rest]);
	},
);

test.each(Object.keys(REFUSALS))('%s is asked before those that follow it here', async (guard) => {
	const all = Object.entries(REFUSALS);
	const from = all.slice(all.findIndex(([name]) => name === guard)).map(([, story]) => story);
	const before = async () => {
		for (const story of from) await story.before?.();
	};
	const unclear = Math.max(...from.map((story) => story.unclear ?? 0));
	const order = Object.assign({}, ...from.map((story) => story.order)) as object;
	const { results } = await tell({ before, unclear, order });
	expect((results[0]!.json.error as Error).message).toMatch(REFUSALS[guard]!.says);
});
