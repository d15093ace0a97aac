/** What the form of the credential shows, by n8n's own rules, and what n8n hands over of the values in it. */
import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters, INodePropertyOptions } from 'n8n-workflow';
import { SETTINGS } from '../../api/signature/settings.ts';
import { WEBHOOK_STYLES } from '../../api/signature/styles.ts';
import { WalletServiceApi } from '../../credentials/WalletServiceApi.credentials.ts';
import { settingsIn, tableBelow } from '../fixtures/schemes/documentedSettings.ts';

const { properties } = new WalletServiceApi();
const STYLES = Object.keys(WEBHOOK_STYLES);
const CUSTOM = { signatureStyle: 'custom', webhookStyle: 'custom' };

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

test('of six visible fields a newcomer must fill in three, and with a webhook style four', () => {
	const SIX = [
		'Base URL',
		'API Key',
		'Signature Secret',
		'Webhook Secret',
		'Signature Style',
		'Webhook Style',
	];
	expect(visible()).toEqual(SIX);
	expect(toFillIn()).toEqual(SIX.slice(0, 3));
	for (const webhookStyle of STYLES) {
		expect(visible({ webhookStyle })).toEqual(SIX);
		expect(toFillIn({ webhookStyle })).toEqual(SIX.slice(0, webhookStyle === 'default' ? 3 : 4));
	}
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
		expect(visible({ signatureStyle: 'custom', signatureMethod })).toContain('Payment Key Header');
	}
	expect(complete({ signatureStyle: 'custom' })).toMatchObject({ paymentKeyHeader: '' });
	expect(visible({ webhookStyle: 'custom' })).not.toContain('Payment Key Header');
});

test('values of custom settings do not remain in force under another style', () => {
	const ofCustom = {
		...{ webhookVerification: 'none', webhookPayload: '' },
		...{ signatureMethod: 'static', paymentKeyHeader: 'Idempotency-Key' },
	};
	const kept = {
		...{ signatureStyle: 'default', signatureSecret: 'fake-too' },
		...{ webhookStyle: 'default', webhookSecret: 'fake' },
	};
	expect(complete({ ...ofCustom, ...kept })).toEqual({
		...{ baseUrl: '', apiKey: '', webhookPreviousSecret: '' },
		...kept,
	});
});

test('each value that can be chosen is used: by default, in a style, by a known service, or by agreement', () => {
	const agreed = [
		...['unixMilliseconds', 'unixSeconds', 'iso8601', 'static', 'hmac', 'none', 'token', 'publicKey'],
		...['utf8', 'hex', 'base64', 'sha256', 'sha384', 'sha512', 'hexUpper', 'base64url'],
	];
	const services = tableBelow('| Service | What to set | Compared with |', 'docs/connect.md');
	const senders = tableBelow('| Sender | What to set |', 'docs/verify-webhooks.md');
	const used = [
		...services.map(([, words = '']) => settingsIn(words, 'Signature')),
		...senders.map(([, words = '']) => settingsIn(words, 'Webhook')),
		...Object.values(WEBHOOK_STYLES),
	].flatMap((settings) => Object.values(settings) as unknown[]);
	const reasons = new Set<unknown>([...agreed, ...used, ...STYLES, 'custom']);
	const choices = Object.values(SETTINGS).flatMap((setting) => ('values' in setting ? [setting] : []));
	const unused = choices.flatMap((setting) =>
		setting.values.filter((value) => value !== setting.default && !reasons.has(value)),
	);
	expect(unused).toEqual([]);
});
