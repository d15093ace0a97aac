/** How large n8n's database becomes in a week in which each hour's alerts and each morning's balances read a book of 50,000 rows. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Stack } from '../../host/stack.ts';
import { startTemporaryStack } from '../../host/stack.ts';
import { until } from '../../host/n8n/client.ts';
import { fillBook } from '../../host/testkit/book.ts';
import { countUnderWay, queryDatabase, withDatabase } from '../../host/testkit/database.ts';
import { publishCopy, withParameters } from '../../host/testkit/workflows.ts';
import { reportFigures, type Figures, type Soak } from '../shared/figures.ts';

const WEEK = { 'alerts-each-hour': 7 * 24, 'reconcile-each-morning': 7 };
type Example = keyof typeof WEEK;

/** More is a sign that executions are stored: each of them holds the book. */
const MOST_MB = 20;

/** `short`: a tenth of the rows, and few runs. A week is then what a run adds, times its runs. */
export const booksSize: Soak = async ({ short }) => {
	const stack = await startTemporaryStack({ examples: Object.keys(WEEK) });
	try {
		const before = sizeOf(stack);
		const rows = short ? 5_000 : 50_000;
		fillBook(
			stack,
			Array.from({ length: rows }, (_, place) => rowOf(place, rows)),
		);
		const filled = sizeOf(stack);
		const figures: Record<string, number> = { rows, 'MB of the rows': filled - before };
		let week = 0;
		for (const example of Object.keys(WEEK) as Example[]) {
			const runs = short ? 3 : example === 'alerts-each-hour' ? 24 : 7;
			const [start, began] = [sizeOf(stack), Date.now()];
			await runOften(stack, example, runs);
			const added = sizeOf(stack) - start;
			figures[`${example}: runs`] = runs;
			figures[`${example}: seconds for one`] = (Date.now() - began) / 1000 / runs;
			figures[`${example}: MB of all`] = added;
			week += (added / runs) * WEEK[example];
		}
		const all: Figures = { [TOO_LARGE]: Number(week > MOST_MB) };
		for (const [name, figure] of Object.entries({ ...figures, 'MB of a week': week }))
			all[name] = Math.round(figure * 100) / 100;
		reportFigures('The database', all, [TOO_LARGE]);
	} finally {
		await stack.stop();
	}
};

const TOO_LARGE = `a week adds more than ${MOST_MB} MB`;

/** Megabytes of the file, with all that was written. */
function sizeOf(stack: Stack): number {
	withDatabase(stack, (database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
	return statSync(join(stack.n8n.options.userFolder, '.n8n/database.sqlite')).size / 1e6;
}

/** Lets a copy run by its schedule, each few seconds, because n8n stores what is run by hand. */
async function runOften(stack: Stack, example: Example, runs: number): Promise<void> {
	const started = () => {
		const [row] = queryDatabase(stack, "SELECT seq FROM sqlite_sequence WHERE name = 'execution_entity'");
		return Number(row?.seq ?? 0);
	};
	const before = started();
	const rule = { interval: [{ field: 'seconds', secondsInterval: 6 }] };
	const trigger = example === 'alerts-each-hour' ? 'Every hour' : 'Every morning';
	const copy = await publishCopy(stack, example, `${example}, often`, {
		[trigger]: withParameters({ rule }),
	});
	await until('all runs', () => started() >= before + runs, 30 * 60_000);
	await stack.client.rest('POST', `/workflows/${copy.id}/deactivate`);
	await until('the end of all executions', () => countUnderWay(stack) === 0, 30 * 60_000);
}

/** Payments with their two rows, and deposits, of the last thirty days. */
function rowOf(place: number, rows: number): Record<string, string> {
	const [pair, part] = [Math.floor(place / 3), place % 3];
	const time = new Date(Date.now() - (1 - place / rows) * 30 * 86_400_000 - 7_200_000).toISOString();
	const run = { workflow: 'aBcDeFgHiJkLmNoP pay once', execution: String(pair) };
	const money = { asset: 'NGN', amount: part === 2 ? '15000.00' : '-15000.00' };
	if (part === 2) {
		const deposit = { kind: 'deposit', reference: `dep_${place}`, status: 'successful' };
		const key = `virtual_account_credited:dep_${place}:successful:0a1b2c3d`;
		return { ...run, ...money, ...deposit, key, time, counterpart: 'Ada Obi to customer-0042' };
	}
	const payout = {
		kind: 'fiat payout',
		key: `INV-${pair}`,
		counterpart: 'supplier-main',
		approvedBy: 'Ada Obi',
	};
	const result: Record<string, string> =
		part === 0 ? { result: 'under way' } : { result: 'paid', reference: `po_${pair}`, status: 'pending' };
	return { ...run, ...money, ...payout, ...result, time };
}
