/** What the field `result` says of a payment or conversion. */

/** The words of a money operation. */
export const RESULTS = ['paid', 'alreadyPaid', 'dryRun', 'notSent', 'rejected', 'unknown'] as const;
export type PaymentResult = (typeof RESULTS)[number];

/** The word of the book for a payment that is about to be sent. */
export const UNDER_WAY = 'under way';
