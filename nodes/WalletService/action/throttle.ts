/** How calls that only read go out: side by side, but not all at once, and later where the service asks for patience. */
import { sleep } from 'n8n-workflow';
import type { IExecuteData, IExecuteSingleFunctions } from 'n8n-workflow';

import type { CallResult } from './outcome.ts';

/** So many reads of one node are under way at a time. */
const IN_FLIGHT = 10;

/** Waits for a service that is busy (429 with Retry-After): so often for one item, and so many seconds each. */
const MAX_RETRIES = 5;
const MAX_RETRY_SECONDS = 60;

const slots = new WeakMap<IExecuteData, { free: number; waiting: Array<() => void> }>();

/** Makes a read when a slot is free, and again when the service asked to wait. */
export async function throttled(
	context: IExecuteSingleFunctions,
	send: () => Promise<CallResult>,
): Promise<CallResult> {
	const release = await slot(context.getExecuteData());
	try {
		let answer = await send();
		for (let waits = 0; waits < MAX_RETRIES && !answer.ok; waits++) {
			const { retryAfter } = answer.failure;
			const cancelled = context.getExecutionCancelSignal()?.aborted === true;
			if (retryAfter === undefined || retryAfter > MAX_RETRY_SECONDS || cancelled) break;
			await sleep(retryAfter * 1000);
			answer = await send();
		}
		return answer;
	} finally {
		release();
	}
}

async function slot(run: IExecuteData): Promise<() => void> {
	const state = slots.get(run) ?? { free: IN_FLIGHT, waiting: [] };
	slots.set(run, state);
	if (state.free > 0) state.free -= 1;
	else await new Promise<void>((go) => state.waiting.push(go));
	return () => {
		// A slot goes straight to who waits for it.
		const next = state.waiting.shift();
		if (next === undefined) state.free += 1;
		else next();
	};
}
