/** What is known of a call without an answer, by the code of the connection. Only what was never made is not sent. */
import { readAnswer } from '../../nodes/shared/answers/answer.ts';
import { getOperation } from '../../api/catalog.ts';
import { clientOf, connectionOf, rawResponseOf } from '../../nodes/shared/http/client.ts';
import { rejected, waiting } from '../../nodes/shared/answers/failure.ts';
import { failed } from '../../nodes/WalletService/payments/itemResult.ts';
import { WITHOUT_BODY } from '../../nodes/shared/serviceRequest.ts';
import { transportError } from '../../nodes/shared/http/transportError.ts';

const PAYOUT = getOperation('fiatWallet.createPayout');
/** As n8n wraps it: its own error around that of the connection. */
const failing = (code: string) => new Error('n8n', { cause: Object.assign(new Error(), { code }) });

test.each([
	['ECONNREFUSED', 'notSent', 'cannot be reached (connection refused)'],
	['ENOTFOUND', 'notSent', 'cannot be reached (its host name was not found)'],
	['EAI_AGAIN', 'notSent', 'cannot be reached (its host name was not found)'],
	['CERT_HAS_EXPIRED', 'notSent', 'cannot be reached (its certificate is not trusted)'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'notSent', 'cannot be reached (its certificate is not trusted)'],
	['SELF_SIGNED_CERT_IN_CHAIN', 'notSent', 'cannot be reached (its certificate is not trusted)'],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'notSent', 'cannot be reached (its certificate is not trusted)'],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'notSent', 'cannot be reached (its certificate is not trusted)'],
	['ENETUNREACH', 'notSent', 'cannot be reached (no network leads to it)'],
	['EHOSTUNREACH', 'notSent', 'cannot be reached (no network leads to it)'],
	['EADDRNOTAVAIL', 'notSent', 'cannot be reached (this machine has no free address)'],
	['ECONNABORTED', 'unknown', 'gave no answer (timed out)'],
	['ETIMEDOUT', 'unknown', 'gave no answer (timed out)'],
	['ECONNRESET', 'unknown', 'gave no answer (connection closed)'],
	['EPIPE', 'unknown', 'gave no answer (connection closed)'],
	['ERR_CANCELED', 'unknown', 'gave no answer (the execution was stopped)'],
	// With TLS 1.3 this comes after the request was sent.
	['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'unknown', 'gave no answer (connection lost)'],
])('%s: %s, the service %s', (code, outcome, words) => {
	const message = `The service ${words}`;
	expect(transportError(PAYOUT, failing(code))).toMatchObject({ outcome, message, details: { code } });
});

test.each([
	['ERR_INVALID_CHAR', 'a header has a character that is not allowed'],
	['ERR_HTTP_INVALID_HEADER_VALUE', 'a header has no value'],
	['ERR_INVALID_URL', 'its address is not valid'],
])('%s: the request was never written', (code, reason) => {
	const message = `The request cannot be sent (${reason})`;
	expect(transportError(PAYOUT, failing(code))).toMatchObject({
		outcome: 'notSent',
		message,
		details: { code },
	});
});

/** As Node.js names the call to the system that failed. */
const inCall = (code: string, syscall: string) =>
	new Error('n8n', { cause: Object.assign(new Error(), { code, syscall }) });

test.each([
	['ETIMEDOUT', 'connect', 'notSent', 'The service cannot be reached (timed out)'],
	['ECONNRESET', 'connect', 'notSent', 'The service cannot be reached (connection closed)'],
	['EACCES', 'connect', 'notSent', 'The service cannot be reached (no connection)'],
	['ETIMEDOUT', 'read', 'unknown', 'The service gave no answer (timed out)'],
	['ECONNRESET', 'write', 'unknown', 'The service gave no answer (connection closed)'],
	// A network that is lost under way has the same code.
	['EHOSTUNREACH', 'read', 'unknown', 'The service gave no answer (connection lost)'],
])('%s in the call %s: %s', (code, syscall, outcome, message) => {
	expect(transportError(PAYOUT, inCall(code, syscall))).toMatchObject({ outcome, message });
});

test('several addresses that were all tried in vain were never reached', () => {
	const tries = ['10.0.0.1', '::1'].map(() => Object.assign(new Error(), { syscall: 'connect' }));
	const cause = Object.assign(new AggregateError(tries), { code: 'ETIMEDOUT' });
	expect(transportError(PAYOUT, new Error('n8n', { cause }))).toMatchObject({ outcome: 'notSent' });
});

test('older n8n keeps the code under another name', () => {
	const error = Object.assign(new Error('n8n'), { httpCode: 'ECONNREFUSED' });
	expect(transportError(PAYOUT, error)).toMatchObject({
		outcome: 'notSent',
		details: { code: 'ECONNREFUSED' },
	});
});

test('words in place of a code are not shown, since they may hold a part of the request', () => {
	expect(transportError(PAYOUT, failing('EPIPE at key'))).toMatchObject({
		message: 'The service gave no answer (connection lost)',
	});
	expect(transportError(PAYOUT, failing('EPIPE at key'))).not.toHaveProperty('details');
});

