/** A public key verifies what openssl or an RFC signed with its private key, and a key that protects nothing is refused. */
import { execFileSync } from 'node:child_process';
import { sign } from 'node:crypto';
import type { VerificationSettings } from '../../api/signature/settings.ts';
import { openSslKeys, openSslSign } from './openSsl.ts';
import { BODY, expectRefused, MISMATCH, reasonFor } from './trySettings.ts';

const KEYS = { rsa: openSslKeys('rsa2048'), ec: openSslKeys('p256'), ed25519: openSslKeys('ed25519') };
type Algorithm = keyof typeof KEYS;

const settingsOf = (webhookPublicKey: string, webhookPreviousPublicKey = ''): VerificationSettings => ({
	webhookVerification: 'publicKey',
	webhookHeader: 'x-svc-signature',
	webhookPublicKey,
	webhookPreviousPublicKey,
});
const RSA_SETTINGS = settingsOf(KEYS.rsa.publicKey);
const EC_SETTINGS = settingsOf(KEYS.ec.publicKey);
const signedBy = (algorithm: Algorithm, text = BODY) =>
	openSslSign(text, KEYS[algorithm].privateKey, algorithm).toString('base64');

/** PEM of the bytes of a key in hex, after what makes them DER (RFC 5480, RFC 8410). */
const pemOf = (hex: string) => {
	const base64 = Buffer.from(hex, 'hex').toString('base64');
	return `-----BEGIN PUBLIC KEY-----\n${base64}\n-----END PUBLIC KEY-----\n`;
};

/** The RSA key with 1 in place of 65537, which makes each length two bytes less. */
const RSA_WITH_ONE = KEYS.rsa.der
	.toString('hex')
	.replace(/^30820122/, '30820120')
	.replace('0382010f003082010a', '0382010d0030820108')
	.replace(/0203010001$/, '020101');

describe.each(Object.keys(KEYS) as Algorithm[])('%s', (algorithm) => {
	const { publicKey } = KEYS[algorithm];
	const settings = settingsOf(publicKey);
	const base64 = signedBy(algorithm);
	const signature = Buffer.from(base64, 'base64');

	test('a delivery that openssl signed passes, in each encoding, and with the key on one line', () => {
		const hex = signature.toString('hex');
		const bare = base64.replace(/=+$/, '');
		for (const header of [hex, hex.toUpperCase(), base64, bare, signature.toString('base64url')]) {
			expect(reasonFor(settings, header)).toBe('ok');
			expect(reasonFor(settings, header, `${BODY} `)).toBe(MISMATCH);
		}
		for (const key of [publicKey.replaceAll('\n', ' '), `\n${publicKey}\n`])
			expect(reasonFor(settingsOf(key), base64)).toBe('ok');
	});

	test('a changed signature does not pass, nor one with text behind it, nor with another key', () => {
		for (const at of [0, 5, signature.length - 1]) {
			const changed = Buffer.from(signature);
			changed[at]! ^= 1;
			expect(reasonFor(settings, changed.toString('base64'))).toBe(MISMATCH);
		}
		const hex = signature.toString('hex');
		const others = ['', 'a', hex.slice(2), '0'.repeat(88), Buffer.alloc(64).toString('base64')];
		const longer = ['zz', '0', '=', '-'].map((rest) => hex + rest);
		const longerBase64 = ['==A', '!', '===='].map((rest) => base64 + rest);
		for (const other of [...others, ...longer, ...longerBase64])
			expect(reasonFor(settings, other)).not.toBe('ok');
		for (const { publicKey: other } of Object.values(KEYS).filter((keys) => keys.publicKey !== publicKey))
			expect(reasonFor(settingsOf(other), base64)).toBe(MISMATCH);
	});
});

