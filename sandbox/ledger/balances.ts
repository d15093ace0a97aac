/** Balances and the movements that change them. */
import { add, canonical, compare } from '../../api/decimal.ts';
import type { Balance, Movement } from '../records.ts';
import { invalid, Refusal } from '../refusal.ts';
import { newId, timestamp } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import type { AssetClass } from './seed.ts';

/** The balance of a code. Throws a Refusal (400) that names the request field `field`. */
export function requireBalance(
	ledger: Ledger,
	assetClass: AssetClass | 'any',
	code: string,
	field: string,
): Balance {
	const isAllowed = (balance: Balance) => assetClass === 'any' || balance.class === assetClass;
	const balance = ledger.balances.get(code);
	if (balance !== undefined && isAllowed(balance)) return balance;
	const codes = ledger.balances
		.all()
		.filter(isAllowed)
		.map((each) => each.code);
	throw invalid(`${code} is not a ${field} of this sandbox. It has ${codes.join(', ')}`, field);
}

/** The only function that changes a balance. Throws a Refusal (422) that names `field` if the balance is too low. */
export function moveBalance(
	ledger: Ledger,
	{ code, amount, reason, reference }: Omit<Movement, 'at'>,
	field = 'amount',
): void {
	const balance = requireBalance(ledger, 'any', code, 'asset');
	const after = add(balance.amount, amount);
	if (compare(after, '0') < 0) {
		const [has, needs] = [canonical(balance.amount), canonical(amount.slice(1))];
		const message = `The ${code} balance is ${has}, which does not cover ${needs}`;
		throw new Refusal(422, 'insufficient_balance', message, field);
	}
	ledger.balances.put(code, { ...balance, amount: after });
	const movement: Movement = { at: timestamp(ledger), code, amount, reason, reference };
	ledger.movements.put(newId('mv'), movement);
}

export function adjustBalance(ledger: Ledger, { code }: Pick<Balance, 'code'>, amount: string): void {
	moveBalance(ledger, { code, amount, reason: 'adjustment', reference: code });
}
