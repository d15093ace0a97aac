/** First layer, in this process: the deliveries that n8n is handling or has accepted. A look-up needs no database. */
import { BoundedMap } from '../boundedMap.ts';
import { MAX_CLAIMS } from './limits.ts';

/** True for an accepted delivery; until then a promise that tells whether n8n accepts it. */
type Claim = true | Promise<boolean>;

/** Ends a claim: true if n8n accepted the delivery, false if the service must deliver it again. */
export type Complete = (accepted: boolean) => void;

// In the module, because n8n creates a new node object for each delivery.
const claims = new BoundedMap<Claim>(MAX_CLAIMS);

export function markAccepted(key: string): void {
	claims.set(key, true);
}

/** Claims a delivery. Waits for an earlier claim; gives undefined if n8n has accepted the delivery already. */
export async function claimKey(key: string): Promise<Complete | undefined> {
	while (claims.get(key) !== undefined) {
		if (await claims.get(key)) return undefined;
	}
	// There is no await between the look-up and this claim: of the copies that arrive together, one wins.
	let resolve: (accepted: boolean) => void;
	const claim = new Promise<boolean>((resolveClaim) => (resolve = resolveClaim));
	claims.set(key, claim);
	return (accepted) => {
		if (accepted) markAccepted(key);
		else if (claims.get(key) === claim) claims.delete(key);
		// An execution may have marked it as accepted although n8n answered with an error.
		resolve(claims.get(key) === true);
	};
}
