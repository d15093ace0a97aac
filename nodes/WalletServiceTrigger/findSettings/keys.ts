/** What the secret or the public key of a credential may mean. */
import { decode } from '../../../api/signature/encoding.ts';
import { hmacCheck } from '../../../api/signature/hmac.ts';
import { isPublicKey, publicKeyCheck } from '../../../api/signature/publicKey.ts';
import { resolveVerification, valueOf } from '../../../api/signature/readSettings.ts';
import { readSecret } from '../../../api/signature/secret.ts';
import { SETTINGS } from '../../../api/signature/settings.ts';
import type { Value, VerificationSettings } from '../../../api/signature/settings.ts';
import type { SignatureCheck } from '../../../api/signature/template.ts';

/** One reading of the secret or key, with the settings that choose it. */
export interface Key {
	settings: VerificationSettings;
	check: SignatureCheck;
	/** How many signatures one check compares: an HMAC is computed once for all, and a public key verifies each. */
	atOnce: number;
	/** How long its signatures are, in bytes. Undefined if that is not one number. */
	length?: number;
}

/** In bytes. Anyone could guess a shorter secret, so that it proves nothing. */
const SHORTEST = 8;

const LENGTHS: Readonly<Record<Value<'webhookAlgorithm'>, number>> = { sha256: 32, sha384: 48, sha512: 64 };
const ALGORITHMS = Object.keys(LENGTHS) as Array<Value<'webhookAlgorithm'>>;

/** Whether the credential holds a secret, and not a public key. */
export function usesSecret(credential: VerificationSettings): boolean {
	return valueOf(resolveVerification(credential), 'webhookVerification') !== 'publicKey';
}

export function isSecretUsable({ webhookSecret = '' }: VerificationSettings): boolean {
	return Buffer.byteLength(webhookSecret) >= SHORTEST && !isPublicKey(webhookSecret);
}

/** None for a secret that proves nothing. A public key is never one of the secrets. */
export function keysOf(credential: VerificationSettings): Key[] {
	if (!usesSecret(credential)) return publicKeyOf(valueOf(credential, 'webhookPublicKey'), {});
	const secret = valueOf(credential, 'webhookSecret');
	if (!isSecretUsable(credential)) return [];
	const keys = secretsOf(secret).flatMap(({ encoding, bytes }) =>
		ALGORITHMS.map((webhookAlgorithm) => ({
			settings: {
				webhookVerification: 'hmac' as const,
				webhookSecretEncoding: encoding,
				webhookAlgorithm,
			},
			check: hmacCheck(bytes, webhookAlgorithm),
			atOnce: Infinity,
			length: LENGTHS[webhookAlgorithm],
		})),
	);
	// What is 32 bytes long may be a public key of Ed25519 that was entered in the wrong field.
	const bare = decode(secret, 'hex') ?? decode(secret, 'base64');
	return bare?.length === 32 ? [...keys, ...publicKeyOf(secret, { webhookPublicKey: secret })] : keys;
}

function publicKeyOf(text: string, settings: VerificationSettings): Key[] {
	const check = attempt(() => publicKeyCheck(text, SETTINGS.webhookPublicKey.label));
	if (check === undefined) return [];
	return [{ settings: { webhookVerification: 'publicKey', ...settings }, check, atOnce: 1 }];
}

/** The ways to read a secret. With `whsec_` base64 comes first, otherwise the characters themselves. */
export function secretsOf(
	secret: string,
): Array<{ encoding: Value<'webhookSecretEncoding'>; bytes: Buffer }> {
	const encodings = secret.includes('whsec_')
		? (['base64', 'utf8'] as const)
		: (['utf8', 'hex', 'base64'] as const);
	return encodings.flatMap((encoding) => {
		const bytes = attempt(() => readSecret(secret, encoding, SETTINGS.webhookSecret.label));
		return bytes !== undefined && bytes.length >= SHORTEST ? [{ encoding, bytes }] : [];
	});
}

/** Undefined if it throws: the settings are then no way to verify. */
export function attempt<T>(action: () => T): T | undefined {
	try {
		return action();
	} catch {
		return undefined;
	}
}
