/** Public keys that verify deliveries. The type of a key names its algorithm. */
import { createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { SETTING } from '../messages.ts';
import { SettingError } from '../settingError.ts';
import { decode } from './encoding.ts';
import type { SignatureCheck } from './template.ts';

/** The type of a key and its curve, as Node.js names them. */
const KINDS = ['rsa', 'ec prime256v1', 'ed25519'];

/** A sender that rotates its key sends two signatures. To verify one takes 0.1 to 0.2 ms. */
const MAX_SIGNATURES = 2;

/** Throws SettingError if it is weak or no public key of these kinds; `label` is its name in the form. */
export function publicKeyCheck(text: string, label: string): SignatureCheck {
	const key = readPublicKey(text.trim());
	if (key === undefined) throw new SettingError(SETTING.publicKeyIsUnreadable(label));
	const { asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve, modulusLength = 0 } = {} } = key;
	const kind = namedCurve === undefined ? type : `${type} ${namedCurve}`;
	if (kind === undefined || !KINDS.includes(kind))
		throw new SettingError(SETTING.publicKeyIsOfOtherKind(label));
	if (isWeak(key)) throw new SettingError(SETTING.publicKeyIsWeak(label));
	// Ed25519 and ECDSA give two numbers of 256 bits. ECDSA may also give a sequence in DER, of which OpenSSL checks the rest.
	const length = type === 'rsa' ? Math.ceil(modulusLength / 8) : 64;
	const couldBe = (bytes: Buffer) =>
		bytes.length === length || (type === 'ec' && bytes[0] === 0x30 && bytes[1] === bytes.length - 2);
	// RSA has the padding of PKCS#1 v1.5, Ed25519 its own hash.
	const digest = type === 'ed25519' ? undefined : 'sha256';
	return (payload, signatures) => {
		const data = Buffer.concat(payload.map((part) => Buffer.from(part as string)));
		const isSignature = (bytes: Buffer) =>
			verify(digest, data, { key, dsaEncoding: bytes.length === length ? 'ieee-p1363' : 'der' }, bytes);
		return signatures.filter(couldBe).slice(0, MAX_SIGNATURES).map(isSignature).includes(true);
	};
}

/** Points of Ed25519 with which OpenSSL before 3.5 takes signatures that anyone can make. The sign bit is left out. */
const SMALL_ORDER = [
	...['00', '01'].map((first) => first.padEnd(64, '0')),
	...['ec', 'ed', 'ee'].map((first) => `${first.padEnd(62, 'f')}7f`),
	'26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
	'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
];

function isWeak(key: KeyObject): boolean {
	const { modulusLength = 2048, publicExponent = 3n } = key.asymmetricKeyDetails ?? {};
	if (modulusLength < 2048 || publicExponent < 3n) return true;
	if (key.asymmetricKeyType !== 'ed25519') return false;
	const point = key.export({ format: 'der', type: 'spki' }).subarray(-BARE_LENGTH);
	point[BARE_LENGTH - 1]! &= 0x7f;
	return SMALL_ORDER.includes(point.toString('hex'));
}

/** Of an Ed25519 key without a name of its kind: its bytes, and what stands before them in DER (RFC 8410). */
const BARE_LENGTH = 32;
const BEFORE_BARE = Buffer.from('302a300506032b6570032100', 'hex');

/** Standard Webhooks puts `whpk_` before a public key. */
const PREFIX = /^(?:v1a,)?whpk_/;

/** Whether a text is certainly a public key: 32 bytes alone could be a secret, too. */
export function isPublicKey(text: string): boolean {
	if (PREFIX.test(text)) return true;
	const bytes = bareBytes(text);
	// DER begins with a sequence.
	return bytes?.[0] === 0x30 && bytes.length > BARE_LENGTH && readPublicKey(text) !== undefined;
}

/** PEM, also on one line; base64 of DER; or the bare bytes of Ed25519 in base64 or hex. A private key or a certificate is none. */
export function readPublicKey(text: string): KeyObject | undefined {
	const [, rsa, pem] =
		/^-----BEGIN (RSA )?PUBLIC KEY-----([\s\w+/=]*)-----END (?:RSA )?PUBLIC KEY-----$/.exec(text) ?? [];
	if (pem !== undefined) return fromDer(Buffer.from(pem, 'base64'), rsa === undefined ? 'spki' : 'pkcs1');
	const bytes = bareBytes(text);
	if (bytes === undefined) return undefined;
	if (bytes.length === BARE_LENGTH) return fromDer(Buffer.concat([BEFORE_BARE, bytes]), 'spki');
	return fromDer(bytes, 'spki') ?? fromDer(bytes, 'pkcs1');
}

function bareBytes(text: string): Buffer | undefined {
	const digits = text.replace(PREFIX, '').replace(/\s+/g, '');
	return decode(digits, 'hex') ?? decode(digits, 'base64');
}

function fromDer(bytes: Buffer, type: 'spki' | 'pkcs1'): KeyObject | undefined {
	try {
		const key = createPublicKey({ key: bytes, format: 'der', type });
		// OpenSSL also reads a private key as PKCS#1, and takes its public half. SPKI ends with PKCS#1.
		const isWhole = (der: Buffer) => der.subarray(-bytes.length).equals(bytes);
		return type === 'spki' || isWhole(key.export({ format: 'der', type: 'spki' })) ? key : undefined;
	} catch {
		return undefined;
	}
}
