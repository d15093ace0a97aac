/**
 * The unit and headless tests as one file, so that the modules are loaded once for each change of Stryker. Those that take seconds
 * come last: a faster test notices most changes.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/**
 * Tests that read sources as text fail with every change, and tests that start programs notice none. Nothing of the desk is changed, and
 * the model takes minutes for each change.
 */
const OTHERS =
	/unit.(?:bench|docs|examples|folders|forms|launcher|lint|package|paymentKeyModel|readingTimes|testkit|workflows|desk(?!BestContract)\w*)\.test\.ts$/;

const SLOW =
	/hostile|triggerOnce|Schedules|deduplication|payment.(?:key|settle|keyRows|outcome|dryRun)\.test/;

const files = globSync('test/{unit,headless}/**/*.test.ts', { cwd: ROOT })
	.filter((file) => !OTHERS.test(file))
	.toSorted((one, other) => Number(SLOW.test(one)) - Number(SLOW.test(other)) || (one < other ? -1 : 1));

for (const file of files) {
	describe(file, () => {
		try {
			jest.requireActual(join(ROOT, file));
		} catch (error) {
			// Without a test that fails, Stryker would count the change as one that no test notices.
			test('cannot be loaded', () => {
				throw error;
			});
		}
	});
}
