/** Items per second of our node, compared with n8n's own nodes in the same n8n, calling the same sandbox. */
import { request } from 'undici';
import { itemsOf } from '../../host/n8nClient.ts';
import { control } from '../../host/sandboxClient.ts';
import { kill, start } from '../../host/sandboxProgram.ts';
import type { Bench, Options, Report } from '../results.ts';
import { allSucceeded, newestExecution } from '../shared/executions.ts';
import { elementAt, entryOf } from '../shared/lists.ts';
import { median, orderOfRound } from '../shared/statistics.ts';
import { withTemporaryN8n } from '../shared/temporaryN8n.ts';
import type { TemporaryN8n } from '../shared/temporaryN8n.ts';
import { nodeMaker } from '../shared/workflows.ts';
import { CALLS, HTTP, ITEM, OURS } from './calls.ts';
import type { Call, Side } from './calls.ts';
import { publishRun } from './workflows.ts';
import type { PublishedRun, Run } from './workflows.ts';

export interface Size {
	/** How many items go in, for each group of figures. */
	items: number[];
	rounds: number;
	/** Whether each workflow is executed once before: its first execution runs code that is not compiled yet. */
	warmUp: boolean;
}

const FULL: Size = { items: [1, 100, 1000], rounds: 6, warmUp: true };
export const SHORT: Size = { items: [1, 20], rounds: 1, warmUp: false };

/** n8n notes whole milliseconds, so a single item goes through this many nodes of the same kind, one after another. */
const COPIES = 25;

/** Signatures made beforehand are renewed after this time; the sandbox accepts them for five minutes. */
const SIGNATURE_LIFE_MS = 100_000;

const title = 'Action';
const how = `Items per second through our node, through n8n's HTTP Request, and through a Code node that signs with HTTP Request after it, in
published workflows of one n8n, on the same routes of one sandbox in another process, which checks every signature. Time is what
n8n notes for the nodes; a single item goes through ${COPIES} nodes one after another, because n8n notes whole milliseconds. HTTP Request has
Header Auth and two fixed headers with a signature made beforehand, so it signs nothing and the sandbox has the same work. Its
reads have the default options, which start all items at once. The sides take turns, in changing order, for ${FULL.rounds} rounds; figures are medians,
ratios are the median of the ratios of each round.`;

const WHY = `What explains a miss: n8n 2.41.1 evaluates each expression in an isolate. For a declarative node its RoutingNode evaluates, for each
item, what the user has set for every property of the description, including properties that are not shown, and does all of it a second time to
find the base URL (\`resolveBaseUrl\`). HTTP Request evaluates each of its own once. Money calls evaluate theirs once more, because all
items are checked before the first is sent. So a read with one expression takes three evaluations, a payout with three takes nine.

Before and after: with a property of the same name for each resource, the base URL as an expression, and the run looked up for each item,
they were 9 and 20, and the ratios for 100 items 0.6 (reads), 0.37 (payouts) and 0.5 to 0.6 (payouts, to the loop).

HTTP Request with batch size 1 does not send one at a time: it does not wait for answers. Of 10 items it had 10 requests under way at once, with
an interval of 0 and of 1 ms; our payouts had one. Loop Over Items around it does wait, so it is measured too.`;

async function run(report: Report, { short }: Options): Promise<void> {
	await withTemporaryN8n((host) => measure(host, report, short ? SHORT : FULL));
}

export const actionBench: Bench = { title, how, run };

/** Throws if an item does not come out as it should. */
export async function measure(host: TemporaryN8n, report: Report, size: Size): Promise<void> {
	// A payout that settles later would be work in another round.
	const { child, sandbox } = await start('--settle-after', 'never');
	try {
		const around = { client: host.client, node: await nodeMaker(host.client), sandbox };
		const published = new Map<string, PublishedRun>();
		const publishedWithFreshSignature = async (run: Run): Promise<PublishedRun> => {
			const name = `${run.call.path} ${run.side} ${run.copies}`;
			const known = published.get(name);
			if (known !== undefined && Date.now() - known.at < SIGNATURE_LIFE_MS) return known;
			const made = await publishRun(around, name, run);
			published.set(name, made);
			return made;
		};
		for (const call of CALLS) {
			for (const items of size.items) {
				const copies = items === 1 ? COPIES : 1;
				report.group(`${call.name}: ${items} ${items === 1 ? 'item' : 'items'}`);
				/** Items per second. */
				const play = async (side: Side): Promise<number> => {
					await control(sandbox, 'POST reset');
					const run = await publishedWithFreshSignature({ call, side, copies });
					return (items * copies * 1000) / (await nodeTime(host, run, items));
				};
				if (size.warmUp) for (const side of call.sides) await play(side);
				const rounds: Array<Record<string, number>> = [];
				for (let round = 0; round < size.rounds; round++) {
					const rates: Record<string, number> = {};
					for (const side of orderOfRound(call.sides, round)) rates[side] = await play(side);
					rounds.push(rates);
				}
				reportRounds(report, call, rounds);
			}
		}
		if (report.misses.length > 0) report.note(WHY);
	} finally {
		await kill(child, 'SIGKILL');
	}
}

function reportRounds(report: Report, { sides, target }: Call, rounds: Array<Record<string, number>>): void {
	for (const side of sides) {
		const rate = median(rounds.map((rates) => entryOf(rates, side)));
		report.row({ what: side, figure: `${rate.toFixed(0)} items/s` });
	}
	for (const other of sides.filter((side) => side !== OURS)) {
		const ratio = median(rounds.map((rates) => entryOf(rates, OURS) / entryOf(rates, other)));
		report.row({
			what: `ours to ${other}`,
			figure: ratio.toFixed(3),
			...(other === HTTP && { target: `>= ${target}`, met: ratio >= target }),
		});
	}
}

/** Executes a workflow once. Gives the milliseconds that the nodes of its branches took together. */
async function nodeTime(
	host: TemporaryN8n,
	{ workflow, path, branches }: PublishedRun,
	items: number,
): Promise<number> {
	const since = newestExecution(host);
	const { statusCode, body } = await request(`${host.n8n.url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ items }),
	});
	const text = await body.text();
	if (statusCode !== 200) throw new Error(`${workflow.name}: ${statusCode} ${text}`);
	await allSucceeded(host, workflow.id, since, 1);
	const execution = await host.client.ended(String(newestExecution(host)));
	for (const branch of branches) {
		const results = itemsOf(execution, elementAt(branch, branch.length - 1));
		const good = results.filter(({ currency, error }) => currency === ITEM.currency && error === undefined);
		if (good.length !== items || results.length !== items)
			throw new Error(`${workflow.name}: ${good.length} of ${items} items came out correctly`);
	}
	const runs = branches.flat().flatMap((name) => entryOf(execution.data.resultData.runData, name));
	// n8n's clock may be too coarse for a short run; the rate stays finite.
	return Math.max(
		1,
		runs.reduce((sum, { executionTime }) => sum + executionTime, 0),
	);
}
