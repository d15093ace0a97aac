/** Verifies webhook deliveries, and signs them as a sender does: both sides use one scheme, read from the settings. */
import { hash } from 'node:crypto';

import { DELIVERY, SETTING } from '../messages.ts';
import { requireText, SettingError } from '../settingError.ts';
import { constantTimeEqual, fillTemplate, hmac, readSecret } from './hmac.ts';
import type { HmacKey, PayloadPart } from './hmac.ts';
import { SIGNATURE_DEFAULTS } from './settings.ts';
import type { VerificationSettings } from './settings.ts';
import { readSignatureHeader, writeSignatureHeader } from './signatureHeader.ts';

/** A delivery as it arrived. Header names in lower case; `body` is the raw bytes. */
export interface Delivery {
	headers: Record<string, string | string[] | undefined>;
	body: Uint8Array;
}

/** The reason is shown to the sender and to the user; it holds no secret. */
export type Verdict = { ok: true } | { ok: false; reason: string };

/**
 * Whether the sender holds the secret and, if the time is signed, sent the delivery recently. Fails closed: with settings
 * that cannot work, no delivery passes. `now` in milliseconds since 1970.
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
		return refuse(error instanceof SettingError ? error.message : DELIVERY.cannotBeChecked);
	}
}

/** Throws SettingError for settings with which `verifyDelivery` would refuse every delivery. */
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

/** The signature header of a delivery as its sender writes it. Throws SettingError. */
export function signDelivery(
	settings: VerificationSettings,
	body: Uint8Array,
	{ timestamp = '', id = '' }: { timestamp?: string; id?: string } = {},
): string {
	const { keys, payload, format } = hmacScheme(settings);
	const [currentKey] = keys;
	return writeSignatureHeader(format, hmac(currentKey, payload(body, timestamp, id)), timestamp);
}

function unknownMethod(): SettingError {
	return new SettingError(SETTING.verificationIsUnknown);
}

interface TokenScheme {
	header: string;
	tokens: string[];
}

function tokenScheme(settings: VerificationSettings): TokenScheme {
	return { header: webhookHeader(settings), tokens: acceptedSecrets(settings) };
}

function verifyToken({ header, tokens }: TokenScheme, delivery: Delivery): Verdict {
	const received = headerValue(delivery, header);
	if (received === undefined) return refuse(DELIVERY.headerIsMissing(header));
	// Digests have one length, so the time taken does not reveal the length of the token.
	const digest = (text: string) => hash('sha256', text);
	// Every token is compared, so the time taken does not reveal which one matched.
	const matches = tokens.map((token) => constantTimeEqual(digest(token), digest(received)));
	return matches.includes(true) ? { ok: true } : refuse(DELIVERY.headerHasOtherToken(header));
}

interface HmacScheme {
	header: string;
	keys: [current: HmacKey, ...previous: HmacKey[]];
	/** What is signed. Throws SettingError. */
	payload: (body: Uint8Array, timestamp: string, id: string) => PayloadPart[];
	format: string;
	timestampHeader?: string;
	idHeader?: string;
	/** Seconds; 0 means no check. */
	tolerance: number;
}

function hmacScheme(settings: VerificationSettings): HmacScheme {
	const header = webhookHeader(settings);
	const {
		webhookSignatureFormat: format = SIGNATURE_DEFAULTS.webhookSignatureFormat,
		webhookPayload: template = SIGNATURE_DEFAULTS.webhookPayload,
		webhookTolerance: tolerance = SIGNATURE_DEFAULTS.webhookTolerance,
		webhookTimestampHeader: timestampHeader,
		webhookIdHeader: idHeader,
	} = settings;
	if (!format.includes('{signature}')) throw new SettingError(SETTING.formatHasNoSignature);
	const hasTimestamp = Boolean(timestampHeader) || format.includes('{timestamp}');
	if (template.includes('{timestamp}') && !hasTimestamp) {
		throw new SettingError(SETTING.timestampHeaderIsEmpty);
	}
	if (template.includes('{id}') && !idHeader) {
		throw new SettingError(SETTING.idHeaderIsEmpty);
	}
	if (typeof tolerance !== 'number' || !(tolerance >= 0)) {
		throw new SettingError(SETTING.toleranceIsNotNumber);
	}
	const [current, ...previous] = acceptedSecrets(settings);
	const keyOf = (secret: string) => hmacKey(settings, secret);
	return {
		header,
		keys: [keyOf(current), ...previous.map(keyOf)],
		payload: (body, timestamp, id) =>
			fillTemplate(template, 'Webhook Payload', {
				body: () => body,
				timestamp: () => timestamp,
				id: () => id,
			}),
		format,
		timestampHeader,
		idHeader,
		tolerance,
	};
}

