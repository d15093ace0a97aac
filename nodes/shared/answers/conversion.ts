/** What an accepted answer says of the conversion that was asked for. */
import { compare, divide, multiply, placesOf, readDecimal, subtract } from '../../../api/exact/decimal.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import { textOf } from './values.ts';
import { isList, keysWithRole, UNDOCUMENTED } from '../../../api/shape.ts';
import type { ConversionRole } from '../../../api/shape.ts';
import type { ServiceRequest } from '../serviceRequest.ts';

/** The record of the payment, and the answer around it. */
type Records = Array<Record<string, unknown>>;

/** The key of an amount that is missing, cannot be read or is not above zero. Undefined: none is, or it is no conversion. */
export function missingAmount(endpoint: Endpoint, records: Records): string | undefined {
	const keys = [...keysOf(endpoint, 'given'), ...keysOf(endpoint, 'received')];
	return keys.find((key) => {
		const amounts = textsUnder(key, records).map(readDecimal);
		return !amounts.some(isAboveZero) || !amounts.every(isAboveZero);
	});
}

/** Whether the rate, or what came in, is below what the request has asked for. */
export function isBelow(endpoint: Endpoint, records: Records, request: ServiceRequest): boolean {
	const { leastRate, money } = request;
	if (leastRate === undefined || money.amount === undefined) return false;
	const answered = (role: ConversionRole) =>
		keysOf(endpoint, role)
			.flatMap((key) => textsUnder(key, records))
			.flatMap((text) => readDecimal(text) ?? []);
	const wanted = multiply(money.amount, leastRate);
	const isRateBelow = answered('rate').some((rate) => compare(rate, leastRate) < 0);
	return isRateBelow || answered('received').some((received) => isShort(received, wanted));
}

/** Decimal places to which a service may round money, at least. */
const ROUNDED_TO = 2;
/** What rounding takes is less than one part in so many. The last digit of a few coins may be more. */
const PARTS = '10000';

/** Whether it is less than what was wanted, and not only because the last digits are cut off. */
function isShort(received: string, wanted: string): boolean {
	if (compare(received, wanted) >= 0) return false;
	const cutOff = divide(wanted, '1', Math.max(placesOf(received), ROUNDED_TO));
	const isSmall = compare(multiply(subtract(wanted, received), PARTS), wanted) < 0;
	return !(isSmall && compare(received, cutOff) >= 0);
}

function keysOf({ response }: Endpoint, role: ConversionRole): string[] {
	return response === UNDOCUMENTED || isList(response) ? [] : keysWithRole(response, role);
}

/** None for what the answer leaves empty. */
function textsUnder(key: string, records: Records): string[] {
	const texts = records.map((fields) => (Object.hasOwn(fields, key) ? textOf(fields[key]).trim() : ''));
	return texts.filter((text) => text !== '');
}

function isAboveZero(amount: string | undefined): boolean {
	return amount !== undefined && compare(amount, '0') > 0;
}
