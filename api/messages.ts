/**
 * Every message about the settings of the credential and about deliveries that they do not accept. A table: no logic.
 * docs/troubleshoot.md quotes some. Parameters of the functions are texts to insert; none of them is a secret.
 */

type Messages = Record<string, string | ((...inserted: string[]) => string)>;

/** A setting that cannot work. `label` is the name of a field in the form. */
export const SETTING = {
	isEmpty: (label) => `${label} is empty`,
	isNotText: (label) => `${label} is not text`,
	baseUrlIsNotAddress: 'Base URL is not a whole address. Enter one such as https://api.example.com',
	baseUrlIsNotHttps: 'Base URL must begin with https://. Only localhost may use http://',
	baseUrlHasQuery: 'Base URL contains ? or #. Enter only the address, such as https://api.example.com',
	serviceNameIsInvalid: 'Service Name must be lower-case letters, digits and hyphens, such as svc',
	secretIsNotEncoded: (label, encoding) => `${label} is not ${encoding} text`,
	tokenIsUnknown: (label, token, known) => `${label} contains ${token}, which is not one of ${known}`,
	bodyIsNotJson: 'Only a JSON body can be signed with this credential',
	secretIsZero: (label) => `${label} consists of zero bytes only, so anyone can sign with it`,
	secretIsPublicKey: (label) => `${label} is a public key or a certificate, which anyone may know`,
	secretIsPrefix: (label) => `${label} has nothing after whsec_`,
	tokenIsNotAscii: (label) => `${label} has a character that is not plain ASCII, so a header cannot hold it`,
	hasSpaceAround: (label) => `${label} begins or ends with a space or a line break`,
	valueIsUnknown: (label, known) => `${label} has an unknown value. It must be one of ${known}`,
	headerNameIsInvalid: (label) => `${label} is not the name of a header, such as x-svc-id`,
	headerIsTaken: (header) => `Payment Key Header cannot be ${header}, which n8n or this credential uses`,
	headersAreSame: 'Two of Webhook Header, Webhook Timestamp Header and Webhook ID Header are the same header',
	nothingIsVerified: 'Webhook Verification of the credential is None, so it checks no delivery',
	payloadHasNoBody: 'Webhook Payload does not contain {body}, so anyone could change the body of a delivery',
	isNotSigned: (token) => `Webhook Payload does not contain ${token}, but another field reads it`,
	isNotRead: (token) => `Webhook Payload contains ${token}, but no other field says which header has it`,
	tokensTouch: (label, tokens) => `${label} needs a separator such as a point between ${tokens}`,
	timeIsReadTwice: 'Webhook Timestamp Header and Webhook Signature Format both read {timestamp}',
	formatHasOtherTokens: 'Webhook Signature Format needs {signature} once, and {timestamp} at most once',
	formatHasLineBreak: 'Webhook Signature Format has a line break, which a header cannot hold',
	publicKeyIsUnreadable: (label) =>
		`${label} is not a public key as PEM. Paste the whole key, from -----BEGIN PUBLIC KEY----- on`,
	publicKeyIsOfOtherKind: (label) =>
		`${label} is not a key for RSA, ECDSA P-256 or Ed25519. Ask the service for one of these`,
	publicKeyIsWeak: (label) => `${label} is too weak: others could sign with it`,
	secondsAreInvalid: (label, largest) => `${label} is not a number of seconds from 0 to ${largest}`,
} satisfies Messages;

/** Why a delivery is refused. The sender reads it too. */
export const DELIVERY_REFUSAL = {
	headerIsMissing: (header) => `The header ${header} is missing`,
	headerHasOtherToken: (header) => `The header ${header} does not contain the expected token`,
	headerHasOtherForm: (header) => `The header ${header} does not have the expected form`,
	headerIsTooLong: (header) => `The header ${header} is too long`,
	signatureDoesNotMatch: 'The signature does not match the body',
	timestampIsUnreadable:
		'The signature is right, but the time of the delivery cannot be read. Check Webhook Timestamp Header and Webhook Signature Format in the credential',
	timestampIsFarAway: (seconds, tolerance) =>
		`The signature is right, but the time of the delivery is ${seconds} seconds away from the time here, and Webhook Tolerance is ${tolerance}. If the service repeats a delivery with its first time, set Webhook Tolerance higher in the credential. If not, check the clock of the machine that runs n8n`,
} satisfies Messages;

/** What n8n shows when the test of the credential fails. */
export const CREDENTIAL_TEST = {
	nothingAnswers: (host) =>
		`Nothing answers at ${host}. Check the spelling of Base URL, and that n8n can reach the service.`,
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
