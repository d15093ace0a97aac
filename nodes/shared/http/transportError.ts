/** Describes calls without an answer, by the code of the connection. Only what never left this machine is not sent. */
import type { Endpoint } from '../../../api/endpoints.ts';
import { ClockError, LateError } from '../../../api/deadline.ts';
import { SettingError } from '../../../api/settingError.ts';
import type { Failure } from '../result.ts';
import { errorChain, codeOf, originalMessage, systemCallsOf } from '../errorChain.ts';
import { notSent, unknown, unusableCredential } from '../answers/failure.ts';
import { noAnswer, REFUSAL, UNSENT } from '../answers/messages.ts';

// n8n replaces any message that contains such a code, so words take its place.

/** Connections that were never made. */
const NEVER_MADE: Record<string, string> = {
	ECONNREFUSED: 'connection refused',
	ENOTFOUND: 'its host name was not found',
	EAI_AGAIN: 'its host name was not found',
	ENETUNREACH: 'no network leads to it',
	EHOSTUNREACH: 'no network leads to it',
	EADDRNOTAVAIL: 'this machine has no free address',
	CERT_HAS_EXPIRED: 'its certificate is not trusted',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is not trusted',
};
/** More codes of certificates, by a part of them. */
const IS_CERTIFICATE = /^UNABLE_TO_|SELF_SIGNED_CERT/;

/** Requests that cannot be written down. */
const NOT_WRITTEN: Record<string, string> = {
	ERR_INVALID_CHAR: 'a header has a character that is not allowed',
	ERR_HTTP_INVALID_HEADER_VALUE: 'a header has no value',
	ERR_INVALID_URL: 'its address is not valid',
};

/** Connections that ended too early. Any other code says no more than that. */
const BROKEN: Record<string, string> = {
	ETIMEDOUT: 'timed out',
	ESOCKETTIMEDOUT: 'timed out',
	ECONNABORTED: 'timed out',
	ECONNRESET: 'connection closed',
	EPIPE: 'connection closed',
	ERR_CANCELED: 'the execution was stopped',
};

/** Describes what n8n throws when there is no answer. */
export function transportError(endpoint: Endpoint, error: unknown): Failure {
	const chain = errorChain(error);
	const setting = chain.find((cause) => codeOf(cause) === SettingError.code);
	if (setting !== undefined) return unusableCredential(setting);
	if (chain.some((cause) => codeOf(cause) === LateError.code)) return notSent(UNSENT.cameTooLate());
	if (chain.some((cause) => codeOf(cause) === ClockError.code)) return notSent(UNSENT.clockWasSet());
	const domain = refusedDomain(chain);
	if (domain !== undefined) return { ...REFUSAL.domainIsNotAllowed(domain), outcome: 'notSent' };

	const code = chain.map(codeOf).find((text) => /^[A-Z][A-Z\d_]+$/.test(text)) ?? '';
	const details = code === '' ? {} : { details: { code } };
	const notWritten = wordsFor(code, NOT_WRITTEN);
	if (notWritten !== undefined) return { ...REFUSAL.notWritten(notWritten), outcome: 'notSent', ...details };
	const reason = reasonOfNoConnection(code, chain.flatMap(systemCallsOf));
	if (reason !== undefined) return { ...REFUSAL.unreachable(reason), outcome: 'notSent', ...details };
	return unknown(endpoint, noAnswer(wordsFor(code, BROKEN) ?? 'connection lost'), details);
}

/** n8n checks a credential's allowed domains before it sends. */
function refusedDomain(chain: Error[]): string | undefined {
	return chain.map(originalMessage).find((text) => /^(Domain not allowed|No allowed domains)/.test(text));
}

/** Why there was never a connection; undefined if there may have been one. `calls`: those of the system that failed. */
function reasonOfNoConnection(code: string, calls: string[]): string | undefined {
	// A network that is lost later fails a read or a write with the same code.
	if (calls.some((call) => call === 'read' || call === 'write')) return undefined;
	const words = IS_CERTIFICATE.test(code) ? NEVER_MADE.CERT_HAS_EXPIRED : wordsFor(code, NEVER_MADE);
	if (words !== undefined) return words;
	return calls.includes('connect') ? (wordsFor(code, BROKEN) ?? 'no connection') : undefined;
}

function wordsFor(code: string, table: Record<string, string>): string | undefined {
	return Object.hasOwn(table, code) ? table[code] : undefined;
}
