/**
 * Reads and checks the parameters of the trigger, for a delivery and for the publishing of a workflow. An expression can give
 * any of them any value. A value that is not allowed throws a SettingError with the label: the trigger then lets nothing in.
 */
import type { IDataObject, IExecuteFunctions, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isPlainDecimal } from '../../../api/decimal.ts';
import { EVENTS } from '../../../api/events.ts';
import { requireOption, SettingError } from '../../../api/settingError.ts';
import { MESSAGES } from './messages.ts';
import { OPTIONS, OUTPUT, VERIFICATION } from './parameters.ts';
import type { Parameter } from './parameters.ts';

type Context = IHookFunctions | IWebhookFunctions;
type WithChoices = Required<Pick<Parameter, 'label' | 'choices'>>;

export type TriggerSettings = ReturnType<typeof readTriggerSettings>;

/** Names one trigger of one workflow, also after it was renamed. */
export function triggerOf(context: Context | IExecuteFunctions): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}

/** Throws a SettingError. */
export function readTriggerSettings(context: Context) {
	const read = (name: string, label: string, fallback: object | string) => {
		try {
			return context.getNodeParameter(name, fallback) as unknown;
		} catch {
			// Its expression failed. The error may hold what the expression reads, and the sender would see it.
		}
		throw new SettingError(MESSAGES.parameterIsUnreadable(label));
	};
	const options = read('options', 'Options', {}) as IDataObject;
	if (Object.hasOwn(options, 'length')) throw new SettingError(MESSAGES.parameterIsUnreadable('Options'));
	/** An option, also if its expression gives nothing; the default if the user has not added it. */
	const option = <T>(name: keyof typeof OPTIONS, as: (value: unknown, label: string) => T): T =>
		as(Object.hasOwn(options, name) ? options[name] : OPTIONS[name].default, OPTIONS[name].label);

	requireChoice(read('output', OUTPUT.label, OUTPUT.default), OUTPUT);
	const verification = read('verification', VERIFICATION.label, VERIFICATION.default);
	const unknownEvents = option('unknownEvents', readFlag);
	return {
		/** Whether deliveries are verified with the credential. */
		isVerified: requireChoice(verification, VERIFICATION) === 'credential',
		events: readEvents(read('events', 'Events', []), unknownEvents),
		unknownEvents,
		statuses: option('statuses', readList),
		currencies: option('currencies', readList),
		minimumAmount: option('minimumAmount', readMinimumAmount),
		// A user who listens for a test event wants to see it each time.
		ignoreDuplicates: option('ignoreDuplicates', readFlag) && context.getMode() !== 'manual',
		/** Whether a delivery is acknowledged only after its workflow, and not as soon as n8n has stored it. */
		whenFinished:
			option('acknowledge', (value) => requireChoice(value, OPTIONS.acknowledge)) === 'whenFinished',
		includeRaw: option('includeRaw', readFlag),
		includeHeaders: option('includeHeaders', readFlag),
	};
}

function requireChoice(value: unknown, { label, choices }: WithChoices): string {
	return requireOption(
		value as string,
		choices.map((choice) => String(choice.value)),
		label,
	);
}

/** Without any event, the trigger would acknowledge and forget everything. */
function readEvents(value: unknown, unknownEvents: boolean): string[] {
	const names = Object.keys(EVENTS);
	if (!Array.isArray(value) || !value.every((name) => names.includes(name as string)))
		throw new SettingError(MESSAGES.eventsAreInvalid(names.join(', ')));
	if (value.length === 0 && !unknownEvents) throw new SettingError(MESSAGES.eventsAreEmpty);
	return value as string[];
}

function readFlag(value: unknown, label: string): boolean {
	if (typeof value === 'boolean') return value;
	throw new SettingError(MESSAGES.flagIsInvalid(label));
}

function readList(value: unknown, label: string): string[] {
	const entries: unknown[] = typeof value === 'string' ? value.split(',') : [value].flat();
	if (!entries.every((entry) => typeof entry === 'string'))
		throw new SettingError(MESSAGES.listIsInvalid(label));
	return entries.map((entry) => entry.trim().toLowerCase()).filter((entry) => entry !== '');
}

/** An expression may give a number. A larger one may have lost digits. */
function readMinimumAmount(value: unknown): string | undefined {
	const isSafeNumber = typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
	const text = typeof value === 'string' || isSafeNumber ? String(value).trim() : undefined;
	if (text === '') return undefined;
	if (text !== undefined && isPlainDecimal(text)) return text;
	throw new SettingError(MESSAGES.minimumAmountIsInvalid);
}
