/** Check. What is left to do before the first live payout, as far as it stands in n8n's workflows. */
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../api/exact/json.ts';
import { asSentence, oneLine } from '../../shared/text.ts';
import { FINDINGS, NOTHING_IS_LEFT, WORKFLOWS } from './messages.ts';
import { wordsOf } from './places.ts';
import { RULES } from './rules.ts';
import { readFlows } from './workflow.ts';
import { workflowsOf } from './workflows.ts';

export interface Finding {
	/** What was found, in a sentence. */
	finding: string;
	/** Workflows, or nodes in them: `Pay once: Pay fiat; Alerts`. Empty if it is about all of them. */
	where: string;
	whatToDo: string;
}

/**
 * One item for each finding, the dangerous ones first; one that says so if there is none. It never says that a live payout is safe: it
 * does not know the account, its limits at the service, or what an expression gives. `items`: what n8n's own node gives for Workflow:
 * Get Many. `address`: that of n8n, if it is known.
 */
export function checkWorkflows(items: readonly IDataObject[], address?: string): Finding[] {
	const workflows = workflowsOf(readFlows(items), address);
	const found = findingsOfReading(items, workflows.concerned.length);
	for (const [name, find] of Object.entries(RULES)) {
		const places = find(workflows);
		if (places.length > 0) found.push(findingOf(FINDINGS[name as keyof typeof FINDINGS], wordsOf(places)));
	}
	return found.length === 0 ? [findingOf(NOTHING_IS_LEFT)] : found;
}

/** Without all workflows, the rules prove nothing. The workflow that asks has a node of ours itself. */
function findingsOfReading(items: readonly IDataObject[], concerned: number): Finding[] {
	const refusal = items.find(({ error }) => error !== undefined);
	if (refusal !== undefined) return [findingOf(WORKFLOWS.areNotShown(reasonOf(refusal.error)))];
	return concerned > 0 ? [] : [findingOf(WORKFLOWS.haveNoNodeOfOurs)];
}

function findingOf(texts: { finding: string; whatToDo: string }, where = ''): Finding {
	return { finding: texts.finding, where, whatToDo: texts.whatToDo };
}

/** As a sentence. */
function reasonOf(error: unknown): string {
	return asSentence(oneLine(isRecord(error) ? error.message : error) || 'it gives no reason');
}
