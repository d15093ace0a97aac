/**
 * Every message about the settings of the credential and about deliveries that they do not accept. A table: no logic.
 * docs/troubleshoot.md quotes some. Parameters of the functions are texts to insert; none of them is a secret.
 */
import { SETTINGS } from './signature/settings.ts';
import type { SettingName } from './signature/settings.ts';

const field = (name: SettingName): string => SETTINGS[name].label;
const BASE_URL = field('baseUrl');
const PAYLOAD = field('webhookPayload');
const FORMAT = field('webhookSignatureFormat');
const TIME_HEADER = field('webhookTimestampHeader');
const ID_HEADER = field('webhookIdHeader');
const TOLERANCE = field('webhookTolerance');

type Messages = Record<string, string | ((...inserted: string[]) => string)>;

/** A setting that cannot work. `label` is the name of a field in the form. */
export const SETTING = {
	isEmpty: (label) => `${label} is empty`,
	isNotText: (label) => `${label} is not text`,
	baseUrlIsNotAddress: `${BASE_URL} is not a whole address. Enter one such as https://api.example.com`,
	baseUrlIsNotHttps: `${BASE_URL} must begin with https://. Only localhost may use http://`,
	baseUrlHasQuery: `${BASE_URL} contains ? or #. Enter only the address, such as https://api.example.com`,
	serviceNameIsInvalid: `${field('serviceName')} must be lower-case letters, digits and hyphens, such as svc`,
	secretIsNotEncoded: (label, encoding) => `${label} is not ${encoding} text`,
	tokenIsUnknown: (label, token, known) => `${label} contains ${token}, which is not one of ${known}`,
	bodyIsNotJson: 'Only a JSON body can be signed with this credential',
	secretIsZero: (label) => `${label} consists of zero bytes only, so anyone can sign with it`,
	secretIsPublicKey: (label) => `${label} is a public key or a certificate, which anyone may know`,
	secretIsPrefix: (label) => `${label} has nothing after whsec_`,
	tokenIsNotAscii: (label) => `${label} has a character that is not plain ASCII, so a header cannot hold it`,
	hasSpaceAround: (label) => `${label} begins or ends with a space or a line break`,
	valueIsUnknown: (label, known) => `${label} has an unknown value. It must be one of ${known}`,
	headerNameIsInvalid: (label, example) => `${label} is not the name of a header, such as ${example}`,
	headerIsTaken: (label, header) =>
		`${label} cannot be ${header}: n8n or this credential sets or drops that header`,
	headersAreSame: (label, other) => `${label} and ${other} are the same header`,
	nothingIsVerified: `${field('webhookVerification')} of the credential is None, so it checks no delivery`,
	payloadHasNoBody: `${PAYLOAD} does not contain {body}, so anyone could change the body of a delivery`,
	timeIsNotSigned: `${PAYLOAD} does not contain {timestamp}, but ${TIME_HEADER} or ${FORMAT} reads it`,
	idIsNotSigned: `${PAYLOAD} does not contain {id}, but ${ID_HEADER} reads it`,
	timestampHeaderIsEmpty: `${PAYLOAD} contains {timestamp}, but ${TIME_HEADER} is empty`,
	idHeaderIsEmpty: `${PAYLOAD} contains {id}, but ${ID_HEADER} is empty`,
	idTouchesTime: `${PAYLOAD} needs a separator such as a point between {id} and {timestamp}`,
	timeIsReadTwice: `${TIME_HEADER} must be empty, because ${FORMAT} contains {timestamp}`,
	formatHasNoSignature: `${FORMAT} does not contain {signature}`,
	formatRepeatsToken: `${FORMAT} contains {signature} or {timestamp} twice`,
	formatHasLineBreak: `${FORMAT} has a line break, which a header cannot hold`,
	formatTokensTouch: `${FORMAT} needs a separator such as a comma or a point between {signature} and {timestamp}`,
	publicKeyIsUnreadable: (label) =>
		`${label} is not a public key as PEM. Paste the whole key, from -----BEGIN PUBLIC KEY----- on`,
	publicKeyIsOfOtherKind: (label) =>
		`${label} is not a key for RSA, ECDSA P-256 or Ed25519. Ask the service for one of these`,
	publicKeyIsWeak: (label) => `${label} is too weak: others could sign with it`,
	toleranceIsNotNumber: (largest) => `${TOLERANCE} is not a number of seconds from 0 to ${largest}`,
} satisfies Messages;

/** Why a delivery is refused. The sender reads it too. */
export const DELIVERY_REFUSAL = {
	headerIsMissing: (header) => `The header ${header} is missing`,
	headerHasOtherToken: (header) => `The header ${header} does not contain the expected token`,
	headerHasOtherForm: (header) => `The header ${header} does not have the expected form`,
	headerIsTooLong: (header) => `The header ${header} is too long`,
	signatureDoesNotMatch: 'The signature does not match the body',
	timestampIsUnreadable: `The signature is right, but the time of the delivery cannot be read. Check ${TIME_HEADER} and ${FORMAT} in the credential`,
	timestampIsFarAway: (seconds, tolerance) =>
		`The signature is right, but the time of the delivery is ${seconds} seconds away from the time here, and ${TOLERANCE} is ${tolerance}. If the service repeats a delivery with its first time, set ${TOLERANCE} higher in the credential. If not, check the clock of the machine that runs n8n`,
} satisfies Messages;

/** What n8n shows when the test of the credential fails. */
export const CREDENTIAL_TEST = {
	nothingAnswers: (host) => `Nothing answers at ${host}. Check the spelling of Base URL.`,
	noConnection: (host) =>
		`Nothing answers at ${host}. Check Base URL, and that the service is reachable from n8n.`,
	certificateIsNotTrusted: (host) =>
		`The certificate of ${host} is not trusted. Check Base URL. If it is right, ask the service.`,
	notAccepted: (words) =>
		`The service does not accept the API Key or the signature: ${words}. Check API Key, the signature settings and the clock of the machine that runs n8n.`,
	hasTrouble: (status) =>
		`The service answered ${status}, so it is not known whether the keys are right. Wait a minute, then test again.`,
	notFound: 'The service was not found at this address. Check Base URL.',
	notTheService:
		'The address answers, but not like the Wallet Service with a valid key. Check Base URL, API Key and the signature settings.',
} satisfies Messages;
