/** What the form of the credential shows, by n8n's own rules, and what n8n hands over of the values in it. */
import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { SETTINGS } from '../../api/signature/settings.ts';
import { WEBHOOK_STYLES } from '../../api/signature/styles.ts';
import { WalletServiceApi } from '../../credentials/WalletServiceApi.credentials.ts';
import { PUBLISHED } from '../fixtures/schemes/publishedRequests.ts';
import { DOCUMENTED } from '../fixtures/schemes/requestSchemes.ts';
import { WEBHOOK_SENDERS } from '../fixtures/schemes/webhookSchemes.ts';

const { properties } = new WalletServiceApi();

/** The values with which n8n completes a stored credential. Fields that are not visible are left out. */
const complete = (values: INodeParameters) =>
	NodeHelpers.getNodeParameters(properties, values, true, false, null, null) as INodeParameters;

/** The labels of the visible fields from top to bottom. */
const visible = (values: INodeParameters = {}) => {
	const completed = complete(values);
	return properties
		.filter((field) => NodeHelpers.displayParameter(completed, field, null, null))
		.map(({ displayName }) => displayName);
};

/** The labels of the visible fields that are marked as required and start empty. */
const toFillIn = (values: INodeParameters = {}) => {
	const completed = complete(values);
	return properties
		.filter((field) => NodeHelpers.displayParameter(completed, field, null, null))
		.filter((field) => field.required && field.default === '')
		.map(({ displayName }) => displayName);
};

const optionsOf = (name: string) => {
	const { options } = properties.find((field) => field.name === name)!;
	return (options as INodeProperties[]).map((option) => (option as unknown as { value: string }).value);
};

test('by default the form asks for four values, and for the style of each signature', () => {
	const expected = [
		...['Base URL', 'API Key', 'Signature Secret', 'Webhook Secret'],
		...['Signature Style', 'Webhook Style'],
	];
	expect(visible()).toEqual(expected);
	for (const webhookStyle of Object.keys(WEBHOOK_STYLES)) expect(visible({ webhookStyle })).toEqual(expected);
});

test('of six visible fields a newcomer must fill in three', () => {
	expect(visible()).toHaveLength(6);
	expect(toFillIn()).toEqual(['Base URL', 'API Key', 'Signature Secret']);
	for (const webhookStyle of Object.keys(WEBHOOK_STYLES).filter((style) => style !== 'default')) {
		expect(toFillIn({ webhookStyle })).toEqual([...toFillIn(), 'Webhook Secret']);
	}
});

test('with Custom, what the chosen methods need is marked as required', () => {
	const custom = { signatureStyle: 'custom', webhookStyle: 'custom' };
	// Custom begins with a check of deliveries, and with the field for its secret.
	expect(toFillIn(custom)).toEqual([...toFillIn(), 'Webhook Secret']);
	expect(toFillIn({ ...custom, webhookVerification: 'none' })).toEqual(toFillIn());
	expect(
		toFillIn({
			...custom,
			webhookVerification: 'none',
			signatureMethod: 'static',
			timestampFormat: 'static',
		}),
	).toEqual([...['Base URL', 'API Key', 'Signature', 'Timestamp']]);
	for (const webhookVerification of ['token', 'hmac']) {
		expect(toFillIn({ ...custom, webhookVerification })).toEqual([...toFillIn(), 'Webhook Secret']);
	}
	expect(toFillIn({ ...custom, webhookVerification: 'publicKey' })).toEqual([
		...[...toFillIn(), 'Webhook Public Key'],
	]);
});

test('the previous secret is visible only beside a current one', () => {
	expect(visible()).not.toContain('Previous Webhook Secret');
	expect(visible({ webhookSecret: 'fake' })).toContain('Previous Webhook Secret');
	expect(visible({ webhookSecret: '={{ $secrets.vault.webhook }}' })).toContain('Previous Webhook Secret');
});

test('the form offers every style and Custom', () => {
	expect(optionsOf('signatureStyle').sort()).toEqual(['custom', 'default']);
	expect(optionsOf('webhookStyle').sort()).toEqual([...Object.keys(WEBHOOK_STYLES), 'custom'].sort());
});

test('with Custom, every field is visible under some choice', () => {
	const filled = { webhookSecret: 'fake', webhookPublicKey: 'fake' };
	const custom = { signatureStyle: 'custom', webhookStyle: 'custom', ...filled };
	const seen = new Set(
		[
			{ webhookVerification: 'hmac' },
			...['none', 'token', 'publicKey'].map((webhookVerification) => ({ webhookVerification })),
			{ signatureMethod: 'static', timestampFormat: 'static' },
		].flatMap((choice) => visible({ ...custom, ...choice })),
	);
	expect([...seen].sort()).toEqual([...new Set(properties.map(({ displayName }) => displayName))].sort());
});

test('Payment Key Header starts empty, and is visible with Custom only', () => {
	expect(visible({ signatureStyle: 'custom' })).toContain('Payment Key Header');
	expect(complete({ signatureStyle: 'custom' })).toMatchObject({ paymentKeyHeader: '' });
	expect(visible({ signatureStyle: 'custom', signatureMethod: 'static' })).toContain('Payment Key Header');
	expect(visible({ webhookStyle: 'custom' })).not.toContain('Payment Key Header');
});

test('values of custom settings do not remain in force under another style', () => {
	const values = complete({
		webhookStyle: 'default',
		webhookVerification: 'none',
		webhookPayload: '',
		webhookSecret: 'fake',
		signatureStyle: 'default',
		signatureMethod: 'static',
		paymentKeyHeader: 'Idempotency-Key',
		signatureSecret: 'fake-too',
	});
	expect(values).toEqual({
		baseUrl: '',
		apiKey: '',
		signatureStyle: 'default',
		signatureSecret: 'fake-too',
		webhookStyle: 'default',
		webhookSecret: 'fake',
		webhookPreviousSecret: '',
	});
});

test('each value that can be chosen is used: first, in a style, by a service in the documentation, or by agreement', () => {
	const agreed = [
		...['unixMilliseconds', 'unixSeconds', 'iso8601', 'static', 'hmac', 'none', 'token', 'publicKey'],
		...['utf8', 'hex', 'base64', 'sha256', 'sha384', 'sha512', 'hexUpper', 'base64url'],
	];
	const settings = [...PUBLISHED, ...DOCUMENTED, ...WEBHOOK_SENDERS].map((row) => row.settings);
	const used = [...settings, ...Object.values(WEBHOOK_STYLES)].flatMap((row) => Object.values(row));
	const styles = [...Object.keys(WEBHOOK_STYLES), 'custom'];
	const unused = Object.values(SETTINGS).flatMap((setting) =>
		'values' in setting
			? setting.values.filter(
					(value) => value !== setting.default && ![...agreed, ...used, ...styles].includes(value),
				)
			: [],
	);
	expect(unused).toEqual([]);
});
