/** Deliveries per second of our trigger, compared with a trigger that does nothing and with n8n's own, in the same n8n. */
import type { Bench, Options, Report } from '../results.ts';
import type { Load } from '../shared/deliverySender.ts';
import { entryOf } from '../shared/lists.ts';
import { median, measureRounds } from '../shared/statistics.ts';
import { LAZY_EXPRESSION_ENGINE, withTemporaryN8n } from '../shared/temporaryN8n.ts';
import type { TemporaryN8n } from '../shared/temporaryN8n.ts';
import { BODY_BYTES, CONTENDERS, NULL, OURS } from './contenders.ts';
import { startRunner } from './triggerRunner.ts';
import type { Figures } from './triggerRunner.ts';

export interface Size {
	clients: number[];
	/** For each number of clients; the contenders take turns within a round. */
	rounds: number;
	milliseconds: number;
	/** For each contender before the first round. */
	warmUpMs: number;
	/** The smallest acceptable ratio of our deliveries to those of the null trigger. */
	least: number;
	/** Words for the headings, after the load. */
	under?: string;
}

const FULL: Size = { clients: [1, 8, 32, 64], rounds: 3, milliseconds: 10_000, warmUpMs: 1000, least: 0.97 };
export const SHORT: Size = { clients: [8], rounds: 2, milliseconds: 500, warmUpMs: 100, least: 0.97 };

/** The same where n8n makes an engine only when one is needed: what is left of n8n is less. */
const ON_DEMAND = 0.88;

const title = 'Trigger';
const how = `Deliveries of ${BODY_BYTES} bytes, each with its own id, to published workflows of one n8n (SQLite, executions saved as by
default): our trigger (HMAC, duplicates, normalizing, with \`raw\`); a [null trigger](null-nodes/NullTrigger.node.js), which hands the
body on and does nothing else, so no node of a community package can be faster; the same with a credential,
which it does not read but n8n looks up for each execution; n8n's Webhook node, which checks nothing and gets the same bytes;
n8n's Slack Trigger with a signature secret; and the Webhook node again with a credential and an expression among its parameters, as a
control. A No Operation node follows each. The sender is another process. For rates, its clients wait for each
answer. For times to the answer, each delivery goes out at its time, as a service sends it, at half the lowest rate. There are
${FULL.rounds} rounds of ${FULL.milliseconds / 1000} s for each load, in changing order; a round begins when all executions of the previous one have ended.
Figures are medians of the rounds; ratios are the median of the ratios of each round. "Executions" are counted until the last one has ended,
"deliveries" until the last 200.`;

const WHY = `Why the Webhook node is ahead: n8n 2.41.1 makes a fresh isolate of its expression engine (\`isolated-vm\`) for each execution, another one
for the webhook phase of every trigger except its own Webhook node with static parameters (\`webhookPhaseNeedsIsolate\`), and another one
for each credential that is read in that phase. Counted in n8n, per delivery: Webhook 1, Slack Trigger 3, the control 3, our trigger 2, and 3 when it
reads its credential, which it does once in five seconds. An isolate costs more than everything else in a delivery, part of it in other threads. In profiles of n8n's
main thread (8 clients), isolates took 15 % of the time with our trigger and 9 % with the Webhook node, the database 40 and 55 %, our package 3 %. The
control is the same Webhook node without that shortcut; it also evaluates the expressions of its own description.

What the null trigger does not do, measured with variants of both (8 clients, with the setting below, which makes an engine only when
one is needed; processor time of a delivery to that of the null trigger; medians of 6 to 8 rounds, which differ by up to 0.05): the null trigger with our parameters, our
outputs by expression and an \`execute\` step 1.02 to 1.07; ours with Verification "None" and without Ignore Duplicates 1.02 to 1.04, so all other
work, normalizing included, is within the noise; with verification 1.11 to 1.15, each round of 3 s with a whole reading of the credential. Duplicates cost a read and a write of
n8n's record when an execution begins: 0.35 ms of processor time with its 2,000 entries, 0.7 ms with twice as many. Verification costs the
HMAC, and one engine every five seconds to decrypt the credential.

Before and after: when deliveries that came in together each read the credential, the ratio to the null trigger was 0.74 with 32 clients and 0.70 with 64.`;

