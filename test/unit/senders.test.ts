/** Deliveries of known senders pass with their style, and with the custom settings that the documentation names. */
import { readFileSync } from 'node:fs';
import type { VerificationSettings } from '../../api/signature/settings.ts';
import { WEBHOOK_STYLES } from '../../api/signature/styles.ts';
import { settingsIn, tableBelow } from '../fixtures/schemes/documentedSettings.ts';
import { BODY, CUSTOM_SENDERS, STYLED_SENDERS } from '../fixtures/schemes/senders.ts';
import type { Sender } from '../fixtures/schemes/senders.ts';
import { openSsl, openSslKeys, openSslSign } from './openSsl.ts';
import { verifyDelivery } from './trySettings.ts';

const DOCUMENT = 'docs/verify-webhooks.md';

/** The custom settings by the sender's name in the document. */
const DOCUMENTED = new Map(
	tableBelow('| Sender | What to set |', DOCUMENT).map(([sender = '', words = '']) => {
		const settings: VerificationSettings = settingsIn(words, 'Webhook');
		return [/^\[(.+)\]\(https:.+\)$/.exec(sender)?.[1] ?? sender, settings] as const;
	}),
);

test('docs/verify-webhooks.md names these senders', () => {
	expect([...DOCUMENTED.keys()]).toEqual(CUSTOM_SENDERS.map(({ sender }) => sender));
});

test.each(STYLED_SENDERS)(
	'docs/verify-webhooks.md names the settings that the style of $sender stands for',
	({ sender, settings }) => {
		const lines = readFileSync(DOCUMENT, 'utf8').split('\n');
		const line = lines.find((candidate) => candidate.startsWith(`| ${sender}`));
		for (const value of Object.values(settings)) expect(line).toContain(`\`${value}\``);
	},
);

test('every style is tested with a sender', () => {
	expect(STYLED_SENDERS.map(({ style }) => style).sort()).toEqual(Object.keys(WEBHOOK_STYLES).sort());
});

/** What the credential takes for a sender, and how the sender signs. */
interface Key {
	given: string;
	sign: (text: string) => string;
}

/** Each with a key of the sender and one of a stranger. To make an RSA key takes long, so senders share them. */
const rsa = [openSslKeys('rsa2048'), openSslKeys('rsa2048')];
const KEY_PAIRS = {
	ecdsaP256: [openSslKeys('p256'), openSslKeys('p256')],
	ed25519: [openSslKeys('ed25519'), openSslKeys('ed25519')],
	...{ rsaSha256: rsa, rsaSha512: rsa, rsaPssSha256: rsa },
};

function keysOf({ publicKey, hmac, secret = 'fake-secret' }: Sender): Key[] {
	if (publicKey === undefined) {
		return [secret, 'b3RoZXI='].map((given) => {
			const encoded = hmac?.secretEncoding === 'base64' ? given.replace('whsec_', '') : given;
			return { given, sign: (text) => openSsl(text, encoded, hmac) };
		});
	}
	const [algorithm, form] = publicKey;
	return KEY_PAIRS[algorithm].map(({ privateKey, publicKey: pem, der }) => {
		const bare = der.subarray(-32).toString('base64');
		return {
			given: { pem, der: der.toString('base64'), bare, whpk: `whpk_${bare}` }[form],
			sign: (text) => openSslSign(text, privateKey, algorithm).toString('base64'),
		};
	});
}

const customOf = (
	row: Sender,
	settings?: VerificationSettings,
): Sender & { chosen: VerificationSettings } => ({
	...row,
	chosen: {
		webhookStyle: 'custom',
		webhookVerification: row.publicKey === undefined ? 'hmac' : 'publicKey',
		...settings,
	},
});
const CASES = [
	...STYLED_SENDERS.map((row) => ({ ...row, chosen: { webhookStyle: row.style } })),
	...STYLED_SENDERS.map((row) => customOf(row, row.settings)),
	...CUSTOM_SENDERS.map((row) => customOf(row, DOCUMENTED.get(row.sender))),
];

describe.each(CASES)('$sender, Webhook Style $chosen.webhookStyle', ({ chosen, ...row }) => {
	const { sentAt, body = BODY, text = BODY } = row;
	const [key, stranger] = keysOf(row) as [Key, Key];
	const signature = key.sign(text);
	const wrong = key.sign('other');
	const headersWith = (signed: string): Record<string, string | string[]> => {
		const fill = (value: string) => value.replace('WRONG', wrong).replace('SIGNATURE', signed);
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
			row.publicKey === undefined
				? { webhookSecret: current.given, webhookPreviousSecret: previous?.given }
				: { webhookPublicKey: current.given, webhookPreviousPublicKey: previous?.given };
		const delivery = { headers: { ...(change.headers ?? headers) }, body: Buffer.from(change.body ?? body) };
		return verifyDelivery({ ...chosen, ...keys }, delivery, change.now ?? sentAt ?? 0).ok;
	};

	test('a delivery of this sender passes, and a changed one is refused', () => {
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
