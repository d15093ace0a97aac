/** A request that the sandbox refuses. The document shows no error body: status, code and message are invented. */
export class Refusal extends Error {
	readonly status: number;
	readonly code: string;
	/** The request field or header to correct. */
	readonly field?: string;

	constructor(status: number, code: string, message: string, field?: string) {
		super(message);
		this.status = status;
		this.code = code;
		this.field = field;
	}
}

/** Bodies that services send with an error. Tests choose one, because the document shows none. */
export const ERROR_BODIES = {
	nested: ({ code, message, field }) => ({ error: { code, message, field } }),
	flat: ({ message }) => ({ message }),
	text: ({ message }) => ({ error: message }),
	list: ({ code, message }) => ({ errors: [{ code, detail: message }] }),
	/** RFC 9457. */
	problem: ({ status, code, message }) => ({ type: 'about:blank', title: code, status, detail: message }),
} satisfies Record<string, (refusal: Refusal) => object>;

export type ErrorShape = keyof typeof ERROR_BODIES;

export function notFound(message: string, field?: string): Refusal {
	return new Refusal(404, 'not_found', message, field);
}

/** The response to a caught Refusal. Any other error is thrown again. */
export function refusalResponse(
	error: unknown,
	{ shape = 'nested', headers }: { shape?: ErrorShape; headers?: Record<string, string> } = {},
): Response {
	if (!(error instanceof Refusal)) throw error;
	return Response.json(ERROR_BODIES[shape](error), { status: error.status, headers });
}
