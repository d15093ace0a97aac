/** Waits for the answer of a request until its deadline, and then ends the request: none stays under way that nobody waits for. */
import { OperationalError, sleep } from 'n8n-workflow';

import type { TimeLimit } from '../../../api/deadline.ts';

/** A timer knows one of the two clocks, so both are looked at this often. Milliseconds. */
const BETWEEN_LOOKS = 1000;

/**
 * The answer. Throws at the deadline, because a socket that stays busy never times out by itself; and at once when the execution is
 * stopped, because n8n stores a stopped execution without the error of a node that ends later.
 */
export async function answerInTime<T>(
	limit: TimeLimit,
	stop: AbortSignal | undefined,
	ask: (deadline: AbortSignal) => Promise<T>,
): Promise<T> {
	const answered = new AbortController();
	const deadline = new AbortController();
	return await new Promise((resolve, reject) => {
		const endAs = (code: string) =>
			reject(Object.assign(new OperationalError('No answer in time'), { code }));
		const onStop = () => endAs('ERR_CANCELED');
		stop?.addEventListener('abort', onStop, { once: true });
		const atDeadline = () => {
			endAs('ETIMEDOUT');
			deadline.abort();
		};
		untilOver(limit, answered.signal).then(atDeadline, () => {});
		ask(deadline.signal)
			.then(resolve, reject)
			.finally(() => {
				stop?.removeEventListener('abort', onStop);
				answered.abort();
			});
	});
}

/** Older n8n does not end a sleep with its signal, so that is looked at, too. */
async function untilOver({ since, endWithin }: TimeLimit, answered: AbortSignal): Promise<void> {
	const left = () => (answered.aborted ? 0 : endWithin - since.most);
	while (left() > 0) await sleep(Math.min(left(), BETWEEN_LOOKS), answered);
}
