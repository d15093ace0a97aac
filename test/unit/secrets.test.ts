/** A secret is complete in its encoding, has a byte that is not zero, and is nothing that everybody may know. */
import { execFileSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { compileVerifier } from '../../api/signature/verifier.ts';
import { openSsl, openSslKeys } from './openSsl.ts';
import { BODY, expectNotSigned, expectRefused, HMAC, reasonFor, sign } from './trySettings.ts';

const encodings = ['utf8', 'hex', 'base64'] as const;
type Encoding = (typeof encodings)[number];

/** No field takes the secret in this encoding, or as a token. */
function expectUnusable(secret: string | null, encoding: Encoding | 'token', problem: string) {
	const isToken = encoding === 'token';
	const use = isToken ? { webhookVerification: 'token' } : { webhookSecretEncoding: encoding };
	const settings = { ...HMAC, ...use };
	expectRefused({ ...settings, webhookSecret: secret }, `Webhook Secret ${problem}`);
	if (secret) {
		const rotated = { webhookSecret: 'abcd', webhookPreviousSecret: secret };
		expectRefused({ ...settings, ...rotated }, `Previous Webhook Secret ${problem}`);
	}
	if (isToken) return;
	const signing = { signatureSecret: secret, signatureSecretEncoding: encoding };
	expectNotSigned(signing, `Signature Secret ${problem}`);
}

test.each<[string, Encoding]>([
	['foob', 'utf8'],
	['666f6f62', 'hex'],
	['666F6F62', 'hex'],
	['Zm9vYg==', 'base64'],
	['Zm9vYg', 'base64'],
	['whsec_Zm9vYg==', 'base64'],
	['v1,whsec_Zm9vYg==', 'base64'],
])('the secret %s in %s is the text foob', (secret, encoding) => {
	const settings = { ...HMAC, webhookSecret: secret, webhookSecretEncoding: encoding };
	expect(reasonFor(settings, openSsl(BODY, 'foob'))).toBe('ok');
	const signing = { signaturePayload: '{body}', signatureSecret: secret, signatureSecretEncoding: encoding };
	expect(sign(signing)['x-svc-signature']).toBe(openSsl(BODY, 'foob'));
});

test('a secret may have an invisible character inside', () => {
	const secret = 'an\u200B invisible\u00AD one';
	expect(reasonFor({ ...HMAC, webhookSecret: secret }, openSsl(BODY, secret))).toBe('ok');
});

test('a secret with one byte that is not zero works', () => {
	const settings = { ...HMAC, webhookSecret: '0001', webhookSecretEncoding: 'hex' } as const;
	expect(reasonFor(settings, openSsl(BODY, '\0\u0001'))).toBe('ok');
});

const SPACE = 'begins or ends with a space or a line break. Delete it';

test.each<[problem: string, encodings: ReadonlyArray<Encoding | 'token'>, secrets: Array<string | null>]>([
	// Node.js would cut these off.
	['is not hex text', ['hex'], ['0', '00f', '0x00', '00 ff', 'zz']],
	['is not base64 text', ['base64'], ['a', 'A==', 'A=', '=', '_', 'whsec_a', 'Zm9vY', 'Zm9vYg=']],
	['is not base64 text', ['base64'], ['Zm9vYmFy=', 'Zm9v\nYmFy', 'a b']],
	// HMAC takes zero bytes for the empty key.
	['consists of zero bytes only', ['utf8'], ['\0']],
	['consists of zero bytes only', ['hex'], ['00', '00'.repeat(100)]],
	['consists of zero bytes only', ['base64'], ['AAAA', `whsec_${'A'.repeat(44)}`]],
	['is empty', [...encodings, 'token'], ['', null]],
	['has nothing after whsec_', [...encodings, 'token'], ['whsec_', 'v1,whsec_']],
	[SPACE, ['utf8', 'token'], ['fake-secret\n', ' fake-secret', '\tfake-secret', 'fake-secret\r\n']],
	[SPACE, ['utf8', 'token'], ['\uFEFFfake-secret', '\u200B', '\u200Bfake', 'fake\u2060', 'fake\u00AD']],
	['has a character that is not plain ASCII', ['token'], ['schlüssel', 'a\nb', 'a\0b', 'ключ']],
])('a secret is refused because it %s, as %j: %j', (problem, kinds, secrets) => {
	for (const secret of secrets) {
		for (const kind of kinds) expectUnusable(secret, kind, problem);
		if (problem === SPACE) expectNotSigned({ apiKey: secret }, `API Key ${problem}`);
	}
});

const KINDS = ['ed25519', 'p256', 'rsa1024', 'rsa2048'] as const;
const KEYS = KINDS.map((kind) => ({ kind, ...openSslKeys(kind) }));
const keyOf = (kind: (typeof KINDS)[number]) => KEYS.find((key) => key.kind === kind)!;
const ed = keyOf('ed25519').der.subarray(-32);

const base64 = (text: string) => Buffer.from(text).toString('base64');
const bodyOf = (pem: string) => pem.trim().split('\n').slice(1, -1).join('\n');

const run = (command: string, input?: string) =>
	execFileSync('openssl', command.split(' '), { input, stdio: 'pipe' }).toString().trim();
const pkcs1 = run('rsa -RSAPublicKey_out', keyOf('rsa2048').privateKey);
const certificate = run('req -x509 -newkey rsa:2048 -nodes -keyout /dev/null -subj /CN=fake -days 1');

const PUBLIC = [
	...KEYS.flatMap(({ kind, publicKey }) => {
		const pem = publicKey.trim();
		const jwk = JSON.stringify(createPublicKey(publicKey).export({ format: 'jwk' }));
		return [
			[`${kind}: PEM`, pem],
			[`${kind}: JWK with spaces before colons`, jwk.replaceAll('":', '" :')],
			[`${kind}: JWKS`, `{"keys":[${jwk}]}`],
		];
	}),
	['SSH, Ed25519', `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${ed.toString('base64')} somebody@example.com`],
	['SSH, RSA', `ssh-rsa ${base64('fake')}`],
	['OpenPGP', '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEZ\n-----END PGP PUBLIC KEY BLOCK-----'],
	['PKCS#1 as PEM', pkcs1],
	['a certificate as PEM', certificate],
	...KEYS.flatMap(({ kind, der }) => [
		[`${kind}: base64`, der.toString('base64')],
		[`${kind}: hex`, der.toString('hex')],
	]),
	['PKCS#1 as base64', bodyOf(pkcs1).replaceAll('\n', '')],
	['Standard Webhooks', `whpk_${ed.toString('base64')}`],
] as Array<[string, string]>;

test.each(PUBLIC)('%s is refused as a secret', (_, secret) => {
	const problem = 'is a public key or a certificate, which anyone may know';
	for (const kind of [...encodings, 'token'] as const) expectUnusable(secret, kind, problem);
});

const expectUsable = (webhookSecret: string) =>
	expect(() => compileVerifier({ ...HMAC, webhookSecret })).not.toThrow();

test('private keys, shared keys and the bare 32 bytes of an Ed25519 key, which look like any secret, are secrets', () => {
	for (const { privateKey } of KEYS) {
		const text = bodyOf(privateKey);
		const hex = Buffer.from(text, 'base64').toString('hex');
		for (const secret of [privateKey.trim(), text, hex, base64(privateKey)]) expectUsable(secret);
	}
	expectUsable('{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ"}');
	expectUsable('{"kty" : "OKP", "crv" : "Ed25519", "x" : "11qYAYKxCrfVS", "d" : "nWGxne"}');
	for (const text of [ed.toString('base64'), 'shared-ssh-secret']) expectUsable(text);
});

test('other forms of a public key look like any secret, as the guide says', () => {
	for (const { publicKey, der } of KEYS)
		for (const text of [base64(publicKey), JSON.stringify(publicKey), `0${der.toString('base64')}`])
			expectUsable(text);
	expectUsable('ecdsa-sha2-nistp256 AAAAE2VjZHNh');
});
