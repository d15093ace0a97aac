/** The header that carries Payment Key to a service that makes a payment once for its key. */
import { SETTING } from '../messages.ts';
import { SettingError } from '../settingError.ts';
import { headerNameOf, textOf } from './readSettings.ts';
import { SETTINGS } from './settings.ts';
import type { SigningSettings } from './settings.ts';
import { resolveSigning } from './styles.ts';

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
export function paymentKeyHeaderOf(chosen: SigningSettings): string | undefined {
	const settings = resolveSigning(chosen);
	const name = headerNameOf(settings, 'paymentKeyHeader', 'Idempotency-Key');
	const signing = ['key', 'signature', 'timestamp'].map(
		(part) => `x-${textOf(settings, 'serviceName')}-${part}`,
	);
	if (USED_BY_N8N.has(name.toLowerCase()) || signing.includes(name.toLowerCase())) {
		throw new SettingError(SETTING.headerIsTaken(SETTINGS.paymentKeyHeader.label, name));
	}
	return name === '' ? undefined : name;
}
