/** Deliveries pass with their style, and with the custom settings that the style stands for. */
import { readFileSync } from 'node:fs';
import type { VerificationSettings } from '../../api/signature/settings.ts';
import { WEBHOOK_STYLES } from '../../api/signature/settings.ts';
import { openSsl, openSslKeys, openSslSign } from './openSsl.ts';
import { BODY, NOW, verifyDelivery } from './trySettings.ts';

interface Row {
	name: string;
	settings: VerificationSettings;
	/** The first has the signature. SIGNATURE stands for it. */
	headers: Record<string, string>;
	/** In milliseconds since 1970. */
	now?: number;
	body?: string;
	/** The text that is signed. */
	text: string;
	/** The signature that somebody publishes for this text and the first secret. */
	published?: string;
	/** What the credential takes for the sender, and for a stranger; and how they sign. */
	keys: Array<{ given: string; sign: (text: string) => string }>;
	isPublic?: true;
}

const hex = (given: string) => ({ given, sign: (text: string) => openSsl(text, given) });
const base64 = (given: string) => ({
	given,
	sign: (text: string) =>
		openSsl(text, given.replace('whsec_', ''), { encoding: 'base64', secretEncoding: 'base64' }),
});
const ed25519 = () => {
	const { privateKey, publicKey } = openSslKeys('ed25519');
	const sign = (text: string) => openSslSign(text, privateKey, 'ed25519').toString('base64');
	return { given: publicKey, sign };
};

/** The example of https://github.com/standard-webhooks/standard-webhooks. */
const STANDARD_WEBHOOKS = {
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
	published: 'g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
	keys: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'b3RoZXI='].map(base64),
} satisfies Row;

const STYLED: Array<Row & { style: string }> = [
	{
		name: 'Wallet Service Default',
		style: 'default',
		settings: { webhookHeader: 'x-svc-signature' },
		headers: { 'x-svc-signature': 'SIGNATURE' },
		text: BODY,
		keys: ['fake-secret', 'other'].map(hex),
	},
	{ ...STANDARD_WEBHOOKS, style: 'standardWebhooks' },
];

const CUSTOM: Row[] = [
	{
		name: 'the example of https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries',
		settings: { webhookHeader: 'x-hub-signature-256', webhookSignatureFormat: 'sha256={signature}' },
		headers: { 'x-hub-signature-256': 'sha256=SIGNATURE' },
		...{ body: 'Hello, World!', text: 'Hello, World!' },
		published: '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
		keys: ["It's a Secret to Everybody", 'other'].map(hex),
	},
	{
		...STANDARD_WEBHOOKS,
		name: 'Standard Webhooks with a public key',
		settings: { ...STANDARD_WEBHOOKS.settings, webhookSignatureFormat: 'v1a,{signature}' },
		headers: { ...STANDARD_WEBHOOKS.headers, 'webhook-signature': 'v1,bm9pc2U= v1a,SIGNATURE' },
		...{ published: undefined, keys: [ed25519(), ed25519()], isPublic: true },
	},
];

test('every style is tested', () => {
	expect(STYLED.map(({ style }) => style).sort()).toEqual(Object.keys(WEBHOOK_STYLES).sort());
});

test.each(STYLED)(
	'docs/verify-webhooks.md names the settings that $name stands for',
	({ name, settings }) => {
		const lines = readFileSync('docs/verify-webhooks.md', 'utf8').split('\n');
		const line = lines.find((candidate) => candidate.startsWith(`| ${name}`));
		for (const value of Object.values(settings)) expect(line).toContain(`\`${value}\``);
	},
);

const CASES: Row[] = [
	...STYLED.map((row) => ({ ...row, settings: { webhookStyle: row.style } as VerificationSettings })),
	...[...STYLED, ...CUSTOM].map((row) => ({
		...row,
		settings: {
			...{ webhookStyle: 'custom', webhookVerification: row.isPublic ? 'publicKey' : 'hmac' },
			...row.settings,
		} as VerificationSettings,
	})),
];

describe.each(CASES)('$name, Webhook Style $settings.webhookStyle', (row) => {
	const { settings, now = NOW, body = BODY, text } = row;
	const [key, stranger] = row.keys as [Row['keys'][0], Row['keys'][0]];
	const headersWith = (signature: string): Record<string, string> =>
		Object.fromEntries(
			Object.entries(row.headers).map(([name, value]) => [name, value.replace('SIGNATURE', signature)]),
		);
	const genuine = headersWith(key.sign(text));

	const passes = ({ current = key, previous = '', headers = genuine, sent = body } = {}) => {
		const keys = row.isPublic
			? { webhookPublicKey: current.given, webhookPreviousPublicKey: previous }
			: { webhookSecret: current.given, webhookPreviousSecret: previous };
		return verifyDelivery({ ...settings, ...keys }, { headers, body: Buffer.from(sent) }, now).ok;
	};

	test('a delivery of this style passes, and a changed one is refused', () => {
		if (row.published !== undefined) expect(key.sign(text)).toBe(row.published);
		expect(passes()).toBe(true);
		expect(passes({ sent: `${body} ` })).toBe(false);
		expect(passes({ headers: headersWith(key.sign('other')) })).toBe(false);
		expect(passes({ headers: headersWith(stranger.sign(text)) })).toBe(false);
		for (const [name, value] of Object.entries(genuine)) {
			const { [name]: _, ...others } = genuine;
			expect(passes({ headers: others })).toBe(false);
			expect(passes({ headers: { ...others, [name]: `${value}9` } })).toBe(false);
		}
	});

	test('a delivery signed with the current or the previous secret or key passes', () => {
		expect(passes({ previous: stranger.given })).toBe(true);
		expect(passes({ current: stranger, previous: key.given })).toBe(true);
		expect(passes({ current: stranger })).toBe(false);
		expect(passes({ current: stranger, previous: stranger.given })).toBe(false);
	});
});
