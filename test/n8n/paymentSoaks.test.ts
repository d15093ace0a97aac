/** Short forms of the soaks of payments that need n8n. */
import { judged } from '../../bench/payments/lines.ts';
import { payInPairs } from '../../bench/payments/pairs.ts';
import { prepare } from '../../bench/payments/payer.ts';
import { payAndKill, SHORT as KILLS } from '../../bench/soak/paymentKills.ts';
import { SHORT as PAIRS } from '../../bench/soak/paymentPairs.ts';
import { retryAll } from '../../bench/soak/paymentRetries.ts';
import { useStack } from './setup.ts';

jest.setTimeout(400_000);

const stack = useStack();

beforeAll(async () => await prepare(stack));

test('two executions with the same keys at the same instant in one process: each key is paid once', async () => {
	const { line } = await payInPairs(stack, PAIRS);
	expect(judged([line]).misses).toEqual([]);
	expect(line).toMatchObject({ asked: 2 * PAIRS, paid: 2 * PAIRS });
});

test('"Retry execution" chosen three times, also for the old execution and while a retry runs, pays nothing twice', async () => {
	// The soak has all causes of a failure with all ways to choose retries.
	expect(judged(await retryAll(stack, 10)).misses).toEqual([]);
});

// The last test, because n8n does not run after it.
test('n8n is killed while it pays by key: the next execution pays or names each key, and pays none twice', async () => {
	const line = await payAndKill(stack, KILLS);
	expect(judged([line]).misses).toEqual([]);
	expect(line.asked).toBe(KILLS.batch);
});
