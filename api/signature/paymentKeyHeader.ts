/** The header that carries Payment Key to a service that makes a payment once for its key. */
import { SETTING } from '../messages.ts';
import { SettingError } from '../settingError.ts';
import { headerNameOf, resolveSigning, textOf } from './readSettings.ts';
import { SETTINGS } from './settings.ts';
import type { SigningSettings } from './settings.ts';

/** Headers of the log-in, of the connection or of the form of the request. n8n drops the last three without a word. */
const USED_BY_N8N =
	/^(?:accept|accept-encoding|authorization|connection|cookie|expect|host|keep-alive|proxy-authorization|proxy-connection|te|trailer|transfer-encoding|upgrade|user-agent|content-encoding|content-length|content-type|__proto__|constructor|prototype)$/;

/** The name of the header, as entered. Undefined if the key is not sent. Throws SettingError for an unusable name. */
export function paymentKeyHeaderOf(chosen: SigningSettings): string | undefined {
	const settings = resolveSigning(chosen);
	const name = headerNameOf(settings, 'paymentKeyHeader', 'Idempotency-Key');
	const lowerCase = name.toLowerCase();
	const signing = ['key', 'signature', 'timestamp'].map(
		(part) => `x-${textOf(settings, 'serviceName')}-${part}`,
	);
	if (USED_BY_N8N.test(lowerCase) || signing.includes(lowerCase)) {
		throw new SettingError(SETTING.headerIsTaken(SETTINGS.paymentKeyHeader.label, name));
	}
	return name === '' ? undefined : name;
}
