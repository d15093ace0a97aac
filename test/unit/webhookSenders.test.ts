/** The tables of senders whose deliveries the credential verifies, and of those whose deliveries it cannot verify. */
import { readFileSync } from 'node:fs';
import type { VerificationSettings } from '../../api/signature/settings.ts';
import { compileVerifier } from '../../api/signature/verifier.ts';
import { describeSettings } from '../fixtures/schemes/describeSettings.ts';
import { BODY, OTHER_SENDERS, WEBHOOK_SENDERS } from '../fixtures/schemes/webhookSchemes.ts';
import type { WebhookSender } from '../fixtures/schemes/webhookSchemes.ts';
import { openSsl, openSslKeys, openSslPublicKey, openSslSign } from './openSsl.ts';
import { verifyDelivery } from './trySettings.ts';

interface Keys {
	settings: Partial<VerificationSettings>;
	sign: (text: string) => string;
}

/** Making an RSA key takes a quarter of a second, so the senders with the same kind of key share two. */
const keyPairs = new Map<string, ReturnType<typeof openSslKeys>>();

function keyPair(make: string[], owner: 'sender' | 'stranger') {
	const id = [owner, ...make].join(' ');
	const pair = keyPairs.get(id) ?? openSslKeys('genpkey', ...make);
	keyPairs.set(id, pair);
	return pair;
}

function makeKeys({ publicKey, settings }: WebhookSender, owner: 'sender' | 'stranger'): Keys {
	if (publicKey === undefined) {
		const webhookSecret = `fake-${owner}`;
		const { webhookAlgorithm: algorithm = 'sha256', webhookSignatureEncoding: encoding = 'hex' } = settings;
		const options = { algorithm, encoding: encoding as 'hex' | 'base64' };
		return { settings: { webhookSecret }, sign: (text) => openSsl(text, webhookSecret, options) };
	}
	const { privateKey, publicKey: pem } = keyPair(publicKey.make, owner);
	const der = openSslPublicKey(privateKey, '-outform', 'DER');
	// The bare bytes of an Ed25519 key are the last 32 of the DER form (RFC 8410).
	const bare = der.subarray(-32).toString('base64');
	const forms = { pem, der: der.toString('base64'), bare, whpk: `whpk_${bare}` };
	return {
		settings: { webhookPublicKey: forms[publicKey.given] },
		sign: (text) => openSslSign(text, privateKey, ...publicKey.sign).toString('base64'),
	};
}

describe.each(WEBHOOK_SENDERS)('$sender', (row) => {
	const keys = makeKeys(row, 'sender');
	const settings: VerificationSettings = {
		...{ webhookStyle: 'custom', webhookVerification: 'hmac', webhookHeader: 'x-svc-signature' },
		...row.settings,
		...keys.settings,
	};
	const wrong = keys.sign('other');
	const sign = ({ text, from = keys }: { text: string; from?: Keys }) => {
		const fill = (value: string) => value.replace('WRONG', wrong).replace('SIGNATURE', from.sign(text));
		return Object.fromEntries(
			Object.entries(row.headers).map(([name, value]) => [
				name,
				Array.isArray(value) ? value.map(fill) : fill(value),
			]),
		);
	};
	const passes = (headers: Record<string, string | string[]>, body = BODY, now = row.sentAt ?? 0) =>
		verifyDelivery(settings, { headers, body: Buffer.from(body) }, now).ok;
	const headers = sign(row);

	test('a delivery that openssl signed passes, and a changed one is refused', () => {
		expect(() => compileVerifier(settings)).not.toThrow();
		expect(passes(headers)).toBe(true);
		expect(passes(headers, `${BODY} `)).toBe(false);
		expect(passes(sign({ text: 'other' }))).toBe(false);
		expect(passes(sign({ text: row.text, from: makeKeys(row, 'stranger') }))).toBe(false);
		for (const name of Object.keys(headers)) {
			const { [name]: value, ...others } = headers;
			expect(passes(others)).toBe(false);
			if (typeof value === 'string')
				expect(passes({ ...others, [name]: value.replace('17698', '17699') })).toBe(!value.includes('17698'));
		}
	});

	test('a signed time may be 300 seconds away, and no more', () => {
		const { sentAt = 0 } = row;
		expect(passes(headers, BODY, sentAt + 299_000)).toBe(true);
		expect(passes(headers, BODY, sentAt + 302_000)).toBe(row.sentAt === undefined);
	});
});

test('docs/verify-webhooks.md shows both tables', () => {
	const shown = readFileSync('docs/verify-webhooks.md', 'utf8').split('\n');
	const linked = ({ sender, source }: { sender: string; source?: string }) =>
		source === undefined ? sender : `[${sender}](${source})`;
	/** The rows below a table's head. */
	const table = (head: string) => {
		const start = shown.indexOf(head) + 2;
		return shown.slice(start, shown.indexOf('', start));
	};
	expect(table('| Sender | What to set |')).toEqual(
		WEBHOOK_SENDERS.map(({ note, ...row }) => {
			const settings = describeSettings(row.settings);
			return `| ${linked(row)} | ${settings}${note === undefined ? '' : `. ${note}`} |`;
		}),
	);
	expect(table('| Sender | Why |')).toEqual(
		OTHER_SENDERS.map((row) => `| ${linked(row)} | ${row.because} |`),
	);
});
