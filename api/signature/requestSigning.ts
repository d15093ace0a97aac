/** Signs requests to the service: the three headers of the API document ("Authentication"). */
import { createHash, randomBytes } from 'node:crypto';

import { SETTING } from '../messages.ts';
import { optionalText, requireText, SettingError } from '../settingError.ts';
import { hmac } from './hmac.ts';
import type { HmacKey } from './hmac.ts';
import { requireOption } from './option.ts';
import { paymentKeyHeaderOf } from './paymentKeyHeader.ts';
import { resolveSigning } from './resolveStyle.ts';
import { readSecret, requireBareText } from './secret.ts';
import { SIGNATURE_DEFAULTS, VALUES } from './settings.ts';
import type { SigningSettings } from './settings.ts';
import { fillTemplate, leaveOut, parseTemplate } from './template.ts';
import type { PayloadPart, Template } from './template.ts';

/** The parts of a request that can be signed. `body` is the exact text sent, '' if there is none. */
export interface SignableRequest {
	method: string;
	url: URL;
	body: string;
}

/** The headers for a request sent now. `now` in milliseconds since 1970. Throws SettingError. */
export function signRequest(
	settings: SigningSettings,
	request: SignableRequest,
	now: number,
): Record<string, string> {
	const nonce = randomBytes(16).toString('hex');
	return signedHeaders(settings, request, timestampText(resolveSigning(settings), now), nonce);
}

/**
 * The headers for a given timestamp and nonce: what a receiver expects of a request that carries them. The nonce has a
 * header only if it is signed. Throws SettingError.
 */
export function signedHeaders(
	chosen: SigningSettings,
	request: SignableRequest,
	timestamp: string,
	nonce = '',
): Record<string, string> {
	const settings = resolveSigning(chosen);
	if (!/^[a-z0-9][a-z0-9-]*$/.test(optionalText(settings.serviceName, 'Service Name'))) {
		throw new SettingError(SETTING.serviceNameIsInvalid);
	}
	// Only payments send this header. The test of the credential finds here that it cannot be used.
	paymentKeyHeaderOf(settings);
	const prefix = `x-${settings.serviceName}-`;
	const apiKey = requireBareText(settings.apiKey, 'API Key');
	const { signature, signsNonce } = requestSignature(settings, request, { timestamp, nonce });
	return {
		[`${prefix}key`]: apiKey,
		[`${prefix}signature`]: signature,
		[`${prefix}timestamp`]: timestamp,
		...(signsNonce ? { [`${prefix}nonce`]: nonce } : {}),
	};
}

function timestampText(settings: SigningSettings, now: number): string {
	switch (requireOption(settings.timestampFormat, VALUES.timestampFormat, 'Timestamp Format')) {
		case 'unixMilliseconds':
			return String(now);
		case 'unixSeconds':
			return String(Math.floor(now / 1000));
		case 'unixMicroseconds':
			return `${now}000`;
		case 'iso8601':
			return new Date(now).toISOString();
		case 'iso8601Seconds':
			return `${new Date(now).toISOString().slice(0, 19)}Z`;
		case 'iso8601NoZone':
			return new Date(now).toISOString().slice(0, 19);
		case 'httpDate':
			return new Date(now).toUTCString();
		case 'static':
			return requireText(settings.staticTimestamp, 'Timestamp');
	}
}

interface Signed {
	signature: string;
	signsNonce: boolean;
}

/** Values that are new for each request. */
interface Fresh {
	timestamp: string;
	nonce: string;
}

function requestSignature(settings: SigningSettings, request: SignableRequest, fresh: Fresh): Signed {
	switch (requireOption(settings.signatureMethod, VALUES.signatureMethod, 'Signature Method')) {
		case 'static':
			return { signature: requireText(settings.staticSignature, 'Signature'), signsNonce: false };
		case 'hmac': {
			const template = payloadTemplate(settings, request);
			const payload = fillTemplate(template, payloadValues(settings, request, fresh));
			return {
				signature: hmac(hmacKey(settings), payload),
				signsNonce: template.tokens.includes('nonce'),
			};
		}
	}
}

function hmacKey(settings: SigningSettings): HmacKey {
	const {
		signatureSecretEncoding: secretEncoding = SIGNATURE_DEFAULTS.signatureSecretEncoding,
		signatureAlgorithm: algorithm = SIGNATURE_DEFAULTS.signatureAlgorithm,
		signatureEncoding: encoding = SIGNATURE_DEFAULTS.signatureEncoding,
	} = settings;
	requireOption(secretEncoding, VALUES.secretEncoding, 'Signature Secret Encoding');
	return {
		secret: readSecret(settings.signatureSecret, secretEncoding, 'Signature Secret'),
		algorithm: requireOption(algorithm, VALUES.signatureAlgorithm, 'Signature Algorithm'),
		encoding: requireOption(encoding, VALUES.signatureEncoding, 'Signature Encoding'),
	};
}

const BODY_TOKENS = ['body', 'bodySha256', 'bodySha512', 'bodySha256Base64'] as const;
const PAYLOAD_TOKENS = [
	...(['timestamp', 'nonce', 'method', 'path', 'query', 'pathWithQuery', 'host', 'key'] as const),
	...BODY_TOKENS,
];
type PayloadToken = (typeof PAYLOAD_TOKENS)[number];

function payloadTemplate(settings: SigningSettings, { body }: SignableRequest): Template<PayloadToken> {
	const { signaturePayload = SIGNATURE_DEFAULTS.signaturePayload } = settings;
	const label = 'Signature Payload';
	const template = parseTemplate(requireText(signaturePayload, label), label, PAYLOAD_TOKENS);
	return emptyBody(settings) === 'leftOut' && body === '' ? leaveOut(template, BODY_TOKENS) : template;
}

function emptyBody({ signatureEmptyBody = SIGNATURE_DEFAULTS.signatureEmptyBody }: SigningSettings) {
	return requireOption(signatureEmptyBody, VALUES.emptyBody, 'Empty Body');
}

function payloadValues(
	settings: SigningSettings,
	{ method, url, body }: SignableRequest,
	{ timestamp, nonce }: Fresh,
): Record<PayloadToken, () => PayloadPart> {
	const signedBody = emptyBody(settings) === 'emptyObject' && body === '' ? '{}' : body;
	const bodyHash = (algorithm: string) => createHash(algorithm).update(signedBody);
	return {
		timestamp: () => timestamp,
		nonce: () => nonce,
		method: () => method.toUpperCase(),
		path: () => url.pathname,
		query: () => url.search.slice(1),
		pathWithQuery: () => url.pathname + url.search,
		host: () => url.host,
		body: () => signedBody,
		key: () => settings.apiKey,
		bodySha256: () => bodyHash('sha256').digest('hex'),
		bodySha512: () => bodyHash('sha512').digest('hex'),
		bodySha256Base64: () => bodyHash('sha256').digest('base64'),
	};
}
