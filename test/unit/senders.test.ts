/** Deliveries of known senders pass with their style, or with the custom settings that the documentation names. */
import { readFileSync } from 'node:fs';
import type { VerificationSettings } from '../../api/signature/settings.ts';
import { WEBHOOK_STYLES } from '../../api/signature/styles.ts';
import { describeSettings } from '../fixtures/schemes/describeSettings.ts';
import { BODY, CUSTOM_SENDERS, SENDERS, SENT_AT } from '../fixtures/schemes/senders.ts';
import type { Sender } from '../fixtures/schemes/senders.ts';
import { openSsl, openSslKeys, openSslSign } from './openSsl.ts';
import { verifyDelivery } from './trySettings.ts';

/** What the credential takes for a sender, and how the sender signs. */
interface Key {
	given: string;
	sign: (text: string) => string;
}

/** Each with a key of the sender and one of a stranger. To make an RSA key takes long, so senders share them. */
const rsa = [openSslKeys('rsa2048'), openSslKeys('rsa2048')] as const;
const KEY_PAIRS = {
	ecdsaP256: [openSslKeys('p256'), openSslKeys('p256')],
	ed25519: [openSslKeys('ed25519'), openSslKeys('ed25519')],
	...{ rsaSha256: rsa, rsaSha512: rsa, rsaPssSha256: rsa },
} as const;

function publicKeysOf({ settings, publicKey: form = 'pem' }: Sender): Key[] {
	const { webhookPublicKeyAlgorithm: algorithm = 'rsaSha256' } = settings;
	return KEY_PAIRS[algorithm].map(({ privateKey, publicKey: pem, der }) => {
		const bare = der.subarray(-32).toString('base64');
		return {
			given: { pem, der: der.toString('base64'), bare, whpk: `whpk_${bare}` }[form],
			sign: (text) => openSslSign(text, privateKey, algorithm).toString('base64'),
		};
	});
}

function secretsOf({ settings, secret = 'fake-secret' }: Sender): Key[] {
	const { webhookAlgorithm: algorithm, webhookSignatureEncoding, webhookSecretEncoding } = settings;
	const isBase64 = webhookSecretEncoding === 'base64';
	const encoding = webhookSignatureEncoding as 'hex' | 'base64' | undefined;
	return [secret, 'b3RoZXI='].map((given) => {
		const options = { algorithm, encoding, secretEncoding: isBase64 ? 'base64' : 'utf8' } as const;
		return { given, sign: (text) => openSsl(text, isBase64 ? given.replace('whsec_', '') : given, options) };
	});
}

/** Each sender by custom settings and, if it has one, by its style. */
const CASES = SENDERS.flatMap((row) => [
	{ ...row, chosen: { webhookStyle: 'custom', webhookVerification: 'hmac', ...row.settings } as const },
	...(row.style === undefined ? [] : [{ ...row, chosen: { webhookStyle: row.style } }]),
]);

test('every style has a sender', () => {
	expect(SENDERS.flatMap(({ style = [] }) => style).sort()).toEqual(Object.keys(WEBHOOK_STYLES).sort());
});

describe.each(CASES)('$sender, style $chosen.webhookStyle', ({ chosen, ...row }) => {
	const { settings, header, id = '', time = '', sentAt = SENT_AT, body = BODY, text, published } = row;
	const [key, stranger] = (row.publicKey === undefined ? secretsOf(row) : publicKeysOf(row)) as [Key, Key];
	const signature = key.sign(text);
	const wrong = key.sign('other');

	const headersWith = (signed: string): Record<string, string | string[]> => {
		const fill = (value: string) => value.replace('WRONG', wrong).replace('SIGNATURE', signed);
		const { webhookHeader = 'x-svc-signature', webhookTimestampHeader, webhookIdHeader } = settings;
		return {
			[webhookHeader]: typeof header === 'string' ? fill(header) : header.map(fill),
			...(webhookTimestampHeader && { [webhookTimestampHeader]: time }),
			...(webhookIdHeader && { [webhookIdHeader]: id }),
		};
	};
	const headers = headersWith(signature);

	interface Change {
		current?: Key;
		previous?: Key;
		headers?: Record<string, string | string[]>;
		body?: string;
		now?: number;
	}
	const passes = (change: Change = {}) => {
		const [current, previous] = [change.current ?? key, change.previous];
		const keys: VerificationSettings =
			row.publicKey === undefined
				? { webhookSecret: current.given, webhookPreviousSecret: previous?.given }
				: { webhookPublicKey: current.given, webhookPreviousPublicKey: previous?.given };
		const delivery = { headers: change.headers ?? headers, body: Buffer.from(change.body ?? body) };
		return verifyDelivery({ ...chosen, ...keys }, delivery, change.now ?? sentAt).ok;
	};

	test('a delivery of this sender passes, and a changed one is refused', () => {
		if (published !== undefined) expect(signature).toBe(published);
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

	test('a delivery signed with the current or the previous secret or key passes', () => {
		expect(passes({ previous: stranger })).toBe(true);
		expect(passes({ current: stranger, previous: key })).toBe(true);
		expect(passes({ current: stranger })).toBe(false);
		expect(passes({ current: stranger, previous: stranger })).toBe(false);
	});

	test('a signed time may be 300 seconds away, before or after', () => {
		const isTimed = settings.webhookPayload?.includes('{timestamp}') === true;
		for (const seconds of [-300, 300]) expect(passes({ now: sentAt + seconds * 1000 })).toBe(true);
		for (const seconds of [-301, 301]) expect(passes({ now: sentAt + seconds * 1000 })).toBe(!isTimed);
	});
});

const shown = readFileSync('docs/verify-webhooks.md', 'utf8').split('\n');

test.each(SENDERS.filter(({ style }) => style !== undefined))(
	'docs/verify-webhooks.md names the settings that the style of $sender stands for',
	({ sender, settings }) => {
		const line = shown.find((candidate) => candidate.startsWith(`| ${sender}`));
		for (const value of Object.values(settings)) expect(line).toContain(`\`${value}\``);
	},
);

test('docs/verify-webhooks.md shows the custom settings of the other senders', () => {
	const start = shown.indexOf('| Sender | What to set |') + 2;
	expect(shown.slice(start, shown.indexOf('', start))).toEqual(
		CUSTOM_SENDERS.map(({ sender, source, settings, note }) => {
			const linked = source === undefined ? sender : `[${sender}](${source})`;
			return `| ${linked} | ${describeSettings(settings)}${note === undefined ? '' : `. ${note}`} |`;
		}),
	);
});
