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
import { SettingError, signRequest } from '../api/signature.ts';
import type { SigningSettings } from '../api/signature.ts';

const SECRET_ENCODING = {
	type: 'options',
	default: 'utf8',
	description: 'How the secret is written. Choose UTF-8 to use its characters as they are.',
	options: [
		{ name: 'Base64', value: 'base64' },
		{ name: 'Hex', value: 'hex' },
		{ name: 'UTF-8', value: 'utf8' },
	],
} satisfies Partial<INodeProperties>;

const ALGORITHM = {
	type: 'options',
	default: 'sha256',
	options: [
		{ name: 'HMAC-SHA256', value: 'sha256' },
		{ name: 'HMAC-SHA384', value: 'sha384' },
		{ name: 'HMAC-SHA512', value: 'sha512' },
	],
} satisfies Partial<INodeProperties>;

const SIGNATURE_ENCODING = {
	type: 'options',
	default: 'hex',
	options: [
		{ name: 'Base64', value: 'base64' },
		{ name: 'Base64 URL', value: 'base64url' },
		{ name: 'Hex', value: 'hex' },
		{ name: 'Hex, Upper Case', value: 'hexUpper' },
	],
} satisfies Partial<INodeProperties>;

/** Fields that are visible only for some values of another. */
function showWhen(name: string, values: string[], fields: INodeProperties[]): INodeProperties[] {
	return fields.map((field) => ({ ...field, displayOptions: { show: { [name]: values } } }));
}

export class WalletServiceApi implements ICredentialType {
	name = 'walletServiceApi';

	displayName = 'Wallet Service API';

	icon: Icon = {
		light: 'file:../icons/walletService.svg',
		dark: 'file:../icons/walletService.dark.svg',
	};

