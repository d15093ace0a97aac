/** Deliveries pass with their style, with the custom settings that the style stands for, and with each form of header. */
import { readFileSync } from 'node:fs';
import { SETTINGS } from '../../api/signature/settings.ts';
import type { VerificationSettings } from '../../api/signature/settings.ts';
import { WEBHOOK_STYLES } from '../../api/signature/settings.ts';
import { openSsl, openSslKeys, openSslSign } from './openSsl.ts';
import { BODY, verifyDelivery } from './trySettings.ts';

interface Row {
	name: string;
	settings: VerificationSettings;
	/** How an HMAC is made, if not with SHA-256 in hex. */
	hmac?: { algorithm?: 'sha384' | 'sha512'; encoding?: 'base64'; secretEncoding?: 'base64' };
	/** The first has the signature. SIGNATURE stands for it. */
	headers: Record<string, string | string[]>;
	/** If the time is signed. Milliseconds since 1970. */
	sentAt?: number;
	body?: string;
	/** The text that is signed. */
	text: string;
	secret?: string;
	/** The signature that somebody publishes for this text and secret. */
	published?: string;
	/** If a public key verifies. */
	key?: 'rsa' | 'ec' | 'ed25519';
}

const SENT_AT = Date.parse('2026-01-31T12:00:00Z');
const SECONDS = '1769860800';

/** The example of https://github.com/standard-webhooks/standard-webhooks. */
const STANDARD_WEBHOOKS: Omit<Row, 'name' | 'settings'> = {
	hmac: { encoding: 'base64', secretEncoding: 'base64' },
	headers: {
		'webhook-signature': 'v1a,bm9pc2U= v1,SIGNATURE',
		'webhook-timestamp': '1614265330',
		'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
	},
	sentAt: 1614265330000,
	body: '{"test": 2432232314}',
	text: 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}',
	secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
	published: 'g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

const STYLED: Array<Row & { style: string }> = [
	{
		name: 'Wallet Service Default',
		style: 'default',
		settings: { webhookHeader: 'x-svc-signature' },
		headers: { 'x-svc-signature': 'SIGNATURE' },
		text: BODY,
	},
	{
		name: 'Standard Webhooks',
		style: 'standardWebhooks',
		settings: {
			webhookHeader: 'webhook-signature',
			webhookSecretEncoding: 'base64',
			webhookPayload: '{id}.{timestamp}.{body}',
			webhookSignatureFormat: 'v1,{signature}',
			webhookTimestampHeader: 'webhook-timestamp',
			webhookIdHeader: 'webhook-id',
		},
		...STANDARD_WEBHOOKS,
	},
];

