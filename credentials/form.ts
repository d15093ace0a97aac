/** The form of the credential: the order of the settings, and when each is shown. Several fields have one name: n8n uses the visible one. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { SETTINGS } from '../api/signature/settings.ts';
import type { Setting, SettingName, Value } from '../api/signature/settings.ts';

const FILLED_IN = [{ _cnd: { exists: true as const } }];

function field(name: SettingName): INodeProperties {
	const setting: Setting = SETTINGS[name];
	const { label, description, placeholder, hint } = setting;
	return { displayName: label, name, description, placeholder, hint, ...inputOf(setting) };
}

/** A choice, a number or a text. */
function inputOf({ choices, whenNew, default: first = '', max, optional, secret, lines }: Setting) {
	if (choices !== undefined) {
		const options = sortedOptions(choices);
		return { type: 'options' as const, options, default: whenNew ?? Object.keys(choices)[0] };
	}
	if (max !== undefined) {
		return { type: 'number' as const, typeOptions: { minValue: 0, maxValue: max }, default: first };
	}
	const typeOptions = { password: secret, rows: lines };
	return { type: 'string' as const, typeOptions, required: optional !== true, default: first };
}

/** n8n wants them sorted by name. */
function sortedOptions(choices: NonNullable<Setting['choices']>): INodePropertyOptions[] {
	return Object.entries(choices)
		.map(([value, words]) => ({ value, ...words }))
		.sort((one, other) => (one.name < other.name ? -1 : 1));
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
	field('baseUrl'),
	field('apiKey'),
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
