/** What an item says whose Payment Key was used before. */
import { maybeSent, notSent } from '../../shared/answers/failure.ts';
import { withResult } from './items.ts';
import type { CallResult } from '../../shared/result.ts';
import { keyedPaymentOf } from '../input/payment.ts';
import type { Payment } from '../input/payment.ts';
import type { Decision, KeyState, UnknownOutcome } from './guards/idempotencyKey.ts';
import { failed, rowOfPayment } from './itemResult.ts';
import { KEY } from './messages.ts';
import type { Run } from './run.ts';

/** The result of an item whose key was used before. */
export function knownResult(run: Run, item: number, payment: Payment, state: KeyState): CallResult {
	const row = rowOfPayment(payment);
	const key = String(payment.paymentKey);
	switch (state.is) {
		case 'paid':
			run.ledger.delete(item);
			return { ok: true, items: [{ ...withResult('alreadyPaid', row), alreadyPaid: true }] };
		case 'unrecorded':
			return failed(notSent(KEY.isNotRecorded(key)), row);
		case 'unknown': {
			const { mayDecide } = state;
			const issue = unknownIssue(run, { key, mayDecide, decision: payment.options.ifOutcomeIsUnknown });
			return failed(
				{
					...maybeSent(issue),
					...(mayDecide === 'whenTold' && { mayDecide: 'nextRun' }),
					...(mayDecide instanceof Date && { decideFrom: mayDecide.toISOString() }),
				},
				row,
			);
		}
		case 'different': {
			const isAccount = state.details.join() === 'account';
			const issue = isAccount
				? KEY.wasUsedByAnotherAccount(key)
				: KEY.wasUsedDifferently({ key, fields: state.details.join(' and ') || 'request' });
			return failed(notSent(issue), row);
		}
	}
}

interface Asked extends Pick<UnknownOutcome, 'mayDecide'> {
	key: string;
	/** What a person has decided before this. */
	decision?: Decision;
}

function unknownIssue(run: Run, { key, mayDecide, decision = 'doNotPay' }: Asked) {
	if (mayDecide === 'whenTold') return KEY.answerWasUsed(key);
	if (mayDecide === 'now') return KEY.hasUnknownOutcome(key);
	const time = run.timeInWords(mayDecide);
	return decision === 'doNotPay' ? KEY.mayBeUnderWay({ key, time }) : KEY.isDecidedEarly({ key, time });
}

/** What the key of an item knows, for a dry run; undefined if it can be paid with. Writes nothing. */
export async function lookUpKey(run: Run, item: number, payment: Payment): Promise<CallResult | undefined> {
	const keyed = payment.key && keyedPaymentOf(payment, await run.client.account());
	if (keyed === undefined) return undefined;
	try {
		const state = await run.look(keyed, payment.options.ifOutcomeIsUnknown ?? 'doNotPay');
		return state && knownResult(run, item, payment, state);
	} catch (error) {
		return failed(notSent(KEY.cannotBeKept((error as Error).message)), rowOfPayment(payment));
	}
}
