/** n8n's setting *Execute Once*: a node gets the first item of many. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { EXECUTE_ONCE } from './messages.ts';
import type { ValidationIssue } from './wording.ts';

/** Why the run would leave items out, for a node that answers for all of them. Undefined if it has all. */
export function leftOutByExecuteOnce(context: IExecuteFunctions): ValidationIssue | undefined {
	if (context.getNode().executeOnce !== true) return undefined;
	const all = context.getExecuteData().data.main?.[0]?.length ?? 0;
	const count = context.getInputData().length;
	return all > count ? EXECUTE_ONCE.leavesOut({ count: String(count), all: String(all) }) : undefined;
}
