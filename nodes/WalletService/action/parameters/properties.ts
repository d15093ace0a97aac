/** Derives the parameters of the action node from the table of endpoints. Names no endpoint. */
import type { INodeProperties, INodePropertyOptions, PostReceiveAction } from 'n8n-workflow';

import { CATALOG, isChange, returnsMany } from '../../../../api/catalog.ts';
import type { CatalogEntry } from '../../../../api/catalog.ts';
import type { Endpoint } from '../../../../api/endpoints.ts';
import { LOOKUPS } from '../../../../api/lookups.ts';
import type { LookupName } from '../../../../api/lookups.ts';
import { UNDOCUMENTED } from '../../../../api/shape.ts';
import type { RequestField, RequestShape } from '../../../../api/shape.ts';
import * as fixed from './fixed.ts';
import * as payments from './payments.ts';

/** `fiatWallet` -> `Fiat Wallet` */
const RESOURCES = new Map(CATALOG.map(({ resource, resourceName }) => [resource, resourceName]));

/** `Create Payout: Fiat Wallet`, below the node on the canvas. The editor evaluates it and knows only parameters. */
export const subtitle = `={{ (${JSON.stringify(
	Object.fromEntries(
		CATALOG.map(({ id, resourceName, endpoint }) => [id, `${endpoint.name}: ${resourceName}`]),
	),
)})[$parameter["resource"] + "." + $parameter["operation"]] }}`;

/** n8n calls the operations that change something through these, with all items at once. */
export function changingOperations<Operation>(run: Operation): Record<string, Record<string, Operation>> {
	const operations: Record<string, Record<string, Operation>> = {};
	for (const { resource, operation, endpoint } of CATALOG) {
		if (isChange(endpoint)) (operations[resource] ??= {})[operation] = run;
	}
	return operations;
}

/** All parameters. `passRawResponse` hands the service's answer to the code around the call. */
export function properties(passRawResponse: PostReceiveAction): INodeProperties[] {
	const resources = [...RESOURCES].map(([value, name]) => ({ name, value }));
	return [
		{
			...choice('resource', 'Resource', resources),
			// Pagination is n8n's hook around a call; see readOperation.ts.
			routing: { send: { paginate: true }, output: { postReceive: [passRawResponse] } },
		},
		...[...RESOURCES.keys()].map(operationProperty),
		...shownProperties().flatMap(([isShown, property]) => showFor(CATALOG.filter(isShown), property)),
	];
}

type Condition = (entry: CatalogEntry) => boolean;

const isMoney: Condition = ({ endpoint }) => endpoint.movesMoney !== undefined;
const isRead: Condition = ({ endpoint }) => !isChange(endpoint);
const isList: Condition = ({ endpoint }) => returnsMany(endpoint);
const isGet: Condition = ({ method }) => method === 'GET';
/** The document does not show what the request holds. */
const isOpen: Condition = ({ endpoint }) => endpoint.request === UNDOCUMENTED;

/** The other parameters in the order of the form, and the operations that have them. First comes what everybody fills in. */
function shownProperties(): Array<[isShown: Condition, INodeProperties]> {
	return [
		...CATALOG.filter(isMoney).map((entry): [Condition, INodeProperties] => [
			(other) => other === entry,
			{ ...fixed.TOOL_DESCRIPTION, default: toolDescriptionOf(entry.endpoint) },
		]),
		[(entry) => !isMoney(entry), fixed.TOOL_DESCRIPTION],
		[(entry) => isMoney(entry) && !isOpen(entry), payments.MONEY_NOTICE],
		[(entry) => isMoney(entry) && isOpen(entry), payments.UNDOCUMENTED_MONEY_NOTICE],
		[
			(entry) => isOpen(entry) && !isMoney(entry) && !isList(entry),
			fixed.undocumentedNotice('The response is returned unchanged.'),
		],
		[(entry) => isOpen(entry) && isList(entry), fixed.undocumentedNotice('Each record becomes an item.')],
		...fieldProperties(),
		[isMoney, payments.PAYMENT_KEY],
		[isList, fixed.RETURN_ALL],
		[isList, fixed.LIMIT],
		[isList, fixed.LIMIT_OF_TOOL],
		[isOpen, fixed.SPECIFY_BODY],
		[isOpen, fixed.BODY_FIELDS],
		[(entry) => isOpen(entry) && !isGet(entry), fixed.REQUEST_BODY],
		// A GET has no body unless the user writes one.
		[(entry) => isOpen(entry) && isGet(entry), { ...fixed.REQUEST_BODY, default: '' }],
		[({ endpoint }) => endpoint.response !== UNDOCUMENTED, fixed.SIMPLIFY],
		[isRead, fixed.OUTPUT],
		[isRead, fixed.FIELDS],
		[isMoney, optionsProperty(false)],
		[isMoney, optionsProperty(true)],
	];
}

