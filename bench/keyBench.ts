/** What a Payment Key costs on n8n with SQLite. */
import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../host/n8n/client.ts';
import type { Execution, Json } from '../host/n8n/client.ts';
import type { Stack } from '../host/stack.ts';
import { atMost } from './results.ts';
import type { Bench, Options, Report, Target } from './results.ts';
import { queryDatabase, withDatabase } from './shared/executions.ts';
import { elementAt, entryOf } from './shared/lists.ts';
import { BY_KEY, pay, PAY_OUT, payInParts, publishPayer, ROUTE, withStack } from './shared/payments/payer.ts';
import type { Payer } from './shared/payments/payer.ts';
import { makePayments, wordOf } from './shared/payments/paymentComparison.ts';
import { median, measureRounds } from './shared/statistics.ts';

interface List {
	/** Payments in it. */
	length: number;
	/** Milliseconds that the service takes to answer. */
	answerMs: number;
}

interface Size {
	/** Keys that are remembered before each execution. */
	remembered: number[];
	lists: List[];
	rounds: number;
	/** Paid keys that run again, and how often. */
	rerun: { length: number; rounds: number; remembered: number[] };
}

const FULL: Size = {
	remembered: [0, 1000, 10_000],
	lists: [1, 20].flatMap((length) => [0, 200].map((answerMs) => ({ length, answerMs }))),
	rounds: 5,
	rerun: { length: 1000, rounds: 3, remembered: [1000, 10_000] },
};
export const SHORT: Size = {
	remembered: [0, 1000],
	lists: [1, 5].flatMap((length) => [0, 50].map((answerMs) => ({ length, answerMs }))),
	rounds: 1,
	rerun: { length: 20, rounds: 1, remembered: [20, 1000] },
};

/** Milliseconds of a payment in a list of 20, if the service answers at once. */
const MOST_FOR_PAYMENT = 130;
/** Milliseconds of n8n answering nobody during a re-run. */
const MOST_BLOCKED = 100;
/** Seconds of a re-run. */
const MOST_FOR_RERUN = 10;
/** The smallest acceptable rate with a key, to that without one, at SLOW_MS: with few keys, and with more. */
const LEAST_RATE = [0.9, 0.8] as const;
const FEW = 1000;
const SLOW_MS = 200;

const title = 'Payment Key';
const how = `Fiat payouts by webhook through one n8n (SQLite) to the sandbox, which answers at once or after the time that the row says. A workflow without a
key and workflows with one, whose record holds as many paid keys as the column says before each execution, pay such lists in turns, in changing
order, ${FULL.rounds} rounds. Figures are medians of the time of the node for each payment, and of the ratio of the rate with a key to the rate without one in
the same round. A re-run goes from the call of the webhook to its answer. Meanwhile n8n is asked for \`/healthz\` every 10 ms. The longest time that
n8n answers nobody is the maximum of ${FULL.rerun.rounds} runs.`;

export const keyBench: Bench = {
	title,
	how,
	run: async (report: Report, { short }: Options) =>
		await withStack(async (stack) => await measure(stack, report, short ? SHORT : FULL)),
};

/** Throws if a payment does not come out as it should. */
export async function measure(stack: Stack, report: Report, size: Size): Promise<void> {
	await measureLists(stack, report, size);
	await measureReruns(stack, report, size.rerun);
}

const WITHOUT = 'without a key';
const rememberedWords = (count: number) => `${count.toLocaleString('en')} remembered`;

/** How many entries one key leaves in n8n's record once its payment is accepted. */
const ENTRIES = 2;

async function measureLists(
	stack: Stack,
	report: Report,
	{ remembered, lists, rounds }: Size,
): Promise<void> {
	const without = await publishPayer(stack, 'Without key', { parameters: { ...BY_KEY, paymentKey: '' } });
	/** Milliseconds for each payment. */
	const contenders: Record<string, (list: List) => Promise<number>> = {
		[WITHOUT]: (list) => nodeTime(stack, without, list),
	};
	for (const count of remembered) {
		const payer = await publishPayer(stack, `With ${count} keys`);
		await pay(stack.n8n, payer, makePayments(1));
		if (recordOf(stack, payer).length !== ENTRIES) throw new Error(`A key does not leave ${ENTRIES} entries`);
		contenders[rememberedWords(count)] = (list) => {
			setRecord(stack, payer, entriesOfOthers(count));
			return nodeTime(stack, payer, list);
		};
	}
	// The first execution of each workflow runs code that is not compiled yet.
	for (const measureList of Object.values(contenders)) await measureList({ length: 1, answerMs: 0 });
	const columns = Object.keys(contenders);
	report.table('Time of a payment', columns);
	for (const list of lists) {
		const times = await measureRounds(columns, rounds, (name) => entryOf(contenders, name)(list));
		const medians = (figure: (time: Record<string, number>, column: string) => number) =>
			columns.map((column) => median(times.map((time) => figure(time, column))));
		const answers = list.answerMs === 0 ? '' : `, answers after ${list.answerMs} ms`;
		const what = `a list of ${list.length}${answers}`;
		const milliseconds = medians((time, column) => entryOf(time, column));
		report.row(`${what}, ms a payment`, milliseconds, 0, targetForTime(list));
		const rates = medians((time, column) => entryOf(time, WITHOUT) / entryOf(time, column));
		report.row(`${what}, rate to that without`, [NaN, ...rates.slice(1)], 2, targetForRate(list, remembered));
	}
}

