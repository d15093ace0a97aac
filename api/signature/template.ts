/** Templates of what is signed, such as `{timestamp}.{body}`. `\n` in a template is a line feed. */
import { SETTING } from '../messages.ts';
import { optionalText, SettingError } from '../settingError.ts';

/** A piece of what is signed: text, or bytes exactly as received. */
export type PayloadPart = string | Uint8Array;

/** Literals and tokens alternate: `{a}.{b}` is '', a, '.', b, ''. */
export interface Template<Token extends string> {
	literals: string[];
	tokens: Token[];
}

/**
 * Reads a template. Throws SettingError for an unknown token or a value that is not text; `label` is the name of the template's
 * field in the form.
 */
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

/** The template without these tokens and the literals before them. */
export function leaveOut<Token extends string>(
	{ literals, tokens }: Template<Token>,
	omitted: readonly Token[],
): Template<Token> {
	const isKept = (token: Token | undefined) => token === undefined || !omitted.includes(token);
	return { literals: literals.filter((_, index) => isKept(tokens[index])), tokens: tokens.filter(isKept) };
}

/** The literals between two neighbouring tokens, in either order. Empty if they are never neighbours. */
export function literalsBetween<Token extends string>(
	{ literals, tokens }: Template<Token>,
	one: Token,
	other: Token,
): string[] {
	return literals.slice(1, -1).filter((_, index) => {
		const pair = [tokens[index], tokens[index + 1]];
		return pair.includes(one) && pair.includes(other);
	});
}
