/**
 * Signing of requests and checking of webhooks: two uses of one piece of code. The document shows neither how the
 * service signs nor how its deliveries can be verified, so everything is a setting of the credential.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export type SecretEncoding = 'utf8' | 'hex' | 'base64';
export type DigestAlgorithm = 'sha256' | 'sha384' | 'sha512';
export type SignatureEncoding = 'hex' | 'hexUpper' | 'base64' | 'base64url';
export type TimestampFormat = 'unixMilliseconds' | 'unixSeconds' | 'iso8601' | 'static';

/** Names that stored credentials hold; see the credential for their labels. */
export interface SigningSettings {
	serviceName: string;
	apiKey: string;
	timestampFormat: TimestampFormat;
	staticTimestamp?: string;
	signatureMethod: 'hmac' | 'static';
	staticSignature?: string;
	signatureSecret?: string;
	signatureSecretEncoding?: SecretEncoding;
	signatureAlgorithm?: DigestAlgorithm;
	signaturePayload?: string;
	signatureEncoding?: SignatureEncoding;
}

export interface VerificationSettings {
	webhookVerification: 'none' | 'token' | 'hmac';
	webhookHeader?: string;
	webhookSecret?: string;
	webhookSecretEncoding?: SecretEncoding;
	webhookAlgorithm?: DigestAlgorithm;
	webhookSignatureEncoding?: SignatureEncoding;
	webhookPayload?: string;
	webhookSignatureFormat?: string;
	webhookTimestampHeader?: string;
	webhookIdHeader?: string;
	webhookTolerance?: number;
}

/** What is signed of a request. `body` is the exact text sent, '' where there is none. */
export interface SignableRequest {
	method: string;
	url: URL;
	body: string;
}

/** A delivery as it arrived. Header names in lower case. */
export interface Delivery {
	headers: Record<string, string | string[] | undefined>;
	body: Uint8Array;
}

export type Verdict = { ok: true } | { ok: false; reason: string };

/** A setting that cannot work, said in the words of the credential's form. Holds no secret. */
export class SettingError extends Error {}

type Token = string | Uint8Array;
type Tokens = Record<string, () => Token>;

/** The three headers of a request ("Authentication"). `now` in milliseconds since 1970. Throws SettingError. */
export function signRequest(
	settings: SigningSettings,
	request: SignableRequest,
	now: number,
): Record<string, string> {
	return signedHeaders(settings, request, timestamp(settings, now));
}

/** The same for a timestamp that is known, as the receiver of a request has it. */
export function signedHeaders(
	settings: SigningSettings,
	request: SignableRequest,
	timestampText: string,
): Record<string, string> {
	if (!/^[a-z0-9][a-z0-9-]*$/.test(settings.serviceName)) {
		throw new SettingError('Service Name must be lower-case letters, digits and hyphens, such as svc');
	}
	if (settings.apiKey === '') throw new SettingError('API Key is empty');
	const prefix = `x-${settings.serviceName}-`;
	return {
		[`${prefix}key`]: settings.apiKey,
		[`${prefix}signature`]: requestSignature(settings, request, timestampText),
		[`${prefix}timestamp`]: timestampText,
	};
}

function timestamp(settings: SigningSettings, now: number): string {
	switch (settings.timestampFormat) {
		case 'unixMilliseconds':
			return String(now);
		case 'unixSeconds':
			return String(Math.floor(now / 1000));
		case 'iso8601':
			return new Date(now).toISOString();
		case 'static':
			return required(settings.staticTimestamp, 'Timestamp');
	}
}

function requestSignature(
	settings: SigningSettings,
	request: SignableRequest,
	timestampText: string,
): string {
	if (settings.signatureMethod === 'static') return required(settings.staticSignature, 'Signature');
	const { url, body } = request;
	return hmac(
		{
			secret: decodeSecret(settings.signatureSecret, settings.signatureSecretEncoding, 'Signature Secret'),
			algorithm: settings.signatureAlgorithm ?? 'sha256',
			encoding: settings.signatureEncoding ?? 'hex',
		},
		expand(settings.signaturePayload ?? '{timestamp}{method}{path}{body}', 'Signature Payload', {
			timestamp: () => timestampText,
			method: () => request.method.toUpperCase(),
			path: () => url.pathname,
			query: () => url.search.slice(1),
			pathWithQuery: () => url.pathname + url.search,
			host: () => url.host,
			body: () => body,
			key: () => settings.apiKey,
			bodySha256: () => createHash('sha256').update(body).digest('hex'),
			bodySha512: () => createHash('sha512').update(body).digest('hex'),
		}),
	);
}

