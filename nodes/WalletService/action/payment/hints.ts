/** What the output of the node says above its items. */
import type { NodeExecutionHint } from 'n8n-workflow';

import { add } from '../../../../api/decimal.ts';
import { HINT } from '../messages.ts';
import type { CallResult, Result } from '../result.ts';
import type { Payment } from './readPayment.ts';

/** `payments`: those of the results, by item. */
export function hintsOf(results: CallResult[], payments: Map<number, Payment>): NodeExecutionHint[] {
	const isResult = (result: CallResult | undefined, word: Result) =>
		result?.ok === true && result.items[0]?.result === word;
	const withoutKey = results.filter(
		(result) => isResult(result, 'paid') && result.ok && result.items[0]?.paymentKey === undefined,
	).length;
	const tried = [...payments].filter(([item]) => isResult(results[item], 'dryRun'));
	return [
		...(withoutKey > 0 ? [hint('warning', HINT.hasNoKey(withoutKey))] : []),
		...(tried.length > 0 ? [hint('info', totals(tried))] : []),
	];
}

/** What a run without the dry run would pay. A key that comes twice is one payment. */
function totals(tried: Array<[number, Payment]>): string {
	const payments = new Map(tried.map(([item, { keyed, request }]) => [keyed?.key ?? item, request]));
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

function hint(type: 'warning' | 'info', message: string): NodeExecutionHint {
	return { message, type, location: 'outputPane' };
}
