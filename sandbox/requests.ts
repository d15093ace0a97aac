/** What requests must look like: schemas derived from the table, and made-up ones where the document shows none. */
import { z } from 'zod';
import { compare, isPlainDecimal, readDecimal } from '../api/decimal.ts';
import type { EndpointId, EndpointOf } from '../api/endpoints.ts';
import { isExactNumber, isRecord, parseExact } from '../api/json.ts';
import type { ExactNumber } from '../api/json.ts';
import type { NotShown, RequestField, RequestFieldKind, RequestShape, WireRequest } from '../api/shape.ts';
import { Refusal } from './refusal.ts';

export const text = z
	.string({ required_error: 'is missing', invalid_type_error: 'must be text' })
	.refine((value) => value.trim() !== '', 'is empty');

/** Currency or coin code, in any case; upper case here. */
export const code = text.transform((value) => value.toUpperCase());

const url = text.refine(
	(value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
	'must be an absolute http or https URL',
);

/** A JSON number -> plain decimal with all its digits. */
const number = z
	.custom<ExactNumber>(isExactNumber, (value) => ({
		message: value === undefined ? 'is missing' : 'must be a JSON number',
	}))
	.transform((value, context) => {
		const decimal = readDecimal(value.rawJSON);
		if (decimal !== undefined) return decimal;
		context.addIssue({ code: 'custom', message: 'has too large an exponent' });
		return z.NEVER;
	});

// Piped, so that it only sees what is a decimal.
const positive = z.string().refine((decimal) => compare(decimal, '0') > 0, 'must be above zero');

/** A decimal above zero, as a JSON number or as text: for requests that are made up. */
export const anyAmount = z
	.union([number, text.refine(isPlainDecimal, 'must be a decimal number')], {
		errorMap: (_, { data }) => ({ message: data === undefined ? 'is missing' : 'must be a decimal number' }),
	})
	.pipe(positive);

/** A whole number within bounds, as an ordinary number: for controls. */
export function integer(least: number, most: number) {
	return z
		.custom<ExactNumber>(isExactNumber, 'must be a JSON number')
		.transform(({ rawJSON }) => Number(rawJSON))
		.refine((value) => Number.isInteger(value) && value >= least && value <= most, {
			message: `must be a whole number from ${least} to ${most}`,
		});
}

const SCHEMAS = {
	text,
	code,
	url,
	amount: number.pipe(positive),
	signedAmount: number,
} satisfies Record<RequestFieldKind, z.ZodTypeAny>;

/** The document's request: these fields and no others. Amounts come out as plain decimals. */
export function requestSchema(shape: RequestShape): z.ZodTypeAny {
	const fields = Object.entries<RequestField>(shape).map(([name, { kind }]) => [name, SCHEMAS[kind]]);
	return z.object(Object.fromEntries(fields)).strict();
}

type NotShownId = {
	[Id in EndpointId]: EndpointOf<Id>['request'] extends NotShown ? Id : never;
}[EndpointId];

const byAlias = z.object({ alias: text });

/** The requests that the document does not show. Made up, so unknown fields are let through. */
export const MADE_UP = {
	'cryptoWallet.create': z.object({ alias: text.optional(), network: text.default('TRC20') }),
	'cryptoWallet.createPayout': z.object({ coin: code, amount: anyAmount, wallet_alias: text }),
	'cryptoWallet.get': byAlias,
	'cryptoWallet.getBalance': z.object({ coin: code }),
	'cryptoWallet.getAll': z.object({}),
	'settlementWallet.create': z.object({
		alias: text,
		address: text,
		network: text.default('TRC20'),
		asset_supported: z.union([text, z.array(text).transform((codes) => codes.join(','))]).default('USDT'),
	}),
	'settlementWallet.get': byAlias,
	'settlementWallet.getAll': z.object({}),
	'settlementAccount.get': byAlias,
	'settlementAccount.getAll': z.object({}),
	'service.getHealth': z.object({}),
} satisfies Record<NotShownId, z.ZodTypeAny>;

/** What a handler gets: the checked request, with amounts as plain decimals. */
export type RequestOf<Id extends EndpointId> = Id extends NotShownId
	? z.output<(typeof MADE_UP)[Id]>
	: WireRequest<EndpointOf<Id>['request'], string>;

/** Reads and checks a request body; no body counts as `{}`. Throws a Refusal that names the field. */
export function readRequest<S extends z.ZodTypeAny>(schema: S, body: string): z.output<S> {
	const checked = schema.safeParse(parseBody(body));
	if (checked.success) return checked.data;
	const [issue] = checked.error.issues;
	if (issue.code === 'unrecognized_keys') {
		const [key] = issue.keys;
		throw new Refusal(400, 'invalid_request', `${key} is not a field of this request`, key);
	}
	const field = issue.path.join('.') || undefined;
	throw new Refusal(400, 'invalid_request', [field, issue.message].filter(Boolean).join(' '), field);
}

function parseBody(body: string): unknown {
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