test.each([
	['ETIMEDOUT', 'timed out', { timeout: 500 }],
	['ERR_CANCELED', 'the execution was stopped', { timeout: 200 }],
])('%s: the wait for an answer that never comes ends', async (code, words, connection) => {
	const stop = new AbortController();
	const neverAnswer = () => {
		if (code === 'ERR_CANCELED') setTimeout(() => stop.abort());
		return new Promise(() => {});
	};
	const context = {
		getExecutionCancelSignal: () => stop.signal,
		getCredentials: () => Promise.resolve({ baseUrl: 'https://api.example.com' }),
		getNode: () => ({}),
		helpers: { httpRequestWithAuthentication: neverAnswer },
	};
	const result = await clientOf(context as never).send(PAYOUT, WITHOUT_BODY, { simplify: true, connection });
	const message = `The service gave no answer (${words})`;
	expect(result).toMatchObject({ ok: false, failure: { outcome: 'unknown', message, details: { code } } });
});

test.each([
	'NOT_ECONNREFUSED',
	'ECONNREFUSED_2',
	'NOT_ENOTFOUND',
	'EAI_AGAIN_2',
	'NOT_UNABLE_TO_X',
	'CERT_HAS_EXPIRED_2',
])('%s, which is not quite a known code, proves nothing', (code) => {
	expect(transportError(PAYOUT, failing(code))).toMatchObject({ outcome: 'unknown', details: { code } });
});

test('words about domains inside a message prove nothing', () => {
	const error = new Error('The answer was: Domain not allowed');
	expect(transportError(PAYOUT, error)).toMatchObject({ outcome: 'unknown' });
});

test.each(['Domain not allowed: x.example', 'No allowed domains specified'])('%s: not sent', (reason) => {
	const message = `The credential does not allow this address: ${reason}`;
	const error = new Error('n8n', { cause: new Error(reason) });
	expect(transportError(PAYOUT, error)).toMatchObject({ outcome: 'notSent', message });
});

const CHECK_KEYS =
	'Check API Key and the signature settings of the credential, and the clock of this machine.';

test.each([
	[429, '7', 'Run again in 7 seconds or later.', 7],
	[429, 'Thu, 01 Jan 2026 00:00:20 GMT', 'Run again in 20 seconds or later.', 20],
	[429, 'Thu, 01 Jan 1970 00:00:00 GMT', 'Run again in 0 seconds or later.', 0],
	[429, 'soon', 'Run again later, or send fewer requests.', undefined],
	[429, 'x7', 'Run again later, or send fewer requests.', undefined],
	[429, '7x', 'Run again later, or send fewer requests.', undefined],
	[400, '7', 'Correct the item and run again.', undefined],
	[403, undefined, CHECK_KEYS, undefined],
])('%d with Retry-After %s says what to do', (statusCode, retryAfter, advice, seconds) => {
	const now = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 0, 1));
	const { description, retryAfter: wait } = rejected(
		PAYOUT,
		readAnswer({ statusCode, retryAfter, body: '{}' }, true, []),
	);
	now.mockRestore();
	expect(description).toBe(`The service refused this payment. It moved no money. ${advice}`);
	expect(wait).toBe(seconds);
});

test('an answer whose body is not text has an empty body', () => {
	expect(rawResponseOf({ statusCode: 204, body: {}, headers: {} })).toEqual({ statusCode: 204, body: '' });
});

test.each([
	// After ten minutes, another decision about the same payment may act.
	...[300_001, 1e300, -1, NaN, 'soon'].map((timeout) => ({ timeout })),
	// An expression that gives nothing is not the same as no proxy.
	...['localhost:9', 'proxy.example:3128', 'socks5://127.0.0.1:9', '', undefined].map((proxy) => ({ proxy })),
])('n8n cannot follow the Request Options %p', (options) => {
	expect(connectionOf(() => options)).toBeUndefined();
});

const PROXY = { protocol: 'http', host: 'proxy.example', port: 80 };
test.each([
	[{}, { timeout: 300_000 }],
	[{ timeout: 300_000 }, { timeout: 300_000 }],
	[
		{ timeout: 5000, allowUnauthorizedCerts: true },
		{ timeout: 5000, skipSslCertificateValidation: true },
	],
	[{ proxy: 'http://proxy.example' }, { timeout: 300_000, proxy: PROXY }],
	[
		{ proxy: 'https://proxy.example' },
		{ timeout: 300_000, proxy: { ...PROXY, protocol: 'https', port: 443 } },
	],
	[
		{ proxy: 'http://me:p%40ss@proxy.example:3128' },
		{ timeout: 300_000, proxy: { ...PROXY, port: 3128, auth: { username: 'me', password: 'p@ss' } } },
	],
])('the Request Options %j are what n8n takes', (options, connection) => {
	expect(connectionOf(() => options)).toStrictEqual(connection);
});

test('what may have been sent is unknown, even if it waits now', () => {
	const failure = waiting({ message: 'No contract', description: 'Wait' });
	expect(failed(failure, {}).row).toEqual({ result: 'notSent', waiting: true });
	expect(failed({ ...failure, outcome: 'unknown' }, {}).row).toEqual({ result: 'unknown' });
});
