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
import { signRequest } from '../api/signature/requestSigning.ts';
import { SIGNATURE_DEFAULTS } from '../api/signature/settings.ts';
import type { SigningSettings } from '../api/signature/settings.ts';

const SECRET_ENCODING = {
	type: 'options',
	description: 'How the secret is written. Choose UTF-8 to use its characters unchanged.',
	options: [
		{ name: 'Base64', value: 'base64' },
		{ name: 'Hex', value: 'hex' },
		{ name: 'UTF-8', value: 'utf8' },
	],
} satisfies Partial<INodeProperties>;

const ALGORITHM = {
	type: 'options',
	options: [
		{ name: 'HMAC-SHA256', value: 'sha256' },
		{ name: 'HMAC-SHA384', value: 'sha384' },
		{ name: 'HMAC-SHA512', value: 'sha512' },
	],
} satisfies Partial<INodeProperties>;

const SIGNATURE_ENCODING = {
	type: 'options',
	options: [
		{ name: 'Base64', value: 'base64' },
		{ name: 'Base64 URL', value: 'base64url' },
		{ name: 'Hex', value: 'hex' },
		{ name: 'Hex, Upper Case', value: 'hexUpper' },
	],
} satisfies Partial<INodeProperties>;

type ShowCondition = NonNullable<INodeProperties['displayOptions']>['show'];

