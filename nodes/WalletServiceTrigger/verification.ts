/** Decides whether a delivery may come in, by the parameters of the trigger and its credential. */
import { NodeOperationError, sleep } from 'n8n-workflow';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { SettingError } from '../../api/settingError.ts';
import type { VerificationSettings } from '../../api/signature/settings.ts';
import { compileVerifier } from '../../api/signature/verifier.ts';
import type { Delivery, Verdict } from '../../api/signature/verifier.ts';
import { adviceOf } from './advice.ts';
import { findSettings } from './findSettings/findSettings.ts';
import { report } from './log.ts';
import { MESSAGES, NOTICES } from './messages.ts';
import { parseDelivery } from './parse.ts';
import { readTriggerSettings, triggerOf } from './settings.ts';
import type { TriggerSettings } from './settings.ts';
import { verifierMemoryOf } from './verifierMemory.ts';

type Acceptance = Extract<Verdict, { ok: true }>;
type Refusal = Extract<Verdict, { ok: false }>;

/**
 * `verdict` is there if deliveries are verified. The status tells whose fault it is: 401 the sender's, 503 this side's. With
 * `mayFit`, other settings of the credential may verify the delivery.
 */
type Verified =
	| { ok: true; settings: TriggerSettings; verdict?: Acceptance }
	| { ok: false; status: 401 | 503; reason: string; mayFit?: boolean };

/** Reads the settings and verifies a delivery. Settings that cannot be used let nothing in. */
export async function verifyRequest(
	context: IWebhookFunctions,
	delivery: Delivery,
	receivedAt: Date,
): Promise<Verified> {
	try {
		const settings = readTriggerSettings(context);
		if (!settings.isVerified) return { ok: true, settings };
		const verdict = await verifyByCredential(context, delivery, receivedAt.getTime());
		if (verdict.ok) return { ok: true, settings, verdict };
		reportRefusal(context, verdict);
		return { ok: false, status: 401, reason: verdict.reason, mayFit: verdict.isSigned === undefined };
	} catch (error) {
		const trigger = context.getNode().name;
		const reason = error instanceof SettingError ? error.message : MESSAGES.settingsAreUnreadable;
		report(context, 'error', reason, MESSAGES.nothingIsAccepted({ trigger, reason }));
		return { ok: false, status: 503, reason };
	}
}

/** Throws a SettingError if the credential cannot be read, or verifies nothing. */
async function verifyByCredential(
	context: IWebhookFunctions,
	delivery: Delivery,
	at: number,
): Promise<Verdict> {
	const read = async () => await readCredential(context);
	// A user who listens for a test event may be trying out settings.
	if (context.getMode() === 'manual') return compileVerifier(await read())(delivery, at);
	const credentialId = context.getNode().credentials?.walletServiceApi?.id;
	return await verifierMemoryOf(`${triggerOf(context)}/${credentialId}`).verify(delivery, { at, read });
}

/** The service shows nobody how its deliveries are answered, so a wrong secret would leave no trace. */
function reportRefusal(context: IWebhookFunctions, { reason, isSigned }: Refusal): void {
	const texts = { trigger: context.getNode().name, reason };
	if (isSigned) report(context, 'warn', 'time', MESSAGES.timeIsRefused(texts));
	else report(context, 'warn', 'signature', MESSAGES.signatureIsRefused(texts));
}

/** What the user can change so that a delivery passes, as HTML. Only for one that would be an event. */
export async function seekAdvice(
	context: IWebhookFunctions,
	delivery: Delivery & { body: Buffer },
	receivedAt: Date,
): Promise<string | undefined> {
	// The answer leaves before this begins, so that the sender cannot measure it.
	await sleep(0);
	if (typeof parseDelivery(delivery.body) === 'string') return undefined;
	const address = context.getNodeWebhookUrl('default') ?? '';
	const credential = await readCredential(context);
	const finding = await findSettings(credential, delivery, { address });
	return adviceOf(finding, { credential, address, now: receivedAt.getTime() });
}

/** Throws the reason, and what to do, if the trigger would refuse every delivery. */
export async function requireUsableSettings(context: IHookFunctions): Promise<void> {
	let advice: string = NOTICES.correctTrigger;
	try {
		if (!readTriggerSettings(context).isVerified) return;
		advice = NOTICES.correctCredential;
		compileVerifier(await readCredential(context));
	} catch (error) {
		throw new NodeOperationError(context.getNode(), `${(error as Error).message}; ${advice}`, {
			description: NOTICES.notPublished,
		});
	}
}

/** Throws a SettingError, without what n8n says: the sender would see it. */
async function readCredential(context: IHookFunctions | IWebhookFunctions): Promise<VerificationSettings> {
	const credential = await context
		.getCredentials<VerificationSettings>('walletServiceApi')
		.catch(() => undefined);
	if (credential === undefined) throw new SettingError(MESSAGES.credentialIsUnreadable);
	return credential;
}
