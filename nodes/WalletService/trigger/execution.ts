/** The first step of the execution that a delivery has started. */
import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isLoopback } from '../../../api/address.ts';
import { isHandledElsewhere } from './deduplication/index.ts';
import { placeOnOutput, REFUSAL_FIELD } from './item.ts';
import { MESSAGES, NOTICES } from './messages.ts';

/** Throws the reason if the item stands for a refused delivery. */
export function throwIfRefused(context: IExecuteFunctions, [item]: INodeExecutionData[]): void {
	const reason = item?.json[REFUSAL_FIELD];
	if (typeof reason !== 'string') return;
	throw new NodeOperationError(context.getNode(), MESSAGES.deliveryRefused(reason), {
		description: NOTICES.afterRefusal,
	});
}

/** The received items, on the output of their event. */
export function routeItems(context: IExecuteFunctions, items: INodeExecutionData[]): INodeExecutionData[][] {
	const output = context.getNodeParameter('output', 0, 'single');
	return output === 'perEvent' ? placeOnOutput(items, items[0]?.json.event) : [items];
}

/** Stops the execution, with a hint, if another one handles the event. */
export async function stopsAsDuplicate(
	context: IExecuteFunctions,
	[item]: INodeExecutionData[],
): Promise<boolean> {
	if (!(await isHandledElsewhere(context))) return false;
	const message = MESSAGES.duplicateStopped(String(item?.json.deliveryKey));
	context.addExecutionHints({ message, location: 'outputPane' });
	return true;
}

/** Whether the address lacks https. An address on this machine is for trying out and needs none. */
export function lacksHttps(address = ''): boolean {
	if (!URL.canParse(address)) return true;
	const { protocol, hostname } = new URL(address);
	return protocol !== 'https:' && !isLoopback(hostname);
}

/** The input of `execute` that has an item if the webhook URL lacks https. */
const HINT_INPUT = 2;

/** Hints at a missing https while the user builds the workflow, not with every delivery. */
export function hintAtMissingHttps(context: IExecuteFunctions): void {
	if (context.getInputData(HINT_INPUT).length === 0) return;
	context.addExecutionHints({ message: MESSAGES.notHttps, type: 'warning', location: 'outputPane' });
}
