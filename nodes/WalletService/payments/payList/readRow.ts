/** Reads a row of a list: the payout that it becomes, or everything that is wrong with it. No expression of n8n is evaluated. */
import type { IDataObject } from 'n8n-workflow';

import { compare } from '../../../../api/exact/decimal.ts';
import { differentNames } from '../../../shared/approvers.ts';
import { PERSON } from '../../../shared/messages.ts';
import { isNothing } from '../../../shared/missingValues.ts';
import { expectedOf } from '../../../shared/options/options.ts';
import { readOptionValues } from '../../../shared/options/readOptions.ts';
import type { OptionProblem } from '../../../shared/options/readOptions.ts';
import { readKeyText } from '../../../shared/paymentKey/keyText.ts';
import type { GivenKey } from '../../../shared/paymentKey/keyText.ts';
import type { ValidationIssue } from '../../../shared/result.ts';
import { yesOrNo } from '../../../shared/yesOrNo.ts';
import { buildRequest } from '../../input/buildRequest.ts';
import { isPartOfKey } from '../../input/expressions.ts';
import type { ItemParameters } from '../../input/itemParameters.ts';
import { checkLimits } from '../../input/limits.ts';
import { INPUT } from '../../input/messages.ts';
import type { PaymentOptions } from '../../input/options.ts';
import { LIMITS_LABEL, PAYOUT_BY_COLUMN, SAID_OF_ROW } from '../../input/payList.ts';
import type { PayoutOfRow } from '../../input/payList.ts';
import type { OneApproval, Payment } from '../../input/payment.ts';
import { namesOf } from '../../input/readChange.ts';
import { inexactNumber } from '../../input/readInput.ts';
import { BOUND, ROW, ROW_KEY } from './messages.ts';
import { assetOf } from './readSettings.ts';
import type { CodeLimit, ListSettings } from './readSettings.ts';

export function readRow(
	row: IDataObject,
	{ options: ofList, limits, connection, isTool }: ListSettings,
): Payment {
	const isCoin = !isNothing(row.coin) && isNothing(row.currency);
	const kind = PAYOUT_BY_COLUMN[isCoin ? 'coin' : 'currency'];
	const { request, issues } = buildRequest(kind.form, parametersOf(row, kind), {
		names: namesOf(kind.payout, ofList),
		amountFormat: isOfRead(row) ? 'strict' : ofList.amountFormat,
	});
	const { values: said, problems } = readOptionValues(SAID_OF_ROW, { ...row, again: againOf(row) });
	const { key, issue } = readKey(row.paymentKey);
	const allIssues = [
		...(isNothing(row.currency) === isNothing(row.coin) ? [ROW.hasNotOneCode()] : issues),
		...problems.map(issueOf),
		...(issue === undefined ? [] : [issue]),
		...problemsOf(row),
		...(isTool ? issuesOfModel(row) : []),
	];
	const found = isTool || hasColumn(row) ? allIssues : [ROW.isNoRow(COLUMNS_OF_PAYMENT.join(', '))];
	const { amount, currency = '' } = request.money;
	const asset = assetOf(currency, isCoin);
	const limit = limits.get(asset);
	const isUnapproved = ofList.needsApproval && isNothing(row.approvedBy);
	const options = {
		...ofList,
		...boundsOf(limit),
		allowDuplicate: said.again,
		ifOutcomeIsUnknown: said.decision,
		approvedBy: said.approvedBy,
		dryRun: ofList.dryRun || isUnapproved,
	};
	// What is read of a wrong row is not to be judged further.
	if (found.length === 0) {
		if (limits.size > 0 && limit === undefined) found.push(BOUND.hasNoLimit({ label: LIMITS_LABEL, asset }));
		found.push(...checkLimits(options, request));
		found.push(...approvalIssues(options, approvalsNeeded(row, amount, limit)));
	}
	return {
		operation: kind.payout,
		request,
		options,
		connection,
		key,
		isUnapproved,
		ofOne: ofOne(options, row, { asset, maximum: limit?.secondApprovalAbovePerDay }),
		isRow: true,
		simplify: true,
		issues: found,
	};
}

const COLUMNS_OF_PAYMENT = ['paymentKey', 'amount', 'currency', 'coin', 'destination'];

/** An item of another kind has none of them, such as the page of *Report*. */
function hasColumn(row: IDataObject): boolean {
	return problemsOf(row).length > 0 || COLUMNS_OF_PAYMENT.some((column) => !isNothing(row[column]));
}

