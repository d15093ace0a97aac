/** Describes calls that failed: what is known of the outcome, the service's words, and what to do. */
import type { Answer } from './answer.ts';
import { serviceWords } from './serviceWords.ts';
import { isChange, movesMoney } from '../../../api/catalog.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import { errorChain, originalMessage } from '../errorChain.ts';
import { ADVICE, NOTHING_DONE, REFUSAL, REFUSED, UNCLEAR, UNKNOWN_ADVICE } from './messages.ts';
import type { Failure, ValidationIssue } from '../result.ts';

/** Input that cannot be sent. `consequence` says what that means for the item or the run. */
export function invalid(issues: ValidationIssue[], consequence = 'This item was not sent.'): Failure {
	const matters = issues.map(({ about }) => about);
	return {
		message: issues.map(({ message }) => message).join('; '),
		description: `${[...new Set(issues.map(({ description }) => description))].join('. ')}. ${consequence}`,
		outcome: 'notSent',
		about: matters.find((each) => each === 'limit' || matters.every((other) => other === each)),
	};
}

/** Something other than the input keeps the item from being sent. */
export function notSent({ message, description, about }: ValidationIssue): Failure {
	return { message, description: `${description}.`, outcome: 'notSent', about };
}

/** The item is not sent now, and nothing is wrong with it. */
export const waiting = (issue: ValidationIssue): Failure => ({ ...notSent(issue), isWaiting: true });

/** The item is not sent now, and may have been sent before. */
export const maybeSent = (issue: ValidationIssue): Failure => ({ ...notSent(issue), outcome: 'unknown' });

/** The credential is missing or cannot be read, so nothing was sent. */
export function unusableCredential(error: unknown): Failure {
	const chain = errorChain(error);
	const reason = chain.map(originalMessage).at(-1) ?? 'it is missing';
	return { ...REFUSAL.credentialIsUnusable(reason), outcome: 'notSent' };
}

/** What a call does, for its messages. */
function kindOf(endpoint: Endpoint): 'payment' | 'change' | 'read' {
	if (!isChange(endpoint)) return 'read';
	return movesMoney(endpoint) ? 'payment' : 'change';
}

/** Of a run that has sent nothing, in no try. */
export function nothingDone(endpoint: Endpoint): string {
	return kindOf(endpoint) === 'payment' ? NOTHING_DONE.nothingMoved : NOTHING_DONE.nothingChanged;
}

/** A request was sent, and its outcome is unknown. */
export function unknown(endpoint: Endpoint, message: string, more: Partial<Failure> = {}): Failure {
	const description = UNKNOWN_ADVICE[kindOf(endpoint)];
	return { message, description, outcome: 'unknown', ...more };
}

/** The service has answered that it did nothing. */
export function rejected(endpoint: Endpoint, { statusCode, retryAfter, details }: Answer): Failure {
	const seconds = statusCode === 429 ? secondsOf(retryAfter) : undefined;
	const advice = seconds === undefined ? adviceOf(statusCode) : ADVICE.waitFor(String(seconds));
	return {
		message: UNCLEAR.status({ status: String(statusCode), words: serviceWords(details) }),
		description: `${REFUSED[kindOf(endpoint)]} ${advice}`,
		outcome: 'rejected',
		httpStatus: statusCode,
		details,
		...(seconds !== undefined && { retryAfter: seconds }),
	};
}

function adviceOf(statusCode: number): string {
	if (statusCode === 401 || statusCode === 403) return ADVICE.checkKeys;
	if (statusCode === 404) return ADVICE.findIt;
	return statusCode === 429 ? ADVICE.wait : ADVICE.correct;
}

/** Retry-After is a number of seconds or a date (RFC 9110, 10.2.3). */
function secondsOf(retryAfter: string | undefined): number | undefined {
	if (retryAfter === undefined) return undefined;
	if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
	const date = Date.parse(retryAfter);
	return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
