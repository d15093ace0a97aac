/** The way of a delivery: read, verify, parse, filter, claim, item. Each end of it is an answer. */
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { select, similarKind } from './filter.ts';
import { harmlessHeaders, toItem, workflowData } from './item.ts';
import type { Note } from './item.ts';
import { quoted, report } from './log.ts';
import { MESSAGES } from './messages.ts';
import { identityOf } from './once/identity.ts';
import { memoryOf } from './once/memory.ts';
import type { Claimed } from './once/memory.ts';
import { isTooLarge, parseDelivery } from './parse.ts';
import type { WebhookEvent } from './parse.ts';
import { lacksHttps, readRequest } from './request.ts';
import { accept, answerWhenFinished, onAnswered, refuse, responseOf } from './respond.ts';
import { triggerOf } from './settings.ts';
import type { TriggerSettings } from './settings.ts';
import { seekAdvice, verifyRequest } from './verification.ts';

/** Receives one delivery, and answers it. */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const receivedAt = new Date();
	const { headers, body } = await readRequest(context);
	if (isTooLarge(body)) return await refuseBody(context, 413, MESSAGES.bodyIsTooLarge);

	const verified = await verifyRequest(context, { headers, body }, receivedAt);
	if (!verified.ok) {
		const { status, reason, mayFit } = verified;
		const seek = async () => (mayFit ? await seekAdvice(context, { headers, body }, receivedAt) : undefined);
		return await refuse(context, status, reason, seek);
	}
	const { settings, verdict } = verified;

	if (body.length === 0) return await refuseBody(context, 400, MESSAGES.bodyIsUnreadable);
	const event = parseDelivery(body);
	if (typeof event === 'string') return await refuseBody(context, 400, event);
	const selection = select(event, settings);
	if (!selection.isWanted) {
		reportMisspelling(context, event);
		return accept({ ignored: true });
	}

	const { notFiltered } = selection;
	const { includeRaw, includeHeaders } = settings;
	const kept = includeHeaders ? harmlessHeaders(headers, verdict?.header) : undefined;
	const { deliveryKey, ...identity } = identityOf(event, verdict?.id);
	const item = toItem(event, receivedAt, { deliveryKey, includeRaw, headers: kept, notFiltered });
	const note = await claim(context, identity, settings);
	if (note === 'duplicate') return accept({ duplicate: true });
	if (note === 'unanswered') return await refuseForNow(context);

	if (notFiltered.length > 0) reportNotFiltered(context, event, notFiltered);
	if (settings.whenFinished) answerWhenFinished(responseOf(context));
	return { ...accept(), workflowData: workflowData(item, note) };
}

/** The note for the execution; for a repetition, what became of the first delivery. */
async function claim(
	context: IWebhookFunctions,
	identity: Claimed,
	{ ignoreDuplicates, whenFinished }: TriggerSettings,
): Promise<Note | 'duplicate' | 'unanswered'> {
	// While the user listens for a test event, each delivery counts, and a wrong address is told.
	if (context.getMode() === 'manual') return { lacksHttps: lacksHttps(context.getNodeWebhookUrl('default')) };
	if (!ignoreDuplicates) return {};
	return await claimDelivery(context, identity, whenFinished);
}

/** Claims a delivery until n8n has answered. Returns the note for its execution; for a repetition, what became of the first one. */
async function claimDelivery(
	context: IWebhookFunctions,
	{ key, subject }: Claimed,
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

/** The service shows nobody its answers, so an event in a form that is not read would be lost without a trace. */
async function refuseBody(
	context: IWebhookFunctions,
	status: 400 | 413,
	reason: string,
): Promise<IWebhookResponseData> {
	const trigger = context.getNode().name;
	report(context, 'warn', reason, MESSAGES.bodyIsRefused({ trigger, status: String(status), reason }));
	return await refuse(context, status, reason);
}

/** Lets the service repeat the delivery: its workflow may still fail. */
async function refuseForNow(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const reason = MESSAGES.firstIsUnanswered({ trigger: context.getNode().name });
	report(context, 'warn', 'unanswered', reason);
	return await refuse(context, 503, reason);
}

/** Says in the log that an event was ignored which looks like one that the user may have selected. */
function reportMisspelling(context: IWebhookFunctions, { event }: WebhookEvent): void {
	const known = similarKind(event);
	if (known === undefined) return;
	const texts = { trigger: context.getNode().name, event: quoted(event), known };
	report(context, 'warn', known, MESSAGES.eventIsMisspelt(texts));
}

/** Says in the log that an event passed a filter that could not read it. */
function reportNotFiltered(context: IWebhookFunctions, { event }: WebhookEvent, fields: string[]): void {
	const texts = { trigger: context.getNode().name, event, fields: fields.join(', ') };
	report(context, 'warn', 'notFiltered', MESSAGES.eventIsNotFiltered(texts));
}
