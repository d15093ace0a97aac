/** The first step of the execution that a delivery has started. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { recordDeliveryInExecution } from './deduplication/n8nContext.ts';
import { eventsWithOutput } from './item.ts';
import { MESSAGES } from './messages.ts';
import { ignoresDuplicates } from './settings.ts';

/** The items that `webhook` gave to n8n, one list for each output. */
export function receivedOutputs(context: IExecuteFunctions): INodeExecutionData[][] {
	const events = context.getNodeParameter('events', 0, []) as string[];
	const eventOutputs = eventsWithOutput(context.getNodeParameter('output', 0, 'single'), events);
	return [...eventOutputs, ''].map((_, index) => context.getInputData(index));
}

/** Records the delivery. Stops the execution, with a hint, if another one handles the delivery already. */
export async function stopsAsDuplicate(
	context: IExecuteFunctions,
	outputs: INodeExecutionData[][],
): Promise<boolean> {
	const item = outputs.flat()[0]?.json ?? {};
	const { deliveryKey } = item;
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	if (typeof deliveryKey !== 'string' || !ignoresDuplicates(options, context.getMode())) return false;
	if (await recordDeliveryInExecution(context, item)) return false;
	context.addExecutionHints({ message: MESSAGES.duplicateStopped(deliveryKey), location: 'outputPane' });
	return true;
}

/** Hints at a missing https while the user builds the workflow, not with every delivery. */
export function hintAtMissingHttps(context: IExecuteFunctions): void {
	if (context.getMode() !== 'manual' || context.getInstanceBaseUrl().startsWith('https:')) return;
	context.addExecutionHints({ message: MESSAGES.notHttps, type: 'warning', location: 'outputPane' });
}
