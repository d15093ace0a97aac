/** The money is not gone, or has come back. A person may have written it. */
const FAILED = /^\s*(?:failed|rejected|cancelled|reversed|returned)\s*$/i;

/** @param {unknown} status */
export const isFailure = (status) => FAILED.test(String(status));

/**
 * Nothing should come after it.
 * @param {unknown} status
 */
export const isFinal = (status) => /^\s*successful\s*$/i.test(String(status)) || isFailure(status);
