/** The short form of `npm run bench -- cost`: it checks that every cost is measured, not how fast this machine is. */
import { spawnSync } from 'node:child_process';
import { CATALOG } from '../../api/catalog.ts';
import { EVENTS } from '../../api/events.ts';
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
