/** The trigger reads or refuses any body in time. */
import { spawnSync } from 'node:child_process';

/** Measured in a process of its own: within Jest, JSON.parse takes several times as long as within n8n. */
const program = spawnSync(process.execPath, ['test/unit/readingTimes.ts'], { encoding: 'utf8' });
const times = JSON.parse(program.stdout) as Array<{ name: string; kilobyte: number; megabyte: number }>;

test('there are times of all bodies', () => expect(times).toHaveLength(27));

test.each(times)('$name: 1 KB takes 3 ms at most, 1 MB 60 ms', ({ kilobyte, megabyte }) => {
	expect(kilobyte).toBeLessThan(3);
	expect(megabyte).toBeLessThan(60);
});
