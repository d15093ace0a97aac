/** The option *Duplicate Check*: the same payment under another key is held. */
import { notSent } from '../../../shared/answers/failure.ts';
import { likenessOf } from '../../input/payment.ts';
import type { Payment, Likeness } from '../../input/payment.ts';
import { labelOfOption } from '../../input/paymentOptions.ts';
import type { DuplicateQuestion } from './duplicateRows.ts';
import { askRows, giveBackUnlessMade, NOTHING_HELD } from './guard.ts';
import type { Guard, Refusal } from './guard.ts';
import { DUPLICATE, sayingOf } from './messages.ts';

/** What the guard asks of n8n. */
export interface DuplicatePort {
	/** Who pays. Throws if there is no usable credential. */
	account(): Promise<string>;
	/** Takes the right to send a payment. Returns what gives it back; undefined if another one is like it. Throws if n8n cannot keep it. */
	takeUnlessDuplicate(
		payment: Likeness,
		question: DuplicateQuestion,
	): Promise<(() => Promise<void>) | undefined>;
	/** Whether another payment is like it. Writes nothing. */
	isDuplicate(payment: Likeness, lookBack: number): Promise<boolean>;
}

export function duplicateCheck({ account, takeUnlessDuplicate, isDuplicate }: DuplicatePort): Guard {
	const asking = async <Answer>(
		payment: Payment,
		ask: (likeness: Likeness) => Promise<Answer>,
	): Promise<Answer | Refusal> =>
		await askRows(
			account,
			async (payer) => await ask(likenessOf(payment, payer)),
			(reason) => DUPLICATE.isNotKept({ label: labelOfOption('duplicateCheck'), reason }),
		);
	/** What a dry run would have sent so far, by likeness. A key that comes twice is one payment. */
	const tried = new Map<string, string | undefined>();
	return {
		take: async ({ payment, claim }) => {
			const { duplicateCheck, allowDuplicate } = payment.options;
			if (duplicateCheck === undefined) return NOTHING_HELD;
			// A person has looked it up, and says that it is to be paid now.
			const isMeant = allowDuplicate || claim?.isDecided === true;
			return await asking(payment, async (likeness) => {
				const giveBack = await takeUnlessDuplicate(likeness, { lookBack: duplicateCheck, isMeant });
				return giveBack === undefined ? heldFor(duplicateCheck, payment) : giveBackUnlessMade(giveBack);
			});
		},
		look: async ({ payment }) => {
			const { duplicateCheck, allowDuplicate } = payment.options;
			if (duplicateCheck === undefined) return {};
			return await asking(payment, async (likeness) => {
				const name = JSON.stringify(likeness);
				const key = payment.key?.compared;
				const isLikeOther = tried.has(name) && (key === undefined || tried.get(name) !== key);
				if (!allowDuplicate && (isLikeOther || (await isDuplicate(likeness, duplicateCheck))))
					return heldFor(duplicateCheck, payment);
				return { begin: () => void tried.set(name, key) };
			});
		},
	};
}

function heldFor(days: number, payment: Payment): Refusal {
	const time = days === 1 ? 'day' : `${days} days`;
	const { allow } = sayingOf(payment);
	return { failure: notSent(DUPLICATE.isHeld({ label: labelOfOption('duplicateCheck'), time, allow })) };
}
