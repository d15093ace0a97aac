/** Makes the form of options from their table. */
import type { INodeProperties } from 'n8n-workflow';

import { sortedChoices } from './options.ts';
import type { Option, OptionTable } from './options.ts';

/** In options that are one expression, n8n drops all but declared fields. Each text has this one, which shows that it was. */
const LENGTH = 'length';

/** Whether the user has written all options as one expression. What n8n has kept of its value is not known. */
export function areOneExpression(options: object): boolean {
	return Object.hasOwn(options, LENGTH);
}

/** The entries of a collection of options, sorted by name as n8n wants them. */
export function optionProperties(table: OptionTable): INodeProperties[] {
	const length: INodeProperties = { displayName: 'Length', name: LENGTH, type: 'hidden', default: '' };
	const properties = Object.entries(table).map(([name, option]) => optionProperty(name, option));
	return [...properties, length].sort((one, other) => one.displayName.localeCompare(other.displayName, 'en'));
}

/** The field of one option. */
export function optionProperty(name: string, option: Option): INodeProperties {
	const { label, description, placeholder } = option;
	const property: INodeProperties = { displayName: label, name, description, ...inputOf(option) };
	if (placeholder !== undefined) property.placeholder = placeholder;
	return property;
}

/** Decimals and counts are text: a number would lose digits on its way through an expression. */
function inputOf(option: Option): Pick<INodeProperties, 'type' | 'default' | 'options'> {
	switch (option.kind) {
		case 'flag':
			return { type: 'boolean', default: option.whenAdded ?? option.default };
		case 'choice':
			return { type: 'options', options: sortedChoices(option), default: Object.keys(option.choices)[0] };
		case 'text':
		case 'count':
			return { type: 'string', default: String(option.default ?? '') };
		case 'list':
		case 'decimal':
		case 'person':
			return { type: 'string', default: '' };
	}
}
