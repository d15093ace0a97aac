/** Failures on demand that wait for their requests. */
export interface Fault {
	/** Method and path, or * for every route. */
	route: string;
	/** How many requests fail. */
	times: number;
	/** How many requests succeed before the first one fails. */
	skip: number;
	/** Only with status and answer: the request is carried out before it is answered so. */
	acted: boolean;
	/** Only with status: the Retry-After header, in seconds. */
	retryAfter?: number;

	// One of these.
	status?: number;
	delayMs?: number;
	dropBefore?: true;
	dropAfter?: true;
	malformed?: true;
	/** A text is sent as it is, anything else as JSON. */
	answer?: { status: number; body: unknown };
	/** What one unit brings after the fee, whatever the contract says. */
	appliedRate?: string;
}

export class Faults {
	#faults: Fault[] = [];
	#changes = 0;

	/** A number that is another one after each change. */
	get changes(): number {
		return this.#changes;
	}

	add(fault: Fault): void {
		this.#changes += 1;
		this.#faults.push(fault);
	}

	/** The faults that are still pending. */
	all(): Fault[] {
		return this.#faults;
	}

	clear(): void {
		this.#changes += 1;
		this.#faults = [];
	}

	/** The fault of a request for this route, if any. Counts the request against the first matching fault only. */
	take(route: string): Fault | undefined {
		const fault = this.#faults.find((each) => each.route === route || each.route === '*');
		if (fault === undefined) return undefined;
		this.#changes += 1;
		if (fault.skip > 0) {
			fault.skip -= 1;
			return undefined;
		}
		fault.times -= 1;
		if (fault.times === 0) this.#faults = this.#faults.filter((each) => each !== fault);
		return fault;
	}
}
