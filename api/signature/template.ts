/** Templates of what is signed, such as `{timestamp}.{body}`. `\n` in a template is a line feed. */
import { hash } from 'node:crypto';

import { SETTING } from '../messages.ts';
import { SettingError } from '../settingError.ts';

/** A piece of what is signed: text, or bytes exactly as received. */
export type PayloadPart = string | Uint8Array;

/** Whether one of the signatures is a key's signature of a payload. Bytes that cannot be a signature are none. */
export type SignatureCheck = (payload: PayloadPart[], signatures: Buffer[]) => boolean;

/** Literals and tokens alternate: `{a}.{b}` is '', a, '.', b, ''. */
export interface Template {
	literals: string[];
	tokens: string[];
}

/** What stands for the body of a request or a delivery: its exact bytes, or a digest of them. */
const BODY: Record<string, (body: PayloadPart) => PayloadPart> = {
	body: (body) => body,
	bodySha256: (body) => hash('sha256', body, 'hex'),
	bodySha512: (body) => hash('sha512', body, 'hex'),
};
export const BODY_TOKENS = Object.keys(BODY);

/** Throws SettingError for an unknown token; `label` is the name of the field in the form. */
export function parseTemplate(template: string, label: string, known: string[]): Template {
	const parts = template.replaceAll('\\n', '\n').split(/\{(\w+)\}/);
	const tokens = parts.filter((_, index) => index % 2 === 1);
	const unknown = tokens.find((token) => !known.includes(token));
	if (unknown !== undefined) {
		const names = known.map((name) => `{${name}}`).join(' ');
		throw new SettingError(SETTING.tokenIsUnknown({ label, token: `{${unknown}}`, known: names }));
	}
	return { literals: parts.filter((_, index) => index % 2 === 0), tokens };
}

/** The parts to sign, in their order. Only a digest that the template contains is computed. */
export function fillTemplate(
	{ literals, tokens }: Template,
	values: Record<string, string>,
	body: PayloadPart,
): PayloadPart[] {
	const parts = tokens.map((token) => BODY[token]?.(body) ?? values[token] ?? '');
	return literals.flatMap((literal, index) => [literal, parts[index] ?? '']);
}
