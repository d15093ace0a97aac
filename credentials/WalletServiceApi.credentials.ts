import type {
	IAuthenticate,
	ICredentialType,
	Icon,
	IDataObject,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { serviceUrl } from '../api/address.ts';
import { requireInTime } from '../api/deadline.ts';
import { SETTING } from '../api/messages.ts';
import type { OwnOptions } from '../api/ownOptions.ts';
import { SettingError } from '../api/settingError.ts';
import { signRequest } from '../api/signature/signRequest.ts';
import type { SigningSettings } from '../api/signature/settings.ts';
import { FORM } from './form.ts';

export class WalletServiceApi implements ICredentialType {
	name = 'walletServiceApi';

	displayName = 'Wallet Service API';

	icon: Icon = { light: 'file:../icons/walletService.svg', dark: 'file:../icons/walletService.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-wallet-service/n8n-nodes-wallet-service#credential';

	properties: INodeProperties[] = FORM;

	/** Adds the three headers of the API document ("Authentication") to requests of any node to the service. */
	authenticate: IAuthenticate = async (credentials, options) => sign(credentials as Settings, options);
}

type Settings = SigningSettings & { baseUrl?: unknown };

/** Options of n8n; or of its HTTP Request node, which has the address as `uri`, or as both, and forms beside the body. */
type RequestOptions = Partial<IHttpRequestOptions> &
	OwnOptions & { uri?: string; form?: unknown; formData?: unknown };

/** Turns address and body into text first, so that n8n sends exactly what was signed. Throws SettingError, LateError and ClockError. */
function sign(settings: Settings, options: RequestOptions): IHttpRequestOptions {
	const { limit, deadline, abortSignal, onSigned } = options;
	if (limit !== undefined) requireInTime(limit);
	// n8n takes `url` if there are both.
	const address = options.url ?? options.uri ?? '';
	const url = serviceUrl(String(settings.baseUrl), address, options.baseURL);
	for (const [name, value] of queryOf(options)) url.searchParams.append(name, value);
	const body = bodyText(options);
	const { method = 'GET' } = options;
	const signed = signRequest(settings, { method, url, body: body ?? '' }, Date.now());
	onSigned?.(signed);
	for (const name of ['uri', 'baseURL', 'qs', 'body', 'limit', 'deadline', 'onSigned'] as const)
		delete options[name];
	const headers: IDataObject = { ...options.headers, ...signed };
	if (body !== undefined) {
		options.body = body;
		if (!Object.keys(headers).some(isContentType)) headers['Content-Type'] = 'application/json';
	}
	// Nothing after this sets the signal again.
	if (deadline !== undefined)
		options.abortSignal = AbortSignal.any([
			deadline,
			...(abortSignal instanceof AbortSignal ? [abortSignal] : []),
		]);
	// A redirect would take key and signature to another address. In older n8n, each of the two helpers reads only one of these.
	return Object.assign(options, { url: url.href, headers, disableFollowRedirect: true, maxRedirects: 0 });
}

const isContentType = (header: string): boolean => header.toLowerCase() === 'content-type';

/** The query as n8n would send it. There are several ways to write a list, which the service may read in another way. */
function queryOf({ qs = {} }: RequestOptions): Array<[name: string, value: string]> {
	return Object.entries(qs).flatMap(([name, value]) => {
		if (value === undefined) return [];
		if (typeof value === 'object' && value !== null) throw new SettingError(SETTING.queryIsNested(name));
		return [[name, String(value ?? '')]];
	});
}

/** The body as it is sent. Undefined if there is none, or an empty object: n8n would send `{}`. */
function bodyText({ body, form, formData }: RequestOptions): string | undefined {
	if (form !== undefined || formData !== undefined) throw new SettingError(SETTING.bodyIsNotJson);
	if (body === undefined || body === null) return undefined;
	if (typeof body === 'string') return jsonText(body);
	const isJson = Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype;
	if (!isJson) throw new SettingError(SETTING.bodyIsNotJson);
	return Object.keys(body).length === 0 ? undefined : JSON.stringify(body);
}

/** n8n trims JSON when it sends it, and puts quotes around any other text. */
function jsonText(body: string): string | undefined {
	const text = body.trim();
	if (text === '') return undefined;
	try {
		JSON.parse(text);
		return text;
	} catch {
		throw new SettingError(SETTING.bodyIsNotJson);
	}
}
