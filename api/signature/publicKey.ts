/** Public keys that verify deliveries. */
import { constants, createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { SETTING } from '../messages.ts';
import { requireText, SettingError } from '../settingError.ts';
import type { PublicKeyAlgorithm, SignatureEncoding } from './settings.ts';
import type { SignatureKey } from './signatureKey.ts';

interface Algorithm {
	/** The type and details of its keys, as Node.js names them. */
	type: 'rsa' | 'ec' | 'ed25519';
	/** Ed25519 has a hash of its own. */
	hash?: 'sha256' | 'sha512';
	padding?: number;
}

const ALGORITHMS: Record<PublicKeyAlgorithm, Algorithm> = {
	ecdsaP256: { type: 'ec', hash: 'sha256' },
	ed25519: { type: 'ed25519' },
	rsaSha256: { type: 'rsa', hash: 'sha256', padding: constants.RSA_PKCS1_PADDING },
	rsaSha512: { type: 'rsa', hash: 'sha512', padding: constants.RSA_PKCS1_PADDING },
	rsaPssSha256: { type: 'rsa', hash: 'sha256', padding: constants.RSA_PKCS1_PSS_PADDING },
	rsaPssSha512: { type: 'rsa', hash: 'sha512', padding: constants.RSA_PKCS1_PSS_PADDING },
};

/** Below this, an RSA key can be broken. */
const MIN_RSA_BITS = 2048;

/** The bytes before a bare key of that length, which make it a key in DER (RFC 5480, RFC 8410). */
const DER_PREFIXES: Record<number, string> = {
	32: '302a300506032b6570032100',
	33: '3039301306072a8648ce3d020106082a8648ce3d030107032200',
	65: '3059301306072a8648ce3d020106082a8648ce3d030107034200',
};

/**
 * Ed25519 keys of small order, with the sign bit cleared: signatures for them can be made without a secret. All zeros is
 * one of them. The list is that of libsodium.
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

const LABEL = 'Webhook Public Key';

/**
 * A key that verifies deliveries. `text` is PEM, or in hex or base64 the DER form, PEM, or the bare bytes of an Ed25519 or
 * P-256 key. Throws SettingError if it is no public key for the algorithm or a weak one.
 */
export function publicSignatureKey(
	text: string | undefined,
	name: PublicKeyAlgorithm,
	encoding: SignatureEncoding,
): SignatureKey {
	const { type, hash, padding } = ALGORITHMS[name];
	const key = readPublicKey(requireText(text, LABEL).trim());
	if (key === undefined) throw new SettingError(SETTING.publicKeyIsUnreadable);
	if (!isFor(key, type)) throw new SettingError(SETTING.publicKeyIsOfOtherKind);
	if (isWeak(key)) throw new SettingError(SETTING.publicKeyIsWeak);
	const bytesEncoding = encoding === 'hexUpper' ? 'hex' : encoding;
	const [shortest, longest] = signatureBytes(key);
	return {
		couldBe: (signature) => {
			const bytes = decodedLength(signature, bytesEncoding);
			return bytes >= shortest && bytes <= longest;
		},
		checkerOf: (payload) => {
			const data = Buffer.concat(payload.map((part) => Buffer.from(part as string)));
			return (signature) => {
				const bytes = Buffer.from(signature, bytesEncoding);
				return dsaEncodings(key, bytes).some((dsaEncoding) =>
					verify(hash, data, { key, padding, dsaEncoding }, bytes),
				);
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

function isFor(key: KeyObject, type: Algorithm['type']): boolean {
	if (key.asymmetricKeyType !== type) return false;
	return type !== 'ec' || key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
}

function isWeak(key: KeyObject): boolean {
	if (key.asymmetricKeyType === 'rsa') {
		const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
		return modulusLength < MIN_RSA_BITS || publicExponent < 3n;
	}
	if (key.asymmetricKeyType !== 'ed25519') return false;
	const bytes = key.export({ format: 'der', type: 'spki' }).subarray(-32);
	const withoutSign = Buffer.from(bytes.map((byte, index) => (index === 31 ? byte & 0x7f : byte)));
	return WEAK_ED25519_KEYS.includes(withoutSign.toString('hex'));
}

/** The shortest and the longest signature. */
function signatureBytes(key: KeyObject): [number, number] {
	switch (key.asymmetricKeyType) {
		case 'rsa': {
			const bytes = Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
			return [bytes, bytes];
		}
		case 'ec':
			// DER leaves out leading zeros.
			return [8, 72];
		default:
			return [64, 64];
	}
}

function decodedLength(signature: string, encoding: 'hex' | 'base64' | 'base64url'): number {
	if (encoding === 'hex') return signature.length / 2;
	return Math.floor((signature.replace(/={1,2}$/, '').length * 3) / 4);
}

/** How the two numbers of an ECDSA signature may be written. Other signatures have one form. */
function dsaEncodings(key: KeyObject, signature: Buffer): Array<'der' | 'ieee-p1363'> {
	return key.asymmetricKeyType === 'ec' && signature.length === 64 ? ['ieee-p1363', 'der'] : ['der'];
}
