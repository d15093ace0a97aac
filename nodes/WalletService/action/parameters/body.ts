/** The parameters of requests that the document does not describe. */
import type { INodeProperties } from 'n8n-workflow';

/** `response` says what comes out. */
export function undocumentedNotice(response: string): INodeProperties {
	return {
		displayName: `The fields are not public: see your account's documentation. ${response}`,
		name: 'requestBodyNotice',
		type: 'notice',
		default: '',
	};
}

export const SPECIFY_BODY: INodeProperties = {
	displayName: 'Specify Body',
	name: 'specifyBody',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Using Fields Below', value: 'fields' },
		{ name: 'Using JSON', value: 'json' },
	],
	default: 'fields',
	description: 'How to enter the fields of the request',
};

export const BODY_FIELDS: INodeProperties = {
	displayName: 'Body Fields',
	name: 'bodyFields',
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
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					description: "Name of the field in your account's documentation",
				},
				{ displayName: 'Value', name: 'value', type: 'string', default: '', description: 'Value to send' },
			],
		},
	],
	displayOptions: { show: { specifyBody: ['fields'] } },
};

export const REQUEST_BODY: INodeProperties = {
	displayName: 'Request Body',
	name: 'requestBody',
	type: 'json',
	default: '{}',
	description: 'Fields to send, as a JSON object. Its numbers are sent with every digit.',
	displayOptions: { show: { specifyBody: ['json'] } },
};
