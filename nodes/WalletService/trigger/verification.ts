/** Decides whether a delivery may come in, by the parameters of the trigger and its credential. */
import { NodeOperationError } from 'n8n-workflow';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { SettingError } from '../../../api/settingError.ts';
import type { VerificationSettings } from '../../../api/signature/settings.ts';
import { compileVerifier } from '../../../api/signature/verifier.ts';
import type { Delivery, Verdict, Verifier } from '../../../api/signature/verifier.ts';
import { report } from './log.ts';
import { MESSAGES, NOTICES } from './messages.ts';
import { readTriggerSettings } from './settings.ts';
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
	const { name } = context.getNode();
	try {
		const settings = readTriggerSettings(context);
		const verify = settings.isVerified ? await readVerifier(context) : undefined;
		const verdict = verify?.(delivery, receivedAt.getTime());
		if (verdict?.ok !== false) return { ok: true, settings, verdict };
		if (verdict.isSigned) report(context, 'warn', 'time', MESSAGES.timeIsRefused(name, verdict.reason));
		return { ok: false, status: 401, reason: verdict.reason };
	} catch (error) {
		const reason = error instanceof SettingError ? error.message : MESSAGES.settingsAreUnreadable;
		report(context, 'error', reason, MESSAGES.nothingIsAccepted(name, reason));
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

/** What verifies deliveries. Throws a SettingError if the credential cannot. */
async function readVerifier(context: IHookFunctions | IWebhookFunctions): Promise<Verifier> {
	const credential = await context
		.getCredentials<VerificationSettings>('walletServiceApi')
		.catch(() => undefined);
	if (credential === undefined) throw new SettingError(MESSAGES.credentialIsUnreadable);
	return compileVerifier(credential);
}
