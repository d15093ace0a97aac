/** Decides whether a delivery may come in, by the parameters of the trigger and its credential. */
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { SettingError } from '../../../api/settingError.ts';
import { resolveVerification } from '../../../api/signature/resolveStyle.ts';
import type { VerificationSettings } from '../../../api/signature/settings.ts';
import { checkVerification, verifyDelivery } from '../../../api/signature/webhookVerification.ts';
import type { Delivery, Verdict } from '../../../api/signature/webhookVerification.ts';
import { BoundedMap } from './boundedMap.ts';
import { MESSAGES } from './messages.ts';
import { readSettings } from './triggerSettings.ts';
import type { TriggerSettings } from './triggerSettings.ts';

/** `signatureHeader` is the header that holds the token or signature, if the credential names one. */
type Verified =
	| { ok: true; settings: TriggerSettings; signatureHeader?: string }
	| { ok: false; reason: string };

/** Reads the settings and verifies a delivery. Settings that cannot be used let nothing in. */
export async function verifyRequest(
	context: IWebhookFunctions,
	delivery: Delivery,
	receivedAt: Date,
): Promise<Verified> {
	try {
		const settings = readSettings(context);
		const { verdict, verification } = await verify(context, settings, delivery, receivedAt.getTime());
		return verdict.ok ? { ok: true, settings, signatureHeader: verification.webhookHeader } : verdict;
	} catch (error) {
		const reason = error instanceof SettingError ? error.message : MESSAGES.settingsAreUnreadable;
		return { ok: false, reason };
	}
}

/** How deliveries are verified. Throws a SettingError if the credential cannot verify any. */
export async function readVerification(
	context: IHookFunctions | IWebhookFunctions,
	{ isVerified }: TriggerSettings,
): Promise<VerificationSettings> {
	if (!isVerified) return { webhookVerification: 'none' };
	const credential = await context
		.getCredentials<VerificationSettings>('walletServiceApi')
		.catch(() => undefined);
	if (credential === undefined) throw new SettingError(MESSAGES.credentialIsUnreadable);
	const settings = resolveVerification(credential);
	if (settings.webhookVerification === 'none') throw new SettingError(MESSAGES.credentialVerifiesNothing);
	checkVerification(settings);
	return settings;
}

/**
 * How long settings that have verified a delivery are used again. To decrypt a credential, n8n creates an engine for
 * expressions, which costs half as much as the rest of a delivery.
 */
const CACHE_TTL_MS = 5000;

/** By the ID of the credential. `readAt` is a time of `performance.now()`, a clock that nobody can set back. */
const cache = new BoundedMap<{ verification: VerificationSettings; readAt: number }>(100);

interface Checked {
	verdict: Verdict;
	verification: VerificationSettings;
}

/** Verifies with cached settings first. Only settings that were read just now can refuse a delivery. */
async function verify(
	context: IWebhookFunctions,
	settings: TriggerSettings,
	delivery: Delivery,
	now: number,
): Promise<Checked> {
	const credentialId = settings.isVerified ? context.getNode().credentials?.walletServiceApi?.id : undefined;
	// A user who listens for a test event may be trying out settings.
	const cached = credentialId && context.getMode() !== 'manual' ? cache.get(credentialId) : undefined;
	let refused: Checked | undefined;
	if (cached !== undefined && performance.now() - cached.readAt < CACHE_TTL_MS) {
		const verdict = verifyDelivery(cached.verification, delivery, now);
		if (verdict.ok) return { verdict, verification: cached.verification };
		refused = { verdict, verification: cached.verification };
	}
	const readAt = performance.now();
	const verification = await readVerification(context, settings);
	// The same settings refuse it again, and verifying costs as much as the first time.
	if (refused !== undefined && JSON.stringify(verification) === JSON.stringify(refused.verification))
		return refused;
	const verdict = verifyDelivery(verification, delivery, now);
	if (verdict.ok && credentialId) cache.set(credentialId, { verification, readAt });
	return { verdict, verification };
}
