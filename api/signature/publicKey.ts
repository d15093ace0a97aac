/** Public keys that verify deliveries. The type of a key names its algorithm. */
import { createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { SETTING } from '../messages.ts';
import { SettingError } from '../settingError.ts';
import type { SignatureCheck } from './template.ts';

/** The type of a key and its curve, as Node.js names them. */
const KINDS = ['rsa', 'ec prime256v1', 'ed25519'];

/** A sender that rotates its key sends two signatures. To verify one takes 0.1 to 0.2 ms. */
const MAX_SIGNATURES = 2;

/** `text` is PEM. Throws SettingError if it is weak or no public key of these kinds; `label` is its name in the form. */
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

/** Of RSA. The other kinds have one size. */
function isWeak({
	asymmetricKeyDetails: { modulusLength = 2048, publicExponent = 3n } = {},
}: KeyObject): boolean {
	return modulusLength < 2048 || publicExponent < 3n;
}

/** Also on one line, as some forms paste it. A private key or a certificate is none. */
function readPublicKey(text: string): KeyObject | undefined {
	const [, rsa, base64 = ''] =
		/^-----BEGIN (RSA )?PUBLIC KEY-----([\s\w+/=]*)-----END (?:RSA )?PUBLIC KEY-----$/.exec(text) ?? [];
	try {
		const type = rsa === undefined ? 'spki' : 'pkcs1';
		return createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type });
	} catch {
		return undefined;
	}
}
