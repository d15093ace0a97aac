/** What the user has set on the trigger, checked: the same for a delivery as for the activation of a workflow. */
import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isPlainDecimal } from '../../../api/decimal.ts';
import { SettingError } from '../../../api/settingError.ts';
import type { VerificationSettings } from '../../../api/signature/settings.ts';
import { checkVerification, verifyDelivery } from '../../../api/signature/webhookVerification.ts';
import type { Delivery, Verdict } from '../../../api/signature/webhookVerification.ts';
import { BoundedMap } from './boundedMap.ts';
import type { Wanted } from './delivery.ts';

export interface TriggerSettings {
	wanted: Wanted;
	ignoreDuplicates: boolean;
	includeRaw: boolean;
	includeHeaders: boolean;
}

/** Throws a SettingError where the settings cannot work: nothing may pass then. */
export function readSettings(context: IHookFunctions | IWebhookFunctions): TriggerSettings {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const minimumAmount = String(options.minimumAmount ?? '').trim();
	if (minimumAmount !== '' && !isPlainDecimal(minimumAmount)) {
		throw new SettingError('Minimum Amount is not a decimal number such as 10.50');
	}
	return {
		wanted: {
			events: context.getNodeParameter('events', []) as string[],
			unknownEvents: options.unknownEvents === true,
			statuses: textList(options.statuses),
			currencies: textList(options.currencies),
			minimumAmount,
		},
		ignoreDuplicates: ignoresDuplicates(options, context.getMode()),
		includeRaw: options.includeRaw !== false,
		includeHeaders: options.includeHeaders === true,
	};
}

/** Whoever listens for a test event wants to see it, however often it is sent. */
export function ignoresDuplicates(options: IDataObject, mode: string): boolean {
	return options.ignoreDuplicates !== false && mode !== 'manual';
}

/**
 * How long the settings of a credential that has let a delivery in may let others in, in milliseconds. n8n makes an engine
 * for expressions each time it decrypts a credential, which takes as long as half of all else that a delivery costs.
 */
const CACHE_TTL_MS = 5000;

const kept = new BoundedMap<{ settings: VerificationSettings; readAt: number }>(100);

/** What the node and its credential say about verification. Throws a SettingError where that cannot work. */
export async function readVerification(
	context: IHookFunctions | IWebhookFunctions,
): Promise<VerificationSettings> {
	if (context.getNodeParameter('verification', 'none') === 'none') return { webhookVerification: 'none' };
	const settings = await context
		.getCredentials<VerificationSettings>('walletServiceApi')
		.catch(() => undefined);
	if (settings === undefined) {
		throw new SettingError('Verification is on, but the credential is missing or cannot be read');
	}
	if (settings.webhookVerification === 'none') {
		throw new SettingError('Verification is on, but Webhook Verification of the credential is None');
	}
	checkVerification(settings);
	return settings;
}

/** Checks a delivery. Nothing is refused by settings that are no longer those of the credential. */
export async function verify(
	context: IWebhookFunctions,
	delivery: Delivery,
	now: number,
): Promise<{ verdict: Verdict; settings: VerificationSettings }> {
	const { credentials } = context.getNode();
	const id = credentials?.walletServiceApi?.id;
	const isOff = context.getNodeParameter('verification', 'none') === 'none';
	// Whoever listens for a test event may be trying settings out.
	const recent = isOff || !id || context.getMode() === 'manual' ? undefined : kept.get(id);
	if (recent !== undefined && now - recent.readAt < CACHE_TTL_MS) {
		const verdict = verifyDelivery(recent.settings, delivery, now);
		if (verdict.ok) return { verdict, settings: recent.settings };
	}
	const settings = await readVerification(context);
	const verdict = verifyDelivery(settings, delivery, now);
	if (verdict.ok && !isOff && id) kept.set(id, { settings, readAt: now });
	return { verdict, settings };
}

function textList(value: unknown): string[] {
	const entries = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',');
	return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}
