/** Connects the deduplication to n8n: static data, the HTTP response, and the record of processed items. */
import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { onAnswered } from '../answer.ts';
import { claim, isDuplicate, recordBeforeAck, recordExecution } from './index.ts';
import { MAX_PROCESSED_ITEMS } from './limits.ts';

/** Field of the node's static data that holds the persisted keys. */
const FIELD = 'seen';

/** n8n saves this when the workflow is published. Executions add to it; without it nothing is persisted. */
export function prepareStaticData(staticData: IDataObject): void {
	staticData[FIELD] ??= '';
}

/** Claims a delivery until n8n has answered. False for a duplicate. */
export async function claimDelivery(context: IWebhookFunctions, deliveryKey: string): Promise<boolean> {
	const complete = await claim(scopeOf(context), deliveryKey, context.getWorkflowStaticData('node')[FIELD]);
	if (complete === undefined) return false;
	// If n8n fails to start the workflow, it answers with an error. The service's retry is no duplicate then.
	onAnswered(context.getResponseObject(), (status) => complete(status < 300));
	return true;
}

/** Records a delivery whose execution n8n has stored. */
export function recordDeliveryBeforeAck(context: IWebhookFunctions, deliveryKey: string): void {
	const staticData = context.getWorkflowStaticData('node');
	const keys = recordBeforeAck(scopeOf(context), deliveryKey, staticData[FIELD]);
	if (keys !== undefined) staticData[FIELD] = keys as IDataObject;
}

/** Records that this execution handles a delivery. False if, on a worker, another execution already does. */
export async function recordDeliveryInExecution(
	context: IExecuteFunctions,
	deliveryKey: string,
): Promise<boolean> {
	const staticData = context.getWorkflowStaticData('node');
	const keys = recordExecution(scopeOf(context), deliveryKey, staticData[FIELD]);
	if (keys !== undefined) {
		staticData[FIELD] = keys as IDataObject;
		return true;
	}
	// Only a delivery that came in as usual is checked, not a retry of an execution.
	if (context.getMode() !== 'webhook') return true;
	const checkProcessed = async (texts: string[]) =>
		await context.helpers.checkProcessedAndRecord(texts, 'node', {
			mode: 'entries',
			maxEntries: MAX_PROCESSED_ITEMS,
		});
	return !(await isDuplicate(scopeOf(context), deliveryKey, context.getExecutionId(), checkProcessed));
}

/** Each trigger of each workflow has a scope of its own. */
function scopeOf(context: IWebhookFunctions | IExecuteFunctions): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}
