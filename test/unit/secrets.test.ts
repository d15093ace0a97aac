/** A secret is complete in its encoding, has a byte that is not zero, and is nothing that everybody may know. */
import { execFileSync } from 'node:child_process';
import { createPublicKey, randomBytes } from 'node:crypto';
import { compileVerifier } from '../../api/signature/verifier.ts';
import { openSsl, openSslKeys } from './openSsl.ts';
import type { KeyPair } from './openSsl.ts';
import { BODY, expectNotSigned, expectRefused, HMAC, reasonFor, sign } from './trySettings.ts';

const encodings = ['utf8', 'hex', 'base64'] as const;
type Encoding = (typeof encodings)[number];

/** No field takes the secret in this encoding. */
function expectUnusable(secret: string, encoding: Encoding, problem: string) {
	const settings = { ...HMAC, webhookSecretEncoding: encoding };
	expectRefused({ ...settings, webhookSecret: secret }, `Webhook Secret ${problem}`);
	const rotated = { webhookSecret: 'abcd', webhookPreviousSecret: secret };
	expectRefused({ ...settings, ...rotated }, `Previous Webhook Secret ${problem}`);
	expectNotSigned(
		{ signatureSecret: secret, signatureSecretEncoding: encoding },
		`Signature Secret ${problem}`,
	);
}

function expectUnusableToken(token: string, problem: string) {
	const settings = { ...HMAC, webhookVerification: 'token' };
	expectRefused({ ...settings, webhookSecret: token }, `Webhook Secret ${problem}`);
	expectRefused({ ...settings, webhookPreviousSecret: token }, `Previous Webhook Secret ${problem}`);
}

test.each<[string, Encoding]>([
	['foob', 'utf8'],
	['666f6f62', 'hex'],
	['666F6F62', 'hex'],
	['Zm9vYg==', 'base64'],
	['Zm9vYg', 'base64'],
	['whsec_Zm9vYg==', 'base64'],
])('the secret %s in %s is the text foob', (secret, encoding) => {
	const settings = { ...HMAC, webhookSecret: secret, webhookSecretEncoding: encoding };
	expect(reasonFor(settings, openSsl(BODY, 'foob'))).toBe('ok');
	const headers = sign({
		signaturePayload: '{body}',
		signatureSecret: secret,
		signatureSecretEncoding: encoding,
	});
	expect(headers['x-svc-signature']).toBe(openSsl(BODY, 'foob'));
});

test.each<[Encoding, string[]]>([
	['base64', ['a', 'A==', 'A=', '=', '_', 'whsec_a', 'Zm9vY', 'Zm9vYg=', 'Zm9vYmFy=', 'Zm9v\nYmFy', 'a b']],
	['hex', ['0', '00f', '0x00', '00 ff', 'zz']],
])('in %s, a secret that Node.js would cut off is refused: %j', (encoding, secrets) => {
	for (const secret of secrets) expectUnusable(secret, encoding, `is not ${encoding} text`);
});

test.each<[Encoding, string[]]>([
	['utf8', ['\0']],
	['hex', ['00', '00'.repeat(100)]],
	['base64', ['AAAA', `whsec_${'A'.repeat(44)}`]],
])('in %s, zero bytes are refused, because HMAC takes them for the empty key: %j', (encoding, secrets) => {
	for (const secret of secrets) expectUnusable(secret, encoding, 'consists of zero bytes only');
});

test('a secret with one byte that is not zero works', () => {
	const settings = { ...HMAC, webhookSecret: '0001', webhookSecretEncoding: 'hex' } as const;
	expect(reasonFor(settings, openSsl(BODY, '\0\u0001'))).toBe('ok');
});

test('an empty secret is refused, and so is whsec_ with nothing after it', () => {
	for (const secret of ['', null]) {
		expectRefused({ ...HMAC, webhookSecret: secret }, 'Webhook Secret is empty');
		expectRefused(
			{ ...HMAC, webhookVerification: 'token', webhookSecret: secret },
			'Webhook Secret is empty',
		);
		expectNotSigned({ signatureSecret: secret }, 'Signature Secret is empty');
	}
	for (const encoding of encodings) expectUnusable('whsec_', encoding, 'has nothing after whsec_');
	expectUnusableToken('whsec_', 'has nothing after whsec_');
});

test.each([
	...['fake-secret\n', ' fake-secret', '\tfake-secret', 'fake-secret\r\n', '\uFEFFfake-secret'],
	...['\u200B', '\u200Bfake', 'fake\u2060', 'fake\u00AD'],
])('%j is refused, because it begins or ends with a space or an invisible character', (secret) => {
	const problem = 'begins or ends with a space or a line break';
	expectUnusable(secret, 'utf8', problem);
	expectUnusableToken(secret, problem);
	expectNotSigned({ apiKey: secret }, `API Key ${problem}`);
});

