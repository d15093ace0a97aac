/** The wait for an answer, in n8n 2.0, whose `sleep` does not know a signal. */
import { setImmediate } from 'node:timers/promises';
import { Stopwatch } from '../../api/deadline.ts';
import { loadAlone } from './processes.ts';

let sleeps = 0;
const sleep = async () => {
	sleeps += 1;
	await setImmediate();
};

/** In n8n 2.0. */
const load = async () =>
	await loadAlone(
		Object.assign({}, jest.requireActual('n8n-workflow'), { sleep }),
		async () => await import('../../nodes/shared/http/inTime.ts'),
	);

test('when the answer has come, nothing waits any more', async () => {
	const { answerInTime } = await load();
	const limit = { since: new Stopwatch(), beginWithin: 300_000, endWithin: 300_000 };
	const aborted: unknown[] = [];
	const answer = await answerInTime(limit, undefined, async (deadline) => {
		deadline.addEventListener('abort', () => aborted.push(deadline.reason));
		return await Promise.resolve('answer');
	});
	expect(answer).toBe('answer');
	const before = sleeps;
	for (let turns = 0; turns < 20; turns += 1) await setImmediate();
	expect(sleeps - before).toBeLessThanOrEqual(1);
});
