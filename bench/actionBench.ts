/** Items per second of our node, compared with n8n's own nodes in the same n8n, calling the same sandbox. */
import { request } from 'undici';
import { itemsOf } from '../host/n8n/client.ts';
import { control } from '../host/sandboxClient.ts';
import { kill, start } from '../host/sandboxProgram.ts';
import type { Bench, Options, Report } from './results.ts';
import { allSucceeded, newestExecution, sqliteOf } from './shared/executions.ts';
import { elementAt, entryOf } from './shared/lists.ts';
import { median, measureRounds } from './shared/statistics.ts';
import { withTemporaryN8n } from './shared/temporaryN8n.ts';
import type { TemporaryN8n } from './shared/temporaryN8n.ts';
import { CALLS, ITEM, OURS, publishRun } from './actionWorkflows.ts';
import type { Call, Contender, PublishedRun } from './actionWorkflows.ts';

export interface Size {
	/** How many items go in, for each column. */
	items: Record<Call['kind'], number[]>;
	rounds: number;
	/** Whether each workflow is executed once before: its first execution runs code that is not compiled yet. */
	warmUp: boolean;
}

const FULL: Size = { items: { read: [1, 100, 1000], money: [1, 10, 100] }, rounds: 4, warmUp: true };
export const SHORT: Size = { items: { read: [1, 20], money: [1, 20] }, rounds: 1, warmUp: false };

/** n8n notes whole milliseconds, so a single item goes through this many nodes of the same kind, one after another. */
const COPIES = 25;

const title = 'Action';
const how = `Items per second through our node, through a [null node](null-nodes/NullNode.node.js), through n8n's HTTP Request, and through a Code
node that signs with HTTP Request after it. All are in published workflows of one n8n and call the same routes of one sandbox in another process, which
checks every signature. The null node is declarative, has one operation and does nothing else. HTTP Request and the null node have Header Auth and two
fixed headers with a signature made beforehand, so they sign nothing and the sandbox has the same work. Time is what n8n notes for the nodes. A single
item goes through ${COPIES} nodes one after another, because n8n notes whole milliseconds. The contenders take turns, in changing order, for ${FULL.rounds} rounds. Figures
are medians. Ratios are the median of the ratios of each round.

The reads of HTTP Request start all items at once, as by default. With batch size 1, HTTP Request does not wait for answers: of 10 payouts it had 10
requests under way at once, ours had one. Loop Over Items around it does wait, so the target for payouts is to that.`;

const WHY = `What explains a miss: n8n 2.41.1 evaluates each expression in an isolate. Each of our payouts has three expressions. HTTP Request has one, for its
body. With 100 payouts, evaluations were 95 % of the time before the first request, 3.8 ms for an item. For a declarative node, n8n evaluates what the user
has set for every property twice, the second time to find the base URL (\`resolveBaseUrl\`). In a profile of n8n's main thread with 1,000 reads, an
evaluation took 1.1 ms of about 6 ms for an item, and our package was 3 % of all.`;

async function run(report: Report, { short }: Options): Promise<void> {
	await withTemporaryN8n((host) => measure(host, report, short ? SHORT : FULL));
}

export const actionBench: Bench = { title, how, run };

type Rates = Record<Contender, number>;

/** Throws if an item does not come out as it should. */
export async function measure(host: TemporaryN8n, report: Report, size: Size): Promise<void> {
	// A payout that settles later would be work in another round.
	const { child, sandbox } = await start('--settle-after', 'never');
	try {
		for (const call of CALLS) {
			const contenders: Contender[] = [OURS, ...call.others];
			const columns: Rates[][] = [];
			for (const items of size.items[call.kind]) {
				const copies = items === 1 ? COPIES : 1;
				const runs: Record<string, PublishedRun> = {};
				for (const contender of contenders)
					runs[contender] = await publishRun(host.client, sandbox, call, contender, copies);
				const rate = async (contender: Contender) => {
					await control(sandbox, 'POST reset');
					return (items * copies * 1000) / (await nodeTime(host, entryOf(runs, contender), items));
				};
				if (size.warmUp) for (const contender of contenders) await rate(contender);
				columns.push(await measureRounds(contenders, size.rounds, rate));
			}
			reportCall(report, call, size.items[call.kind], columns);
		}
		report.note(WHY);
	} finally {
		await kill(child, 'SIGKILL');
	}
}

/** `columns`: the rounds of each number of items. */
function reportCall(
	report: Report,
	{ name, others, least }: Call,
	items: number[],
	columns: Rates[][],
): void {
	report.table(
		name,
		items.map((count) => (count === 1 ? '1 item' : `${count} items`)),
	);
	const medians = (figure: (rates: Rates) => number) => columns.map((rounds) => median(rounds.map(figure)));
	for (const contender of [OURS, ...others] as const) {
		const rates = medians((round) => round[contender]);
		report.row(`items/s, ${contender}`, rates, 0);
	}
	others.forEach((other, index) => {
		const ratios = medians((rates) => rates[OURS] / rates[other]);
		const isMet = (ratio: number, column: number) => ratio >= elementAt(least, column);
		const target = index === 0 ? { words: `>= ${least.join(', ')}`, isMet } : undefined;
		report.row(`items/s, ours to ${other}`, ratios, 3, target);
	});
}

/** Executes a workflow once. Returns the milliseconds that the nodes of its branches took together. */
async function nodeTime(
	host: TemporaryN8n,
	{ workflow, path, branches }: PublishedRun,
	items: number,
): Promise<number> {
	const database = sqliteOf(host);
	const since = await newestExecution(database);
	const { statusCode, body } = await request(`${host.n8n.url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ items }),
	});
	const text = await body.text();
	if (statusCode !== 200) throw new Error(`${workflow.name}: ${statusCode} ${text}`);
	await allSucceeded(database, workflow.id, since, 1);
	const execution = await host.client.ended(String(await newestExecution(database)));
	for (const branch of branches) {
		const results = itemsOf(execution, elementAt(branch, branch.length - 1));
		const good = results.filter(({ currency, error }) => currency === ITEM.currency && error === undefined);
		if (good.length !== items || results.length !== items)
			throw new Error(`${workflow.name}: ${good.length} of ${items} items came out correctly`);
	}
	const runs = branches.flat().flatMap((name) => entryOf(execution.data.resultData.runData, name));
	const milliseconds = runs.reduce((sum, { executionTime }) => sum + executionTime, 0);
	// n8n's clock may be too coarse for a short run. The rate stays finite.
	return Math.max(1, milliseconds);
}
