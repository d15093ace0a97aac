/** The file that `npm run bench` writes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Report } from '../../bench/results.ts';
import type { Row } from '../../bench/results.ts';

const folder = mkdtempSync(join(tmpdir(), 'wallet-service-results-'));
const file = join(folder, 'results.md');

beforeEach(() => jest.spyOn(process.stdout, 'write').mockReturnValue(true));
afterEach(() => jest.restoreAllMocks());
afterAll(() => rmSync(folder, { recursive: true }));

function write(title: string, group: string, row: Row): Report {
	const report = new Report({ title, how: 'By a stopwatch.' });
	if (group !== '') report.group(group);
	report.row(row);
	report.write(file);
	return report;
}

test('a section of the results replaces only the section of the same title', () => {
	for (const [title, figure] of [
		['First', 'one'],
		['Second', 'two'],
		['First', 'three'],
	] as const) {
		const { misses } = write(title, '', { what: 'speed', figure, target: '> 1', met: false });
		expect(misses).toEqual([`${title}: speed: ${figure}, target > 1`]);
	}
	const text = readFileSync(file, 'utf8');
	expect(text.match(/^#+ .*$/gm)).toEqual(['# Measurements', '## First', '## Second']);
	expect(text).toContain('| speed | three | > 1 | **missed** |');
	expect(text).toContain('| speed | two | > 1 | **missed** |');
	expect(text).not.toContain('| one |');
});

test('the file opens with ten lines of figures from its tables: what a user gains and what it costs', () => {
	const ratio = { what: 'deliveries/s, ours to Null Trigger', figure: '0.941' };
	write('Trigger', '8 clients with another setting', { ...ratio, figure: '0.5' });
	write('Trigger', '8 clients', ratio);
	write('Weight', '', { what: "n8n's whole start, s", figure: '5.23 with, 5.28 without' });
	write('Weight', '', { what: 'time to load the package', figure: '14.8 ms (fastest 13.5 ms)' });
	const [opening = ''] = readFileSync(file, 'utf8').split(/^## /m);
	expect(opening.match(/^- /gm)).toHaveLength(10);
	expect(opening).toContain('- A delivery: 0.941 of the rate of a trigger that does nothing.');
	// The last writing of the section has only one of the two figures.
	expect(opening).toContain("- n8n's start: not measured yet.");
});
