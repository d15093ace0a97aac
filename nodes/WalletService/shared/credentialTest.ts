/** The test of the credential. Both nodes have it: n8n asks one of them. */
import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { serviceUrl } from '../../../api/address.ts';
import { serviceWords } from '../../../api/answers.ts';
import { getOperation } from '../../../api/catalog.ts';
import { isRecord } from '../../../api/json.ts';
import { CREDENTIAL_TEST } from '../../../api/messages.ts';
import { signRequest } from '../../../api/signature/signRequest.ts';
import type { SigningSettings, VerificationSettings } from '../../../api/signature/settings.ts';
import { checkWebhookSettings } from '../../../api/signature/verifier.ts';
import { redact, secretsIn } from './redact.ts';

type Settings = SigningSettings &
	VerificationSettings & { baseUrl?: string; allowedHttpRequestDomains?: string; allowedDomains?: string };

/** Milliseconds. */
const TIMEOUT = 30_000;

/** What this test reads of an answer. */
interface Answer {
	statusCode: number;
	body?: unknown;
}

/**
 * Lists the virtual accounts: only this service, for a valid key, answers with a list under `results`. A declarative test
 * would show the code of a failed connection in place of a message.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	const message = await findProblem(this, { ...data } as Settings);
	return message === undefined
		? { status: 'OK', message: 'Connection successful!' }
		: { status: 'Error', message };
}

/** Why the credential cannot be used; undefined if it can. */
async function findProblem(
	context: ICredentialTestFunctions,
	settings: Settings,
): Promise<string | undefined> {
	const { baseUrl = '', allowedHttpRequestDomains, allowedDomains } = settings;
	const { method, path } = getOperation('virtualAccount.getAll');
	let host = '';
	try {
		const url = serviceUrl(baseUrl, path);
		({ host } = url);
		const signed = signRequest(settings, { method, url, body: '' }, Date.now());
		checkWebhookSettings(settings);
		const answer: unknown = await context.helpers.request({
			method,
			uri: url.href,
			headers: { Accept: '*/*', ...signed },
			timeout: TIMEOUT,
			// A redirect would take the key to another address.
			followRedirect: false,
			followAllRedirects: false,
			simple: false,
			resolveWithFullResponse: true,
			...(allowedHttpRequestDomains === 'domains' && { allowedDomains: allowedDomains ?? '' }),
		});
		return problemIn(answer as Answer, [...secretsIn(signed), settings.signatureSecret ?? '']);
	} catch (error) {
		return reasonOf(error as Error & { code?: unknown }, host);
	}
}

function problemIn({ statusCode, body }: Answer, secrets: string[]): string | undefined {
	const answer = typeof body === 'string' ? parsed(body) : body;
	const { results } = isRecord(answer) ? answer : {};
	// The document shows no error body, so the status counts. The words are for the user.
	if (statusCode === 401 || statusCode === 403) {
		const words = String(redact(serviceWords(answer ?? body), secrets));
		return CREDENTIAL_TEST.notAccepted(words.replace(/\.$/, ''));
	}
	if (statusCode === 404) return CREDENTIAL_TEST.notFound;
	// A busy or broken service has not looked at the keys.
	if (statusCode === 429 || statusCode >= 500) return CREDENTIAL_TEST.hasTrouble(String(statusCode));
	return statusCode === 200 && Array.isArray(results) ? undefined : CREDENTIAL_TEST.notTheService;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** What an error means. One of the settings says itself what to correct; one of a connection has a code of the system. */
function reasonOf({ message, code }: Error & { code?: unknown }, host: string): string {
	const system = typeof code === 'string' ? code : '';
	if (/CERT|SELF_SIGNED|UNABLE_TO|SSL|TLS/.test(system)) return CREDENTIAL_TEST.certificateIsNotTrusted(host);
	if (/^(?:ENOTFOUND|EAI_AGAIN)$/.test(system)) return CREDENTIAL_TEST.nothingAnswers(host);
	if (/^E[A-Z]+$/.test(system)) return CREDENTIAL_TEST.noConnection(host);
	return message;
}
