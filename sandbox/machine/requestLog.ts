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
	/** The ID of the payout or conversion that it made, or whose first answer it got. */
	made?: string;
	/** Of such a request only: when and with which text it was answered. */
	answeredAt?: string;
	answer?: string;
}

/** The last requests to `/v1`, in memory only. */
export class RequestLog {
	readonly #length: number;
	#requests: LoggedRequest[] = [];
	#changes = 0;

	constructor(length: number) {
		this.#length = length;
	}

	/** A number that is another one after each answer to a request that has made something. */
	get changes(): number {
		return this.#changes;
	}

	/** Oldest first. */
	all(): LoggedRequest[] {
		return this.#requests;
	}

	/** Adds the answer to an entry. */
	async answered(entry: LoggedRequest, response: Response, now: () => string): Promise<void> {
		entry.status = response.status;
		if (entry.made === undefined) return;
		entry.answer = await response.clone().text();
		entry.answeredAt = now();
		this.#changes += 1;
	}

	add({ method, url, headers }: Request, body: string, at: string): LoggedRequest {
		const { pathname, search } = new URL(url);
		const shown = Object.fromEntries<string>(headers);
		for (const name of ['x-svc-key', 'x-svc-signature'])
			if (Object.hasOwn(shown, name)) shown[name] = '[redacted]';
		const entry: LoggedRequest = { at, method, path: pathname + search, headers: shown, body, status: null };
		this.#requests.push(entry);
		if (this.#requests.length > this.#length) this.#requests.shift();
		return entry;
	}

	clear(): void {
		this.#requests = [];
	}
}