function targetForTime({ length, answerMs }: List): Target | undefined {
	return length === 20 && answerMs === 0 ? atMost(MOST_FOR_PAYMENT) : undefined;
}

function targetForRate({ length, answerMs }: List, remembered: number[]): Target | undefined {
	if (length === 1 || answerMs !== SLOW_MS) return undefined;
	// The first column is without a key.
	const least = (column: number) => LEAST_RATE[(remembered[column - 1] ?? 0) <= FEW ? 0 : 1];
	return {
		words: `>= ${LEAST_RATE[0]}, with more than ${FEW.toLocaleString('en')} keys ${LEAST_RATE[1]}`,
		isMet: (rate, column) => rate >= least(column),
	};
}

/** Pays a list of new payments. Returns the milliseconds of the node for each. Throws if one of them is not made. */
async function nodeTime(stack: Stack, payer: Payer, { length, answerMs }: List): Promise<number> {
	await stack.control('POST', '/faults', { route: ROUTE, times: length, delayMs: answerMs });
	expectAll(await pay(stack.n8n, payer, makePayments(length)), 'paid');
	const newest = await until('the execution to be stored', async () => {
		const path = `/api/v1/executions?workflowId=${payer.workflow.id}&includeData=true&limit=1`;
		const { data } = (await stack.client.call('GET', path)) as { data: Execution[] };
		return data[0]?.status === 'success' ? data[0] : undefined;
	});
	return elementAt(newest.data.resultData.runData[PAY_OUT] ?? [], 0).executionTime / length;
}

async function measureReruns(
	stack: Stack,
	report: Report,
	{ length, rounds, remembered }: Size['rerun'],
): Promise<void> {
	const payer = await publishPayer(stack, 'Paid before');
	const payments = makePayments(length);
	expectAll(await payInParts(stack.n8n, payer, payments), 'paid');
	const record = recordOf(stack, payer);
	/** Seconds, and the milliseconds of the longest time that n8n answered nobody. */
	const rerun = async (count: number) => {
		setRecord(stack, payer, [...entriesOfOthers(count - length), ...record]);
		const begun = performance.now();
		const paid = pay(stack.n8n, payer, payments).then((items) => ({ items, ended: performance.now() }));
		const blocked = await longestAnswer(`${stack.n8n.url}/healthz`, paid);
		const { items, ended } = await paid;
		expectAll(items, 'alreadyPaid');
		return { seconds: (ended - begun) / 1000, blocked };
	};
	const columns = remembered.map(rememberedWords);
	const runs = await measureRounds(columns, rounds, (name) =>
		rerun(elementAt(remembered, columns.indexOf(name))),
	);
	const figures = (of: 'seconds' | 'blocked') =>
		columns.map((column) => runs.map((round) => entryOf(round, column)[of]));
	report.table(`${length.toLocaleString('en')} paid keys run again`, columns);
	report.row('s', figures('seconds').map(median), 1, atMost(MOST_FOR_RERUN));
	const longest = figures('blocked').map((each) => Math.max(...each));
	report.row('ms, the longest time that n8n answers nobody', longest, 0, atMost(MOST_BLOCKED));
}

/** Asks a server again and again until the work has ended. Returns the milliseconds of the longest wait for an answer. */
async function longestAnswer(url: string, work: Promise<unknown>): Promise<number> {
	let isUnderWay = true;
	const ended = work.finally(() => (isUnderWay = false));
	let longest = 0;
	while (isUnderWay) {
		const asked = performance.now();
		const answer = await fetch(url);
		await answer.arrayBuffer();
		if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
		longest = Math.max(longest, performance.now() - asked);
		await sleep(10);
	}
	await ended;
	return longest;
}

function expectAll(items: Json[], word: string): void {
	const other = items.find((item) => wordOf(item) !== word);
	if (other !== undefined) throw new Error(`An item is not ${word}: ${JSON.stringify(other)}`);
}

/** What this number of paid keys leaves in the record. An entry is the MD5 of a text, in Base64. */
function entriesOfOthers(keys: number): string[] {
	return Array.from({ length: ENTRIES * keys }, () => randomBytes(16).toString('base64'));
}

/** Replaces what n8n remembers for the workflow. */
function setRecord(stack: Stack, payer: Payer, data: string[]): void {
	const update = (database: DatabaseSync) =>
		database
			.prepare("UPDATE processed_data SET value = ? WHERE workflowId = ? AND context = ''")
			.run(JSON.stringify({ mode: 'entries', data }), payer.workflow.id);
	withDatabase(stack, update, false);
}

function recordOf(stack: Stack, payer: Payer): string[] {
	const sql = "SELECT value FROM processed_data WHERE workflowId = ? AND context = ''";
	const [row] = queryDatabase(stack, sql, payer.workflow.id);
	return (JSON.parse(String(row?.value)) as { data: string[] }).data;
}
