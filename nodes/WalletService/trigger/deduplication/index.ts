/**
 * Starts a workflow once per delivery. The service repeats a delivery that was not acknowledged ("Delivery rules" 4 and
 * 5), so one event may arrive several times, even within milliseconds.
 *
 * 1. `claims.ts`, in this process: all recent deliveries. Copies that arrive together wait for the first.
 * 2. `persistedKeys.ts`, in static data: n8n loads it with each delivery. The execution of a delivery writes it at its end,
 *    so its keys were handled. In queue mode workers have no static data; the process that receives the delivery writes it, after
 *    n8n has stored the execution and before it acknowledges. n8n writes static data as a whole: a write that another process
 *    overwrites is missing until the next write of the first.
 * 3. `processedItems.ts`, on workers: a second check where the first two missed a copy.
 *
 * A lost write costs a duplicate, never an event. In all functions `scope` names one trigger of one workflow, and `stored`
 * is what n8n has loaded from static data: text, or undefined if there is none.
 */
import { claimKey, markAccepted } from './claims.ts';
import type { Complete } from './claims.ts';
import { hashKey } from './hashKey.ts';
import { persistedKeysOf } from './persistedKeys.ts';
import type { PersistedKeys } from './persistedKeys.ts';

export { isDuplicate } from './processedItems.ts';

/** Whether executions run in this process rather than on workers. The first execution tells. */
let executesHere = false;

/** Claims a delivery; gives undefined for a duplicate. Call `complete` when n8n has answered, or copies wait forever. */
export async function claim(
	scope: string,
	deliveryKey: string,
	stored: unknown,
): Promise<Complete | undefined> {
	mergeStored(scope, stored);
	return await claimKey(hashKey(scope, deliveryKey));
}

/**
 * Records the delivery before n8n acknowledges it. Gives the new value for static data. Gives undefined if executions run
 * here, because then the execution writes it.
 */
export function recordBeforeAck(scope: string, deliveryKey: string, stored: unknown): object | undefined {
	if (executesHere) return undefined;
	const keys = mergeStored(scope, stored);
	keys?.add(hashKey(scope, deliveryKey));
	return keys?.forStaticData;
}

/**
 * Records that an execution handles the delivery, whatever n8n answered. Gives the new value for static data. Gives
 * undefined if the execution has no static data (on a worker, or recovered after a crash): writing would erase the rest.
 */
export function recordExecution(scope: string, deliveryKey: string, stored: unknown): object | undefined {
	const key = hashKey(scope, deliveryKey);
	markAccepted(key);
	const keys = mergeStored(scope, stored);
	// Until the first execution of a process, recordBeforeAck has added the key.
	if (executesHere || !keys?.has(key)) keys?.add(key);
	executesHere = true;
	return keys?.forStaticData;
}

/** Learns what other processes have saved. Gives undefined if there is no static data. */
function mergeStored(scope: string, stored: unknown): PersistedKeys | undefined {
	if (typeof stored !== 'string') return undefined;
	const keys = persistedKeysOf(scope);
	for (const key of keys.merge(stored)) markAccepted(key);
	return keys;
}
