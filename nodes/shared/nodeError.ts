/** The error with which a node stops. */
import { NodeApiError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import type { Failure } from './result.ts';

/** The error that stops the node, from the failure of a run. */
export function nodeError(node: INode, itemIndex: number, failure: Failure): NodeApiError {
	const { message, description, ...known } = failure;
	const { httpStatus, details } = known;
	// n8n stores the second argument with the execution, so it holds nothing but the message.
	const error = new NodeApiError(
		node,
		{ message },
		{ message, description, httpCode: httpStatus === undefined ? undefined : String(httpStatus), itemIndex },
	);
	// n8n has put its own words in place of a message that holds a code such as ECONNREFUSED or EPERM.
	error.message = message;
	// n8n shows `data` in the details of the failure.
	Object.assign(error.context, known, { data: details });
	return error;
}