/**
 * Whether a delivery was made by someone who holds the secret, and lately. Fails closed: a setting that cannot work
 * verifies nothing. `now` in milliseconds since 1970.
 */
export function verifyDelivery(settings: VerificationSettings, delivery: Delivery, now: number): Verdict {
	try {
		switch (settings.webhookVerification) {
			case 'none':
				return { ok: true };
			case 'token':
				return verifyToken(settings, delivery);
			case 'hmac':
				return verifyHmac(settings, delivery, now);
			default:
				return refuse('The credential names no way to verify webhooks');
		}
	} catch (error) {
		return refuse(error instanceof SettingError ? error.message : 'The delivery could not be checked');
	}
}

/** The signature header of a delivery, as a sender makes it: the other side of `verifyDelivery`. */
export function signDelivery(
	settings: VerificationSettings,
	body: Uint8Array,
	{ timestamp: sentAt = '', id = '' }: { timestamp?: string; id?: string } = {},
): string {
	const signature = hmac(webhookKey(settings), webhookParts(settings, body, sentAt, id));
	return signatureFormat(settings).replace(/\{(timestamp|signature)\}/g, (_, token) =>
		token === 'timestamp' ? sentAt : signature,
	);
}

function verifyToken(settings: VerificationSettings, delivery: Delivery): Verdict {
	const token = required(settings.webhookSecret, 'Webhook Secret');
	const name = required(settings.webhookHeader, 'Webhook Header');
	const sent = header(delivery, name);
	if (sent === undefined) return refuse(`The header ${name} is missing`);
	return equal(token, sent) ? { ok: true } : refuse(`The header ${name} does not hold the expected token`);
}

function verifyHmac(settings: VerificationSettings, delivery: Delivery, now: number): Verdict {
	const name = required(settings.webhookHeader, 'Webhook Header');
	const sent = header(delivery, name);
	if (sent === undefined) return refuse(`The header ${name} is missing`);
	const carried = readSignatureHeader(signatureFormat(settings), sent);
	if (carried.signatures.length === 0) {
		return refuse(`The header ${name} is not in the form that Webhook Signature Format describes`);
	}

	const { webhookTimestampHeader, webhookIdHeader, webhookTolerance = 300 } = settings;
	const sentAt = carried.timestamp ?? named(delivery, webhookTimestampHeader);
	const id = named(delivery, webhookIdHeader);
	for (const [source, value] of [
		[webhookTimestampHeader, sentAt],
		[webhookIdHeader, id],
	]) {
		if (source && value === undefined) return refuse(`The header ${source} is missing`);
	}
	const payload = settings.webhookPayload ?? '{body}';
	for (const [token, value, setting] of [
		['{timestamp}', sentAt, 'Webhook Timestamp Header'],
		['{id}', id, 'Webhook ID Header'],
	]) {
		if (payload.includes(String(token)) && value === undefined) {
			throw new SettingError(
				`Webhook Payload holds ${token}, but ${setting} does not say where it comes from`,
			);
		}
	}

	const key = webhookKey(settings);
	const expected = hmac(key, webhookParts(settings, delivery.body, sentAt ?? '', id ?? ''));
	// Hex digits mean the same in either case; base64 does not.
	const fold = (signature: string) => (key.encoding.startsWith('hex') ? signature.toLowerCase() : signature);
	// No early exit: the time taken says nothing about which signature fitted.
	const fits = carried.signatures.map((signature) => equal(fold(expected), fold(signature)));
	if (!fits.includes(true)) {
		return refuse('The signature does not fit the body. Check the secret and the signature settings');
	}
	// Looked at only now, so that an unsigned time cannot be probed.
	if (sentAt !== undefined && webhookTolerance > 0) return withinTolerance(sentAt, webhookTolerance, now);
	return { ok: true };
}

function withinTolerance(sentAt: string, toleranceSeconds: number, now: number): Verdict {
	const sent = readTime(sentAt);
	if (sent === undefined) return refuse('The timestamp of the delivery cannot be read');
	const seconds = Math.round(Math.abs(now - sent) / 1000);
	return Math.abs(now - sent) <= toleranceSeconds * 1000
		? { ok: true }
		: refuse(
				`The timestamp of the delivery is ${seconds} seconds away, more than the tolerance of ${toleranceSeconds}`,
			);
}

