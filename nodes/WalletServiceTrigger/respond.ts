/** The answer to a delivery, whose status tells the service whether to deliver again ("Delivery rules", 4). */
import { WEBHOOK_RESOLVERS } from 'n8n-workflow';
import type { IHookFunctions, INodeParameters, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { workflowData } from './item.ts';
import { MESSAGES } from './messages.ts';
import { triggerOf } from './settings.ts';

/** What the trigger uses of n8n's response, which is one of Express. */
export interface WebhookResponse {
	statusCode: number;
	status(code: number): WebhookResponse;
	json(data: unknown): WebhookResponse;
	end(...content: unknown[]): WebhookResponse;
}

export function responseOf(context: IWebhookFunctions): WebhookResponse {
	return context.getResponseObject() as WebhookResponse;
}

/** What n8n answers with status 200. */
export function accept(why: { ignored?: true; duplicate?: true } = {}): IWebhookResponseData {
	return { webhookResponse: { ok: true, ...why } };
}

/** Triggers that have shown a refusal since their user began to listen: anyone can send thousands at once. */
const refusing = new Set<string>();

export function beginListening(context: IHookFunctions): void {
	refusing.delete(triggerOf(context));
}

/**
 * Answers with an error status. n8n would answer 200, so this writes the response itself. The reason for 503 is not for the sender.
 * While a user listens for a test event, the first refusal starts an execution, which ends at the trigger and shows the reason, and
 * the advice. The advice is sought after the answer, so that the sender learns nothing of it.
 */
export async function refuse(
	context: IWebhookFunctions,
	status: 400 | 401 | 413 | 503,
	reason: string,
	seekAdvice?: () => Promise<string | undefined>,
): Promise<IWebhookResponseData> {
	const told = status === 503 ? MESSAGES.notReady : reason;
	responseOf(context).status(status).json({ ok: false, reason: told });
	const isShown = context.getMode() === 'manual' && !refusing.has(triggerOf(context));
	if (!isShown) return { noWebhookResponse: true };
	refusing.add(triggerOf(context));
	// The answer is given, so nothing may fail here. Without advice the reason is enough.
	const advice = await seekAdvice?.().catch(() => undefined);
	return { noWebhookResponse: true, workflowData: workflowData({}, { refused: reason, advice }) };
}

const responseMode = '={{ $parameter.options?.acknowledge === "whenFinished" ? "lastNode" : "onReceived" }}';

/**
 * When n8n answers. An expression would cost an engine for each delivery where engines are made on demand, so n8n gets the same as a
 * function, for parameters without expressions. n8n before 2.41 evaluates the expression.
 */
export const acknowledgement = {
	responseMode,
	[WEBHOOK_RESOLVERS]: {
		responseMode: {
			template: responseMode,
			resolve: ({ options }: INodeParameters) =>
				(options as INodeParameters | undefined)?.acknowledge === 'whenFinished' ? 'lastNode' : 'onReceived',
		},
	},
};

/** With *When Workflow Finishes*, n8n's answer would be the data of the last node, in a list. This sends the usual one. */
export function answerWhenFinished(response: WebhookResponse): void {
	const answer = response.json.bind(response);
	response.json = (data: unknown) => {
		if (Array.isArray(data)) return answer({ ok: true });
		// n8n says 200 to a workflow that could not begin, too.
		if (response.statusCode < 500) response.status(500);
		return answer({ ok: false, reason: MESSAGES.workflowFailed });
	};
}

/** Calls back with the status when n8n answers. It does so, too, if the sender has hung up; no event tells that. */
export function onAnswered(response: WebhookResponse, callback: (status: number) => void): void {
	const end = response.end.bind(response);
	response.end = (...content: unknown[]) => {
		callback(response.statusCode);
		return end(...content);
	};
}
