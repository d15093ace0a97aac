/** The program behind `npm run bench -- [name …] [--short]`: runs the named measurements, or all of them. */
import { parseArgs } from 'node:util';
import { entryOf } from '../host/testkit/lists.ts';
import { costBench } from './costBench.ts';
import { keyBench } from './keyBench.ts';
import { Report, type Bench } from './results.ts';
import { triggerBench } from './triggerBench.ts';

/** By the names on the command line. */
const BENCHES: Record<string, Bench> = { trigger: triggerBench, cost: costBench, key: keyBench };

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		options: { short: { type: 'boolean', default: false } },
		allowPositionals: true,
	});
	const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
	const chosen = names.map((name) => entryOf(BENCHES, name));
	const misses: string[] = [];
	for (const bench of chosen) {
		const report = new Report(bench);
		await bench.run(report, { short: values.short });
		if (!values.short) report.write();
		misses.push(...report.misses);
	}
	// The short form is too short to judge by.
	if (misses.length > 0 && !values.short) throw new Error(`Targets missed:\n  ${misses.join('\n  ')}`);
}

main().catch((error: Error) => {
	process.stderr.write(`${error.message}\n`);
	process.exitCode = 1;
});
