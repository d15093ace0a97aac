/** Compares what was acknowledged with what n8n executed. */
import { tally } from '../../host/testkit/lists.ts';
import type { Figures } from '../shared/figures.ts';
import type { Execution } from './executions.ts';

/** n8n may not have written to disk what it did within this time before a kill. */
const WINDOW_MS = 100;

/** What must not happen, depending on the setting of *Respond* and on the situation. */
export const LOST = 'events lost';
export const UNFINISHED = 'events acknowledged and never finished';
export const HANDLED_TWICE = 'events handled twice';
export const UNEXPLAINED = '  otherwise';

const CUT_OFF = 'events whose only execution a kill cut off';
const REPEATED = 'events executed more than once';
/** Why an event was executed again; the names are indented below REPEATED. */
const CUT_BEFORE_ACKNOWLEDGED = '  first execution cut off by a kill, not acknowledged before';
const CUT_JUST_ACKNOWLEDGED = `  the same, acknowledged less than ${WINDOW_MS} ms before`;
const CUT_ACKNOWLEDGED_EARLIER = '  the same, acknowledged earlier';
/** It is not known whether the trigger would have stopped it. */
const SECOND_CUT = '  second execution cut off by a kill';
const ENDED_AT_KILL = `  first execution ended within ${WINDOW_MS} ms of a kill`;

const OUTCOMES = [
	LOST,
	UNFINISHED,
	CUT_OFF,
	HANDLED_TWICE,
	REPEATED,
	CUT_BEFORE_ACKNOWLEDGED,
	CUT_JUST_ACKNOWLEDGED,
	CUT_ACKNOWLEDGED_EARLIER,
	SECOND_CUT,
	ENDED_AT_KILL,
	UNEXPLAINED,
];

/**
 * `acknowledged`: when the trigger acknowledged each event, by its id. `executions`: of each event, oldest first. `killed`: when
 * n8n was killed or stopped.
 */
export function compareWithExecutions(
	acknowledged: Map<string, number[]>,
	executions: Map<string, Execution[]>,
	killed: number[],
): Figures {
	const outcomes = [...acknowledged].flatMap(([id, times]) => {
		// The workflow did not run in an execution that the trigger stopped.
		const run = (executions.get(id) ?? []).filter(({ stoppedAsDuplicate }) => !stoppedAsDuplicate);
		return outcomesOf(run, times, killed);
	});
	const all = [...executions.values()].flat();
	return {
		events: acknowledged.size,
		'kills of n8n': killed.length,
		'executions, by status': tally(all.map(({ status }) => status)),
		'executions that the trigger stopped as duplicates': all.filter((each) => each.stoppedAsDuplicate).length,
		...Object.fromEntries(
			OUTCOMES.map((outcome) => [outcome, outcomes.filter((each) => each === outcome).length]),
		),
	};
}

/** The names of the figures in which an event counts. */
function outcomesOf(executions: Execution[], acknowledged: number[], killed: number[]): string[] {
	const [first, second] = executions;
	const finished = executions.filter(({ status }) => status === 'success').length;
	const outcomes = acknowledged.length > 0 && finished === 0 ? [UNFINISHED] : [];
	if (finished > 1) outcomes.push(HANDLED_TWICE);
	if (first === undefined) {
		if (acknowledged.length > 0) outcomes.push(LOST);
	} else if (second !== undefined) {
		outcomes.push(REPEATED, reasonToRepeat(first, second, acknowledged, killed));
	} else if (first.status === 'crashed') {
		outcomes.push(CUT_OFF);
	}
	return outcomes;
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