/** *Read* gives each row a list of problems, and plain decimals: its 1.125 is never one thousand. */
function isOfRead({ problems }: IDataObject): boolean {
	return Array.isArray(problems);
}

/** The row in place of the fields of the form. Nobody has written an expression. */
function parametersOf(row: IDataObject, { columns }: PayoutOfRow): ItemParameters {
	const columnOf = (name: string) => columns.get(name);
	return {
		value: (name) => {
			const column = columnOf(name);
			return column === undefined ? undefined : row[column];
		},
		expression: () => undefined,
	};
}

/** A table has the words of people. What is neither yes nor no stays, and is refused. */
function againOf({ again }: IDataObject): unknown {
	return (typeof again === 'string' ? yesOrNo(again) : undefined) ?? again;
}

/** Each row needs a key: without one, the same list would be paid again. */
function readKey(value: unknown): { key?: GivenKey; issue?: ValidationIssue } {
	if (!isPartOfKey(value)) return { issue: ROW_KEY.isEmpty() };
	if (typeof value !== 'string' && typeof value !== 'number') return { issue: ROW_KEY.isNotText() };
	const lost = inexactNumber(value);
	if (lost !== undefined) return { issue: INPUT.lostDigits({ label: 'paymentKey', value: lost }) };
	const written = String(value).trim();
	const read = readKeyText(written);
	return 'compared' in read ? { key: read } : { key: { written }, issue: read };
}

function issueOf({ option, given }: OptionProblem): ValidationIssue {
	const { label, kind } = option;
	if (kind === 'person') return PERSON.isNobody({ label, given });
	return ROW.isNot({ column: label, what: expectedOf(option), value: given.trim() });
}

/** What *Read* has found. Anything but an empty list holds the row. */
function problemsOf({ problems }: IDataObject): ValidationIssue[] {
	if (isNothing(problems)) return [];
	const texts = (Array.isArray(problems) ? problems : [problems]).map((each) =>
		typeof each === 'string' ? each : JSON.stringify(each),
	);
	return texts.length === 0 ? [] : [ROW.hasProblems(texts.join(' '))];
}

/** What only a person says of a row. */
const OF_PEOPLE = ['approvedBy', 'approvalsNeeded', 'decision', 'again'];

function issuesOfModel(row: IDataObject): ValidationIssue[] {
	const said = OF_PEOPLE.filter((column) => !isNothing(row[column]) && row[column] !== false);
	return said.map((column) => BOUND.isOfModel(column));
}

/** The limits of a row are those of its code, whatever the node's options say. */
function boundsOf(limit: CodeLimit | undefined) {
	const { maximumAmount, maximumTotal, allowedAliases } = limit ?? {};
	return { maximumAmount, maximumTotal, allowedAliases, allowedCurrencies: undefined };
}

const SECOND_APPROVAL = 2;

/** What is neither empty nor 1 wants two people, at least. */
function approvalsNeeded(
	{ approvalsNeeded: given }: IDataObject,
	amount = '0',
	{ secondApprovalAbove }: Partial<CodeLimit> = {},
): number {
	const wanted =
		isNothing(given) || String(given).trim() === '1' ? 1 : Math.max(SECOND_APPROVAL, Number(given) || 0);
	const isLarge = secondApprovalAbove !== undefined && compare(amount, secondApprovalAbove) > 0;
	return isLarge ? Math.max(SECOND_APPROVAL, wanted) : wanted;
}

/** What is only checked may wait for its yes. */
function namesIn({ approvedBy = '', dryRun }: PaymentOptions): { names: string[]; mayWait: boolean } {
	const names = differentNames(approvedBy);
	return { names, mayWait: dryRun && names.length === 0 };
}

/** What *Second Approval Above per Day* counts: a row with fewer than two names. */
function ofOne(
	options: PaymentOptions,
	row: IDataObject,
	{ asset, maximum }: { asset: string; maximum?: string },
): OneApproval | undefined {
	const { names, mayWait } = namesIn(options);
	if (maximum === undefined || names.length >= SECOND_APPROVAL) return undefined;
	return { asset, maximum, mayWait, saysItself: approvalsNeeded(row) >= SECOND_APPROVAL };
}

function approvalIssues(options: PaymentOptions, needed: number): ValidationIssue[] {
	const { names, mayWait } = namesIn(options);
	if (mayWait || needed < SECOND_APPROVAL || names.length >= needed) return [];
	return [BOUND.hasTooFewNames({ needed: String(needed), names: names.join(', ') || 'nobody' })];
}
