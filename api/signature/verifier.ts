/** Verifies webhook deliveries by the settings of the credential. */
import { hash } from 'node:crypto';

import { DELIVERY_REFUSAL, SETTING } from '../messages.ts';
import { SettingError } from '../settingError.ts';
import { headerReader } from './header.ts';
import type { Candidate } from './header.ts';
import { constantTimeEqual, hmacSignatureKey } from './hmac.ts';
import type { SignatureKey } from './hmac.ts';
import { publicSignatureKey } from './publicKey.ts';
import { decode, readSecret, readToken } from './secret.ts';
import { choice, headerNameOf, requiredTextOf, resolveVerification, textOf } from './readSettings.ts';
import { MAX_TOLERANCE, SETTINGS } from './settings.ts';
import type { VerificationSettings } from './settings.ts';
import { BODY_TOKENS, bodyValues, fillTemplate, parseTemplate } from './template.ts';
import { readTime } from './time.ts';

/** A delivery as it arrived. Header names in lower case; `body` is the raw bytes. */
export interface Delivery {
	headers: Record<string, string | string[] | undefined>;
	body: Uint8Array;
}

/**
 * `header` is the name of the header with the token or signature, in lower case. `id` and `sentAt` (milliseconds since 1970)
 * are there if they are signed. `reason` is for the sender and the user; with `isSigned`, only the signed time is wrong.
 */
export type Verdict =
	| { ok: true; header: string; id?: string; sentAt?: number }
	| { ok: false; reason: string; isSigned?: true };

/** Whether the sender holds the secret and, if the time is signed, sent the delivery recently. `now` as `sentAt`. */
export type Verifier = (delivery: Delivery, now: number) => Verdict;

/** A longer header is refused before it is read. The longest known one, two RSA signatures of 4096 bits, has 1,400 characters. */
const MAX_HEADER_LENGTH = 4096;

/** Throws SettingError for settings that verify nothing. */
export function compileVerifier(chosen: VerificationSettings): Verifier {
	const settings = resolveVerification(chosen);
	switch (choice(settings, 'webhookVerification')) {
		case 'none':
			throw new SettingError(SETTING.nothingIsVerified);
		case 'token':
			return tokenVerifier(settings);
		case 'hmac':
			return signatureVerifier(settings, hmacKeys(settings));
		case 'publicKey':
			return signatureVerifier(settings, currentAndPrevious(settings, 'PublicKey', publicSignatureKey));
	}
}

/**
 * Checks a credential without its triggers. Throws SettingError if it cannot verify deliveries. The default style without a
 * secret, and *None*, mean that no trigger uses it.
 */
export function checkWebhookSettings(chosen: VerificationSettings): void {
	const { webhookStyle, webhookSecret } = chosen;
	if (webhookStyle === SETTINGS.webhookStyle.default && !webhookSecret) return;
	if (resolveVerification(chosen).webhookVerification !== 'none') compileVerifier(chosen);
}

function tokenVerifier(settings: VerificationSettings): Verifier {
	requiredTextOf(settings, 'webhookHeader');
	const header = headerNameOf(settings, 'webhookHeader');
	// Digests have one length, so the time taken does not reveal the length of the token.
	const digest = (text: string) => hash('sha256', text);
	const tokens = currentAndPrevious(settings, 'Secret', (text, label) => digest(readToken(text, label)));
	return (delivery) => {
		const received = headerValue(delivery, header);
		if (received === undefined) return refuse(DELIVERY_REFUSAL.headerIsMissing(header));
		// Every token is compared, so the time taken does not reveal which one matched.
		const matches = tokens.map((token) => constantTimeEqual(token, digest(received)));
		if (!matches.includes(true)) return refuse(DELIVERY_REFUSAL.headerHasOtherToken(header));
		return { ok: true, header: header.toLowerCase() };
	};
}

