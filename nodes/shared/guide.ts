/** Links from messages to the guides. n8n shows the description of an error that stops a node as HTML, and no other text of it. */
import type { Failure } from './result.ts';

const GUIDES = 'https://github.com/n8n-nodes-wallet-service/n8n-nodes-wallet-service/blob/main/docs/';

/** Headings that explain what a message is about. */
export const HEADINGS = {
	unknown: ['operate/unknown-payments.md', 'Decide about unknown payments'],
	key: ['reference/payment-key.md#a-key-for-each-payment', 'Payment Keys'],
	limit: ['reference/limits.md#limits', 'Limits'],
	signature: ['set-up/connect.md#if-the-service-signs-in-another-way', 'If the service signs in another way'],
	delivery: ['set-up/verify-webhooks.md#let-the-trigger-find-the-settings', 'Verify webhooks'],
} as const;

/** The text, and a line with a link below it. */
export const withLink = (text: string, [heading, words]: readonly [heading: string, words: string]): string =>
	`${text}<br><a href="${GUIDES}${heading}" target="_blank">${words}</a>`;

/** The failure with a link, if a guide says more about it than its message. */
export function explained(failure: Failure, isPayment: boolean): Failure {
	const heading = headingOf(failure, isPayment);
	if (heading === undefined) return failure;
	return { ...failure, description: withLink(failure.description, HEADINGS[heading]) };
}

function headingOf({ outcome, httpStatus, about }: Failure, isPayment: boolean) {
	if (outcome === 'unknown') return isPayment ? 'unknown' : undefined;
	if (httpStatus === 401 || httpStatus === 403) return 'signature';
	return about === 'input' ? undefined : about;
}
