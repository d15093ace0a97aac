/** Verifies webhook deliveries by the settings of the credential. */
import { hash, timingSafeEqual } from 'node:crypto';

import { SETTING } from '../messages.ts';
import { SettingError } from '../settingError.ts';
import { decode } from './encoding.ts';
import { headerReader } from './header.ts';
import { hmacCheck } from './hmac.ts';
import { DELIVERY_REFUSAL } from './messages.ts';
import { publicKeyCheck } from './publicKey.ts';
import { readSecret, readToken } from './secret.ts';
import { headerNameOf, resolveVerification, valueOf } from './readSettings.ts';
import { SETTINGS } from './settings.ts';
import type { VerificationSettings } from './settings.ts';
import { BODY_TOKENS, fillTemplate, parseTemplate } from './template.ts';
import type { SignatureCheck, Template } from './template.ts';
import { couldEndEarlier, readTime } from './time.ts';

/** A delivery as it arrived. Header names in lower case; `body` is the raw bytes. */
export interface Delivery {
	headers: Record<string, string | string[] | undefined>;
	body: Uint8Array;
}

/**
 * `header` is the name of the header with the token or signature, in lower case. `id` is there if it is signed. `reason` is for the
 * sender and the user; with `isSigned`, only the signed time is wrong.
 */
export type Verdict =
	| { ok: true; header: string; id?: string }
	| { ok: false; reason: string; isSigned?: true };

/** Whether the sender holds the secret and, if the time is signed, sent it recently. `now` is in milliseconds since 1970. */
export type Verifier = (delivery: Delivery, now: number) => Verdict;

/** A longer header is refused before it is read. The longest known one, two RSA signatures of 4096 bits, has 1,400 characters. */
const MAX_HEADER_LENGTH = 4096;

/** Throws SettingError for settings that verify nothing. */
export function compileVerifier(chosen: VerificationSettings): Verifier {
	const settings = resolveVerification(chosen);
	const method = valueOf(settings, 'webhookVerification');
	if (method === 'none') throw new SettingError(SETTING.nothingIsVerified);
	if (method === 'token') return tokenVerifier(settings);
	if (method === 'hmac') return signatureVerifier(settings, hmacChecks(settings));
	return signatureVerifier(settings, currentAndPrevious(settings, 'PublicKey', publicKeyCheck));
}

function tokenVerifier(settings: VerificationSettings): Verifier {
	const header = headerNameOf(settings, 'webhookHeader').toLowerCase();
	// Digests have one length, so the time taken does not reveal the length of the token.
	const digest = (text: string) => hash('sha256', text, 'buffer');
	const tokens = currentAndPrevious(settings, 'Secret', (text, label) => digest(readToken(text, label)));
	return (delivery) => {
		const received = headerValue(delivery, header);
		if (received === '') return refuse(DELIVERY_REFUSAL.headerIsMissing(header));
		// Every token is compared, so the time taken does not reveal which one matched.
		const matches = tokens.map((token) => timingSafeEqual(token, digest(received)));
		return matches.includes(true)
			? { ok: true, header }
			: refuse(DELIVERY_REFUSAL.headerHasOtherToken(header));
	};
}

function signatureVerifier(settings: VerificationSettings, checks: SignatureCheck[]): Verifier {
	const { header, timestampHeader, idHeader, names, format, template } = readScheme(settings);
	const readHeader = headerReader(format);
	const tolerance = valueOf(settings, 'webhookTolerance');
	const separators = separatorsBeforeId(template);
	// Beside an ID the time is always read: what nobody reads could take characters of the ID.
	const readsTime = template.tokens.includes('timestamp') && (tolerance > 0 || idHeader !== '');

	return (delivery, now) => {
		const missing = names.find((name) => headerValue(delivery, name) === '');
		if (missing !== undefined) return refuse(DELIVERY_REFUSAL.headerIsMissing(missing));
		const received = headerValue(delivery, header);
		if (received.length > MAX_HEADER_LENGTH) return refuse(DELIVERY_REFUSAL.headerIsTooLong(header));
		const found = readHeader(received);
		// '' stands for a time or an ID that is not signed.
		const times = format.includes('{timestamp}') ? found.times : [headerValue(delivery, timestampHeader)];
		const id = headerValue(delivery, idHeader);
		if (found.signatures.length === 0 || times.length === 0)
			return refuse(DELIVERY_REFUSAL.headerHasOtherForm(header));

		const signatures = found.signatures.flatMap(formsOf);
		const signedTimes = times.filter((timestamp) => {
			const payload = fillTemplate(template, { timestamp, id }, delivery.body);
			// Every key is tried, so the time taken does not reveal which one matched.
			return checks.map((isSignedBy) => isSignedBy(payload, signatures)).includes(true);
		});
		if (signedTimes.length === 0) return refuse(DELIVERY_REFUSAL.signatureDoesNotMatch);
		// The time comes last, so that nobody without the secret learns the tolerance or this clock.
		const problems = signedTimes.map((time) =>
			readsTime ? problemOf(time, { now, tolerance, separators }) : undefined,
		);
		const [reason] = problems.includes(undefined) ? [] : problems;
		if (reason !== undefined) return { ok: false, reason, isSigned: true };
		return { ok: true, header, ...(id !== '' && { id }) };
	};
}

