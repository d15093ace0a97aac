/** Calls that move money go out one at a time, in item order. */
import type { IExecuteData, IExecuteSingleFunctions } from 'n8n-workflow';

const lastCall = new WeakMap<IExecuteData, Promise<unknown>>();

/** Runs `call` when the calls of all earlier items of this run have ended. */
export async function inTurn<T>(context: IExecuteSingleFunctions, call: () => Promise<T>): Promise<T> {
	const run = context.getExecuteData();
	const turn = (lastCall.get(run) ?? Promise.resolve()).then(call);
	lastCall.set(
		run,
		turn.catch(() => undefined),
	);
	return await turn;
}
