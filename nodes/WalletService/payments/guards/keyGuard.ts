/** The Payment Key of an item: a payment with the same key is made once. */
import { movesMoney } from '../../../../api/catalog.ts';
import { maybeSent, notSent } from '../../../shared/answers/failure.ts';
import type { Failure } from '../../../shared/result.ts';
import { keyedPaymentOf } from '../../input/payment.ts';
import type { PaymentKey } from '../../../shared/paymentKey/keyText.ts';
import type { KeyedPayment, Payment } from '../../input/payment.ts';
import { askRows, NOTHING_HELD } from './guard.ts';
import type { Ending, Guard, Held, Refusal } from './guard.ts';
import type { Claim, Decision, KeyState, UnknownOutcome } from './idempotencyKey.ts';
import { KEY, KEY_IS_NOT_FREE, REPEATED, unknownAgain, unknownWithKey } from './messages.ts';

/** What the guard asks of n8n. */
export interface KeyPort {
	/** Who pays. Throws if there is no usable credential. */
	account(): Promise<string>;
	/** Whether the execution retries another one, of which only what has a key is known for sure. */
	isRetry: boolean;
	/** Takes a key for a payment. Throws if n8n cannot keep it. No further key is tried then, because each could become unknown. */
	claim(payment: KeyedPayment, decision: Decision): Promise<Claim | KeyState>;
	/** What is known of a key; undefined: nothing, or n8n keeps no record. Throws if n8n cannot read it. Writes nothing. */
	look(payment: KeyedPayment, decision: Decision): Promise<KeyState | undefined>;
	/** `2026-11-27 14:07 (Europe/Berlin)`: a time, or the next full minute, in the workflow's time zone. */
	timeInWords(time: Date): string;
}

export function keyGuard(port: KeyPort): Guard {
	const asking = async <Answer>(
		payment: Payment,
		key: PaymentKey,
		ask: (keyed: KeyedPayment) => Promise<Answer>,
	): Promise<Answer | Refusal> =>
		await askRows(
			port.account,
			async (account) => await ask(keyedPaymentOf(payment, key, account)),
			KEY.cannotBeKept,
		);
	return {
		take: async (attempt) => {
			const { payment } = attempt;
			const { key, options } = payment;
			const decision = options.ifOutcomeIsUnknown;
			if (key?.compared === undefined) return port.isRetry ? withoutKeyInRetry(payment) : NOTHING_HELD;
			return await asking(payment, key, async (keyed) => {
				const claim = await port.claim(keyed, decision);
				if (claim.is !== 'claimed') return refusalOf(port, payment, claim);
				return { ...heldKey(port, claim, decision), attempt: { ...attempt, claim } };
			});
		},
		look: async ({ payment }) => {
			const { key } = payment;
			if (key?.compared === undefined) return {};
			return await asking(payment, key, async (keyed) => {
				const state = await port.look(keyed, payment.options.ifOutcomeIsUnknown);
				return state === undefined ? {} : refusalOf(port, payment, state);
			});
		},
	};
}

function withoutKeyInRetry({ operation }: Payment): Refusal {
	const issue = movesMoney(operation) ? REPEATED.needsKeyInRetry() : REPEATED.changeIsNotRetried();
	return { failure: maybeSent(issue) };
}

function heldKey({ timeInWords }: KeyPort, claim: Claim, decision: Decision): Held {
	const isDecided = decision !== 'doNotPay';
	return {
		explain: (failure) => {
			if (failure.outcome !== 'unknown') return failure;
			const time = timeInWords(claim.mayDecide);
			const decideFrom = claim.mayDecide.toISOString();
			// After a decision, a run with Do Not Pay has to say first that the outcome is unknown again.
			if (isDecided) return { ...failure, decideFrom, description: unknownAgain(time), mayDecide: 'nextRun' };
			return { ...failure, decideFrom, description: unknownWithKey(time) };
		},
		finish: async (ending) => {
			try {
				await claim.end(outcomeOf(ending));
				return undefined;
			} catch {
				// The key stays with an unknown outcome and is not paid again.
				return ending.outcome === 'notSent' || ending.outcome === 'rejected' ? KEY_IS_NOT_FREE : undefined;
			}
		},
	};
}

/** A key that is held was never paid before. */
function outcomeOf({ outcome }: Ending) {
	return outcome === 'alreadyPaid' ? 'unknown' : outcome;
}

/** What is said of a payment whose key was used before. */
function refusalOf(port: KeyPort, { key: given, options }: Payment, state: KeyState): Refusal {
	const key = String(given?.written);
	const decision = options.ifOutcomeIsUnknown;
	switch (state.is) {
		case 'paid':
			return { isPaid: true };
		case 'unrecorded':
			return { failure: notSent(KEY.isNotRecorded(key)) };
		case 'unknown':
			return { failure: unknownOutcome(port, { key, decision, state }) };
		case 'different': {
			const isAccount = state.details.join() === 'account';
			const fields = state.details.join(' and ') || 'request';
			return {
				failure: notSent(
					isAccount ? KEY.wasUsedByAnotherAccount(key) : KEY.wasUsedDifferently({ key, fields }),
				),
			};
		}
	}
}

function unknownOutcome(
	{ timeInWords }: KeyPort,
	{ key, decision, state: { mayDecide } }: { key: string; decision: Decision; state: UnknownOutcome },
): Failure {
	if (mayDecide === 'whenTold') return { ...maybeSent(KEY.answerWasUsed(key)), mayDecide: 'nextRun' };
	if (mayDecide === 'now') return maybeSent(KEY.hasUnknownOutcome(key));
	const time = timeInWords(mayDecide);
	const issue =
		decision === 'doNotPay' ? KEY.mayBeUnderWay({ key, time }) : KEY.isDecidedEarly({ key, time });
	return { ...maybeSent(issue), decideFrom: mayDecide.toISOString() };
}