async function run(report: Report, { short }: Options): Promise<void> {
	const size = short ? SHORT : FULL;
	await withTemporaryN8n((host) => measure(host, report, size));
	report.note(WHY);
	const under = `with ${Object.entries(LAZY_EXPRESSION_ENGINE).flat().join('=')}`;
	await withTemporaryN8n(
		(host) => measure(host, report, { ...size, least: ON_DEMAND, under }),
		LAZY_EXPRESSION_ENGINE,
	);
}

export const triggerBench: Bench = { title, how, run };

/** Returns the number of deliveries. Throws if n8n did not execute each of them once. */
export async function measure(host: TemporaryN8n, report: Report, size: Size): Promise<number> {
	const runner = await startRunner(host);
	const roundsOf = (load: Load) =>
		measureRounds(CONTENDERS, size.rounds, (name) => runner.measure(name, load, size.milliseconds));
	const under = size.under === undefined ? '' : ` ${size.under}`;
	const all: Rounds = [];
	try {
		for (const name of CONTENDERS)
			await runner.measure(name, { clients: Math.max(...size.clients) }, size.warmUpMs);
		for (const clients of size.clients) {
			const rounds = await roundsOf({ clients });
			all.push(...rounds);
			report.group(`${clients === 1 ? '1 client' : `${clients} clients`}${under}`);
			reportRates(report, rounds, size.least);
		}
		const slowest = Math.min(...all.flatMap(Object.values<Figures>).map(({ deliveries }) => deliveries));
		const perSecond = Math.max(1, Math.floor(slowest / 2));
		const rounds = await roundsOf({ perSecond });
		report.group(
			`${perSecond} ${perSecond === 1 ? 'delivery' : 'deliveries'} a second, each at its time${under}`,
		);
		reportTimes(report, rounds);
	} finally {
		runner.stop();
	}
	return runner.deliveries();
}

type Rounds = Array<Record<string, Figures>>;

const medianOf = (rounds: Rounds, name: string, figure: keyof Figures) =>
	median(rounds.map((round) => entryOf(round, name)[figure]));

function reportTimes(report: Report, rounds: Rounds): void {
	for (const name of CONTENDERS) {
		const [p50, p90] = (['p50', 'p90'] as const).map((figure) => medianOf(rounds, name, figure).toFixed(0));
		report.row({ what: name, figure: `half of the answers within ${p50} ms, nine of ten within ${p90} ms` });
	}
}

/** `least`: the smallest acceptable ratio of deliveries. */
function reportRates(report: Report, rounds: Rounds, least: number): void {
	const figureOf = (name: string, figure: keyof Figures) => medianOf(rounds, name, figure);
	const ratio = (other: string, figure: keyof Figures) =>
		median(rounds.map((round) => entryOf(round, OURS)[figure] / entryOf(round, other)[figure]));
	for (const name of CONTENDERS) {
		const processor = figureOf(name, 'processor');
		const parts = [
			`${figureOf(name, 'deliveries').toFixed(0)} deliveries/s`,
			`${figureOf(name, 'executions').toFixed(0)} executions/s`,
			...(Number.isNaN(processor) ? [] : [`${processor.toFixed(2)} ms of processor time each`]),
		];
		report.row({ what: name, figure: parts.join('; ') });
	}
	for (const other of CONTENDERS.filter((name) => name !== OURS)) {
		const [deliveries, processor] = [ratio(other, 'deliveries'), ratio(other, 'processor')];
		const isFloor = other === NULL;
		report.row({
			what: `deliveries/s, ours to ${other}`,
			figure: deliveries.toFixed(3),
			...(isFloor && { target: `>= ${least}`, met: deliveries >= least }),
		});
		report.row({ what: `executions/s, ours to ${other}`, figure: ratio(other, 'executions').toFixed(3) });
		if (!Number.isNaN(processor))
			report.row({
				what: `processor time, ours to ${other}`,
				figure: processor.toFixed(3),
				...(isFloor && { target: '<= 1.03', met: processor <= 1.03 }),
			});
	}
}
