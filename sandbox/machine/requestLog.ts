/** An API request as received, with secrets redacted. */
interface LoggedRequest {
	at: string;
	method: string;
	path: string;
	/** `[redacted]` replaces the key and the signature. */
	headers: Record<string, string>;
	/** The exact text of the body; '' if there was none. */
	body: string;
	/** HTTP status of the response; 0: the connection was closed without one; null: not answered yet. */
	status: number | null;
}

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

	add({ method, url, headers }: Request, body: string, at: string): LoggedRequest {
		const { pathname, search } = new URL(url);
		const shown = Object.fromEntries<string>(headers);
		for (const name of ['x-svc-key', 'x-svc-signature'])
			if (Object.hasOwn(shown, name)) shown[name] = '[redacted]';
		const entry = { at, method, path: pathname + search, headers: shown, body, status: null };
		this.#requests.push(entry);
		if (this.#requests.length > this.#length) this.#requests.shift();
		return entry;
	}

	clear(): void {
		this.#requests = [];
	}
}
