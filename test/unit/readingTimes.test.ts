/** The trigger reads or refuses any body in time. */
import { spawnSync } from 'node:child_process';

/** Measured in a process of its own: within Jest, JSON.parse takes several times as long as within n8n. */
const program = spawnSync(process.execPath, ['test/unit/readingTimes.ts'], { encoding: 'utf8' });
const { plain, times } = JSON.parse(program.stdout) as {
	plain: number;
	times: Array<{ name: string; kilobyte: number; megabyte: number }>;
};

test('there are times of all bodies', () => expect(times).toHaveLength(27));

test.each(times)('$name is read in time', ({ kilobyte, megabyte }) => {
	expect(kilobyte).toBeLessThan(plain);
	expect(megabyte).toBeLessThan(15 * plain);
});
