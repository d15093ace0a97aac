/** A public key verifies what openssl or an RFC signed with its private key, and a key that protects nothing is refused. */
import type { VerificationSettings } from '../../api/signature/settings.ts';
import { signDelivery } from '../../api/signature/verifier.ts';
import { openSslKeys, openSslSign } from './openSsl.ts';
import { BODY, expectRefused, HMAC, MISMATCH, reasonFor } from './trySettings.ts';

const RSA = openSslKeys('rsa2048');
const EC = openSslKeys('p256');
const ED = openSslKeys('ed25519');
const PSS = openSslKeys('pssSha256');

const PUBLIC_KEY: VerificationSettings = {
	webhookVerification: 'publicKey',
	webhookHeader: 'x-svc-signature',
	webhookSignatureEncoding: 'base64',
};
const EC_SETTINGS: VerificationSettings = {
	...{ ...PUBLIC_KEY, webhookPublicKeyAlgorithm: 'ecdsaP256', webhookPublicKey: EC.publicKey },
};
const signedByEc = (text: string) => openSslSign(text, EC.privateKey, 'ecdsaP256');

const SCHEMES = [
	['RSA PKCS#1 v1.5 with SHA-256', 'rsaSha256', 'rsaSha256', RSA],
	['RSA PKCS#1 v1.5 with SHA-512', 'rsaSha512', 'rsaSha512', RSA],
	['RSA PSS with SHA-256 and a salt of 32 bytes', 'rsaPssSha256', 'rsaPssSha256', RSA],
	['RSA PSS with SHA-256 and the longest salt', 'rsaPssSha256', 'rsaPssSha256WithLongestSalt', RSA],
	['RSA PSS with SHA-256 and a key for PSS only', 'rsaPssSha256', 'rsaPssSha256', PSS],
	['ECDSA P-256', 'ecdsaP256', 'ecdsaP256', EC],
	['Ed25519', 'ed25519', 'ed25519', ED],
] as const;

describe.each(SCHEMES)('%s', (_, webhookPublicKeyAlgorithm, algorithm, { privateKey, publicKey, der }) => {
	const settings = { ...PUBLIC_KEY, webhookPublicKeyAlgorithm, webhookPublicKey: publicKey };
	const signature = openSslSign(BODY, privateKey, algorithm);

	test('a delivery that openssl signed passes, in each encoding', () => {
		for (const webhookSignatureEncoding of ['base64', 'base64url', 'hex'] as const) {
			const header = signature.toString(webhookSignatureEncoding);
			expect(reasonFor({ ...settings, webhookSignatureEncoding }, header)).toBe('ok');
			expect(reasonFor({ ...settings, webhookSignatureEncoding }, header, `${BODY} `)).toBe(MISMATCH);
		}
		const upper = { ...settings, webhookSignatureEncoding: 'hexUpper' } as const;
		expect(reasonFor(upper, signature.toString('hex').toUpperCase())).toBe('ok');
	});

	test('a changed signature does not pass', () => {
		for (const at of [0, 5, signature.length - 1]) {
			const changed = Buffer.from(signature);
			changed[at]! ^= 1;
			expect(reasonFor(settings, changed.toString('base64'))).toBe(MISMATCH);
		}
		for (const other of [
			'',
			'a',
			signature.toString('hex'),
			'0'.repeat(88),
			Buffer.alloc(64).toString('base64'),
		]) {
			expect(reasonFor(settings, other)).not.toBe('ok');
		}
	});

	test('with another algorithm the signature does not pass', () => {
		for (const [, other, , keys] of SCHEMES.filter(([, name]) => name !== webhookPublicKeyAlgorithm)) {
			const changed = { ...settings, webhookPublicKeyAlgorithm: other, webhookPublicKey: keys.publicKey };
			expect(reasonFor(changed, signature.toString('base64'))).toBe(MISMATCH);
		}
	});

	test('the key may be PEM on one line, DER in hex or base64, or PEM in base64', () => {
		for (const webhookPublicKey of [
			...[publicKey.replaceAll('\n', ' '), `\n${publicKey}\n`],
			...[der.toString('hex'), der.toString('base64'), Buffer.from(publicKey).toString('base64')],
		]) {
			expect(reasonFor({ ...settings, webhookPublicKey }, signature.toString('base64'))).toBe('ok');
		}
	});
});

test('a key for PSS only that names its hashes takes a salt as long as the hash, as OpenSSL 3.0 needs it', () => {
	const webhookPublicKeyAlgorithm = 'rsaPssSha256';
	const settings = { ...PUBLIC_KEY, webhookPublicKeyAlgorithm, webhookPublicKey: PSS.publicKey } as const;
	const signed = (algorithm: 'rsaPssSha256' | 'rsaPssSha256WithLongSalt') =>
		openSslSign(BODY, PSS.privateKey, algorithm).toString('base64');
	expect(reasonFor(settings, signed('rsaPssSha256'))).toBe('ok');
	expect(reasonFor(settings, signed('rsaPssSha256WithLongSalt'))).toBe(MISMATCH);
});

test('the example of RFC 8032 for Ed25519 passes', () => {
	const settings = {
		...PUBLIC_KEY,
		webhookPublicKeyAlgorithm: 'ed25519',
		webhookPublicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
		webhookSignatureEncoding: 'hex',
	} as const;
	const signature =
		'92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00';
	expect(reasonFor(settings, signature, Buffer.from([0x72]))).toBe('ok');
	expect(reasonFor(settings, signature, Buffer.from([0x73]))).toBe(MISMATCH);
});

