/** Verifies webhook deliveries, and signs them as a sender does: both sides use one scheme, read from the settings. */
import { hash } from 'node:crypto';

import { DELIVERY_REFUSAL, SETTING } from '../messages.ts';
import { SettingError } from '../settingError.ts';
import { headerReader, writeSignatureHeader } from './header.ts';
import type { Candidate, HeaderReader } from './header.ts';
import { constantTimeEqual, hmac, hmacSignatureKey } from './hmac.ts';
import type { HmacKey, SignatureKey } from './hmac.ts';
import { publicSignatureKey } from './publicKey.ts';
import { readSecret, readToken } from './secret.ts';
import { choice, headerNameOf, requiredTextOf, textOf } from './readSettings.ts';
import { MAX_TOLERANCE, SETTINGS } from './settings.ts';
import type { VerificationSettings } from './settings.ts';
import { resolveVerification } from './styles.ts';
import { BODY_TOKENS, bodyValues, fillTemplate, parseTemplate } from './template.ts';
import type { PayloadPart } from './template.ts';
import { readTime } from './time.ts';

/** A delivery as it arrived. Header names in lower case; `body` is the raw bytes. */
export interface Delivery {
	headers: Record<string, string | string[] | undefined>;
	body: Uint8Array;
}

/**
 * `header` is the name of the header with the token or signature, in lower case. `id` and `sentAt` (milliseconds since 1970)
 * are there if the scheme signs them. The reason is shown to the sender and to the user; it holds no secret.
 */
export type Verdict =
	| { ok: true; header: string; id?: string; sentAt?: number }
	| { ok: false; reason: string };

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
			return signatureVerifier(settings, hmacKeys(settings).map(hmacSignatureKey));
		case 'publicKey':
			return signatureVerifier(settings, publicKeys(settings));
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

/** The signature header of a delivery as its sender writes it. Throws SettingError. */
export function signDelivery(
	chosen: VerificationSettings,
	body: Uint8Array,
	{ timestamp = '', id = '' }: { timestamp?: string; id?: string } = {},
): string {
	const settings = resolveVerification(chosen);
	if (settings.webhookVerification === 'publicKey') throw new SettingError(SETTING.publicKeyCannotSign);
	const [key] = hmacKeys(settings);
	const signature = hmac(key, readScheme(settings).payload(body, timestamp, id));
	return writeSignatureHeader(textOf(settings, 'webhookSignatureFormat'), signature, timestamp);
}

function tokenVerifier(settings: VerificationSettings): Verifier {
	const header = requiredHeader(settings);
	// Digests have one length, so the time taken does not reveal the length of the token.
	const digest = (text: string) => hash('sha256', text);
	const accepted = currentAndPrevious(settings, 'webhookSecret', 'webhookPreviousSecret');
	const tokens = accepted.map(({ text, label }) => digest(readToken(text, label)));
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

	/** The candidates with a signature of the body, and of their time if it is signed. */
	const accept = (candidates: Candidate[], body: Uint8Array, id: string) => {
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
	};

	return (delivery, now) => {
		const received = headerValue(delivery, header);
		if (received === undefined) return refuse(DELIVERY_REFUSAL.headerIsMissing(header));
		if (received.length > MAX_HEADER_LENGTH) return refuse(DELIVERY_REFUSAL.headerIsTooLong(header));
		const candidates = readHeader(received);
		if (candidates.length === 0) return refuse(DELIVERY_REFUSAL.headerHasOtherForm(header));
		const timestamp = timestampHeader && headerValue(delivery, timestampHeader);
		const id = idHeader && headerValue(delivery, idHeader);
		if (timestampHeader && timestamp === undefined)
			return refuse(DELIVERY_REFUSAL.headerIsMissing(timestampHeader));
		if (idHeader && !id) return refuse(DELIVERY_REFUSAL.headerIsMissing(idHeader));

		const timed = timestampHeader
			? candidates.map(({ signature }) => ({ signature, timestamp }))
			: candidates;
		const accepted = accept(timed, delivery.body, id ?? '');
		// The time comes last, so that nobody without the secret learns the tolerance or this clock.
		const ages = accepted.map((candidate) => checkAge(candidate, now));
		const age = ages.find(({ ok }) => ok) ?? ages[0] ?? refuse(DELIVERY_REFUSAL.signatureDoesNotMatch);
		return age.ok && id ? { ...age, id } : age;
	};
}

/** What a signature covers, and where its parts are. */
interface Scheme {
	header: string;
	timestampHeader: string;
	idHeader: string;
	readHeader: HeaderReader;
	payload: (body: Uint8Array, timestamp: string, id: string) => PayloadPart[];
	checkAge: (candidate: Candidate, now: number) => Verdict;
}

const PAYLOAD_TOKENS = ['timestamp', 'id', ...BODY_TOKENS] as const;

