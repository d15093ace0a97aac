/** First layer, in this process: the deliveries that n8n is handling or has accepted. A look-up needs no database. */
import { BoundedMap } from '../boundedMap.ts';
import { subjectOf } from './key.ts';
import { MAX_CLAIMS } from './capacities.ts';

interface Claim {
	/** True for an accepted delivery; until then a promise that tells whether n8n accepts it. */
	outcome: true | Promise<boolean>;
	/** Whether the service may have missed the answer: then it delivers again, even after the next status. */
	mayBeRepeated: boolean;
	/** The execution that handles the delivery, once it has begun. */
	executionId?: string;
}

/** Stands for an execution of another process, or of this one before a restart. */
const ELSEWHERE = 'elsewhere';

/** How n8n answered a delivery. */
export interface Outcome {
	/** False if the service must deliver again. */
	accepted: boolean;
	/** Whether the answer was sent before the sender hung up. */
	sent: boolean;
}

/** Ends a claim. */
export type Complete = (outcome: Outcome) => void;

// In the module, because n8n creates a new node object for each delivery.
const claims = new BoundedMap<Claim>(MAX_CLAIMS);
/** The key that was accepted last, by subject. */
const latest = new BoundedMap<string>(MAX_CLAIMS);

/** Marks a delivery that was handled in another process, or before a restart. */
export function markAccepted(key: string): void {
	if (claims.get(key) !== undefined) return;
	claims.set(key, { outcome: true, mayBeRepeated: false, executionId: ELSEWHERE });
	latest.set(subjectOf(key), key);
}

/** Whether this process has accepted the delivery, and another status of its subject since. */
export function isReplaced(key: string): boolean {
	return claims.get(key)?.outcome === true && latest.get(subjectOf(key)) !== key;
}

/** Forgets the last status of a subject, so that its next delivery counts as new. */
export function forgetSubject(subject: string): void {
	const key = latest.get(subject);
	if (key !== undefined) claims.delete(key);
	latest.delete(subject);
}

/**
 * Whether the subject has reached another status since. The service delivers again only what was not acknowledged, so
 * the same status after another one is news: pending, failed, pending.
 */
function isNewsAgain(key: string, claim: Claim): boolean {
	return !claim.mayBeRepeated && isReplaced(key);
}

/** Claims a delivery. Waits for an earlier claim; gives undefined if n8n has accepted the delivery already. */
export async function claimKey(key: string): Promise<Complete | undefined> {
	for (let earlier = claims.get(key); earlier !== undefined; earlier = claims.get(key)) {
		if (isNewsAgain(key, earlier)) break;
		if (await earlier.outcome) return undefined;
	}
	// There is no await between the look-up and this claim: of the copies that arrive together, one wins.
	let resolve: (accepted: boolean) => void;
	const outcome = new Promise<boolean>((resolveOutcome) => (resolve = resolveOutcome));
	const claim: Claim = { outcome, mayBeRepeated: true };
	claims.set(key, claim);
	return ({ accepted, sent }) => {
		if (accepted) accept(key, claim);
		// An execution may have accepted it although n8n answered with an error.
		const isAccepted = claim.outcome === true;
		if (!isAccepted && claims.get(key) === claim) claims.delete(key);
		if (accepted && sent) claim.mayBeRepeated = false;
		resolve(isAccepted);
	};
}

/** The service has the answer to a repetition, so it does not deliver again. */
export function endRepetitions(key: string): void {
	const claim = claims.get(key);
	if (claim !== undefined) claim.mayBeRepeated = false;
}

/** Gives the delivery to an execution. False if another execution of this process has it already. */
export function giveTo(executionId: string, key: string): boolean {
	const claim = claims.get(key) ?? { outcome: true, mayBeRepeated: false };
	if (claim.executionId !== undefined && claim.executionId !== executionId) return false;
	claim.executionId = executionId;
	accept(key, claim);
	return true;
}

function accept(key: string, claim: Claim): void {
	if (claim.outcome === true && claims.get(key) === claim) return;
	claim.outcome = true;
	claims.set(key, claim);
	latest.set(subjectOf(key), key);
}
