/** What `npm run bench` says and writes. `npm run nightly` measures in short form. */
import { atLeast, Report, withPart } from '../../bench/results.ts';

const printed = () => jest.spyOn(process.stdout, 'write').mockReturnValue(true);
afterEach(() => jest.restoreAllMocks());

test('a figure that misses its target is named, and one that was not measured misses none', () => {
	printed();
	const report = new Report({ title: 'Receivers', how: 'By a stopwatch.' });
	report.table('Speed', ['cold', 'warm', 'off']);
	report.row('km/h', [0.5, 1, NaN], 2, atLeast(1));
	expect(report.misses).toEqual(['Receivers: Speed: km/h: cold: 0.50, target >= 1']);
});

describe('the file of results', () => {
	const partOf = (title: string, kmh: number) => {
		printed();
		const report = new Report({ title, how: 'By a stopwatch.' });
		report.table('');
		report.row('km/h', [kmh], 0);
		report.means(`it goes at ${kmh} km/h.`);
		return report.part;
	};
	const write = (file: string, titles: string[], title: string, kmh: number) =>
		withPart(file, titles, partOf(title, kmh), 'How.');

	test('begins with what each part means, in the order of the benches, whichever was measured first', () => {
		const both = write(write('', ['Fast', 'Slow'], 'Slow', 3), ['Fast', 'Slow'], 'Fast', 90);
		expect(both).toMatch(
			/^# Measurements\n\n- \*\*Fast:\*\* it goes at 90 km\/h\.\n- \*\*Slow:\*\* it goes at 3 km\/h\.\n\nHow\.\n\n## Fast\n/,
		);
		expect(both).toMatch(/\n## Fast\n[^#]*\|km\/h\|90\|\n\n## Slow\n[^#]*\|km\/h\|3\|\n$/);
	});

	test('has a new part in place of the old one, and none of a bench that is gone', () => {
		const first = write(write('', ['Slow', 'Gone'], 'Slow', 3), ['Slow', 'Gone'], 'Gone', 1);
		const second = write(first, ['Slow'], 'Slow', 4);
		expect(second).toBe(write('', ['Slow'], 'Slow', 4));
	});
});
