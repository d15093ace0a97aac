/** Deliveries that a public key verifies. Signatures come from openssl and from RFC 6979 and RFC 8032. */
import type { VerificationSettings } from '../../api/signature/settings.ts';
import { compileVerifier, signDelivery } from '../../api/signature/verifier.ts';
import { openSslKeys, openSslPublicKey, openSslSign } from './openSsl.ts';
import { verifyDelivery } from './trySettings.ts';

const NOW = Date.parse('2026-01-01T00:00:00.000Z');
const BODY = '{"event":"admin_funding","id":"af_1","Amount":"10.00"}';

const RSA = openSslKeys('genpkey', '-algorithm', 'rsa', '-pkeyopt', 'rsa_keygen_bits:2048');
const EC = openSslKeys('genpkey', '-algorithm', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256');
const ED = openSslKeys('genpkey', '-algorithm', 'ed25519');

function reasonFor(change: Partial<VerificationSettings>, signature: string, body: string | Buffer = BODY) {
	const settings: VerificationSettings = {
		webhookVerification: 'publicKey',
		webhookHeader: 'x-svc-signature',
		webhookSignatureEncoding: 'base64',
		...change,
	};
	const delivery = { headers: { 'x-svc-signature': signature }, body: Buffer.from(body) };
	const verdict = verifyDelivery(settings, delivery, NOW);
	return verdict.ok ? 'ok' : verdict.reason;
}

type Algorithm = NonNullable<VerificationSettings['webhookPublicKeyAlgorithm']>;
const pss = (hash: string, salt: string) => [
	...['-digest', hash, '-pkeyopt', 'rsa_padding_mode:pss', '-pkeyopt', `rsa_pss_saltlen:${salt}`],
];
const SCHEMES: Array<[name: string, Algorithm, typeof RSA, options: string[]]> = [
	['RSA PKCS#1 v1.5 with SHA-256', 'rsaSha256', RSA, ['-digest', 'sha256']],
	['RSA PKCS#1 v1.5 with SHA-512', 'rsaSha512', RSA, ['-digest', 'sha512']],
	['RSA PSS with SHA-256 and a salt of 32 bytes', 'rsaPssSha256', RSA, pss('sha256', 'digest')],
	['RSA PSS with SHA-256 and the longest salt', 'rsaPssSha256', RSA, pss('sha256', 'max')],
	['ECDSA P-256', 'ecdsaP256', EC, ['-digest', 'sha256']],
	['Ed25519', 'ed25519', ED, []],
];

describe.each(SCHEMES)('%s', (_, webhookPublicKeyAlgorithm, { privateKey, publicKey }, options) => {
	const signature = openSslSign(BODY, privateKey, ...options);
	const settings = { webhookPublicKeyAlgorithm, webhookPublicKey: publicKey };

	test('a delivery that openssl signed passes, and a changed one does not', () => {
		expect(reasonFor(settings, signature.toString('base64'))).toBe('ok');
		expect(reasonFor({ ...settings, webhookSignatureEncoding: 'hex' }, signature.toString('hex'))).toBe('ok');
		expect(
			reasonFor({ ...settings, webhookSignatureEncoding: 'base64url' }, signature.toString('base64url')),
		).toBe('ok');
		expect(reasonFor(settings, signature.toString('base64'), `${BODY} `)).toMatch('does not match the body');
		for (const at of [0, 5, signature.length - 1]) {
			const changed = Buffer.from(signature);
			changed[at]! ^= 1;
			expect(reasonFor(settings, changed.toString('base64'))).toMatch('does not match the body');
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

	test('a signature of another key or by another algorithm does not pass', () => {
		for (const [, algorithm, keys] of SCHEMES) {
			if (algorithm === webhookPublicKeyAlgorithm) continue;
			const other = { webhookPublicKeyAlgorithm: algorithm, webhookPublicKey: keys.publicKey };
			expect(reasonFor(other, signature.toString('base64'))).toMatch('does not match the body');
		}
	});

	test('the key may be PEM on one line, DER in hex or base64, or PEM in base64', () => {
		const der = openSslPublicKey(privateKey, '-outform', 'DER');
		for (const webhookPublicKey of [
			publicKey.replaceAll('\n', ' '),
			`\n${publicKey}\n`,
			der.toString('hex'),
			der.toString('base64'),
			Buffer.from(publicKey).toString('base64'),
		]) {
			expect(reasonFor({ ...settings, webhookPublicKey }, signature.toString('base64'))).toBe('ok');
		}
	});
});

test('the example of RFC 8032 for Ed25519 passes', () => {
	const settings = {
		webhookPublicKeyAlgorithm: 'ed25519',
		webhookPublicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
		webhookSignatureEncoding: 'hex',
	} as const;
	const signature =
		'92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00';
	expect(reasonFor(settings, signature, Buffer.from([0x72]))).toBe('ok');
	expect(reasonFor(settings, signature, Buffer.from([0x73]))).toMatch('does not match the body');
});

test('the example of RFC 6979 for ECDSA P-256 passes, with the bare key and both forms of the signature', () => {
	const x = '60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6';
	const y = '7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299';
	const r = 'EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716';
	const s = 'F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8';
	for (const webhookPublicKey of [`04${x}${y}`, `03${x}`]) {
		const settings = {
			webhookPublicKeyAlgorithm: 'ecdsaP256',
			webhookPublicKey,
			webhookSignatureEncoding: 'hex',
		} as const;
		expect(reasonFor(settings, `${r}${s}`, 'sample')).toBe('ok');
		expect(reasonFor(settings, `3046022100${r}022100${s}`, 'sample')).toBe('ok');
		expect(reasonFor(settings, `${s}${r}`, 'sample')).toMatch('does not match the body');
	}
});

test('a signature with text behind it does not pass', () => {
	const settings = { webhookPublicKeyAlgorithm: 'ecdsaP256', webhookPublicKey: EC.publicKey } as const;
	const signature = openSslSign(BODY, EC.privateKey, '-digest', 'sha256');
	const hex = { ...settings, webhookSignatureEncoding: 'hex' } as const;
	expect(reasonFor(hex, signature.toString('hex'))).toBe('ok');
	for (const rest of ['zz', '0', '=', '-']) {
		expect(reasonFor(hex, signature.toString('hex') + rest)).toMatch('does not match the body');
	}
	for (const rest of ['==A', '!', '====']) {
		expect(reasonFor(settings, signature.toString('base64') + rest)).toMatch('does not match the body');
	}
});

describe('a public key of the type RSASSA-PSS', () => {
	const keysFor = (hash: string) =>
		openSslKeys(
			...['genpkey', '-algorithm', 'RSA-PSS', '-pkeyopt', 'rsa_keygen_bits:2048'],
			...['-pkeyopt', `rsa_pss_keygen_md:${hash}`, '-pkeyopt', `rsa_pss_keygen_mgf1_md:${hash}`],
		);
	const keys = keysFor('sha256');

	test('a delivery that openssl signed passes, and a changed one does not', () => {
		const settings = { webhookPublicKeyAlgorithm: 'rsaPssSha256', webhookPublicKey: keys.publicKey } as const;
		const signature = openSslSign(BODY, keys.privateKey, ...pss('sha256', 'digest')).toString('base64');
		expect(reasonFor(settings, signature)).toBe('ok');
		expect(reasonFor(settings, signature, `${BODY} `)).toMatch('does not match the body');
	});

	test.each<[Algorithm, string]>([
		['rsaSha256', keys.publicKey],
		['rsaPssSha256', keysFor('sha512').publicKey],
	])(
		'with %s a key of the type RSASSA-PSS that names another padding or hash is refused',
		(webhookPublicKeyAlgorithm, key) => {
			expect(reasonFor({ webhookPublicKeyAlgorithm, webhookPublicKey: key }, 'AAAA')).toMatch(
				'is not a key for',
			);
		},
	);
});

test('time and ID are signed, and several signatures in a header are tried', () => {
	const settings: Partial<VerificationSettings> = {
		webhookPublicKeyAlgorithm: 'ed25519',
		webhookPublicKey: ED.publicKey,
		webhookPayload: '{timestamp}.{body}',
		webhookSignatureFormat: 't={timestamp},v1={signature}',
	};
	const signature = openSslSign(`1767225600.${BODY}`, ED.privateKey).toString('base64');
	const wrong = Buffer.alloc(64).toString('base64');
	expect(reasonFor(settings, `t=1767225600,v1=${wrong},v1=${signature}`)).toBe('ok');
	expect(reasonFor(settings, `t=1767225601,v1=${signature}`)).toMatch('does not match the body');
});

test('the second signature with the form of one is tried, the third is not', () => {
	const settings: Partial<VerificationSettings> = {
		webhookPublicKeyAlgorithm: 'ecdsaP256',
		webhookPublicKey: EC.publicKey,
	};
	const signature = openSslSign(BODY, EC.privateKey, '-digest', 'sha256').toString('base64');
	const other = openSslSign('other', EC.privateKey, '-digest', 'sha256').toString('base64');
	// Neither 64 bytes nor two numbers in DER.
	const formless = ['', 'AAAA', 'MAYCAQECAQ==', Buffer.alloc(71).toString('base64')];
	expect(reasonFor(settings, [...formless, other, signature].join())).toBe('ok');
	expect(reasonFor(settings, [other, other, signature].join())).toMatch('does not match the body');
});

describe('while the sender changes its key', () => {
	const NEXT = openSslKeys('genpkey', '-algorithm', 'ed25519');
	const OTHER = openSslKeys('genpkey', '-algorithm', 'ed25519');
	const rotation: Partial<VerificationSettings> = {
		webhookPublicKeyAlgorithm: 'ed25519',
		webhookPublicKey: NEXT.publicKey,
		webhookPreviousPublicKey: ED.publicKey,
	};
	const signedBy = ({ privateKey }: typeof ED) => openSslSign(BODY, privateKey).toString('base64');

	test('deliveries of the current and of the previous key pass, those of another do not', () => {
		expect(reasonFor(rotation, signedBy(NEXT))).toBe('ok');
		expect(reasonFor(rotation, signedBy(ED))).toBe('ok');
		expect(reasonFor(rotation, [signedBy(OTHER), signedBy(ED)].join())).toBe('ok');
		expect(reasonFor(rotation, signedBy(OTHER))).toMatch('does not match the body');
		expect(reasonFor({ ...rotation, webhookPreviousPublicKey: '' }, signedBy(ED))).toMatch('does not match');
	});

	test('a previous key that cannot be used is refused by its name, and it does not replace the current one', () => {
		const weak = { ...rotation, webhookPreviousPublicKey: '00'.repeat(32) };
		expect(reasonFor(weak, signedBy(NEXT))).toMatch('Previous Webhook Public Key is too weak');
		expect(reasonFor({ ...rotation, webhookPreviousPublicKey: RSA.publicKey }, signedBy(NEXT))).toMatch(
			'Previous Webhook Public Key is not a key for',
		);
		expect(reasonFor({ ...rotation, webhookPublicKey: '' }, signedBy(ED))).toMatch('Key is empty');
	});
});

test('a key with whpk_ is the same key, one with whsk_ is a private key and is refused', () => {
	const bare = openSslPublicKey(ED.privateKey, '-outform', 'DER').subarray(-32).toString('base64');
	const settings = { webhookPublicKeyAlgorithm: 'ed25519' } as const;
	const signature = openSslSign(BODY, ED.privateKey).toString('base64');
	expect(reasonFor({ ...settings, webhookPublicKey: `whpk_${bare}` }, signature)).toBe('ok');
	for (const webhookPublicKey of [`whsk_${bare}`, 'whpk_']) {
		expect(reasonFor({ ...settings, webhookPublicKey }, signature)).toMatch('is not a public key');
	}
});

describe('keys that are refused', () => {
	const SMALL = openSslKeys('genpkey', '-algorithm', 'rsa', '-pkeyopt', 'rsa_keygen_bits:1024');
	const P384 = openSslKeys('genpkey', '-algorithm', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384');

	test.each<[string, Partial<VerificationSettings>, string]>([
		['none', { webhookPublicKey: '' }, 'Webhook Public Key is empty'],
		['words', { webhookPublicKey: 'no key' }, 'is not a public key'],
		['a secret key', { webhookPublicKey: RSA.privateKey }, 'is not a public key'],
		['a key that is cut short', { webhookPublicKey: RSA.publicKey.slice(0, 200) }, 'is not a public key'],
		['an RSA key of 1024 bits', { webhookPublicKey: SMALL.publicKey }, 'is too weak'],
		['an Ed25519 key for RSA', { webhookPublicKey: ED.publicKey }, 'is not a key for'],
		[
			'an RSA key for Ed25519',
			{ webhookPublicKey: RSA.publicKey, webhookPublicKeyAlgorithm: 'ed25519' },
			'is not a key for',
		],
		[
			'a key of another curve',
			{ webhookPublicKey: P384.publicKey, webhookPublicKeyAlgorithm: 'ecdsaP256' },
			'is not a key for',
		],
		['an unknown algorithm', { webhookPublicKeyAlgorithm: 'rsaMd5' as 'ed25519' }, 'has an unknown value'],
		['a payload without the body', { webhookPayload: 'body' }, 'does not contain {body}'],
		...['00'.repeat(32), `01${'00'.repeat(31)}`, `01${'00'.repeat(30)}80`].map(
			(webhookPublicKey): [string, Partial<VerificationSettings>, string] => [
				`the Ed25519 key ${webhookPublicKey}, for which anyone can sign,`,
				{ webhookPublicKey, webhookPublicKeyAlgorithm: 'ed25519' },
				'is too weak',
			],
		),
	])('with the public key %s no delivery passes, and the message names the field', (_, change, message) => {
		const settings: VerificationSettings = {
			webhookVerification: 'publicKey',
			webhookHeader: 'x-svc-signature',
			webhookPublicKey: RSA.publicKey,
			webhookPublicKeyAlgorithm: 'rsaSha256',
			...change,
		};
		expect(() => compileVerifier(settings)).toThrow(message);
		expect(reasonFor(settings, '00')).toContain(message);
	});

	test('a public key cannot sign', () => {
		const settings = { webhookVerification: 'publicKey', webhookPublicKey: RSA.publicKey } as const;
		expect(() => signDelivery(settings, Buffer.from(BODY))).toThrow('A public key cannot sign a delivery');
	});
});
