/** Option *Hold Repeats*: takes the right to send a payment, or says why it is held. */
import { notSent, unusableCredential } from '../../shared/answers/failure.ts';
import { labelOfOption } from '../input/paymentOptions.ts';
import type { Failure } from '../../shared/result.ts';
import { repeatedPaymentOf } from '../input/payment.ts';
import type { Payment } from '../input/payment.ts';
import type { RepeatedPayment } from './guards/duplicateRows.ts';
import { REPEAT } from './messages.ts';
import type { Run } from './run.ts';

/** `giveBack`: for a payment that moved no money. */
export type RightToSend = { giveBack(): Promise<void> } | { refusal: Failure };

/** `isDecided`: a person has looked the payment up and says that it is to be paid now, so it is meant. */
export async function takeRightToSend(
	run: Run,
	payment: Payment,
	{ isDecided }: { isDecided: boolean },
): Promise<RightToSend> {
	const { holdRepeats, repeatIsMeant } = payment.options;
	if (holdRepeats === undefined) return { giveBack: async () => await Promise.resolve() };
	const isMeant = repeatIsMeant || isDecided;
	return await unlessItFails(run, payment, async (repeated) => {
		const giveBack = await run.takeRepeat(repeated, { lookBack: holdRepeats, isMeant });
		return giveBack === undefined ? { refusal: heldFor(holdRepeats) } : { giveBack };
	});
}

/** Why a payment would be held; undefined if it would not. Writes nothing. */
export async function findHold(run: Run, payment: Payment): Promise<Failure | undefined> {
	const { holdRepeats, repeatIsMeant } = payment.options;
	if (holdRepeats === undefined || repeatIsMeant) return undefined;
	const answer = await unlessItFails(run, payment, async (repeated) =>
		(await run.isRepeat(repeated, holdRepeats)) ? { refusal: heldFor(holdRepeats) } : {},
	);
	return 'refusal' in answer ? answer.refusal : undefined;
}

/** Without a usable credential or n8n's rows, nothing is sent. */
async function unlessItFails<Answer>(
	run: Run,
	payment: Payment,
	ask: (repeated: RepeatedPayment) => Promise<Answer>,
): Promise<Answer | { refusal: Failure }> {
	let account: string;
	try {
		account = await run.client.account();
	} catch (error) {
		return { refusal: unusableCredential(error) };
	}
	try {
		return await ask(repeatedPaymentOf(payment, account));
	} catch (error) {
		const reason = (error as Error).message;
		return { refusal: notSent(REPEAT.isNotKept({ label: labelOfOption('holdRepeats'), reason })) };
	}
}

function heldFor(days: number): Failure {
	const words = { label: labelOfOption('holdRepeats'), meant: labelOfOption('repeatIsMeant') };
	const time = days === 1 ? 'day' : `${days} days`;
	return notSent(REPEAT.isHeld({ ...words, time }));
}
