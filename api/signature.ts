/**
 * Signing of requests and checking of webhooks: two uses of one piece of code. The document shows neither how the
 * service signs nor how its deliveries can be verified, so everything is a setting of the credential.
 */
import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto';

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
	/** Accepted besides, while a secret is being rotated. */
	webhookPreviousSecret?: string;
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
export class SettingError extends Error {
	/** By which it is known where n8n has put it into an error of its own. */
	static readonly code = 'SETTING';
	readonly code = SettingError.code;
}

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
			secret: readSecret(settings.signatureSecret, settings.signatureSecretEncoding, 'Signature Secret'),
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
				return verifyToken(tokenScheme(settings), delivery);
			case 'hmac':
				return verifyHmac(hmacScheme(settings), delivery, now);
			default:
				throw unknownMethod();
		}
	} catch (error) {
		return refuse(error instanceof SettingError ? error.message : 'The delivery could not be checked');
	}
}

/** Throws a SettingError where `verifyDelivery` would refuse every delivery, so that it can be said beforehand. */
export function checkVerification(settings: VerificationSettings): void {
	switch (settings.webhookVerification) {
		case 'none':
			return;
		case 'token':
			tokenScheme(settings);
			return;
		case 'hmac':
			hmacScheme(settings).payload(new Uint8Array(), '', '');
			return;
		default:
			throw unknownMethod();
	}
}

/** The signature header of a delivery, as a sender makes it: the other side of `verifyDelivery`. */
export function signDelivery(
	settings: VerificationSettings,
	body: Uint8Array,
	{ timestamp: sentAt = '', id = '' }: { timestamp?: string; id?: string } = {},
): string {
	const { keys, payload, format } = hmacScheme(settings);
	const signature = hmac(keys[0], payload(body, sentAt, id));
	return format.replace(/\{(timestamp|signature)\}/g, (_, token) =>
		token === 'timestamp' ? sentAt : signature,
	);
}

function unknownMethod(): SettingError {
	return new SettingError('The credential names no way to verify webhooks');
}

interface TokenScheme {
	header: string;
	tokens: string[];
}

function tokenScheme(settings: VerificationSettings): TokenScheme {
	return { header: required(settings.webhookHeader, 'Webhook Header'), tokens: webhookSecrets(settings) };
}

function verifyToken({ header: name, tokens }: TokenScheme, delivery: Delivery): Verdict {
	const sent = header(delivery, name);
	if (sent === undefined) return refuse(`The header ${name} is missing`);
	// No early exit here and below: the time taken says nothing about which secret fitted.
	// Digests are of one length: that of a token shows nowhere.
	const digest = (text: string) => hash('sha256', text);
	const fits = tokens.map((token) => constantTimeEqual(digest(token), digest(sent)));
	return fits.includes(true) ? { ok: true } : refuse(`The header ${name} does not hold the expected token`);
}

interface HmacScheme {
	header: string;
	/** One for each secret, the current one first. */
	keys: HmacKey[];
	/** What is signed. Throws a SettingError. */
	payload: (body: Uint8Array, sentAt: string, id: string) => Token[];
	format: string;
	timestampHeader?: string;
	idHeader?: string;
	/** Seconds; 0: no check. */
	tolerance: number;
}

function hmacScheme(settings: VerificationSettings): HmacScheme {
	const name = required(settings.webhookHeader, 'Webhook Header');
	const { webhookSignatureFormat: format = '{signature}', webhookPayload: template = '{body}' } = settings;
	if (!format.includes('{signature}')) {
		throw new SettingError('Webhook Signature Format does not hold {signature}');
	}
	const payload: HmacScheme['payload'] = (body, sentAt, id) =>
		expand(template, 'Webhook Payload', { body: () => body, timestamp: () => sentAt, id: () => id });
	const { webhookTimestampHeader: timestampHeader, webhookIdHeader: idHeader } = settings;
	for (const [token, source, setting] of [
		['{timestamp}', timestampHeader || format.includes('{timestamp}'), 'Webhook Timestamp Header'],
		['{id}', idHeader, 'Webhook ID Header'],
	] as const) {
		if (template.includes(token) && !source) {
			throw new SettingError(
				`Webhook Payload holds ${token}, but ${setting} does not say where it comes from`,
			);
		}
	}
	const { webhookTolerance: tolerance = 300 } = settings;
	if (typeof tolerance !== 'number' || !(tolerance >= 0)) {
		throw new SettingError('Webhook Tolerance is not a number of seconds');
	}
	const keys = webhookSecrets(settings).map((secret) => ({
		secret: readSecret(secret, settings.webhookSecretEncoding, 'Webhook Secret'),
		algorithm: settings.webhookAlgorithm ?? 'sha256',
		encoding: settings.webhookSignatureEncoding ?? 'hex',
	}));
	return { header: name, keys, payload, format, timestampHeader, idHeader, tolerance };
}

