/** What is known of each payment of a list, and what a person must be told about it. */
import { isZero } from '../../../../api/exact/decimal.ts';
import { isFailedStatus } from '../../../shared/answers/statuses.ts';
import type { IDataObject } from 'n8n-workflow';

import { asSentence } from '../../../shared/text.ts';
import { decimalsProblem } from '../fiatDecimals.ts';
import type { Place } from '../places.ts';
import { PROBLEM } from './messages.ts';
import { hasAmount, hasKey, readReportItem } from './reportRow.ts';
import type { ReportItem, ReportRow } from './reportRow.ts';
import { assetOf } from './totals.ts';

/** A payment of the list, with all that the report says about it. */
export interface JudgedPayment {
	row: ReportRow;
	place: Place;
	/** Whether a second run pays it again: it has no usable Payment Key. */
	isWithoutKey: boolean;
	/** Nobody knows what was done for it: it is no row, or a node has failed. */
	isInDoubt: boolean;
	/** A person has said that it was paid. */
	isSaidToBePaid: boolean;
	/** Whole sentences: why the list is not good, as far as this payment goes. Not for an unknown one, which is told by itself. */
	complaints: string[];
}

export interface JudgedList {
	/**
	 * `check`: nothing is paid yet, so balances count. `payments`: the payments were made, or tried. `stopped`: what pays has failed as a
	 * whole, and does not say how far it came.
	 */
	stage: 'check' | 'payments' | 'stopped';
	/** In the order of the list. An item that is no row is one too. */
	payments: JudgedPayment[];
	/** What is wrong with the list as a whole. */
	complaints: string[];
	/** Rows of the list that these payments do not have. Nothing is known of them here. */
	withoutResult: number;
	/** Who asks for these payments; '' if no item says it. */
	askedBy: string;
	/** Whether the list waits for a yes: somebody asks for it, or a dry run has checked it. */
	isForApproval: boolean;
}

/**
 * An unknown payment that a key keeps apart: the node that pays sends nothing for it before a person has decided, so the others of
 * the list can be paid meanwhile.
 */
export function isKeptApart({ row, isWithoutKey, isInDoubt }: JudgedPayment): boolean {
	return row.result === 'unknown' && !isWithoutKey && !isInDoubt;
}

/**
 * Reads the items in the order of the list, and judges each of them. `withoutResult`: rows of the list that no item belongs to. Before
 * the payments they are part of it, and not checked. After them, they may be of an earlier report, so they are counted only.
 */
export function judgeList(
	items: readonly IDataObject[],
	withoutResult: readonly IDataObject[] = [],
): JudgedList {
	const given = items.map(readReportItem);
	const others = withoutResult.map(readReportItem);
	const askedBy = [...given, ...others].find((item) => item.askedBy !== '')?.askedBy ?? '';
	const list = judged(given, others);
	return { ...list, askedBy, isForApproval: askedBy !== '' || given.some(({ isOfDryRun }) => isOfDryRun) };
}

function judged(
	given: readonly ReportItem[],
	withoutResult: readonly ReportItem[],
): Omit<JudgedList, 'askedBy' | 'isForApproval'> {
	const stops = stopsOf(given);
	if (stops.length > 0) return stoppedList([...given, ...withoutResult], stops);
	const stage = stageOf(given.filter(({ kind }) => kind !== 'list'));
	const missing = stage === 'check' ? withoutResult : [];
	const read = [...given, ...missing];
	const ofList = read.filter(({ kind }) => kind === 'list');
	const ofPayments = read.filter(({ kind }) => kind !== 'list');
	const isDryRun = missing.length > 0 || ofPayments.some(({ row }) => row.result !== undefined);
	const judge = stage === 'payments' ? withOutcome : (item: ReportItem) => checked(item, isDryRun);
	const all = ofPayments.map((item, index) => ({
		...judge(item),
		...aboutItem(item, index, ofPayments.length),
		advice: item.advice,
	}));
	const mayStartAgain = all.every(({ isWithoutKey }) => !isWithoutKey);
	const payments = all.map(({ advice, ...payment }) => withMessage(payment, mayStartAgain ? advice : ''));
	const complaints = ofList.flatMap(({ row }) => row.problems);
	return { stage, payments, complaints, withoutResult: withoutResult.length - missing.length };
}

function aboutItem(item: ReportItem, index: number, of: number): Omit<JudgedPayment, 'row' | 'complaints'> {
	const { row } = item;
	return {
		place: { row: row.row, line: row.line, position: index + 1, of },
		isWithoutKey: !hasKey(row),
		isInDoubt: item.kind === 'other' || item.hasUnclearError,
		isSaidToBePaid: item.decision === 'wasPaid',
	};
}

/**
 * Why the payments stopped. n8n hands on one approved row, with the error of the workflow that pays: it says nothing of this row. Without
 * a name it would only have checked.
 */
function stopsOf(items: readonly ReportItem[]): string[] {
	const isStop = (item: ReportItem) => item.hasUnclearError && item.isApproved;
	return items.every(isStop) ? [...new Set(items.map(({ row }) => row.message ?? ''))] : [];
}

