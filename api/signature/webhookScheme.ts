/** What a delivery is verified with, read from the settings. A setting that would verify nothing is refused by name. */
import { SETTING } from '../messages.ts';
import { optionalText, requireText, SettingError } from '../settingError.ts';
import { requireHeaderName } from './headerName.ts';
import type { HmacKey } from './hmac.ts';
import { requireOption } from './option.ts';
import { publicSignatureKey } from './publicKey.ts';
import { readSecret, readToken } from './secret.ts';
import { MAX_TOLERANCE, SIGNATURE_DEFAULTS, VALUES } from './settings.ts';
import type { SignatureEncoding, TimestampUnit, VerificationSettings } from './settings.ts';
import { headerReader } from './signatureHeader.ts';
import type { HeaderReader } from './signatureHeader.ts';
import { hmacSignatureKey } from './signatureKey.ts';
import type { SignatureKey } from './signatureKey.ts';
import { fillTemplate, literalsBetween, parseTemplate } from './template.ts';
import type { PayloadPart, Template } from './template.ts';

/** A header that holds a shared secret. */
export interface TokenScheme {
	header: string;
	tokens: string[];
}

/** A header that holds a signature. */
export interface SignedScheme {
	header: string;
	readHeader: HeaderReader;
	keys: SignatureKey[];
	/** Signatures of the right length that are tried. */
	maxSignatures: number;
	payload: (body: Uint8Array, timestamp: string, id: string) => PayloadPart[];
	timestampHeader?: string;
	timestampUnit: TimestampUnit;
	idHeader?: string;
	/** Seconds; 0 means no check. */
	tolerance: number;
}

/** Senders that rotate a secret send two or three signatures. */
const MAX_SIGNATURES = 10;

/** A public key takes 0.1 to 0.2 ms for each signature. While a sender rotates its key, it sends two. */
const MAX_PUBLIC_KEY_SIGNATURES = 2;

/** Throws SettingError. */
export function tokenScheme(settings: VerificationSettings): TokenScheme {
	return {
		header: webhookHeader(settings),
		tokens: acceptedSecrets(settings).map(({ secret, label }) => readToken(secret, label)),
	};
}

/** Throws SettingError. */
export function signedScheme(settings: VerificationSettings): SignedScheme {
	const isPublic = settings.webhookVerification === 'publicKey';
	const {
		webhookSignatureFormat: format = SIGNATURE_DEFAULTS.webhookSignatureFormat,
		webhookTimestampUnit: unit = SIGNATURE_DEFAULTS.webhookTimestampUnit,
	} = settings;
	const timestampUnit = requireOption(unit, VALUES.timestampUnit, 'Webhook Timestamp Unit');
	return {
		...headerNames(settings),
		keys: isPublic ? [publicKey(settings)] : hmacKeys(settings).map(hmacSignatureKey),
		maxSignatures: isPublic ? MAX_PUBLIC_KEY_SIGNATURES : MAX_SIGNATURES,
		readHeader: headerReader(format, timestampUnit),
		payload: readPayload(settings, format),
		timestampUnit,
		tolerance: readTolerance(settings),
	};
}

/** The current key and, while a secret is rotated, the previous one. Throws SettingError. */
export function hmacKeys(settings: VerificationSettings): [current: HmacKey, ...previous: HmacKey[]] {
	const {
		webhookSecretEncoding = SIGNATURE_DEFAULTS.webhookSecretEncoding,
		webhookAlgorithm = SIGNATURE_DEFAULTS.webhookAlgorithm,
	} = settings;
	const secretEncoding = requireOption(
		webhookSecretEncoding,
		VALUES.secretEncoding,
		'Webhook Secret Encoding',
	);
	const algorithm = requireOption(webhookAlgorithm, VALUES.webhookAlgorithm, 'Webhook Algorithm');
	const encoding = signatureEncodingOf(settings);
	const keyOf = ({ secret, label }: LabelledSecret): HmacKey => ({
		secret: readSecret(secret, secretEncoding, label),
		algorithm,
		encoding,
	});
	const [current, ...previous] = acceptedSecrets(settings);
	return [keyOf(current), ...previous.map(keyOf)];
}

function publicKey(settings: VerificationSettings): SignatureKey {
	const { webhookPublicKeyAlgorithm = SIGNATURE_DEFAULTS.webhookPublicKeyAlgorithm } = settings;
	const algorithm = requireOption(
		webhookPublicKeyAlgorithm,
		VALUES.publicKeyAlgorithm,
		'Webhook Public Key Algorithm',
	);
	return publicSignatureKey(settings.webhookPublicKey, algorithm, signatureEncodingOf(settings));
}

