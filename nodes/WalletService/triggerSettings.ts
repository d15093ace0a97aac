/** What the user has set on the trigger, checked: the same for a delivery as for the activation of a workflow. */
import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isPlainDecimal } from '../../api/decimal.ts';
import { checkVerification, SettingError } from '../../api/signature.ts';
import type { VerificationSettings } from '../../api/signature.ts';
import type { Wanted } from './webhook.ts';

export interface TriggerSettings {
	verification: VerificationSettings;
	wanted: Wanted;
	ignoreDuplicates: boolean;
	includeRaw: boolean;
	includeHeaders: boolean;
}

/** Throws a SettingError where the settings cannot work: nothing may pass then. */
export async function readSettings(context: IHookFunctions | IWebhookFunctions): Promise<TriggerSettings> {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const minimumAmount = String(options.minimumAmount ?? '').trim();
	if (minimumAmount !== '' && !isPlainDecimal(minimumAmount)) {
		throw new SettingError('Minimum Amount is not a decimal number such as 10.50');
	}
	return {
		verification: await verificationSettings(context),
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

async function verificationSettings(
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

function textList(value: unknown): string[] {
	const entries = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',');
	return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}
