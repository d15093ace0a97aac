/** Reads what holds for all rows of a list: once for a run. */
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { isRecord, parseExact, repeatsKey, toPlain } from '../../../../api/exact/json.ts';
import { expectedOf } from '../../../shared/options/options.ts';
import type { ValuesOf } from '../../../shared/options/options.ts';
import { readOptionValues } from '../../../shared/options/readOptions.ts';
import { TOOL_ROWS_LABEL, TOOL_ROWS_NAME } from '../../../shared/agent/toolRows.ts';
import { connectionOf } from '../../../shared/http/client.ts';
import type { ValidationIssue } from '../../../shared/result.ts';
import { smallUnit } from '../../../shared/smallUnit.ts';
import { checkToolCall } from '../../agent/toolArguments.ts';
import { isEmptyInput } from '../../input/itemParameters.ts';
import { INPUT } from '../../input/messages.ts';
import { emptyOptions, issuesOfNames, limitsFromModel, readOptions } from '../../input/options.ts';
import type { PaymentOptions } from '../../input/options.ts';
import {
	LIMIT_FIELDS,
	LIMIT_NAME,
	LIMITS_LABEL,
	LIMITS_NAME,
	LIMITS_OF_TOOL,
	NUMBERS_OF_LIMIT,
	OPTIONS_OF_LIST,
} from '../../input/payList.ts';
import { CONNECTION, LIMIT } from '../../input/paymentMessages.ts';
import { isPaymentOption, labelOfOption } from '../../input/paymentOptions.ts';
import { GuardedItem } from '../../input/readChange.ts';
import type { PaymentParameters } from '../../input/readChange.ts';
import { LIMITS, ROW } from './messages.ts';

export type CodeLimit = ValuesOf<typeof LIMIT_FIELDS>;

/** What holds for all rows. With an issue, none is sent. */
export interface ListSettings {
	options: PaymentOptions;
	/** By `assetOf`. Empty: rows of every code are paid. */
	limits: ReadonlyMap<string, CodeLimit>;
	connection: Partial<IHttpRequestOptions>;
	isTool: boolean;
	issues: ValidationIssue[];
}

/** `coin USDT`: a code can be that of a currency and of a coin. */
export function assetOf(code: string, isCoin: boolean): string {
	return `${isCoin ? 'coin' : 'currency'} ${code.toUpperCase()}`;
}

/** `given`: the parameters of the node, with the first row in their expressions. */
export function readSettings(given: PaymentParameters, isTool: boolean): ListSettings {
	const item = new GuardedItem(given);
	const { options, issues: ofOptions } = readOptions(
		item.expression('options'),
		() => item.value('options'),
		isTool ? [] : undefined,
	);
	const { limits, issues: ofLimits } = readLimits(item, isTool);
	const connection = connectionOf(() => given.value('requestOptions'));
	const elsewhere = limitsElsewhere(item.expression('options'));
	const ofNames = elsewhere.length > 0 ? elsewhere : issuesOfNames(item, OPTIONS_OF_LIST);
	const issues = [...ofNames, ...ofOptions, ...ofLimits];
	if (connection === undefined) issues.push(CONNECTION.cannotBeUsed());
	if (given.call !== undefined) issues.push(...checkToolCall(given.call));
	return {
		options,
		limits,
		connection: connection ?? {},
		isTool,
		issues: item.failure === undefined ? issues : [item.failure],
	};
}

/** The rows that a model hands over as JSON. A number in them keeps its digits as text. Without any, one row is refused. */
export function readRowsOfTool(given: PaymentParameters): { rows: IDataObject[]; issues: ValidationIssue[] } {
	const written = new GuardedItem(given).value(TOOL_ROWS_NAME);
	const rows = listIn(written);
	if (typeof written === 'string' && rows !== undefined && repeatsKey(written, rows))
		return { rows: [{}], issues: [ROW.haveNameTwice(TOOL_ROWS_LABEL)] };
	if (rows !== undefined && rows.length > 0) return { rows, issues: [] };
	return { rows: [{}], issues: [ROW.areNoRows(TOOL_ROWS_LABEL)] };
}

function listIn(given: unknown): IDataObject[] | undefined {
	try {
		const list = typeof given === 'string' ? toPlain(parseExact(given)) : given;
		return Array.isArray(list) && list.every(isRecord) ? (list as IDataObject[]) : undefined;
	} catch {
		return undefined;
	}
}

