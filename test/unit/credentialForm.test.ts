/** What the form of the credential shows, by n8n's own rules, and what n8n hands over of the values in it. */
import { NodeHelpers, type INodeParameters, type INodePropertyOptions } from 'n8n-workflow';
import { SETTINGS, WEBHOOK_STYLES } from '../../api/signature/settings.ts';
import { WalletServiceApi } from '../../credentials/WalletServiceApi.credentials.ts';

const { properties } = new WalletServiceApi();
const STYLES = Object.keys(WEBHOOK_STYLES);
const KEY = { apiKey: 'fake' };
const CUSTOM = { ...KEY, signatureStyle: 'custom', webhookStyle: 'custom' };
const FILLED = { ...CUSTOM, webhookSecret: 'fake', webhookPublicKey: 'fake' };
const STATIC = { signatureMethod: 'static', timestampFormat: 'static' };
const FIVE = ['Base URL', 'API Key', 'Signature Secret', 'Webhook Secret', 'Webhook Style'];

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

test('of five visible fields a newcomer must fill in three, and with another webhook style four', () => {
	expect(visible()).toEqual(FIVE);
	expect(toFillIn()).toEqual(FIVE.slice(0, 3));
	for (const webhookStyle of STYLES) {
		expect(visible({ webhookStyle })).toEqual(FIVE);
		expect(toFillIn({ webhookStyle })).toEqual(FIVE.slice(0, webhookStyle === 'default' ? 3 : 4));
	}
});

test.each(['fake', '={{ $secrets.vault.key }}'])(
	'Signature Style appears with the API Key %s, and Previous Webhook Secret with a secret',
	(text) => {
		expect(visible({ apiKey: text })).toEqual([...FIVE.slice(0, 4), 'Signature Style', 'Webhook Style']);
		expect(visible({ webhookSecret: text })).toContain('Previous Webhook Secret');
	},
);

test('every field is visible under some choice', () => {
	const seen = [{}, STATIC, { webhookVerification: 'publicKey' }].flatMap((choices) =>
		visible({ ...FILLED, ...choices }),
	);
	expect(new Set(seen)).toEqual(new Set(properties.map(({ displayName }) => displayName)));
});

test.each<[choices: INodeParameters, fields: string[]]>([
	// Custom begins with a check of deliveries, and with the field for its secret.
	[{}, ['Signature Secret', 'Webhook Secret']],
	[{ webhookVerification: 'none' }, ['Signature Secret']],
	[{ webhookVerification: 'token' }, ['Signature Secret', 'Webhook Secret']],
	[{ webhookVerification: 'publicKey' }, ['Signature Secret', 'Webhook Public Key']],
	[{ ...STATIC, webhookVerification: 'none' }, ['Signature', 'Timestamp']],
])('with Custom and %j the user must fill in %j', (choices, fields) => {
	expect(toFillIn({ ...CUSTOM, ...choices })).toEqual(['Base URL', 'API Key', ...fields]);
});

test('values of custom settings do not remain in force under another style', () => {
	const ofCustom = {
		webhookVerification: 'none',
		webhookPayload: '',
		signatureMethod: 'static',
		paymentKeyHeader: 'Idempotency-Key',
	};
	const kept = {
		...KEY,
		signatureStyle: 'default',
		signatureSecret: 'fake-too',
		webhookStyle: 'default',
		webhookSecret: 'fake',
	};
	expect(complete({ ...ofCustom, ...kept })).toEqual({ baseUrl: '', webhookPreviousSecret: '', ...kept });
});

test('every setting of the table stands in the form', () => {
	const inForm = new Set(properties.map(({ name }) => name));
	expect([...inForm].sort()).toEqual(Object.keys(SETTINGS).sort());
});

test('every secret is hidden while it is typed', () => {
	const secrets = ['apiKey', 'signatureSecret', 'staticSignature', 'webhookSecret', 'webhookPreviousSecret'];
	for (const { name, typeOptions } of properties)
		expect([name, typeOptions?.password === true]).toEqual([name, secrets.includes(name)]);
});

/** Stored credentials hold these names and values, so they never change. A choice begins with the first value. */
test('the credential has these fields and values', () => {
	const chosen = (name: string) => {
		const { options = [], default: first } = properties.find((field) => field.name === name)!;
		const values = options.map((option) => (option as INodePropertyOptions).value as string);
		const others = values.filter((value) => value !== first).sort();
		return values.length === 0 ? first : [first as string, ...others].join(' ');
	};
	expect(Object.fromEntries(properties.map(({ name }) => [name, chosen(name)]))).toEqual({
		baseUrl: '',
		apiKey: '',
		signatureStyle: 'default custom',
		serviceName: 'svc',
		timestampFormat: 'unixMilliseconds iso8601 static unixSeconds',
		staticTimestamp: '',
		signatureMethod: 'hmac static',
		staticSignature: '',
		signatureSecret: '',
		signatureSecretEncoding: 'utf8 base64 hex',
		signatureAlgorithm: 'sha256 sha384 sha512',
		signaturePayload: '{timestamp}{method}{path}{body}',
		signatureEncoding: 'hex base64',
		paymentKeyHeader: '',
		webhookStyle: 'default custom standardWebhooks',
		webhookVerification: 'hmac none publicKey token',
		webhookHeader: 'x-svc-signature',
		webhookSecret: '',
		webhookPreviousSecret: '',
		webhookSecretEncoding: 'utf8 base64 hex',
		webhookAlgorithm: 'sha256 sha384 sha512',
		webhookPublicKey: '',
		webhookPreviousPublicKey: '',
		webhookPayload: '{body}',
		webhookSignatureFormat: '{signature}',
		webhookTimestampHeader: '',
		webhookIdHeader: '',
		webhookTolerance: 300,
	});
});
