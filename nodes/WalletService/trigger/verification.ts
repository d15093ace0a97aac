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

/** `signatureHeader` is the header that holds the token or signature, if the credential names one; `id` the signed message ID. */
type Verified =
	| { ok: true; settings: TriggerSettings; signatureHeader?: string; id?: string }
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
		return verdict.ok ? { ...verdict, settings, signatureHeader: verification.webhookHeader } : verdict;
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
 * How long the settings of a credential are used again. To decrypt a credential, n8n creates an engine for expressions, which
 * costs half as much as the rest of a delivery.
 */
const CACHE_TTL_MS = 5000;

interface Reading {
	/** A promise, so that deliveries that arrive together wait for one reading. */
	verification: Promise<VerificationSettings>;
	/** When it began, by `performance.now()`. */
	begun: number;
}

/** The last reading of each credential. */
const readings = new BoundedMap<Reading>(100);

interface Checked {
	verdict: Verdict;
	verification: VerificationSettings;
}

/** Verifies with recent settings first. Before it refuses, it reads them again, because they may have changed since. */
async function verify(
	context: IWebhookFunctions,
	settings: TriggerSettings,
	delivery: Delivery,
	now: number,
): Promise<Checked> {
	const check = (verification: VerificationSettings): Checked => ({
		verdict: verifyDelivery(verification, delivery, now),
		verification,
	});
	const credentialId = settings.isVerified ? context.getNode().credentials?.walletServiceApi?.id : undefined;
	// A user who listens for a test event may be trying out settings.
	if (!credentialId || context.getMode() === 'manual')
		return check(await readVerification(context, settings));

	const arrived = performance.now();
	const read = async (since: number) => await readSince(since, context, settings, credentialId);
	const checked = check(await read(arrived - CACHE_TTL_MS));
	if (checked.verdict.ok) return checked;
	const verification = await read(arrived);
	// To verify again would cost as much as the first time.
	const isSame = JSON.stringify(verification) === JSON.stringify(checked.verification);
	return isSame ? checked : check(verification);
}

/** The last reading of the credential if it began at that time or later, else a new one. */
function readSince(
	since: number,
	context: IWebhookFunctions,
	settings: TriggerSettings,
	credentialId: string,
): Promise<VerificationSettings> {
	const last = readings.get(credentialId);
	// What failed for another delivery need not fail for this one.
	if (last !== undefined && last.begun >= since)
		return last.verification.catch(() => readVerification(context, settings));
	const reading: Reading = { verification: readVerification(context, settings), begun: performance.now() };
	readings.set(credentialId, reading);
	reading.verification.catch(() => {
		if (readings.get(credentialId) === reading) readings.delete(credentialId);
	});
	return reading.verification;
}
