/** Sums of exact decimal texts, also by a name, such as the code of a currency. */
import { add } from '../../api/exact/decimal.ts';

/** Adds an amount to the sum of its name. */
export function addAmount(sums: Map<string, string>, name: string, amount: string): void {
	sums.set(name, add(sums.get(name) ?? '0', amount));
}

/** '0' of none. */
export function sumOf(all: ReadonlyArray<{ amount: string }>): string {
	return all.reduce((sum, { amount }) => add(sum, amount), '0');
}
