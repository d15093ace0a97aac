/** Decides whether a delivery may come in, by the parameters of the trigger and its credential. */
import { NodeOperationError } from 'n8n-workflow';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { SettingError } from '../../../api/settingError.ts';
import type { VerificationSettings } from '../../../api/signature/settings.ts';
import { compileVerifier } from '../../../api/signature/verifier.ts';
import type { Delivery, Verdict, Verifier } from '../../../api/signature/verifier.ts';
import { BoundedMap } from '../shared/boundedMap.ts';
import { warn } from './log.ts';
import { MESSAGES, NOTICES } from './messages.ts';
import { readTriggerSettings, triggerOf } from './settings.ts';
import type { TriggerSettings } from './settings.ts';

/** `verdict` is there if deliveries are verified. The status tells whose fault it is: 401 the sender's, 503 this side's. */
type Verified =
	| { ok: true; settings: TriggerSettings; verdict?: Extract<Verdict, { ok: true }> }
	| { ok: false; status: 401 | 503; reason: string };

/** Reads the settings and verifies a delivery. Settings that cannot be used let nothing in. */
export async function verifyRequest(
	context: IWebhookFunctions,
	delivery: Delivery,
	receivedAt: Date,
): Promise<Verified> {
	const trigger = triggerOf(context);
	try {
		const settings = readTriggerSettings(context);
		const verdict = settings.isVerified ? await verify(context, delivery, receivedAt.getTime()) : undefined;
		logged.delete(trigger);
		if (verdict?.ok !== false) return { ok: true, settings, verdict };
		if (verdict.isSigned)
			warn(context, 'time', MESSAGES.timeIsRefused(context.getNode().name, verdict.reason));
		return { ok: false, status: 401, reason: verdict.reason };
	} catch (error) {
		const reason = error instanceof SettingError ? error.message : MESSAGES.settingsAreUnreadable;
		if (logged.get(trigger) !== reason)
			context.logger.error(MESSAGES.nothingIsAccepted(context.getNode().name, reason));
		logged.set(trigger, reason);
		return { ok: false, status: 503, reason };
	}
}

/** Throws the reason, and what to do, if the trigger would refuse every delivery. */
export async function requireUsableSettings(context: IHookFunctions): Promise<void> {
	let advice: string = NOTICES.correctTrigger;
	try {
		if (!readTriggerSettings(context).isVerified) return;
		advice = NOTICES.correctCredential;
		await readVerifier(context);
	} catch (error) {
		throw new NodeOperationError(context.getNode(), `${(error as Error).message}; ${advice}`, {
			description: NOTICES.notPublished,
		});
	}
}

/** The reason that the log already has for a trigger: deliveries that fail alike do not fill it. */
const logged = new BoundedMap<string>(1000);

/** What verifies deliveries. Throws a SettingError if the credential cannot. */
async function readVerifier(context: IHookFunctions | IWebhookFunctions): Promise<Verifier> {
	const credential = await context
		.getCredentials<VerificationSettings>('walletServiceApi')
		.catch(() => undefined);
	if (credential === undefined) throw new SettingError(MESSAGES.credentialIsUnreadable);
	return compileVerifier(credential);
}

/** How long a removed secret may still work: n8n's reading of a credential costs half as much as the rest of a delivery. */
const CACHE_TTL_MS = 5000;

/**
 * The last reading by each trigger of its credential. Triggers with one credential do not share it: n8n gives its expressions the
 * variables of the workflow's project, so its secret may be another one there. `begun` is by `performance.now()`.
 */
const readings = new BoundedMap<{ verifier: Promise<Verifier>; begun: number }>(1000);

/** Verifies with recent settings first. Before it refuses, it reads them again, because they may have changed since. */
async function verify(context: IWebhookFunctions, delivery: Delivery, now: number): Promise<Verdict> {
	const credentialId = context.getNode().credentials?.walletServiceApi?.id;
	// A user who listens for a test event may be trying out settings.
	if (!credentialId || context.getMode() === 'manual') return (await readVerifier(context))(delivery, now);

	const reader = `${triggerOf(context)}/${credentialId}`;
	const arrived = performance.now();
	const verdict = (await readSince(arrived - CACHE_TTL_MS, context, reader))(delivery, now);
	return verdict.ok ? verdict : (await readSince(arrived, context, reader))(delivery, now);
}

/** The reader's last reading of the credential if it began at `since` or later, else a new one. */
function readSince(since: number, context: IWebhookFunctions, reader: string): Promise<Verifier> {
	const last = readings.get(reader);
	// What failed for another delivery need not fail for this one.
	if (last !== undefined && last.begun >= since) return last.verifier.catch(() => readVerifier(context));
	// A promise, so that deliveries that arrive together wait for one reading.
	const reading = { begun: performance.now(), verifier: readVerifier(context) };
	readings.set(reader, reading);
	reading.verifier.catch(() => {
		if (readings.get(reader) === reading) readings.delete(reader);
	});
	return reading.verifier;
}
