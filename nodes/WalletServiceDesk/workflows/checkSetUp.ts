/** Workflow: Check. What is left to do before the first live payout, as far as it stands in n8n's workflows. */
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../api/exact/json.ts';
import { asSentence, oneLine } from '../../shared/text.ts';
import { MATTERS } from './matters.ts';
import type { Matter } from './matters.ts';
import { WHAT_TO_DO, WORKFLOWS } from './messages.ts';
import { wordsOf } from './place.ts';
import { setUpOf } from './setUp.ts';
import { readFlows } from './workflow.ts';

export interface SetUpInput {
	/** What n8n's own node gives for Workflow: Get Many. */
	workflows: readonly IDataObject[];
	/** The address of n8n, if it is known. */
	address?: string;
}

export interface SetUpMatter {
	/** A name that stays the same. */
	matter: Matter | 'workflowsNotShown' | 'noWorkflows';
	/** Workflows, or nodes in them: `Pay once: Pay fiat; Alerts`. Empty if it is about all of them. */
	where: string;
	/** What was found, then what to do. */
	whatToDo: string;
}

/**
 * One entry for each matter that is left, none if nothing is. It never says that a live payout is safe: it does not know the
 * account, its limits at the service, or what an expression gives.
 */
export function checkSetUp({ workflows, address }: SetUpInput): SetUpMatter[] {
	const setUp = setUpOf(readFlows(workflows), address);
	const left = problemsOfReading(workflows, setUp.concerned.length);
	for (const [matter, find] of Object.entries(MATTERS)) {
		const places = find(setUp);
		if (places.length === 0) continue;
		left.push({ matter: matter as Matter, where: wordsOf(places), whatToDo: WHAT_TO_DO[matter as Matter] });
	}
	return left;
}

/** Without all workflows, the other matters prove nothing. The workflow that asks has a node of ours itself. */
function problemsOfReading(workflows: readonly IDataObject[], concerned: number): SetUpMatter[] {
	const refusal = workflows.find(({ error }) => error !== undefined);
	if (refusal !== undefined) {
		const whatToDo = WORKFLOWS.areNotShown(reasonOf(refusal.error));
		return [{ matter: 'workflowsNotShown', where: '', whatToDo }];
	}
	if (concerned > 0) return [];
	return [{ matter: 'noWorkflows', where: '', whatToDo: WORKFLOWS.haveNoNodeOfOurs() }];
}

/** As a sentence. */
function reasonOf(error: unknown): string {
	return asSentence(oneLine(isRecord(error) ? error.message : error) || 'it gives no reason');
}
