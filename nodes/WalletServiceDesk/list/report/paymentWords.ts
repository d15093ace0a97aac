/** A payment in words for people. */
import { shortLine } from '../../../shared/text.ts';
import { digitsOf } from '../../values/money.ts';
import { PAGE } from './messages.ts';
import { hasAmount } from './reportRow.ts';
import type { ReportRow } from './reportRow.ts';

/** Characters of a value that people see. The file has all of them. */
const MOST = 80;

/** `1,250.50 NGN to supplier-main`. */
export function paymentInWords(row: ReportRow): string {
	return `${amountInWords(row)} ${destinationInWords(row)}`;
}

/** `to supplier-main`. */
export function destinationInWords({ destination }: ReportRow): string {
	return PAGE.to(shortLine(destination, MOST) || '?');
}

/** `1,250.50 NGN`. What is missing shows as `?`. */
export function amountInWords(row: ReportRow): string {
	const codes = [row.currency, row.coin].filter((code) => code !== undefined).join(' or ');
	const amount = hasAmount(row) ? digitsOf(row.amount, codes) : shortLine(row.amount, MOST) || '?';
	return `${amount} ${shortLine(codes, MOST) || '?'}`;
}