test('an ECDSA signature whose numbers are small, and so short in DER, passes', () => {
	const signature = Array.from({ length: 20_000 }, () =>
		sign('sha256', Buffer.from(BODY), KEYS.ec.privateKey),
	);
	const shortest = signature.reduce((one, other) => (other.length < one.length ? other : one));
	expect(shortest.length).toBeLessThan(70);
	expect(reasonFor(EC_SETTINGS, shortest.toString('base64'))).toBe('ok');
});

test('an RSA key passes as PKCS#1, which is what stands behind the 24 bytes of its algorithm', () => {
	const base64 = KEYS.rsa.der.subarray(24).toString('base64');
	const settings = settingsOf(`-----BEGIN RSA PUBLIC KEY-----\n${base64}\n-----END RSA PUBLIC KEY-----`);
	expect(reasonFor(settings, signedBy('rsa'))).toBe('ok');
	expect(reasonFor(settings, signedBy('rsa', 'other'))).toBe(MISMATCH);
});

test('the example of RFC 6979 for ECDSA P-256 passes, with both forms of the key and of the signature', () => {
	const x = '60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6';
	const y = '7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299';
	const r = 'EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716';
	const s = 'F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8';
	const curve = '301306072a8648ce3d020106082a8648ce3d030107';
	for (const key of [`3059${curve}03420004${x}${y}`, `3039${curve}03220003${x}`]) {
		const settings = settingsOf(pemOf(key));
		expect(reasonFor(settings, `${r}${s}`, 'sample')).toBe('ok');
		expect(reasonFor(settings, `3046022100${r}022100${s}`, 'sample')).toBe('ok');
		expect(reasonFor(settings, `${s}${r}`, 'sample')).toBe(MISMATCH);
	}
});

/** What stands between the first and the last line of PEM. */
const bodyOf = (pem: string) => pem.trim().split('\n').slice(1, -1).join('\n');
const privateRsa = execFileSync('openssl', ['pkey', '-traditional'], {
	input: KEYS.rsa.privateKey,
}).toString();

describe('keys as services hand them out', () => {
	const point = KEYS.ed25519.der.subarray(-32);
	const pkcs1 = KEYS.rsa.der.subarray(24);

	test.each<[form: string, algorithm: Algorithm, key: string]>([
		['base64 of RSA', 'rsa', KEYS.rsa.der.toString('base64')],
		['base64 of RSA in lines', 'rsa', bodyOf(KEYS.rsa.publicKey)],
		['base64 of RSA as PKCS#1', 'rsa', pkcs1.toString('base64')],
		['base64 of P-256', 'ec', KEYS.ec.der.toString('base64')],
		['base64url of P-256 without padding', 'ec', KEYS.ec.der.toString('base64url')],
		['hex of P-256', 'ec', KEYS.ec.der.toString('hex')],
		['base64 of Ed25519', 'ed25519', KEYS.ed25519.der.toString('base64')],
		['32 bytes in base64', 'ed25519', point.toString('base64')],
		['32 bytes in hex', 'ed25519', point.toString('hex')],
		['32 bytes in hex, with capitals', 'ed25519', point.toString('hex').toUpperCase()],
		['32 bytes as Standard Webhooks writes them', 'ed25519', `whpk_${point.toString('base64')}`],
	])('%s', (_, algorithm, key) => {
		expect(reasonFor(settingsOf(key), signedBy(algorithm))).toBe('ok');
		expect(reasonFor(settingsOf(key), signedBy(algorithm, 'other'))).toBe(MISMATCH);
	});

	// All points of small order, as libsodium lists them, and one with a sign. With 01, OpenSSL 3.0 takes the signature of anyone.
	const SMALL = [
		'00'.repeat(32),
		`01${'00'.repeat(31)}`,
		`01${'00'.repeat(30)}80`,
		...['ec', 'ed', 'ee'].map((first) => `${first}${'ff'.repeat(30)}7f`),
		'26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
		'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
	];
	test.each(SMALL)('the point %s, with which anyone could sign, is too weak', (hex) => {
		const pem = pemOf(`302a300506032b6570032100${hex}`);
		for (const key of [hex, Buffer.from(hex, 'hex').toString('base64'), pem])
			expectRefused(settingsOf(key), 'Webhook Public Key is too weak');
	});
});

