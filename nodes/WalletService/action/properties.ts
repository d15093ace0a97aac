/** Derives the parameters of the action node from the table of endpoints. Names no endpoint. */
import type { INodeProperties, INodePropertyOptions, PostReceiveAction } from 'n8n-workflow';

import { ENDPOINTS } from '../../../api/endpoints.ts';
import type { Endpoint, Resource } from '../../../api/endpoints.ts';
import { LOOKUPS } from '../../../api/lookups.ts';
import type { LookupName } from '../../../api/lookups.ts';
import { UNDOCUMENTED } from '../../../api/shape.ts';
import type { RequestField } from '../../../api/shape.ts';

const RESOURCES: Array<[string, Resource]> = Object.entries(ENDPOINTS);

/** All parameters. `passRawResponse` hands the service's answer to the code around the call. */
export function properties(passRawResponse: PostReceiveAction): INodeProperties[] {
	return [
		{
			...choice(
				{ displayName: 'Resource', name: 'resource' },
				RESOURCES.map(([value, { name }]) => ({ name, value })),
			),
			// Pagination is n8n's hook around a call; see call.ts.
			routing: { send: { paginate: true }, output: { postReceive: [passRawResponse] } },
		},
		...RESOURCES.map(([resource, { operations }]) => operationProperty(resource, Object.entries(operations))),
		...fieldProperties(),
		...requestBodyProperties(),
		...showFor(MONEY_PLACES, PAYMENT_KEY),
		...simplifyProperties(),
		...moneyProperties(),
	];
}

/** n8n calls the operations that move money through these, with all items at once. */
export function moneyOperations<Operation>(pay: Operation): Record<string, Record<string, Operation>> {
	const operations: Record<string, Record<string, Operation>> = {};
	for (const { resource, operation } of MONEY_PLACES) (operations[resource] ??= {})[operation] = pay;
	return operations;
}

/** An operation of a resource. */
interface Place {
	resource: string;
	operation: string;
	endpoint: Endpoint;
}

const PLACES: Place[] = RESOURCES.flatMap(([resource, { operations }]) =>
	Object.entries(operations).map(([operation, endpoint]) => ({ resource, operation, endpoint })),
);

const MONEY_PLACES = PLACES.filter(({ endpoint }) => endpoint.movesMoney !== undefined);

const RESOURCE_NAMES = Object.fromEntries(RESOURCES.map(([resource, { name }]) => [resource, name]));
const OPERATION_NAMES = PLACES.map(({ resource, operation, endpoint: { name } }) => [
	`${resource}.${operation}`,
	`${name}: ${RESOURCE_NAMES[resource]}`,
]);

/** `Create Payout: Fiat Wallet`, below the node on the canvas. The editor evaluates it and knows only parameters. */
export const subtitle = `={{ (${JSON.stringify(Object.fromEntries(OPERATION_NAMES))})[$parameter["resource"] + "." + $parameter["operation"]] }}`;

function operationProperty(
	resource: string,
	endpoints: Array<[operation: string, endpoint: Endpoint]>,
): INodeProperties {
	const options = endpoints.map(([value, { name, action, description, route }]) => {
		const [method, url] = route.split(' ') as ['GET' | 'POST', string];
		return { name, value, action, description, routing: { request: { method, url } } };
	});
	return {
		...choice({ displayName: 'Operation', name: 'operation' }, options),
		displayOptions: { show: { resource: [resource] } },
	};
}

/** A list to choose from, in alphabetical order; the table's first entry is the default. */
function choice(
	names: Pick<INodeProperties, 'displayName' | 'name'>,
	options: INodePropertyOptions[],
): INodeProperties {
	const sorted = [...options].sort((a, b) => a.name.localeCompare(b.name, 'en'));
	return {
		...names,
		type: 'options',
		noDataExpression: true,
		options: sorted,
		default: options[0]?.value ?? '',
	};
}

/** One parameter for each request field. Operations that show a field alike share it. */
function fieldProperties(): INodeProperties[] {
	const shared = new Map<string, { property: INodeProperties; places: Place[] }>();
	for (const place of PLACES) {
		if (place.endpoint.request === UNDOCUMENTED) continue;
		for (const [name, field] of Object.entries(place.endpoint.request)) {
			const property: INodeProperties = {
				displayName: field.label,
				name,
				required: true,
				description: field.description,
				...inputOf(field),
			};
			const key = JSON.stringify(property);
			const { places } = shared.get(key) ?? { places: [] };
			shared.set(key, { property, places: [...places, place] });
		}
	}
	return [...shared.values()].flatMap(({ property, places }) => showFor(places, property));
}

function inputOf({
	lookup,
	placeholder,
}: RequestField): Pick<INodeProperties, 'type' | 'default'> & Partial<INodeProperties> {
	// Amounts are text too: a number would lose digits on its way through an expression.
	if (lookup === undefined) return { type: 'string', default: '', placeholder };
	const { typed } = LOOKUPS[lookup as LookupName];
	return {
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: lookup, searchable: true },
			},
			{ displayName: `By ${typed}`, name: typed.toLowerCase(), type: 'string', placeholder },
		],
	};
}

