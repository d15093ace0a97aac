/** Keys and signatures made by the openssl program, so that no expected value comes from Node.js or from the code under test. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface HmacOptions {
	algorithm?: 'sha1' | 'sha256' | 'sha384' | 'sha512';
	encoding?: 'hex' | 'base64' | 'base64url';
	/** How the secret is written. */
	secretEncoding?: 'utf8' | 'base64';
}

/** The HMAC of a text or of bytes, in lower-case hex unless the options say otherwise. */
export function openSsl(
	text: string | Buffer,
	secret: string,
	{ algorithm = 'sha256', encoding = 'hex', secretEncoding = 'utf8' }: HmacOptions = {},
): string {
	const hexKey = Buffer.from(secret, secretEncoding).toString('hex');
	const key = ['-mac', 'HMAC', '-macopt', `hexkey:${hexKey}`];
	const digest = execFileSync('openssl', ['dgst', `-${algorithm}`, '-binary', ...key], { input: text });
	return digest.toString(encoding);
}

/** The hash of a text. */
export function openSslHash(
	text: string,
	algorithm: 'sha256' | 'sha512',
	encoding: 'hex' | 'base64' | 'base64url' = 'hex',
): string {
	return execFileSync('openssl', ['dgst', `-${algorithm}`, '-binary'], { input: text }).toString(encoding);
}

const ec = (curve: string) => ['-algorithm', 'ec', '-pkeyopt', `ec_paramgen_curve:${curve}`];
const rsa = (bits: number) => ['-algorithm', 'rsa', '-pkeyopt', `rsa_keygen_bits:${bits}`];
const KINDS = {
	ed25519: ['-algorithm', 'ed25519'],
	p256: ec('P-256'),
	p384: ec('P-384'),
	secp256k1: ec('secp256k1'),
	rsa1024: rsa(1024),
	rsa2048: rsa(2048),
	/** A key for PSS only. */
	pss: ['-algorithm', 'RSA-PSS', '-pkeyopt', 'rsa_keygen_bits:2048'],
};

interface KeyPair {
	/** PEM. */
	privateKey: string;
	/** PEM. */
	publicKey: string;
	/** The public key in DER. Its last bytes are the bare key: 32 for Ed25519, 65 for P-256 (RFC 8410, RFC 5480). */
	der: Buffer;
}

/** A new pair of keys. */
export function openSslKeys(kind: keyof typeof KINDS): KeyPair {
	const privateKey = execFileSync('openssl', ['genpkey', ...KINDS[kind]], { stdio: 'pipe' }).toString();
	const publicHalf = (form: string) =>
		execFileSync('openssl', ['pkey', '-pubout', '-outform', form], { input: privateKey, stdio: 'pipe' });
	return { privateKey, publicKey: publicHalf('PEM').toString(), der: publicHalf('DER') };
}

const ALGORITHMS = {
	rsa: ['-digest', 'sha256'],
	ec: ['-digest', 'sha256'],
	ed25519: [],
};

/** The signature of a text by a private key. */
export function openSslSign(text: string, privateKey: string, algorithm: keyof typeof ALGORITHMS): Buffer {
	const folder = mkdtempSync(join(tmpdir(), 'wallet-service-keys-'));
	try {
		// Ed25519 reads from files only.
		const [key, input] = [join(folder, 'key.pem'), join(folder, 'text')];
		writeFileSync(key, privateKey);
		writeFileSync(input, text);
		const files = ['-rawin', '-inkey', key, '-in', input];
		return execFileSync('openssl', ['pkeyutl', '-sign', ...files, ...ALGORITHMS[algorithm]]);
	} finally {
		rmSync(folder, { recursive: true });
	}
}
