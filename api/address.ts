/** Where a request goes: the base URL of the credential and a path of the table, checked. */
import { SettingError } from './settingError.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The absolute address of a path below the base URL, or of a path that is absolute already. Throws SettingError unless
 * it is https, or http to this machine: key and signature go along.
 */
export function serviceUrl(baseUrl: string, path: string): URL {
	const base = baseUrl.trim().replace(/\/+$/, '');
	const absolute = /^https?:\/\//i.test(path) ? path : `${base}/${path.replace(/^\/+/, '')}`;
	if (!URL.canParse(absolute)) {
		throw new SettingError('Base URL is not an address such as https://api.example.com');
	}
	const url = new URL(absolute);
	const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.includes(url.hostname));
	if (!allowed) throw new SettingError('Base URL must begin with https:// (http:// only for localhost)');
	return url;
}
