/**
 * The program behind `npm run soak -- [name …] [--short]`: runs the soaks of these names, or all. `money` stands for the soaks
 * of payments without hostileModels. Each soak has a target for what must not happen, and the program fails if one is missed.
 */
import { parseArgs } from 'node:util';
import { entryOf } from '../host/testkit/lists.ts';
import { TO_REPEAT } from '../host/testkit/random.ts';
import { queueDoor } from './deliveries/queueDoor.ts';
import { triggerKills } from './deliveries/situations.ts';
import { SITUATIONS } from './payments/situations.ts';
import { booksMonth } from './books/month.ts';
import { booksSize } from './books/size.ts';
import { booksWorld } from './books/world.ts';
import { depositKills } from './conversions/depositKills.ts';
import { hostileModels } from './hostile/models.ts';
import { listFaults } from './payouts/listFaults.ts';
import { payoutFaults } from './payouts/payoutFaults.ts';
import { throwIfMissed, type PaymentLine, type Soak } from './shared/figures.ts';

const MONEY: Record<string, Soak> = { payoutFaults, listFaults, depositKills, ...SITUATIONS };
const SOAKS: Record<string, Soak> = {
	triggerKills,
	queueDoor,
	hostileModels,
	booksMonth,
	booksWorld,
	booksSize,
	...MONEY,
};

function chosen(names: string[]): Array<[string, Soak]> {
	if (names.length === 0) return Object.entries(SOAKS);
	return names.flatMap((name) => Object.entries(name === 'money' ? MONEY : { [name]: entryOf(SOAKS, name) }));
}

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		options: { short: { type: 'boolean', default: false } },
		allowPositionals: true,
	});
	const lines: PaymentLine[] = [];
	const misses: string[] = [];
	for (const [name, soak] of chosen(positionals)) {
		try {
			const figures = await soak(values);
			lines.push(...(figures?.lines ?? []));
			misses.push(...(figures?.misses ?? []));
		} catch (error) {
			// The others still run, and the table shows what they found.
			misses.push(`${name}: ${(error as Error).message}`);
		}
	}
	if (lines.length > 0) console.table(lines);
	if (misses.length > 0) process.stderr.write(`${TO_REPEAT}\n`);
	throwIfMissed(misses);
}

main().then(
	() => process.exit(0),
	(error: Error) => {
		process.stderr.write(`${error.message}\n`);
		process.exit(1);
	},
);