test('the example of RFC 6979 for ECDSA P-256 passes, with the bare key and both forms of the signature', () => {
	const x = '60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6';
	const y = '7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299';
	const r = 'EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716';
	const s = 'F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8';
	for (const webhookPublicKey of [`04${x}${y}`, `03${x}`]) {
		const settings = { ...EC_SETTINGS, webhookPublicKey, webhookSignatureEncoding: 'hex' } as const;
		expect(reasonFor(settings, `${r}${s}`, 'sample')).toBe('ok');
		expect(reasonFor(settings, `3046022100${r}022100${s}`, 'sample')).toBe('ok');
		expect(reasonFor(settings, `${s}${r}`, 'sample')).toBe(MISMATCH);
	}
});

test('a signature with text behind it does not pass', () => {
	const signature = signedByEc(BODY);
	const hex = { ...EC_SETTINGS, webhookSignatureEncoding: 'hex' } as const;
	for (const rest of ['zz', '0', '=', '-']) {
		expect(reasonFor(hex, signature.toString('hex') + rest)).toBe(MISMATCH);
	}
	for (const rest of ['==A', '!', '====']) {
		expect(reasonFor(EC_SETTINGS, signature.toString('base64') + rest)).toBe(MISMATCH);
	}
});

test('two signatures with a possible form are tried, a third is not', () => {
	const signature = signedByEc(BODY).toString('base64');
	const other = signedByEc('other').toString('base64');
	// Neither 64 bytes nor two numbers in DER.
	const impossible = ['', 'AAAA', 'MAYCAQECAQ==', Buffer.alloc(71).toString('base64')];
	expect(reasonFor(EC_SETTINGS, [...impossible, other, signature].join())).toBe('ok');
	expect(reasonFor(EC_SETTINGS, [other, other, signature].join())).toBe(MISMATCH);
});

test('while the sender changes its key, the second signature of a header may be made with the previous key', () => {
	const rotation = { ...EC_SETTINGS, webhookPublicKey: openSslKeys('p256').publicKey };
	const both = [openSslSign(BODY, openSslKeys('p256').privateKey, 'ecdsaP256'), signedByEc(BODY)];
	const header = both.map((signature) => signature.toString('base64')).join();
	expect(reasonFor({ ...rotation, webhookPreviousPublicKey: EC.publicKey }, header)).toBe('ok');
	expect(reasonFor({ ...rotation, webhookPreviousPublicKey: '' }, header)).toBe(MISMATCH);
});

const bare = ED.der.subarray(-32).toString('base64');

test.each([
	['words', 'no key'],
	['a private key', RSA.privateKey],
	['a key that is cut short', RSA.publicKey.slice(0, 200)],
	['whsk_, which stands before a private key,', `whsk_${bare}`],
	['whpk_ with nothing after it', 'whpk_'],
])('%s is not a public key', (_, webhookPublicKey) => {
	const message = 'Webhook Public Key is not a public key as PEM, hex or base64';
	expectRefused({ ...PUBLIC_KEY, webhookPublicKey }, message);
});

test.each<[key: string, change: VerificationSettings, message: string]>([
	['nothing', { webhookPublicKey: '' }, 'Webhook Public Key is empty'],
	[
		'only a previous one',
		{ webhookPublicKey: '', webhookPreviousPublicKey: RSA.publicKey },
		'Webhook Public Key is empty',
	],
	['an RSA key of 1024 bits', { webhookPublicKey: openSslKeys('rsa1024').publicKey }, 'is too weak'],
	[
		'a key of 1024 bits for PSS only',
		{ webhookPublicKey: openSslKeys('pss1024').publicKey, webhookPublicKeyAlgorithm: 'rsaPssSha256' },
		'is too weak',
	],
	['an Ed25519 key for RSA', { webhookPublicKey: ED.publicKey }, 'is not a key for'],
	['an RSA key for Ed25519', { webhookPublicKeyAlgorithm: 'ed25519' }, 'is not a key for'],
	[
		'a key of another curve',
		{ webhookPublicKey: openSslKeys('p384').publicKey, webhookPublicKeyAlgorithm: 'ecdsaP256' },
		'is not a key for',
	],
	['a key for PSS only with another padding', { webhookPublicKey: PSS.publicKey }, 'is not a key for'],
	...(['pssSha512', 'pssSha256MaskSha512'] as const).map((kind): [string, VerificationSettings, string] => [
		`a key for PSS only with other hashes (${kind})`,
		{ webhookPublicKey: openSslKeys(kind).publicKey, webhookPublicKeyAlgorithm: 'rsaPssSha256' },
		'is not a key for',
	]),
	[
		'a previous key for another algorithm',
		{ webhookPreviousPublicKey: ED.publicKey },
		'Previous Webhook Public Key is not a key for',
	],
	// For these, signatures can be made without a private key.
	...[
		...['00'.repeat(32), `01${'00'.repeat(31)}`, `01${'00'.repeat(30)}80`],
		'26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
		'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
		...['ec', 'ed', 'ee'].map((first) => `${first}${'ff'.repeat(30)}7f`),
	].map((webhookPublicKey): [string, VerificationSettings, string] => [
		`the Ed25519 key ${webhookPublicKey}`,
		{ webhookPublicKey, webhookPublicKeyAlgorithm: 'ed25519' },
		'is too weak',
	]),
])('as a public key, %s is refused', (_, change, message) => {
	expectRefused({ ...PUBLIC_KEY, webhookPublicKey: RSA.publicKey, ...change }, message);
});

test('with a public key, too, the body has to be signed', () => {
	expectRefused({ ...EC_SETTINGS, webhookPayload: 'body' }, 'Webhook Payload does not contain {body}');
});

test('a public key cannot sign', () => {
	const settings = { ...HMAC, webhookVerification: 'publicKey', webhookPublicKey: RSA.publicKey } as const;
	expect(() => signDelivery(settings, Buffer.from(BODY))).toThrow('A public key cannot sign a delivery');
});