function verifyHmac(scheme: HmacScheme, delivery: Delivery, now: number): Verdict {
	const { header: name, keys, format, timestampHeader, idHeader, tolerance } = scheme;
	const sent = header(delivery, name);
	if (sent === undefined) return refuse(`The header ${name} is missing`);
	const carried = readSignatureHeader(format, sent);
	if (
		carried.signatures.length === 0 ||
		(format.includes('{timestamp}') && carried.timestamp === undefined)
	) {
		return refuse(`The header ${name} is not in the form that Webhook Signature Format describes`);
	}
	const sentAt = carried.timestamp ?? named(delivery, timestampHeader);
	const id = named(delivery, idHeader);
	for (const [source, value] of [
		[timestampHeader, sentAt],
		[idHeader, id],
	]) {
		if (source && value === undefined) return refuse(`The header ${source} is missing`);
	}

	const signed = scheme.payload(delivery.body, sentAt ?? '', id ?? '');
	const fits = keys.flatMap((key) => {
		// Hex digits mean the same in either case; base64 does not.
		const fold = (text: string) => (key.encoding.startsWith('hex') ? text.toLowerCase() : text);
		const expected = fold(hmac(key, signed));
		return carried.signatures.map((signature) => constantTimeEqual(expected, fold(signature)));
	});
	if (!fits.includes(true)) {
		return refuse('The signature does not fit the body. Check the secret and the signature settings');
	}
	// Looked at only now, so that an unsigned time cannot be probed.
	if (sentAt !== undefined && tolerance > 0) return withinTolerance(sentAt, tolerance, now);
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

function webhookSecrets(settings: VerificationSettings): string[] {
	const current = required(settings.webhookSecret, 'Webhook Secret');
	return settings.webhookPreviousSecret ? [current, settings.webhookPreviousSecret] : [current];
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

/** A secret as text: Node.js makes an HMAC of a text in a fifth of the time that it takes with the bytes. */
interface Secret {
	text: string;
	encoding: SecretEncoding;
}

interface HmacKey {
	secret: Secret;
	algorithm: DigestAlgorithm;
	encoding: SignatureEncoding;
}

function hmac({ secret, algorithm, encoding }: HmacKey, parts: Token[]): string {
	const mac = createHmac(algorithm, secret.text, { encoding: secret.encoding });
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

/** Text that is not in its encoding is refused: Node.js would cut it short without a word. */
function readSecret(secret: string | undefined, encoding: SecretEncoding = 'utf8', setting: string): Secret {
	const text = required(secret, setting);
	if (encoding === 'utf8') return { text, encoding };
	const wellFormed = encoding === 'hex' ? /^(?:[\da-f]{2})+$/i : /^[\w+/-]+={0,2}$/;
	// Standard Webhooks writes `whsec_` before the secret.
	const encoded = encoding === 'base64' ? text.replace(/^whsec_/, '') : text;
	if (!wellFormed.test(encoded)) throw new SettingError(`${setting} is not ${encoding} text`);
	return { text: encoded, encoding };
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

/** Equality of texts in a time that depends on neither, only on their lengths. */
export function constantTimeEqual(a: string, b: string): boolean {
	const [one, other] = [Buffer.from(a), Buffer.from(b)];
	return one.length === other.length && timingSafeEqual(one, other);
}
