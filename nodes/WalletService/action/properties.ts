/** Derives the parameters of the action node from the table of endpoints. Names no endpoint. */
import type { INodeProperties, INodePropertyOptions, PostReceiveAction } from 'n8n-workflow';

import { CATALOG } from '../../../api/catalog.ts';
import type { CatalogEntry } from '../../../api/catalog.ts';
import { LOOKUPS } from '../../../api/lookups.ts';
import type { LookupName } from '../../../api/lookups.ts';
import { UNDOCUMENTED } from '../../../api/shape.ts';
import type { RequestField } from '../../../api/shape.ts';

/** `fiatWallet` -> `Fiat Wallet` */
const RESOURCES = new Map(CATALOG.map(({ resource, resourceName }) => [resource, resourceName]));

/** All parameters; `passRawResponse` gives the service's answer to the code around the call. */
export function properties(passRawResponse: PostReceiveAction): INodeProperties[] {
	return [
		{
			...choice(
				{ displayName: 'Resource', name: 'resource' },
				[...RESOURCES].map(([value, name]) => ({ name, value })),
			),
			// Pagination is n8n's hook around a call; see call.ts.
			routing: { send: { paginate: true }, output: { postReceive: [passRawResponse] } },
		},
		...[...RESOURCES.keys()].map(operationProperty),
		...fieldProperties(),
		...requestBodyProperties(),
		...simplifyProperties(),
		...moneyProperties(),
	];
}

type Place = CatalogEntry;
const PLACES = CATALOG;

const OPERATION_NAMES = PLACES.map(({ id, resourceName, endpoint: { name } }) => [
	id,
	`${name}: ${resourceName}`,
]);

/** `Create Payout: Fiat Wallet`, under the node on the canvas. n8n evaluates it in the editor, with nothing but parameters. */
export const subtitle = `={{ (${JSON.stringify(Object.fromEntries(OPERATION_NAMES))})[$parameter["resource"] + "." + $parameter["operation"]] }}`;

function operationProperty(resource: string): INodeProperties {
	const options = PLACES.filter((entry) => entry.resource === resource).map(
		({ operation, method, path, endpoint: { name, action, description } }) => ({
			name,
			value: operation,
			action,
			description,
			routing: { request: { method, url: path } },
		}),
	);
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
	return { ...names, type: 'options', noDataExpression: true, options: sorted, default: options[0].value };
}

/** One parameter for each request field; operations that show a field alike share it. */
function fieldProperties(): INodeProperties[] {
	const shared: Array<{ key: string; property: INodeProperties; places: Place[] }> = [];
	for (const place of PLACES) {
		const { request } = place.endpoint;
		if (request === UNDOCUMENTED) continue;
		let next = shared.length;
		// From the last field to the first, so that each comes before those that follow it here.
		for (const [name, field] of Object.entries(request).reverse()) {
			const property: INodeProperties = {
				displayName: field.label,
				name,
				required: true,
				description: field.description,
				...inputOf(field),
			};
			const key = JSON.stringify(property);
			const known = shared.findIndex((other) => other.key === key);
			if (known >= 0) shared[known].places.push(place);
			else shared.splice(next, 0, { key, property, places: [place] });
			next = known >= 0 ? known : next;
		}
	}
	return shared.flatMap(({ property, places }) => showFor(places, property));
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
	const unshown = PLACES.filter(({ endpoint }) => endpoint.request === UNDOCUMENTED);
	const isGet = ({ method }: Place) => method === 'GET';
	const body: INodeProperties = {
		displayName: 'Request Body',
		name: 'requestBody',
		type: 'json',
		default: '{}',
		description: 'Fields to send, as a JSON object. Its numbers are sent with every digit.',
	};
	const notice: INodeProperties = {
		displayName:
			'The public description of the service names this endpoint without its fields. Take them from the documentation that came with your account; the response comes out as it is.',
		name: 'requestBodyNotice',
		type: 'notice',
		default: '',
	};
	return [
		...showFor(unshown, notice),
		...showFor(
			unshown.filter((place) => !isGet(place)),
			body,
		),
		// A GET goes out without a body unless somebody writes one.
		...showFor(unshown.filter(isGet), { ...body, default: '' }),
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

function moneyProperties(): INodeProperties[] {
	const moving = PLACES.filter(({ endpoint }) => endpoint.movesMoney !== undefined);
	const notice: INodeProperties = {
		displayName:
			'This moves money each time the workflow runs. Within one execution nothing is sent twice, whatever is retried. Add the option Dry Run to see the request first.',
		name: 'moneyNotice',
		type: 'notice',
		default: '',
	};
	const options: INodeProperties = {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
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
				// Who adds it wants one: a forgotten switch must not pay.
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
					'Largest sum of the amounts of all items in a run, as decimal text. Nothing is sent if the sum is above it.',
			},
		],
	};
	return [...showFor(moving, notice), ...showFor(moving, options)];
}

/**
 * The property where one of these operations is chosen. It is one property where n8n's conditions can say that, for each
 * resource else: n8n evaluates what the user has set for each property of a name, shown or not, with every item.
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
