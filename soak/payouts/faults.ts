/** The faults of the service that payouts meet. */
import type { Json } from '../../host/n8n/client.ts';

/** Milliseconds that the node waits for an answer. */
export const TIMEOUT_MS = 1000;
/** Milliseconds that a delayed answer takes. */
const DELAY_MS = 2000;

export interface Fault {
	/** For the sandbox's control; none if the connection is refused. */
	control?: Json;
	/** Whether the service pays. */
	acted: boolean;
	/** Whether the node cannot know that. */
	unknown: boolean;
}

/** Nothing listens, so no request is made. */
export const REFUSED = 'refused';
export const NONE = 'none';

/** By the name in the table of results. A fault meets the first request for a payout. */
export const FAULTS: Record<string, Fault> = {
	[REFUSED]: { acted: false, unknown: false },
	dropBefore: { control: { dropBefore: true }, acted: false, unknown: true },
	dropAfter: { control: { dropAfter: true }, acted: true, unknown: true },
	delay: { control: { delayMs: DELAY_MS }, acted: true, unknown: true },
	'HTTP 500, a page': { control: { status: 500 }, acted: false, unknown: true },
	'HTTP 500, but paid': { control: { status: 500, acted: true }, acted: true, unknown: true },
	'HTTP 200, a page': { control: { malformed: true }, acted: true, unknown: true },
	'HTTP 401': { control: { status: 401 }, acted: false, unknown: false },
	'HTTP 409': { control: { status: 409 }, acted: false, unknown: true },
	'HTTP 422': { control: { status: 422 }, acted: false, unknown: false },
	'HTTP 429': { control: { status: 429, retryAfter: 1 }, acted: false, unknown: false },
};
