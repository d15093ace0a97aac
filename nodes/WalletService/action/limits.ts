/** What the user allows a money call to do, as the node's options say. Exact decimals, and closed when in doubt. */
import { add, compare, isPlainDecimal } from '../../../api/decimal.ts';
import type { ValidationIssue, Request } from './request.ts';

/** Options of the money operations, expressions evaluated. */
export interface Limits {
	dryRun?: unknown;
	maximumAmount?: unknown;
	maximumTotal?: unknown;
	allowedAliases?: unknown;
}

/** Everything in which a request goes beyond its limits. `total` is the sum of all items' amounts, undefined if unknown. */
export function beyondLimits(limits: Limits, request: Request, total: string | undefined): ValidationIssue[] {
	return [
		...beyondMaximum('Maximum Amount', limits.maximumAmount, request.amount, 'The amount'),
		...beyondMaximum('Maximum Total', limits.maximumTotal, total, 'The total of all items'),
		...beyondAliases(limits.allowedAliases, request.destination),
	];
}

/** The sum of all amounts; undefined when one of them is not known. */
export function totalOf(calls: Array<{ amount?: string }>): string | undefined {
	return calls
		.map(({ amount }) => amount)
		.reduce((sum, amount) => (sum === undefined || amount === undefined ? undefined : add(sum, amount)), '0');
}

function beyondMaximum(
	label: string,
	limit: unknown,
	amount: string | undefined,
	what: string,
): ValidationIssue[] {
	const maximum = String(limit ?? '').trim();
	if (maximum === '') return [];
	if (!isPlainDecimal(maximum)) {
		return [
			{
				message: `'${label}' is not a decimal number: ${maximum}`,
				description: `Enter '${label}' as plain digits with a point before the decimals, or remove it`,
			},
		];
	}
	if (amount === undefined) {
		return [
			{
				message: `'${label}' is set, but ${what.toLowerCase()} cannot be read from 'Request Body'`,
				description: `Give 'Request Body' a field 'amount', or remove '${label}'`,
			},
		];
	}
	if (compare(amount, maximum) <= 0) return [];
	return [
		{
			message: `${what} ${amount} is above '${label}' ${maximum}`,
			description: `Lower the amount or raise '${label}'`,
		},
	];
}

function beyondAliases(allowed: unknown, destination: string | undefined): ValidationIssue[] {
	const aliases = (Array.isArray(allowed) ? allowed.map(String) : String(allowed ?? '').split(','))
		.map((alias) => alias.trim())
		.filter((alias) => alias !== '');
	if (aliases.length === 0) return [];
	if (destination === undefined) {
		return [
			{
				message: "'Allowed Aliases' is set, but the destination cannot be read from 'Request Body'",
				description: "Give 'Request Body' a field 'wallet_alias', or remove 'Allowed Aliases'",
			},
		];
	}
	if (aliases.includes(destination)) return [];
	return [
		{
			message: `'${destination}' is not one of 'Allowed Aliases'`,
			description: "Add it to 'Allowed Aliases', or choose another destination",
		},
	];
}
