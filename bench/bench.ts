/** The program behind `npm run bench -- [name …] [--short]`: runs the named measurements, or all of them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { entryOf } from '../host/testkit/lists.ts';
import { keyBench } from './keyBench.ts';
import { listBench } from './listBench.ts';
import { Report, withPart, type Bench } from './results.ts';
import { triggerBench } from './triggerBench.ts';

/** By the names on the command line, in the order of the file. */
const BENCHES: Record<string, Bench> = { list: listBench, key: keyBench, trigger: triggerBench };

const RESULTS = 'bench/results.md';
const HOW = '`npm run bench` writes this. Machines differ, so look at the ratios. Targets are in brackets.';

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		options: { short: { type: 'boolean', default: false } },
		allowPositionals: true,
	});
	const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
	const chosen = names.map((name) => entryOf(BENCHES, name));
	const titles = Object.values(BENCHES).map(({ title }) => title);
	const misses: string[] = [];
	for (const bench of chosen) {
		const report = new Report(bench);
		await bench.run(report, { short: values.short });
		const before = existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8') : '';
		if (!values.short) writeFileSync(RESULTS, withPart(before, titles, report.part, HOW));
		misses.push(...report.misses);
	}
	// The short form is too short to judge by.
	if (misses.length > 0 && !values.short) throw new Error(`Targets missed:\n  ${misses.join('\n  ')}`);
}

main().catch((error: Error) => {
	process.stderr.write(`${error.message}\n`);
	process.exitCode = 1;
});
