/** A public key verifies what openssl or an RFC signed with its private key, and a key that protects nothing is refused. */
import type { VerificationSettings } from '../../api/signature/settings.ts';
import { openSslKeys, openSslSign } from './openSsl.ts';
import { BODY, expectRefused, MISMATCH, reasonFor } from './trySettings.ts';

const RSA = openSslKeys('rsa2048');
const EC = openSslKeys('p256');
const ED = openSslKeys('ed25519');

const settingsOf = (webhookPublicKey: string): VerificationSettings => ({
	...{ webhookVerification: 'publicKey', webhookHeader: 'x-svc-signature', webhookPublicKey },
});
const EC_SETTINGS = settingsOf(EC.publicKey);
const signedByEc = (text: string) => openSslSign(text, EC.privateKey, 'ec');

/** PEM of the bytes of a key in hex, after what makes them DER (RFC 5480, RFC 8410). */
const pemOf = (hex: string) => {
	const base64 = Buffer.from(hex, 'hex').toString('base64');
	return `-----BEGIN PUBLIC KEY-----\n${base64}\n-----END PUBLIC KEY-----\n`;
};
const ED_PREFIX = '302a300506032b6570032100';

/** The RSA key with 1 in place of 65537, which makes each length two bytes less. */
const RSA_WITH_ONE = RSA.der
	.toString('hex')
	.replace(/^30820122/, '30820120')
	.replace('0382010f003082010a', '0382010d0030820108')
	.replace(/0203010001$/, '020101');

const SCHEMES = [
	['RSA PKCS#1 v1.5 with SHA-256', 'rsa', RSA],
	['ECDSA P-256 with SHA-256', 'ec', EC],
	['Ed25519', 'ed25519', ED],
] as const;

describe.each(SCHEMES)('%s', (_, algorithm, { privateKey, publicKey, der }) => {
	const settings = settingsOf(publicKey);
	const signature = openSslSign(BODY, privateKey, algorithm);

	test('a delivery that openssl signed passes, in each encoding', () => {
		const hex = signature.toString('hex');
		const base64 = signature.toString('base64');
		const url = signature.toString('base64url');
		for (const header of [hex, hex.toUpperCase(), base64, base64.replace(/=+$/, ''), url]) {
			expect(reasonFor(settings, header)).toBe('ok');
			expect(reasonFor(settings, header, `${BODY} `)).toBe(MISMATCH);
		}
	});

	test('a changed signature does not pass', () => {
		for (const at of [0, 5, signature.length - 1]) {
			const changed = Buffer.from(signature);
			changed[at]! ^= 1;
			expect(reasonFor(settings, changed.toString('base64'))).toBe(MISMATCH);
		}
		const zeros = Buffer.alloc(64).toString('base64');
		for (const other of ['', 'a', signature.toString('hex').slice(2), '0'.repeat(88), zeros]) {
			expect(reasonFor(settings, other)).not.toBe('ok');
		}
	});

	test('with another key the signature does not pass', () => {
		for (const [, , keys] of SCHEMES.filter(([, other]) => other !== algorithm)) {
			expect(reasonFor(settingsOf(keys.publicKey), signature.toString('base64'))).toBe(MISMATCH);
		}
	});

	test('the key may be PEM on one line, or with spaces around it', () => {
		for (const text of [publicKey.replaceAll('\n', ' '), `\n${publicKey}\n`]) {
			expect(reasonFor(settingsOf(text), signature.toString('base64'))).toBe('ok');
		}
	});

	test('as hex, as base64 or as base64 of PEM the key is refused', () => {
		for (const text of [
			der.toString('hex'),
			der.toString('base64'),
			Buffer.from(publicKey).toString('base64'),
		]) {
			expectRefused(settingsOf(text), 'Webhook Public Key is not a public key as PEM');
		}
	});
});

test('what an RSA or EC key signed with another hash or padding does not pass', () => {
	for (const algorithm of ['rsaSha512', 'rsaPss'] as const) {
		const signature = openSslSign(BODY, RSA.privateKey, algorithm).toString('base64');
		expect(reasonFor(settingsOf(RSA.publicKey), signature)).toBe(MISMATCH);
	}
	const signature = openSslSign(BODY, EC.privateKey, 'ecSha512').toString('base64');
	expect(reasonFor(EC_SETTINGS, signature)).toBe(MISMATCH);
});

