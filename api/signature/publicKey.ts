/** Public keys that verify deliveries. */
import { constants, createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { SETTING } from '../messages.ts';
import { SettingError } from '../settingError.ts';
import type { SignatureKey } from './hmac.ts';
import { isComplete } from './secret.ts';
import type { Value } from './settings.ts';

type AlgorithmName = Value<'webhookPublicKeyAlgorithm'>;

interface Algorithm {
	/** The type of its keys, as Node.js names it. */
	type: 'rsa' | 'ec' | 'ed25519';
	/** Ed25519 has a hash of its own. */
	hash?: 'sha256' | 'sha512';
	padding?: number;
}

const PSS = constants.RSA_PKCS1_PSS_PADDING;

const ALGORITHMS: Record<AlgorithmName, Algorithm> = {
	ecdsaP256: { type: 'ec', hash: 'sha256' },
	ed25519: { type: 'ed25519' },
	rsaSha256: { type: 'rsa', hash: 'sha256', padding: constants.RSA_PKCS1_PADDING },
	rsaSha512: { type: 'rsa', hash: 'sha512', padding: constants.RSA_PKCS1_PADDING },
	rsaPssSha256: { type: 'rsa', hash: 'sha256', padding: PSS },
};

/** Below this, an RSA key can be broken. */
const MIN_RSA_BITS = 2048;

/** By the length of a bare key: the bytes before it that make it DER (RFC 5480, RFC 8410). */
const DER_PREFIXES: Record<number, string> = {
	32: '302a300506032b6570032100',
	33: '3039301306072a8648ce3d020106082a8648ce3d030107032200',
	65: '3059301306072a8648ce3d020106082a8648ce3d030107034200',
};

/**
 * Ed25519 keys of small order, with the sign bit cleared: signatures for them can be made without a secret. All zeros is
 * one of them. The list comes from libsodium.
 */
const WEAK_ED25519_KEYS = [
	'0000000000000000000000000000000000000000000000000000000000000000',
	'0100000000000000000000000000000000000000000000000000000000000000',
	'26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
	'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
	'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
	'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
	'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
];

/**
 * A key that verifies deliveries. `text` is PEM, or hex or base64 of DER, of PEM, or of the bare bytes of an Ed25519 or P-256
 * key. Throws SettingError if it is weak or not a public key for the algorithm; `label` is its name in the form.
 */
export function publicSignatureKey(
	text: string,
	name: AlgorithmName,
	encoding: Value<'webhookSignatureEncoding'>,
	label: string,
): SignatureKey {
	const { hash, padding } = ALGORITHMS[name];
	// Standard Webhooks puts `whpk_` before a base64 key.
	const key = readPublicKey(text.trim().replace(/^whpk_/, ''));
	if (key === undefined) throw new SettingError(SETTING.publicKeyIsUnreadable(label));
	if (!isFor(key, ALGORITHMS[name])) throw new SettingError(SETTING.publicKeyIsOfOtherKind(label));
	if (isWeak(key)) throw new SettingError(SETTING.publicKeyIsWeak(label));
	const bytesEncoding = encoding === 'hexUpper' ? 'hex' : encoding;
	const hasShape = signatureShape(key);
	// OpenSSL 3.0 (Node.js 22) does not find out the length of the salt for a key that names its hashes.
	const namesHashes = key.asymmetricKeyDetails?.hashAlgorithm !== undefined;
	const saltLength = namesHashes ? constants.RSA_PSS_SALTLEN_DIGEST : constants.RSA_PSS_SALTLEN_AUTO;
	return {
		// To verify one takes 0.1 to 0.2 ms. While a sender rotates its key, it sends two.
		maxSignatures: 2,
		couldBe: (signature) =>
			isComplete(signature, bytesEncoding === 'base64url' ? 'base64' : bytesEncoding) &&
			hasShape(Buffer.from(signature, bytesEncoding)),
		checkerOf: (payload) => {
			const data = Buffer.concat(payload.map((part) => Buffer.from(part as string)));
			return (signature) => {
				const bytes = Buffer.from(signature, bytesEncoding);
				const dsaEncoding = bytes.length === P256_BYTES ? 'ieee-p1363' : 'der';
				return verify(hash, data, { key, padding, saltLength, dsaEncoding }, bytes);
			};
		},
	};
}

function readPublicKey(text: string): KeyObject | undefined {
	const pem = /^-----BEGIN (RSA )?PUBLIC KEY-----([\s\w+/=]*)-----END (?:RSA )?PUBLIC KEY-----$/.exec(text);
	if (pem !== null) return keyFromDer(Buffer.from(pem[2] ?? '', 'base64'), pem[1] ? 'pkcs1' : 'spki');
	if (!/^[\w+/-]+={0,2}$/.test(text)) return undefined;
	const bytes = Buffer.from(text, /^(?:[\da-f]{2})+$/i.test(text) ? 'hex' : 'base64');
	if (bytes.toString('latin1').startsWith('-----BEGIN'))
		return readPublicKey(bytes.toString('latin1').trim());
	const prefix = Buffer.from(DER_PREFIXES[bytes.length] ?? '', 'hex');
	return keyFromDer(Buffer.concat([prefix, bytes]), 'spki');
}

function keyFromDer(key: Buffer, type: 'spki' | 'pkcs1'): KeyObject | undefined {
	try {
		return createPublicKey({ key, format: 'der', type });
	} catch {
		return undefined;
	}
}

function isFor(key: KeyObject, { type, hash, padding }: Algorithm): boolean {
	const { namedCurve, hashAlgorithm = hash, mgf1HashAlgorithm = hash } = key.asymmetricKeyDetails ?? {};
	// A key of this type is for PSS only. It may name the hashes that it allows.
	if (key.asymmetricKeyType === 'rsa-pss') {
		return padding === PSS && [hashAlgorithm, mgf1HashAlgorithm].every((name) => name === hash);
	}
	if (key.asymmetricKeyType !== type) return false;
	return type !== 'ec' || namedCurve === 'prime256v1';
}

function isRsa({ asymmetricKeyType: type }: KeyObject): boolean {
	return type === 'rsa' || type === 'rsa-pss';
}

function isWeak(key: KeyObject): boolean {
	if (isRsa(key)) {
		const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
		return modulusLength < MIN_RSA_BITS || publicExponent < 3n;
	}
	if (key.asymmetricKeyType !== 'ed25519') return false;
	const bytes = key.export({ format: 'der', type: 'spki' }).subarray(-32);
	const withoutSign = Buffer.from(bytes.map((byte, index) => (index === 31 ? byte & 0x7f : byte)));
	return WEAK_ED25519_KEYS.includes(withoutSign.toString('hex'));
}

/** Length of a P-256 signature that is only its two numbers (IEEE P1363), without DER. */
const P256_BYTES = 64;

/** Whether bytes have the length of a signature or, for ECDSA, its form in DER. */
function signatureShape(key: KeyObject): (signature: Buffer) => boolean {
	switch (key.asymmetricKeyType) {
		case 'rsa':
		case 'rsa-pss': {
			const length = Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
			return (signature) => signature.length === length;
		}
		case 'ec':
			return (signature) => signature.length === P256_BYTES || isDerSignature(signature);
		default:
			return (signature) => signature.length === 64;
	}
}

/** Whether bytes are a sequence of two numbers in DER, as an ECDSA signature is. OpenSSL checks the rest. */
function isDerSignature(bytes: Buffer): boolean {
	const [sequence, length, first, firstLength = 0] = bytes;
	const [second, secondLength = 0] = bytes.subarray(4 + firstLength);
	return (
		[sequence, first, second].join() === '48,2,2' &&
		length === bytes.length - 2 &&
		bytes.length === 6 + firstLength + secondLength
	);
}
