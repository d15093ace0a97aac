/** The form of the credential, made from the table of settings. Several fields have one name: n8n uses the visible one. */
import type { INodeProperties } from 'n8n-workflow';

import { SETTINGS } from '../api/signature/settings.ts';
import type { Setting, SettingName, Value } from '../api/signature/settings.ts';

/** What stands below a field. */
const DESCRIPTIONS: Partial<Record<SettingName, string>> = {
	baseUrl: 'Address of the service. It must begin with https; http is accepted only for localhost.',
	serviceName: 'Name of the service in lower case. It is part of the request headers: x-svc-key for svc.',
	timestampFormat: 'How the timestamp header is written. Each request gets a new one.',
	signatureMethod: 'How the signature header is made. The service knows which method your API key uses.',
	signatureSecret: 'The secret that signs each request, issued with the API key',
	signatureSecretEncoding: 'How the secret is written. Choose UTF-8 to use its characters unchanged.',
	signaturePayload:
		'Text that is signed. Tokens: {timestamp} {method} {path} {query} {pathWithQuery} {host} {body} {key} {bodySha256} {bodySha512}, and \\n for a line feed. {body} is the exact body sent, empty if there is none.',
	paymentKeyHeader:
		'Header that carries Payment Key, with plain dashes, quotes and spaces, to a service that pays once for each key. Leave it empty unless the documentation of the service names one.',
	webhookVerification: 'How the trigger checks that a delivery comes from the service',
	webhookHeader: 'Name of the header that holds the signature or the token',
	webhookSecret:
		'The secret that signs the deliveries, or the expected token. Only a trigger whose Verification is Use Credential needs it.',
	webhookPreviousSecret: 'The secret before a rotation, still accepted. Clear it when the rotation is done.',
	webhookSecretEncoding: 'How the secret is written. Choose UTF-8 to use its characters unchanged.',
	webhookPublicKey:
		'The public key of the service as PEM: RSA PKCS#1 v1.5 or ECDSA P-256 with SHA-256, or Ed25519',
	webhookPreviousPublicKey: 'The key before a rotation, still accepted. Clear it when the rotation is done.',
	webhookPayload:
		'Text that the service signs. Tokens: {body} (the bytes as received) {timestamp} {id} {bodySha256} {bodySha512}, and \\n for a line feed.',
	webhookSignatureFormat:
		'Form of the header that holds the signature, such as {signature}, sha256={signature}, t={timestamp},v1={signature} or v1,{signature}. A header may hold several.',
	webhookTimestampHeader:
		'Name of the header with the time of the delivery. Leave empty if the signature header holds the time, or if the time is not signed.',
	webhookIdHeader: 'Name of the header with the ID of the delivery. Leave empty if the ID is not signed.',
	webhookTolerance:
		'Seconds that the time of a delivery may differ from the time here, in both directions. Set it higher if the service repeats a delivery with its first time. 0 means no timestamp check: a recorded delivery can then be sent again at any time.',
};

const FILLED_IN = [{ _cnd: { exists: true as const } }];
const ROWS = { typeOptions: { rows: 4 } };
/** What else is special about a field. */
const EXTRAS: Partial<Record<SettingName, Partial<INodeProperties>>> = {
	baseUrl: { placeholder: 'e.g. https://api.example.com' },
	paymentKeyHeader: { placeholder: 'e.g. Idempotency-Key' },
	webhookStyle: { hint: 'Webhook settings: only for triggers that verify deliveries' },
	// A style that is custom has a signature. None would hide the secret that was entered before.
	webhookVerification: { default: 'hmac' },
	...{ webhookPublicKey: ROWS, webhookPreviousPublicKey: ROWS },
	webhookTimestampHeader: { placeholder: 'e.g. x-svc-timestamp' },
	webhookIdHeader: { placeholder: 'e.g. webhook-id' },
};

function field(name: SettingName): INodeProperties {
	const { label, choices, default: first = '', max, optional, secret }: Setting = SETTINGS[name];
	const shared = { displayName: label, name, description: DESCRIPTIONS[name] };
	if (choices !== undefined) {
		// n8n wants them sorted by name.
		const options = Object.entries(choices)
			.map(([value, [title, description]]) => ({ name: title, value, description }))
			.sort((a, b) => (a.name < b.name ? -1 : 1));
		return { ...shared, type: 'options', options, default: Object.keys(choices)[0], ...EXTRAS[name] };
	}
	if (max !== undefined)
		return { ...shared, type: 'number', typeOptions: { minValue: 0, maxValue: max }, default: first };
	const typeOptions = secret && { password: true };
	return { ...shared, type: 'string', typeOptions, required: !optional, default: first, ...EXTRAS[name] };
}

type Show = NonNullable<NonNullable<INodeProperties['displayOptions']>['show']>;
const when = (show: Show, ...names: SettingName[]): INodeProperties[] =>
	names.map((name) => ({ ...field(name), displayOptions: { show } }));

const SIGNED = { signatureStyle: ['custom'] };
const HMAC = { ...SIGNED, signatureMethod: ['hmac'] };
const VERIFIED = { webhookStyle: ['custom'] };
const by = (...methods: Array<Value<'webhookVerification'>>) => ({
	...VERIFIED,
	webhookVerification: methods,
});
/** The secret with the one before. Only the default style may stay without: no trigger can then be published with it. */
const secrets = (show: Show, required = true): INodeProperties[] => [
	...when(show, 'webhookSecret').map((secret) => ({ ...secret, required })),
	...when({ ...show, webhookSecret: FILLED_IN }, 'webhookPreviousSecret'),
];

export const FORM: INodeProperties[] = [
	...[field('baseUrl'), field('apiKey')],
	{ ...field('signatureSecret'), displayOptions: { hide: SIGNED } },
	...when(HMAC, 'signatureSecret'),
	...secrets({ webhookStyle: ['default'] }, false),
	...secrets({ webhookStyle: ['standardWebhooks'] }),
	...secrets(by('token', 'hmac')),

	// Without a key nothing is signed, so a new form begins with five fields.
	...when({ apiKey: FILLED_IN }, 'signatureStyle'),
	...when(SIGNED, 'signatureMethod'),
	...when({ ...SIGNED, signatureMethod: ['static'] }, 'staticSignature'),
	...when(HMAC, 'signaturePayload', 'signatureAlgorithm', 'signatureEncoding', 'signatureSecretEncoding'),
	...when(SIGNED, 'timestampFormat'),
	...when({ ...SIGNED, timestampFormat: ['static'] }, 'staticTimestamp'),
	...when(SIGNED, 'serviceName', 'paymentKeyHeader'),

	field('webhookStyle'),
	...when(VERIFIED, 'webhookVerification'),
	...when(by('publicKey'), 'webhookPublicKey'),
	...when({ ...by('publicKey'), webhookPublicKey: FILLED_IN }, 'webhookPreviousPublicKey'),
	...when(by('token', 'hmac', 'publicKey'), 'webhookHeader'),
	...when(by('hmac'), 'webhookAlgorithm', 'webhookSecretEncoding'),
	...when(by('hmac', 'publicKey'), 'webhookPayload', 'webhookSignatureFormat', 'webhookIdHeader'),
	...when(by('hmac', 'publicKey'), 'webhookTimestampHeader', 'webhookTolerance'),
];
