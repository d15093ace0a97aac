/** The money is not gone, or has come back. */
const FAILED = ['failed', 'rejected', 'cancelled', 'reversed', 'returned'];

/** @param {unknown} status */
export const isFailure = (status) => FAILED.includes(String(status));

/**
 * Nothing should come after it.
 * @param {unknown} status
 */
export const isFinal = (status) => status === 'successful' || isFailure(status);
