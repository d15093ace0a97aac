/**
 * The words in which both nodes write down their options. A node has one table of them; its form, the types of the values and the
 * checks follow from it. An option that is not in the table does not compile.
 */

interface Words {
	/** The name in the form and in messages. */
	label: string;
	description: string;
	placeholder?: string;
	/** An expression that gives nothing means the default, which must be the careful one. Without it, such an option has no value. */
	mayBeNothing?: true;
}

/** Any text. Without `default`, there is no value unless the user adds the option. */
export interface TextOption extends Words {
	kind: 'text';
	default?: string;
	/** What a value has to be, for messages: 'a name'. */
	expected: string;
}

/** Texts with commas or line breaks between them. A text with a comma stands in quotes: `"Acme, Inc"`. */
export interface ListOption extends Words {
	kind: 'list';
	expected: string;
	/** Whether a text may stand in the list. Without it, any text may. */
	isEntry?: (entry: string) => boolean;
}

/** Decimal text such as `5000.50`: money is never a floating-point number. */
export interface DecimalOption extends Words {
	kind: 'decimal';
	expected: string;
}

/** A whole number from `minimum` to `maximum`. Without `default`, there is no value unless the user adds the option. */
export interface CountOption extends Words {
	kind: 'count';
	default?: number;
	expected: string;
	minimum: number;
	maximum: number;
}

/** True or false. */
export interface FlagOption extends Words {
	kind: 'flag';
	default: boolean;
	/** What the form shows when the user adds the option, if that is not the default. */
	whenAdded?: boolean;
}

/** One of some values, by which stored workflows hold it. The first is the default. */
export interface ChoiceOption extends Words {
	kind: 'choice';
	choices: Readonly<Record<string, { name: string; description?: string }>>;
}

/** Who has said yes. A text without a name of somebody is no value. */
export interface PersonOption extends Words {
	kind: 'person';
	/** An expression may give a list with the answer of each person. A comma in an answer makes no second name. */
	mayBeList?: true;
	/** A text without a name of somebody is left out, and is no problem: for what only writes it down. */
	mayBeNobody?: true;
}

export type Option =
	| TextOption
	| ListOption
	| DecimalOption
	| CountOption
	| FlagOption
	| ChoiceOption
	| PersonOption;

/** Options by the name under which stored workflows hold them. */
export type OptionTable = Readonly<Record<string, Option>>;

/** The type of an option's value. Undefined: the user has not added the option, and it has no default. */
export type ValueOf<Row extends Option> = Row extends FlagOption
	? boolean
	: Row extends ChoiceOption
		? Extract<keyof Row['choices'], string>
		: Row extends ListOption
			? string[] | undefined
			: Row extends CountOption
				? Row extends { default: number }
					? number
					: number | undefined
				: Row extends { default: string }
					? string
					: string | undefined;

/** The values of all options of a table. */
export type ValuesOf<Table extends OptionTable> = { [Name in keyof Table]: ValueOf<Table[Name]> };

/** The choices as n8n wants them: sorted by name. */
export function sortedChoices({ choices }: ChoiceOption) {
	return Object.entries(choices)
		.map(([value, words]) => ({ value, ...words }))
		.sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** What a value has to be, for messages: "is not …". */
export function expectedOf(option: Option): string {
	if (option.kind === 'flag') return 'true or false';
	if (option.kind === 'person') return 'the name of a person';
	if (option.kind !== 'choice') return option.expected;
	return sortedChoices(option)
		.map(({ value }) => value)
		.join(' or ');
}