/** A list to choose from, in alphabetical order; the table's first entry is the default. */
function choice(name: string, displayName: string, options: INodePropertyOptions[]): INodeProperties {
	return fixed.parameter(name, displayName, {
		type: 'options',
		noDataExpression: true,
		options: [...options].sort((a, b) => a.name.localeCompare(b.name, 'en')),
		default: options[0]?.value ?? '',
	});
}

function operationProperty(resource: string): INodeProperties {
	const options = CATALOG.filter((entry) => entry.resource === resource).map(
		({ operation, method, path, endpoint: { name, action, description } }) => ({
			name,
			value: operation,
			action,
			description,
			routing: { request: { method, url: path } },
		}),
	);
	return {
		...choice('operation', 'Operation', options),
		displayOptions: { show: { resource: [resource] } },
	};
}

/**
 * What an AI agent knows about a tool that moves money. n8n would give it the name of the node on the canvas, which does not
 * say that each call moves money. The editor gives a model no description of a parameter that it fills in, so this text has to.
 */
function toolDescriptionOf(endpoint: Endpoint): string {
	const hints = Object.values(fieldsOf(endpoint)).map(
		(field) => `${field.label}: ${hintOf(field)}${field.placeholder}.`,
	);
	return [endpoint.description, ...hints, fixed.MONEY_HINTS].join(' ');
}

/** What a value looks like, in words before its example. */
function hintOf({ kind, lookup }: RequestField): string {
	if (kind === 'amount') return 'decimal text, ';
	const isAlias = lookup !== undefined && LOOKUPS[lookup as LookupName].typed === 'Alias';
	return isAlias ? 'alias, never an account number or address, ' : '';
}

function fieldsOf({ request, suggestedFields = {} }: Endpoint): RequestShape {
	return request === UNDOCUMENTED ? suggestedFields : request;
}

/** One parameter for each request field. Operations that show a field alike share it. */
function fieldProperties(): Array<[Condition, INodeProperties]> {
	const shared = new Map<string, { property: INodeProperties; entries: CatalogEntry[] }>();
	for (const entry of CATALOG) {
		for (const [name, field] of Object.entries(fieldsOf(entry.endpoint))) {
			const property = fixed.parameter(name, field.label, {
				...((!isOpen(entry) || isMoney(entry)) && { required: true }),
				description: field.description,
				...inputOf(field),
				...(isOpen(entry) && { displayOptions: fixed.BY_FIELDS }),
			});
			const key = JSON.stringify(property);
			const { entries } = shared.get(key) ?? { entries: [] };
			shared.set(key, { property, entries: [...entries, entry] });
		}
	}
	return [...shared.values()].map(({ property, entries }) => [(entry) => entries.includes(entry), property]);
}

function inputOf({ lookup, placeholder }: RequestField): Partial<INodeProperties> {
	// Amounts are text too: a number would lose digits on its way through an expression.
	if (lookup === undefined) return { placeholder };
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

function optionsProperty(isTool: boolean): INodeProperties {
	const resources = CATALOG.filter((entry) => isMoney(entry) && isOpen(entry)).map(
		({ resource }) => resource,
	);
	const displayOptions = { show: { '/resource': resources } };
	const fieldOptions = payments.FIELD_OPTIONS.map((option) => ({ ...option, displayOptions }));
	return fixed.parameter('options', 'Options', {
		type: 'collection',
		placeholder: 'Add option',
		default: isTool ? Object.fromEntries(payments.LIMITS_OF_TOOLS.map((name) => [name, ''])) : {},
		options: [...payments.OPTIONS, ...fieldOptions, payments.OPTIONS_ARE_TEXT]
			// On a tool, n8n offers to let the model fill in each field that takes an expression. A limit must not be one.
			.map((option) => (isTool ? { ...option, noDataExpression: true } : option))
			.sort((a, b) => a.displayName.localeCompare(b.displayName, 'en')),
		displayOptions: { show: { '@tool': [isTool] } },
	});
}

/**
 * Shows a property for these operations only. n8n evaluates the value of each property of a name for each item, shown or
 * not, so there is one property if n8n's conditions can express the operations, and one for each resource otherwise.
 */
function showFor(entries: CatalogEntry[], property: INodeProperties): INodeProperties[] {
	const resource = [...new Set(entries.map((entry) => entry.resource))];
	const operation = [...new Set(entries.map((entry) => entry.operation))];
	const shown = CATALOG.filter(
		(entry) => resource.includes(entry.resource) && operation.includes(entry.operation),
	);
	if (shown.length === entries.length) {
		const show = { ...property.displayOptions?.show, resource, operation };
		return [{ ...property, displayOptions: { show } }];
	}
	return resource.flatMap((name) =>
		showFor(
			entries.filter((entry) => entry.resource === name),
			property,
		),
	);
}
