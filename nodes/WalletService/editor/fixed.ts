/** The parameters that do not follow from the table of endpoints. A table: no logic. */
import type { INodeProperties } from 'n8n-workflow';

import { NO_TOOL, notice, parameter } from '../../shared/editor/parameters.ts';
import { DEFAULT_LIMIT } from '../agent/readForModel.ts';

/** n8n offers to let the model fill in each parameter of a tool that takes an expression. These must not be ones. */
const FIXED_IN_TOOL = { noDataExpression: true, displayOptions: { show: { '@tool': [true] } } };

export const TOOL_DESCRIPTION = parameter('toolDescription', 'Tool Description', {
	typeOptions: { rows: 2 },
	placeholder: 'e.g. Get the balance of our NGN wallet',
	description: 'What the AI model knows about this tool. If empty, it knows resource and operation.',
	displayOptions: { show: { '@tool': [true] } },
});

/** What a model must know of a tool that moves money. */
export const MONEY_HINTS =
	'Payment Key: one per invoice. Make one call per payment. Never repeat a call after the result "unknown".';

/** The same of a tool that pays a list. */
export const LIST_HINTS =
	'Rows: a JSON list of objects with paymentKey (one per invoice), amount (decimal text), currency or coin, and destination (alias, never an account number or address). Never repeat a row after the result "unknown".';

/** `response` says what comes out of a request that the document does not describe. */
export function undocumentedNotice(response: string): INodeProperties {
	const fields = "The fields are not public: see your account's documentation.";
	return notice('requestBodyNotice', `${fields} ${response}`);
}

export const RETURN_ALL = parameter('returnAll', 'Return All', {
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
	displayOptions: NO_TOOL,
});

export const LIMIT = parameter('limit', 'Limit', {
	type: 'number',
	typeOptions: { minValue: 1 },
	default: DEFAULT_LIMIT,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false], ...NO_TOOL.show } },
});

export const LIMIT_OF_TOOL: INodeProperties = { ...LIMIT, ...FIXED_IN_TOOL };

export const SPECIFY_BODY = parameter('specifyBody', 'Specify Body', {
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Using Fields', value: 'fields' },
		{ name: 'Using JSON', value: 'json' },
	],
	default: 'fields',
	description: 'Whether to send the fields of this form or a JSON object',
});

/** Where the author enters the body of a request by fields. */
export const BY_FIELDS = { show: { specifyBody: ['fields'] } };

export const BODY_FIELDS = parameter('bodyFields', 'Body Fields', {
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Field',
	default: {},
	description: 'Further fields to send. A value goes out as text, unless an expression gives something else.',
	options: [
		{
			displayName: 'Field',
			name: 'field',
			values: [
				parameter('name', 'Name', { description: "Name of the field in your account's documentation" }),
				parameter('value', 'Value', { description: 'Value to send' }),
			],
		},
	],
	displayOptions: BY_FIELDS,
});

export const REQUEST_BODY = parameter('requestBody', 'Request Body', {
	type: 'json',
	default: '{}',
	description: 'Fields to send, as a JSON object. Its numbers are sent with every digit.',
	displayOptions: { show: { specifyBody: ['json'] } },
});

export const SIMPLIFY = parameter('simplify', 'Simplify', {
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
	displayOptions: NO_TOOL,
});

export const OUTPUT = parameter('output', 'Output', {
	type: 'options',
	options: [
		{ name: 'Raw', value: 'raw' },
		{ name: 'Simplified', value: 'simplified' },
	],
	default: 'simplified',
	description: 'What the AI model reads of the response',
	...FIXED_IN_TOOL,
});
