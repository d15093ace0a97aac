/** Starts a workflow once for each event. The service repeats what was not acknowledged ("Delivery rules", 4 and 5). */
import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { rowsOf } from '../../shared/store/rows.ts';
import type { Note } from '../item.ts';
import { onAnswered, responseOf } from '../respond.ts';
import { triggerOf } from '../settings.ts';
import type { Identity } from './identity.ts';
import { memoryOf } from './memory.ts';
import { wasHandled } from './handledEvents.ts';

/** Claims a delivery until n8n has answered. Returns the note for its execution; for a repetition, what became of the first one. */
export async function claimDelivery(
	context: IWebhookFunctions,
	{ key, subject }: Identity,
	whenFinished: boolean,
): Promise<Note | 'duplicate' | 'unanswered'> {
	const end = await memoryOf(triggerOf(context)).claim({ key, subject });
	if (typeof end === 'string') return end;
	// If n8n fails to start the workflow, it answers with an error. The service's retry is then not a duplicate.
	onAnswered(responseOf(context), (status) => end(status === 200));
	// A repeated review and a return to an earlier state would have the same row. An execution that has its row before its workflow
	// has succeeded would hide the repetition of one that failed.
	return subject !== undefined || whenFinished ? {} : { key };
}

/** Whether another execution handles the event. A retry of an execution is wanted, so it goes on. */
export async function isHandledElsewhere(context: IExecuteFunctions, { key }: Note): Promise<boolean> {
	if (key === undefined) return false;
	const ask = async () =>
		await wasHandled(triggerOf(context), await rowsOf(context), key, context.getExecutionId());
	const isHandled = await ask().catch(() => false);
	return isHandled && context.getMode() === 'webhook';
}
