import type {
	IAuthenticate,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { serviceUrl } from '../api/address.ts';
import { requireInTime } from '../api/lateness.ts';
import type { LimitedInTime } from '../api/lateness.ts';
import { SETTING } from '../api/messages.ts';
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

	/** Adds the three headers of the API document ("Authentication") to any request made with this credential. */
	authenticate: IAuthenticate = async (credentials, options) => sign(credentials as Settings, options);
}

type Settings = SigningSettings & { baseUrl?: unknown };

/** Options of n8n, or of its HTTP Request node, which still uses `uri`. */
type RequestOptions = IHttpRequestOptions & LimitedInTime & { uri?: string };

/** Turns address and body into text first, so that n8n sends exactly what was signed. Throws SettingError, and LateError. */
function sign(settings: Settings, options: RequestOptions): IHttpRequestOptions {
	requireInTime(options);
	const url = serviceUrl(options.baseURL ?? String(settings.baseUrl), options.uri ?? options.url);
	for (const [key, value] of Object.entries(options.qs ?? {})) url.searchParams.append(key, String(value));
	const body = bodyText(options.body);
	const { method = 'GET' } = options;
	const signed = signRequest(settings, { method, url, body: body ?? '' }, Date.now());
	options[options.uri === undefined ? 'url' : 'uri'] = url.href;
	delete options.baseURL;
	delete options.qs;
	options.headers = { ...options.headers, ...signed };
	if (body === undefined) {
		// n8n sends an empty object as `{}`, but no body was signed.
		delete options.body;
	} else {
		options.body = body;
		options.headers['Content-Type'] ??= 'application/json';
	}
	return options;
}

/** The body as it is sent. Undefined if there is none, or an empty object. */
function bodyText(body: IHttpRequestOptions['body']): string | undefined {
	if (body === undefined || body === null || body === '') return undefined;
	if (typeof body === 'string') return body;
	const isJson = Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype;
	if (!isJson) throw new SettingError(SETTING.bodyIsNotJson);
	return Object.keys(body).length === 0 ? undefined : JSON.stringify(body);
}
