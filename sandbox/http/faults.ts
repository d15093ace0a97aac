/** Faults: the request of `POST /_sandbox/faults`, and the response of a faulty request. */
import { z } from 'zod/v4';
import type { Fault } from '../machine/faults.ts';
import type { Tasks } from '../machine/tasks.ts';
import { errorResponse } from './refusalResponse.ts';
import { anyAmount, integer, text } from './requests.ts';

/** Statuses whose responses have no body. */
const WITHOUT_BODY = [204, 205, 304];

const answer = z
	.strictObject({
		status: integer(200, 599).default(200),
		body: z.unknown().default(''),
	})
	.refine(({ status, body }) => body === '' || !WITHOUT_BODY.includes(status), {
		message: `has a body, which no response with ${WITHOUT_BODY.join(', ')} has`,
	});

/** The route of the conversion, which alone applies a rate. */
const CONVERSION = 'POST /v1/instant_conversion';

const kinds = {
	status: integer(400, 599).optional(),
	delayMs: integer(0, 600_000).optional(),
	dropBefore: z.literal(true).optional(),
	dropAfter: z.literal(true).optional(),
	malformed: z.literal(true).optional(),
	answer: answer.optional(),
	appliedRate: anyAmount.optional(),
};
const KINDS = Object.keys(kinds) as Array<keyof typeof kinds>;

export const FAULT: z.ZodType<Fault> = z
	.strictObject({
		route: text,
		times: integer(1, 1_000_000).default(1),
		skip: integer(0, 1_000_000).default(0),
		...kinds,
		acted: z.boolean().default(false),
		retryAfter: integer(0, 86_400).optional(),
	})
	.refine((fault) => KINDS.filter((kind) => fault[kind] !== undefined).length === 1, {
		message: `A fault has one of ${KINDS.join(', ')}`,
	})
	.refine(({ appliedRate, route }) => appliedRate === undefined || route === CONVERSION, {
		message: `appliedRate is a fault of ${CONVERSION} only`,
	});

/** The response to a faulty request. `Response.error()` means: close the connection without one. */
export async function applyFault(fault: Fault, execute: () => Response, tasks: Tasks): Promise<Response> {
	if (fault.dropBefore) return Response.error();
	if (fault.status !== undefined) {
		if (fault.acted) execute();
		return failure(fault);
	}
	if (fault.answer !== undefined) {
		if (fault.acted) execute();
		return givenResponse(fault.answer);
	}
	const response = execute();
	if (fault.appliedRate !== undefined) return response;
	if (fault.delayMs !== undefined) {
		await tasks.sleep(fault.delayMs);
		return response;
	}
	return fault.malformed ? htmlResponse(200, 'Welcome') : Response.error();
}

function givenResponse({ status, body }: NonNullable<Fault['answer']>): Response {
	if (typeof body !== 'string') return Response.json(body, { status });
	return new Response(body === '' ? null : body, { status });
}

/** Words of a refusal before anything was done. */
const REFUSALS: Record<number, string> = {
	400: 'invalid_request',
	401: 'unauthorized',
	403: 'forbidden',
	404: 'not_found',
	422: 'invalid_request',
	429: 'too_many_requests',
};

/** From 500 an HTML page, as a proxy in front of the service sends it; below 500 an error body. */
function failure({ status = 500, retryAfter, acted }: Fault): Response {
	const headers: Record<string, string> =
		retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
	if (status >= 500) return htmlResponse(status, 'Something went wrong', headers);
	const message = 'This failure was asked for through /_sandbox/faults';
	const code = acted ? 'fault' : (REFUSALS[status] ?? 'fault');
	return errorResponse(status, { code, message }, headers);
}

function htmlResponse(status: number, title: string, headers: Record<string, string> = {}): Response {
	const page = `<!doctype html><title>${title}</title><h1>${title}</h1>`;
	return new Response(page, { status, headers: { ...headers, 'content-type': 'text/html' } });
}
