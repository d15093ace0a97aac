/** Deliveries pass with their style, and with the custom settings that the style stands for. */
import { WEBHOOK_STYLES, type VerificationSettings } from '../../api/signature/settings.ts';
import { openSsl, openSslKeys, openSslSign } from './openSsl.ts';
import { BODY, NOW, verifyDelivery } from './trySettings.ts';

interface Row {
	name: string;
	settings: VerificationSettings;
	/** SIGNATURE stands for the signature. */
	headers: Record<string, string>;
	/** In milliseconds since 1970. */
	now: number;
	body: string;
	/** The text that is signed. */
	text: string;
	/** What the credential takes for the sender, and for a stranger; and how they sign. */
	keys: Array<{ given: string; sign: (text: string) => string }>;
	/** The signature that somebody publishes for this text and the first key. */
	published?: string;
}

const DEFAULT: Row = {
	name: 'Wallet Service Default',
	settings: { webhookHeader: 'x-svc-signature' },
	headers: { 'x-svc-signature': 'SIGNATURE' },
	now: NOW,
	body: BODY,
	text: BODY,
	keys: ['fake-secret', 'other'].map((given) => ({ given, sign: (text) => openSsl(text, given) })),
};

/** The example of https://github.com/standard-webhooks/standard-webhooks. */
const STANDARD_WEBHOOKS: Row = {
	name: 'Standard Webhooks',
	settings: {
		webhookHeader: 'webhook-signature',
		webhookSecretEncoding: 'base64',
		webhookPayload: '{id}.{timestamp}.{body}',
		webhookSignatureFormat: 'v1,{signature}',
		webhookTimestampHeader: 'webhook-timestamp',
		webhookIdHeader: 'webhook-id',
	},
	headers: {
		'webhook-signature': 'v1a,bm9pc2U= v1,SIGNATURE',
		'webhook-timestamp': '1614265330',
		'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
	},
	now: 1614265330000,
	body: '{"test": 2432232314}',
	text: 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}',
	keys: ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'b3RoZXI='].map((secret) => ({
		given: `whsec_${secret}`,
		sign: (text) => openSsl(text, secret, { encoding: 'base64', secretEncoding: 'base64' }),
	})),
	published: 'g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

const WITH_PUBLIC_KEY: Row = {
	...STANDARD_WEBHOOKS,
	name: 'Standard Webhooks with a public key',
	settings: { ...STANDARD_WEBHOOKS.settings, webhookSignatureFormat: 'v1a,{signature}' },
	headers: { ...STANDARD_WEBHOOKS.headers, 'webhook-signature': 'v1,bm9pc2U= v1a,SIGNATURE' },
	keys: [openSslKeys('ed25519'), openSslKeys('ed25519')].map(({ privateKey, publicKey }) => ({
		given: publicKey,
		sign: (text) => openSslSign(text, privateKey, 'ed25519').toString('base64'),
	})),
	published: undefined,
};

const STYLES = { default: DEFAULT, standardWebhooks: STANDARD_WEBHOOKS };

test('every style is tested', () => expect(Object.keys(STYLES)).toEqual(Object.keys(WEBHOOK_STYLES)));

/** What was entered under Custom before does nothing under another style. */
const HIDDEN = { webhookVerification: 'none', webhookAlgorithm: 'sha512', webhookTolerance: -1 } as const;
const custom = (webhookVerification: 'hmac' | 'publicKey', { settings }: Row): VerificationSettings => ({
	webhookStyle: 'custom',
	webhookVerification,
	...settings,
});

describe.each<[settings: VerificationSettings, row: Row]>([
	...Object.entries(STYLES).flatMap(
		([style, row]): Array<[VerificationSettings, Row]> => [
			[{ ...HIDDEN, webhookStyle: style as keyof typeof STYLES }, row],
			[custom('hmac', row), row],
		],
	),
	[custom('publicKey', WITH_PUBLIC_KEY), WITH_PUBLIC_KEY],
])('with %j', (settings, { headers, now, body, text, keys, published }) => {
	const [key, stranger] = keys as [Row['keys'][0], Row['keys'][0]];
	const headersWith = (signature: string): Record<string, string> =>
		Object.fromEntries(
			Object.entries(headers).map(([name, value]) => [name, value.replace('SIGNATURE', signature)]),
		);
	const genuine = headersWith(key.sign(text));
	const kind = settings.webhookVerification === 'publicKey' ? 'PublicKey' : 'Secret';
	const passes = ({ current = key, previous = '', received = genuine, sent = body } = {}) => {
		const given = { [`webhook${kind}`]: current.given, [`webhookPrevious${kind}`]: previous };
		return verifyDelivery({ ...settings, ...given }, { headers: received, body: Buffer.from(sent) }, now).ok;
	};

	test('a delivery of this style passes, and a changed one is refused', () => {
		if (published !== undefined) expect(key.sign(text)).toBe(published);
		expect(passes()).toBe(true);
		expect(passes({ sent: `${body} ` })).toBe(false);
		expect(passes({ received: headersWith(key.sign('other')) })).toBe(false);
		expect(passes({ received: headersWith(stranger.sign(text)) })).toBe(false);
		for (const [name, value] of Object.entries(genuine)) {
			const { [name]: _, ...others } = genuine;
			expect(passes({ received: others })).toBe(false);
			expect(passes({ received: { ...others, [name]: `${value}9` } })).toBe(false);
		}
	});

	test('a delivery signed with the current or the previous secret or key passes', () => {
		expect(passes({ previous: stranger.given })).toBe(true);
		expect(passes({ current: stranger, previous: key.given })).toBe(true);
		expect(passes({ current: stranger })).toBe(false);
		expect(passes({ current: stranger, previous: stranger.given })).toBe(false);
	});
});
