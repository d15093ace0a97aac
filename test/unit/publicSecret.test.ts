/** What everybody may know is refused as a secret, in each form in which people copy it. The keys come from openssl. */
import { execFileSync } from 'node:child_process';
import { createPublicKey, randomBytes } from 'node:crypto';
import { SETTINGS } from '../../api/signature/settings.ts';
import { compileVerifier } from '../../api/signature/verifier.ts';
import { openSslKeys, openSslPublicKey } from './openSsl.ts';
import { sign } from './trySettings.ts';

const MAKE: Record<string, string[]> = {
	Ed25519: ['-algorithm', 'ed25519'],
	'ECDSA P-256': ['-algorithm', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
	'ECDSA P-384': ['-algorithm', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384'],
	secp256k1: ['-algorithm', 'ec', '-pkeyopt', 'ec_paramgen_curve:secp256k1'],
	'RSA of 2048 bits': ['-algorithm', 'rsa', '-pkeyopt', 'rsa_keygen_bits:2048'],
	'RSA of 1024 bits': ['-algorithm', 'rsa', '-pkeyopt', 'rsa_keygen_bits:1024'],
};
const KEYS = Object.entries(MAKE).map(([name, make]) => ({ name, ...openSslKeys('genpkey', ...make) }));
const [ED, EC, , , RSA] = KEYS as [(typeof KEYS)[0], (typeof KEYS)[0], unknown, unknown, (typeof KEYS)[0]];

/** A text of SSH: its length and its bytes. */
const sshText = (value: Buffer | string) => {
	const length = Buffer.alloc(4);
	length.writeUInt32BE(value.length);
	return Buffer.concat([length, Buffer.from(value as string)]);
};

const derOf = (privateKey: string) => openSslPublicKey(privateKey, '-outform', 'DER');
const pairs = (hex: string) => hex.match(/../g)!.join(':');
const lines = (text: string) => text.match(/.{1,64}/g)!.join('\n');

/** The forms of any key. */
function formsOf({ privateKey, publicKey }: { privateKey: string; publicKey: string }) {
	const pem = publicKey.trim();
	const der = derOf(privateKey);
	const jwk = JSON.stringify(createPublicKey(publicKey).export({ format: 'jwk' }));
	return {
		PEM: pem,
		'PEM on one line': pem.replaceAll('\n', ' '),
		'PEM with \\n as two characters': pem.replaceAll('\n', '\\n'),
		'PEM without its head': pem.split('\n').slice(1).join('\n'),
		'PEM without its end': pem.split('\n').slice(0, -1).join('\n'),
		'PEM without head and end': pem.split('\n').slice(1, -1).join('\n'),
		'PEM in base64': Buffer.from(pem).toString('base64'),
		'PEM in hex': Buffer.from(pem).toString('hex'),
		'PEM in base64, twice': Buffer.from(Buffer.from(pem).toString('base64')).toString('base64'),
		'DER in base64': der.toString('base64'),
		'DER in base64, in quotes': `"${der.toString('base64')}"`,
		'DER in base64, in lines with semicolons': lines(der.toString('base64')).replaceAll('\n', ';'),
		'DER in base64 after a label': `Public key: ${der.toString('base64')}`,
		'DER in base64 as JSON': JSON.stringify({ key: der.toString('base64') }),
		'DER in base64 with an invisible character': `${der.toString('base64').slice(0, 9)}\u200B${der.toString('base64').slice(9)}`,
		'DER in hex as bytes of C': pairs(der.toString('hex')).replace(/(^|:)/g, ', 0x').slice(2),
		'PEM as JSON': JSON.stringify({ key: pem }),
		'PEM as a data URL': `data:application/x-pem-file;base64,${Buffer.from(pem).toString('base64')}`,
		'PEM of Windows': pem.replaceAll('\n', '\r\n'),
		'PEM in UTF-16, in base64': Buffer.from(pem, 'utf16le').toString('base64'),
		'PEM in lower case': pem.toLowerCase(),
		'DER in base64, in lines': lines(der.toString('base64')),
		'DER in base64 without padding': der.toString('base64').replaceAll('=', ''),
		'DER in base64url': der.toString('base64url'),
		'DER in base64 with whsec_': `whsec_${der.toString('base64')}`,
		'DER in hex': der.toString('hex'),
		'DER in upper-case hex': der.toString('hex').toUpperCase(),
		'DER in hex with 0x': `0x${der.toString('hex')}`,
		'DER in hex with colons': pairs(der.toString('hex')),
		'DER in hex with spaces': pairs(der.toString('hex')).replaceAll(':', ' '),
		'the hex text in base64': Buffer.from(der.toString('hex')).toString('base64'),
		'a part of the DER in base64': der.subarray(0, 30).toString('base64'),
		JWK: jwk,
		'JWK with spaces': JSON.stringify(JSON.parse(jwk), null, 2),
		'JWK with spaces before colons': jwk.replaceAll('":', '" :'),
		JWKS: `{"keys":[${jwk}]}`,
		'JWK in base64url': Buffer.from(jwk).toString('base64url'),
	};
}

const ed = derOf(ED.privateKey).subarray(-32);
const point = derOf(EC.privateKey).subarray(-65);
const sshEd = Buffer.concat([sshText('ssh-ed25519'), sshText(ed)]).toString('base64');
const sshEc = Buffer.concat([...['ecdsa-sha2-nistp256', 'nistp256', point].map(sshText)]).toString('base64');
const pkcs1 = execFileSync('openssl', ['rsa', '-RSAPublicKey_out'], {
	input: RSA.privateKey,
	stdio: 'pipe',
}).toString();
const certificate = execFileSync(
	'openssl',
	[
		'req',
		'-x509',
		'-newkey',
		'rsa:2048',
		'-nodes',
		'-keyout',
		'/dev/null',
		'-subj',
		'/CN=fake',
		'-days',
		'1',
	],
	{ stdio: 'pipe' },
).toString();
const bodyOf = (pem: string) => pem.trim().split('\n').slice(1, -1).join('');

const OTHER_FORMS = {
	'whpk_ of Standard Webhooks': `whpk_${ed.toString('base64')}`,
	'SSH, Ed25519': `ssh-ed25519 ${sshEd} somebody@example.com`,
	'SSH, Ed25519, only the base64': sshEd,
	'SSH, ECDSA': `ecdsa-sha2-nistp256 ${sshEc}`,
	'SSH, ECDSA, only the base64': sshEc,
	'SSH with options': `no-pty ssh-ed25519 ${sshEd}`,
	'SSH2 (RFC 4716)': `---- BEGIN SSH2 PUBLIC KEY ----\n${sshEd}\n---- END SSH2 PUBLIC KEY ----`,
	OpenPGP: '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEZ\n-----END PGP PUBLIC KEY BLOCK-----',
	'PKCS#1 as PEM': pkcs1.trim(),
	'PKCS#1 in base64': bodyOf(pkcs1),
	'a certificate as PEM': certificate.trim(),
	'a certificate in base64': bodyOf(certificate),
	'a certificate in hex': Buffer.from(bodyOf(certificate), 'base64').toString('hex'),
	'both coordinates of a P-256 key in hex': point.toString('hex'),
	'both coordinates of a P-256 key in base64': point.toString('base64'),
};

const FORMS = [
	...KEYS.flatMap(({ name, ...key }) =>
		Object.entries(formsOf(key)).map(([form, text]): [string, string] => [`${name}: ${form}`, text]),
	),
	...Object.entries(OTHER_FORMS),
];

const encodings = SETTINGS.webhookSecretEncoding.values;
const MESSAGE = 'is a public key or a certificate, which anyone may know';

/** In each way in which the form takes a secret. */
function expectRefused(secret: string) {
	const hmac = { webhookVerification: 'hmac', webhookSecret: secret } as const;
	for (const webhookSecretEncoding of encodings) {
		expect(() => compileVerifier({ ...hmac, webhookSecretEncoding })).toThrow(`Webhook Secret ${MESSAGE}`);
		expect(() => sign({ signatureSecret: secret, signatureSecretEncoding: webhookSecretEncoding })).toThrow(
			`Signature Secret ${MESSAGE}`,
		);
	}
	const rotated = { ...hmac, webhookSecret: 'fake-secret', webhookPreviousSecret: secret };
	expect(() => compileVerifier(rotated)).toThrow(`Previous Webhook Secret ${MESSAGE}`);
	expect(() => compileVerifier({ ...hmac, webhookVerification: 'token' })).toThrow(MESSAGE);
	expect(() => compileVerifier({ webhookStyle: 'default', webhookSecret: secret })).toThrow(MESSAGE);
}

test.each(FORMS)('%s is refused as a secret', (_, secret) => expectRefused(secret));

test('private keys and shared keys are secrets in all of these forms', () => {
	const works = (webhookSecret: string) =>
		expect(() => compileVerifier({ webhookVerification: 'hmac', webhookSecret })).not.toThrow();
	for (const { privateKey } of KEYS) {
		works(privateKey.trim());
		works(bodyOf(privateKey));
		works(Buffer.from(bodyOf(privateKey), 'base64').toString('hex'));
		works(Buffer.from(privateKey).toString('base64'));
	}
	works('{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ"}');
	works('{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS","d":"nWGxne"}');
	works('{"kty" : "OKP", "crv" : "Ed25519", "x" : "11qYAYKxCrfVS", "d" : "nWGxne"}');
});

test('of 12,000 random secrets none is taken for a public key', () => {
	for (let count = 0; count < 2_000; count += 1) {
		for (const bytes of [randomBytes(16 + (count % 50)), randomBytes(65)]) {
			for (const encoding of ['hex', 'base64', 'base64url'] as const) {
				const webhookSecret = bytes.toString(encoding);
				expect(() => compileVerifier({ webhookVerification: 'hmac', webhookSecret })).not.toThrow();
			}
		}
	}
});

test('the bare 32 bytes of an Ed25519 key cannot be told from a secret: every 32 bytes can be a key', () => {
	const read = (bytes: Buffer) =>
		createPublicKey({
			key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes]),
			format: 'der',
			type: 'spki',
		}).asymmetricKeyType;
	for (let count = 0; count < 100; count += 1) expect(read(randomBytes(32))).toBe('ed25519');
	const webhookSecret = ed.toString('base64');
	expect(() => compileVerifier({ webhookVerification: 'hmac', webhookSecret })).not.toThrow();
});
