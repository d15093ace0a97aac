/** Connects the deduplication to n8n: static data, the HTTP response, and the record of processed items. */
import type { IDataObject, IExecuteFunctions, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { onAnswered } from '../answer.ts';
import {
	claim,
	endRepetitions,
	isDuplicate,
	keyOf,
	recordBeforeAck,
	recordExecution,
	valueWhenPublished,
} from './index.ts';
import { MAX_PROCESSED_ITEMS } from './capacities.ts';

/** Field of the node's static data that holds the persisted keys. */
const FIELD = 'seen';

/**
 * n8n saves this when the workflow is published. Executions add to it; without it nothing is persisted. n8n keeps static data by the
 * name of the node: a renamed trigger gets what this process knows.
 */
export function prepareStaticData(context: IHookFunctions): void {
	const staticData = context.getWorkflowStaticData('node');
	staticData[FIELD] = valueWhenPublished(scopeOf(context), staticData[FIELD]) as IDataObject;
}

interface Delivery {
	scope: string;
	key: string;
}

/** The keys of items made in this process. A key takes as long as reading the delivery, and n8n gives the same object to `execute`. */
const deliveries = new WeakMap<IDataObject, Delivery>();

function deliveryOf(context: IWebhookFunctions | IExecuteFunctions, item: IDataObject): Delivery {
	const known = deliveries.get(item);
	if (known !== undefined) return known;
	const scope = scopeOf(context);
	const delivery = { scope, key: keyOf(scope, item) };
	deliveries.set(item, delivery);
	return delivery;
}

/** Claims the delivery of an item until n8n has answered. False for a duplicate. */
export async function claimDelivery(context: IWebhookFunctions, item: IDataObject): Promise<boolean> {
	const { scope, key } = deliveryOf(context, item);
	const complete = await claim(scope, key, context.getWorkflowStaticData('node')[FIELD]);
	onAnswered(context.getResponseObject(), ({ status, sent }) => {
		// If n8n fails to start the workflow, it answers with an error. The service's retry is then not a duplicate.
		if (complete !== undefined) complete({ accepted: status < 300, sent });
		else if (sent) endRepetitions(key);
	});
	return complete !== undefined;
}

/** Records the delivery of an item whose execution n8n has stored. */
export function recordDeliveryBeforeAck(context: IWebhookFunctions, item: IDataObject): void {
	const staticData = context.getWorkflowStaticData('node');
	const { scope, key } = deliveryOf(context, item);
	const keys = recordBeforeAck(scope, key, staticData[FIELD]);
	if (keys !== undefined) staticData[FIELD] = keys as IDataObject;
}

/** Records that this execution handles the delivery of an item. False if another execution already does. */
export async function recordDeliveryInExecution(
	context: IExecuteFunctions,
	item: IDataObject,
): Promise<boolean> {
	const staticData = context.getWorkflowStaticData('node');
	const { scope, key } = deliveryOf(context, item);
	const executionId = context.getExecutionId();
	const beginning = recordExecution(scope, key, executionId, staticData[FIELD]);
	// A retry of an execution is not checked: the user wants the delivery again.
	const isChecked = context.getMode() === 'webhook';
	if (isChecked && beginning.isTaken) return false;
	if (beginning.staticData !== undefined) {
		staticData[FIELD] = beginning.staticData as IDataObject;
		return true;
	}
	if (!isChecked) return true;
	const checkProcessed = async (texts: string[]) =>
		await context.helpers.checkProcessedAndRecord(texts, 'node', {
			mode: 'entries',
			maxEntries: MAX_PROCESSED_ITEMS,
		});
	// `2026-01-01T00:1`: the status that comes back after ten minutes is news, also on another worker.
	const tenMinutes = String(item.receivedAt).slice(0, 15);
	return !(await isDuplicate(scope, `${key} ${tenMinutes}`, executionId, checkProcessed));
}

/** Each trigger of each workflow has its own scope, which stays the same when the trigger is renamed. */
function scopeOf(context: IHookFunctions | IWebhookFunctions | IExecuteFunctions): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}
