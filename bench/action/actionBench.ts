/** Items per second of our node, compared with n8n's own nodes in the same n8n, calling the same sandbox. */
import type { Bench, Options, Report } from '../results.ts';
import { entryOf } from '../shared/lists.ts';
import { median, measureRounds } from '../shared/statistics.ts';
import { withTemporaryN8n } from '../shared/temporaryN8n.ts';
import type { TemporaryN8n } from '../shared/temporaryN8n.ts';
import { CALLS, OURS } from './calls.ts';
import type { Call, Contender } from './calls.ts';
import { COPIES, startActionRunner } from './actionRunner.ts';

export interface Size {
	/** How many items go in, for each group of figures. */
	items: Record<Call['kind'], number[]>;
	rounds: number;
	/** Whether each workflow is executed once before: its first execution runs code that is not compiled yet. */
	warmUp: boolean;
}

const FULL: Size = { items: { read: [1, 100, 1000], money: [1, 10, 100] }, rounds: 4, warmUp: true };
export const SHORT: Size = { items: { read: [1, 20], money: [1, 20] }, rounds: 1, warmUp: false };

const title = 'Action';
const how = `Items per second through our node, through a [null node](null-nodes/NullNode.node.js), through n8n's HTTP Request, and through a Code
node that signs with HTTP Request after it, in published workflows of one n8n, on the same routes of one sandbox in another process, which
checks every signature. The null node is declarative, has one operation and does nothing else. Time is
what n8n notes for the nodes; a single item goes through ${COPIES} nodes one after another, because n8n notes whole milliseconds. HTTP Request
and the null node have Header Auth and two fixed headers with a signature made beforehand, so they sign nothing and the sandbox has the same
work. The reads of HTTP Request have the default options, which start all items at once. The contenders take turns, in changing order, for
${FULL.rounds} rounds; figures are medians, ratios are the median of the ratios of each round.`;

const WHY = `What explains a miss: n8n 2.41.1 evaluates each expression in an isolate. For a declarative node its RoutingNode evaluates, for each
item, what the user has set for every property of the description, including properties that are not shown, and does all of it a second time to
find the base URL (\`resolveBaseUrl\`). HTTP Request evaluates each of its own once. So a read with one expression takes three evaluations, and
a declarative node cannot avoid RoutingNode's two. Payouts do not run through RoutingNode, so each of their three expressions is evaluated once;
HTTP Request has one expression for its body. In a profile of n8n's main thread with 1,000 reads, an evaluation took 1.1 ms of about 6 ms for an item;
evaluations were 83 % of RoutingNode's time, our package was 3 % of all. With 100 payouts, evaluations were 95 % of the time before the first
request, 3.8 ms for an item.

HTTP Request with batch size 1 does not send one at a time: it does not wait for answers. Of 10 items it had 10 requests under way at once, with
an interval of 0 and of 1 ms; our payouts had one. Loop Over Items around it does wait, so it is measured too.`;

async function run(report: Report, { short }: Options): Promise<void> {
	await withTemporaryN8n((host) => measure(host, report, short ? SHORT : FULL));
}

export const actionBench: Bench = { title, how, run };

/** Throws if an item does not come out as it should. */
export async function measure(host: TemporaryN8n, report: Report, size: Size): Promise<void> {
	const runner = await startActionRunner(host);
	try {
		for (const call of CALLS) {
			for (const items of size.items[call.kind]) {
				report.group(`${call.name}: ${items} ${items === 1 ? 'item' : 'items'}`);
				if (size.warmUp)
					for (const contender of call.contenders) await runner.measure(call, contender, items);
				const measureOne = (contender: Contender) => runner.measure(call, contender, items);
				const rounds = await measureRounds(call.contenders, size.rounds, measureOne);
				reportRounds(report, call, items, rounds);
			}
		}
		if (report.misses.length > 0) report.note(WHY);
	} finally {
		await runner.stop();
	}
}

function reportRounds(
	report: Report,
	{ contenders, targets }: Call,
	items: number,
	rounds: Array<Record<string, number>>,
): void {
	for (const contender of contenders) {
		const rate = median(rounds.map((rates) => entryOf(rates, contender)));
		report.row({ what: contender, figure: `${rate.toFixed(0)} items/s` });
	}
	for (const { contender, to, least } of targets) {
		const ratio = median(rounds.map((rates) => entryOf(rates, contender) / entryOf(rates, to)));
		const target = least?.[items];
		report.row({
			what: `${contender === OURS ? 'ours' : contender} to ${to === OURS ? 'ours' : to}`,
			figure: ratio.toFixed(3),
			...(target !== undefined && { target: `>= ${target}`, met: ratio >= target }),
		});
	}
}
