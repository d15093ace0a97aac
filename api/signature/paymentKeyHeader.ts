/** The header that carries Payment Key to a service that makes a payment once for its key. */
import { SETTING } from '../messages.ts';
import { optionalText, SettingError } from '../settingError.ts';
import { requireHeaderName } from './headerName.ts';
import { resolveSigning } from './resolveStyle.ts';
import type { SigningSettings } from './settings.ts';

const LABEL = 'Payment Key Header';

/** Headers that belong to the log-in, to the connection or to the form of the request. */
const USED_BY_N8N = new Set([
	...['accept', 'accept-encoding', 'authorization', 'connection', 'cookie', 'expect', 'host', 'keep-alive'],
	...[
		'proxy-authorization',
		'proxy-connection',
		'te',
		'trailer',
		'transfer-encoding',
		'upgrade',
		'user-agent',
	],
	...['content-encoding', 'content-length', 'content-type'],
	// n8n's HTTP client drops these without a word, so the service would never see the key.
	...['__proto__', 'constructor', 'prototype'],
]);

/** The name of the header, as entered. Undefined if the key is not sent. Throws SettingError for an unusable name. */
export function paymentKeyHeaderOf(settings: SigningSettings): string | undefined {
	const { paymentKeyHeader, serviceName } = resolveSigning(settings);
	const name = optionalText(paymentKeyHeader, LABEL);
	return name === '' ? undefined : requirePaymentKeyHeader(name, serviceName);
}

/** A name that can be used with the signature headers of the service. Throws SettingError. */
export function requirePaymentKeyHeader(name: string, serviceName: string): string {
	const lowerCase = requireHeaderName(name, LABEL, 'Idempotency-Key').toLowerCase();
	const signing = ['key', 'signature', 'timestamp', 'nonce'].map((part) => `x-${serviceName}-${part}`);
	if (USED_BY_N8N.has(lowerCase) || signing.includes(lowerCase)) {
		throw new SettingError(SETTING.headerIsTaken(LABEL, name));
	}
	return name;
}
