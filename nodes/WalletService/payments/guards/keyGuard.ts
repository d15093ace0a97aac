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
import { KEY, keyIsNotFree, REPEATED, sayingOf, unknownAgain, unknownWithKey } from './messages.ts';
import type { Saying } from './messages.ts';

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
			(reason) => KEY.cannotBeKept({ reason, decide: sayingOf(payment).decide }),
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
				return {
					...heldKey(port, claim, { decision, saying: sayingOf(payment) }),
					attempt: { ...attempt, claim },
				};
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

function heldKey(
	{ timeInWords }: KeyPort,
	claim: Claim,
	{ decision, saying }: { decision: Decision; saying: Saying },
): Held {
	const isDecided = decision !== 'doNotPay';
	return {
		explain: (failure) => {
			if (failure.outcome !== 'unknown') return failure;
			const time = timeInWords(claim.mayDecide);
			const decideFrom = claim.mayDecide.toISOString();
			// After a decision, a run with Do Not Pay has to say first that the outcome is unknown again.
			if (isDecided)
				return { ...failure, decideFrom, description: unknownAgain(time, saying), mayDecide: 'nextRun' };
			return { ...failure, decideFrom, description: unknownWithKey(time, saying) };
		},
		finish: async (ending) => {
			try {
				await claim.end(outcomeOf(ending));
				return undefined;
			} catch {
				// The key stays with an unknown outcome and is not paid again.
				return ending.outcome === 'notSent' || ending.outcome === 'rejected'
					? keyIsNotFree(saying)
					: undefined;
			}
		},
	};
}

/** A key that is held was never paid before. */
function outcomeOf({ outcome }: Ending) {
	return outcome === 'alreadyPaid' ? 'unknown' : outcome;
}

/** What is said of a payment whose key was used before. */
function refusalOf(port: KeyPort, payment: Payment, state: KeyState): Refusal {
	const key = String(payment.key?.written);
	const decision = payment.options.ifOutcomeIsUnknown;
	const saying = sayingOf(payment);
	switch (state.is) {
		case 'paid':
			return { isPaid: true };
		case 'unrecorded':
			return { failure: notSent(KEY.isNotRecorded({ key, ...saying })) };
		case 'unknown':
			return { failure: unknownOutcome(port, { key, decision, saying, state }) };
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

interface UnknownKey {
	key: string;
	decision: Decision;
	saying: Saying;
	state: UnknownOutcome;
}

function unknownOutcome(
	{ timeInWords }: KeyPort,
	{ key, decision, saying, state: { mayDecide } }: UnknownKey,
): Failure {
	if (mayDecide === 'whenTold')
		return { ...maybeSent(KEY.answerWasUsed({ key, ...saying })), mayDecide: 'nextRun' };
	if (mayDecide === 'now') return maybeSent(KEY.hasUnknownOutcome({ key, ...saying }));
	const time = timeInWords(mayDecide);
	const issue =
		decision === 'doNotPay' ? KEY.mayBeUnderWay({ key, time, ...saying }) : KEY.isDecidedEarly({ key, time });
	return { ...maybeSent(issue), decideFrom: mayDecide.toISOString() };
}
