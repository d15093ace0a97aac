/** What a Payment Key costs on n8n with SQLite. */
import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '../host/http.ts';
import { until, type Execution, type Json } from '../host/n8n/client.ts';
import { startPlain, startTemporaryStack, type Stack } from '../host/stack.ts';
import { queryDatabase, withDatabase } from '../host/testkit/database.ts';
import { entryOf } from '../host/testkit/lists.ts';
import {
	BY_KEY,
	makePayments,
	pay,
	PAY_OUT,
	payInParts,
	publishPayer,
	ROUTE,
	wordOf,
	type Payer,
} from '../host/testkit/payments.ts';
import { withStack } from '../host/testkit/stacks.ts';
import { node } from '../host/testkit/workflows.ts';
import { atLeast, atMost, type Bench, type Options, type Report } from './results.ts';
import { median, measureRounds } from './statistics.ts';

/** Payments in it, and the milliseconds that the service takes to answer. */
interface List {
	length: number;
	answerMs: number;
}

interface Size {
	/** Other paid keys in n8n's table. */
	remembered: number[];
	/** Payments of a long list, and the milliseconds that a slow service takes to answer. */
	list: List;
	rounds: number;
	/** Paid keys that run again, and how often. */
	rerun: { length: number; rounds: number };
}

/** Two fields are expressions. n8n's evaluation of each can cost more than all that a paid key needs. */
const PARAMETERS: Json = { ...BY_KEY, account_alias: 'supplier-main' };
/** Evaluates the same two expressions, and does nothing else. */
const EDIT_FIELDS = 'Edit Fields';
const editFields = () =>
	node(EDIT_FIELDS, 'set', {
		assignments: {
			assignments: ['amount', 'key'].map((name) => ({
				id: name,
				name,
				type: 'string',
				value: `={{ $json.${name} }}`,
			})),
		},
		options: {},
	});

const ALONE: List = { length: 1, answerMs: 0 };
const FULL: Size = {
	remembered: [0, 100_000],
	list: { length: 20, answerMs: 200 },
	rounds: 5,
	rerun: { length: 1000, rounds: 3 },
};
const SHORT: Size = {
	remembered: [0, 1000],
	list: { length: 5, answerMs: 50 },
	rounds: 1,
	rerun: { length: 20, rounds: 1 },
};

/** Milliseconds that a key adds to a payment: of a list whose answers come at once, and alone. */
const MOST_ADDED = 10;
const MOST_ADDED_ALONE = 45;
/** The smallest acceptable rate of a list with keys, to that without, if the service answers slowly. */
const LEAST_RATE = 0.95;
/** Milliseconds of n8n answering nobody during a re-run. */
const MOST_BLOCKED = 60;
/** Seconds of a re-run. */
const MOST_FOR_RERUN = 8;

export const keyBench: Bench = {
	title: 'Payment Key',
	how: `Fiat payouts through one n8n (SQLite), beside as many other paid keys as the column says. Medians of ${FULL.rounds} rounds: what the node takes
longer for a payment than without a key. Edit Fields only evaluates a payment's two expressions.`,
	run: async (report: Report, { short }: Options) =>
		await withStack(
			() => startTemporaryStack({ start: startPlain, examples: [] }),
			async (stack) => await measure(stack, report, short ? SHORT : FULL),
		),
};

/** Throws if a payment does not come out as it should. */
async function measure(stack: Stack, report: Report, size: Size): Promise<void> {
	const payers: Record<string, Payer> = {};
	const bytes: number[] = [];
	for (const count of size.remembered) {
		const payer = await publishPayer(stack, `With ${count} keys`, { parameters: PARAMETERS });
		bytes.push(await rememberOthers(stack, payer, count));
		payers[`${count.toLocaleString('en')} remembered`] = payer;
	}
	const added = await measureLists(stack, report, payers, size);
	report.row('bytes of a key, with its index', bytes, 0);
	await measureReruns(stack, report, payers, size.rerun);
	const most = size.remembered.at(-1)!.toLocaleString('en');
	report.means(
		`a key adds ${added.inList.toFixed(0)} ms to a payment of a list, and ${added.alone.toFixed(0)} ms to one alone, with ${most} keys remembered. A million keys take ${((bytes.at(-1)! * 1e6) / 2 ** 30).toFixed(1)} GiB of the database.`,
	);
}

const WITHOUT = 'without a key';