/** The fields, visible only if other fields have certain values. */
function showWhen(show: ShowCondition, fields: INodeProperties[]): INodeProperties[] {
	return fields.map((field) => ({ ...field, displayOptions: { show } }));
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
				'Address of the service without /v1. It must begin with https; http is accepted only for localhost.',
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
			default: SIGNATURE_DEFAULTS.signatureMethod,
			description: 'How the signature header is made. The service knows which method your API key uses.',
			options: [
				{ name: 'HMAC', value: 'hmac', description: 'Computed for each request with a shared secret' },
				{ name: 'Static', value: 'static', description: 'Always the same text, issued by the service' },
			],
		},
		...showWhen({ signatureMethod: ['static'] }, [
			{
				displayName: 'Signature',
				name: 'staticSignature',
				type: 'string',
				typeOptions: { password: true },
				default: '',
			},
		]),
		...showWhen({ signatureMethod: ['hmac'] }, [
			{
				displayName: 'Signature Secret',
				name: 'signatureSecret',
				type: 'string',
				typeOptions: { password: true },
				default: '',
			},
			{
				displayName: 'Signature Secret Encoding',
				name: 'signatureSecretEncoding',
				...SECRET_ENCODING,
				default: SIGNATURE_DEFAULTS.signatureSecretEncoding,
			},
			{
				displayName: 'Signature Algorithm',
				name: 'signatureAlgorithm',
				...ALGORITHM,
				default: SIGNATURE_DEFAULTS.signatureAlgorithm,
			},
			{
				displayName: 'Signature Payload',
				name: 'signaturePayload',
				type: 'string',
				default: SIGNATURE_DEFAULTS.signaturePayload,
				description:
					'Text that is signed. Tokens: {timestamp} {method} {path} {query} {pathWithQuery} {host} {body} {key} {bodySha256} {bodySha512}, and \\n for a line feed. {body} is the exact body sent, empty if there is none.',
			},
			{
				displayName: 'Signature Encoding',
				name: 'signatureEncoding',
				...SIGNATURE_ENCODING,
				default: SIGNATURE_DEFAULTS.signatureEncoding,
			},
		]),
		{
			displayName: 'Service Name',
			name: 'serviceName',
			type: 'string',
			required: true,
			default: SIGNATURE_DEFAULTS.serviceName,
			description: 'Name of the service in lower case. It is part of the request headers: x-svc-key for svc.',
		},
		{
			displayName: 'Timestamp Format',
			name: 'timestampFormat',
			type: 'options',
			default: SIGNATURE_DEFAULTS.timestampFormat,
			description: 'How the timestamp header is written. Each request gets a new one.',
			options: [
				{ name: 'Unix Milliseconds', value: 'unixMilliseconds', description: 'Such as 1767225600000' },
				{ name: 'Unix Seconds', value: 'unixSeconds', description: 'Such as 1767225600' },
				{ name: 'ISO 8601', value: 'iso8601', description: 'Such as 2026-01-31T12:00:00.000Z' },
				{ name: 'Static', value: 'static', description: 'Always the same text' },
			],
		},
		...showWhen({ timestampFormat: ['static'] }, [
			{ displayName: 'Timestamp', name: 'staticTimestamp', type: 'string', default: '' },
		]),
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
			default: SIGNATURE_DEFAULTS.webhookVerification,
			description: 'How the trigger checks that a delivery comes from the service',
			options: [
				{ name: 'HMAC Signature', value: 'hmac', description: 'A header holds a signature of the body' },
				{ name: 'None', value: 'none', description: 'Nothing is checked: anyone can send forged deliveries' },
				{ name: 'Token', value: 'token', description: 'A header holds a shared secret' },
			],
		},
		...showWhen({ webhookVerification: ['token', 'hmac'] }, [
			{
				displayName: 'Webhook Header',
				name: 'webhookHeader',
				type: 'string',
				default: SIGNATURE_DEFAULTS.webhookHeader,
				description: 'Name of the header that holds the signature or the token',
			},
			{
				displayName: 'Webhook Secret',
				name: 'webhookSecret',
				type: 'string',
				typeOptions: { password: true },
				default: '',
				description: 'The expected token, or the secret that signs the deliveries',
			},
			{
				displayName: 'Previous Webhook Secret',
				name: 'webhookPreviousSecret',
				type: 'string',
				typeOptions: { password: true },
				default: '',
				description:
					'The secret before a rotation. Deliveries with it are still accepted; leave empty when the rotation is done.',
			},
		]),
		...showWhen({ webhookVerification: ['hmac'] }, [
			{
				displayName: 'Webhook Secret Encoding',
				name: 'webhookSecretEncoding',
				...SECRET_ENCODING,
				default: SIGNATURE_DEFAULTS.webhookSecretEncoding,
			},
			{
				displayName: 'Webhook Algorithm',
				name: 'webhookAlgorithm',
				...ALGORITHM,
				default: SIGNATURE_DEFAULTS.webhookAlgorithm,
			},
			{
				displayName: 'Webhook Signature Encoding',
				name: 'webhookSignatureEncoding',
				...SIGNATURE_ENCODING,
				default: SIGNATURE_DEFAULTS.webhookSignatureEncoding,
			},
			{
				displayName: 'Webhook Payload',
				name: 'webhookPayload',
				type: 'string',
				default: SIGNATURE_DEFAULTS.webhookPayload,
				description:
					'Text that the service signs. Tokens: {body} (the bytes as received) {timestamp} {id}, and \\n for a line feed.',
			},
			{
				displayName: 'Webhook Signature Format',
				name: 'webhookSignatureFormat',
				type: 'string',
				default: SIGNATURE_DEFAULTS.webhookSignatureFormat,
				description:
					'Form of the header that holds the signature, such as {signature}, sha256={signature}, t={timestamp},v1={signature} or v1,{signature}',
			},
			{
				displayName: 'Webhook Timestamp Header',
				name: 'webhookTimestampHeader',
				type: 'string',
				default: '',
				placeholder: 'e.g. x-svc-timestamp',
				description:
					'Name of the header with the time of the delivery. Leave empty if the signature header holds the time, or if there is none.',
			},
			{
				displayName: 'Webhook ID Header',
				name: 'webhookIdHeader',
				type: 'string',
				default: '',
				placeholder: 'e.g. webhook-id',
				description: 'Name of the header with the ID of the delivery. Leave empty if the ID is not signed.',
			},
			{
				displayName: 'Webhook Tolerance',
				name: 'webhookTolerance',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: SIGNATURE_DEFAULTS.webhookTolerance,
				description:
					'Seconds that the time of a delivery may differ from the time here, in both directions. 0 means no timestamp check: a recorded delivery can then be sent again at any time.',
			},
		]),
	];

	/**
	 * Adds the three headers of the API document ("Authentication") to any request made with this credential. Turns address
	 * and body into text first, so that n8n sends exactly what was signed. Throws SettingError.
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
			// n8n sends an empty object as `{}`, but no body was signed.
			delete options.body;
		} else {
			options.body = body;
			options.headers['Content-Type'] ??= 'application/json';
		}
		return options;
	};

	/** Lists the virtual accounts: only this service, for a valid key, answers with a list under `results`. */
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.baseUrl}}',
			url: '/v1/fiat_virtuals',
			method: 'POST',
			headers: { Accept: '*/*' },
			disableFollowRedirect: true,
		},
		// n8n accepts a list that mixes both types of rules, but its type does not.
		rules: [
			...[401, 403].map((value) => ({
				type: 'responseCode',
				properties: { value, message: CREDENTIAL_TEST.notAccepted },
			})),
			{
				type: 'responseCode',
				properties: { value: 404, message: CREDENTIAL_TEST.notFound },
			},
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

function targetUrl(options: IHttpRequestOptions & { uri?: string }, baseUrl: string): URL {
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
