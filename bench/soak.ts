/**
 * The program behind `npm run soak -- [name …] [--short]`: runs `bench/soak/<name>.ts` of each name, or all files of that folder. A soak
 * prints its figures and throws if one of them misses its target.
 */
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';

export interface Soak {
	/** `short`: about a minute at most, for tests. */
	run(options: { short: boolean }): Promise<void>;
}

const names = readdirSync('bench/soak')
	.filter((file) => file.endsWith('.ts'))
	.map((file) => file.slice(0, -'.ts'.length));

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		options: { short: { type: 'boolean', default: false } },
		allowPositionals: true,
	});
	const unknown = positionals.filter((name) => !names.includes(name));
	if (unknown.length > 0) throw new Error(`There is no soak ${unknown.join(', ')}: ${names.join(', ')}`);
	for (const name of positionals.length > 0 ? positionals : names) {
		const soak = (await import(`./soak/${name}.ts`)) as Soak;
		await soak.run({ short: values.short });
	}
}

main().then(
	() => process.exit(0),
	(error: Error) => {
		process.stderr.write(`${error.message}\n`);
		process.exit(1);
	},
);