function signatureEncodingOf({
	webhookSignatureEncoding: encoding = SIGNATURE_DEFAULTS.webhookSignatureEncoding,
}: VerificationSettings): SignatureEncoding {
	return requireOption(encoding, VALUES.signatureEncoding, 'Webhook Signature Encoding');
}

const PAYLOAD_TOKENS = ['body', 'timestamp', 'id'] as const;

/** What is signed: the body, and everything else that is read from the delivery. */
function readPayload(settings: VerificationSettings, format: string): SignedScheme['payload'] {
	const { webhookPayload = SIGNATURE_DEFAULTS.webhookPayload } = settings;
	const template = parseTemplate(webhookPayload, 'Webhook Payload', PAYLOAD_TOKENS);
	requireSigned(template, settings, format);
	return (body, timestamp, id) =>
		fillTemplate(template, { body: () => body, timestamp: () => timestamp, id: () => id });
}

function requireSigned(
	template: Template<(typeof PAYLOAD_TOKENS)[number]>,
	{ webhookTimestampHeader, webhookIdHeader }: VerificationSettings,
	format: string,
): void {
	const signs = (token: (typeof PAYLOAD_TOKENS)[number]) => template.tokens.includes(token);
	const formatHasTime = format.includes('{timestamp}');
	const readsTime = Boolean(webhookTimestampHeader) || formatHasTime;
	if (!signs('body')) throw new SettingError(SETTING.payloadHasNoBody);
	if (readsTime && !signs('timestamp')) throw new SettingError(SETTING.timeIsNotSigned);
	if (!readsTime && signs('timestamp')) throw new SettingError(SETTING.timestampHeaderIsEmpty);
	if (webhookTimestampHeader && formatHasTime) throw new SettingError(SETTING.timeIsReadTwice);
	if (webhookIdHeader && !signs('id')) throw new SettingError(SETTING.idIsNotSigned);
	if (!webhookIdHeader && signs('id')) throw new SettingError(SETTING.idHeaderIsEmpty);
	// Letters and digits could belong to the ID as well as to the literal.
	const separates = (literal: string) => /[^\da-z]/i.test(literal);
	if (!literalsBetween(template, 'id', 'timestamp').every(separates)) {
		throw new SettingError(SETTING.idTouchesTime);
	}
}

function readTolerance({
	webhookTolerance: tolerance = SIGNATURE_DEFAULTS.webhookTolerance,
}: VerificationSettings): number {
	// An expression can give a field any value.
	if (typeof tolerance === 'number' && tolerance >= 0 && tolerance <= MAX_TOLERANCE) return tolerance;
	throw new SettingError(SETTING.toleranceIsNotNumber(String(MAX_TOLERANCE)));
}

function headerNames(settings: VerificationSettings) {
	const header = webhookHeader(settings);
	const timestampHeader = optionalHeaderName(settings.webhookTimestampHeader, 'Webhook Timestamp Header');
	const idHeader = optionalHeaderName(settings.webhookIdHeader, 'Webhook ID Header');
	const isSame = (one: string, other: string) => one !== '' && one.toLowerCase() === other.toLowerCase();
	const refuse = (label: string, other: string) => new SettingError(SETTING.headersAreSame(label, other));
	if (isSame(timestampHeader, header)) throw refuse('Webhook Timestamp Header', 'Webhook Header');
	if (isSame(idHeader, header)) throw refuse('Webhook ID Header', 'Webhook Header');
	if (isSame(idHeader, timestampHeader)) throw refuse('Webhook ID Header', 'Webhook Timestamp Header');
	return { header, timestampHeader, idHeader };
}

function optionalHeaderName(value: unknown, label: string): string {
	const name = optionalText(value, label);
	return name === '' ? '' : requireHeaderName(name, label, SIGNATURE_DEFAULTS.webhookHeader);
}

function webhookHeader({ webhookHeader: name }: VerificationSettings): string {
	const label = 'Webhook Header';
	return requireHeaderName(requireText(name, label), label, SIGNATURE_DEFAULTS.webhookHeader);
}

interface LabelledSecret {
	secret: unknown;
	label: string;
}

function acceptedSecrets({
	webhookSecret,
	webhookPreviousSecret,
}: VerificationSettings): [current: LabelledSecret, ...previous: LabelledSecret[]] {
	const label = 'Webhook Secret';
	const current = { secret: requireText(webhookSecret, label), label };
	const previousLabel = 'Previous Webhook Secret';
	const previous = optionalText(webhookPreviousSecret, previousLabel);
	return previous === '' ? [current] : [current, { secret: previous, label: previousLabel }];
}