const IN_HEADER = { webhookPayload: '{timestamp}.{body}', webhookTimestampHeader: 'x-svc-timestamp' };
const CUSTOM: Row[] = [
	{
		name: 'a label before the signature',
		settings: { webhookSignatureFormat: 'sha256={signature}' },
		headers: { 'x-svc-signature': 'sha256=SIGNATURE' },
		body: 'Hello, World!',
		text: 'Hello, World!',
		secret: "It's a Secret to Everybody",
		published: '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
	},
	{
		name: 'time and signatures in one header',
		settings: {
			webhookPayload: '{timestamp}.{body}',
			webhookSignatureFormat: 't={timestamp},v1={signature}',
		},
		headers: { 'x-svc-signature': `t=${SECONDS},v0=6ffbb59b2300,v1=SIGNATURE` },
		sentAt: SENT_AT,
		text: `${SECONDS}.${BODY}`,
		secret: 'whsec_fake',
	},
	{
		name: 'the time in a header of its own, SHA-512',
		settings: { ...IN_HEADER, webhookAlgorithm: 'sha512' },
		hmac: { algorithm: 'sha512' },
		headers: { 'x-svc-signature': 'SIGNATURE', 'x-svc-timestamp': '2026-01-31T12:00:00Z' },
		sentAt: SENT_AT,
		text: `2026-01-31T12:00:00Z.${BODY}`,
	},
	{
		name: 'base64 and SHA-384',
		settings: { webhookAlgorithm: 'sha384' },
		hmac: { algorithm: 'sha384', encoding: 'base64' },
		headers: { 'x-svc-signature': 'SIGNATURE' },
		text: BODY,
	},
	{
		name: 'the header sent twice',
		settings: {},
		headers: { 'x-svc-signature': ['0'.repeat(64), 'SIGNATURE'] },
		text: BODY,
	},
	...(['rsa', 'ec', 'ed25519'] as const).map((key) => ({
		...{
			name: `a public key (${key})`,
			key,
			settings: { ...IN_HEADER, webhookPayload: '{timestamp}|{body}' },
		},
		headers: { 'x-svc-signature': 'SIGNATURE', 'x-svc-timestamp': SECONDS },
		sentAt: SENT_AT,
		text: `${SECONDS}|${BODY}`,
	})),
	{
		name: 'Standard Webhooks with a public key',
		key: 'ed25519',
		settings: { ...STYLED[1]!.settings, webhookSignatureFormat: 'v1a,{signature}' },
		headers: { ...STANDARD_WEBHOOKS.headers, 'webhook-signature': 'v1,bm9pc2U= v1a,SIGNATURE' },
		...{ sentAt: STANDARD_WEBHOOKS.sentAt, body: STANDARD_WEBHOOKS.body, text: STANDARD_WEBHOOKS.text },
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

/** What the credential takes for a sender, and how the sender signs. */
interface Key {
	given: string;
	sign: (text: string) => string;
}

/** Each with a key of the sender and one of a stranger. */
const KEY_PAIRS = {
	rsa: [openSslKeys('rsa2048'), openSslKeys('rsa2048')],
	ec: [openSslKeys('p256'), openSslKeys('p256')],
	ed25519: [openSslKeys('ed25519'), openSslKeys('ed25519')],
};

function keysOf({ key, hmac, secret = 'fake-secret' }: Row): Key[] {
	if (key !== undefined) {
		return KEY_PAIRS[key].map(({ privateKey, publicKey }) => ({
			given: publicKey,
			sign: (text) => openSslSign(text, privateKey, key).toString('base64'),
		}));
	}
	return [secret, 'b3RoZXI='].map((given) => {
		const encoded = hmac?.secretEncoding === 'base64' ? given.replace('whsec_', '') : given;
		return { given, sign: (text) => openSsl(text, encoded, hmac) };
	});
}

const customOf = (row: Row): Row & { chosen: VerificationSettings } => ({
	...row,
	chosen: {
		webhookStyle: 'custom',
		webhookVerification: row.key === undefined ? 'hmac' : 'publicKey',
		webhookHeader: SETTINGS.webhookHeader.default,
		...row.settings,
	},
});
const CASES = [
	...STYLED.map((row) => ({ ...row, chosen: { webhookStyle: row.style } as VerificationSettings })),
	...STYLED.map(customOf),
	...CUSTOM.map(customOf),
];

describe.each(CASES)('$name, Webhook Style $chosen.webhookStyle', ({ chosen, ...row }) => {
	const { sentAt, body = BODY, text } = row;
	const [key, stranger] = keysOf(row) as [Key, Key];
	const signature = key.sign(text);
	const wrong = key.sign('other');
	const headersWith = (signed: string): Record<string, string | string[]> => {
		const fill = (value: string) => value.replace('SIGNATURE', signed);
		return Object.fromEntries(
			Object.entries(row.headers).map(([name, value]) => [
				name,
				typeof value === 'string' ? fill(value) : value.map(fill),
			]),
		);
	};
	const headers = headersWith(signature);

	const passes = (
		change: { current?: Key; previous?: Key; headers?: object; body?: string; now?: number } = {},
	) => {
		const [current, previous] = [change.current ?? key, change.previous];
		const keys: VerificationSettings =
			row.key === undefined
				? { webhookSecret: current.given, webhookPreviousSecret: previous?.given }
				: { webhookPublicKey: current.given, webhookPreviousPublicKey: previous?.given };
		const delivery = { headers: { ...(change.headers ?? headers) }, body: Buffer.from(change.body ?? body) };
		return verifyDelivery({ ...chosen, ...keys }, delivery, change.now ?? sentAt ?? 0).ok;
	};

	test('a delivery of this style passes, and a changed one is refused', () => {
		expect(row.published ?? signature).toBe(signature);
		expect(passes()).toBe(true);
		expect(passes({ body: `${body} ` })).toBe(false);
		expect(passes({ headers: headersWith(wrong) })).toBe(false);
		expect(passes({ headers: headersWith(stranger.sign(text)) })).toBe(false);
		for (const [name, value] of Object.entries(headers)) {
			const { [name]: _, ...others } = headers;
			expect(passes({ headers: others })).toBe(false);
			expect(passes({ headers: { ...others, [name]: `${[value].flat().join()}9` } })).toBe(false);
		}
	});

	test('a signature without what stands beside it in the header is refused', () => {
		const [[name, form] = ['', '']] = Object.entries(row.headers);
		const isAlone = [form].flat().includes('SIGNATURE');
		expect(passes({ headers: { ...headers, [name]: signature } })).toBe(isAlone);
	});

	test('a delivery signed with the current or the previous secret or key passes', () => {
		expect(passes({ previous: stranger })).toBe(true);
		expect(passes({ current: stranger, previous: key })).toBe(true);
		expect(passes({ current: stranger })).toBe(false);
		expect(passes({ current: stranger, previous: stranger })).toBe(false);
	});

	test('a signed time may be 300 seconds away, before or after', () => {
		const at = (seconds: number) => ({ now: (sentAt ?? 0) + seconds * 1000 });
		for (const seconds of [-300, 300]) expect(passes(at(seconds))).toBe(true);
		for (const seconds of [-301, 301]) expect(passes(at(seconds))).toBe(sentAt === undefined);
	});
});
