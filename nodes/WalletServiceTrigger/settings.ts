/**
 * Reads and checks the parameters of the trigger, for a delivery and for the publishing of a workflow. An expression can give
 * any of them any value. A value that is not allowed throws a SettingError with the label: the trigger then lets nothing in.
 */
import type { IDataObject, IExecuteFunctions, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { EVENTS } from '../../api/events.ts';
import { SETTING } from '../../api/messages.ts';
import { SettingError } from '../../api/settingError.ts';
import { areOneExpression } from '../shared/options/optionProperties.ts';
import { expectedOf, sortedChoices } from '../shared/options/options.ts';
import type { Option, ValuesOf } from '../shared/options/options.ts';
import { defaultOf, readOptionValues } from '../shared/options/readOptions.ts';
import type { OptionProblem } from '../shared/options/readOptions.ts';
import { MESSAGES } from './messages.ts';
import { OPTIONS, PARAMETERS } from './parameters.ts';

type Context = IHookFunctions | IWebhookFunctions;

/** The parameters of a trigger, read. */
export interface TriggerSettings
	extends Omit<ValuesOf<typeof OPTIONS>, 'acknowledge' | 'currencies' | 'statuses'> {
	/** Whether deliveries are verified with the credential. */
	isVerified: boolean;
	events: string[];
	/** In lower case. Without any, every one passes. */
	currencies: string[];
	statuses: string[];
	/** Whether a delivery is acknowledged only after its workflow, and not as soon as n8n has stored it. */
	whenFinished: boolean;
}

/** Names one trigger of one workflow, also after it was renamed. */
export function triggerOf(context: Context | IExecuteFunctions): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}

/** Throws a SettingError. */
export function readTriggerSettings(context: Context): TriggerSettings {
	const { verification } = readParameters(context);
	const { acknowledge, currencies, statuses, ...options } = readOptions(context);
	return {
		...options,
		isVerified: verification === 'credential',
		events: readEvents(parameterOf(context, 'events', { label: 'Events', fallback: [] }), options),
		currencies: inLowerCase(currencies),
		statuses: inLowerCase(statuses),
		// A user who listens for a test event wants to see it each time.
		ignoreDuplicates: options.ignoreDuplicates && context.getMode() !== 'manual',
		whenFinished: acknowledge === 'whenFinished',
	};
}

function readParameters(context: Context): ValuesOf<typeof PARAMETERS> {
	const given: Record<string, unknown> = {};
	for (const [name, option] of Object.entries(PARAMETERS)) {
		const { label } = option;
		given[name] = parameterOf(context, name, { label, fallback: defaultOf(option) });
	}
	const { values, problems } = readOptionValues(PARAMETERS, given);
	for (const problem of problems) throw new SettingError(wordsOf(problem));
	return values;
}

/** An option counts as added, too, if its expression gives nothing. An empty filter is none. */
function readOptions(context: Context): ValuesOf<typeof OPTIONS> {
	const given = Object(parameterOf(context, 'options', { label: 'Options', fallback: {} })) as IDataObject;
	if (areOneExpression(given)) throw new SettingError(MESSAGES.parameterIsUnreadable('Options'));
	const { values, problems } = readOptionValues(OPTIONS, given);
	const problem = problems.find(({ option, wrong }) => !(wrong === 'empty' && isFilter(option)));
	if (problem !== undefined) throw new SettingError(wordsOf(problem));
	return values;
}

const isFilter = ({ kind }: Option): boolean => kind === 'list' || kind === 'decimal';

function wordsOf({ option }: OptionProblem): string {
	const { label } = option;
	if (option.kind === 'flag') return MESSAGES.flagIsInvalid(label);
	if (option.kind !== 'choice') return MESSAGES.optionIsInvalid({ label, expected: expectedOf(option) });
	const known = sortedChoices(option).map(({ value }) => value);
	return SETTING.valueIsUnknown({ label, known: known.join(', ') });
}

/** What a parameter holds, its expression evaluated. `fallback`: an old workflow does not have the parameter. */
function parameterOf(
	context: Context,
	name: string,
	{ label, fallback }: { label: string; fallback: unknown },
): unknown {
	try {
		return context.getNodeParameter(name, fallback) as unknown;
	} catch {
		// Its expression failed. The error may hold what the expression reads, and the sender would see it.
	}
	throw new SettingError(MESSAGES.parameterIsUnreadable(label));
}

const inLowerCase = (entries: string[] = []): string[] => entries.map((entry) => entry.toLowerCase());

/** Without any event, the trigger would acknowledge and forget everything. */
function readEvents(value: unknown, { unknownEvents }: { unknownEvents: boolean }): string[] {
	const names = Object.keys(EVENTS);
	if (!Array.isArray(value) || !value.every((name) => names.includes(name as string)))
		throw new SettingError(MESSAGES.eventsAreInvalid(names.join(', ')));
	if (value.length === 0 && !unknownEvents) throw new SettingError(MESSAGES.eventsAreEmpty);
	return value as string[];
}