/** Unix seconds, Unix milliseconds or ISO 8601 -> milliseconds since 1970. */
function readTime(text: string): number | undefined {
	if (/^\d{1,11}$/.test(text)) return Number(text) * 1000;
	if (/^\d{12,14}$/.test(text)) return Number(text);
	const time = Date.parse(text);
	return Number.isNaN(time) ? undefined : time;
}

function webhookKey(settings: VerificationSettings): HmacKey {
	return {
		secret: decodeSecret(settings.webhookSecret, settings.webhookSecretEncoding, 'Webhook Secret'),
		algorithm: settings.webhookAlgorithm ?? 'sha256',
		encoding: settings.webhookSignatureEncoding ?? 'hex',
	};
}

function webhookParts(settings: VerificationSettings, body: Uint8Array, sentAt: string, id: string): Token[] {
	return expand(settings.webhookPayload ?? '{body}', 'Webhook Payload', {
		body: () => body,
		timestamp: () => sentAt,
		id: () => id,
	});
}

function signatureFormat(settings: VerificationSettings): string {
	const format = settings.webhookSignatureFormat ?? '{signature}';
	if (!format.includes('{signature}')) {
		throw new SettingError('Webhook Signature Format does not hold {signature}');
	}
	return format;
}

/**
 * Takes a header apart by its format. With a timestamp in it (`t={timestamp},v1={signature}`) the format is a list with
 * the separator that follows the first token; without one (`sha256={signature}`, `v1,{signature}`) it describes one
 * signature of possibly several, space-separated.
 */
function readSignatureHeader(format: string, value: string): { signatures: string[]; timestamp?: string } {
	const separator = format.includes('{timestamp}') ? (/\}(.)/.exec(format)?.[1] ?? ' ') : ' ';
	const patterns = format.split(separator);
	const parts = value.split(separator).map((part) => part.trim());
	const valuesOf = (token: string) => {
		const pattern = patterns.find((part) => part.includes(token))?.trim();
		if (pattern === undefined) return [];
		const [before, after] = pattern.split(token);
		return parts
			.filter(
				(part) =>
					part.length > before.length + after.length && part.startsWith(before) && part.endsWith(after),
			)
			.map((part) => part.slice(before.length, part.length - after.length));
	};
	return { signatures: valuesOf('{signature}'), timestamp: valuesOf('{timestamp}')[0] };
}

interface HmacKey {
	secret: Uint8Array;
	algorithm: DigestAlgorithm;
	encoding: SignatureEncoding;
}

function hmac({ secret, algorithm, encoding }: HmacKey, parts: Token[]): string {
	const mac = createHmac(algorithm, secret);
	for (const part of parts) mac.update(part);
	return encoding === 'hexUpper' ? mac.digest('hex').toUpperCase() : mac.digest(encoding);
}

/** The template's literal parts and the values of its tokens, in order. `\n` in a template is a line feed. */
function expand(template: string, setting: string, tokens: Tokens): Token[] {
	return template.split(/(\{\w+\})/).map((part, index) => {
		if (index % 2 === 0) return part.replaceAll('\\n', '\n');
		const name = part.slice(1, -1);
		if (!Object.hasOwn(tokens, name)) {
			const known = Object.keys(tokens).map((token) => `{${token}}`);
			throw new SettingError(`${setting} holds ${part}, which is none of ${known.join(' ')}`);
		}
		return tokens[name]();
	});
}

/** The bytes of a secret. Text that is not in its encoding is refused: Buffer would cut it short without a word. */
function decodeSecret(
	secret: string | undefined,
	encoding: SecretEncoding = 'utf8',
	setting: string,
): Uint8Array {
	const text = required(secret, setting);
	if (encoding === 'utf8') return Buffer.from(text, 'utf8');
	const wellFormed = encoding === 'hex' ? /^(?:[\da-f]{2})+$/i : /^[\w+/-]+={0,2}$/;
	if (!wellFormed.test(text)) throw new SettingError(`${setting} is not ${encoding} text`);
	return Buffer.from(text, encoding);
}

function required(value: string | undefined, setting: string): string {
	if (!value) throw new SettingError(`${setting} is empty`);
	return value;
}

function header(delivery: Delivery, name: string): string | undefined {
	const value = delivery.headers[name.toLowerCase()];
	return Array.isArray(value) ? value.join(',') : value;
}

function named(delivery: Delivery, name: string | undefined): string | undefined {
	return name ? header(delivery, name) : undefined;
}

function refuse(reason: string): Verdict {
	return { ok: false, reason };
}

/** Equality of texts in a time that depends on neither. Their digests are compared, so lengths do not show either. */
export function equal(a: string, b: string): boolean {
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(a), digest(b));
}
