/** Reads a body that the user writes as JSON. Amounts in it are always plain decimals. */
import type { MoneyFields } from '../../../api/catalog.ts';
import { isPlainDecimal } from '../../../api/exact/decimal.ts';
import { isRecord, parseExact, repeatsKey } from '../../../api/exact/json.ts';
import type { ValidationIssue } from '../../shared/result.ts';
import { excerpt } from '../../shared/wording.ts';
import { isEmptyInput } from './itemParameters.ts';
import type { ItemParameters } from './itemParameters.ts';
import { INPUT } from './messages.ts';
import { canBeSent, inexactNumber, isAboveZero, longLiteral, spellingOf } from './readInput.ts';
import { RequestBuilder, scalarText } from './requestBuilder.ts';
import type { ReadRequest } from './requestBuilder.ts';

/** `names`: the fields that hold the money of a payment, by role; undefined for what is no payment. */
export function readJsonBody(parameters: ItemParameters, names: MoneyFields | undefined): ReadRequest {
	const builder = new RequestBuilder(names ?? {});
	const isPayment = names !== undefined;
	const refused = (what: string): ReadRequest => {
		builder.issues.push(INPUT.bodyIs(what));
		return builder.withoutBody();
	};
	const written = parameters.value('requestBody');
	const expression = parameters.expression('requestBody');
	if (isEmptyInput(typeof written === 'string' ? written.trim() : written)) {
		// An expression that gives nothing must not send an empty request.
		const isMeant = !isPayment && isEmptyInput(expression);
		return isMeant ? builder.withoutBody() : refused('empty');
	}
	const body = parsed(written);
	if (typeof body === 'string') return refused(body);
	if (isPayment && Object.keys(body).length === 0) return refused('empty');
	const lost = longLiteral(expression) ?? inexactNumber(body);
	if (lost !== undefined) builder.issues.push(INPUT.bodyLostDigits(lost));
	const unreadable = moneyIssues(body, names ?? {});
	builder.issues.push(...unreadable.values());
	for (const [name, field] of Object.entries(body)) {
		if (!unreadable.has(name)) builder.add(name, field);
	}
	return builder.withBody();
}

/** The object, or in words that follow the label why the input is none. */
function parsed(written: unknown): Record<string, unknown> | string {
	if (typeof written !== 'string') {
		return isRecord(written) && canBeSent(written) ? written : 'not a JSON object';
	}
	try {
		const body = parseExact(written);
		if (!isRecord(body)) return 'not a JSON object';
		// Data inside the text may have brought the second one.
		return repeatsKey(written, body) ? 'JSON with a key twice' : body;
	} catch {
		return 'not valid JSON';
	}
}

/** What is wrong with the fields of a body that hold the money, by their names. */
function moneyIssues(body: Record<string, unknown>, names: MoneyFields): Map<string, ValidationIssue> {
	const issues = new Map<string, ValidationIssue>();
	for (const name of new Set(Object.values(names))) {
		if (!Object.hasOwn(body, name)) continue;
		const value = body[name];
		const issue = isEmptyInput(value)
			? INPUT.isEmpty({ label: name, placeholder: 'or remove the field' })
			: name === names.amount
				? amountIssue(name, value)
				: undefined;
		if (issue !== undefined) issues.set(name, issue);
	}
	return issues;
}

/** What is wrong with an amount: it is a decimal above zero, as text or as a number. */
function amountIssue(label: string, value: unknown): ValidationIssue | undefined {
	const placeholder = 'e.g. 12.50';
	const amount = scalarText(value);
	if (amount === undefined) {
		const reason = 'is not a decimal number';
		return INPUT.isNotPlainDecimal({ label, reason, value: excerpt(JSON.stringify(value)), placeholder });
	}
	const shown = excerpt(amount);
	if (!isPlainDecimal(amount)) {
		return INPUT.isNotPlainDecimal({ label, reason: spellingOf(amount), value: shown, placeholder });
	}
	if (isAboveZero(amount)) return undefined;
	return INPUT.hasWrongSign({ label, reason: 'is not above zero', value: shown, placeholder });
}