/** Nothing is known of any row, so nobody is asked about it: the list is handed in again. */
function stoppedList(items: readonly ReportItem[], stops: readonly string[]) {
	const ofPayments = items.filter(({ kind }) => kind !== 'list');
	const payments = ofPayments.map((item, index) => {
		const row = { ...item.row };
		delete row.message;
		return { row, complaints: [], ...aboutItem(item, index, ofPayments.length) };
	});
	const complaints = stops.map((reason) => PROBLEM.hasStopped(asSentence(reason) || PROBLEM.withoutReason()));
	return { stage: 'stopped' as const, payments, complaints, withoutResult: 0 };
}

/** A dry run and a list without results have paid nothing. If the results could be of either, they are read as those of payments. */
function stageOf(items: readonly ReportItem[]): JudgedList['stage'] {
	const words = new Set(items.map(({ row }) => row.result));
	if (words.has('paid') || words.has('rejected')) return 'payments';
	const isCheck =
		items.some(({ isOfDryRun }) => isOfDryRun) || [...words].every((word) => word === undefined);
	return isCheck ? 'check' : 'payments';
}

type Judgement = Pick<JudgedPayment, 'row' | 'complaints'>;

/** Before the payments: what Read found, what Report finds, and what the dry run says. */
function checked({ kind, row, hasUnclearError }: ReportItem, isDryRun: boolean): Judgement {
	if (kind === 'other') return { row, complaints: [whyNoRow(row)] };
	switch (row.result) {
		case 'alreadyPaid':
			return { row, complaints: row.problems };
		case 'unknown': {
			// The payments of this list are the run that comes before an answer.
			const known = { ...row };
			delete known.mayDecide;
			return { row: known, complaints: row.problems };
		}
		case undefined: {
			const complaints = [
				...problemsOf(row),
				...(hasUnclearError
					? [PROBLEM.hasUnclearError(asSentence(row.message ?? '') || PROBLEM.withoutReason())]
					: []),
				...(isDryRun ? [PROBLEM.wasNotChecked()] : []),
			];
			return { row: { ...row, problems: complaints }, complaints };
		}
		case 'dryRun':
		case 'notSent':
		case 'rejected':
		case 'paid': {
			const problems = problemsOf(row);
			return { row: { ...row, problems }, complaints: problems };
		}
	}
}

/** After the payments: whatever proves nothing is unknown. */
function withOutcome({ kind, row }: ReportItem): Judgement {
	if (kind === 'other') return { row: { ...row, result: 'unknown', message: whyNoRow(row) }, complaints: [] };
	switch (row.result) {
		case undefined:
			// Nobody pays a row with problems, if the workflow is right. So it is told, and nobody is asked about it.
			if (row.problems.length > 0)
				return { row, complaints: [...row.problems, PROBLEM.hasNoResultAndProblems()] };
			return { row: { ...row, result: 'unknown', message: PROBLEM.hasNoResult() }, complaints: [] };
		case 'dryRun':
			return { row, complaints: [PROBLEM.isDryRun()] };
		case 'paid':
			return { row, complaints: [...failureOf(row), ...(isInTotal(row) ? [] : [PROBLEM.isInNoTotal()])] };
		case 'alreadyPaid':
			return { row, complaints: failureOf(row) };
		case 'notSent':
		case 'rejected':
		case 'unknown':
			return { row, complaints: [] };
	}
}

/** Adds why it was not paid, with what the node advises, and gives each unknown payment a reason. */
function withMessage(payment: JudgedPayment, advice: string): JudgedPayment {
	const { row, complaints } = payment;
	if (row.result === 'unknown') {
		return { ...payment, row: { ...row, message: asSentence(row.message ?? '') || PROBLEM.withoutReason() } };
	}
	if (row.result !== 'notSent' && row.result !== 'rejected') return payment;
	const reason = asSentence(row.message ?? '') || PROBLEM.withoutReason();
	const message = [reason, asSentence(advice)].join(' ').trim();
	// Pay List says again what Read has found.
	const isToldTwice = complaints.length > 0 && complaints.every((each) => reason.includes(each));
	if (isToldTwice) return { ...payment, row: { ...row, message } };
	return { ...payment, row: { ...row, message }, complaints: [...complaints, message] };
}

/** What Read found; of a row without problems, what nobody should pay all the same. */
function problemsOf(row: ReportRow): string[] {
	if (row.problems.length > 0) return row.problems;
	const { amount, currency, destination } = row;
	const problems: string[] = [];
	if (!hasAmount(row)) problems.push(PROBLEM.amountCannotBeRead(amount));
	else if (isZero(amount) || amount.startsWith('-')) problems.push(PROBLEM.amountIsNotAboveZero(amount));
	if (assetOf(row) === undefined) problems.push(PROBLEM.hasNoCode());
	if (destination === '') problems.push(PROBLEM.hasNoDestination());
	if (hasAmount(row)) problems.push(...decimalsProblem(amount, currency));
	return problems;
}

const isInTotal = (row: ReportRow): boolean => hasAmount(row) && assetOf(row) !== undefined;

/** The service has accepted the payment, and its status says that the money is not gone, or has come back. */
export function hasFailed({ result, status = '' }: ReportRow): boolean {
	return (result === 'paid' || result === 'alreadyPaid') && isFailedStatus(status);
}

function failureOf(row: ReportRow): string[] {
	return hasFailed(row) ? [PROBLEM.hasFailed(row.status ?? '')] : [];
}

function whyNoRow({ message }: ReportRow): string {
	return message === undefined ? PROBLEM.isNoRow() : PROBLEM.isNoRowBecause(asSentence(message));
}