function signatureVerifier(settings: VerificationSettings, keys: SignatureKey[]): Verifier {
	const { header, timestampHeader, idHeader, readHeader, payload, checkAge } = readScheme(settings);
	const maxSignatures = Math.max(...keys.map((key) => key.maxSignatures));

	/** The times with a signature of them and of the body; '' stands for a time that is not signed. */
	const signedTimes = (candidates: Candidate[], body: Uint8Array, id: string) => {
		const possible = candidates
			.flatMap(({ signature, timestamp = '' }) => {
				const bytes = formsOf(signature).find((form) => keys.some((key) => key.couldBe(form)));
				return bytes === undefined ? [] : [{ bytes, timestamp }];
			})
			.slice(0, maxSignatures);
		return [...new Set(possible.map(({ timestamp }) => timestamp))].filter((time) => {
			const parts = payload(body, time, id);
			const checkers = keys.map((key) => key.checkerOf(parts));
			const signatures = possible.filter(({ timestamp }) => timestamp === time);
			// Every key and signature is compared, so the time taken does not reveal which one matched.
			return signatures
				.flatMap(({ bytes }) => checkers.map((isSignature) => isSignature(bytes)))
				.includes(true);
		});
	};

	return (delivery, now) => {
		const received = headerValue(delivery, header);
		if (received === undefined) return refuse(DELIVERY_REFUSAL.headerIsMissing(header));
		if (received.length > MAX_HEADER_LENGTH) return refuse(DELIVERY_REFUSAL.headerIsTooLong(header));
		const candidates = readHeader(received);
		if (candidates.length === 0) return refuse(DELIVERY_REFUSAL.headerHasOtherForm(header));
		const timestamp = timestampHeader && headerValue(delivery, timestampHeader);
		const id = idHeader && headerValue(delivery, idHeader);
		if (timestamp === undefined) return refuse(DELIVERY_REFUSAL.headerIsMissing(timestampHeader));
		if (idHeader && !id) return refuse(DELIVERY_REFUSAL.headerIsMissing(idHeader));

		const timed = timestampHeader
			? candidates.map(({ signature }) => ({ signature, timestamp }))
			: candidates;
		// The time comes last, so that nobody without the secret learns the tolerance or this clock.
		const ages = signedTimes(timed, delivery.body, id ?? '').map((time) => checkAge(time, now));
		const age = ages.find(({ ok }) => ok) ?? ages[0] ?? refuse(DELIVERY_REFUSAL.signatureDoesNotMatch);
		return age.ok && id ? { ...age, id } : age;
	};
}

/** What a text may stand for: hex or base64. The last digit of base64 has one spelling only. */
function formsOf(signature: string): Buffer[] {
	const [hex, base64] = [decode(signature, 'hex'), decode(signature, 'base64')];
	const digits = signature.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
	return [hex, base64?.toString('base64url') === digits ? base64 : undefined].filter(
		(form) => form !== undefined,
	);
}

const PAYLOAD_TOKENS = ['timestamp', 'id', ...BODY_TOKENS] as const;

