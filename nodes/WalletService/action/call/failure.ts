/** Describes calls that failed: what is known of the outcome, the service's words, and what to do. */
import { serviceWords } from '../../../../api/guesses.ts';
import { isChange } from '../../../../api/catalog.ts';
import type { Endpoint } from '../../../../api/endpoints.ts';
import { SettingError } from '../../../../api/settingError.ts';
import { ADVICE, NOTHING_DONE, REFUSAL, REFUSED, UNCLEAR, UNKNOWN_ADVICE } from './messages.ts';
import type { Failure, ValidationIssue } from '../result.ts';

/** Input that cannot be sent. `result` says what that means for the item or the run. */
export function invalid(issues: ValidationIssue[], result = 'This item was not sent.'): Failure {
	const kinds = issues.map(({ kind }) => kind);
	return {
		message: issues.map(({ message }) => message).join('; '),
		description: `${[...new Set(issues.map(({ description }) => description))].join('. ')}. ${result}`,
		outcome: 'notSent',
		kind: kinds.find((kind) => kind === 'limit' || kinds.every((other) => other === kind)),
	};
}

/** Something other than the input keeps the item from being sent. */
export function notSent({ message, description, kind }: ValidationIssue): Failure {
	return { message, description: `${description}.`, outcome: 'notSent', kind };
}

/** The item is not sent now, and may have been sent before. */
export const maybeSent = (issue: ValidationIssue): Failure => ({ ...notSent(issue), outcome: 'unknown' });

/** The credential is missing or cannot be read, so nothing was sent. */
export function unusableCredential(error: unknown): Failure {
	const chain = causes(error);
	const reason = chain.map(originalMessage).at(-1) ?? 'it is missing';
	return { ...REFUSAL.credentialIsUnusable(reason), outcome: 'notSent' };
}

/** What a call does, for its messages. */
export function kindOf(endpoint: Endpoint): 'payment' | 'change' | 'read' {
	if (!isChange(endpoint)) return 'read';
	return endpoint.movesMoney === undefined ? 'change' : 'payment';
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

/** A status that proves that the service did nothing. `retryAfter` is the header Retry-After. */
export function rejected(
	endpoint: Endpoint,
	{ statusCode, retryAfter }: { statusCode: number; retryAfter?: string },
	details: unknown,
): Failure {
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

/** Connections that were never made. n8n replaces any message that contains such a code, so words take its place. */
const NEVER_MADE: Array<[code: RegExp, words: string]> = [
	[/^ECONNREFUSED$/, 'connection refused'],
	[/^(ENOTFOUND|EAI_AGAIN)$/, 'its host name was not found'],
	[
		/^(UNABLE_TO_.*|CERT_HAS_EXPIRED|.*SELF_SIGNED_CERT.*|ERR_TLS_CERT_ALTNAME_INVALID)$/,
		'its certificate is not trusted',
	],
];
/** Connections that ended too early. Any other code says no more than that. */
const BROKEN: typeof NEVER_MADE = [
	[/TIMEDOUT$|^ECONNABORTED$/, 'timed out'],
	[/^(ECONNRESET|EPIPE)$/, 'connection closed'],
	[/^ERR_CANCELED$/, 'the execution was stopped'],
];
/** Describes what n8n throws when there is no answer. */
export function thrown(endpoint: Endpoint, error: unknown): Failure {
	const chain = causes(error);
	const setting = chain.find((cause) => codeOf(cause) === SettingError.code);
	if (setting !== undefined) return unusableCredential(setting);
	// n8n checks a credential's allowed domains before it sends.
	const domain = chain
		.map(originalMessage)
		.find((text) => /^(Domain not allowed|No allowed domains)/.test(text));
	if (domain !== undefined) return { ...REFUSAL.domainIsNotAllowed(domain), outcome: 'notSent' };

	const code = chain.map(codeOf).find((text) => /^[A-Z][A-Z\d_]+$/.test(text)) ?? '';
	const details = code === '' ? {} : { details: { code } };
	const wordsIn = (table: typeof NEVER_MADE) => table.find(([pattern]) => pattern.test(code))?.[1];
	const neverMade = wordsIn(NEVER_MADE);
	return neverMade === undefined
		? unknown(endpoint, UNCLEAR.noAnswer(wordsIn(BROKEN) ?? 'connection lost'), details)
		: { ...REFUSAL.unreachable(neverMade), outcome: 'notSent', ...details };
}

function causes(error: unknown): Error[] {
	const chain: Error[] = [];
	for (let cause = error; cause instanceof Error && chain.length < 5; cause = cause.cause) chain.push(cause);
	return chain;
}

/** The code of an error, or of the error inside n8n's own. Older n8n (2.13) keeps the code as `httpCode`. */
function codeOf(error: Error): string {
	const { code, httpCode } = error as { code?: unknown; httpCode?: unknown };
	return String(code ?? httpCode ?? '');
}

/** n8n replaces messages and keeps the original ones in `messages`. */
function originalMessage(error: Error): string {
	const { messages: [original] = [] } = error as { messages?: string[] };
	return original ?? error.message;
}
