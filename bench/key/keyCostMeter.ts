/** Measures what a Payment Key costs on n8n with SQLite. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Json } from '../../host/n8n/client.ts';
import type { Stack } from '../../host/stack.ts';
import { until } from '../../host/n8n/client.ts';
import { probeWhile } from './healthProbe.ts';
import { elementAt } from '../shared/lists.ts';
import { measureRounds } from '../shared/statistics.ts';
import { makePayments, wordOf } from '../shared/payments/paymentComparison.ts';
import { BY_KEY, pay, PAY_OUT, payInParts, publishPayer, ROUTE } from '../shared/payments/payer.ts';
import type { Payer } from '../shared/payments/payer.ts';

export interface List {
	/** Payments in it. */
	length: number;
	/** Milliseconds that the service takes to answer. */
	answerMs: number;
}

/** Of one execution, for each payment. */
export interface Cost {
	milliseconds: number;
	/** Bytes that n8n wrote to its files and sockets; undefined if the system does not tell (other than Linux). */
	bytes?: number;
}

/** How many entries one key leaves in n8n's record once its payment is accepted. */
const ENTRIES = 2;

export const WITHOUT = 'without a key';
/** Of a workflow that remembers this many keys before each execution. */
export const withKeys = (remembered: number) => `with a key, ${remembered.toLocaleString('en')} remembered`;

type Costs = Record<string, Cost>;

/** Measures a list: first argument the list, second the rounds. Returns the cost of each contender in each round. */
export type Meter = (list: List, rounds: number) => Promise<Costs[]>;

/** One workflow that pays without a key, and one for each number of keys that are remembered. */
export async function prepareMeter(stack: Stack, remembered: number[]): Promise<Meter> {
	const parameters = { ...BY_KEY, paymentKey: '' };
	const contenders = new Map<string, (list: List) => Promise<Cost>>();
	const without = await publishPayer(stack, 'Without key', { parameters });
	contenders.set(WITHOUT, async (list) => await costOf(stack, without, list));
	for (const count of remembered) {
		const payer = await publishPayer(stack, `With ${count} keys`);
		await pay(stack.n8n, payer, makePayments(1));
		if (recordOf(stack, payer).length !== ENTRIES) throw new Error(`A key does not leave ${ENTRIES} entries`);
		contenders.set(withKeys(count), async (list) => {
			setRecord(stack, payer, entriesOfOthers(count));
			return await costOf(stack, payer, list);
		});
	}
	// The first execution of each workflow runs code that is not compiled yet.
	for (const measure of contenders.values()) await measure({ length: 1, answerMs: 0 });
	return async (list, rounds) =>
		await measureRounds(
			[...contenders.keys()],
			rounds,
			async (contender) => await contenders.get(contender)!(list),
		);
}

/** Pays a list of new payments. Throws if one of them is not made. */
async function costOf(stack: Stack, payer: Payer, { length, answerMs }: List): Promise<Cost> {
	await stack.control('POST', '/faults', { route: ROUTE, times: length, delayMs: answerMs });
	const before = bytesWritten(stack);
	const items = await pay(stack.n8n, payer, makePayments(length));
	const after = bytesWritten(stack);
	expectAll(items, 'paid');
	const newest = await until('the execution to be stored', async () => {
		const path = `/api/v1/executions?workflowId=${payer.workflow.id}&includeData=true&limit=1`;
		const { data } = (await stack.client.call('GET', path)) as {
			data: Awaited<ReturnType<typeof stack.client.executions>>;
		};
		const [execution] = data;
		return execution?.status === 'success' ? execution : undefined;
	});
	const { executionTime } = elementAt(newest.data.resultData.runData[PAY_OUT] ?? [], 0);
	return {
		milliseconds: executionTime / length,
		...(before !== undefined && after !== undefined && { bytes: (after - before) / length }),
	};
}

export interface Rerun {
	/** From the call of the webhook to its answer. */
	milliseconds: number;
	/** Milliseconds of the longest time that n8n answered nobody. */
	blocked: number;
}

/** A list of paid keys, which can be run again. */
export interface PaidList {
	/** `remembered`: keys in the record, those of the list included. */
	rerun: (remembered: number) => Promise<Rerun>;
	/** The same items as a dry run, which asks no record: what n8n takes for itself. */
	dryRun: () => Promise<Rerun>;
}

export async function payList(stack: Stack, length: number): Promise<PaidList> {
	const payer = await publishPayer(stack, 'Paid before');
	const dry = await publishPayer(stack, 'Dry run', { parameters: { ...BY_KEY, options: { dryRun: true } } });
	const payments = makePayments(length);
	expectAll(await payInParts(stack.n8n, payer, payments), 'paid');
	const record = recordOf(stack, payer);
	const run = async (by: Payer, word: string): Promise<Rerun> => {
		const begun = performance.now();
		const { result, longest } = await probeWhile(`${stack.n8n.url}/healthz`, async () => {
			const items = await pay(stack.n8n, by, payments);
			return { items, milliseconds: performance.now() - begun };
		});
		expectAll(result.items, word);
		return { milliseconds: result.milliseconds, blocked: longest };
	};
	return {
		rerun: async (remembered) => {
			setRecord(stack, payer, [...entriesOfOthers(remembered - length), ...record]);
			return await run(payer, 'alreadyPaid');
		},
		dryRun: async () => await run(dry, 'dryRun'),
	};
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
	withDatabase(stack, (database) =>
		database
			.prepare("UPDATE processed_data SET value = ? WHERE workflowId = ? AND context = ''")
			.run(JSON.stringify({ mode: 'entries', data }), payer.workflow.id),
	);
}

function recordOf(stack: Stack, payer: Payer): string[] {
	return withDatabase(stack, (database) => {
		const row = database
			.prepare("SELECT value FROM processed_data WHERE workflowId = ? AND context = ''")
			.get(payer.workflow.id);
		return (JSON.parse(String(row?.value)) as { data: string[] }).data;
	});
}

function withDatabase<T>({ n8n }: Stack, work: (database: DatabaseSync) => T): T {
	const database = new DatabaseSync(join(n8n.options.userFolder, '.n8n/database.sqlite'));
	try {
		database.exec('PRAGMA busy_timeout = 5000');
		return work(database);
	} finally {
		database.close();
	}
}

/** Bytes that n8n has written since it started. */
function bytesWritten({ n8n }: Stack): number | undefined {
	const file = `/proc/${n8n.pid}/io`;
	if (!existsSync(file)) return undefined;
	const [, bytes] = /^wchar: (\d+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
	return bytes === undefined ? undefined : Number(bytes);
}
