/**
 * Reads and validates requests. A schema validates a request and, through `z.toJSONSchema`, describes it in /openapi.json.
 * `meta` holds what zod cannot derive: descriptions, examples and bounds that a function checks.
 */
import { z } from 'zod/v4';
import { compare, isPlainDecimal, readDecimal } from '../../api/exact/decimal.ts';
import { isExactNumber, isRecord, parseExact } from '../../api/exact/json.ts';
import type { ExactNumber } from '../../api/exact/json.ts';
import type { RequestField, RequestFieldKind, RequestShape } from '../../api/shape.ts';
import { Refusal } from '../ledger/refusal.ts';

const missingOr = (otherwise: string) => (issue: { input: unknown }) =>
	issue.input === undefined ? 'is missing' : otherwise;

export const text = z
	.string({ error: missingOr('must be text') })
	.refine((value) => value.trim() !== '', 'is empty')
	.meta({ minLength: 1 });

/** Currency or coin code in any case; the result is upper case. */
export const code = text.transform((value) => value.toUpperCase());

const url = text
	.refine(
		(value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
		'must be an absolute http or https URL',
	)
	.meta({ format: 'uri' });

/** More than any balance needs. A balance with thousands of digits would slow down every later calculation. */
const MAX_DIGITS = 40;
const TOO_MANY_DIGITS = `has more than ${MAX_DIGITS} digits`;

function hasFewDigits(decimal: string): boolean {
	return decimal.replace(/[-.]/g, '').length <= MAX_DIGITS;
}

/** A JSON number; the result is a plain decimal with all its digits. */
const number = z
	.custom<ExactNumber>(isExactNumber, { error: missingOr('must be a JSON number') })
	.meta({ type: 'number' })
	.transform(({ rawJSON }) => readDecimal(rawJSON) ?? '')
	// A number with a large exponent has no plain decimal.
	.refine((decimal) => decimal !== '' && hasFewDigits(decimal), TOO_MANY_DIGITS);

const aboveZero = (decimal: string) => compare(decimal, '0') > 0;

/** A decimal above zero as a JSON number or text, for requests that the document does not show. */
export const anyAmount = z
	.union([number, text.refine(isPlainDecimal).meta({ pattern: '^\\d+(\\.\\d+)?$' })], {
		error: missingOr('must be a decimal number'),
	})
	.pipe(z.string().refine(hasFewDigits, TOO_MANY_DIGITS).refine(aboveZero, 'must be above zero'));

/** A whole number from `min` to `max`; the result is a JavaScript number. */
export function integer(min: number, max: number) {
	return z
		.custom<ExactNumber>(isExactNumber, { error: missingOr('must be a JSON number') })
		.transform(({ rawJSON }) => Number(rawJSON))
		.refine((value) => Number.isInteger(value) && value >= min && value <= max, {
			message: `must be a whole number from ${min} to ${max}`,
		});
}

const SCHEMAS = {
	text,
	code,
	url,
	amount: number.pipe(z.string().refine(aboveZero, 'must be above zero')).meta({ exclusiveMinimum: 0 }),
	signedAmount: number,
} satisfies Record<RequestFieldKind, z.ZodType>;

/** The schema of a documented request: these fields and no others. Amounts become plain decimals. */
export function requestSchema(shape: RequestShape): z.ZodType {
	const fields = Object.entries<RequestField>(shape).map(([name, { kind, description, placeholder }]) => {
		// The table writes placeholders as n8n does: `e.g. NGN`.
		const example = placeholder.replace('e.g. ', '');
		const examples = [kind.endsWith('mount') ? Number(example) : example];
		return [name, SCHEMAS[kind].meta({ description, examples })];
	});
	return z.strictObject(Object.fromEntries(fields));
}

/** Validates a parsed request. Throws a Refusal that names the field. */
export function check<S extends z.ZodType>(schema: S, request: Record<string, unknown>): z.output<S> {
	const checked = schema.safeParse(request);
	if (checked.success) return checked.data;
	const [issue] = checked.error.issues;
	if (issue?.code === 'unrecognized_keys') {
		const [key = ''] = issue.keys;
		throw new Refusal('invalid_request', `${key} is not a field of this request`, key);
	}
	const field = issue?.path.join('.') || undefined;
	throw new Refusal('invalid_request', [field, issue?.message].filter(Boolean).join(' '), field);
}

/** Throws a Refusal for a request whose content type is not JSON. */
export function requireJson(request: Request): void {
	const [mediaType = ''] = (request.headers.get('content-type') ?? '').split(';');
	if (mediaType.trim().toLowerCase() === 'application/json') return;
	throw new Refusal('unsupported_media_type', 'Content-Type must be application/json', 'content-type');
}

/** The body as text. Throws a Refusal if it is not UTF-8, or has over a million bytes. */
export async function readText(request: Request): Promise<string> {
	const bytes = await request.arrayBuffer();
	if (bytes.byteLength > 1_000_000) throw new Refusal('too_large', 'The body has over a million bytes');
	try {
		// Keeping the byte order mark makes the text stand for exactly the bytes received.
		return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		throw new Refusal('invalid_request', 'The body is not UTF-8 text');
	}
}

/** The JSON object in a body, with exact numbers. An empty body counts as `{}`. Throws a Refusal. */
export function parseBody(body: string): Record<string, unknown> {
	if (body === '') return {};
	let value: unknown;
	try {
		value = parseExact(body);
	} catch {
		throw new Refusal('invalid_request', 'The body is not JSON');
	}
	if (!isRecord(value)) throw new Refusal('invalid_request', 'The body is not a JSON object');
	return value;
}
