/** The request of a delivery, and the address to which the service sends it. */
import type { IWebhookFunctions } from 'n8n-workflow';

import { isLoopback } from '../../api/address.ts';
import type { Delivery } from '../../api/signature/verifier.ts';

/** What the trigger uses of n8n's request, which is one of Express. */
interface WebhookRequest {
	headers: Delivery['headers'];
	/** The bytes as they were sent, but decompressed. */
	rawBody?: Buffer;
	readRawBody(): Promise<void>;
}

/** The bytes as they were sent, which signatures cover, and the headers. No bytes if n8n cannot give them. Never throws. */
export async function readRequest(context: IWebhookFunctions): Promise<Delivery & { body: Buffer }> {
	const request = context.getRequestObject() as WebhookRequest;
	// Above type version 1, n8n reads a body of an unknown content type only on request. It throws if it has read a multipart body
	// already, or cannot decompress the body. An error here would start an execution.
	await request.readRawBody().catch(() => {});
	return { headers: request.headers, body: request.rawBody ?? Buffer.alloc(0) };
}

/** Whether the address lacks https. An address on this machine is for trying out and needs none. */
export function lacksHttps(address = ''): boolean {
	if (!URL.canParse(address)) return true;
	const { protocol, hostname } = new URL(address);
	return protocol !== 'https:' && !isLoopback(hostname);
}
