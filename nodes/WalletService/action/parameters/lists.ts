/** The parameters of operations that return many records. A table: no logic. */
import type { INodeProperties } from 'n8n-workflow';

export const RETURN_ALL: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
	displayOptions: { show: { '@tool': [false] } },
};

export const LIST_LIMIT: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false], '@tool': [false] } },
};
