/**
 * Starts a workflow once per delivery. The service repeats a delivery that was not acknowledged ("Delivery rules" 4 and
 * 5), so one event may arrive several times, even within milliseconds.
 *
 * 1. `claims.ts`, in this process: all recent deliveries. Copies that arrive together wait for the first.
 * 2. `persistedKeys.ts`, in static data, the last key of each subject: n8n loads it with each delivery. The execution of a
 *    delivery writes it at its end, so its keys were handled. In queue mode workers have no static data; the process that receives
 *    the delivery writes it, after n8n has stored the execution and before it acknowledges. n8n writes static data as a whole: a
 *    write that another process overwrites is missing until the next write of the first.
 * 3. `processedItems.ts`, on workers: a second check where the first two missed a copy.
 *
 * A lost write causes a duplicate. It causes a lost event only if n8n also restarts before the next write, and the subject then
 * goes back to the status that static data still has. In all functions `scope` names one trigger of one workflow, `key` comes from
 * `keyOf`, and `stored` is what n8n has loaded from static data: text, or undefined if there is none.
 */
import { claimKey, forgetSubject, giveTo, isReplaced, markAccepted } from './claims.ts';
import type { Complete } from './claims.ts';
import { subjectOf } from './key.ts';
import { persistedKeysOf } from './persistedKeys.ts';
import type { PersistedKeys } from './persistedKeys.ts';

export { endRepetitions } from './claims.ts';
export { keyOf } from './key.ts';
export { isDuplicate } from './processedItems.ts';

/** Whether executions run in this process rather than on workers. The first execution with static data tells. */
let executesHere = false;

/** The value for static data when a workflow is published: what this process knows of the trigger, even if it was renamed. */
export function valueWhenPublished(scope: string, stored: unknown): object {
	mergeStored(scope, stored);
	return persistedKeysOf(scope).forStaticData;
}

/** Claims a delivery; gives undefined for a duplicate. Call `complete` when n8n has answered, or copies wait forever. */
export async function claim(scope: string, key: string, stored: unknown): Promise<Complete | undefined> {
	mergeStored(scope, stored);
	return await claimKey(key);
}

/**
 * Records the delivery before n8n acknowledges it. Gives the new value for static data. Gives undefined if executions run
 * here, because then the execution writes it.
 */
export function recordBeforeAck(scope: string, key: string, stored: unknown): object | undefined {
	if (executesHere) return undefined;
	const keys = mergeStored(scope, stored);
	keys?.add(key);
	return keys?.forStaticData;
}

/** What an execution learns when it begins. `staticData` is left out without static data, because writing would erase the rest. */
interface Beginning {
	/** True if another execution of this process handles the delivery. */
	isTaken: boolean;
	/** The new value for static data. */
	staticData?: object;
}

/**
 * Records that an execution handles the delivery, also if n8n answered with an error. After a crash, n8n starts an execution
 * again that it had stored, while the service repeats the delivery: of the two executions, the one that begins first continues.
 */
export function recordExecution(scope: string, key: string, executionId: string, stored: unknown): Beginning {
	const keys = mergeStored(scope, stored);
	if (keys !== undefined) executesHere = true;
	// Workers leave this to n8n's record of processed items, which all of them share.
	const isTaken = !giveTo(executionId, key) && executesHere;
	keys?.add(key);
	return { isTaken, staticData: keys?.forStaticData };
}

/** Learns what other processes have saved. Gives undefined if there is no static data. */
function mergeStored(scope: string, stored: unknown): PersistedKeys | undefined {
	if (typeof stored !== 'string') return undefined;
	const keys = persistedKeysOf(scope);
	for (const key of keys.missingFrom(stored)) {
		if (!isReplaced(key)) {
			keys.add(key);
			markAccepted(key);
		} else if (!executesHere) {
			// Another process has written an old status late, or the status has come back. Nobody can tell.
			keys.deleteSubject(subjectOf(key));
			forgetSubject(subjectOf(key));
		}
		// Else n8n has loaded what an execution of this process will overwrite when it ends.
	}
	return keys;
}
