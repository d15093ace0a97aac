/** An answer that says no. The document shows no error body: status, code and message are made up. */
export class Refusal extends Error {
	readonly status: number;
	readonly code: string;
	readonly field?: string;

	constructor(status: number, code: string, message: string, field?: string) {
		super(message);
		this.status = status;
		this.code = code;
		this.field = field;
	}

	/** The JSON body of the answer. */
	get body() {
		return { error: { code: this.code, message: this.message, field: this.field } };
	}
}

export function notFound(message: string, field?: string): Refusal {
	return new Refusal(404, 'not_found', message, field);
}
