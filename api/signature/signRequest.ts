/** Signs requests to the service: the three headers of the API document ("Authentication"). */
import { randomBytes } from 'node:crypto';

import { SETTING } from '../messages.ts';
import { SettingError } from '../settingError.ts';
import { hmac } from './hmac.ts';
import { paymentKeyHeaderOf } from './paymentKeyHeader.ts';
import { readSecret, requireBareText } from './secret.ts';
import { choice, requiredTextOf, textOf } from './readSettings.ts';
import { SETTINGS } from './settings.ts';
import type { SigningSettings } from './settings.ts';
import { resolveSigning } from './styles.ts';
import { BODY_TOKENS, bodyValues, fillTemplate, leaveOut, parseTemplate } from './template.ts';
import { TIME_FORMATS } from './time.ts';

/** The parts of a request that can be signed. `body` is the exact text sent, '' if there is none. */
export interface SignableRequest {
	method: string;
	url: URL;
	body: string;
}

/** Values that are new for each request. */
interface Fresh {
	timestamp: string;
	nonce: string;
}

/**
 * The headers of a request that is sent at `now`, in milliseconds since 1970. `received` are the values of a request that a
 * receiver checks. The nonce has a header only if it is signed. Throws SettingError.
 */
export function signRequest(
	chosen: SigningSettings,
	request: SignableRequest,
	now: number,
	received?: Partial<Fresh>,
): Record<string, string> {
	const settings = resolveSigning(chosen);
	const name = textOf(settings, 'serviceName');
	if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) throw new SettingError(SETTING.serviceNameIsInvalid);
	// Only payments send this header. The test of the credential finds here that it cannot be used.
	paymentKeyHeaderOf(settings);
	const key = requireBareText(settings.apiKey, SETTINGS.apiKey.label);
	const fresh = {
		timestamp: timestampText(settings, now),
		nonce: randomBytes(16).toString('hex'),
		...received,
	};
	const { signature, signsNonce } = requestSignature(settings, request, fresh);
	return {
		[`x-${name}-key`]: key,
		[`x-${name}-signature`]: signature,
		[`x-${name}-timestamp`]: fresh.timestamp,
		...(signsNonce ? { [`x-${name}-nonce`]: fresh.nonce } : {}),
	};
}

function timestampText(settings: SigningSettings, now: number): string {
	const format = choice(settings, 'timestampFormat');
	return format === 'static' ? requiredTextOf(settings, 'staticTimestamp') : TIME_FORMATS[format].write(now);
}

const TOKENS = [
	...(['timestamp', 'nonce', 'method', 'path', 'query', 'pathWithQuery', 'host', 'key'] as const),
	...BODY_TOKENS,
];

function requestSignature(
	settings: SigningSettings,
	{ method, url, body }: SignableRequest,
	{ timestamp, nonce }: Fresh,
): { signature: string; signsNonce: boolean } {
	if (choice(settings, 'signatureMethod') === 'static') {
		return { signature: requiredTextOf(settings, 'staticSignature'), signsNonce: false };
	}
	const { label } = SETTINGS.signaturePayload;
	const template = parseTemplate(requiredTextOf(settings, 'signaturePayload'), label, TOKENS);
	const emptyBody = choice(settings, 'signatureEmptyBody');
	const signed = emptyBody === 'leftOut' && body === '' ? leaveOut(template, BODY_TOKENS) : template;
	const payload = fillTemplate(signed, {
		...bodyValues(emptyBody === 'emptyObject' && body === '' ? '{}' : body),
		timestamp: () => timestamp,
		nonce: () => nonce,
		method: () => method.toUpperCase(),
		path: () => url.pathname,
		query: () => url.search.slice(1),
		pathWithQuery: () => url.pathname + url.search,
		host: () => url.host,
		key: () => textOf(settings, 'apiKey'),
	});
	const encoding = choice(settings, 'signatureSecretEncoding');
	const key = {
		secret: readSecret(settings.signatureSecret, encoding, SETTINGS.signatureSecret.label),
		algorithm: choice(settings, 'signatureAlgorithm'),
		encoding: choice(settings, 'signatureEncoding'),
	};
	return { signature: hmac(key, payload), signsNonce: signed.tokens.includes('nonce') };
}