function requestBodyProperties(): INodeProperties[] {
	const undocumented = PLACES.filter(({ endpoint }) => endpoint.request === UNDOCUMENTED);
	const isGet = ({ endpoint }: Place) => endpoint.route.startsWith('GET');
	const body: INodeProperties = {
		displayName: 'Request Body',
		name: 'requestBody',
		type: 'json',
		default: '{}',
		description: 'Fields to send, as a JSON object. Its numbers are sent with every digit.',
	};
	const notice: INodeProperties = {
		displayName:
			"The fields of this endpoint are not public. Enter them as JSON from your account's documentation; the response is returned unchanged.",
		name: 'requestBodyNotice',
		type: 'notice',
		default: '',
	};
	return [
		...showFor(undocumented, notice),
		...showFor(
			undocumented.filter((place) => !isGet(place)),
			body,
		),
		// A GET has no body unless the user writes one.
		...showFor(undocumented.filter(isGet), { ...body, default: '' }),
	];
}

function simplifyProperties(): INodeProperties[] {
	const shown = PLACES.filter(({ endpoint }) => endpoint.response !== UNDOCUMENTED);
	return showFor(shown, {
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	});
}

const PAYMENT_KEY: INodeProperties = {
	displayName: 'Payment Key',
	name: 'paymentKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. invoice-1042',
	description:
		'Unique text for this payment, such as an invoice number. A payment with the same key is made once, whatever runs again.',
};

const MONEY_NOTICE: INodeProperties = {
	displayName:
		'This moves money each time the workflow runs. Retries within one execution never pay twice; a new execution does, unless Payment Key is set. Add the option Dry Run to see the request first.',
	name: 'moneyNotice',
	type: 'notice',
	default: '',
};

const LIMIT_OPTIONS: INodeProperties[] = [
	{
		displayName: 'Allowed Aliases',
		name: 'allowedAliases',
		type: 'string',
		default: '',
		placeholder: 'e.g. supplier-main, treasury',
		description:
			'Comma-separated destinations that money may go to: aliases, or contract IDs for conversions. Nothing is sent if an item names another.',
	},
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		// Adding the option asks for one: a forgotten switch must not pay.
		default: true,
		description: 'Whether to return the request that would be sent instead of sending it',
	},
	{
		displayName: 'Maximum Amount',
		name: 'maximumAmount',
		type: 'string',
		default: '',
		placeholder: 'e.g. 5000',
		description: 'Largest amount of one item, as decimal text. Nothing is sent if an item is above it.',
	},
	{
		displayName: 'Maximum Total',
		name: 'maximumTotal',
		type: 'string',
		default: '',
		placeholder: 'e.g. 20000',
		description:
			'Largest sum of all payments of this node in one execution, loops and agent calls included, as decimal text. Nothing is sent if the sum is above it or has more than one currency.',
	},
];

/** Where limits find the money in a request body that the document does not describe. */
const FIELD_OPTIONS: INodeProperties[] = [
	{
		displayName: 'Amount Field',
		name: 'amountField',
		type: 'string',
		default: 'amount',
		description: 'Key in Request Body that holds the amount, for limits and Payment Key',
	},
	{
		displayName: 'Destination Field',
		name: 'destinationField',
		type: 'string',
		default: 'wallet_alias',
		description: 'Key in Request Body that holds the destination, for limits and Payment Key',
	},
];

function moneyProperties(): INodeProperties[] {
	const isUndocumented = ({ endpoint }: Place) => endpoint.request === UNDOCUMENTED;
	const withOptions = (options: INodeProperties[]): INodeProperties => ({
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: options.toSorted((a, b) => a.displayName.localeCompare(b.displayName, 'en')),
	});
	return [
		...showFor(MONEY_PLACES, MONEY_NOTICE),
		...showFor(
			MONEY_PLACES.filter((place) => !isUndocumented(place)),
			withOptions(LIMIT_OPTIONS),
		),
		...showFor(MONEY_PLACES.filter(isUndocumented), withOptions([...LIMIT_OPTIONS, ...FIELD_OPTIONS])),
	];
}

/**
 * Shows a property for these operations only. n8n evaluates the value of each property of a name for each item, shown or
 * not, so there is one property if n8n's conditions can express the operations, and one for each resource otherwise.
 */
function showFor(places: Place[], property: INodeProperties): INodeProperties[] {
	const resources = [...new Set(places.map(({ resource }) => resource))];
	const operations = [...new Set(places.map(({ operation }) => operation))];
	const shown = PLACES.filter(
		({ resource, operation }) => resources.includes(resource) && operations.includes(operation),
	);
	if (shown.every((place) => places.includes(place))) {
		return [{ ...property, displayOptions: { show: { resource: resources, operation: operations } } }];
	}
	return resources.flatMap((resource) =>
		showFor(
			places.filter((place) => place.resource === resource),
			property,
		),
	);
}
