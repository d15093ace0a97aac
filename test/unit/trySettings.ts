/** What the tests of settings verify and sign. */
import { signRequest } from '../../api/signature/requestSigning.ts';
import type { SigningSettings } from '../../api/signature/settings.ts';

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
