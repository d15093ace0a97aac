/** Reads the HTTP request of a delivery. */
import type { IWebhookFunctions } from 'n8n-workflow';

import type { Delivery } from '../../../api/signature/webhookVerification.ts';

/** The bytes and headers as they were sent. Signatures cover the bytes, so nothing is parsed here. */
export async function readRequest(context: IWebhookFunctions): Promise<Delivery & { body: Buffer }> {
	const request = context.getRequestObject();
	// Above type version 1, n8n reads a body of an unknown content type only on request.
	await request.readRawBody();
	const { rawBody: body = Buffer.alloc(0), headers } = request;
	return { headers, body };
}