/** What is signed, and where its parts are. Throws SettingError if the body is not signed, or what is read. */
function readScheme(settings: VerificationSettings) {
	const names = headerNames(settings);
	const { header, timestampHeader, idHeader } = names;
	const [format, signed] = [textOf(settings, 'webhookSignatureFormat'), textOf(settings, 'webhookPayload')];
	const template = parseTemplate(signed, SETTINGS.webhookPayload.label, PAYLOAD_TOKENS);

	const formatHasTime = format.includes('{timestamp}');
	const readsTime = timestampHeader !== '' || formatHasTime;
	const signs = (token: (typeof PAYLOAD_TOKENS)[number]) => template.tokens.includes(token);
	if (!BODY_TOKENS.some(signs)) throw new SettingError(SETTING.payloadHasNoBody);
	if (readsTime && !signs('timestamp')) throw new SettingError(SETTING.timeIsNotSigned);
	if (!readsTime && signs('timestamp')) throw new SettingError(SETTING.timestampHeaderIsEmpty);
	if (timestampHeader && formatHasTime) throw new SettingError(SETTING.timeIsReadTwice);
	if (idHeader && !signs('id')) throw new SettingError(SETTING.idIsNotSigned);
	if (!idHeader && signs('id')) throw new SettingError(SETTING.idHeaderIsEmpty);
	// Letters and digits could belong to the ID or to the time, so they separate nothing.
	if (/\{(?:id|timestamp)\}[\da-z]*\{(?:id|timestamp)\}/i.test(signed)) {
		throw new SettingError(SETTING.idTouchesTime);
	}
	const tolerance = readTolerance(settings);
	return {
		...names,
		readHeader: headerReader(format),
		payload: (body: Uint8Array, timestamp: string, id: string) =>
			fillTemplate(template, { ...bodyValues(body), timestamp: () => timestamp, id: () => id }),
		checkAge: (timestamp: string, now: number): Verdict => {
			const accepted = { ok: true, header: header.toLowerCase() } as const;
			// Beside an ID the time is always read: what nobody reads could take characters of the ID.
			if (!readsTime || (tolerance === 0 && idHeader === '')) return accepted;
			const sentAt = readTime(timestamp);
			if (sentAt === undefined) return refuseSigned(DELIVERY_REFUSAL.timestampIsUnreadable);
			const difference = Math.abs(now - sentAt);
			if (tolerance === 0 || difference <= tolerance * 1000) return { ...accepted, sentAt };
			const seconds = Math.round(difference / 1000);
			return refuseSigned(DELIVERY_REFUSAL.timestampIsFarAway(String(seconds), String(tolerance)));
		},
	};
}

function readTolerance(settings: VerificationSettings): number {
	const { webhookTolerance: tolerance = SETTINGS.webhookTolerance.default } = settings;
	// An expression can give a field any value.
	if (typeof tolerance === 'number' && tolerance >= 0 && tolerance <= MAX_TOLERANCE) return tolerance;
	throw new SettingError(SETTING.toleranceIsNotNumber(String(MAX_TOLERANCE)));
}

/** Two values need two headers. Throws SettingError. */
function headerNames(settings: VerificationSettings) {
	requiredTextOf(settings, 'webhookHeader');
	const used = new Map<string, string>();
	const read = (name: 'webhookHeader' | 'webhookTimestampHeader' | 'webhookIdHeader') => {
		const [header, { label }] = [headerNameOf(settings, name), SETTINGS[name]];
		const other = used.get(header.toLowerCase());
		if (other !== undefined) throw new SettingError(SETTING.headersAreSame(label, other));
		if (header !== '') used.set(header.toLowerCase(), label);
		return header;
	};
	const header = read('webhookHeader');
	return { header, timestampHeader: read('webhookTimestampHeader'), idHeader: read('webhookIdHeader') };
}

/** A secret or key and, while it is rotated, the one before. */
function currentAndPrevious<Key>(
	settings: VerificationSettings,
	kind: 'Secret' | 'PublicKey',
	read: (text: string, label: string) => Key,
): Key[] {
	const [current, previous] = [`webhook${kind}`, `webhookPrevious${kind}`] as const;
	const before = textOf(settings, previous);
	const now = read(requiredTextOf(settings, current), SETTINGS[current].label);
	return before === '' ? [now] : [now, read(before, SETTINGS[previous].label)];
}

function hmacKeys(settings: VerificationSettings): SignatureKey[] {
	const encoding = choice(settings, 'webhookSecretEncoding');
	const algorithm = choice(settings, 'webhookAlgorithm');
	return currentAndPrevious(settings, 'Secret', (text, label) =>
		hmacSignatureKey({ secret: readSecret(text, encoding, label), algorithm }),
	);
}

/** The value of a header. Several values are joined by commas, as Node.js does for most headers. */
function headerValue({ headers }: Delivery, name: string): string | undefined {
	const key = name.toLowerCase();
	const value = Object.hasOwn(headers, key) ? headers[key] : undefined;
	return Array.isArray(value) ? value.join(', ') : value;
}

const refuse = (reason: string): Verdict => ({ ok: false, reason });
const refuseSigned = (reason: string): Verdict => ({ ok: false, reason, isSigned: true });
