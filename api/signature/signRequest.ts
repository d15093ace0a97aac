/** Signs requests to the service: the three headers of the API document ("Authentication"). */
import { SETTING } from '../messages.ts';
import { SettingError } from '../settingError.ts';
import { hmac } from './hmac.ts';
import { paymentKeyHeaderOf } from './paymentKeyHeader.ts';
import { readSecret, requireBareText } from './secret.ts';
import { choice, requiredTextOf, resolveSigning, textOf } from './readSettings.ts';
import { SETTINGS } from './settings.ts';
import type { SigningSettings } from './settings.ts';
import { bodyValues, fillTemplate, parseTemplate } from './template.ts';
import { TIME_FORMATS } from './time.ts';

/** The parts of a request that can be signed. `body` is the exact text sent, '' if there is none. */
export interface SignableRequest {
	method: string;
	url: URL;
	body: string;
}

/** The headers of a request that is sent at `now`, in milliseconds since 1970. Throws SettingError. */
export function signRequest(
	chosen: SigningSettings,
	request: SignableRequest,
	now: number,
): Record<string, string> {
	const settings = resolveSigning(chosen);
	const name = textOf(settings, 'serviceName');
	if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) throw new SettingError(SETTING.serviceNameIsInvalid);
	// Only payments send this header. The test of the credential finds here that it cannot be used.
	paymentKeyHeaderOf(settings);
	const key = requireBareText(settings.apiKey, SETTINGS.apiKey.label);
	const format = choice(settings, 'timestampFormat');
	const timestamp =
		format === 'static' ? requiredTextOf(settings, 'staticTimestamp') : TIME_FORMATS[format](now);
	return {
		[`x-${name}-key`]: key,
		[`x-${name}-signature`]: requestSignature(settings, request, key, timestamp),
		[`x-${name}-timestamp`]: timestamp,
	};
}

function requestSignature(
	settings: SigningSettings,
	{ method, url, body }: SignableRequest,
	key: string,
	timestamp: string,
): string {
	if (choice(settings, 'signatureMethod') === 'static') return requiredTextOf(settings, 'staticSignature');
	const values = {
		timestamp: () => timestamp,
		method: () => method.toUpperCase(),
		path: () => url.pathname,
		query: () => url.search.slice(1),
		pathWithQuery: () => url.pathname + url.search,
		host: () => url.host,
		key: () => key,
		...bodyValues(body),
	};
	const known = Object.keys(values) as Array<keyof typeof values>;
	const payload = requiredTextOf(settings, 'signaturePayload');
	const template = parseTemplate(payload, SETTINGS.signaturePayload.label, known);
	const encoding = choice(settings, 'signatureSecretEncoding');
	const secret = readSecret(settings.signatureSecret, encoding, SETTINGS.signatureSecret.label);
	const algorithm = choice(settings, 'signatureAlgorithm');
	const signature = hmac({ secret, algorithm }, fillTemplate(template, values));
	return signature.toString(choice(settings, 'signatureEncoding'));
}
