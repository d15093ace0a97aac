/** The request of a delivery and its answer, whose status tells the service whether to deliver again ("Delivery rules", 4). */
import { sleep, WEBHOOK_RESOLVERS } from 'n8n-workflow';
import type { IHookFunctions, INodeParameters, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { Delivery } from '../../../api/signature/verifier.ts';
import { REFUSAL_FIELD } from './item.ts';
import { MESSAGES } from './messages.ts';
import { triggerOf } from './settings.ts';

type ServerResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/** `isReadable`: false if n8n cannot give the bytes. `body` is empty then. */
export interface DeliveryRequest extends Delivery {
	body: Buffer;
	isReadable: boolean;
}

/** The bytes and headers as they were sent. Signatures cover the bytes, so nothing is parsed here. Never throws. */
export async function readRequest(context: IWebhookFunctions): Promise<DeliveryRequest> {
	const request = context.getRequestObject();
	const { headers } = request;
	try {
		// Above type version 1, n8n reads a body of an unknown content type only on request.
		await request.readRawBody();
	} catch {
		// n8n has read a multipart body already, or cannot decompress the body. An error here would start an execution.
		return { headers, body: Buffer.alloc(0), isReadable: false };
	}
	return { headers, body: request.rawBody ?? Buffer.alloc(0), isReadable: true };
}

/** Triggers that have shown a refusal since their user began to listen for a test event. */
const refusing = new Set<string>();

export function beginListening(context: IHookFunctions): void {
	refusing.delete(triggerOf(context));
}

/**
 * Answers with an error status. n8n would answer 200, so this writes the response itself. The reason for 503 is not for the sender.
 * While a user listens for a test event, the first refusal starts an execution, which ends at the trigger and shows the reason. It
 * ends the listening, too.
 */
export function refuse(
	context: IWebhookFunctions,
	status: 400 | 401 | 413 | 503,
	reason: string,
): IWebhookResponseData {
	const told = status === 503 ? MESSAGES.notReady : reason;
	context.getResponseObject().status(status).json({ ok: false, reason: told });
	const trigger = triggerOf(context);
	if (context.getMode() !== 'manual' || refusing.has(trigger)) return { noWebhookResponse: true };
	refusing.add(trigger);
	return { noWebhookResponse: true, workflowData: [[{ json: { [REFUSAL_FIELD]: reason } }]] };
}

/** Answers 200 without starting the workflow: the service need not deliver again. */
export function acknowledgeOnly(why: 'ignored' | 'duplicate'): IWebhookResponseData {
	return { webhookResponse: { ok: true, [why]: true } };
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

/** How n8n answers at the end: with the data of the last node, in a list, if the workflow has succeeded. */
type Answer = ServerResponse['json'];

/** With *When Finished*, sends the usual answer. n8n's answer would hold the data of the workflow. */
export function answerWhenFinished(response: ServerResponse): void {
	const answer: Answer = response.json.bind(response);
	response.json = (data: unknown) => {
		if (Array.isArray(data)) return answer({ ok: true });
		// n8n says 200 to a workflow that could not begin, too.
		if (response.statusCode < 500) response.status(500);
		return answer({ ok: false, reason: MESSAGES.workflowFailed });
	};
}

/** Milliseconds between two looks, which grow by a twentieth: the last is after about an hour. */
const FIRST_PAUSE = 50;
const LAST_PAUSE = 180_000;

/**
 * Calls back once with the status when n8n has answered. If the sender hangs up first, no event tells when n8n is done, so this
 * polls.
 */
export function onAnswered(response: ServerResponse, callback: (status: number) => void): void {
	let isDone = false;
	const end = () => {
		// n8n that has not answered has not accepted the delivery.
		if (!isDone) callback(response.writableEnded ? response.statusCode : 500);
		isDone = true;
	};
	const poll = async () => {
		for (let pause = FIRST_PAUSE; !response.writableEnded && pause < LAST_PAUSE; pause *= 1.05)
			await sleep(pause);
		end();
	};
	response.once('finish', end);
	response.once('close', poll);
	if (response.destroyed) void poll();
}
