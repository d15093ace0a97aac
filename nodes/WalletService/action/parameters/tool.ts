/** The parameters that a tool of an AI agent has in place of others. A table: no logic. */
import type { INodeProperties } from 'n8n-workflow';

import { LIST_LIMIT } from './lists.ts';

/** Records that a model gets unless the author sets another number. */
export const TOOL_LIMIT = 50;

/** n8n offers to let the model fill in each parameter of a tool that takes an expression. These must not be ones. */
const FIXED = { noDataExpression: true, displayOptions: { show: { '@tool': [true] } } };

export const LIMIT_OF_TOOL: INodeProperties = { ...LIST_LIMIT, default: TOOL_LIMIT, ...FIXED };

export const OUTPUT: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'Raw', value: 'raw' },
		{ name: 'Selected Fields', value: 'selected' },
		{ name: 'Simplified', value: 'simplified' },
	],
	default: 'simplified',
	description: 'What the AI model reads of the response',
	...FIXED,
};

export const FIELDS: INodeProperties = {
	displayName: 'Fields',
	name: 'fields',
	type: 'string',
	default: '',
	placeholder: 'e.g. alias, currency, status',
	description: 'Comma-separated fields of the response. Alias and ID are always read.',
	...FIXED,
	displayOptions: { show: { ...FIXED.displayOptions.show, output: ['selected'] } },
};

export const TOOL_DESCRIPTION: INodeProperties = {
	displayName: 'Tool Description',
	name: 'toolDescription',
	type: 'string',
	default: '',
	typeOptions: { rows: 2 },
	placeholder: 'e.g. Get the balance of our NGN wallet',
	description: 'What the AI model knows about this tool. If empty, it knows resource and operation.',
	displayOptions: { show: { '@tool': [true] } },
};

/** What a model must know of a tool that moves money. */
export const MONEY_HINTS =
	'Payment Key: one per invoice. Make one call per payment. Never repeat a call after the result "unknown".';
