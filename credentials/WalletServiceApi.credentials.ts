import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { serviceUrl } from '../api/address.ts';
import { CREDENTIAL_TEST, SETTING } from '../api/messages.ts';
import { SettingError } from '../api/settingError.ts';
import { signRequest } from '../api/signature/signRequest.ts';
import type { SigningSettings, VerificationSettings } from '../api/signature/settings.ts';
import { checkWebhookSettings } from '../api/signature/verifier.ts';
import { field } from './form/shared.ts';
import { SIGNING_FIELDS, SIGNING_SECRET } from './form/signing.ts';
import { WEBHOOK_FIELDS, WEBHOOK_SECRETS } from './form/webhooks.ts';

/** Marks the request of the credential's test. What follows a # is never sent. */
const TEST_MARK = '#test';

export class WalletServiceApi implements ICredentialType {
	name = 'walletServiceApi';

	displayName = 'Wallet Service API';

	icon: Icon = {
		light: 'file:../icons/walletService.svg',
		dark: 'file:../icons/walletService.dark.svg',
	};

	documentationUrl = 'https://github.com/n8n-nodes-wallet-service/n8n-nodes-wallet-service#credential';

	properties: INodeProperties[] = [
		field('baseUrl', {
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description: 'Address of the service. It must begin with https; http is accepted only for localhost.',
		}),
		field('apiKey', { required: true }),
		...SIGNING_SECRET,
		...WEBHOOK_SECRETS,
		...SIGNING_FIELDS,
		...WEBHOOK_FIELDS,
	];

	/** Adds the three headers of the API document ("Authentication") to any request made with this credential. */
	authenticate: IAuthenticate = async (credentials, options) =>
		options.url?.endsWith(TEST_MARK) ? signTest(credentials, options) : sign(credentials, options);

	/**
	 * Lists the virtual accounts: only this service, for a valid key, answers with a list under `results`. n8n shows the
	 * message of the first rule that applies. After an error status the rules see either the status or the body, not both.
	 */
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.baseUrl}}',
			url: `/v1/fiat_virtuals${TEST_MARK}`,
			method: 'POST',
			headers: { Accept: '*/*' },
			disableFollowRedirect: true,
			// Rules for the body then apply to a 401 too.
			ignoreHttpStatusErrors: { ignore: true, except: [403, 404] },
		},
		// n8n accepts both types of rules in one list. Its TypeScript type does not.
		rules: [
			{ type: 'responseCode', properties: { value: 403, message: CREDENTIAL_TEST.notAccepted } },
			{ type: 'responseCode', properties: { value: 404, message: CREDENTIAL_TEST.notFound } },
			...[
				{ value: 'x-svc-key', message: CREDENTIAL_TEST.keyNotAccepted },
				{ value: 'x-svc-signature', message: CREDENTIAL_TEST.signatureNotAccepted },
				{ value: 'x-svc-timestamp', message: CREDENTIAL_TEST.timeNotAccepted },
			].map((refused) => ({
				type: 'responseSuccessBody',
				properties: { key: 'error.field', ...refused },
			})),
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'results.length',
					value: undefined,
					message: CREDENTIAL_TEST.notTheService,
				},
			},
		] as ICredentialTestRequest['rules'],
	};
}

/** Options of n8n, or of its HTTP Request node, which still uses `uri`. */
type RequestOptions = IHttpRequestOptions & { uri?: string };

/**
 * Signs the request of the credential's test if the settings for webhooks can work, too. Throws errors without a code, because
 * n8n would show the code instead of the message.
 */
function signTest(credentials: ICredentialDataDecryptedObject, options: RequestOptions): IHttpRequestOptions {
	try {
		const signed = sign(credentials, { ...options, url: options.url.slice(0, -TEST_MARK.length) });
		checkWebhookSettings(credentials as VerificationSettings);
		return signed;
	} catch (error) {
		throw error instanceof SettingError ? new Error(error.message) : error;
	}
}

/** Turns address and body into text first, so that n8n sends exactly what was signed. Throws SettingError. */
function sign(credentials: ICredentialDataDecryptedObject, options: RequestOptions): IHttpRequestOptions {
	const url = targetUrl(options, options.baseURL ?? String(credentials.baseUrl));
	const body = bodyText(options.body);
	const signed = signRequest(
		credentials as SigningSettings,
		{ method: options.method ?? 'GET', url, body: body ?? '' },
		Date.now(),
	);
	if (options.uri !== undefined) options.uri = url.href;
	else options.url = url.href;
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

function targetUrl(options: RequestOptions, baseUrl: string): URL {
	const url = serviceUrl(baseUrl, options.uri ?? options.url);
	for (const [key, value] of Object.entries(options.qs ?? {})) url.searchParams.append(key, String(value));
	return url;
}

/** The body as it is sent. Undefined if there is none, or an empty object. */
function bodyText(body: IHttpRequestOptions['body']): string | undefined {
	if (body === undefined || body === null || body === '') return undefined;
	if (typeof body === 'string') return body;
	const isJson = Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype;
	if (!isJson) throw new SettingError(SETTING.bodyIsNotJson);
	return Object.keys(body).length === 0 ? undefined : JSON.stringify(body);
}
