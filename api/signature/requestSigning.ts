/** Signs requests to the service: the three headers of the API document ("Authentication"). */
import { createHash } from 'node:crypto';

import { SETTING } from '../messages.ts';
import { requireText, SettingError } from '../settingError.ts';
import { fillTemplate, hmac, readSecret } from './hmac.ts';
import { SIGNATURE_DEFAULTS } from './settings.ts';
import type { SigningSettings } from './settings.ts';

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
	return signedHeaders(settings, request, timestampText(settings, now));
}

/** The headers for a given timestamp: what a receiver expects of a request that carries it. Throws SettingError. */
export function signedHeaders(
	settings: SigningSettings,
	request: SignableRequest,
	timestamp: string,
): Record<string, string> {
	if (!/^[a-z0-9][a-z0-9-]*$/.test(settings.serviceName)) {
		throw new SettingError(SETTING.serviceNameIsInvalid);
	}
	if (settings.apiKey === '') throw new SettingError(SETTING.isEmpty('API Key'));
	const prefix = `x-${settings.serviceName}-`;
	return {
		[`${prefix}key`]: settings.apiKey,
		[`${prefix}signature`]: requestSignature(settings, request, timestamp),
		[`${prefix}timestamp`]: timestamp,
	};
}

function timestampText(settings: SigningSettings, now: number): string {
	switch (settings.timestampFormat) {
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

function requestSignature(
	settings: SigningSettings,
	{ method, url, body }: SignableRequest,
	timestamp: string,
): string {
	if (settings.signatureMethod === 'static') return requireText(settings.staticSignature, 'Signature');
	const {
		signatureSecretEncoding = SIGNATURE_DEFAULTS.signatureSecretEncoding,
		signatureAlgorithm: algorithm = SIGNATURE_DEFAULTS.signatureAlgorithm,
		signatureEncoding: encoding = SIGNATURE_DEFAULTS.signatureEncoding,
		signaturePayload = SIGNATURE_DEFAULTS.signaturePayload,
	} = settings;
	const secret = readSecret(settings.signatureSecret, signatureSecretEncoding, 'Signature Secret');
	const payload = fillTemplate(signaturePayload, 'Signature Payload', {
		timestamp: () => timestamp,
		method: () => method.toUpperCase(),
		path: () => url.pathname,
		query: () => url.search.slice(1),
		pathWithQuery: () => url.pathname + url.search,
		host: () => url.host,
		body: () => body,
		key: () => settings.apiKey,
		bodySha256: () => createHash('sha256').update(body).digest('hex'),
		bodySha512: () => createHash('sha512').update(body).digest('hex'),
	});
	return hmac({ secret, algorithm, encoding }, payload);
}
