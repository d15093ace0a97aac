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

export function notFound(message: string, field?: string): Refusal {
	return new Refusal(404, 'not_found', message, field);
}

export function invalid(message: string, field?: string): Refusal {
	return new Refusal(400, 'invalid_request', message, field);
}

/** The response to a caught Refusal. Any other error is thrown again. */
export function refusalResponse(error: unknown, headers?: Record<string, string>): Response {
	if (!(error instanceof Refusal)) throw error;
	const { status, code, message, field } = error;
	return Response.json({ error: { code, message, field } }, { status, headers });
}