function hmacKey(settings: VerificationSettings, secret: string): HmacKey {
	const {
		webhookSecretEncoding = SIGNATURE_DEFAULTS.webhookSecretEncoding,
		webhookAlgorithm: algorithm = SIGNATURE_DEFAULTS.webhookAlgorithm,
		webhookSignatureEncoding: encoding = SIGNATURE_DEFAULTS.webhookSignatureEncoding,
	} = settings;
	return { secret: readSecret(secret, webhookSecretEncoding, 'Webhook Secret'), algorithm, encoding };
}

function verifyHmac(scheme: HmacScheme, delivery: Delivery, now: number): Verdict {
	const { header, keys, format, timestampHeader, idHeader, tolerance } = scheme;
	const received = headerValue(delivery, header);
	if (received === undefined) return refuse(DELIVERY.headerIsMissing(header));
	const { signatures, timestamp: carriedTimestamp } = readSignatureHeader(format, received);
	const lacksTimestamp = format.includes('{timestamp}') && carriedTimestamp === undefined;
	if (signatures.length === 0 || lacksTimestamp) return refuse(DELIVERY.headerHasOtherFormat(header));
	const timestamp = carriedTimestamp ?? optionalHeaderValue(delivery, timestampHeader);
	const id = optionalHeaderValue(delivery, idHeader);
	if (timestampHeader && timestamp === undefined) return refuse(DELIVERY.headerIsMissing(timestampHeader));
	if (idHeader && id === undefined) return refuse(DELIVERY.headerIsMissing(idHeader));

	const payload = scheme.payload(delivery.body, timestamp ?? '', id ?? '');
	// Every key and signature is compared, so the time taken does not reveal which one matched.
	const matches = keys.flatMap((key) => {
		const expected = hmac(key, payload);
		return signatures.map((signature) => isSameSignature(key, expected, signature));
	});
	if (!matches.includes(true)) return refuse(DELIVERY.signatureDoesNotMatch);
	// The time comes last, so that nobody without the secret learns the tolerance or this clock.
	return timestamp !== undefined && tolerance > 0 ? checkAge(timestamp, tolerance, now) : { ok: true };
}

/** Hex digits mean the same in upper and lower case; base64 characters do not. */
function isSameSignature({ encoding }: HmacKey, expected: string, received: string): boolean {
	return encoding.startsWith('hex')
		? constantTimeEqual(expected.toLowerCase(), received.toLowerCase())
		: constantTimeEqual(expected, received);
}

function checkAge(timestamp: string, toleranceSeconds: number, now: number): Verdict {
	const sentAt = readTime(timestamp);
	if (sentAt === undefined) return refuse(DELIVERY.timestampIsUnreadable);
	const difference = Math.abs(now - sentAt);
	if (difference <= toleranceSeconds * 1000) return { ok: true };
	const seconds = Math.round(difference / 1000);
	return refuse(DELIVERY.timestampIsFarAway(String(seconds), String(toleranceSeconds)));
}

/** Unix seconds, Unix milliseconds or ISO 8601 -> milliseconds since 1970. Undefined for anything else. */
function readTime(text: string): number | undefined {
	if (/^\d{1,11}$/.test(text)) return Number(text) * 1000;
	if (/^\d{12,14}$/.test(text)) return Number(text);
	const time = Date.parse(text);
	return Number.isNaN(time) ? undefined : time;
}

function webhookHeader(settings: VerificationSettings): string {
	return requireText(settings.webhookHeader, 'Webhook Header');
}

function acceptedSecrets(settings: VerificationSettings): [current: string, ...previous: string[]] {
	const current = requireText(settings.webhookSecret, 'Webhook Secret');
	return settings.webhookPreviousSecret ? [current, settings.webhookPreviousSecret] : [current];
}

function headerValue(delivery: Delivery, name: string): string | undefined {
	const value = delivery.headers[name.toLowerCase()];
	return Array.isArray(value) ? value.join(',') : value;
}

/** Undefined also if the setting names no header. */
function optionalHeaderValue(delivery: Delivery, name: string | undefined): string | undefined {
	return name ? headerValue(delivery, name) : undefined;
}

function refuse(reason: string): Verdict {
	return { ok: false, reason };
}
