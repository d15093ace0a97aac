/** The address of a request: the base URL of the credential and a path, checked. */
import { SETTING } from './messages.ts';
import { SettingError } from './settingError.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The address of `path` below the base URL. An absolute `path`, as n8n's HTTP Request node gives it, stays as it is. Throws
 * SettingError unless the address is https, or http to this machine, because key and signature are sent to it.
 */
export function serviceUrl(baseUrl: string, path: string): URL {
	const base = baseUrl.trim().replace(/\/+$/, '');
	const absolute = /^https?:\/\//i.test(path) ? path : `${base}/${path.replace(/^\/+/, '')}`;
	if (!URL.canParse(absolute)) throw new SettingError(SETTING.baseUrlIsNotAddress);
	const url = new URL(absolute);
	const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.includes(url.hostname));
	if (!allowed) throw new SettingError(SETTING.baseUrlIsNotHttps);
	return url;
}
