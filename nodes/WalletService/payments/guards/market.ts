/** *Convert at Best Rate*: the contract that a conversion takes, and what it leaves for the next one of the run. */
import { giveBackUnlessMade, NOTHING_HELD } from './guard.ts';
import type { Attempt, Guard, Held, Refusal } from './guard.ts';

/** A dry run takes too, because it shows what a run would do, and what a run takes is not kept. */
export const market: Guard = { take: choose, look: choose };

async function choose(attempt: Attempt): Promise<Held | Refusal> {
	const prepared = await attempt.payment.prepare?.();
	if (prepared === undefined) return NOTHING_HELD;
	if ('refusal' in prepared) return { failure: prepared.refusal };
	const { payment, giveBack } = prepared;
	return { ...giveBackUnlessMade(giveBack), attempt: { ...attempt, payment } };
}