test('the example of RFC 8032 for Ed25519 passes', () => {
	const settings = settingsOf(
		pemOf(`${ED_PREFIX}3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c`),
	);
	const signature =
		'92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00';
	expect(reasonFor(settings, signature, Buffer.from([0x72]))).toBe('ok');
	expect(reasonFor(settings, signature, Buffer.from([0x73]))).toBe(MISMATCH);
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

test('a signature with text behind it does not pass', () => {
	const signature = signedByEc(BODY);
	for (const rest of ['zz', '0', '=', '-']) {
		expect(reasonFor(EC_SETTINGS, signature.toString('hex') + rest)).not.toBe('ok');
	}
	for (const rest of ['==A', '!', '====']) {
		expect(reasonFor(EC_SETTINGS, signature.toString('base64') + rest)).not.toBe('ok');
	}
});

test('two signatures with a possible form are tried, a third is not', () => {
	const signature = signedByEc(BODY).toString('base64');
	const other = signedByEc('other').toString('base64');
	// Neither 64 bytes nor two numbers in DER.
	const impossible = ['', 'AAAA', 'MAYCAQECAQ==', '31050000000000', Buffer.alloc(71).toString('base64')];
	expect(reasonFor(EC_SETTINGS, [...impossible, other, signature].join())).toBe('ok');
	expect(reasonFor(EC_SETTINGS, [other, other, signature].join())).toBe(MISMATCH);
});

test('while the sender changes its key, the second signature of a header may be made with the previous key', () => {
	const next = openSslKeys('p256');
	const both = [openSslSign(BODY, openSslKeys('p256').privateKey, 'ec'), signedByEc(BODY)];
	const header = both.map((signature) => signature.toString('base64')).join();
	const rotation = settingsOf(next.publicKey);
	expect(reasonFor({ ...rotation, webhookPreviousPublicKey: EC.publicKey }, header)).toBe('ok');
	expect(reasonFor({ ...rotation, webhookPreviousPublicKey: '' }, header)).toBe(MISMATCH);
	// The two may be of different types.
	const mixed = { ...settingsOf(ED.publicKey), webhookPreviousPublicKey: EC.publicKey };
	expect(reasonFor(mixed, signedByEc(BODY).toString('base64'))).toBe('ok');
	expect(reasonFor(mixed, openSslSign(BODY, ED.privateKey, 'ed25519').toString('base64'))).toBe('ok');
});

test.each([
	['words', 'no key'],
	['a private key', RSA.privateKey],
	['a key that is cut short', RSA.publicKey.slice(0, 200)],
	['a key whose bytes are cut short', pemOf(RSA.der.subarray(0, 100).toString('hex'))],
	['a certificate', RSA.publicKey.replaceAll('PUBLIC KEY', 'CERTIFICATE')],
	['JSON', '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS"}'],
	['a key in the form of SSH', `ssh-ed25519 ${ED.der.toString('base64')}`],
	['the bare bytes of a key', ED.der.subarray(-32).toString('hex')],
])('%s is not a public key', (_, webhookPublicKey) => {
	const message =
		'Webhook Public Key is not a public key as PEM. Paste the whole key, from -----BEGIN PUBLIC KEY----- on';
	expectRefused(settingsOf(webhookPublicKey), message);
});

test.each<[key: string, change: VerificationSettings, message: string]>([
	['nothing', { webhookPublicKey: '' }, 'Webhook Public Key is empty'],
	[
		'only a previous one',
		{ webhookPublicKey: '', webhookPreviousPublicKey: RSA.publicKey },
		'Webhook Public Key is empty',
	],
	['an RSA key of 1024 bits', { webhookPublicKey: openSslKeys('rsa1024').publicKey }, 'is too weak'],
	['an RSA key with the exponent 1', { webhookPublicKey: pemOf(RSA_WITH_ONE) }, 'is too weak'],
	...(['p384', 'secp256k1', 'pss'] as const).map((kind): [string, VerificationSettings, string] => [
		`a key of another kind (${kind})`,
		{ webhookPublicKey: openSslKeys(kind).publicKey },
		'Webhook Public Key is not a key for RSA, ECDSA P-256 or Ed25519',
	]),
	[
		'a previous key of another kind',
		{ webhookPreviousPublicKey: openSslKeys('p384').publicKey },
		'Previous Webhook Public Key is not a key for',
	],
	// For these, signatures can be made without a private key.
	...[
		...['00'.repeat(32), `01${'00'.repeat(31)}`, `01${'00'.repeat(30)}80`],
		'26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
		'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
		...['ec', 'ed', 'ee'].map((first) => `${first}${'ff'.repeat(30)}7f`),
	].map((key): [string, VerificationSettings, string] => [
		`the Ed25519 key ${key}`,
		{ webhookPublicKey: pemOf(ED_PREFIX + key) },
		'is too weak',
	]),
])('as a public key, %s is refused', (_, change, message) => {
	expectRefused({ ...settingsOf(RSA.publicKey), ...change }, message);
});

test('with a public key, too, the body has to be signed', () => {
	expectRefused({ ...EC_SETTINGS, webhookPayload: 'body' }, 'Webhook Payload does not contain {body}');
});
