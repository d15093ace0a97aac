/**
 * Checks what a model has sent to a tool. n8n looks for an argument in several places and may mix up calls, so what it gives
 * must be what was sent, and nothing but the arguments that the author has named.
 */
import { traverseNodeParameters } from 'n8n-workflow';
import type { FromAIArgument, INode, IWorkflowDataProxyData } from 'n8n-workflow';

import { INPUT } from '../messages.ts';
import type { ValidationIssue } from '../outcome.ts';

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
const OF_N8N = 'tool';

/** The first thing that is wrong with a call. */
export function checkToolCall({ input, given, names }: ToolCall): ValidationIssue[] {
	for (const [name, sent] of Object.entries(input)) {
		const value = given(name);
		if (value === undefined) continue;
		const isNamed = names.includes(name) || (name === OF_N8N && typeof value === 'string');
		if (!isNamed) return [INPUT.isNotAnArgument(name)];
		if (JSON.stringify(value) !== JSON.stringify(sent)) return [INPUT.callsAreMixedUp()];
	}
	return [];
}
