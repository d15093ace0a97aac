/** What the author of a workflow has entered for one item. */
import { isResourceLocatorValue } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

/** The parameters of one item. */
export interface ItemParameters {
	/** The value, with its expression evaluated. */
	value(name: string): unknown;
	/** What the author wrote: a text that begins with `=` is an expression. */
	expression(name: string): unknown;
}

/** What the author wrote for a parameter, also in a field with a list to choose from. */
export function writtenIn({ parameters }: INode, name: string): unknown {
	const written = parameters[name];
	return isResourceLocatorValue(written) ? written.value : written;
}

/** Whether nothing was entered. */
export function isEmptyInput(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** The fields under *Body Fields*. None if they are one expression. */
export function furtherFieldsIn(collection: unknown): Array<{ name?: unknown; value?: unknown }> {
	const { field } = Object(collection) as { field?: unknown };
	return Array.isArray(field) ? field : [];
}
