/** What the status of a payout or a deposit says about its end. The document shows `pending` and `successful`; people write others. */
import { wordsOf } from './words.ts';

/** The money has moved, and nothing should come after it. */
const SUCCESSFUL = new Set(['successful', 'success', 'completed']);

/** The money is not gone, or has come back. */
const FAILED = new Set([
	'failed',
	'rejected',
	'declined',
	'cancelled',
	'canceled',
	'reversed',
	'returned',
	'refunded',
]);

/** The money is on its way. Such a word may be delivered late, behind the end. */
const ON_THE_WAY = new Set([
	'pending',
	'processing',
	'created',
	'initiated',
	'submitted',
	'queued',
	'broadcast',
	'sent',
	'detected',
	'seen',
	'received',
	'unconfirmed',
	'confirming',
	'confirmed',
]);

/** Whether nobody knows the word: behind a success, it may mean that the money was taken back. */
export function isUnknownStatus(status: unknown): boolean {
	return status !== '' && !isFinalStatus(status) && !isOnTheWay(status);
}

/** Whether the money is said to be on its way. */
function isOnTheWay(status: unknown): boolean {
	return ON_THE_WAY.has(wordOf(status));
}

/** Whether the money is said to have moved, or to be on its way. */
export function isMovedStatus(status: unknown): boolean {
	return SUCCESSFUL.has(wordOf(status)) || isOnTheWay(status);
}

/** Whether the money is not gone, or has come back. */
export function isFailedStatus(status: unknown): boolean {
	return FAILED.has(wordOf(status));
}

/** Whether nothing should come after this status. */
export function isFinalStatus(status: unknown): boolean {
	return SUCCESSFUL.has(wordOf(status)) || isFailedStatus(status);
}

/** A status of one word, in lower case; '' for any other. */
function wordOf(status: unknown): string {
	const words = wordsOf(typeof status === 'string' ? status : '');
	return words.length === 1 ? (words[0] ?? '') : '';
}
