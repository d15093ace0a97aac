/** The first step of the execution that a delivery has started. */
import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isLoopback } from '../../../api/address.ts';
import { isHandledElsewhere } from './deduplication/index.ts';
import { noteOf } from './item.ts';
import { MESSAGES, NOTICES } from './messages.ts';
import { placeOnOutput } from './outputs.ts';

/**
 * The received items, on the output of their event; none, with a hint, if another execution handles the event. Throws the
 * reason if the delivery was refused.
 */
export async function passOn(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	const note = noteOf(context);
	if (note.refused !== undefined) {
		throw new NodeOperationError(context.getNode(), MESSAGES.deliveryRefused(note.refused), {
			description: NOTICES.afterRefusal,
		});
	}
	const { event, deliveryKey } = items[0]?.json ?? {};
	const location = 'outputPane';
	if (await isHandledElsewhere(context, note)) {
		context.addExecutionHints({ message: MESSAGES.duplicateStopped(String(deliveryKey)), location });
		return [[]];
	}
	if (note.lacksHttps) context.addExecutionHints({ message: MESSAGES.notHttps, type: 'warning', location });
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
