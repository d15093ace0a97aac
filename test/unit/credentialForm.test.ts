/** What the form of the credential shows, by n8n's own rules, and what n8n hands over of the values in it. */
import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters, INodePropertyOptions } from 'n8n-workflow';
import { SETTINGS } from '../../api/signature/settings.ts';
import { WEBHOOK_STYLES } from '../../api/signature/settings.ts';
import { WalletServiceApi } from '../../credentials/WalletServiceApi.credentials.ts';

const { properties } = new WalletServiceApi();
const STYLES = Object.keys(WEBHOOK_STYLES);
const KEY = { apiKey: 'fake' };
const CUSTOM = { ...KEY, signatureStyle: 'custom', webhookStyle: 'custom' };

/** The values with which n8n completes a stored credential. Fields that are not visible are left out. */
const complete = (values: INodeParameters) =>
	NodeHelpers.getNodeParameters(properties, values, true, false, null, null) as INodeParameters;

const visibleFields = (values: INodeParameters) => {
	const completed = complete(values);
	return properties.filter((field) => NodeHelpers.displayParameter(completed, field, null, null));
};

/** The labels of the visible fields from top to bottom. */
const visible = (values: INodeParameters = {}) => visibleFields(values).map(({ displayName }) => displayName);

/** The labels of the visible fields that are marked as required and start empty. */
const toFillIn = (values: INodeParameters = {}) =>
	visibleFields(values)
		.filter((field) => field.required && field.default === '')
		.map(({ displayName }) => displayName);

const FIVE = ['Base URL', 'API Key', 'Signature Secret', 'Webhook Secret', 'Webhook Style'];

test('of five visible fields a newcomer must fill in three, and with another webhook style four', () => {
	expect(visible()).toEqual(FIVE);
	expect(toFillIn()).toEqual(FIVE.slice(0, 3));
	for (const webhookStyle of STYLES) {
		expect(visible({ webhookStyle })).toEqual(FIVE);
		expect(toFillIn({ webhookStyle })).toEqual(FIVE.slice(0, webhookStyle === 'default' ? 3 : 4));
	}
});

test('Signature Style appears above Webhook Style as soon as there is an API Key', () => {
	for (const apiKey of [KEY.apiKey, '={{ $secrets.vault.key }}']) {
		expect(visible({ apiKey })).toEqual([...FIVE.slice(0, 4), 'Signature Style', 'Webhook Style']);
	}
});

test('what belongs to a style stands below it', () => {
	const labels = visible({ ...CUSTOM, webhookSecret: 'fake' });
	expect(labels.slice(0, 4)).toEqual(FIVE.slice(0, 4));
	const [signing, webhook] = [labels.indexOf('Signature Style'), labels.indexOf('Webhook Style')];
	expect(labels.slice(signing, webhook).filter((label) => label.startsWith('Webhook'))).toEqual([]);
	expect(labels.slice(webhook).filter((label) => !label.startsWith('Webhook'))).toEqual([]);
});

test('at most 24 fields are visible at once, with a static time 25', () => {
	const filled = { ...CUSTOM, webhookSecret: 'fake', webhookPublicKey: 'fake' };
	for (const signatureMethod of ['hmac', 'static']) {
		for (const webhookVerification of ['none', 'token', 'hmac', 'publicKey']) {
			expect(visible({ ...filled, signatureMethod, webhookVerification }).length).toBeLessThanOrEqual(24);
		}
	}
	expect(visible({ ...filled, timestampFormat: 'static' })).toHaveLength(25);
});

test.each<[choices: INodeParameters, fields: string[]]>([
	// Custom begins with a check of deliveries, and with the field for its secret.
	[{}, ['Signature Secret', 'Webhook Secret']],
	[{ webhookVerification: 'none' }, ['Signature Secret']],
	[{ webhookVerification: 'token' }, ['Signature Secret', 'Webhook Secret']],
	[{ webhookVerification: 'hmac' }, ['Signature Secret', 'Webhook Secret']],
	[{ webhookVerification: 'publicKey' }, ['Signature Secret', 'Webhook Public Key']],
	[
		{ webhookVerification: 'none', signatureMethod: 'static', timestampFormat: 'static' },
		['Signature', 'Timestamp'],
	],
])('with Custom and %j the user must fill in %j', (choices, fields) => {
	expect(toFillIn({ ...CUSTOM, ...choices })).toEqual(['Base URL', 'API Key', ...fields]);
});

