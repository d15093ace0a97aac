/** Compares what was delivered with what n8n executed. */
import type { DeliveryRecord } from '../../sandbox/records.ts';
import type { Json } from '../../host/n8n/client.ts';
import { groupBy, tally } from '../../bench/shared/lists.ts';
import type { Figures } from '../shared/soakFigures.ts';
import type { Execution } from '../shared/deliveredExecutions.ts';

/** n8n may not have written to disk what it did within this time before a kill. */
const WINDOW_MS = 100;

const LOST = 'events lost';
const UNEXPLAINED = '  otherwise';
const UNFINISHED = 'events acknowledged and never finished';
/** The figures that must be 0, by the setting of *Acknowledge*. */
export const TARGETS = { whenStored: [LOST, UNEXPLAINED], whenFinished: [LOST, UNFINISHED] };

const CUT_OFF = 'events whose only execution a kill cut off';
const REPEATED = 'events executed more than once';
/** Why an event was executed again; the names are indented below REPEATED. */
const CUT_BEFORE_ACKNOWLEDGED = '  first execution cut off by a kill, not acknowledged before';
const CUT_JUST_ACKNOWLEDGED = `  the same, acknowledged less than ${WINDOW_MS} ms before`;
const CUT_ACKNOWLEDGED_EARLIER = '  the same, acknowledged earlier';
/** It is not known whether the trigger would have stopped it. */
const SECOND_CUT = '  second execution cut off by a kill';
const ENDED_AT_KILL = `  first execution ended within ${WINDOW_MS} ms of a kill`;

/** `executions`: of each event by its id, oldest first. `killed`: when n8n was killed. */
export function compareWithExecutions(
	records: DeliveryRecord[],
	executions: Map<string, Execution[]>,
	killed: number[],
): Figures {
	const events = groupBy(records, ({ body }) => String((JSON.parse(body) as Json).id));
	const answers = records.flatMap(({ attempts }) =>
		attempts.map(({ status, answer = '' }) =>
			status === undefined
				? 'no answer'
				: `${status} ${['duplicate', 'starting up'].find((word) => answer.includes(word)) ?? ''}`,
		),
	);
	const outcomes = [...events].flatMap(([id, copies]) => {
		const times = copies.flatMap(acknowledgements);
		// The workflow did not run in an execution that the trigger stopped.
		const run = (executions.get(id) ?? []).filter(({ stoppedAsDuplicate }) => !stoppedAsDuplicate);
		return outcomeOf(run, times, killed);
	});
	const count = (outcome: string) => outcomes.filter((each) => each === outcome).length;
	const counts = [
		LOST,
		UNFINISHED,
		CUT_OFF,
		REPEATED,
		CUT_BEFORE_ACKNOWLEDGED,
		CUT_JUST_ACKNOWLEDGED,
		CUT_ACKNOWLEDGED_EARLIER,
		SECOND_CUT,
		ENDED_AT_KILL,
		UNEXPLAINED,
	].map((outcome) => [outcome, count(outcome)] as const);
	return {
		deliveries: records.length,
		events: events.size,
		'attempts, by answer': tally(answers),
		'executions, by status': tally([...executions.values()].flat().map(({ status }) => status)),
		'executions that the trigger stopped as duplicates': [...executions.values()]
			.flat()
			.filter(({ stoppedAsDuplicate }) => stoppedAsDuplicate).length,
		'kills of n8n': killed.length,
		'deliveries that failed four times': records.filter(({ status }) => status === 'failed').length,
		...Object.fromEntries(counts),
	};
}

/** When the trigger's answers of 200 arrived. n8n itself gives this status, too, while it starts; docs/receive-events.md tells. */
function acknowledgements({ attempts }: DeliveryRecord): number[] {
	return attempts
		.filter(({ status, answer = '' }) => status === 200 && answer.startsWith('{"ok":true'))
		.map(({ at, durationMs }) => Date.parse(at) + durationMs);
}

/** The names of the figures in which an event counts. */
function outcomeOf(executions: Execution[], acknowledged: number[], killed: number[]): string[] {
	const [first, second] = executions;
	const isFinished = executions.some(({ status }) => status === 'success');
	const unfinished = acknowledged.length > 0 && !isFinished ? [UNFINISHED] : [];
	if (first === undefined) return acknowledged.length > 0 ? [LOST, ...unfinished] : [];
	if (second !== undefined)
		return [REPEATED, reasonToRepeat(first, second, acknowledged, killed), ...unfinished];
	return [...(first.status === 'crashed' ? [CUT_OFF] : []), ...unfinished];
}

function reasonToRepeat(
	first: Execution,
	second: Execution,
	acknowledged: number[],
	killed: number[],
): string {
	const kill = killed.find((time) => first.startedAt <= time && time <= second.startedAt) ?? Infinity;
	if (first.status === 'crashed') {
		const acknowledgedBefore = kill - Math.min(...acknowledged);
		if (acknowledgedBefore >= WINDOW_MS) return CUT_ACKNOWLEDGED_EARLIER;
		return acknowledgedBefore >= 0 ? CUT_JUST_ACKNOWLEDGED : CUT_BEFORE_ACKNOWLEDGED;
	}
	if (second.status === 'crashed') return SECOND_CUT;
	return Math.abs(kill - first.stoppedAt) <= WINDOW_MS ? ENDED_AT_KILL : UNEXPLAINED;
}
