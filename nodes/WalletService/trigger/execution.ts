/** The first step of the execution that a delivery has started. */
import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isLoopback } from '../../../api/address.ts';
import { isHandledElsewhere } from './deduplication/index.ts';
import { REFUSAL_FIELD } from './item.ts';
import { MESSAGES, NOTICES } from './messages.ts';
import { placeOnOutput } from './outputs.ts';

/** The input of `execute` that has an item if the webhook URL lacks https. */
const HINT_INPUT = 2;

/**
 * The received items, on the output of their event; none, with a hint, if another execution handles the event. Throws the
 * reason if the item stands for a refused delivery.
 */
export async function passOn(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	const { [REFUSAL_FIELD]: reason, deliveryKey, event } = items[0]?.json ?? {};
	if (typeof reason === 'string') {
		throw new NodeOperationError(context.getNode(), MESSAGES.deliveryRefused(reason), {
			description: NOTICES.afterRefusal,
		});
	}
	const location = 'outputPane';
	if (await isHandledElsewhere(context)) {
		context.addExecutionHints({ message: MESSAGES.duplicateStopped(String(deliveryKey)), location });
		return [[]];
	}
	// While the user builds the workflow, not with every delivery.
	if (context.getInputData(HINT_INPUT).length > 0) {
		context.addExecutionHints({ message: MESSAGES.notHttps, type: 'warning', location });
	}
	return context.getNodeParameter('output', 0, 'single') === 'perEvent'
		? placeOnOutput(items, event)
		: [items];
}

/** Whether the address lacks https. An address on this machine is for trying out and needs none. */
export function lacksHttps(address = ''): boolean {
	if (!URL.canParse(address)) return true;
	const { protocol, hostname } = new URL(address);
	return protocol !== 'https:' && !isLoopback(hostname);
}