async function measureLists(
	stack: Stack,
	report: Report,
	payers: Record<string, Payer>,
	{ list: slow, rounds }: Size,
) {
	const without = await publishPayer(stack, 'Without key', { parameters: { ...PARAMETERS, paymentKey: '' } });
	const contenders = { [WITHOUT]: without, ...payers };
	const names = Object.keys(contenders);
	const timeOf = (list: List) => (name: string) => nodeTime(stack, entryOf(contenders, name), list);
	// The first execution of each workflow runs code that is not compiled yet.
	await measureRounds(names, 1, timeOf(ALONE));
	const columns = Object.keys(payers);
	report.table('What a key adds', columns);
	/** Milliseconds that a key adds beside most others. */
	const more = { alone: NaN, inList: NaN };
	for (const list of [ALONE, { ...slow, answerMs: 0 }, slow]) {
		const times = await measureRounds(names, rounds, timeOf(list));
		/** Medians of a figure of the rounds. */
		const medians = (figure: (time: number, without: number) => number) =>
			columns.map((column) =>
				median(times.map((time) => figure(entryOf(time, column), entryOf(time, WITHOUT)))),
			);
		const [isAlone, isFast] = [list.length === 1, list.answerMs === 0];
		if (isFast) {
			const added = medians((time, without) => time - without);
			more[isAlone ? 'alone' : 'inList'] = added.at(-1)!;
			const what = isAlone ? 'a payment alone' : `a payment of a list of ${list.length}`;
			report.row(`${what}, ms more`, added, 1, atMost(isAlone ? MOST_ADDED_ALONE : MOST_ADDED));
		} else {
			const rates = medians((time, without) => without / time);
			const what = `answers after ${list.answerMs} ms, rate to that without a key`;
			report.row(what, rates, 2, atLeast(LEAST_RATE));
		}
	}
	return more;
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
	return newest.data.resultData.runData[PAY_OUT]![0]!.executionTime / length;
}

async function measureReruns(
	stack: Stack,
	report: Report,
	payers: Record<string, Payer>,
	{ length, rounds }: Size['rerun'],
): Promise<void> {
	const payments = makePayments(length);
	for (const payer of Object.values(payers)) expectAll(await payInParts(stack.n8n, payer, payments), 'paid');
	const evaluates = await publishPayer(stack, EDIT_FIELDS, { payer: editFields() });
	/** Seconds, and the milliseconds of the longest time that n8n answered nobody. */
	const rerun = async (payer: Payer) => {
		const begun = performance.now();
		const paid = pay(stack.n8n, payer, payments).then((items) => ({ items, ended: performance.now() }));
		const blocked = await longestAnswer(`${stack.n8n.url}/healthz`, paid);
		const { items, ended } = await paid;
		if (payer !== evaluates) expectAll(items, 'alreadyPaid');
		return { seconds: (ended - begun) / 1000, blocked };
	};
	const contenders = { ...payers, [EDIT_FIELDS]: evaluates };
	const columns = Object.keys(contenders);
	const runs = await measureRounds(columns, rounds, (name) => rerun(entryOf(contenders, name)));
	const figures = (of: 'seconds' | 'blocked') =>
		columns.map((column) => runs.map((round) => entryOf(round, column)[of]));
	report.table(`${length.toLocaleString('en')} paid keys run again`, columns);
	report.row('s', figures('seconds').map(median), 1, atMost(MOST_FOR_RERUN));
	// What n8n's own node blocks is not judged.
	const longest = figures('blocked').map((each, index) =>
		columns[index] === EDIT_FIELDS ? NaN : Math.max(...each),
	);
	report.row('ms, longest silence of n8n', longest, 0, atMost(MOST_BLOCKED));
}

/** Asks a server again and again until the work has ended. Returns the milliseconds of the longest wait for an answer. */
async function longestAnswer(url: string, work: Promise<unknown>): Promise<number> {
	let isUnderWay = true;
	const ended = work.finally(() => (isUnderWay = false));
	let longest = 0;
	while (isUnderWay) {
		const asked = performance.now();
		const answer = await send(url, 'GET');
		if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
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

const KINDS = ['paid', 'sent', 'used'];

/** Puts rows of other paid keys into n8n's table, copies of those of a real one. Returns the bytes of a key. */
async function rememberOthers(stack: Stack, payer: Payer, keys: number): Promise<number> {
	const { id } = payer.workflow;
	await pay(stack.n8n, payer, makePayments(1));
	const sql = 'SELECT context, value FROM processed_data WHERE workflowId = ? ORDER BY context';
	const stored = queryDatabase(stack, sql, id);
	const rows = stored.map(({ context, value }) => [String(context), String(value)]);
	const kinds = rows.map(([context]) => /^n:wallet-service (\w+) [\w-]{43}$/.exec(context ?? '')?.[1]);
	if (kinds.join() !== KINDS.join()) throw new Error(`A paid key leaves these rows: ${rows.join()}`);
	/** The SHA-256 in the name of a row, or the MD5 of a text. */
	const withOthers = (text: string) =>
		text
			.replace(/[\w-]{43}$/, () => randomBytes(32).toString('base64url'))
			.replace(/[\w+/]{22}==/g, () => randomBytes(16).toString('base64'));
	const insert = (database: DatabaseSync) => {
		const pages = () => Number(database.prepare('PRAGMA page_count').get()?.page_count);
		const { page_size: pageSize } = database.prepare('PRAGMA page_size').get() ?? {};
		const before = pages();
		const add = database.prepare('INSERT INTO processed_data (workflowId, context, value) VALUES (?, ?, ?)');
		database.exec('BEGIN IMMEDIATE');
		for (let left = keys; left > 0; left -= 1) for (const row of rows) add.run(id, ...row.map(withOthers));
		database.exec('COMMIT');
		return ((pages() - before) * Number(pageSize)) / keys;
	};
	const bytes = withDatabase(stack, insert);
	// n8n may have closed idle connections meanwhile, which is noticed only now.
	await sleep(100);
	return bytes;
}
