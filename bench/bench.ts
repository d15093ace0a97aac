/** The program behind `npm run bench -- [name …] [--short]`: runs the named measurements, or all of them. */
import { parseArgs } from 'node:util';
import * as action from './action.ts';
import * as cost from './cost.ts';
import * as queue from './queue.ts';
import { Report } from './results.ts';
import type { Bench } from './results.ts';
import * as sandbox from './sandbox.ts';
import * as trigger from './trigger.ts';
import * as weight from './weight.ts';

const BENCHES: Record<string, Bench> = { trigger, action, cost, weight, queue, sandbox };

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		options: { short: { type: 'boolean', default: false } },
		allowPositionals: true,
	});
	const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
	const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
	if (unknown.length > 0) {
		throw new Error(`There is no bench ${unknown.join(', ')}: ${Object.keys(BENCHES).join(', ')}`);
	}
	const misses: string[] = [];
	for (const name of names) {
		const missing = (BENCHES[name].needs ?? []).filter((program) => !process.env[program]);
		if (missing.length > 0) {
			const words = `The bench ${name} needs what this machine does not have: ${missing.join(', ')}`;
			if (process.env.CI) throw new Error(words);
			process.stdout.write(`${words}. It is skipped.\n`);
			continue;
		}
		const report = new Report(BENCHES[name]);
		await BENCHES[name].run(report, { short: values.short });
		if (!values.short) report.write();
		misses.push(...report.misses);
	}
	if (misses.length > 0) throw new Error(`Targets missed:\n  ${misses.join('\n  ')}`);
}

main().catch((error: Error) => {
	process.stderr.write(`${error.message}\n`);
	process.exitCode = 1;
});
