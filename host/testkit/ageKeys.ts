/** Makes payments old, because a person may decide about one only when its request is over for sure. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { N8n } from '../n8n/process.ts';
import type { Queue } from '../n8n/queue.ts';
import type { Stack } from '../stack.ts';
import { queryDatabase, withDatabase } from './database.ts';

/** The rows that say when payments began: `begun` of paymentKeys.ts, in n8n's table of processed items. */
const BEGUN = 'n:wallet-service begun ';
const ROWS = `SELECT "workflowId", context FROM processed_data WHERE context LIKE '${BEGUN}%'`;
/** The times in their names are numbers of half minutes. */
const HALF_MINUTE = 30_000;
/** After so many half minutes a row is old. Some have a time that comes. */
const UNTIL_OLD = 12;
const AHEAD = 4;
const TEN_MINUTES = 20;

interface Row {
	workflowId: string;
	context: string;
}

/** What a key stands for, as NAMED_ROWS writes it down. */
type Payment = [key: string, digest: string];

/** As if every payment so far had begun ten minutes before: its row stays, under the name of that time. `queue`: in queue mode. */
export async function ageKeys(
	stack: Pick<Stack, 'n8n'>,
	queue?: Pick<Queue, 'database' | 'mains' | 'workers'>,
): Promise<void> {
	const processes = queue === undefined ? [stack.n8n] : [...queue.mains, ...queue.workers];
	const found = queue === undefined ? queryDatabase(stack, ROWS) : await queue.database.query(ROWS);
	const changes = renamed(found as unknown as Row[], processes.flatMap(paymentsOf))
		.map(([{ workflowId, context }, name]) => {
			const where = `"workflowId" = '${workflowId}' AND context = '${context}'`;
			return `UPDATE processed_data SET context = '${name}' WHERE ${where};`;
		})
		.join('\n');
	if (queue === undefined) withDatabase(stack, (database) => database.exec(changes));
	else await queue.database.execute(changes);
}

function paymentsOf({ options }: N8n): Payment[] {
	const file = join(options.userFolder, 'payments.jsonl');
	if (!existsSync(file)) return [];
	const lines = readFileSync(file, 'utf8').trim().split('\n');
	return lines.map((line) => JSON.parse(line) as Payment);
}

/** The young rows, each with the name of ten minutes before, or a little more if another row has this name. */
function renamed(rows: Row[], payments: Payment[]): Array<[Row, string]> {
	if (rows.length > 0 && payments.length === 0) throw new Error('n8n was started without NAMED_ROWS');
	const begun = youngNames(payments);
	const taken = new Set(rows.map(({ workflowId, context }) => workflowId + context));
	return rows.flatMap((row) => {
		const { payment, time } = begun.get(row.context) ?? {};
		if (payment === undefined || time === undefined) return [];
		let older = time - TEN_MINUTES;
		while (taken.has(row.workflowId + nameOf(payment, older))) older -= 1;
		const name = nameOf(payment, older);
		taken.add(row.workflowId + name);
		return [[row, name] as [Row, string]];
	});
}

function youngNames(payments: Payment[]): Map<string, { payment: Payment; time: number }> {
	const newest = Math.floor(Date.now() / HALF_MINUTE) + AHEAD;
	const times = Array.from({ length: UNTIL_OLD + AHEAD }, (_, index) => newest - index);
	return new Map(
		payments.flatMap((payment) => times.map((time) => [nameOf(payment, time), { payment, time }])),
	);
}

function nameOf(payment: Payment, time: number): string {
	const about = JSON.stringify([...payment, String(time)]);
	return BEGUN + createHash('sha256').update(about).digest('base64url');
}