/** Options of single payments bound no row, so they must not look as if they did. */
function limitsElsewhere(options: unknown): ValidationIssue[] {
	const names = Object.keys(Object(options) as object).filter(isPaymentOption);
	return names
		.filter((name) => !OPTIONS_OF_LIST.includes(name))
		.map((name) => LIMITS.isElsewhere({ label: LIMITS_LABEL, option: labelOfOption(name) }));
}

function readLimits(item: GuardedItem, isTool: boolean): Pick<ListSettings, 'limits' | 'issues'> {
	const limits = new Map<string, CodeLimit>();
	const written = entriesOf(item.expression(LIMITS_NAME));
	if (written === undefined) return { limits, issues: [LIMITS.areNoList(LIMITS_LABEL)] };
	const issues = written.flatMap((entry) => issuesAsWritten(entry, isTool));
	if (isTool && written.length === 0) issues.push(withoutLimits());
	// What may come from a model is not evaluated.
	if (issues.length > 0 || written.length === 0) return { limits, issues };
	const evaluated = entriesOf(item.value(LIMITS_NAME)) ?? [];
	for (const [place, entry] of written.entries()) {
		const { limit, issues: ofEntry } = readEntry(entry, evaluated[place] ?? {});
		const asset = assetOf(limit.code ?? '', limit.isCoin);
		if (limits.has(asset)) ofEntry.push(LIMITS.isTwice({ label: LIMITS_LABEL, asset }));
		limits.set(asset, limit);
		issues.push(...ofEntry);
	}
	return { limits, issues };
}

type Entry = Readonly<Record<string, unknown>>;

/** Undefined for what is no list of entries: an expression, or a list without any. */
function entriesOf(collection: unknown): Entry[] | undefined {
	if (collection === undefined) return [];
	if (!isRecord(collection)) return undefined;
	if (Object.keys(collection).length === 0) return [];
	const entries = collection[LIMIT_NAME];
	const isList = Array.isArray(entries) && entries.length > 0 && entries.every(isRecord);
	return isList ? entries : undefined;
}

function issuesAsWritten(entry: Entry, isTool: boolean): ValidationIssue[] {
	const numbers = NUMBERS_OF_LIMIT.filter((name) => /^=/.test(String(entry[name])));
	const strangers = Object.keys(entry).filter((name) => !Object.hasOwn(LIMIT_FIELDS, name));
	const lacks = isTool && LIMITS_OF_TOOL.some((name) => isEmptyInput(entry[name]));
	return [
		...limitsFromModel(entry, isTool, (name) => labelIn(name)),
		...numbers.map((name) => LIMITS.isExpression({ label: LIMITS_LABEL, field: labelIn(name) })),
		...strangers.map((field) => LIMITS.isStrange({ label: LIMITS_LABEL, field })),
		...(lacks ? [withoutLimits()] : []),
	];
}

function withoutLimits(): ValidationIssue {
	return LIMITS.toolHasNone({ label: LIMITS_LABEL, fields: LIMITS_OF_TOOL.map(labelIn).join(' and ') });
}

function labelIn(name: string): string {
	return Object.hasOwn(LIMIT_FIELDS, name) ? LIMIT_FIELDS[name as keyof typeof LIMIT_FIELDS].label : name;
}

/** The form adds each field empty. One that the author has filled in, and whose expression gives nothing, is no limit that can be trusted. */
function readEntry(written: Entry, evaluated: Entry): { limit: CodeLimit; issues: ValidationIssue[] } {
	const filled = Object.fromEntries(Object.entries(written).filter(([, value]) => !isEmptyInput(value)));
	const given = Object.fromEntries(Object.entries(evaluated).filter(([name]) => Object.hasOwn(filled, name)));
	const { values, problems } = readOptionValues(LIMIT_FIELDS, { ...emptyOptions(filled), ...given });
	const issues = problems.map(({ option, wrong, given: value }) =>
		wrong === 'notAllowed'
			? LIMIT.isNot({ label: option.label, what: expectedOf(option), value: value.trim() })
			: LIMITS.isEmpty({ label: LIMITS_LABEL, field: option.label }),
	);
	const { code, isCoin } = values;
	if (!Object.hasOwn(filled, 'code'))
		issues.push(LIMITS.isEmpty({ label: LIMITS_LABEL, field: LIMIT_FIELDS.code.label }));
	const small = isCoin || code === undefined ? undefined : smallUnit(code);
	if (code !== undefined && small !== undefined)
		issues.push(INPUT.isSmallUnit({ label: LIMIT_FIELDS.code.label, value: code, ...small }));
	return { limit: values, issues };
}
