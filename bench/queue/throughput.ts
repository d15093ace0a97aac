/** Deliveries per second that n8n executes in queue mode and in one process. */
import type { N8n } from '../../host/n8n/process.ts';
import type { Report } from '../results.ts';
import type { DeliverySender } from '../shared/deliverySender.ts';
import { machineTime, processorTime } from '../shared/processorTime.ts';
import { median, measureRounds } from '../shared/statistics.ts';
import { deliveryBody, idle, SECRET } from './receiver.ts';
import type { Receiver } from './receiver.ts';

export const CLIENTS = 16;
const WARM_UP_MS = 1000;

/** A receiver and all processes of its n8n. */
export interface Contender {
	receiver: Receiver;
	processes: N8n[];
}

interface Figures {
	/** Per second. */
	executed: number;
	/** Milliseconds of processor time of all n8n processes for each delivery. */
	processor: number;
	/** The share of the machine's processors that was in use, by any program. */
	busy: number;
}

type Name = 'queue' | 'nothing' | 'alone';
const NAMES: Name[] = ['queue', 'nothing', 'alone'];

/** Adds the figures of all contenders, which take turns, and their ratios. */
export async function compareThroughput(
	sender: DeliverySender,
	contenders: Record<Name, Contender>,
	report: Report,
	{ rounds: count, milliseconds }: { rounds: number; milliseconds: number },
): Promise<void> {
	for (const name of NAMES) await measureRound(sender, contenders[name], WARM_UP_MS);
	const measure = (name: Name) => measureRound(sender, contenders[name], milliseconds);
	const rounds = await measureRounds(NAMES, count, measure);
	const figureOf = (contender: Name, figure: keyof Figures) =>
		median(rounds.map((round) => round[contender][figure]));
	for (const [name, what] of [
		['queue', 'queue mode'],
		['nothing', 'queue mode, null trigger'],
		['alone', 'one process'],
	] as const)
		report.row({
			what,
			figure: `${figureOf(name, 'executed').toFixed(1)} deliveries/s executed; ${figureOf(name, 'processor').toFixed(1)} ms of n8n's processor time each; the machine ${(figureOf(name, 'busy') * 100).toFixed(0)} % busy`,
		});
	const ratio = median(rounds.map(({ queue, alone }) => queue.executed / alone.executed));
	report.row({ what: 'deliveries, queue mode to one process', figure: ratio.toFixed(2) });
	const toNothing = median(rounds.map(({ queue, nothing }) => queue.executed / nothing.executed));
	report.row({
		what: 'deliveries in queue mode, ours to the null trigger',
		figure: toNothing.toFixed(3),
		target: '>= 0.80',
		met: toNothing >= 0.8,
	});
}

async function measureRound(
	sender: DeliverySender,
	{ receiver: { workflow, url, database }, processes }: Contender,
	milliseconds: number,
): Promise<Figures> {
	const [newest] = await database.query('SELECT coalesce(max(id), 0) AS id FROM execution_entity');
	const usedProcessor = () => processes.reduce((sum, program) => sum + (processorTime(program) ?? NaN), 0);
	const [processorBefore, machineBefore] = [usedProcessor(), machineTime()];
	const { begun, took } = await sender.send({
		url,
		style: 'wallet',
		secret: SECRET,
		template: deliveryBody('<id>'),
		load: { clients: CLIENTS },
		milliseconds,
	});
	await idle(database);
	const processor = (usedProcessor() - processorBefore) / took.length;
	const machine = machineTime();
	const [row] = await database.query(
		`SELECT count(*)::int AS count, extract(epoch FROM max("stoppedAt")) * 1000 AS end FROM execution_entity
		WHERE "workflowId" = '${workflow.id}' AND id > ${Number(newest?.id)}`,
	);
	if (row?.count !== took.length)
		throw new Error(`${took.length} deliveries were executed ${String(row?.count)} times`);
	return {
		executed: (took.length * 1000) / (Number(row.end) - begun),
		processor,
		busy: (machine.busy - machineBefore.busy) / (machine.all - machineBefore.all),
	};
}
