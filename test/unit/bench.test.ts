/** What `npm run bench` measures and writes, as far as it needs no n8n. `npm run nightly` runs the rest. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

test('in the file of the results a section replaces only that of its title, and says what it missed', () => {
	const folder = mkdtempSync(join(tmpdir(), 'wallet-service-results-'));
	const file = join(folder, 'results.md');
	const printed = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
	try {
		writeFileSync(file, '# Measurements\n\n## Before\n\nBy hand.\n');
		const misses = [0.25, 0.5, 0.75].map((speed, index) => {
			const report = new Report({ title: index === 1 ? 'Second' : 'First', how: 'By a stopwatch.' });
			report.table('Speed', ['cold', 'warm', 'off']);
			// What was not measured is empty, and misses no target.
			report.row('km/h', [speed, 1, NaN], 2, atLeast(1));
			report.write(file);
			return report.misses;
		});
		expect(misses[1]).toEqual(['Second: Speed: km/h: cold: 0.50, target >= 1']);
		const text = readFileSync(file, 'utf8');
		const headings = ['# Measurements', '## Before', '## First', '### Speed', '## Second', '### Speed'];
		expect(text.match(/^#+ .*$/gm)).toEqual(headings);
		expect(text.match(/^\| km.*$/gm)).toEqual([
			'| km/h | 0.75 **missed** | 1.00 |  | >= 1 |',
			'| km/h | 0.50 **missed** | 1.00 |  | >= 1 |',
		]);
	} finally {
		printed.mockRestore();
		rmSync(folder, { recursive: true });
	}
});
