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
	expect(figures).toHaveLength(8);
	for (const [, microseconds] of figures) {
		expect(Number(microseconds)).toBeGreaterThan(0);
		expect(Number(microseconds)).toBeLessThan(10_000);
	}
});

describe('the file of the results', () => {
	const folder = mkdtempSync(join(tmpdir(), 'wallet-service-results-'));
	const file = join(folder, 'results.md');

	beforeEach(() => rmSync(file, { force: true }));
	beforeEach(() => jest.spyOn(process.stdout, 'write').mockReturnValue(true));
	afterEach(() => jest.restoreAllMocks());
	afterAll(() => rmSync(folder, { recursive: true }));

	function reportOn(title: string, table = '', columns?: string[]): Report {
		const report = new Report({ title, how: 'By a stopwatch.' });
		report.table(table, columns);
		return report;
	}

	test('a section replaces only the section of the same title', () => {
		writeFileSync(file, '# Measurements\n\n## Before\n\nBy hand.\n');
		for (const [title, speed] of [
			['First', 0.25],
			['Second', 0.5],
			['First', 0.75],
		] as const) {
			const report = reportOn(title, 'Speed', ['cold', 'warm']);
			report.row('km/h', [speed, 1], 2, atLeast(1));
			report.write(file);
			expect(report.misses).toEqual([`${title}: Speed: km/h: cold: ${speed.toFixed(2)}, target >= 1`]);
		}
		const text = readFileSync(file, 'utf8');
		expect(text.match(/^#+ .*$/gm)).toEqual([
			...['# Measurements', '## Before', '## First', '### Speed', '## Second', '### Speed'],
		]);
		expect(text).toContain('|  | cold | warm | target |');
		expect(text).toContain('| km/h | 0.75 **missed** | 1.00 | >= 1 |');
		expect(text).toContain('| km/h | 0.50 **missed** | 1.00 | >= 1 |');
		expect(text).not.toContain('0.25');
	});

	test('a cell that was not measured is empty, and misses no target', () => {
		const report = reportOn('Gaps', '', ['one', 'other']);
		report.row('km/h', [NaN, 2], 0, atLeast(1));
		report.write(file);
		expect(report.misses).toEqual([]);
		expect(readFileSync(file, 'utf8')).toContain('| km/h |  | 2 | >= 1 |');
	});
});
