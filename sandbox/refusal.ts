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

	/** The JSON body of the response. */
	get body() {
		return { error: { code: this.code, message: this.message, field: this.field } };
	}
}

export function notFound(message: string, field?: string): Refusal {
	return new Refusal(404, 'not_found', message, field);
}

/** The response to a caught Refusal. Any other error is thrown again. */
export function refusalResponse(error: unknown): Response {
	if (!(error instanceof Refusal)) throw error;
	return Response.json(error.body, { status: error.status });
}
