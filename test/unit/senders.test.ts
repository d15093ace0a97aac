/**
 * The styles of well-known senders and the custom settings that mean the same, each with a delivery of that sender. GitHub,
 * Slack and Standard Webhooks publish an example with its secret. Stripe, Shopify and Paystack publish none, so their
 * signatures come from `openssl dgst -hmac` (Shopify's is also in the tests of the database tool SQLPage).
 */
import { readFileSync } from 'node:fs';
import type { VerificationSettings } from '../../api/signature/settings.ts';
import { WEBHOOK_STYLES } from '../../api/signature/styles.ts';
import { verifyDelivery } from './trySettings.ts';

interface Sender {
	style: keyof typeof WEBHOOK_STYLES;
	/** The same as custom settings. */
	settings: Omit<VerificationSettings, 'webhookVerification' | 'webhookSecret'>;
	secret: string;
	headers: Record<string, string>;
	body: string;
	/** Time of sending in Unix seconds, if it is signed. */
	sentAt?: number;
}

const BODY = '{"event":"admin_funding","id":"af_1","Amount":"10.00"}';

const SENDERS: Record<string, Sender> = {
	GitHub: {
		style: 'github',
		settings: { webhookHeader: 'x-hub-signature-256', webhookSignatureFormat: 'sha256={signature}' },
		secret: "It's a Secret to Everybody",
		headers: {
			'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
		},
		body: 'Hello, World!',
	},
	Stripe: {
		style: 'stripe',
		settings: {
			webhookHeader: 'stripe-signature',
			webhookPayload: '{timestamp}.{body}',
			webhookSignatureFormat: 't={timestamp},v1={signature}',
		},
		// For Stripe, the prefix is part of the secret.
		secret: 'whsec_fake',
		headers: {
			'stripe-signature':
				't=1767225600,v1=fb8486532ddc414acf8706d177b91026068aed90301129d612ef0a76a7b4da00,v0=6ffbb59b2300',
		},
		body: BODY,
		sentAt: 1767225600,
	},
	Slack: {
		style: 'slack',
		settings: {
			webhookHeader: 'x-slack-signature',
			webhookPayload: 'v0:{timestamp}:{body}',
			webhookSignatureFormat: 'v0={signature}',
			webhookTimestampHeader: 'x-slack-request-timestamp',
		},
		secret: '8f742231b10e8888abcd99yyyzzz85a5',
		headers: {
			'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
			'x-slack-request-timestamp': '1531420618',
		},
		body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
		sentAt: 1531420618,
	},
	Shopify: {
		style: 'shopify',
		settings: { webhookHeader: 'x-shopify-hmac-sha256', webhookSignatureEncoding: 'base64' },
		secret: 'test-webhook-secret',
		headers: { 'x-shopify-hmac-sha256': 'QNyObTlKbMx2qDlPF/ZOZcBqg5OgPg+2oky3zldc0Gw=' },
		body: '{"id":1234567890,"email":"customer@example.com","total_price":"123.45"}',
	},
	Paystack: {
		style: 'paystack',
		settings: { webhookHeader: 'x-paystack-signature', webhookAlgorithm: 'sha512' },
		secret: 'sk_fake',
		headers: {
			'x-paystack-signature':
				'4e36df0f4f55998b44e85cf3222e9873b0c3882f3ac9aa028b9eb29604c79ad522f2f64db4cb459ad2ee9de85f7c074d8342101d54ac0c1f7c6024d9d67ecfb5',
		},
		body: BODY,
	},
	'Wallet Service Default': {
		style: 'default',
		settings: { webhookHeader: 'x-svc-signature' },
		secret: 'fake-secret',
		headers: {
			'x-svc-signature': '2f6b70f222cbeb65f35706a29636b42ec4ac722aed6c97177026416fdc22513b',
		},
		body: BODY,
	},
	'Standard Webhooks': {
		style: 'standardWebhooks',
		settings: {
			webhookHeader: 'webhook-signature',
			webhookSecretEncoding: 'base64',
			webhookSignatureEncoding: 'base64',
			webhookPayload: '{id}.{timestamp}.{body}',
			webhookSignatureFormat: 'v1,{signature}',
			webhookTimestampHeader: 'webhook-timestamp',
			webhookIdHeader: 'webhook-id',
		},
		secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
		headers: {
			'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
			'webhook-timestamp': '1614265330',
			'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1a,bm9pc2U=',
		},
		body: '{"test": 2432232314}',
		sentAt: 1614265330,
	},
};

/** Each sender by its style, as the form stores it, and by custom settings. */
const CASES = Object.entries(SENDERS).flatMap(([name, sender]) => [
	{ ...sender, name: `${name} by its style`, chosen: { webhookStyle: sender.style } },
	{ ...sender, name: `${name} by custom settings`, chosen: { webhookStyle: 'custom', ...sender.settings } },
]);

test('every style is tested with a delivery', () => {
	const tested = Object.values(SENDERS).map(({ style }) => style);
	expect(tested.sort()).toEqual(Object.keys(WEBHOOK_STYLES).sort());
});

describe.each(CASES)('$name', ({ chosen, settings, secret, headers, body, sentAt }) => {
	const at = (sentAt ?? 0) * 1000;
	const verdict = (changed: Partial<Sender> & { now?: number; previous?: string } = {}) => {
		const { ok } = verifyDelivery(
			{
				webhookVerification: 'hmac',
				...chosen,
				webhookSecret: changed.secret ?? secret,
				webhookPreviousSecret: changed.previous,
			} as VerificationSettings,
			{ headers: changed.headers ?? headers, body: Buffer.from(changed.body ?? body) },
			changed.now ?? at,
		);
		return ok;
	};
	const OTHER = settings.webhookSecretEncoding === 'base64' ? 'b3RoZXI=' : 'other';

	test('a delivery of this sender passes, and a changed one is refused', () => {
		expect(verdict()).toBe(true);
		expect(verdict({ body: `${body} ` })).toBe(false);
		expect(verdict({ secret: OTHER })).toBe(false);
		for (const header of Object.keys(headers)) {
			const { [header]: value, ...others } = headers;
			expect(verdict({ headers: others })).toBe(false);
			expect(verdict({ headers: { ...others, [header]: `9${value}` } })).toBe(false);
		}
	});

	test('a delivery signed with the current or the previous secret passes', () => {
		expect(verdict({ secret: OTHER, previous: secret })).toBe(true);
		expect(verdict({ previous: OTHER })).toBe(true);
		expect(verdict({ secret: OTHER, previous: OTHER })).toBe(false);
	});

	test('a signed time may be 300 seconds away, before or after', () => {
		for (const seconds of [-300, 300]) expect(verdict({ now: at + seconds * 1000 })).toBe(true);
		for (const seconds of [-301, 301]) {
			expect(verdict({ now: at + seconds * 1000 })).toBe(sentAt === undefined);
		}
	});
});

test.each(Object.entries(SENDERS))(
	'docs/verify-webhooks.md gives the tested settings of %s',
	(name, { settings }) => {
		const documented = readFileSync('docs/verify-webhooks.md', 'utf8')
			.split('\n')
			.find((line) => line.startsWith(`| ${name}`));
		for (const value of Object.values(settings)) expect(documented?.toLowerCase()).toContain(`\`${value}\``);
	},
);
