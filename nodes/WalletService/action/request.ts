/** Before a call: from the parameters of one item to the exact text of the request body. */
import type { Endpoint, MoneyFields } from '../../../api/endpoints.ts';
import { isPlainDecimal, readDecimal } from '../../../api/decimal.ts';
import { exactNumber, isExactNumber, isRecord, parseExact } from '../../../api/json.ts';
import type { ExactNumber } from '../../../api/json.ts';
import { UNDOCUMENTED } from '../../../api/shape.ts';
import type { RequestField } from '../../../api/shape.ts';

/** Gives the value of a parameter of the item at hand, expressions evaluated. */
export type ParameterReader = (name: string) => unknown;

/** Something the user can mend in the editor. Both sentences name the parameter by its label. */
export interface ValidationIssue {
	message: string;
	description: string;
}

/** What is to be sent for one item. */
export interface Request {
	/** JSON text; undefined where there is no body. */
	body: string | undefined;
	/** Decimal text of the money that it moves, where there is a field that says so. */
	amount?: string;
	/** Alias or contract that it moves to, likewise. */
	destination?: string;
}

export type Built = { ok: true; request: Request } | { ok: false; issues: ValidationIssue[] };

/** Builds the body of a request, or says everything that is wrong with the input. Sends nothing. */
export function buildRequest(endpoint: Endpoint, read: ParameterReader): Built {
	if (endpoint.request === UNDOCUMENTED) return buildFreeRequest(read('requestBody'));
	const fields = Object.entries(endpoint.request);
	if (fields.length === 0) return { ok: true, request: { body: undefined } };
	const entries: Array<[string, string | ExactNumber]> = [];
	const issues: ValidationIssue[] = [];
	for (const [name, field] of fields) {
		const result = readInput(field, read(name));
		if ('value' in result) entries.push([name, result.value]);
		else issues.push(result);
	}
	return issues.length > 0
		? { ok: false, issues }
		: { ok: true, request: requestOf(Object.fromEntries(entries), endpoint.movesMoney) };
}

function buildFreeRequest(value: unknown): Built {
	const issue = (message: string): Built => ({
		ok: false,
		issues: [{ message, description: 'Enter a JSON object in \'Request Body\', such as {"alias": "main"}' }],
	});
	if (value === undefined || value === null || value === '')
		return { ok: true, request: { body: undefined } };
	let body: unknown = value;
	if (typeof value === 'string') {
		try {
			body = parseExact(value);
		} catch {
			return issue("'Request Body' is not valid JSON");
		}
	}
	if (!isRecord(body)) return issue("'Request Body' is not a JSON object");
	const rounded = roundedNumber(body);
	if (rounded !== undefined) {
		return {
			ok: false,
			issues: [
				{
					message: `'Request Body' holds ${rounded}, a number that lost digits before it came here`,
					description:
						'Write the body as JSON text instead of an expression that makes an object, or the number as text',
				},
			],
		};
	}
	return { ok: true, request: requestOf(body) };
}

/** Where the document does not show the request, these are the names that its fields have elsewhere. */
const LIKELY_AMOUNTS = ['amount'];
const LIKELY_DESTINATIONS = ['wallet_alias', 'account_alias', 'alias'];

function requestOf(record: Record<string, unknown>, { amount, destination }: MoneyFields = {}): Request {
	const textAt = (names: string[]) => {
		const value = names.map((name) => record[name]).find((candidate) => candidate !== undefined);
		const scalar = isExactNumber(value) ? value.rawJSON : value;
		return typeof scalar === 'string' || typeof scalar === 'number' ? String(scalar) : undefined;
	};
	const moved = readDecimal(textAt(amount === undefined ? LIKELY_AMOUNTS : [amount]) ?? '');
	const target = textAt(destination === undefined ? LIKELY_DESTINATIONS : [destination]);
	return {
		body: JSON.stringify(record),
		...(moved === undefined ? {} : { amount: moved }),
		...(target === undefined ? {} : { destination: target }),
	};
}

/** The first ordinary number in a body that may stand for a neighbour of itself. Numbers from JSON text are exact. */
function roundedNumber(value: unknown): number | undefined {
	if (typeof value === 'number') return carriesItsDigits(value) ? undefined : value;
	if (Array.isArray(value) || isRecord(value)) {
		for (const entry of Object.values(value)) {
			const found = roundedNumber(entry);
			if (found !== undefined) return found;
		}
	}
	return undefined;
}

interface Input {
	value: string | ExactNumber;
}

function readInput(field: RequestField, input: unknown): Input | ValidationIssue {
	const { label, kind, placeholder } = field;
	const text = typeof input === 'number' || typeof input === 'bigint' ? String(input) : input;
	if (text === undefined || text === null || (typeof text === 'string' && text.trim() === '')) {
		return { message: `'${label}' is empty`, description: `Enter a value for '${label}', ${placeholder}` };
	}
	if (typeof text !== 'string') {
		return { message: `'${label}' is not text`, description: `Enter text for '${label}', ${placeholder}` };
	}
	switch (kind) {
		case 'amount':
		case 'signedAmount':
			return readAmount(field, typeof input === 'number' ? input : text);
		case 'url':
			return /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '')
				? { value: text }
				: {
						message: `'${label}' is not a web address: ${excerpt(text)}`,
						description: `Enter an address that begins with https:// for '${label}', ${placeholder}`,
					};
		case 'code':
			return { value: text.trim() };
		case 'text':
			return { value: text };
	}
}

function readAmount(
	{ label, kind, placeholder }: RequestField,
	input: string | number,
): Input | ValidationIssue {
	if (typeof input === 'number' && !carriesItsDigits(input)) {
		return {
			message: `'${label}' came as the number ${input}, which may have lost digits`,
			description: `Hand '${label}' over as text, so that every digit is kept`,
		};
	}
	// A number such as 1e-7 is exact, only its spelling is not for JSON.
	const amount = typeof input === 'number' ? (readDecimal(String(input)) ?? '') : input;
	const complain = (what: string) => ({
		message: `'${label}' ${what}: ${excerpt(amount)}`,
		description: `Enter '${label}' as plain digits with a point before the decimals, ${placeholder}`,
	});
	if (!isPlainDecimal(amount)) return complain(spelling(amount));
	if (kind === 'amount' && !/^[^-]*[1-9]/.test(amount)) return complain('is not above zero');
	return { value: exactNumber(amount) };
}

/** Why the text is no plain decimal, in words that follow the label. */
function spelling(text: string): string {
	if (text !== text.trim() || /\d\s+\d/.test(text)) return 'has spaces';
	if (text.includes(',')) return 'has a comma';
	if (/^\+/.test(text)) return 'has a plus sign';
	if (/^-?\d[\d.]*e[+-]?\d+$/i.test(text)) return 'has an exponent';
	if (/^-?0x/i.test(text)) return 'is hexadecimal';
	if (/^-?0\d/.test(text)) return 'has leading zeros';
	return 'is not a decimal number';
}

/** Whether a double's shortest text is what was meant: up to 15 significant digits survive a double unchanged. */
function carriesItsDigits(value: number): boolean {
	if (!Number.isFinite(value)) return false;
	const [mantissa] = value.toExponential().split('e');
	return Number.isSafeInteger(value) || mantissa.replace(/[-.]/g, '').length <= 15;
}

function excerpt(text: string): string {
	return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
