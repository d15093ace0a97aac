/** The program behind `npm run bench -- [name …] [--short]`: runs the named measurements, or all of them. */
import { parseArgs } from 'node:util';
import { run as sandbox } from './sandbox.ts';

/** `short`: the form that the tests run. Prints its figures; throws where one of them misses its target. */
type Bench = (options: { short: boolean }) => Promise<void>;

const BENCHES: Record<string, Bench> = { sandbox };

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
	for (const name of names) await BENCHES[name]({ short: values.short });
}

main().catch((error: Error) => {
	process.stderr.write(`${error.message}\n`);
	process.exitCode = 1;
});
