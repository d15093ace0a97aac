/** Limits calls that move no money: a few at a time, and again later if the service is busy. */
import { sleep } from 'n8n-workflow';
import type { IExecuteData, IExecuteSingleFunctions } from 'n8n-workflow';

import type { CallResult } from './result.ts';

/** Calls of one node that are under way at the same time. */
const IN_FLIGHT = 10;

/** Retries of one item after 429 with Retry-After, and the longest wait before a retry. */
const MAX_RETRIES = 5;
const MAX_RETRY_SECONDS = 60;

const slots = new WeakMap<IExecuteData, { free: number; waiting: Array<() => void> }>();

/** Makes a call when a slot is free, and again when the service asked to wait. */
export async function throttled(
	context: IExecuteSingleFunctions,
	send: () => Promise<CallResult>,
): Promise<CallResult> {
	const release = await slot(context.getExecuteData());
	try {
		let answer = await send();
		for (let retries = 0; retries < MAX_RETRIES && !answer.ok; retries++) {
			const { retryAfter } = answer.failure;
			if (retryAfter === undefined || retryAfter > MAX_RETRY_SECONDS) break;
			const signal = context.getExecutionCancelSignal();
			// Stop ends the wait.
			await sleep(retryAfter * 1000, signal).catch(() => {});
			if (signal?.aborted === true) break;
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
		// A free slot goes to the call that has waited longest.
		const next = state.waiting.shift();
		if (next === undefined) state.free += 1;
		else next();
	};
}
