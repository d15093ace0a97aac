/** The request of a delivery and its answer, whose status tells the service whether to deliver again ("Delivery rules", 4). */
import { WEBHOOK_RESOLVERS } from 'n8n-workflow';
import type { IHookFunctions, INodeParameters, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isLoopback } from '../../../api/address.ts';
import type { Delivery } from '../../../api/signature/verifier.ts';
import { workflowData } from './item.ts';
import { MESSAGES } from './messages.ts';
import { triggerOf } from './settings.ts';

type ServerResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/** The bytes as they were sent, which signatures cover, and the headers. No bytes if n8n cannot give them. Never throws. */
export async function readRequest(context: IWebhookFunctions): Promise<Delivery & { body: Buffer }> {
	const request = context.getRequestObject();
	// Above type version 1, n8n reads a body of an unknown content type only on request. It throws if it has read a multipart body
	// already, or cannot decompress the body. An error here would start an execution.
	await request.readRawBody().catch(() => {});
	return { headers: request.headers, body: request.rawBody ?? Buffer.alloc(0) };
}

/** Triggers that have shown a refusal since their user began to listen: anyone can send thousands at once. */
const refusing = new Set<string>();

export function beginListening(context: IHookFunctions): void {
	refusing.delete(triggerOf(context));
}

/**
 * Answers with an error status. n8n would answer 200, so this writes the response itself. The reason for 503 is not for the sender.
 * While a user listens for a test event, the first refusal starts an execution, which ends at the trigger and shows the reason.
 */
export function refuse(
	context: IWebhookFunctions,
	status: 400 | 401 | 413 | 503,
	reason: string,
): IWebhookResponseData {
	const told = status === 503 ? MESSAGES.notReady : reason;
	context.getResponseObject().status(status).json({ ok: false, reason: told });
	const isShown = context.getMode() === 'manual' && !refusing.has(triggerOf(context));
	if (!isShown) return { noWebhookResponse: true };
	refusing.add(triggerOf(context));
	return { noWebhookResponse: true, workflowData: workflowData({}, { refused: reason }) };
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
export function answerWhenFinished(response: ServerResponse): void {
	const answer: ServerResponse['json'] = response.json.bind(response);
	response.json = (data: unknown) => {
		if (Array.isArray(data)) return answer({ ok: true });
		// n8n says 200 to a workflow that could not begin, too.
		if (response.statusCode < 500) response.status(500);
		return answer({ ok: false, reason: MESSAGES.workflowFailed });
	};
}

/** Calls back with the status when n8n answers. It does so, too, if the sender has hung up; no event tells that. */
export function onAnswered(response: ServerResponse, callback: (status: number) => void): void {
	const end = response.end.bind(response) as (...content: unknown[]) => ServerResponse;
	response.end = (...content: unknown[]) => {
		callback(response.statusCode);
		return end(...content);
	};
}

/** Whether the address lacks https. An address on this machine is for trying out and needs none. */
export function lacksHttps(address = ''): boolean {
	if (!URL.canParse(address)) return true;
	const { protocol, hostname } = new URL(address);
	return protocol !== 'https:' && !isLoopback(hostname);
}
