/** Reads go out again when a busy service asks to wait. A change does not: it could be done twice. */
import { sleep } from 'n8n-workflow';

import type { CallResult } from '../result.ts';
import { notSent } from '../answers/failure.ts';
import { UNSENT } from '../answers/messages.ts';

/** Retries after 429 with Retry-After. */
const MOST_RETRIES = 5;
/** The longest wait before a retry. */
const MOST_SECONDS = 60;

/** Makes a call, and again as long as the service asks to wait. `stop` ends the wait, and lets no call begin. */
export async function sendPatiently(
	send: () => Promise<CallResult>,
	stop: AbortSignal | undefined,
): Promise<CallResult> {
	const isStopped = () => stop?.aborted === true;
	if (isStopped()) return { ok: false, failure: notSent(UNSENT.runStopped()) };
	let answer = await send();
	for (let retries = 0; retries < MOST_RETRIES && !answer.ok; retries += 1) {
		const { retryAfter } = answer.failure;
		if (retryAfter === undefined || retryAfter > MOST_SECONDS) break;
		await sleep(retryAfter * 1000, stop).catch(() => {});
		if (isStopped()) break;
		answer = await send();
	}
	return answer;
}
