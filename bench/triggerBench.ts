/** Deliveries of our trigger, compared with a trigger that does nothing and with n8n's own, in the same n8n. */
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installedPackage, LAZY_EXPRESSION_ENGINE, WITHOUT_EDITOR } from '../host/n8n/process.ts';
import { startSingleProcess, startTemporaryStack, type Stack } from '../host/stack.ts';
import { withStack } from '../host/testkit/stacks.ts';
import { atLeast, atMost, type Bench, type Options, type Report } from './results.ts';
import { measureDeliveries, type Figures } from './deliveries.ts';
import { BODY_BYTES, FLOOR, OURS, publishReceivers, RECEIVERS, type Name } from './receivers.ts';
import { median, measureRounds } from './statistics.ts';

interface Size {
	clients: number[];
	/** For each number of clients. The receivers take turns within a round. */
	rounds: number;
	milliseconds: number;
	/** For each receiver before the first round. */
	warmUpMs: number;
}

const FULL: Size = { clients: [1, 8, 64], rounds: 3, milliseconds: 10_000, warmUpMs: 1000 };
const SHORT: Size = { clients: [8], rounds: 2, milliseconds: 500, warmUpMs: 100 };

/** n8n's settings, and the acceptable ratios to the floor. */
interface Settings {
	name: string;
	env: Record<string, string>;
	leastDeliveries: number;
	mostProcessor: number;
}

const DEFAULT: Settings = {
	name: "n8n's default settings",
	env: {},
	leastDeliveries: 0.92,
	mostProcessor: 1.08,
};
/** n8n then makes an engine only if one is needed, so n8n's own part is smaller. */
const LAZY: Settings = {
	name: `\`${Object.entries(LAZY_EXPRESSION_ENGINE).flat().join('=')}\``,
	env: LAZY_EXPRESSION_ENGINE,
	leastDeliveries: 0.8,
	mostProcessor: 1.28,
};

export const triggerBench: Bench = {
	title: 'Trigger',
	how: `Deliveries of ${BODY_BYTES} bytes to one n8n (SQLite): our trigger; a [null trigger](null-nodes/NullTrigger.node.js) with a credential, which hands
the body on; n8n's Webhook, which checks nothing; n8n's Slack Trigger with a secret. Medians of ${FULL.rounds} rounds of ${FULL.milliseconds / 1000} s.`,
	run: async (report: Report, { short }: Options) => {
		const rates: string[] = [];
		for (const settings of [DEFAULT, LAZY])
			await withStack(
				() => startWithNullNodes(settings.env),
				async (stack) => {
					const { rate, ofFloor } = await measure(stack, report, short ? SHORT : FULL, settings);
					const share = `${Math.round(100 * ofFloor)} % of a trigger that does nothing`;
					rates.push(`${rate.toFixed(0)} with ${settings.name} (${share})`);
				},
			);
		report.means(`deliveries a second of one n8n, each checked and without duplicates: ${rates.join(', ')}.`);
	},
};

/** A stack whose n8n has the nodes that do nothing too. They show what n8n itself takes. */
async function startWithNullNodes(env: Record<string, string>): Promise<Stack> {
	const start = async (folder: string) => {
		const target = join(dirname(installedPackage(folder)), 'n8n-nodes-null');
		cpSync('bench/null-nodes', target, { recursive: true });
		return await startSingleProcess(folder, { ...WITHOUT_EDITOR, ...env });
	};
	return await startTemporaryStack({ start, examples: [] });
}

/** Returns the deliveries in a second with most clients, and their ratio to the floor. Throws if n8n did not execute each delivery once. */
async function measure(stack: Stack, report: Report, size: Size, settings: Settings) {
	const receivers = await publishReceivers(stack);
	const most = Math.max(...size.clients);
	for (const each of RECEIVERS) await measureDeliveries(stack, receivers[each], most, size.warmUpMs);
	const loads: Array<Array<Record<Name, Figures>>> = [];
	for (const clients of size.clients)
		loads.push(
			await measureRounds(
				RECEIVERS,
				size.rounds,
				async (each) => await measureDeliveries(stack, receivers[each], clients, size.milliseconds),
			),
		);
	const medians = (figure: (round: Record<Name, Figures>) => number) =>
		loads.map((rounds) => median(rounds.map(figure)));
	report.table(
		settings.name,
		size.clients.map((count) => (count === 1 ? '1 client' : `${count} clients`)),
	);
	const rates = medians((round) => round[OURS].deliveries);
	report.row(`deliveries/s, ${OURS}`, rates, 0);
	let ofFloor = NaN;
	for (const other of RECEIVERS.filter((receiver) => receiver !== OURS)) {
		const ratios = medians((round) => round[OURS].deliveries / round[other].deliveries);
		const target = other === FLOOR ? atLeast(settings.leastDeliveries) : undefined;
		report.row(`ours to ${other}`, ratios, 3, target);
		if (other === FLOOR) ofFloor = ratios.at(-1)!;
	}
	const ratios = medians((round) => round[OURS].processor / round[FLOOR].processor);
	report.row(`processor time, to ${FLOOR}`, ratios, 3, atMost(settings.mostProcessor));
	return { rate: rates.at(-1)!, ofFloor };
}
