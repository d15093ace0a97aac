/**
 * The program behind `npm run soak -- [name …] [--short]`: runs `soak/runs/<name>.ts` of each name, or all files of that folder.
 * `money` stands for all soaks of payments. A soak prints its figures and throws if one of them misses its target; a soak of
 * payments gives its lines for the one table that is printed at the end.
 */
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { tableOfPayments } from './shared/paymentLines.ts';
import type { PaymentFigures, PaymentLine } from './shared/paymentLines.ts';
import { throwIfMissed } from './shared/soakFigures.ts';

export interface Soak {
	/** `short`: about a minute at most, for tests. */
	run(options: { short: boolean }): Promise<PaymentFigures | void>;
}

const names = readdirSync('soak/runs')
	.filter((file) => file.endsWith('.ts'))
	.map((file) => file.slice(0, -'.ts'.length));

const GROUPS: Record<string, string[]> = {
	money: [
		'paymentKeyModel',
		'payoutFaults',
		'paymentKills',
		'paymentPairs',
		'paymentRetries',
		'repeatedCalls',
		'paymentKeyHeader',
		'queuePairs',
		'paymentsTable',
		'queueRejections',
	],
};

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		options: { short: { type: 'boolean', default: false } },
		allowPositionals: true,
	});
	const known = [...names, ...Object.keys(GROUPS)];
	const unknown = positionals.filter((name) => !known.includes(name));
	if (unknown.length > 0) throw new Error(`There is no soak ${unknown.join(', ')}: ${known.join(', ')}`);
	const chosen = positionals.length > 0 ? positionals.flatMap((name) => GROUPS[name] ?? [name]) : names;
	const lines: PaymentLine[] = [];
	const misses: string[] = [];
	for (const name of chosen) {
		const soak = (await import(`./runs/${name}.ts`)) as Soak;
		try {
			const figures = await soak.run({ short: values.short });
			lines.push(...(figures?.lines ?? []));
			misses.push(...(figures?.misses ?? []));
		} catch (error) {
			// The others still run, and the table shows what they found.
			misses.push(`${name}: ${(error as Error).message}`);
		}
	}
	if (lines.length > 0) process.stdout.write(`\n${tableOfPayments(lines)}\n`);
	throwIfMissed(misses);
}

main().then(
	() => process.exit(0),
	(error: Error) => {
		process.stderr.write(`${error.message}\n`);
		process.exit(1);
	},
);