	documentationUrl = 'https://github.com/n8n-nodes-wallet-service/n8n-nodes-wallet-service#authentication';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description:
				'Address of the service, up to but without /v1. It must be https; plain http is accepted for this machine only (localhost).',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
		},
		{
			displayName: 'Signature Method',
			name: 'signatureMethod',
			type: 'options',
			default: 'hmac',
			description: 'How the signature header is made. Ask the service which method your key uses.',
			options: [
				{ name: 'HMAC', value: 'hmac', description: 'Computed for each request with a shared secret' },
				{ name: 'Static', value: 'static', description: 'Always the same text, as issued by the service' },
			],
		},
		...showWhen(
			'signatureMethod',
			['static'],
			[
				{
					displayName: 'Signature',
					name: 'staticSignature',
					type: 'string',
					typeOptions: { password: true },
					default: '',
				},
			],
		),
		...showWhen(
			'signatureMethod',
			['hmac'],
			[
				{
					displayName: 'Signature Secret',
					name: 'signatureSecret',
					type: 'string',
					typeOptions: { password: true },
					default: '',
				},
				{ displayName: 'Signature Secret Encoding', name: 'signatureSecretEncoding', ...SECRET_ENCODING },
				{ displayName: 'Signature Algorithm', name: 'signatureAlgorithm', ...ALGORITHM },
				{
					displayName: 'Signature Payload',
					name: 'signaturePayload',
					type: 'string',
					default: '{timestamp}{method}{path}{body}',
					description:
						'What is signed. Tokens: {timestamp} {method} {path} {query} {pathWithQuery} {host} {body} {key} {bodySha256} {bodySha512}, and \\n for a line feed. {body} is exactly what is sent, empty when there is none.',
				},
				{ displayName: 'Signature Encoding', name: 'signatureEncoding', ...SIGNATURE_ENCODING },
			],
		),
		{
			displayName: 'Service Name',
			name: 'serviceName',
			type: 'string',
			required: true,
			default: 'svc',
			description:
				'Name of the service in lower case. The request headers are named after it, such as x-svc-key.',
		},
		{
			displayName: 'Timestamp Format',
			name: 'timestampFormat',
			type: 'options',
			default: 'unixMilliseconds',
			description: 'How the timestamp header is written. It is made anew for each request.',
			options: [
				{ name: 'Unix Milliseconds', value: 'unixMilliseconds', description: 'Such as 1767225600000' },
				{ name: 'Unix Seconds', value: 'unixSeconds', description: 'Such as 1767225600' },
				{ name: 'ISO 8601', value: 'iso8601', description: 'Such as 2026-01-31T12:00:00.000Z' },
				{ name: 'Static', value: 'static', description: 'Always the same text' },
			],
		},
		...showWhen(
			'timestampFormat',
			['static'],
			[{ displayName: 'Timestamp', name: 'staticTimestamp', type: 'string', default: '' }],
		),
		{
			displayName:
				'The rest is about webhooks. Only a Wallet Service Trigger whose Verification is Use Credential needs it.',
			name: 'webhookNotice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Webhook Verification',
			name: 'webhookVerification',
			type: 'options',
			default: 'none',
			description: 'How the trigger checks that a delivery comes from the service',
			options: [
				{ name: 'HMAC Signature', value: 'hmac', description: 'A header holds a signature of the body' },
				{ name: 'None', value: 'none', description: 'Deliveries cannot be told from forgeries' },
				{ name: 'Token', value: 'token', description: 'A header holds a shared secret' },
			],
		},
		...showWhen(
			'webhookVerification',
			['token', 'hmac'],
			[
				{
					displayName: 'Webhook Header',
					name: 'webhookHeader',
					type: 'string',
					default: 'x-svc-signature',
					description: 'Name of the header that holds the signature or the token',
				},
				{
					displayName: 'Webhook Secret',
					name: 'webhookSecret',
					type: 'string',
					typeOptions: { password: true },
					default: '',
					description: 'The token that is expected, or the secret that deliveries are signed with',
				},
				{
					displayName: 'Previous Webhook Secret',
					name: 'webhookPreviousSecret',
					type: 'string',
					typeOptions: { password: true },
					default: '',
					description:
						'The secret that was used before, accepted as well while you rotate it. Leave empty otherwise.',
				},
			],
		),
		...showWhen(
			'webhookVerification',
			['hmac'],
			[
				{ displayName: 'Webhook Secret Encoding', name: 'webhookSecretEncoding', ...SECRET_ENCODING },
				{ displayName: 'Webhook Algorithm', name: 'webhookAlgorithm', ...ALGORITHM },
				{
					displayName: 'Webhook Signature Encoding',
					name: 'webhookSignatureEncoding',
					...SIGNATURE_ENCODING,
				},
				{
					displayName: 'Webhook Payload',
					name: 'webhookPayload',
					type: 'string',
					default: '{body}',
					description:
						'What is signed of a delivery. Tokens: {body} (the bytes as received) {timestamp} {id}, and \\n for a line feed.',
				},
				{
					displayName: 'Webhook Signature Format',
					name: 'webhookSignatureFormat',
					type: 'string',
					default: '{signature}',
					description:
						'How the header carries the signature, such as {signature}, sha256={signature}, t={timestamp},v1={signature} or v1,{signature}',
				},
				{
					displayName: 'Webhook Timestamp Header',
					name: 'webhookTimestampHeader',
					type: 'string',
					default: '',
					placeholder: 'e.g. x-svc-timestamp',
					description:
						'Name of the header with the time of the delivery, when the signature header does not carry it',
				},
				{
					displayName: 'Webhook ID Header',
					name: 'webhookIdHeader',
					type: 'string',
					default: '',
					placeholder: 'e.g. webhook-id',
					description: 'Name of the header with the ID of the delivery, when it is signed',
				},
				{
					displayName: 'Webhook Tolerance',
					name: 'webhookTolerance',
					type: 'number',
					typeOptions: { minValue: 0 },
					default: 300,
					description:
						'Seconds by which the time of a delivery may differ from the time here, in both directions. 0 means no timestamp check: an old delivery that was recorded can then be played again.',
				},
			],
		),
	];

	/**
	 * Adds the three headers ("Authentication") to any request made with this credential, signing exactly what goes out:
	 * the address and the body are fixed as text here, so that no layer below writes them anew.
	 */
	authenticate: IAuthenticate = async (
		credentials: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions & { uri?: string },
	) => {
		const url = targetUrl(options, options.baseURL ?? String(credentials.baseUrl));
		const body = bodyText(options.body);
		const signed = signRequest(
			credentials as unknown as SigningSettings,
			{ method: options.method ?? 'GET', url, body: body ?? '' },
			Date.now(),
		);
		// n8n's HTTP Request node still uses `uri`.
		if (options.uri !== undefined) options.uri = url.href;
		else options.url = url.href;
		delete options.baseURL;
		delete options.qs;
		options.headers = { ...options.headers, ...signed };
		if (body === undefined) {
			// Otherwise an empty object goes out as `{}` with a Content-Type.
			delete options.body;
		} else {
			options.body = body;
			options.headers['Content-Type'] ??= 'application/json';
		}
		return options;
	};

	/** Reads the caller's virtual accounts: only an authenticated answer of this service has a list under `results`. */
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.baseUrl}}',
			url: '/v1/fiat_virtuals',
			method: 'POST',
			headers: { Accept: '*/*' },
			disableFollowRedirect: true,
		},
		// n8n reads both types of rules; its type knows lists of one.
		rules: [
			...[401, 403].map((value) => ({
				type: 'responseCode',
				properties: {
					value,
					message:
						'The service does not accept the API Key or the signature. Check API Key and the signature settings.',
				},
			})),
			{
				type: 'responseCode',
				properties: { value: 404, message: 'There is no such service at this address. Check Base URL.' },
			},
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'results.length',
					value: undefined,
					message:
						'The address answers, but not as the Wallet Service does for a valid key. Check Base URL, API Key and the signature settings.',
				},
			},
		] as ICredentialTestRequest['rules'],
	};
}

function targetUrl(options: IHttpRequestOptions & { uri?: string }, baseUrl: string): URL {
	const url = serviceUrl(baseUrl, options.uri ?? options.url);
	for (const [key, value] of Object.entries(options.qs ?? {})) url.searchParams.append(key, String(value));
	return url;
}

function bodyText(body: IHttpRequestOptions['body']): string | undefined {
	if (body === undefined || body === null || body === '') return undefined;
	if (typeof body === 'string') return body;
	const plain = Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype;
	if (!plain) throw new SettingError('Only a JSON body can be signed with this credential');
	return Object.keys(body).length === 0 ? undefined : JSON.stringify(body);
}
