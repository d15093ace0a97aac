/** An API request as it arrived, without its secrets. */
export interface LoggedRequest {
	at: string;
	method: string;
	path: string;
	/** With the key and the signature replaced by `[redacted]`. */
	headers: Record<string, string>;
	/** The body's text, digit for digit; '' when there was none. */
	body: string;
	/** HTTP status of the answer; 0 when the connection was closed without one, null when none has been given yet. */
	status: number | null;
}

const SECRET = ['x-svc-key', 'x-svc-signature'];

/** The last requests to `/v1`, in memory only. */
export class RequestLog {
	readonly #length: number;
	#requests: LoggedRequest[] = [];

	constructor(length: number) {
		this.#length = length;
	}

	/** Oldest first. */
	all(): LoggedRequest[] {
		return this.#requests;
	}

	add(request: Request, body: string, at: string): LoggedRequest {
		const { pathname, search } = new URL(request.url);
		const headers = [...request.headers].map(([name, value]) => [
			name,
			SECRET.includes(name) ? '[redacted]' : value,
		]);
		const entry: LoggedRequest = {
			at,
			method: request.method,
			path: pathname + search,
			headers: Object.fromEntries(headers),
			body,
			status: null,
		};
		this.#requests.push(entry);
		if (this.#requests.length > this.#length) this.#requests.shift();
		return entry;
	}

	clear(): void {
		this.#requests = [];
	}
}
