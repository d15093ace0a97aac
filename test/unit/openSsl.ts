/** Signatures made by the openssl program, so that no expected value comes from Node.js or from the code under test. */
import { execFileSync } from 'node:child_process';

interface HmacOptions {
	algorithm?: 'sha1' | 'sha256' | 'sha384' | 'sha512';
	encoding?: 'hex' | 'base64';
}

/** The HMAC of a text, lower-case hex unless the options say base64. */
export function openSsl(
	text: string,
	secret: string,
	{ algorithm = 'sha256', encoding = 'hex' }: HmacOptions = {},
): string {
	const digest = execFileSync('openssl', ['dgst', `-${algorithm}`, '-binary', '-hmac', secret], {
		input: text,
	});
	return digest.toString(encoding);
}
