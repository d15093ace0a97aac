/** The test of the credential. Each node has it: n8n asks one of them. */
import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { serviceUrl } from '../../../api/address.ts';
import { serviceWords } from '../answers/serviceWords.ts';
import { getOperation } from '../../../api/catalog.ts';
import { isRecord } from '../../../api/exact/json.ts';
import { signRequest } from '../../../api/signature/signRequest.ts';
import { SETTINGS } from '../../../api/signature/settings.ts';
import type { SigningSettings, VerificationSettings } from '../../../api/signature/settings.ts';
import { compileVerifier } from '../../../api/signature/verifier.ts';
import { CREDENTIAL_TEST } from '../messages.ts';
import { redact, secretsIn } from '../redact.ts';

type Settings = SigningSettings &
	VerificationSettings & { baseUrl?: string; allowedHttpRequestDomains?: string; allowedDomains?: string };

interface Answer {
	statusCode: number;
	body?: unknown;
}

/** Milliseconds. */
const TIMEOUT = 30_000;

/**
 * Lists the virtual accounts: only this service, for a valid key, answers with a list under `results`. It is not declared in the
 * credential: n8n would show the code of a failed connection, such as ENOTFOUND, in place of every message.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	const { helpers } = this;
	const settings = { ...data } as Settings;
	const { baseUrl = '', allowedHttpRequestDomains, allowedDomains } = settings;
	const { method, path } = getOperation('virtualAccount.getAll');
	let host = '';
	try {
		const url = serviceUrl(baseUrl, path);
		({ host } = url);
		const signed = signRequest(settings, { method, url, body: '' }, Date.now());
		if (verifiesDeliveries(settings)) compileVerifier(settings);
		const answer = (await helpers.request({
			method,
			uri: url.href,
			headers: { Accept: '*/*', ...signed },
			timeout: TIMEOUT,
			// A redirect would take the key to another address.
			followRedirect: false,
			followAllRedirects: false,
			// The body stays text if it is not JSON.
			json: true,
			simple: false,
			resolveWithFullResponse: true,
			...(allowedHttpRequestDomains === 'domains' && { allowedDomains: allowedDomains ?? '' }),
		})) as Answer;
		const problem = problemIn(answer, settings, [...secretsIn(signed), settings.signatureSecret ?? '']);
		if (problem === undefined) return { status: 'OK', message: 'Connection successful!' };
		return { status: 'Error', message: problem };
	} catch (error) {
		return { status: 'Error', message: reasonOf(error as Error & { code?: unknown }, host) };
	}
}

/** The default style without a secret, and *None*, mean that no trigger uses the credential. */
function verifiesDeliveries({ webhookStyle, webhookSecret, webhookVerification }: Settings): boolean {
	if (webhookStyle === 'default') return Boolean(webhookSecret);
	return webhookStyle !== 'custom' || webhookVerification !== 'none';
}

function problemIn({ statusCode, body }: Answer, settings: Settings, secrets: string[]): string | undefined {
	// The document shows no error body, so the status counts. The words are for the user.
	const isRefused = statusCode >= 400 && statusCode < 500 && ![404, 429].includes(statusCode);
	if (isRefused) {
		// Before the words are cut off, perhaps inside a secret.
		const words = serviceWords(redact(body, secrets)).replace(/\.$/, '');
		const advice = adviceFor(words, settings);
		if (advice !== undefined) return CREDENTIAL_TEST.notAccepted({ words, advice });
		if (statusCode === 401 || statusCode === 403)
			return CREDENTIAL_TEST.notAccepted({ words, advice: CREDENTIAL_TEST.checkAll });
	}
	if (statusCode === 404) return CREDENTIAL_TEST.notFound;
	// A busy or broken service has not looked at the keys.
	if (statusCode === 429 || statusCode >= 500) return CREDENTIAL_TEST.hasTrouble(String(statusCode));
	const isList = isRecord(body) && Array.isArray(body.results);
	return statusCode === 200 && isList ? undefined : CREDENTIAL_TEST.notTheService;
}

/** What a refusal is about, by its words. */
const ABOUT = {
	key: /api[ _-]?key|-key\b|\bkey\b/i,
	signature: /signature|\bsign(?:ed|ing)?\b|hmac|\bsecret\b/i,
	time: /time ?stamp|\bclock|\bskew|\bexpired?\b|too old/i,
};

/** What to look at first, if the words are about one thing. */
function adviceFor(words: string, settings: Settings): string | undefined {
	const { signatureStyle, serviceName = SETTINGS.serviceName.default, signatureMethod } = settings;
	const used = signatureStyle === 'custom' ? serviceName : SETTINGS.serviceName.default;
	const [, named = used] = /\bx-([a-z\d-]+)-(?:key|signature|timestamp)\b/i.exec(words) ?? [];
	if (named.toLowerCase() !== used) return CREDENTIAL_TEST.lookAt(SETTINGS.serviceName.label);
	const about = Object.entries(ABOUT).flatMap(([thing, pattern]) => (pattern.test(words) ? [thing] : []));
	if (about.length !== 1) return undefined;
	if (about[0] === 'time') return CREDENTIAL_TEST.lookAtTime;
	const isStatic = signatureStyle === 'custom' && signatureMethod === 'static';
	const signature = isStatic ? SETTINGS.staticSignature : SETTINGS.signatureSecret;
	return CREDENTIAL_TEST.lookAt(about[0] === 'key' ? SETTINGS.apiKey.label : signature.label);
}

/** Codes of a connection that was there, and ended before the answer. */
const CLOSED = ['ECONNRESET', 'EPIPE', 'ECONNABORTED'];

/** What an error means. One of the settings says itself what to correct; one of a connection has a code of the system. */
function reasonOf({ message, code }: Error & { code?: unknown }, host: string): string {
	const system = typeof code === 'string' ? code : '';
	if (/CERT|SELF_SIGNED|UNABLE_TO/.test(system)) return CREDENTIAL_TEST.certificateIsNotTrusted(host);
	// What answers an https address without TLS ends as EPROTO.
	if (/^EPROTO$|SSL|TLS/.test(system)) return CREDENTIAL_TEST.doesNotSpeakTls(host);
	if (CLOSED.includes(system)) return CREDENTIAL_TEST.isClosed(host);
	return /^(?:E[A-Z]+|EAI_AGAIN)$/.test(system) ? CREDENTIAL_TEST.nothingAnswers(host) : message;
}
