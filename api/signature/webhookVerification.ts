/** Verifies webhook deliveries, and signs them as a sender does: both sides use one scheme, read from the settings. */
import { hash } from 'node:crypto';

import { DELIVERY, SETTING } from '../messages.ts';
import { SettingError } from '../settingError.ts';
import { readTime } from './deliveryTime.ts';
import { constantTimeEqual, hmac } from './hmac.ts';
import { resolveVerification } from './resolveStyle.ts';
import { SIGNATURE_DEFAULTS, VALUES } from './settings.ts';
import type { VerificationSettings } from './settings.ts';
import { writeSignatureHeader } from './signatureHeader.ts';
import type { Candidate } from './signatureHeader.ts';
import { hmacKeys, signedScheme, tokenScheme } from './webhookScheme.ts';
import type { SignedScheme, TokenScheme } from './webhookScheme.ts';

/** A delivery as it arrived. Header names in lower case; `body` is the raw bytes. */
export interface Delivery {
	headers: Record<string, string | string[] | undefined>;
	body: Uint8Array;
}

/** `id`: the message ID that is signed, if the scheme has one. The reason is shown to the sender and to the user; it holds no secret. */
export type Verdict = { ok: true; id?: string } | { ok: false; reason: string };

/** A longer header is refused before it is read. The longest known one, two RSA signatures of 4096 bits, has 1,400 characters. */
const MAX_HEADER_LENGTH = 4096;

/**
 * Whether the sender holds the secret and, if the time is signed, sent the delivery recently. Fails closed: with settings
 * that cannot work, no delivery passes. `now` in milliseconds since 1970.
 */
export function verifyDelivery(chosen: VerificationSettings, delivery: Delivery, now: number): Verdict {
	try {
		const settings = resolveVerification(chosen);
		switch (settings.webhookVerification) {
			case 'none':
				return { ok: true };
			case 'token':
				return verifyToken(tokenScheme(settings), delivery);
			case 'hmac':
			case 'publicKey':
				return verifySignature(signedScheme(settings), delivery, now);
			default:
				throw unknownVerification();
		}
	} catch (error) {
		return refuse(error instanceof SettingError ? error.message : DELIVERY.cannotBeChecked);
	}
}

/** Throws SettingError for settings with which `verifyDelivery` would refuse every delivery. */
export function checkVerification(chosen: VerificationSettings): void {
	const settings = resolveVerification(chosen);
	switch (settings.webhookVerification) {
		case 'none':
			return;
		case 'token':
			tokenScheme(settings);
			return;
		case 'hmac':
		case 'publicKey':
			signedScheme(settings);
			return;
		default:
			throw unknownVerification();
	}
}

/**
 * The same for a credential whose triggers are not known. The default style without a secret means that none of them
 * verifies deliveries. Throws SettingError.
 */
export function checkWebhookSettings(chosen: VerificationSettings): void {
	const { webhookStyle, webhookSecret } = chosen;
	const isUnused = webhookStyle === SIGNATURE_DEFAULTS.webhookStyle && !webhookSecret;
	if (!isUnused) checkVerification(chosen);
}

/** The signature header of a delivery as its sender writes it. Throws SettingError. */
export function signDelivery(
	chosen: VerificationSettings,
	body: Uint8Array,
	{ timestamp = '', id = '' }: { timestamp?: string; id?: string } = {},
): string {
	const settings = resolveVerification(chosen);
	const { webhookSignatureFormat = SIGNATURE_DEFAULTS.webhookSignatureFormat } = settings;
	if (settings.webhookVerification === 'publicKey') throw new SettingError(SETTING.publicKeyCannotSign);
	const { payload } = signedScheme(settings);
	const [currentKey] = hmacKeys(settings);
	const signature = hmac(currentKey, payload(body, timestamp, id));
	return writeSignatureHeader(webhookSignatureFormat, signature, timestamp);
}

function unknownVerification(): SettingError {
	return new SettingError(
		SETTING.valueIsUnknown('Webhook Verification', VALUES.webhookVerification.join(', ')),
	);
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

function verifySignature(scheme: SignedScheme, delivery: Delivery, now: number): Verdict {
	const { header, timestampHeader, idHeader } = scheme;
	const received = headerValue(delivery, header);
	if (received === undefined) return refuse(DELIVERY.headerIsMissing(header));
	if (received.length > MAX_HEADER_LENGTH) return refuse(DELIVERY.headerIsTooLong(header));
	const candidates = scheme.readHeader(received);
	if (candidates.length === 0) return refuse(DELIVERY.headerHasOtherFormat(header));
	const timestamp = timestampHeader && headerValue(delivery, timestampHeader);
	const id = idHeader && headerValue(delivery, idHeader);
	if (timestampHeader && timestamp === undefined) return refuse(DELIVERY.headerIsMissing(timestampHeader));
	if (idHeader && id === undefined) return refuse(DELIVERY.headerIsMissing(idHeader));

	const timed = timestampHeader ? candidates.map(({ signature }) => ({ signature, timestamp })) : candidates;
	const accepted = acceptedCandidates(scheme, timed, delivery.body, id ?? '');
	if (accepted.length === 0) return refuse(DELIVERY.signatureDoesNotMatch);
	// The time comes last, so that nobody without the secret learns the tolerance or this clock.
	const ages = accepted.map((candidate) => checkAge(scheme, candidate, now));
	if (ages.some(({ ok }) => ok)) return { ok: true, ...(id && { id }) };
	return ages[0] ?? refuse(DELIVERY.cannotBeChecked);
}

/** The candidates with a signature of the body, and of their time if it is signed. */
function acceptedCandidates(
	{ keys, maxSignatures, payload }: SignedScheme,
	candidates: Candidate[],
	body: Uint8Array,
	id: string,
): Candidate[] {
	const checkers = new Map<string, Array<(signature: string) => boolean>>();
	const checkersFor = (timestamp: string) => {
		const known = checkers.get(timestamp);
		if (known !== undefined) return known;
		const parts = payload(body, timestamp, id);
		const made = keys.map((key) => key.checkerOf(parts));
		checkers.set(timestamp, made);
		return made;
	};
	return (
		candidates
			.filter(({ signature }) => keys.some((key) => key.couldBe(signature)))
			.slice(0, maxSignatures)
			// Every key and signature is compared, so the time taken does not reveal which one matched.
			.filter(({ signature, timestamp = '' }) =>
				checkersFor(timestamp)
					.map((isSignature) => isSignature(signature))
					.includes(true),
			)
	);
}

function checkAge(
	{ tolerance, timestampUnit }: SignedScheme,
	{ timestamp }: Candidate,
	now: number,
): Verdict {
	if (timestamp === undefined || tolerance === 0) return { ok: true };
	const sentAt = readTime(timestamp, timestampUnit);
	if (sentAt === undefined) return refuse(DELIVERY.timestampIsUnreadable);
	const difference = Math.abs(now - sentAt);
	if (difference <= tolerance * 1000) return { ok: true };
	const seconds = Math.round(difference / 1000);
	return refuse(DELIVERY.timestampIsFarAway(String(seconds), String(tolerance)));
}

/** The value of a header. Several values are joined by commas, as Node.js does for most headers. */
function headerValue({ headers }: Delivery, name: string): string | undefined {
	const key = name.toLowerCase();
	const value = Object.hasOwn(headers, key) ? headers[key] : undefined;
	return Array.isArray(value) ? value.join(', ') : value;
}

function refuse(reason: string): Verdict {
	return { ok: false, reason };
}
