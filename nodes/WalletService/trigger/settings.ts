/**
 * Reads and checks the parameters of the trigger, for a delivery and for the publishing of a workflow. An expression can give
 * any of them any value. A value that is not allowed throws a SettingError with the label: the trigger then lets nothing in.
 */
import type { IDataObject, IExecuteFunctions, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isPlainDecimal } from '../../../api/decimal.ts';
import { EVENTS, isEventName } from '../../../api/events.ts';
import { requireOption, SettingError } from '../../../api/settingError.ts';
import type { Filters } from './filter.ts';
import { MESSAGES } from './messages.ts';

type Context = IHookFunctions | IWebhookFunctions;

export interface TriggerSettings {
	/** Whether deliveries are verified with the credential. */
	isVerified: boolean;
	filters: Filters;
	ignoreDuplicates: boolean;
	/** Whether a delivery is acknowledged only after its workflow, and not as soon as n8n has stored it. */
	whenFinished: boolean;
	includeRaw: boolean;
	includeHeaders: boolean;
}

/** Names one trigger of one workflow, also after it was renamed. */
export function triggerOf(context: Context | IExecuteFunctions): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}

/** Throws a SettingError. */
export function readTriggerSettings(context: Context): TriggerSettings {
	const read = (name: string, label: string, fallback: object | string) => {
		try {
			return context.getNodeParameter(name, fallback) as unknown;
		} catch {
			// Its expression failed. The error may hold what the expression reads, and the sender would see it.
		}
		throw new SettingError(MESSAGES.parameterIsUnreadable(label));
	};
	// n8n leaves out a collection that is not an object.
	const options = read('options', 'Options', {}) as IDataObject;
	requireOption(read('output', 'Output', 'single') as string, ['single', 'perEvent'], 'Output');
	const unknownEvents = readFlag(options, 'unknownEvents', 'Unknown Events', false);
	const verification = read('verification', 'Verification', 'none') as string;
	const acknowledge = optionOf(options, 'acknowledge', 'whenStored') as string;
	return {
		isVerified: requireOption(verification, ['none', 'credential'], 'Verification') === 'credential',
		filters: {
			events: readEvents(read('events', 'Events', []), unknownEvents),
			unknownEvents,
			statuses: readList(options, 'statuses', 'Statuses'),
			currencies: readList(options, 'currencies', 'Currencies'),
			minimumAmount: readMinimumAmount(options),
		},
		// A user who listens for a test event wants to see it each time.
		ignoreDuplicates:
			readFlag(options, 'ignoreDuplicates', 'Ignore Duplicates', true) && context.getMode() !== 'manual',
		whenFinished:
			requireOption(acknowledge, ['whenStored', 'whenFinished'], 'Acknowledge') === 'whenFinished',
		includeRaw: readFlag(options, 'includeRaw', 'Include Raw', true),
		includeHeaders: readFlag(options, 'includeHeaders', 'Include Headers', false),
	};
}

/** The value of an option, also if its expression gives nothing; the fallback if the user has not added the option. */
function optionOf(options: IDataObject, name: string, fallback: unknown): unknown {
	return Object.hasOwn(options, name) ? options[name] : fallback;
}

/** Without any event, the trigger would acknowledge and forget everything. */
function readEvents(value: unknown, unknownEvents: boolean): string[] {
	const isListOfEvents = (list: unknown): list is string[] =>
		Array.isArray(list) && list.every((name) => typeof name === 'string' && isEventName(name));
	if (isListOfEvents(value) && value.length === 0 && !unknownEvents)
		throw new SettingError(MESSAGES.eventsAreEmpty);
	if (isListOfEvents(value)) return value;
	throw new SettingError(MESSAGES.eventsAreInvalid(Object.keys(EVENTS).join(', ')));
}

function readFlag(options: IDataObject, name: string, label: string, fallback: boolean): boolean {
	const value = optionOf(options, name, fallback);
	if (typeof value === 'boolean') return value;
	throw new SettingError(MESSAGES.flagIsInvalid(label));
}

function readList(options: IDataObject, name: string, label: string): string[] {
	const value = optionOf(options, name, '');
	const entries: unknown[] = Array.isArray(value)
		? value
		: typeof value === 'string'
			? value.split(',')
			: [value];
	return entries
		.map((entry) => {
			if (typeof entry !== 'string') throw new SettingError(MESSAGES.listIsInvalid(label));
			return entry.trim();
		})
		.filter((entry) => entry !== '');
}

/** An expression may give a number. A larger one may have lost digits. */
function readMinimumAmount(options: IDataObject): string {
	const value = optionOf(options, 'minimumAmount', '');
	const isSafeNumber = typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
	const text = typeof value === 'string' || isSafeNumber ? String(value).trim() : undefined;
	if (text === '' || (text !== undefined && isPlainDecimal(text))) return text;
	throw new SettingError(MESSAGES.minimumAmountIsInvalid);
}
