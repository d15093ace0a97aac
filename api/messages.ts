/** Settings of the credential that cannot work. Parameters of the functions are texts to insert; none is a secret. A table: no logic. */
import { sentences } from './texts.ts';
import type { Texts } from './texts.ts';

/** A setting that cannot work. `label` is the name of a field in the form. */
export const SETTING = {
	isEmpty: (label: string) => `${label} is empty`,
	isNotText: (label: string) => `${label} is not text`,
	baseUrlIsNotAddress: 'Base URL is not a whole address. Enter one such as https://api.example.com',
	baseUrlIsNotHttps: 'Base URL must begin with https://. Only localhost may use http://',
	baseUrlHasQuery: 'Base URL contains ? or #. Enter only the address, such as https://api.example.com',
	addressIsElsewhere: ({ base, address }: Texts<'base' | 'address'>) =>
		sentences(
			`This credential signs only requests below its Base URL, ${base}, and not to ${address}.`,
			'Correct the address of the request. For another service, use a credential of its own',
		),
	serviceNameIsInvalid: 'Service Name must be lower-case letters, digits and hyphens, such as svc',
	secretIsNotEncoded: ({ label, encoding }: Texts<'label' | 'encoding'>) =>
		`${label} is not ${encoding} text`,
	tokenIsUnknown: ({ label, token, known }: Texts<'label' | 'token' | 'known'>) =>
		`${label} contains ${token}, which is not one of ${known}`,
	bodyIsNotJson: 'Only a JSON body can be signed with this credential. Choose JSON as its content type',
	queryIsNested: (name: string) =>
		sentences(
			`The query parameter ${name} is a list or an object, and only single values can be signed.`,
			`Write it into the URL as the service wants it, such as ?${name}=1&${name}=2`,
		),
	secretIsZero: (label: string) => `${label} consists of zero bytes only, so anyone can sign with it`,
	secretIsPublicKey: (label: string) => `${label} is a public key or a certificate, which anyone may know`,
	secretIsPrefix: (label: string) => `${label} has nothing after whsec_`,
	tokenIsNotAscii: (label: string) =>
		`${label} has a character that is not plain ASCII, so a header cannot hold it`,
	hasSpaceAround: (label: string) => `${label} begins or ends with a space or a line break. Delete it`,
	valueIsUnknown: ({ label, known }: Texts<'label' | 'known'>) =>
		`${label} has an unknown value. It must be one of ${known}`,
	headerNameIsInvalid: (label: string) => `${label} is not the name of a header, such as x-svc-id`,
	headerIsTaken: (header: string) =>
		`Payment Key Header cannot be ${header}, which n8n or this credential uses`,
	headersAreSame: 'Two of Webhook Header, Webhook Timestamp Header and Webhook ID Header are the same header',
	nothingIsVerified: 'Webhook Verification of the credential is None, so it checks no delivery',
	payloadHasNoBody: 'Webhook Payload does not contain {body}, so anyone could change the body of a delivery',
	isNotSigned: (token: string) => `Webhook Payload does not contain ${token}, but another field reads it`,
	isNotRead: (token: string) =>
		`Webhook Payload contains ${token}, but no other field says which header has it`,
	tokensTouch: ({ label, tokens }: Texts<'label' | 'tokens'>) =>
		`${label} needs a separator such as a point between ${tokens}`,
	timeIsReadTwice: 'Webhook Timestamp Header and Webhook Signature Format both read {timestamp}',
	formatHasOtherTokens: 'Webhook Signature Format needs {signature} once, and {timestamp} at most once',
	formatHasLineBreak: 'Webhook Signature Format has a line break, which a header cannot hold',
	publicKeyIsUnreadable: (label: string) =>
		`${label} is not a public key as PEM, base64 or hex. Paste the whole key as the service shows it`,
	publicKeyIsOfOtherKind: (label: string) =>
		`${label} is not a key for RSA, ECDSA P-256 or Ed25519. Ask the service for one of these`,
	publicKeyIsWeak: (label: string) => `${label} is too weak: others could sign with it`,
	secondsAreInvalid: ({ label, largest }: Texts<'label' | 'largest'>) =>
		`${label} is not a number of seconds from 0 to ${largest}`,
};