/** Throws SettingError for a setting that would not verify the body, or reads what is not signed. */
function readScheme(settings: VerificationSettings): Scheme {
	const names = headerNames(settings);
	const { timestampHeader, idHeader } = names;
	const format = textOf(settings, 'webhookSignatureFormat');
	const time = choice(settings, 'webhookTimestampFormat');
	const { label } = SETTINGS.webhookPayload;
	const template = parseTemplate(textOf(settings, 'webhookPayload'), label, PAYLOAD_TOKENS);
	const { tokens, literals } = template;

	const formatHasTime = format.includes('{timestamp}');
	const readsTime = timestampHeader !== '' || formatHasTime;
	const signs = (token: (typeof PAYLOAD_TOKENS)[number]) => tokens.includes(token);
	if (!BODY_TOKENS.some(signs)) throw new SettingError(SETTING.payloadHasNoBody);
	if (readsTime && !signs('timestamp')) throw new SettingError(SETTING.timeIsNotSigned);
	if (!readsTime && signs('timestamp')) throw new SettingError(SETTING.timestampHeaderIsEmpty);
	if (timestampHeader && formatHasTime) throw new SettingError(SETTING.timeIsReadTwice);
	if (idHeader && !signs('id')) throw new SettingError(SETTING.idIsNotSigned);
	if (!idHeader && signs('id')) throw new SettingError(SETTING.idHeaderIsEmpty);
	// Letters and digits between ID and time could belong to either. With nothing between, only a known form of the time tells.
	const touches = tokens.some((token, index) => {
		const [pair, between = ''] = [`${token} ${tokens[index + 1]}`, literals[index + 1]];
		const isTold = /[^\da-z]/i.test(between) || (between === '' && time !== 'auto');
		return pair === 'timestamp id' ? !/[^\da-z]/i.test(between) : pair === 'id timestamp' && !isTold;
	});
	if (touches) throw new SettingError(SETTING.idTouchesTime);
	return {
		...names,
		readHeader: headerReader(format, time),
		payload: (body, timestamp, id) =>
			fillTemplate(template, { ...bodyValues(body), timestamp: () => timestamp, id: () => id }),
		checkAge: ageCheck(settings, names),
	};
}

function ageCheck(
	settings: VerificationSettings,
	{ header, idHeader }: Pick<Scheme, 'header' | 'idHeader'>,
): Scheme['checkAge'] {
	const accepted = { ok: true, header: header.toLowerCase() } as const;
	const format = choice(settings, 'webhookTimestampFormat');
	const tolerance = readTolerance(settings);
	// A time that nobody reads could take characters of the ID.
	const isRead = tolerance > 0 || format !== 'auto' || idHeader !== '';
	return ({ timestamp }, now) => {
		if (timestamp === undefined || !isRead) return accepted;
		const sentAt = readTime(timestamp, format);
		if (sentAt === undefined) return refuse(DELIVERY_REFUSAL.timestampIsUnreadable);
		const difference = Math.abs(now - sentAt);
		if (tolerance === 0 || difference <= tolerance * 1000) return { ...accepted, sentAt };
		const seconds = Math.round(difference / 1000);
		return refuse(DELIVERY_REFUSAL.timestampIsFarAway(String(seconds), String(tolerance)));
	};
}

function readTolerance(settings: VerificationSettings): number {
	const { webhookTolerance: tolerance = SETTINGS.webhookTolerance.default } = settings;
	// An expression can give a field any value.
	if (typeof tolerance === 'number' && tolerance >= 0 && tolerance <= MAX_TOLERANCE) return tolerance;
	throw new SettingError(SETTING.toleranceIsNotNumber(String(MAX_TOLERANCE)));
}

function requiredHeader(settings: VerificationSettings): string {
	requiredTextOf(settings, 'webhookHeader');
	return headerNameOf(settings, 'webhookHeader');
}

/** Two values need two headers. Throws SettingError. */
function headerNames(settings: VerificationSettings) {
	const header = requiredHeader(settings);
	const timestampHeader = headerNameOf(settings, 'webhookTimestampHeader');
	const idHeader = headerNameOf(settings, 'webhookIdHeader');
	const used = new Map<string, string>();
	for (const name of ['webhookHeader', 'webhookTimestampHeader', 'webhookIdHeader'] as const) {
		const [{ label }, lowerCase] = [SETTINGS[name], textOf(settings, name).toLowerCase()];
		const other = used.get(lowerCase);
		if (other !== undefined) throw new SettingError(SETTING.headersAreSame(label, other));
		if (lowerCase !== '') used.set(lowerCase, label);
	}
	return { header, timestampHeader, idHeader };
}

type Accepted = Array<{ text: string; label: string }>;

/** A secret or key and, while it is rotated, the one before. */
function currentAndPrevious(
	settings: VerificationSettings,
	current: 'webhookSecret' | 'webhookPublicKey',
	previous: 'webhookPreviousSecret' | 'webhookPreviousPublicKey',
): [Accepted[number], ...Accepted] {
	const before = { text: textOf(settings, previous), label: SETTINGS[previous].label };
	const now = { text: requiredTextOf(settings, current), label: SETTINGS[current].label };
	return before.text === '' ? [now] : [now, before];
}

function hmacKeys(settings: VerificationSettings): [HmacKey, ...HmacKey[]] {
	const secretEncoding = choice(settings, 'webhookSecretEncoding');
	const algorithm = choice(settings, 'webhookAlgorithm');
	const encoding = choice(settings, 'webhookSignatureEncoding');
	const keyOf = ({ text, label }: Accepted[number]) => ({
		...{ secret: readSecret(text, secretEncoding, label), algorithm, encoding },
	});
	const [now, ...before] = currentAndPrevious(settings, 'webhookSecret', 'webhookPreviousSecret');
	return [keyOf(now), ...before.map(keyOf)];
}

function publicKeys(settings: VerificationSettings): SignatureKey[] {
	const algorithm = choice(settings, 'webhookPublicKeyAlgorithm');
	const encoding = choice(settings, 'webhookSignatureEncoding');
	return currentAndPrevious(settings, 'webhookPublicKey', 'webhookPreviousPublicKey').map(({ text, label }) =>
		publicSignatureKey(text, algorithm, encoding, label),
	);
}

/** The value of a header. Several values are joined by commas, as Node.js does for most headers. */
function headerValue({ headers }: Delivery, name: string): string | undefined {
	const key = name.toLowerCase();
	const value = Object.hasOwn(headers, key) ? headers[key] : undefined;
	return Array.isArray(value) ? value.join(', ') : value;
}

function refuse(reason: string): { ok: false; reason: string } {
	return { ok: false, reason };
}