test('two signatures with a possible form are tried, a third is not', () => {
	const [signature, other] = [signedBy('ec'), signedBy('ec', 'other')];
	// Neither 64 bytes nor two numbers in DER.
	const impossible = ['', 'AAAA', 'MAYCAQECAQ==', '31050000000000', Buffer.alloc(71).toString('base64')];
	expect(reasonFor(EC_SETTINGS, [...impossible, other, signature].join())).toBe('ok');
	// Two numbers in DER are no signature of RSA.
	const numbers = 'MAYCAQECAQE=';
	expect(reasonFor(RSA_SETTINGS, [numbers, numbers, signedBy('rsa')].join())).toBe('ok');
	expect(reasonFor(EC_SETTINGS, [other, other, signature].join())).toBe(MISMATCH);
});

test('while the sender changes its key, its signature may be made with the previous key, also of another type', () => {
	const stranger = openSslKeys('p256');
	const both = [openSslSign(BODY, stranger.privateKey, 'ec').toString('base64'), signedBy('ec')].join();
	const next = openSslKeys('p256').publicKey;
	expect(reasonFor(settingsOf(next, KEYS.ec.publicKey), both)).toBe('ok');
	expect(reasonFor(settingsOf(next), both)).toBe(MISMATCH);
	for (const algorithm of ['ec', 'ed25519'] as const)
		expect(reasonFor(settingsOf(KEYS.ed25519.publicKey, KEYS.ec.publicKey), signedBy(algorithm))).toBe('ok');
});

test.each([
	['words', 'no key'],
	['a private key', KEYS.rsa.privateKey],
	['a key whose bytes are cut short', pemOf(KEYS.rsa.der.subarray(0, 100).toString('hex'))],
	['a certificate', KEYS.rsa.publicKey.replaceAll('PUBLIC KEY', 'CERTIFICATE')],
	['base64 of PEM', Buffer.from(KEYS.ec.publicKey).toString('base64')],
	['a private key without its frame', bodyOf(KEYS.rsa.privateKey)],
	['a private RSA key without its frame', bodyOf(privateRsa)],
	['33 bytes', Buffer.alloc(33, 7).toString('hex')],
	['an OpenSSH key', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA'],
])('%s is not a public key', (_, webhookPublicKey) => {
	const message =
		'Webhook Public Key is not a public key as PEM, base64 or hex. Paste the whole key as the service shows it';
	expectRefused(settingsOf(webhookPublicKey), message);
});

const OTHER_KIND = 'Webhook Public Key is not a key for RSA, ECDSA P-256 or Ed25519';

test.each<[key: string, settings: VerificationSettings, message: string]>([
	['nothing', settingsOf(''), 'Webhook Public Key is empty'],
	['only a previous one', settingsOf('', KEYS.rsa.publicKey), 'Webhook Public Key is empty'],
	['an RSA key of 1024 bits', settingsOf(openSslKeys('rsa1024').publicKey), 'is too weak'],
	['an RSA key with the exponent 1', settingsOf(pemOf(RSA_WITH_ONE)), 'is too weak'],
	['P-384', settingsOf(openSslKeys('p384').publicKey), OTHER_KIND],
	['an RSA key for PSS only', settingsOf(openSslKeys('pss').publicKey), OTHER_KIND],
	['P-384 before', settingsOf(KEYS.ec.publicKey, openSslKeys('p384').publicKey), `Previous ${OTHER_KIND}`],
	['one without a signed body', { ...RSA_SETTINGS, webhookPayload: 'body' }, 'does not contain {body}'],
])('as a public key, %s is refused', (_, settings, message) => expectRefused(settings, message));
