/** Reads and checks the parameters of the trigger, for a delivery and for the publishing of a workflow. */
import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isPlainDecimal } from '../../../api/decimal.ts';
import { SettingError } from '../../../api/settingError.ts';
import type { Filters } from './filter.ts';
import { MESSAGES } from './messages.ts';

export interface TriggerSettings {
	filters: Filters;
	ignoreDuplicates: boolean;
	includeRaw: boolean;
	includeHeaders: boolean;
}

/** Throws a SettingError if a filter cannot be read: the trigger then lets nothing in. */
export function readSettings(context: IHookFunctions | IWebhookFunctions): TriggerSettings {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const minimumAmount = String(options.minimumAmount ?? '').trim();
	if (minimumAmount !== '' && !isPlainDecimal(minimumAmount)) {
		throw new SettingError(MESSAGES.minimumAmountIsInvalid);
	}
	return {
		filters: {
			events: context.getNodeParameter('events', []) as string[],
			unknownEvents: options.unknownEvents === true,
			statuses: splitList(options.statuses),
			currencies: splitList(options.currencies),
			minimumAmount,
		},
		ignoreDuplicates: ignoresDuplicates(options, context.getMode()),
		includeRaw: options.includeRaw !== false,
		includeHeaders: options.includeHeaders === true,
	};
}

/** A user who listens for a test event wants to see it each time. */
export function ignoresDuplicates(options: IDataObject, mode: string): boolean {
	return options.ignoreDuplicates !== false && mode !== 'manual';
}

function splitList(value: unknown): string[] {
	const entries = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',');
	return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}
