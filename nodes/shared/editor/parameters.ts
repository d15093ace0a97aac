/** Parameters as more than one node declares them. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { TOOL_ROWS_LABEL, TOOL_ROWS_NAME } from '../agent/toolRows.ts';

/** A parameter that takes text, unless `more` says otherwise. */
export function parameter(
	name: string,
	displayName: string,
	more: Partial<INodeProperties> = {},
): INodeProperties {
	return { displayName, name, type: 'string', default: '', ...more };
}

/**
 * n8n drops what a collection does not declare, and gives nothing for one that is an expression. The hidden parameter of the same name,
 * which stands behind it, keeps what was written, so that it is refused.
 */
export function withTwin(collection: INodeProperties): [INodeProperties, INodeProperties] {
	const { displayName, name, default: absent, displayOptions } = collection;
	const shown = displayOptions && { displayOptions };
	return [collection, { displayName, name, type: 'hidden', default: absent, ...shown }];
}

/** An operation has one notice at most, of at most 15 words. */
export function notice(name: string, displayName: string): INodeProperties {
	return parameter(name, displayName, { type: 'notice' });
}

/** A list to choose from, in alphabetical order; the first of `options` is the default. */
export function choice(name: string, displayName: string, options: INodePropertyOptions[]): INodeProperties {
	return parameter(name, displayName, {
		type: 'options',
		noDataExpression: true,
		options: [...options].sort((a, b) => a.name.localeCompare(b.name, 'en')),
		default: options[0]?.value ?? '',
	});
}

/** `Create Payout: Fiat Wallet`, below the node on the canvas. The editor evaluates it and knows only parameters. */
export function subtitleOf(
	operations: ReadonlyArray<{ id: string; resourceName: string; name: string }>,
): string {
	const names = operations.map(({ id, resourceName, name }) => [id, `${name}: ${resourceName}`]);
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
}

export const NO_TOOL = { show: { '@tool': [false] } };

/** The item of a tool is what the agent itself has got, so the rows come in a field. */
export const TOOL_ROWS = parameter(TOOL_ROWS_NAME, TOOL_ROWS_LABEL, {
	type: 'json',
	default: '[]',
	description: 'The rows as a JSON list of objects. The model can fill this in, or an expression.',
	displayOptions: { show: { '@tool': [true] } },
});
