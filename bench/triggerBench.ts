/** Deliveries of our trigger, compared with a trigger that does nothing and with n8n's own, in the same n8n. */
import { atLeast, atMost } from './results.ts';
import type { Bench, Options, Report } from './results.ts';
import { measureDeliveries } from './shared/deliveries.ts';
import type { Figures, Load } from './shared/deliveries.ts';
import {
	BODY_BYTES,
	checkThatItVerifies,
	CONTROL,
	FLOOR,
	OURS,
	publishReceivers,
} from './shared/receivers.ts';
import { RECEIVERS, SLACK } from './shared/receivers.ts';
import type { Name } from './shared/receivers.ts';
import { median, measureRounds } from './shared/statistics.ts';
import { LAZY_EXPRESSION_ENGINE, placeOf, withTemporaryN8n } from './shared/temporaryN8n.ts';
import type { TemporaryN8n } from './shared/temporaryN8n.ts';

export interface Size {
	clients: number[];
	/** For each load. The receivers take turns within a round. */
	rounds: number;
	milliseconds: number;
	/** For each receiver before the first round. */
	warmUpMs: number;
}

const FULL: Size = { clients: [1, 8, 32, 64], rounds: 3, milliseconds: 10_000, warmUpMs: 1000 };
export const SHORT: Size = { clients: [8], rounds: 2, milliseconds: 500, warmUpMs: 100 };

/** n8n's settings, and the smallest acceptable ratio of our deliveries to those of the floor. */
interface Settings {
	name: string;
	env: Record<string, string>;
	least: number;
}

const DEFAULT: Settings = { name: "n8n's default settings", env: {}, least: 0.97 };
/** n8n then makes an engine only if one is needed, so n8n's own part is smaller. */
export const LAZY: Settings = {
	name: Object.entries(LAZY_EXPRESSION_ENGINE).flat().join('='),
	env: LAZY_EXPRESSION_ENGINE,
	least: 0.88,
};
const MOST_PROCESSOR = 1.03;

const title = 'Trigger';
const how = `Deliveries of ${BODY_BYTES} bytes, each with its own id, to published workflows of one n8n (SQLite, executions saved as by
default): our trigger (HMAC, duplicates, normalizing, with \`raw\`); a [null trigger](null-nodes/NullTrigger.node.js), which hands the
body on and does nothing else; the same with a credential, which it does not read; n8n's Webhook node, which checks nothing and gets the
same bytes; n8n's Slack Trigger with a signature secret; and the Webhook node again with a credential and an expression among its
parameters, as a control. A No Operation node follows each. The targets are to the null trigger with a credential. n8n looks a credential up
before each execution, so no trigger with a credential can be faster.

For rates, the clients that send wait for each answer. For times to the answer, each delivery goes out at its time, as a
service sends it, at half the lowest rate. There are ${FULL.rounds} rounds of ${FULL.milliseconds / 1000} s for each load, in changing order.
A round begins when all executions of the previous one have ended. Figures are medians of the rounds. Ratios are the median of the ratios of each round.`;

const WHY = `Why the Webhook node is ahead: n8n 2.41.1 makes a fresh isolate of its expression engine (\`isolated-vm\`) for each execution. It makes one more
for the webhook of every trigger except its own Webhook node with static parameters (\`webhookPhaseNeedsIsolate\`), and one more for each
credential that the webhook reads. Isolates for a delivery, counted in n8n: Webhook 1, Slack Trigger 3, the control 3, our trigger 2, and 3 when it
reads its credential, once in five seconds. An isolate costs more than everything else in a delivery, part of it in other threads. In profiles of
n8n's main thread (8 clients), isolates took 15 % of the time with our trigger and 9 % with the Webhook node, our package 3 %.

Why processor time misses its target: our trigger verifies and looks for duplicates. Variants were measured beside the null trigger without a credential
(8 clients, ${LAZY.name}, medians of 6 to 8 rounds, which differ by up to 0.05). The null trigger with our parameters, our outputs by
expression and an \`execute\` step took 1.02 to 1.07 of its processor time. Ours without verification and without Ignore Duplicates took 1.02 to 1.04, so
all other work is within the noise. With verification it took 1.11 to 1.15, because each round of 3 s had a whole reading of the credential. Duplicates
cost a SELECT and an INSERT of a row in n8n's table of processed items when an execution begins, however many rows it has.`;

async function run(report: Report, { short }: Options): Promise<void> {
	for (const settings of [DEFAULT, LAZY])
		await withTemporaryN8n((host) => measure(host, report, short ? SHORT : FULL, settings), settings.env);
	report.note(WHY);
}

export const triggerBench: Bench = { title, how, run };

type Rounds = Array<Record<Name, Figures>>;

/** Throws if n8n did not execute each delivery once. */
export async function measure(
	host: TemporaryN8n,
	report: Report,
	size: Size,
	settings: Settings,
): Promise<void> {
	const receivers = await publishReceivers(placeOf(host), RECEIVERS);
	for (const name of [OURS, SLACK, CONTROL] as const) await checkThatItVerifies(receivers[name]);
	const roundsOf = (load: Load): Promise<Rounds> =>
		measureRounds(RECEIVERS, size.rounds, (name) =>
			measureDeliveries(receivers[name], load, size.milliseconds),
		);
	for (const name of RECEIVERS)
		await measureDeliveries(receivers[name], { clients: Math.max(...size.clients) }, size.warmUpMs);
	const loads: Rounds[] = [];
	for (const clients of size.clients) loads.push(await roundsOf({ clients }));
	reportRates(report, size, settings, loads);
	const rates = loads.flat().flatMap((round) => RECEIVERS.map((name) => round[name].deliveries));
	const perSecond = Math.max(1, Math.floor(Math.min(...rates) / 2));
	const atTheirTimes = await roundsOf({ perSecond });
	reportTimes(report, `${settings.name}: ${perSecond} a second, each at its time`, atTheirTimes);
}

/** `loads`: the rounds of each number of clients. */
function reportRates(report: Report, { clients }: Size, { name, least }: Settings, loads: Rounds[]): void {
	const columns = clients.map((count) => (count === 1 ? '1 client' : `${count} clients`));
	report.table(name, columns);
	const medians = (figure: (round: Record<Name, Figures>) => number) =>
		loads.map((rounds) => median(rounds.map(figure)));
	const rowsOf = (what: string, figure: 'deliveries' | 'processor', digits: number) => {
		for (const receiver of RECEIVERS) {
			const values = medians((round) => round[receiver][figure]);
			report.row(`${what}, ${receiver}`, values, digits);
		}
	};
	rowsOf('deliveries/s', 'deliveries', 0);
	for (const other of RECEIVERS.filter((receiver) => receiver !== OURS)) {
		const ratios = medians((round) => round[OURS].deliveries / round[other].deliveries);
		report.row(`deliveries/s, ours to ${other}`, ratios, 3, other === FLOOR ? atLeast(least) : undefined);
	}
	rowsOf('ms of processor time each', 'processor', 2);
	const ratios = medians((round) => round[OURS].processor / round[FLOOR].processor);
	report.row(`processor time, ours to ${FLOOR}`, ratios, 3, atMost(MOST_PROCESSOR));
}

function reportTimes(report: Report, name: string, rounds: Rounds): void {
	report.table(name, ['ms, half of the answers', 'ms, nine of ten']);
	for (const receiver of RECEIVERS) {
		const figures = (['p50', 'p90'] as const).map((share) =>
			median(rounds.map((round) => round[receiver][share])),
		);
		report.row(receiver, figures, 0);
	}
}
