/** Reads go out again after a fault that passes. A change does not: it could be done twice. */
import { sleep } from 'n8n-workflow';

import type { TimeLimit } from '../../../api/deadline.ts';
import { notSent } from '../answers/failure.ts';
import { UNSENT } from '../answers/messages.ts';
import type { CallResult, Failure } from '../result.ts';

/** Retries after 429 with Retry-After, and the longest wait before one, in seconds. */
const MOST_RETRIES = 5;
const MOST_SECONDS = 60;

/** Answers of a gateway whose service starts or is busy, and the code of a connection that was closed. */
const PASSING_STATUSES = [502, 503, 504];
const PASSING_CODES = ['ECONNRESET'];
/** Seconds before each retry after such a fault. */
const WAITS = [0.25, 1];

/** Makes a call, and again after a fault that passes and within its time. `stop` ends the wait, and lets no call begin. */
export async function sendWithRetry(
	send: () => Promise<CallResult>,
	stop: AbortSignal | undefined,
	within?: TimeLimit,
): Promise<CallResult> {
	const isStopped = () => stop?.aborted === true;
	if (isStopped()) return { ok: false, failure: notSent(UNSENT.runStopped()) };
	let answer = await send();
	for (let retries = 0; !answer.ok; retries += 1) {
		const seconds = waitAfter(answer.failure, retries);
		if (seconds === undefined || (within !== undefined && seconds * 1000 > timeLeft(within))) break;
		await sleep(seconds * 1000, stop).catch(() => {});
		if (isStopped()) break;
		answer = await send();
	}
	return answer;
}

function timeLeft({ since, beginWithin }: TimeLimit): number {
	return beginWithin - since.most;
}

/** Seconds to wait before the next try; undefined: there is none. */
function waitAfter({ retryAfter, httpStatus, details }: Failure, retries: number): number | undefined {
	if (retryAfter !== undefined)
		return retries < MOST_RETRIES && retryAfter <= MOST_SECONDS ? retryAfter : undefined;
	const { code } = Object(details) as { code?: unknown };
	const isClosed = httpStatus === undefined && PASSING_CODES.includes(String(code));
	return isClosed || PASSING_STATUSES.includes(httpStatus ?? 0) ? WAITS[retries] : undefined;
}
