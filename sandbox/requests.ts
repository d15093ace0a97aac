/**
 * What requests must look like. A schema both checks a request and, through `z.toJSONSchema`, describes it in
 * /openapi.json: descriptions, examples and the bounds that only a function knows are its `meta`.
 */
import { z } from 'zod/v4';
import { compare, isPlainDecimal, readDecimal } from '../api/decimal.ts';
import { isExactNumber, isRecord, parseExact } from '../api/json.ts';
import type { ExactNumber } from '../api/json.ts';
import type { RequestField, RequestFieldKind, RequestShape } from '../api/shape.ts';
import { Refusal } from './refusal.ts';

const missingOr = (otherwise: string) => (issue: { input: unknown }) =>
	issue.input === undefined ? 'is missing' : otherwise;

export const text = z
	.string({ error: missingOr('must be text') })
	.refine((value) => value.trim() !== '', 'is empty')
	.meta({ minLength: 1 });

/** Currency or coin code, in any case; upper case here. */
export const code = text.transform((value) => value.toUpperCase());

const url = text
	.refine(
		(value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
		'must be an absolute http or https URL',
	)
	.meta({ format: 'uri' });

/** A JSON number -> plain decimal with all its digits. */
const number = z
	.custom<ExactNumber>(isExactNumber, { error: missingOr('must be a JSON number') })
	.meta({ type: 'number' })
	.transform((value, context) => {
		const decimal = readDecimal(value.rawJSON);
		if (decimal !== undefined) return decimal;
		context.issues.push({ code: 'custom', message: 'has too large an exponent', input: value });
		return z.NEVER;
	});

const aboveZero = (decimal: string) => compare(decimal, '0') > 0;

/** A decimal above zero, as a JSON number or as text: for requests that are made up. */
export const anyAmount = z
	.union([number, text.refine(isPlainDecimal).meta({ pattern: '^\\d+(\\.\\d+)?$' })], {
		error: missingOr('must be a decimal number'),
	})
	.pipe(z.string().refine(aboveZero, 'must be above zero'));

/** A whole number within bounds, as an ordinary number: for controls. */
export function integer(least: number, most: number) {
	return z
		.custom<ExactNumber>(isExactNumber, { error: missingOr('must be a JSON number') })
		.meta({ type: 'integer', minimum: least, maximum: most })
		.transform(({ rawJSON }) => Number(rawJSON))
		.refine((value) => Number.isInteger(value) && value >= least && value <= most, {
			message: `must be a whole number from ${least} to ${most}`,
		});
}

const SCHEMAS = {
	text,
	code,
	url,
	amount: number.pipe(z.string().refine(aboveZero, 'must be above zero')).meta({ exclusiveMinimum: 0 }),
	signedAmount: number,
} satisfies Record<RequestFieldKind, z.ZodType>;

/** The document's request: these fields and no others. Amounts come out as plain decimals. */
export function requestSchema(shape: RequestShape): z.ZodType {
	const fields = Object.entries<RequestField>(shape).map(([name, { kind, description, placeholder }]) => {
		// n8n's placeholders begin with these letters.
		const example = placeholder.replace('e.g. ', '');
		const examples = [kind.endsWith('mount') ? Number(example) : example];
		return [name, SCHEMAS[kind].meta({ description, examples })];
	});
	return z.strictObject(Object.fromEntries(fields));
}

/** Checks a request that has been parsed. Throws a Refusal that names the field. */
export function check<S extends z.ZodType>(schema: S, request: Record<string, unknown>): z.output<S> {
	const checked = schema.safeParse(request);
	if (checked.success) return checked.data;
	const issue = firstIssue(checked.error.issues);
	if (issue.code === 'unrecognized_keys') {
		const [key] = issue.keys;
		throw new Refusal(400, 'invalid_request', `${key} is not a field of this request`, key);
	}
	const field = issue.path.join('.') || undefined;
	throw new Refusal(400, 'invalid_request', [field, issue.message].filter(Boolean).join(' '), field);
}

/** Of a request that has several forms, what the form that it comes closest to lacks. */
function firstIssue(issues: z.core.$ZodIssue[]): z.core.$ZodIssue {
	const [issue] = issues;
	if (issue.code !== 'invalid_union' || issue.path.length > 0) return issue;
	return issue.errors.reduce((fewest, form) => (form.length < fewest.length ? form : fewest))[0];
}

/** The JSON object in a body, with exact numbers; no body counts as `{}`. Throws a Refusal. */
export function parseBody(body: string): Record<string, unknown> {
	if (body === '') return {};
	let value: unknown;
	try {
		value = parseExact(body);
	} catch {
		throw new Refusal(400, 'invalid_request', 'The body is not JSON');
	}
	if (!isRecord(value)) throw new Refusal(400, 'invalid_request', 'The body is not a JSON object');
	return value;
}
