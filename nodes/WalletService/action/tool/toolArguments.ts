/**
 * Checks what a model has sent to a tool. n8n looks for an argument in several places and may mix up calls, so what it gives
 * must be what was sent, and nothing but the arguments that the author has named.
 */
import { traverseNodeParameters } from 'n8n-workflow';
import type { FromAIArgument, INode, IWorkflowDataProxyData } from 'n8n-workflow';

import { INPUT } from '../messages.ts';
import type { ValidationIssue } from '../result.ts';

export interface ToolCall {
	/** The input of the call. AI Agent 3 adds the arguments to the item that the agent itself has got. */
	input: object;
	/** The value that n8n gives for an argument. Undefined if the model has not sent it. */
	given(name: string): unknown;
	/** The arguments that the tool has. */
	names: string[];
}

export function toolCallOf(
	{ parameters }: INode,
	input: object,
	{ $fromAI }: IWorkflowDataProxyData,
): ToolCall {
	const named: FromAIArgument[] = [];
	traverseNodeParameters(parameters, named);
	const given = (name: string): unknown => {
		try {
			return ($fromAI as (name: string) => unknown)(name);
		} catch {
			// n8n refuses some names, so no argument can have them.
			return undefined;
		}
	};
	return { input, given, names: named.map(({ key }) => key) };
}

/** n8n adds it to a call that waits for its own approval step. */
const APPROVAL = 'tool';

/** What is wrong with a call. */
export function checkToolCall({ input, given, names }: ToolCall): ValidationIssue[] {
	const read = Object.entries(input)
		.map(([name, sent]) => ({ name, sent, value: given(name) }))
		.filter(({ value }) => value !== undefined);
	const other = read.find(({ name }) => !names.includes(name));
	if (other?.name === APPROVAL) return [INPUT.approvalIsNotSafe()];
	if (other !== undefined) return [INPUT.isNotAnArgument(other.name)];
	const isMixedUp = read.some(({ sent, value }) => JSON.stringify(value) !== JSON.stringify(sent));
	return isMixedUp ? [INPUT.callsAreMixedUp()] : [];
}
