/** Reads the HTTP request of a delivery. */
import type { IWebhookFunctions } from 'n8n-workflow';

import type { Delivery } from '../../../api/signature/verifier.ts';

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
