/** Templates of what is signed, such as `{timestamp}.{body}`. `\n` in a template is a line feed. */
import { hash } from 'node:crypto';

import { SETTING } from '../messages.ts';
import { optionalText, SettingError } from '../settingError.ts';

/** A piece of what is signed: text, or bytes exactly as received. */
export type PayloadPart = string | Uint8Array;

/** Literals and tokens alternate: `{a}.{b}` is '', a, '.', b, ''. */
export interface Template<Token extends string> {
	literals: string[];
	tokens: Token[];
}

/** Throws SettingError for an unknown token or a value that is not text; `label` is the name of the field in the form. */
export function parseTemplate<Token extends string>(
	template: unknown,
	label: string,
	known: readonly Token[],
): Template<Token> {
	const parts = optionalText(template, label).split(/\{(\w+)\}/);
	const tokens = parts.filter((_, index) => index % 2 === 1) as Token[];
	const unknown = tokens.find((token) => !known.includes(token));
	if (unknown !== undefined) {
		const names = known.map((name) => `{${name}}`).join(' ');
		throw new SettingError(SETTING.tokenIsUnknown(label, `{${unknown}}`, names));
	}
	const literals = parts.filter((_, index) => index % 2 === 0).map((text) => text.replaceAll('\\n', '\n'));
	return { literals, tokens };
}

/** The parts to sign, in their order. Only the values of the tokens in the template are computed. */
export function fillTemplate<Token extends string>(
	{ literals, tokens }: Template<Token>,
	values: Record<Token, () => PayloadPart>,
): PayloadPart[] {
	return literals.flatMap((literal, index) => {
		const token = tokens[index];
		return token === undefined ? [literal] : [literal, values[token]()];
	});
}

/** Stands for the body of a request or a delivery: its exact bytes, or a digest of them. */
export const BODY_TOKENS = ['body', 'bodySha256', 'bodySha512'] as const;

export const bodyValues = (body: PayloadPart): Record<(typeof BODY_TOKENS)[number], () => PayloadPart> => ({
	body: () => body,
	bodySha256: () => hash('sha256', body, 'hex'),
	bodySha512: () => hash('sha512', body, 'hex'),
});
