/** What the output of the node says above its items. */
import type { NodeExecutionHint } from 'n8n-workflow';

import { add } from '../../../../api/decimal.ts';
import { HINT } from '../messages.ts';
import { itemsInWords } from '../numbering.ts';
import type { CallResult, Result } from '../result.ts';
import type { Payment } from './readPayment.ts';

/** `payments`: those of the results, by item. */
export function hintsOf(results: CallResult[], payments: Map<number, Payment>): NodeExecutionHint[] {
	const rows = results.map((result) => (result.ok ? result.items[0] : undefined));
	const having = (word: Result) => [...rows.keys()].filter((item) => rows[item]?.result === word);
	const withoutKey = having('paid').filter((item) => rows[item]?.paymentKey === undefined).length;
	const paidBefore = having('alreadyPaid');
	const tried = having('dryRun').flatMap((item) => payments.get(item) ?? []);
	return [
		...(withoutKey > 0 ? [hint('warning', HINT.hasNoKey(withoutKey))] : []),
		...(paidBefore.length > 0
			? [hint('info', HINT.wasPaid(paidBefore.length, itemsInWords(paidBefore)))]
			: []),
		...(tried.length > 0 ? [hint('info', totals(tried))] : []),
	];
}

/** What a run without the dry run would pay. A key that comes twice is one payment. */
function totals(tried: Payment[]): string {
	const payments = new Map(tried.map(({ keyed, request }, index) => [keyed?.key ?? index, request]));
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