test('the previous secret is visible only beside a current one', () => {
	expect(visible()).not.toContain('Previous Webhook Secret');
	expect(visible({ webhookSecret: 'fake' })).toContain('Previous Webhook Secret');
	expect(visible({ webhookSecret: '={{ $secrets.vault.webhook }}' })).toContain('Previous Webhook Secret');
});

test('the form offers every style and Custom', () => {
	const offered = (name: string) =>
		(properties.find((field) => field.name === name)!.options as INodePropertyOptions[])
			.map(({ value }) => value)
			.sort();
	expect(offered('signatureStyle')).toEqual(['custom', 'default']);
	expect(offered('webhookStyle')).toEqual([...STYLES, 'custom'].sort());
});

test('with Custom, every field is visible under some choice', () => {
	const choices = [
		...['hmac', 'none', 'token', 'publicKey'].map((webhookVerification) => ({ webhookVerification })),
		{ signatureMethod: 'static', timestampFormat: 'static' },
	];
	const filled = { ...CUSTOM, webhookSecret: 'fake', webhookPublicKey: 'fake' };
	const seen = new Set(choices.flatMap((choice) => visible({ ...filled, ...choice })));
	expect(seen).toEqual(new Set(properties.map(({ displayName }) => displayName)));
});

test('Payment Key Header starts empty, and is visible with Custom only', () => {
	for (const signatureMethod of ['hmac', 'static']) {
		expect(visible({ ...KEY, signatureStyle: 'custom', signatureMethod })).toContain('Payment Key Header');
	}
	expect(complete({ ...KEY, signatureStyle: 'custom' })).toMatchObject({ paymentKeyHeader: '' });
	expect(visible({ webhookStyle: 'custom' })).not.toContain('Payment Key Header');
});

test('values of custom settings do not remain in force under another style', () => {
	const ofCustom = {
		...{ webhookVerification: 'none', webhookPayload: '' },
		...{ signatureMethod: 'static', paymentKeyHeader: 'Idempotency-Key' },
	};
	const kept = {
		...KEY,
		...{ signatureStyle: 'default', signatureSecret: 'fake-too' },
		...{ webhookStyle: 'default', webhookSecret: 'fake' },
	};
	expect(complete({ ...ofCustom, ...kept })).toEqual({
		...{ baseUrl: '', webhookPreviousSecret: '' },
		...kept,
	});
});

test('every secret is hidden while it is typed', () => {
	const hidden = properties.filter(({ typeOptions }) => typeOptions?.password === true);
	expect(new Set(hidden.map(({ name }) => name))).toEqual(
		new Set(['apiKey', 'signatureSecret', 'staticSignature', 'webhookSecret', 'webhookPreviousSecret']),
	);
	const names = new Set(hidden.map(({ name }) => name));
	expect(properties.filter(({ name }) => names.has(name)).every((field) => hidden.includes(field))).toBe(
		true,
	);
});

/** Stored credentials hold these names and values, so they never change. The first value is the default. */
test('the credential has these fields and values', () => {
	const choices = Object.entries(SETTINGS).map(([name, setting]) => [
		name,
		'choices' in setting
			? Object.keys(setting.choices).join(' ')
			: 'default' in setting
				? setting.default
				: '',
	]);
	expect(Object.fromEntries(choices)).toEqual({
		...{ baseUrl: '', apiKey: '', signatureStyle: 'default custom', serviceName: 'svc' },
		timestampFormat: 'unixMilliseconds unixSeconds iso8601 static',
		...{ staticTimestamp: '', signatureMethod: 'hmac static', staticSignature: '', signatureSecret: '' },
		...{ signatureSecretEncoding: 'utf8 hex base64', signatureAlgorithm: 'sha256 sha384 sha512' },
		signaturePayload: '{timestamp}{method}{path}{body}',
		...{ signatureEncoding: 'hex base64', paymentKeyHeader: '' },
		...{ webhookStyle: 'default standardWebhooks custom' },
		webhookVerification: 'none token hmac publicKey',
		...{ webhookHeader: 'x-svc-signature', webhookSecret: '', webhookPreviousSecret: '' },
		...{ webhookSecretEncoding: 'utf8 hex base64', webhookAlgorithm: 'sha256 sha384 sha512' },
		...{ webhookPublicKey: '', webhookPreviousPublicKey: '', webhookPayload: '{body}' },
		...{ webhookSignatureFormat: '{signature}', webhookTimestampHeader: '', webhookIdHeader: '' },
		webhookTolerance: 300,
	});
	expect(new Set(properties.map(({ name }) => name))).toEqual(new Set(Object.keys(SETTINGS)));
});
