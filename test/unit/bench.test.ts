/** What `npm run bench` measures and writes, as far as it needs no n8n. test/n8n/bench.test.ts has the rest. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CATALOG } from '../../api/catalog.ts';
import { EVENTS } from '../../api/events.ts';
import { Report } from '../../bench/results.ts';
import type { Row } from '../../bench/results.ts';
import { NODE_OPTIONS } from '../../bench/shared/childNode.ts';

test('every kind of event and every operation has its cost', () => {
	// In a process of its own, because each figure collects all garbage, and the heap of Jest is large.
	const { stdout, stderr } = spawnSync(
		process.execPath,
		[...NODE_OPTIONS, 'bench/bench.ts', 'cost', '--short'],
		{ encoding: 'utf8' },
	);
	const figures = [...stdout.matchAll(/ ([\d.]+) µs, ([\d.]+) KiB allocated/g)];
	const sizes = { memory: 2, run: 3 };
	expect({ figures: figures.length, stderr }).toMatchObject({
		figures: Object.keys(EVENTS).length + CATALOG.length + sizes.memory + sizes.run,
	});
	for (const [, microseconds, kibibytes] of figures) {
		expect(Number(microseconds)).toBeLessThan(10_000);
		expect(Number(kibibytes)).toBeGreaterThan(0);
	}
});

describe('the file of the results', () => {
	const folder = mkdtempSync(join(tmpdir(), 'wallet-service-results-'));
	const file = join(folder, 'results.md');
	beforeEach(() => jest.spyOn(process.stdout, 'write').mockReturnValue(true));
	afterEach(() => jest.restoreAllMocks());
	afterAll(() => rmSync(folder, { recursive: true }));

	/** Writes a section of one row. Returns the targets that it misses. */
	function write(title: string, row: Row, group?: string): string[] {
		const report = new Report({ title, how: 'By a stopwatch.' });
		if (group !== undefined) report.group(group);
		report.row(row);
		report.write(file);
		return report.misses;
	}

	test('a section replaces only the section of the same title', () => {
		const speed = (figure: string) => ({ what: 'speed', figure, target: '> 1', met: false });
		write('First', speed('one'));
		write('Second', speed('two'));
		expect(write('First', speed('three'))).toEqual(['First: speed: three, target > 1']);
		const text = readFileSync(file, 'utf8');
		expect(text.match(/^#+ .*$/gm)).toEqual(['# Measurements', '## First', '## Second']);
		expect(text.match(/^\| speed .*$/gm)).toEqual([
			'| speed | three | > 1 | **missed** |',
			'| speed | two | > 1 | **missed** |',
		]);
	});

	test('the file opens with ten lines of figures from its tables: what a user gains and what it costs', () => {
		const ratio = { what: 'deliveries/s, ours to Null Trigger', figure: '0.941' };
		write('Trigger', ratio, '8 clients');
		write('Weight', { what: 'time to load the package', figure: '14.8 ms (fastest 13.5 ms)' });
		const [opening = ''] = readFileSync(file, 'utf8').split(/^## /m);
		expect(opening.match(/^- /gm)).toHaveLength(10);
		expect(opening).toContain('- A delivery: 0.941 of the rate of a trigger that does nothing.');
		expect(opening).toContain("- n8n's start: not measured yet.");
	});
});
