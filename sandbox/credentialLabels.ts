/** The labels of the credential's form for the fields that the sandbox knows. A table and its look-up. */
import type { VerificationSettings } from '../api/signature/settings.ts';

export const CREDENTIAL_LABELS = {
	baseUrl: 'Base URL',
	apiKey: 'API Key',
	signatureSecret: 'Signature Secret',
	webhookStyle: 'Webhook Style',
	webhookVerification: 'Webhook Verification',
	webhookHeader: 'Webhook Header',
	webhookSecret: 'Webhook Secret',
	webhookPreviousSecret: 'Previous Webhook Secret',
	webhookSecretEncoding: 'Webhook Secret Encoding',
	webhookAlgorithm: 'Webhook Algorithm',
	webhookSignatureEncoding: 'Webhook Signature Encoding',
	webhookPayload: 'Webhook Payload',
	webhookSignatureFormat: 'Webhook Signature Format',
	webhookTimestampHeader: 'Webhook Timestamp Header',
	webhookTimestampUnit: 'Webhook Timestamp Unit',
	webhookIdHeader: 'Webhook ID Header',
	webhookTolerance: 'Webhook Tolerance',
} as const;

type Fields = { baseUrl: string; apiKey: string; signatureSecret: string } & Partial<VerificationSettings>;

export function byLabel(fields: Fields): Record<string, unknown> {
	const labels: Record<string, string> = CREDENTIAL_LABELS;
	return Object.fromEntries(Object.entries(fields).map(([name, value]) => [labels[name] ?? name, value]));
}
