/** The address of a request: the base URL of the credential and a path, checked. */
import { SETTING } from './messages.ts';
import { SettingError } from './settingError.ts';

/** Whether a host name, as URL gives it, always means this machine. */
export function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

/**
 * The address of `path` below the base URL, which may end in /v1 as the paths of the service begin with it. An absolute `path`, as
 * n8n's HTTP Request node gives it, and one below another base must lie below it, too: key and signature are sent there. Throws
 * SettingError otherwise, and unless the base URL is https, or http to this machine.
 */
export function serviceUrl(baseUrl: string, path: string, otherBase?: string): URL {
	const base = baseOf(baseUrl);
	if (base.protocol !== 'https:' && !(base.protocol === 'http:' && isLoopback(base.hostname)))
		throw new SettingError(SETTING.baseUrlIsNotHttps);
	const url = /^https?:\/\//i.test(path)
		? readAddress(path)
		: addressBelow(otherBase === undefined ? base : baseOf(otherBase), path.replace(/^\/+/, ''));
	if (!isBelow(url, base))
		throw new SettingError(SETTING.addressIsElsewhere({ base: placeOf(base), address: placeOf(url) }));
	return url;
}

function baseOf(text: string): URL {
	// Behind one of these, the path would be no path.
	if (/[?#]/.test(text)) throw new SettingError(SETTING.baseUrlHasQuery);
	return readAddress(text.trim());
}

function addressBelow(base: URL, path: string): URL {
	const root = withoutSlash(base.href);
	return readAddress(`${path.startsWith('v1/') ? withoutVersion(root) : root}/${path}`);
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '');
const withoutVersion = (address: string): string => address.replace(/\/v1$/, '');

/** Whether an address has the same origin, and the path of the base before its /v1. */
function isBelow(url: URL, base: URL): boolean {
	const root = withoutVersion(withoutSlash(base.pathname));
	return url.origin === base.origin && `${url.pathname}/`.startsWith(`${root}/`);
}

function placeOf({ origin, pathname }: URL): string {
	return origin + withoutSlash(pathname);
}

function readAddress(text: string): URL {
	if (!URL.canParse(text)) throw new SettingError(SETTING.baseUrlIsNotAddress);
	return new URL(text);
}
