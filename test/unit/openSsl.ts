/** Signatures made by the openssl program, so that no expected value comes from Node.js or from the code under test. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface HmacOptions {
	algorithm?: 'sha1' | 'sha256' | 'sha384' | 'sha512';
	encoding?: 'hex' | 'base64';
	/** How the secret is written. */
	secretEncoding?: 'utf8' | 'base64';
}

/** The HMAC of a text, lower-case hex unless the options say base64. */
export function openSsl(
	text: string,
	secret: string,
	{ algorithm = 'sha256', encoding = 'hex', secretEncoding = 'utf8' }: HmacOptions = {},
): string {
	// Some versions of openssl refuse the empty key. HMAC fills keys up with zeros, so this one is equal.
	const hexKey = Buffer.from(secret, secretEncoding).toString('hex');
	const key = ['-mac', 'HMAC', '-macopt', `hexkey:${hexKey || '00'}`];
	const digest = execFileSync('openssl', ['dgst', `-${algorithm}`, '-binary', ...key], { input: text });
	return digest.toString(encoding);
}

/** The hash of a text. */
export function openSslHash(
	text: string,
	algorithm: 'sha256' | 'sha512',
	encoding: 'hex' | 'base64',
): string {
	return execFileSync('openssl', ['dgst', `-${algorithm}`, '-binary'], { input: text }).toString(encoding);
}

/** A new pair of keys, as PEM. */
export function openSslKeys(...generate: string[]): { privateKey: string; publicKey: string } {
	const privateKey = execFileSync('openssl', generate, { stdio: 'pipe' }).toString();
	return { privateKey, publicKey: openSslPublicKey(privateKey).toString() };
}

/** The public half of a key. `options` as for `openssl pkey`. */
export function openSslPublicKey(privateKey: string, ...options: string[]): Buffer {
	return execFileSync('openssl', ['pkey', '-pubout', ...options], { input: privateKey, stdio: 'pipe' });
}

/** The signature of a text. `options` as for `openssl pkeyutl`. */
export function openSslSign(text: string, privateKey: string, ...options: string[]): Buffer {
	const folder = mkdtempSync(join(tmpdir(), 'wallet-service-keys-'));
	try {
		// Ed25519 reads from files only.
		const [key, input] = [join(folder, 'key.pem'), join(folder, 'text')];
		writeFileSync(key, privateKey);
		writeFileSync(input, text);
		return execFileSync('openssl', ['pkeyutl', '-sign', '-rawin', '-inkey', key, '-in', input, ...options]);
	} finally {
		rmSync(folder, { recursive: true });
	}
}
