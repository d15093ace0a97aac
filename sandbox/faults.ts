/** Failures on demand: what `/_sandbox/faults` takes, and what then becomes of a request. */
import { z } from 'zod/v4';
import { Refusal } from './refusal.ts';
import { integer, text } from './requests.ts';
import type { Tasks } from './tasks.ts';

const kinds = {
	status: integer(400, 599).optional(),
	delayMs: integer(0, 600_000).optional(),
	dropBefore: z.literal(true).optional(),
	dropAfter: z.literal(true).optional(),
	malformed: z
		.union([z.literal(true), text])
		.optional()
		.meta({
			description: 'Instead of the answer: true for a page of HTML, or the text of a JSON body',
		}),
};

export const FAULT = z
	.strictObject({
		route: text.meta({
			description: 'Method and path, or * for every route',
			examples: ['POST /v1/fiat_payout'],
		}),
		times: integer(1, 1_000_000).default(1).meta({ description: 'How many requests it befalls' }),
		skip: integer(0, 1_000_000).default(0).meta({ description: 'How many requests pass before that' }),
		...kinds,
		acted: z.boolean().default(false).meta({
			description: 'With status: the request is carried out before it is answered so',
		}),
		retryAfter: integer(0, 86_400).optional().meta({ description: 'With status: seconds, for Retry-After' }),
	})
	.superRefine((fault, context) => {
		const named = Object.keys(kinds).filter((kind) => fault[kind as keyof typeof kinds] !== undefined);
		if (named.length === 1) return;
		context.addIssue({ code: 'custom', message: `A fault has one of ${Object.keys(kinds).join(', ')}` });
	})
	.meta({ examples: [{ route: 'POST /v1/fiat_payout', status: 503 }] });

export type Fault = z.output<typeof FAULT>;

export class Faults {
	#faults: Fault[] = [];

	add(fault: Fault): void {
		this.#faults.push(fault);
	}

	/** Those that are still to come. */
	all(): Fault[] {
		return this.#faults;
	}

	clear(): void {
		this.#faults = [];
	}

	/** The fault that befalls a request for this route, if any; counts it. Those after it wait for their turn. */
	take(route: string): Fault | undefined {
		const index = this.#faults.findIndex((fault) => fault.route === route || fault.route === '*');
		if (index === -1) return undefined;
		const fault = this.#faults[index];
		if (fault.skip > 0) {
			this.#faults = this.#faults.with(index, { ...fault, skip: fault.skip - 1 });
			return undefined;
		}
		const rest = fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : [];
		this.#faults = this.#faults.toSpliced(index, 1, ...rest);
		return fault;
	}
}

/**
 * The answer to a request that a fault befalls. `act` carries the request out and gives the answer it should have had.
 * A dropped connection is a network error (`Response.error()`), which the server turns into a closed socket.
 */
export async function applyFault(fault: Fault, act: () => Response, tasks: Tasks): Promise<Response> {
	if (fault.dropBefore) return Response.error();
	if (fault.status !== undefined) {
		if (fault.acted) act();
		return failure(fault.status, fault.retryAfter);
	}
	const answer = act();
	if (fault.delayMs !== undefined) {
		await tasks.sleep(fault.delayMs);
		return answer;
	}
	if (fault.dropAfter) return Response.error();
	if (fault.malformed === true) return html(200, 'Welcome', {});
	return new Response(fault.malformed, { headers: { 'content-type': 'application/json' } });
}

/** From 500 on a page, as a proxy in front of the service would send it; below, the sandbox's error body. */
function failure(status: number, retryAfter: number | undefined): Response {
	const headers: Record<string, string> =
		retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
	if (status >= 500) return html(status, 'Something went wrong', headers);
	const message = 'This failure was asked for through /_sandbox/faults';
	return Response.json(new Refusal(status, 'fault', message).body, { status, headers });
}

function html(status: number, title: string, headers: Record<string, string>): Response {
	const page = `<!doctype html><title>${title}</title><h1>${title}</h1>`;
	return new Response(page, { status, headers: { ...headers, 'content-type': 'text/html' } });
}
