import { hash } from 'node:crypto';

/** Base64 characters of a key. 96 bits: nobody can find a second delivery with the same key. */
export const KEY_LENGTH = 16;

/**
 * The key of a delivery in all layers: `KEY_LENGTH` characters, however long the id is that the sender chose.
 * `scope` names one trigger of one workflow.
 */
export function hashKey(scope: string, deliveryKey: string): string {
	return hash('sha256', `${scope}\n${deliveryKey}`, 'base64').slice(0, KEY_LENGTH);
}
