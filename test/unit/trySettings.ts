/** Tries settings of the credential: signs a request and verifies a delivery with them. */
import { SettingError } from '../../api/settingError.ts';
import { signRequest } from '../../api/signature/signRequest.ts';
import type { SigningSettings, VerificationSettings } from '../../api/signature/settings.ts';
import { compileVerifier, type Delivery, type Verdict } from '../../api/signature/verifier.ts';

export const NOW = Date.parse('2026-01-01T00:00:00.000Z');
/** NOW in Unix seconds. */
export const TIME = '1767225600';
/** The body of a delivery, and of a request. */
export const BODY = '{"event":"admin_funding","id":"af_1","Amount":"10.00"}';
export const SECRET = 'fake-secret';
export const MISMATCH = 'The signature does not match the body';

/** Settings of a credential that verify the body. */
export const HMAC = {
	webhookVerification: 'hmac',
	webhookHeader: 'x-svc-signature',
	webhookSecret: SECRET,
} as const;

/** What a trigger with these settings makes of a delivery. */
export function verifyDelivery(settings: VerificationSettings, delivery: Delivery, now: number): Verdict {
	return compileVerifier(settings)(delivery, now);
}

/** Why a delivery is refused; `ok` if it is not. A text is the header with the signature. */
export function reasonFor(
	settings: VerificationSettings,
	headers: string | Delivery['headers'],
	body: string | Buffer = BODY,
	now = NOW,
): string {
	const all = typeof headers === 'string' ? { 'x-svc-signature': headers } : headers;
	const verdict = verifyDelivery(settings, { headers: all, body: Buffer.from(body as string) }, now);
	return verdict.ok ? 'ok' : verdict.reason;
}

/** Signs a request with settings that work, changed. */
export function sign(change: object = {}): Record<string, string> {
	const settings = { apiKey: 'fake-key', signatureSecret: SECRET, ...change } as SigningSettings;
	const url = new URL('https://api.example.com/v1/fiat_payout');
	return signRequest(settings, { method: 'POST', url, body: BODY }, NOW);
}

/** With these settings no delivery is verified. They may hold what only an expression can give. */
export function expectRefused(settings: object, message: string): void {
	expect(settingErrorOf(() => compileVerifier(settings as VerificationSettings))).toContain(message);
}

/** With these settings, changed in this way, no request is signed. */
export function expectNotSigned(change: object, message: string): void {
	expect(settingErrorOf(() => sign(change))).toContain(message);
}

function settingErrorOf(attempt: () => unknown): string {
	try {
		attempt();
	} catch (error) {
		if (error instanceof SettingError) return error.message;
		throw error;
	}
	return 'no error';
}
