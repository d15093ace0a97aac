/** Measures what a Payment Key costs on n8n with SQLite. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Stack } from '../../host/stack.ts';
import { until } from '../../host/n8nClient.ts';
import { elementAt } from '../shared/lists.ts';
import { median } from '../shared/statistics.ts';
import { makePayments, wordOf } from './paymentComparison.ts';
import { BY_KEY, pay, PAY_OUT, publishPayer } from './payer.ts';
import type { Payer } from './payer.ts';

export interface KeyCost {
	what: string;
	/** Milliseconds of the node for an execution with one payout; the median. */
	single: number;
	/** Milliseconds of the node for each payout of an execution with a list; the median. */
	batch: number;
}

const REMEMBERED = [1, 1000, 10_000];
/** Payouts in a list. */
export const BATCH = 20;
/** Executions that are measured of each kind. */
export const EXECUTIONS = { full: 15, short: 3 };
/** How many entries one key leaves in n8n's record once its payment is accepted. */
const ENTRIES = 2;

/** Without a key first, then with more and more keys remembered. */
export async function measureKeyCost(stack: Stack, executions: number): Promise<KeyCost[]> {
	const without = await publishPayer(stack, 'Without key', {
		parameters: { ...BY_KEY, paymentKey: '' },
	});
	const costs = [await costOf(stack, without, 'without a key', executions)];
	for (const count of REMEMBERED) {
		const payer = await publishPayer(stack, `With ${count} keys`);
		await pay(stack.n8n, payer, makePayments(1));
		if (entriesOf(stack, payer).length !== ENTRIES)
			throw new Error(`A key does not leave ${ENTRIES} entries`);
		const keys = `${count.toLocaleString('en')} ${count === 1 ? 'key' : 'keys'}`;
		costs.push(await costOf(stack, payer, `with a key, ${keys} remembered`, executions, count));
	}
	return costs;
}

/** `remembered`: how many keys n8n remembers before each execution. */
async function costOf(
	stack: Stack,
	payer: Payer,
	what: string,
	executions: number,
	remembered = 0,
): Promise<KeyCost> {
	const figures = { single: [] as number[], batch: [] as number[] };
	// The first execution of each size warms up.
	for (let number = 0; number <= executions; number += 1) {
		for (const [size, list] of [
			[1, figures.single],
			[BATCH, figures.batch],
		] as const) {
			if (remembered > 0) remember(stack, payer, remembered);
			const milliseconds = await timeOf(stack, payer, size);
			if (number > 0) list.push(milliseconds / size);
		}
	}
	return { what, single: median(figures.single), batch: median(figures.batch) };
}

/** Milliseconds that the node takes for this many new payments. Throws if one of them is not made. */
async function timeOf(stack: Stack, payer: Payer, payments: number): Promise<number> {
	const items = await pay(stack.n8n, payer, makePayments(payments));
	const unpaid = items.find((item) => wordOf(item) !== 'paid');
	if (unpaid !== undefined) throw new Error(`A payment was not made: ${JSON.stringify(unpaid)}`);
	const newest = await until('the execution to be stored', async () => {
		const path = `/api/v1/executions?workflowId=${payer.workflow.id}&includeData=true&limit=1`;
		const { data } = (await stack.client.call('GET', path)) as {
			data: Awaited<ReturnType<typeof stack.client.executions>>;
		};
		const [execution] = data;
		return execution?.status === 'success' ? execution : undefined;
	});
	return elementAt(newest.data.resultData.runData[PAY_OUT] ?? [], 0).executionTime;
}

/** Replaces what n8n remembers for the workflow by as many entries as this number of other keys leaves. */
function remember(stack: Stack, payer: Payer, count: number): void {
	// An entry is the MD5 of a text, in Base64.
	const data = Array.from({ length: ENTRIES * count }, () => randomBytes(16).toString('base64'));
	withRecord(stack, (database) =>
		database
			.prepare("UPDATE processed_data SET value = ? WHERE workflowId = ? AND context = ''")
			.run(JSON.stringify({ mode: 'entries', data }), payer.workflow.id),
	);
}

function entriesOf(stack: Stack, payer: Payer): string[] {
	return withRecord(stack, (database) => {
		const row = database
			.prepare("SELECT value FROM processed_data WHERE workflowId = ? AND context = ''")
			.get(payer.workflow.id);
		return (JSON.parse(String(row?.value)) as { data: string[] }).data;
	});
}

function withRecord<T>({ n8n }: Stack, work: (database: DatabaseSync) => T): T {
	const database = new DatabaseSync(join(n8n.userFolder, '.n8n/database.sqlite'));
	try {
		database.exec('PRAGMA busy_timeout = 5000');
		return work(database);
	} finally {
		database.close();
	}
}
