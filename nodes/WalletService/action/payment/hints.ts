/** What the output of the node says above its items. */
import type { NodeExecutionHint } from 'n8n-workflow';

import { add } from '../../../../api/decimal.ts';
import type { Endpoint } from '../../../../api/endpoints.ts';
import { HINT } from '../messages.ts';
import type { CallResult } from '../result.ts';
import { comparable } from './keyText.ts';
import { moneyIn } from './row.ts';
import type { Result, Row } from './row.ts';

/** Hints about these results. */
export function hintsOf(endpoint: Endpoint, results: CallResult[]): NodeExecutionHint[] {
	const rows = results.flatMap((result) => (result.ok ? result.items : []));
	const having = (word: Result): Row[] => rows.filter(({ result }) => result === word);
	const withoutKey = having('paid').filter(({ paymentKey }) => paymentKey === undefined).length;
	const tried = having('dryRun');
	return [
		...(withoutKey > 0 ? [warning(HINT.hasNoKey(withoutKey))] : []),
		...(tried.length > 0 ? [information(totals(endpoint, tried))] : []),
	];
}

/** What a run without the dry run would pay. A key that comes twice is one payment. */
function totals(endpoint: Endpoint, rows: Row[]): string {
	const payments = new Map(
		rows.map((row, index) => [
			typeof row.paymentKey === 'string' ? comparable(row.paymentKey) : index,
			moneyIn(endpoint, row),
		]),
	);
	const sums = new Map<string, string>();
	let unreadable = 0;
	for (const { amount, currency, destination } of payments.values()) {
		const unit = (currency?.toUpperCase() ?? destination) || HINT.unknownUnit;
		if (amount === undefined) unreadable += 1;
		else sums.set(unit, add(sums.get(unit) ?? '0', amount));
	}
	const words = [...sums].map(([unit, sum]) => `${sum} ${unit}`);
	if (unreadable > 0) words.push(HINT.unreadable(unreadable));
	return HINT.dryRun(payments.size, words.join(', '));
}

function warning(message: string): NodeExecutionHint {
	return { message, type: 'warning', location: 'outputPane' };
}

function information(message: string): NodeExecutionHint {
	return { message, type: 'info', location: 'outputPane' };
}
