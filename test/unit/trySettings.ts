/** What the tests of settings verify and sign. */
import { SettingError } from '../../api/settingError.ts';
import { signRequest } from '../../api/signature/signRequest.ts';
import type { SigningSettings, VerificationSettings } from '../../api/signature/settings.ts';
import { compileVerifier } from '../../api/signature/verifier.ts';
import type { Delivery, Verdict, Verifier } from '../../api/signature/verifier.ts';

export const NOW = Date.parse('2026-01-01T00:00:00.000Z');
/** The body of a delivery, and of a request. */
export const BODY = '{"event":"admin_funding","id":"af_1","Amount":"10.00"}';

/** Signs a request with settings that work, changed. */
export function sign(change: Record<string, unknown>): Record<string, string> {
	const settings = {
		serviceName: 'svc',
		apiKey: 'fake-key',
		timestampFormat: 'unixMilliseconds',
		signatureMethod: 'hmac',
		signatureSecret: 'fake-secret',
		...change,
	} as unknown as SigningSettings;
	const url = new URL('https://api.example.com/v1/fiat_payout');
	return signRequest(settings, { method: 'POST', url, body: BODY }, NOW);
}

const verifiers = new Map<string, Verifier>();

/** What a trigger with these settings makes of a delivery. Settings that cannot be used let nothing in. */
export function verifyDelivery(settings: VerificationSettings, delivery: Delivery, now: number): Verdict {
	const key = JSON.stringify(settings);
	try {
		const verifier = verifiers.get(key) ?? compileVerifier(settings);
		verifiers.set(key, verifier);
		return verifier(delivery, now);
	} catch (error) {
		if (error instanceof SettingError) return { ok: false, reason: error.message };
		throw error;
	}
}

/** Settings of a credential that verify the body. */
export const HMAC = {
	webhookVerification: 'hmac',
	webhookHeader: 'x-svc-signature',
	webhookSecret: 'fake-secret',
} as const;

/** The header of a delivery with a signature. */
export const carrying = (signature: string) => ({ 'x-svc-signature': signature });

/** Why a delivery is refused; `ok` if it is not. The settings may hold what only an expression can give. */
export function reasonFor(settings: object, headers: Record<string, string>, body = BODY, now = NOW): string {
	const delivery = { headers, body: Buffer.from(body) };
	const verdict = verifyDelivery(settings as VerificationSettings, delivery, now);
	return verdict.ok ? 'ok' : verdict.reason;
}

/** The settings are refused before the first delivery, and no delivery passes, the one with these headers included. */
export function expectRefused(settings: object, message: string, headers: Record<string, string> = {}): void {
	const compile = () => compileVerifier(settings as VerificationSettings);
	expect(compile).toThrow(SettingError);
	expect(compile).toThrow(message);
	expect(reasonFor(settings, headers)).toContain(message);
}
