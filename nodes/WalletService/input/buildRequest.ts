/** Reads the request of one item from its parameters: the money, the other fields, and what is wrong with them. Sends nothing. */
import { moneyFieldsOf, movesMoney, requestFieldsOf } from '../../../api/catalog.ts';
import type { MoneyFields } from '../../../api/catalog.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import { MONEY_ROLES, UNDOCUMENTED } from '../../../api/shape.ts';
import { isEmptyInput, furtherFieldsIn } from './itemParameters.ts';
import type { ItemParameters } from './itemParameters.ts';
import { readJsonBody } from './jsonBody.ts';
import { INPUT } from './messages.ts';
import { canBeSent, inexactNumber, longLiteral, readInput } from './readInput.ts';
import type { AmountFormat, Input } from './readInput.ts';
import { RequestBuilder } from './requestBuilder.ts';
import type { ReadRequest } from './requestBuilder.ts';

/** What the options of a payment say about its request. */
export interface RequestOptions {
	/** The fields of an undocumented body that hold the money, where they are not the suggested ones. */
	names?: MoneyFields;
	/** How the amounts in parameters are written. */
	amountFormat?: AmountFormat;
}

export function buildRequest(
	endpoint: Endpoint,
	parameters: ItemParameters,
	{ names = moneyFieldsOf(endpoint), amountFormat }: RequestOptions = {},
): ReadRequest {
	const isDocumented = endpoint.request !== UNDOCUMENTED;
	const isPayment = movesMoney(endpoint);
	if (!isDocumented && parameters.value('specifyBody') === 'json') {
		return readJsonBody(parameters, isPayment ? names : undefined);
	}
	const builder = new RequestBuilder(names);
	const add = (name: string, input: Input) => {
		if ('message' in input) builder.issues.push(input);
		else if (builder.has(name)) builder.issues.push(INPUT.fieldIsTwice(name));
		else if ('decimal' in input) builder.addNumber(name, input.decimal);
		else builder.add(name, input.value);
	};
	for (const [name, field] of Object.entries(requestFieldsOf(endpoint))) {
		const value = parameters.value(name);
		const expression = parameters.expression(name);
		const isOptional = !isDocumented && !isPayment;
		if (isOptional && isEmptyInput(expression)) continue;
		add(keyOf(name, names, moneyFieldsOf(endpoint)), readInput(field, { value, expression, amountFormat }));
	}
	for (const { name, value, expression } of isDocumented ? [] : bodyFieldsOf(parameters)) {
		if (name === '') builder.issues.push(INPUT.fieldHasNoName());
		else if (!isEmptyInput(expression)) add(name, readBodyField(name, value, expression));
	}
	// A GET, and a request without documented fields, have no body unless the user writes one.
	const hasBody = !builder.isEmpty || !(isDocumented || endpoint.route.startsWith('GET'));
	return hasBody ? builder.withBody() : builder.withoutBody();
}

/** The key that a suggested field has in the account's documentation, if the author has written another one. */
function keyOf(name: string, names: MoneyFields, suggested: MoneyFields): string {
	const role = MONEY_ROLES.find((each) => suggested[each] === name);
	return (role && names[role]) ?? name;
}

function bodyFieldsOf(parameters: ItemParameters) {
	const expressions = furtherFieldsIn(parameters.expression('bodyFields'));
	return furtherFieldsIn(parameters.value('bodyFields')).map(({ name, value }, index) => ({
		name: String(name ?? '').trim(),
		value,
		expression: expressions[index]?.value,
	}));
}

/** Text goes out as text. An expression may give another value, such as a number, if it has lost no digits. */
function readBodyField(name: string, value: unknown, expression: unknown): Input {
	if (isEmptyInput(value)) return INPUT.isEmpty({ label: name, placeholder: 'or remove the field' });
	if (!canBeSent(value)) return INPUT.isNotText({ label: name, placeholder: 'or remove the field' });
	const lost = longLiteral(expression) ?? inexactNumber(value);
	return lost === undefined ? { value } : INPUT.lostDigits({ label: name, value: lost });
}
