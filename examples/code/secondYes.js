import { compare } from './arithmetic.js';
import { add } from './decimal.js';
import { oneLine } from './text.js';

const ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+$/;
const DECIMAL = /^\d+(\.\d+)?$/;
const EXAMPLE = 'NGN 1000000, USDT 500';

/** @param {unknown} text */
const plain = (text) =>
	String(text ?? '')
		.normalize('NFKC')
		.toLowerCase()
		.replace(/\s/g, '');

/**
 * Whether a text of one or several people names this one.
 * @param {unknown} people
 * @param {string} address
 */
export const names = (people, address) =>
	[/[,;<>]/, /[\s,;<>]/].some((between) =>
		String(people ?? '')
			.split(between)
			.some((person) => plain(person) === plain(address)),
	);

/**
 * The amounts by their codes. Nothing if one of them cannot be read, or comes twice.
 * @param {string} text such as `NGN 1000000, USDT 500`
 */
function limitsIn(text) {
	const parts = text
		.split(',')
		.map((part) => /^([A-Z\d]+) +(\d+(?:\.\d+)?)$/.exec(part.trim().toUpperCase()));
	const limits = new Map(parts.flatMap((part) => (part ? [[part[1], part[2]]] : [])));
	return limits.size === parts.length ? limits : undefined;
}

/**
 * The sum of each currency and coin. Nothing for one of which an amount cannot be read.
 * @param {Payment[]} rows
 */
function sumsOf(rows) {
	/** @type {Map<string, string | undefined>} */
	const sums = new Map();
	for (const { amount, currency, coin } of rows) {
		const code = String(currency || coin || '')
			.trim()
			.toUpperCase();
		const before = sums.has(code) ? sums.get(code) : '0';
		sums.set(code, before && DECIMAL.test(amount) ? add(before, amount) : undefined);
	}
	return sums;
}

/**
 * The person who must say yes after the first one, if these payments need that. `problem`: why nobody may be asked at all.
 * @param {{ secondYesAbove?: unknown, secondApprover?: unknown }} settings as the author has entered them
 * @param {{ rows: Payment[], asker: unknown, approver: unknown }} list
 * @returns {{ second: string, problem: string }}
 */
export function secondYes({ secondYesAbove: above, secondApprover: given }, { rows, asker, approver }) {
	/** @param {string} text */
	const problem = (text) => ({ second: '', problem: text });
	if (typeof above !== 'string' || typeof given !== 'string')
		return problem('The node Settings has no fields secondYesAbove and secondApprover. Add them, as texts.');
	const second = given.trim();
	if (above.trim() === '' && second === '') return { second: '', problem: '' };
	const limits = limitsIn(above);
	if (limits === undefined)
		return problem(
			`The amounts for a second yes in the node Settings cannot be read: “${oneLine(above)}”. Write them like this: ${EXAMPLE}.`,
		);
	if (!ADDRESS.test(second))
		return problem(
			`The second person in the node Settings is not one mail address: “${oneLine(given)}”. Enter one.`,
		);
	const isNeeded = [...sumsOf(rows)].some(([code, sum]) => {
		const limit = limits.get(code);
		return limit === undefined || sum === undefined || compare(sum, limit) > 0;
	});
	if (!isNeeded) return { second: '', problem: '' };
	if (names(approver, second))
		return problem(`A second yes is needed, and ${second} is also the first approver. Choose another one.`);
	if (names(asker, second))
		return problem(
			`A second yes is needed from ${second}, who has asked for this. Another person must ask for it.`,
		);
	return { second, problem: '' };
}
