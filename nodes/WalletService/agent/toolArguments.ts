/** Checks that a model has sent nothing but the arguments that the author has named: n8n would read others in their place. */
import { traverseNodeParameters } from 'n8n-workflow';
import type { FromAIArgument, INode, IWorkflowDataProxyData } from 'n8n-workflow';

import { isRecord } from '../../../api/exact/json.ts';
import { CALL } from './messages.ts';
import type { ValidationIssue } from '../../shared/result.ts';

/** A call of the node as a tool. */
export interface ToolCall {
	/** AI Agent 3 adds the arguments to the item that the agent itself has got. */
	input: object;
	/** Whether the model has sent an argument of this name. */
	isSent(name: string): boolean;
	/** The arguments that the author has named. */
	names: string[];
}

export function toolCallOf(
	{ parameters }: INode,
	input: object,
	{ $fromAI }: IWorkflowDataProxyData,
): ToolCall {
	const named: FromAIArgument[] = [];
	traverseNodeParameters(parameters, named);
	const isSent = (name: string): boolean => {
		try {
			return ($fromAI as (name: string) => unknown)(name) !== undefined;
		} catch {
			// n8n refuses some names, so no argument can have them.
			return false;
		}
	};
	return { input, isSent, names: named.map(({ key }) => key) };
}

/** n8n adds it to a call that waits for its own approval step. */
const APPROVAL = 'tool';

/** If it is an object, n8n looks inside it for each argument first. */
const CONTAINER = 'query';

/** What is wrong with a call. */
export function checkToolCall({ input, isSent, names }: ToolCall): ValidationIssue[] {
	const isNamed = (name: string, value: unknown) =>
		names.includes(name) && !(name === CONTAINER && isRecord(value));
	const [other] = Object.entries(input).find(([name, value]) => !isNamed(name, value) && isSent(name)) ?? [];
	if (other === undefined) return [];
	return [other === APPROVAL ? CALL.approvalIsNotSafe() : CALL.isNotAnArgument(other)];
}
