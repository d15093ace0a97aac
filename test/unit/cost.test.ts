/** The short form of `npm run bench -- cost`: that it measures everything, not how fast that is here. */
import * as cost from '../../bench/cost.ts';
import { Report } from '../../bench/results.ts';

test('every kind of event and every operation has its cost', async () => {
	const report = new Report(cost);
	await cost.run(report, { short: true });
	const figures = report.rows.map(({ figure }) => /^([\d.]+) µs, ([\d.]+) KiB allocated/.exec(figure)!);
	// 7 kinds, 2 sizes of the memory, 23 operations, 3 sizes of a run.
	expect(figures).toHaveLength(35);
	for (const [, microseconds, kibibytes] of figures) {
		expect(Number(microseconds)).toBeLessThan(10_000);
		expect(Number(kibibytes)).toBeGreaterThan(0);
	}
});
