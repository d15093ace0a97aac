/**
 * The program behind `npm run soak -- [name …] [--short] [--seed n]`: runs the soaks of these names, or all. `money` stands for the soaks
 * of payments without hostileModels. Each soak has a target for what must not happen, and the program fails if one is missed.
 */
import { parseArgs } from 'node:util';
import { triggerKills } from './deliveries/situations.ts';
import { SITUATIONS } from './payments/situations.ts';
import * as booksMonth from './books/month.ts';
import * as hostileModels from './hostile/models.ts';
import * as listFaults from './payouts/listFaults.ts';
import * as payoutFaults from './payouts/payoutFaults.ts';
import { throwIfMissed } from './shared/figures.ts';
import type { PaymentLine, Soak } from './shared/figures.ts';

const MONEY: Record<string, Soak> = { payoutFaults, listFaults, ...SITUATIONS };
const SOAKS: Record<string, Soak> = {
	triggerKills,
	hostileModels,
	booksMonth,
	...MONEY,
};

function chosen(names: string[]): Array<[string, Soak]> {
	if (names.length === 0) return Object.entries(SOAKS);
	return names.flatMap((name): Array<[string, Soak]> => {
		if (name === 'money') return Object.entries(MONEY);
		const soak = SOAKS[name];
		if (soak === undefined)
			throw new Error(`There is no soak ${name}: ${Object.keys(SOAKS).join(', ')}, money`);
		return [[name, soak]];
	});
}

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		options: { short: { type: 'boolean', default: false }, seed: { type: 'string' } },
		allowPositionals: true,
	});
	const options = { short: values.short, ...(values.seed !== undefined && { seed: Number(values.seed) }) };
	const lines: PaymentLine[] = [];
	const misses: string[] = [];
	for (const [name, soak] of chosen(positionals)) {
		try {
			const figures = await soak.run(options);
			lines.push(...(figures?.lines ?? []));
			misses.push(...(figures?.misses ?? []));
		} catch (error) {
			// The others still run, and the table shows what they found.
			misses.push(`${name}: ${(error as Error).message}`);
		}
	}
	if (lines.length > 0) console.table(lines);
	throwIfMissed(misses);
}

main().then(
	() => process.exit(0),
	(error: Error) => {
		process.stderr.write(`${error.message}\n`);
		process.exit(1);
	},
);
