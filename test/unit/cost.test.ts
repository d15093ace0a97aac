/** A tiny form of `npm run bench -- cost`: it checks that every cost is measured, not how fast this machine is. */
import { CATALOG } from '../../api/catalog.ts';
import { EVENTS } from '../../api/events.ts';
import { costBench, measure, TINY } from '../../bench/cost/costBench.ts';
import { Report } from '../../bench/results.ts';

test('every kind of event and every operation has its cost', async () => {
	const report = new Report(costBench);
	await measure(report, TINY);
	const figures = report.rows.map(({ figure }) => /^([\d.]+) µs, ([\d.]+) KiB allocated/.exec(figure)!);
	const sizes = { memory: 2, run: 3 };
	expect(figures).toHaveLength(Object.keys(EVENTS).length + CATALOG.length + sizes.memory + sizes.run);
	for (const [, microseconds, kibibytes] of figures) {
		expect(Number(microseconds)).toBeLessThan(10_000);
		expect(Number(kibibytes)).toBeGreaterThan(0);
	}
});