test.each(['schlüssel', 'a\nb', 'a\0b', 'ключ'])(
	'the token %j is refused, because no header can hold it',
	(token) => {
		expectUnusableToken(token, 'has a character that is not plain ASCII');
	},
);

const KINDS = ['ed25519', 'p256', 'p384', 'secp256k1', 'rsa1024', 'rsa2048'] as const;
const KEYS = KINDS.map((kind) => ({ kind, ...openSslKeys(kind) }));

const base64 = (text: string) => Buffer.from(text).toString('base64');
const bodyOf = (pem: string) => pem.trim().split('\n').slice(1, -1).join('\n');

/** The usual forms of a public key of any kind. */
function formsOf({ publicKey, der }: KeyPair) {
	const pem = publicKey.trim();
	const hex = der.toString('hex');
	const text = der.toString('base64');
	const jwk = JSON.stringify(createPublicKey(publicKey).export({ format: 'jwk' }));
	return {
		PEM: pem,
		'PEM without its end': pem.split('\n').slice(0, -1).join('\n'),
		'PEM without head and end': bodyOf(pem),
		'DER in base64': text,
		'DER in base64 without padding': text.replaceAll('=', ''),
		'DER in base64url': der.toString('base64url'),
		'DER in base64 with whsec_': `whsec_${text}`,
		'a part of the DER in base64': der.subarray(0, 30).toString('base64'),
		'DER in hex': hex,
		'DER in upper-case hex': hex.toUpperCase(),
		JWK: jwk,
		'JWK with spaces before colons': jwk.replaceAll('":', '" :'),
		JWKS: `{"keys":[${jwk}]}`,
	};
}

const keyOf = (kind: (typeof KINDS)[number]) => KEYS.find((key) => key.kind === kind)!;
const ed = keyOf('ed25519').der.subarray(-32);

const run = (command: string, input?: string) =>
	execFileSync('openssl', command.split(' '), { input, stdio: 'pipe' }).toString().trim();
const pkcs1 = run('rsa -RSAPublicKey_out', keyOf('rsa2048').privateKey);
const certificate = run('req -x509 -newkey rsa:2048 -nodes -keyout /dev/null -subj /CN=fake -days 1');

const PUBLIC = [
	...KEYS.flatMap(({ kind, ...key }) =>
		Object.entries(formsOf(key)).map(([form, text]) => [`${kind}: ${form}`, text]),
	),
	['SSH, Ed25519', `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${ed.toString('base64')} somebody@example.com`],
	['SSH, RSA', `ssh-rsa ${base64('fake')}`],
	['OpenPGP', '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEZ\n-----END PGP PUBLIC KEY BLOCK-----'],
	['PKCS#1 as PEM', pkcs1],
	['PKCS#1 in base64', bodyOf(pkcs1)],
	['a certificate as PEM', certificate],
	['a certificate in base64', bodyOf(certificate)],
	['a certificate in hex', Buffer.from(bodyOf(certificate), 'base64').toString('hex')],
] as Array<[string, string]>;

test.each(PUBLIC)('%s is refused as a secret', (_, secret) => {
	const problem = 'is a public key or a certificate, which anyone may know';
	for (const encoding of encodings) expectUnusable(secret, encoding, problem);
	expectUnusableToken(secret, problem);
	expectRefused({ webhookStyle: 'default', webhookSecret: secret }, `Webhook Secret ${problem}`);
});

const expectUsable = (webhookSecret: string) =>
	expect(() => compileVerifier({ ...HMAC, webhookSecret })).not.toThrow();

test('private keys and shared keys are secrets in all of these forms', () => {
	for (const { privateKey } of KEYS) {
		expectUsable(privateKey.trim());
		expectUsable(bodyOf(privateKey));
		expectUsable(Buffer.from(bodyOf(privateKey), 'base64').toString('hex'));
		expectUsable(base64(privateKey));
	}
	expectUsable('{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ"}');
	expectUsable('{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS","d":"nWGxne"}');
	expectUsable('{"kty" : "OKP", "crv" : "Ed25519", "x" : "11qYAYKxCrfVS", "d" : "nWGxne"}');
});

test('the bare 32 bytes of an Ed25519 key look like any secret, so they are not refused', () => {
	expectUsable(ed.toString('base64'));
});

test('of 12,000 random secrets none is taken for a public key', () => {
	for (let count = 0; count < 2_000; count += 1) {
		for (const bytes of [randomBytes(16 + (count % 50)), randomBytes(65)]) {
			for (const encoding of ['hex', 'base64', 'base64url'] as const) expectUsable(bytes.toString(encoding));
		}
	}
});
