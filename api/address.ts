/** The address of a request: the base URL of the credential and a path, checked. */
import { SETTING } from './messages.ts';
import { SettingError } from './settingError.ts';

/** Whether a host name, as URL gives it, always means this machine. */
export function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

/**
 * The address of `path` below the base URL, which may end in /v1 as the paths of the service begin with it. An absolute
 * `path`, as n8n's HTTP Request node gives it, stays as it is. Throws SettingError unless the address is https, or http to
 * this machine, because key and signature are sent to it.
 */
export function serviceUrl(baseUrl: string, path: string): URL {
	const url = /^https?:\/\//i.test(path)
		? readAddress(path)
		: addressBelow(baseUrl, path.replace(/^\/+/, ''));
	const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
	if (!allowed) throw new SettingError(SETTING.baseUrlIsNotHttps);
	return url;
}

function addressBelow(baseUrl: string, path: string): URL {
	// Behind one of these, the path would be no path.
	if (/[?#]/.test(baseUrl)) throw new SettingError(SETTING.baseUrlHasQuery);
	const base = baseUrl.trim().replace(/\/+$/, '');
	readAddress(base);
	return readAddress(`${path.startsWith('v1/') ? base.replace(/\/v1$/, '') : base}/${path}`);
}

function readAddress(text: string): URL {
	if (!URL.canParse(text)) throw new SettingError(SETTING.baseUrlIsNotAddress);
	return new URL(text);
}
