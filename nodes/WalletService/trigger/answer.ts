/** Answers a delivery. The status tells the service whether to deliver again ("Delivery rules", 4). */
import { sleep } from 'n8n-workflow';
import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { REFUSED } from './item.ts';
import { MESSAGES } from './messages.ts';

type ServerResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/**
 * Answers with an error status. n8n would answer 200, so this writes the response itself. The reason for 503 is not for the sender. Starts an execution only if a user
 * listens for a test event: it ends at the trigger and shows the reason.
 */
export function refuse(
	context: IWebhookFunctions,
	status: 400 | 401 | 413 | 503,
	reason: string,
): IWebhookResponseData {
	const told = status === 503 ? MESSAGES.notReady : reason;
	context.getResponseObject().status(status).json({ ok: false, reason: told });
	if (context.getMode() !== 'manual') return { noWebhookResponse: true };
	return { noWebhookResponse: true, workflowData: [[{ json: { [REFUSED]: reason } }]] };
}

/** Answers 200 without starting the workflow: the service need not deliver again. */
export function acknowledgeOnly(why: 'ignored' | 'duplicate'): IWebhookResponseData {
	return { webhookResponse: { ok: true, [why]: true } };
}

/**
 * Starts the workflow, then answers 200. n8n reads `webhookResponse` after it has stored the execution and before it
 * saves static data and answers. This is the only such moment that a node can use: what `beforeAck` records earlier
 * would hide the service's retry if n8n failed to store the execution; what it records later is not saved.
 */
export function acknowledgeWhenStored(item: INodeExecutionData, beforeAck: () => void): IWebhookResponseData {
	return {
		workflowData: [[item]],
		get webhookResponse() {
			beforeAck();
			return { ok: true };
		},
	};
}

/** `sent`: false if the sender hung up before the answer. It may then deliver again even after a status of 200. */
export interface Answered {
	status: number;
	sent: boolean;
}

/**
 * Calls back when n8n has answered. If the sender hangs up first, no event tells when n8n is done, so this polls. Calls
 * back once.
 */
export function onAnswered(response: ServerResponse, callback: (answered: Answered) => void): void {
	let isDone = false;
	const end = (sent: boolean) => {
		if (!isDone) callback({ status: response.statusCode, sent });
		isDone = true;
	};
	const poll = async () => {
		while (!response.writableEnded) await sleep(50);
		end(false);
	};
	response.once('finish', () => end(true));
	response.once('close', poll);
	if (response.destroyed) void poll();
}
