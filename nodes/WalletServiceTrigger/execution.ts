/** The first step of an execution, where n8n can keep rows: it passes the item on. */
import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { HEADINGS, withLink } from '../shared/guide.ts';
import { rowsOf } from '../shared/store/rows.ts';
import type { Note } from './item.ts';
import { MESSAGES, NOTICES } from './messages.ts';
import { wasHandled } from './once/handledEvents.ts';
import { placeOnOutput } from './outputs.ts';
import { triggerOf } from './settings.ts';

/** The items of each output; none if another execution handles the event. Throws if the delivery was refused. */
export async function passOn(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	const note: Note = context.getInputData(1)[0]?.json ?? {};
	if (note.refused !== undefined) {
		const description = withLink(note.advice ?? NOTICES.afterRefusal, HEADINGS.delivery);
		throw new NodeOperationError(context.getNode(), MESSAGES.deliveryRefused(note.refused), { description });
	}
	const { event, deliveryKey, notFiltered } = items[0]?.json ?? {};
	const location = 'outputPane';
	if (await isHandledElsewhere(context, note)) {
		context.addExecutionHints({ message: MESSAGES.duplicateStopped(String(deliveryKey)), location });
		return [[]];
	}
	if (note.lacksHttps) context.addExecutionHints({ message: MESSAGES.notHttps, type: 'warning', location });
	if (Array.isArray(notFiltered)) {
		const message = MESSAGES.notFiltered(notFiltered.join(', '));
		context.addExecutionHints({ message, type: 'warning', location });
	}
	const isSingle = context.getNodeParameter('output', 0, 'single') === 'single';
	return isSingle ? [items] : placeOnOutput(items, event);
}

/** Whether another execution handles the event. A retry of an execution is wanted, so it goes on. */
async function isHandledElsewhere(context: IExecuteFunctions, { key }: Note): Promise<boolean> {
	if (key === undefined) return false;
	const ask = async () =>
		await wasHandled(triggerOf(context), await rowsOf(context), key, context.getExecutionId());
	const isHandled = await ask().catch(() => false);
	return isHandled && context.getMode() === 'webhook';
}
