/** What the action node reads from n8n and returns to it. All ways in which n8n calls the node use it. */
import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';

import type { Operation } from '../../../api/catalog.ts';
import { isRecord } from '../../../api/exact/json.ts';
import { operationWithId } from '../input/operations.ts';
import { idOf } from '../../shared/operationId.ts';
import type { CallResult, Result } from '../../shared/result.ts';

/** The endpoint that the user chose. Throws an Error for an operation that is none. */
export function operationOf(context: IExecuteFunctions | IExecuteSingleFunctions): Operation {
	return operationWithId(idOf(context.getNode()));
}

/** The output items of an input item. A failed one keeps its outcome. `onError` is the setting of the node. */
export function toItems(result: CallResult, item: number, onError?: INode['onError']): INodeExecutionData[] {
	if (result.ok) return result.items.map((json) => ({ json, pairedItem: { item } }));
	const { message, description, outcome, mayDecide, decideFrom, httpStatus, requestId, details } =
		result.failure;
	const error = {
		message,
		description,
		outcome,
		mayDecide,
		decideFrom,
		httpStatus,
		requestId,
		details,
	} as IDataObject;
	const failed: INodeExecutionData = { json: { error, ...result.row }, pairedItem: { item } };
	if (onError === 'continueErrorOutput') {
		// n8n looks for `error` to choose the output, and replaces the fields of an item that still has it afterwards.
		Object.defineProperty(failed, 'error', { value: error, enumerable: false });
	}
	return [failed];
}

/** Names of ours that an answer of the service may have too. */
const OWN = [
	'result',
	'paymentKey',
	'alreadyPaid',
	'dryRun',
	'waiting',
	'belowMinimum',
	'requestId',
	'error',
];

/**
 * An item with its result. The fields of the payment stand above those of the answer, so that they are exact text in each row;
 * in a raw answer the service's own values stay. Fields that have our names are kept under `extra`.
 */
export function withResult(
	result: Result,
	row: IDataObject,
	answer: IDataObject = {},
	isRaw = false,
): IDataObject {
	const fieldsThat = (isMeant: (name: string, value: unknown) => boolean) =>
		Object.fromEntries(Object.entries(answer).filter(([name, value]) => isMeant(name, value)));
	const taken = fieldsThat((name) => OWN.includes(name));
	const { paymentKey } = row;
	return {
		result,
		...(paymentKey !== undefined && { paymentKey }),
		...fieldsThat((name) => !OWN.includes(name)),
		...row,
		...(isRaw &&
			fieldsThat((name, value) => name in row && value !== '' && /string|number/.test(typeof value))),
		...(Object.keys(taken).length > 0 && {
			extra: { ...(isRecord(answer.extra) ? answer.extra : {}), ...taken },
		}),
	};
}