/** What is signed, and where its parts are. Throws SettingError if the body is not signed, or what is read. */
function readScheme(settings: VerificationSettings) {
	const header = headerNameOf(settings, 'webhookHeader').toLowerCase();
	const timestampHeader = headerNameOf(settings, 'webhookTimestampHeader').toLowerCase();
	const idHeader = headerNameOf(settings, 'webhookIdHeader').toLowerCase();
	const names = [header, timestampHeader, idHeader].filter((name) => name !== '');
	if (new Set(names).size < names.length) throw new SettingError(SETTING.headersAreSame);
	const format = valueOf(settings, 'webhookSignatureFormat');
	const signed = valueOf(settings, 'webhookPayload');
	const { label } = SETTINGS.webhookPayload;
	const template = parseTemplate(signed, label, ['timestamp', 'id', ...BODY_TOKENS]);
	const formatHasTime = format.includes('{timestamp}');
	const readsTime = timestampHeader !== '' || formatHasTime;
	const signs = (token: string) => template.tokens.includes(token);
	if (!BODY_TOKENS.some(signs)) throw new SettingError(SETTING.payloadHasNoBody);
	if (readsTime && !signs('timestamp')) throw new SettingError(SETTING.isNotSigned('{timestamp}'));
	if (!readsTime && signs('timestamp')) throw new SettingError(SETTING.isNotRead('{timestamp}'));
	if (timestampHeader && formatHasTime) throw new SettingError(SETTING.timeIsReadTwice);
	if (idHeader && !signs('id')) throw new SettingError(SETTING.isNotSigned('{id}'));
	if (!idHeader && signs('id')) throw new SettingError(SETTING.isNotRead('{id}'));
	// Letters and digits could belong to the ID or to the time, so they separate nothing.
	if (/\{(?:id|timestamp)\}[\da-z]*\{(?:id|timestamp)\}/i.test(signed))
		throw new SettingError(SETTING.tokensTouch({ label, tokens: '{id} and {timestamp}' }));
	return { header, timestampHeader, idHeader, names, format, template };
}

/** What a text may stand for: hex or base64. The last digit of base64 has one spelling only. */
export function formsOf(signature: string): Buffer[] {
	const [hex, base64] = [decode(signature, 'hex'), decode(signature, 'base64')];
	const digits = signature.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
	const isBase64 = base64?.toString('base64url') === digits;
	return [hex, isBase64 ? base64 : undefined].filter((form) => form !== undefined);
}

/** What stands between a time and an ID behind it. Of an ID before the time, no character can move: no end of a time is a time. */
function separatorsBeforeId({ literals, tokens }: Template): string[] {
	const isBeforeId = (at: number) => tokens[at - 1] === 'timestamp' && tokens[at] === 'id';
	return literals.filter((_, at) => isBeforeId(at));
}

/** How a signed time is checked. `tolerance` is in seconds; 0 allows any time. */
interface TimeCheck {
	now: number;
	tolerance: number;
	separators: string[];
}

/** What is wrong with a signed time. */
function problemOf(time: string, { now, tolerance, separators }: TimeCheck): string | undefined {
	const difference = Math.abs(now - readTime(time));
	if (Number.isNaN(difference)) return DELIVERY_REFUSAL.timestampIsUnreadable;
	if (separators.some((separator) => couldEndEarlier(time, separator)))
		return DELIVERY_REFUSAL.timestampHasSeparator;
	if (tolerance === 0 || difference <= tolerance * 1000) return undefined;
	return DELIVERY_REFUSAL.timestampIsFarAway({
		seconds: String(Math.round(difference / 1000)),
		tolerance: String(tolerance),
	});
}

/** A secret or key and, while it is rotated, the one before. */
function currentAndPrevious<Key>(
	settings: VerificationSettings,
	kind: 'Secret' | 'PublicKey',
	read: (text: string, label: string) => Key,
): Key[] {
	const [current, previous] = [`webhook${kind}`, `webhookPrevious${kind}`] as const;
	const before = valueOf(settings, previous);
	const now = read(valueOf(settings, current), SETTINGS[current].label);
	return before === '' ? [now] : [now, read(before, SETTINGS[previous].label)];
}

function hmacChecks(settings: VerificationSettings): SignatureCheck[] {
	const encoding = valueOf(settings, 'webhookSecretEncoding');
	const algorithm = valueOf(settings, 'webhookAlgorithm');
	return currentAndPrevious(settings, 'Secret', (text, label) =>
		hmacCheck(readSecret(text, encoding, label), algorithm),
	);
}

/** The value of a header, '' if there is none. Several are joined by commas, as Node.js does for most headers. */
function headerValue({ headers }: Delivery, name: string): string {
	const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
	return [value ?? ''].flat().join(', ');
}

const refuse = (reason: string): Verdict => ({ ok: false, reason });
