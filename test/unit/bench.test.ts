/** What `npm run bench` measures and writes, as far as it needs no n8n. `npm run nightly` runs the rest. */
import { spawnSync } from 'node:child_process';
import { EVENTS } from '../../api/events.ts';
import { atLeast, Report } from '../../bench/results.ts';

test('every cost is measured, that of each kind of event included', () => {
	// In a process of its own, where Jest does not load the published code in its own way.
	const args = ['bench/bench.ts', 'cost', '--short'];
	const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
	expect(`${stdout}${stderr}`).toContain(`the dearest of ${Object.keys(EVENTS).length} kinds`);
	const figures = [...stdout.matchAll(/ ([\d.]+)(?: \*\*missed\*\*)?(?: {3}\(target: .*\))?$/gm)];
	expect(figures).toHaveLength(6);
	for (const [, microseconds] of figures) {
		expect(Number(microseconds)).toBeGreaterThan(0);
		expect(Number(microseconds)).toBeLessThan(10_000);
	}
});

test('a figure that misses its target is named, and one that was not measured misses none', () => {
	const printed = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
	const report = new Report({ title: 'Receivers', how: 'By a stopwatch.' });
	report.table('Speed', ['cold', 'warm', 'off']);
	report.row('km/h', [0.5, 1, NaN], 2, atLeast(1));
	printed.mockRestore();
	expect(report.misses).toEqual(['Receivers: Speed: km/h: cold: 0.50, target >= 1']);
});
