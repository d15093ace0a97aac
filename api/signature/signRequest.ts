/** Signs requests to the service: the three headers of the API document ("Authentication"). */
import { SETTING } from '../messages.ts';
import { SettingError } from '../settingError.ts';
import { hmac } from './hmac.ts';
import { readSecret, readToken } from './secret.ts';
import { headerNameOf, resolveSigning, valueOf } from './readSettings.ts';
import { SETTINGS } from './settings.ts';
import type { SigningSettings } from './settings.ts';
import { BODY_TOKENS, fillTemplate, parseTemplate } from './template.ts';
import { writeTime } from './time.ts';

/** The headers of a request that is sent at `now`. `body` is the exact text sent, '' if there is none. Throws SettingError. */
export function signRequest(
	chosen: SigningSettings,
	{ method, url, body }: { method: string; url: URL; body: string },
	now: number,
): Record<string, string> {
	const settings = resolveSigning(chosen);
	const name = valueOf(settings, 'serviceName');
	if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) throw new SettingError(SETTING.serviceNameIsInvalid);
	// Only payments send this header. The test of the credential finds here that it cannot be used.
	paymentKeyHeaderOf(settings);
	const tokenOf = (field: 'apiKey' | 'staticSignature' | 'staticTimestamp') =>
		readToken(valueOf(settings, field), SETTINGS[field].label);
	const key = tokenOf('apiKey');
	const format = valueOf(settings, 'timestampFormat');
	const timestamp = format === 'static' ? tokenOf('staticTimestamp') : writeTime(format, now);
	const values = {
		timestamp,
		method: method.toUpperCase(),
		path: url.pathname,
		query: url.search.slice(1),
		pathWithQuery: url.pathname + url.search,
		host: url.host,
		key,
	};
	const isStatic = valueOf(settings, 'signatureMethod') === 'static';
	return {
		[`x-${name}-key`]: key,
		[`x-${name}-signature`]: isStatic ? tokenOf('staticSignature') : hmacOf(settings, values, body),
		[`x-${name}-timestamp`]: timestamp,
	};
}

function hmacOf(settings: SigningSettings, values: Record<string, string>, body: string): string {
	const { signaturePayload: payload, signatureSecret: secret } = SETTINGS;
	const tokens = [...Object.keys(values), ...BODY_TOKENS];
	const template = parseTemplate(valueOf(settings, 'signaturePayload'), payload.label, tokens);
	const encoding = valueOf(settings, 'signatureSecretEncoding');
	const key = readSecret(valueOf(settings, 'signatureSecret'), encoding, secret.label);
	const signature = hmac(key, valueOf(settings, 'signatureAlgorithm'), fillTemplate(template, values, body));
	return signature.toString(valueOf(settings, 'signatureEncoding'));
}

/** Headers of the log-in, of the connection or of the form of the request. n8n drops the last three without a word. */
const USED_BY_N8N = [
	'accept',
	'accept-encoding',
	'authorization',
	'connection',
	'cookie',
	'expect',
	'host',
	'keep-alive',
	'proxy-authorization',
	'proxy-connection',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
	'user-agent',
	'content-encoding',
	'content-length',
	'content-type',
	'__proto__',
	'constructor',
	'prototype',
];

/** The name of the header that carries Payment Key, as entered. Undefined if the key is not sent. Throws SettingError. */
export function paymentKeyHeaderOf(chosen: SigningSettings): string | undefined {
	const settings = resolveSigning(chosen);
	const name = headerNameOf(settings, 'paymentKeyHeader');
	const [header, service] = [name.toLowerCase(), valueOf(settings, 'serviceName')];
	const signing = ['key', 'signature', 'timestamp'].map((part) => `x-${service}-${part}`);
	if (USED_BY_N8N.includes(header) || signing.includes(header))
		throw new SettingError(SETTING.headerIsTaken(name));
	return name === '' ? undefined : name;
}
