/** Reads the options of a payment. What they are stands in the editor's table of them. */
import { PERSON } from '../../shared/messages.ts';
import { isRecord } from '../../../api/exact/json.ts';
import { expectedOf } from '../../shared/options/options.ts';
import type { ValuesOf } from '../../shared/options/options.ts';
import { readOptionValues } from '../../shared/options/readOptions.ts';
import type { OptionProblem } from '../../shared/options/readOptions.ts';
import { isEmptyInput } from './itemParameters.ts';
import type { ItemParameters } from './itemParameters.ts';
import { BESIDE_OPTIONS, isPaymentOption, labelOfOption, OPTIONS } from './paymentOptions.ts';
import type { PaymentOption } from './paymentOptions.ts';
import type { ValidationIssue } from '../../shared/result.ts';
import { LIMIT } from './paymentMessages.ts';

/** The options of a payment, read. One that the user did not add is undefined or has its default. */
export type PaymentOptions = ValuesOf<typeof OPTIONS>;

/**
 * The options, and what is wrong with them. `written` has the author's expressions, `evaluate` gives their values, and `limits` are
 * those that a tool needs; undefined: it is no tool.
 */
export function readOptions(
	written: unknown,
	evaluate: () => unknown,
	limits?: PaymentOption[],
): { options: PaymentOptions; issues: ValidationIssue[] } {
	const expressions = Object(written) as Record<string, unknown>;
	const labelOf = (name: string) => (isPaymentOption(name) ? labelOfOption(name) : name);
	const fromModel = limitsFromModel(expressions, limits !== undefined, labelOf);
	const asWritten = [...shapeIssues(expressions, limits), ...fromModel];
	// What comes from a model is not evaluated.
	const evaluated = fromModel.length > 0 ? {} : (Object(evaluate()) as object);
	const { values, problems } = readOptionValues(OPTIONS, { ...emptyOptions(expressions), ...evaluated });
	// Even if another option cannot be evaluated, so that no book takes the item for a try to pay.
	const dryRun = values.dryRun || expressions.dryRun === true;
	// What is only checked may wait for its yes.
	const counted = dryRun ? problems.filter(({ option }) => option.kind !== 'person') : problems;
	return {
		options: { ...values, dryRun },
		issues: asWritten.length > 0 ? asWritten : counted.map(issueOf),
	};
}

/** Why it is not certain what Options set: some stand beside them, they are no options, or have names that the node does not know. */
export function issuesOfNames(item: ItemParameters, known: readonly string[]): ValidationIssue[] {
	const beside = BESIDE_OPTIONS.filter((name) => !isEmptyInput(item.expression(name)));
	return [
		...beside.map((name) => LIMIT.isBeside({ label: 'Options', name })),
		...unknownNames(item.expression('options'), { label: 'Options', known }),
	];
}

/** The same of any collection. */
export function unknownNames(
	written: unknown,
	{ label, known }: { label: string; known: readonly string[] },
): ValidationIssue[] {
	if (isEmptyInput(written)) return [];
	if (!isRecord(written)) return [LIMIT.areOneExpression(label)];
	return Object.keys(written)
		.filter((name) => !known.includes(name))
		.map((name) => LIMIT.isUnknown({ label, name: name.slice(0, 60), known: known.join(', ') }));
}

/** Limits that a tool lacks, and a yes that nobody says. */
function shapeIssues(expressions: object, limits?: PaymentOption[]): ValidationIssue[] {
	const issues: ValidationIssue[] = [];
	const missing = (limits ?? []).filter((name) => !Object.hasOwn(expressions, name));
	if (limits !== undefined && Object.hasOwn(expressions, 'approvedBy'))
		issues.push(LIMIT.toolHasNoApproval(labelOfOption('approvedBy')));
	if (missing.length > 0) issues.push(LIMIT.toolHasNoLimits(missing.map(labelOfOption).join(', ')));
	return issues;
}

/** No limit comes from the model that it limits. On a tool, each expression can read what the model has sent. */
export function limitsFromModel(
	expressions: object,
	isTool: boolean,
	labelOf: (name: string) => string,
): ValidationIssue[] {
	const comesFromModel = isTool ? /^=/ : /\$fromai/i;
	return Object.entries(expressions)
		.filter(([, value]) => typeof value === 'string' && comesFromModel.test(value))
		.map(([name]) => LIMIT.isFromModel(labelOf(name)));
}

/** n8n drops an option whose expression gives nothing. Added back as nothing, it refuses the item. */
export function emptyOptions(expressions: object): Record<string, undefined> {
	return Object.fromEntries(Object.keys(expressions).map((name) => [name, undefined]));
}

/** An option that is there but empty refuses everything: its expression gave nothing, or nobody filled it in. */
function issueOf({ option, wrong, given }: OptionProblem): ValidationIssue {
	const { label } = option;
	if (option.kind === 'person') return PERSON.isNobody({ label, given });
	return wrong === 'notAllowed'
		? LIMIT.isNot({ label, what: expectedOf(option), value: given.trim() })
		: LIMIT.isEmpty(label);
}
