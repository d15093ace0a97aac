/** Signs requests to the service: the three headers of the API document ("Authentication"). */
import { createHash } from 'node:crypto';

import { SETTING } from '../messages.ts';
import { requireText, SettingError } from '../settingError.ts';
import { hmac } from './hmac.ts';
import type { HmacKey } from './hmac.ts';
import { requireOption } from './option.ts';
import { resolveSigning } from './resolveStyle.ts';
import { readSecret, requireBareText } from './secret.ts';
import { SIGNATURE_DEFAULTS, VALUES } from './settings.ts';
import type { SigningSettings } from './settings.ts';
import { fillTemplate, parseTemplate } from './template.ts';
import type { PayloadPart } from './template.ts';

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
	return signedHeaders(settings, request, timestampText(resolveSigning(settings), now));
}

/** The headers for a given timestamp: what a receiver expects of a request that carries it. Throws SettingError. */
export function signedHeaders(
	chosen: SigningSettings,
	request: SignableRequest,
	timestamp: string,
): Record<string, string> {
	const settings = resolveSigning(chosen);
	if (!/^[a-z0-9][a-z0-9-]*$/.test(settings.serviceName)) {
		throw new SettingError(SETTING.serviceNameIsInvalid);
	}
	const prefix = `x-${settings.serviceName}-`;
	return {
		[`${prefix}key`]: requireBareText(settings.apiKey, 'API Key'),
		[`${prefix}signature`]: requestSignature(settings, request, timestamp),
		[`${prefix}timestamp`]: timestamp,
	};
}

function timestampText(settings: SigningSettings, now: number): string {
	switch (requireOption(settings.timestampFormat, VALUES.timestampFormat, 'Timestamp Format')) {
		case 'unixMilliseconds':
			return String(now);
		case 'unixSeconds':
			return String(Math.floor(now / 1000));
		case 'iso8601':
			return new Date(now).toISOString();
		case 'static':
			return requireText(settings.staticTimestamp, 'Timestamp');
	}
}

function requestSignature(settings: SigningSettings, request: SignableRequest, timestamp: string): string {
	switch (requireOption(settings.signatureMethod, VALUES.signatureMethod, 'Signature Method')) {
		case 'static':
			return requireText(settings.staticSignature, 'Signature');
		case 'hmac':
			return hmac(hmacKey(settings), requestPayload(settings, request, timestamp));
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

const PAYLOAD_TOKENS = [
	...(['timestamp', 'method', 'path', 'query', 'pathWithQuery', 'host'] as const),
	...(['body', 'key', 'bodySha256', 'bodySha512'] as const),
];

function requestPayload(
	{ apiKey, signaturePayload = SIGNATURE_DEFAULTS.signaturePayload }: SigningSettings,
	{ method, url, body }: SignableRequest,
	timestamp: string,
): PayloadPart[] {
	const label = 'Signature Payload';
	const template = parseTemplate(requireText(signaturePayload, label), label, PAYLOAD_TOKENS);
	return fillTemplate(template, {
		timestamp: () => timestamp,
		method: () => method.toUpperCase(),
		path: () => url.pathname,
		query: () => url.search.slice(1),
		pathWithQuery: () => url.pathname + url.search,
		host: () => url.host,
		body: () => body,
		key: () => apiKey,
		bodySha256: () => createHash('sha256').update(body).digest('hex'),
		bodySha512: () => createHash('sha512').update(body).digest('hex'),
	});
}
