/**
 * The trigger's memory of the deliveries it has handed to n8n. The service repeats a delivery that was not acknowledged
 * ("Delivery rules" 4 and 5), so one event may arrive several times.
 */
import { createHash } from 'node:crypto';

/** So many deliveries are remembered; the oldest go first. 100 bytes each or so. */
const CAPACITY = 50_000;

// Of the module, not of the node: n8n makes a new node for each delivery.
const seen = new Set<string>();

/**
 * Claims a delivery for one trigger (`scope`). False when it was claimed before. There is no await between look-up and
 * claim, so of two copies that arrive together one wins.
 */
export function claim(scope: string, deliveryKey: string): boolean {
	const name = nameOf(scope, deliveryKey);
	if (seen.has(name)) return false;
	seen.add(name);
	for (const oldest of seen) {
		if (seen.size <= CAPACITY) break;
		seen.delete(oldest);
	}
	return true;
}

/** Gives a claim back: the delivery was not acknowledged, so its repetition must start the workflow. */
export function release(scope: string, deliveryKey: string): void {
	seen.delete(nameOf(scope, deliveryKey));
}

/** Of one size whatever a sender puts into an id. */
function nameOf(scope: string, deliveryKey: string): string {
	return createHash('sha256').update(scope).update('\n').update(deliveryKey).digest('base64');
}
