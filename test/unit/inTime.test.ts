/** The wait for an answer, in n8n 2.0, whose `sleep` does not know a signal. */
import { setImmediate } from 'node:timers/promises';
import { Stopwatch } from '../../api/deadline.ts';
import { answerInTime } from '../../nodes/shared/http/inTime.ts';

let sleeps = 0;
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async () => {
		sleeps += 1;
		await setImmediate();
	},
}));

test('when the answer has come, nothing waits any more', async () => {
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
