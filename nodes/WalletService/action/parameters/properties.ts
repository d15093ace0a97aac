/** Derives the parameters of the action node from the table of endpoints. Names no endpoint. */
import type { INodeProperties, INodePropertyOptions, PostReceiveAction } from 'n8n-workflow';

import { CATALOG, isChange, returnsMany } from '../../../../api/catalog.ts';
import type { CatalogEntry } from '../../../../api/catalog.ts';
import { LOOKUPS } from '../../../../api/lookups.ts';
import type { LookupName } from '../../../../api/lookups.ts';
import { UNDOCUMENTED } from '../../../../api/shape.ts';
import type { RequestField } from '../../../../api/shape.ts';
import { BODY_FIELDS, REQUEST_BODY, SPECIFY_BODY, undocumentedNotice } from './body.ts';
import { LIST_LIMIT, RETURN_ALL } from './lists.ts';
import {
	FIELD_OPTIONS,
	LIMIT_OPTIONS,
	MONEY_NOTICE,
	OPTIONS_ARE_TEXT,
	PAYMENT_KEY_FIELD,
	TOOL_DEFAULTS,
	UNDOCUMENTED_MONEY_NOTICE,
} from './payments.ts';
import { FIELDS, LIMIT_OF_TOOL, MONEY_HINTS, OUTPUT, TOOL_DESCRIPTION } from './tool.ts';

/** `fiatWallet` -> `Fiat Wallet` */
const RESOURCES = new Map(CATALOG.map(({ resource, resourceName }) => [resource, resourceName]));

/** All parameters. `passRawResponse` hands the service's answer to the code around the call. */
export function properties(passRawResponse: PostReceiveAction): INodeProperties[] {
	return [
		{
			...choice(
				{ displayName: 'Resource', name: 'resource' },
				[...RESOURCES].map(([value, name]) => ({ name, value })),
			),
			// Pagination is n8n's hook around a call; see readOperation.ts.
			routing: { send: { paginate: true }, output: { postReceive: [passRawResponse] } },
		},
		...[...RESOURCES.keys()].map(operationProperty),
		...toolDescriptionProperties(),
		...noticeProperties(),
		// First what everybody fills in.
		...fieldProperties(),
		...showFor(MONEY_OPERATIONS, PAYMENT_KEY_FIELD),
		...listProperties(),
		...bodyProperties(),
		...simplifyProperties(),
		...toolOutputProperties(),
		...moneyProperties(),
	];
}

/** n8n calls the operations that change something through these, with all items at once. */
export function changingOperations<Operation>(run: Operation): Record<string, Record<string, Operation>> {
	const operations: Record<string, Record<string, Operation>> = {};
	for (const { resource, operation } of CHANGING_OPERATIONS) (operations[resource] ??= {})[operation] = run;
	return operations;
}

const CHANGING_OPERATIONS = CATALOG.filter(({ endpoint }) => isChange(endpoint));
const MONEY_OPERATIONS = CATALOG.filter(({ endpoint }) => endpoint.movesMoney !== undefined);
const READS = CATALOG.filter(({ endpoint }) => !isChange(endpoint));

const OPERATION_NAMES = CATALOG.map(({ id, resourceName, endpoint: { name } }) => [
	id,
	`${name}: ${resourceName}`,
]);

/** `Create Payout: Fiat Wallet`, below the node on the canvas. The editor evaluates it and knows only parameters. */
export const subtitle = `={{ (${JSON.stringify(Object.fromEntries(OPERATION_NAMES))})[$parameter["resource"] + "." + $parameter["operation"]] }}`;

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
		...choice({ displayName: 'Operation', name: 'operation' }, options),
		displayOptions: { show: { resource: [resource] } },
	};
}

/**
 * What an AI agent knows about the tool, in place of the property of this name that n8n adds. n8n would give the agent the
 * name of the node on the canvas, which does not say that each call moves money.
 */
function toolDescriptionProperties(): INodeProperties[] {
	const others = CATALOG.filter((entry) => !MONEY_OPERATIONS.includes(entry));
	return [
		...MONEY_OPERATIONS.flatMap((entry) =>
			showFor([entry], { ...TOOL_DESCRIPTION, default: toolDescriptionOf(entry) }),
		),
		...showFor(others, TOOL_DESCRIPTION),
	];
}

/** The editor gives a model no description of a parameter that it fills in, so this text has to. */
function toolDescriptionOf({
	endpoint: { description, request, suggestedFields = {} },
}: CatalogEntry): string {
	const fields: RequestField[] = Object.values(request === UNDOCUMENTED ? suggestedFields : request);
	const hints = fields.map((field) => `${field.label}: ${hintOf(field)}${field.placeholder}.`);
	return [description, ...hints, MONEY_HINTS].join(' ');
}

/** What a value looks like, in words before its example. */
function hintOf({ kind, lookup }: RequestField): string {
	if (kind === 'amount') return 'decimal text, ';
	const isAlias = lookup !== undefined && LOOKUPS[lookup as LookupName].typed === 'Alias';
	return isAlias ? 'alias, never an account number or address, ' : '';
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
	const shared = new Map<string, { property: INodeProperties; entries: CatalogEntry[] }>();
	for (const entry of CATALOG) {
		const { request, suggestedFields = {}, movesMoney } = entry.endpoint;
		const isSuggested = request === UNDOCUMENTED;
		for (const [name, field] of Object.entries(isSuggested ? suggestedFields : request)) {
			const property: INodeProperties = {
				displayName: field.label,
				name,
				...((!isSuggested || movesMoney !== undefined) && { required: true }),
				description: field.description,
				...inputOf(field),
				...(isSuggested && { displayOptions: { show: { specifyBody: ['fields'] } } }),
			};
			const key = JSON.stringify(property);
			const { entries } = shared.get(key) ?? { entries: [] };
			shared.set(key, { property, entries: [...entries, entry] });
		}
	}
	return [...shared.values()].flatMap(({ property, entries }) => showFor(entries, property));
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

/** How the user says what an undocumented request holds. */
function bodyProperties(): INodeProperties[] {
	const undocumented = CATALOG.filter(isUndocumented);
	const isGet = ({ method }: CatalogEntry) => method === 'GET';
	const json = (entries: CatalogEntry[], initial: string) =>
		showFor(entries, { ...REQUEST_BODY, default: initial });
	return [
		...showFor(undocumented, SPECIFY_BODY),
		...showFor(undocumented, BODY_FIELDS),
		...json(
			undocumented.filter((entry) => !isGet(entry)),
			'{}',
		),
		// A GET has no body unless the user writes one.
		...json(undocumented.filter(isGet), ''),
	];
}

function isUndocumented({ endpoint }: CatalogEntry): boolean {
	return endpoint.request === UNDOCUMENTED;
}

function noticeProperties(): INodeProperties[] {
	const reads = CATALOG.filter((entry) => !MONEY_OPERATIONS.includes(entry) && isUndocumented(entry));
	const lists = reads.filter(({ endpoint }) => returnsMany(endpoint));
	const others = reads.filter((entry) => !lists.includes(entry));
	const documented = MONEY_OPERATIONS.filter((entry) => !isUndocumented(entry));
	return [
		...showFor(documented, MONEY_NOTICE),
		...showFor(MONEY_OPERATIONS.filter(isUndocumented), UNDOCUMENTED_MONEY_NOTICE),
		...showFor(others, undocumentedNotice('The response is returned unchanged.')),
		...showFor(lists, undocumentedNotice('Each record becomes an item.')),
	];
}

function listProperties(): INodeProperties[] {
	const lists = CATALOG.filter(({ endpoint }) => returnsMany(endpoint));
	return [RETURN_ALL, LIST_LIMIT, LIMIT_OF_TOOL].flatMap((property) => showFor(lists, property));
}

/** What a model reads of an operation that changes nothing. */
function toolOutputProperties(): INodeProperties[] {
	return [OUTPUT, FIELDS].flatMap((property) => showFor(READS, property));
}

function simplifyProperties(): INodeProperties[] {
	const shown = CATALOG.filter(({ endpoint }) => endpoint.response !== UNDOCUMENTED);
	return showFor(shown, {
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
		displayOptions: { show: { '@tool': [false] } },
	});
}

function moneyProperties(): INodeProperties[] {
	const undocumented = MONEY_OPERATIONS.filter(({ endpoint }) => endpoint.request === UNDOCUMENTED);
	const show = { '/resource': undocumented.map(({ resource }) => resource) };
	const fieldOptions = FIELD_OPTIONS.map((option) => ({ ...option, displayOptions: { show } }));
	const collection = (isTool: boolean): INodeProperties => ({
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		...(isTool && { default: TOOL_DEFAULTS }),
		options: [...LIMIT_OPTIONS, ...fieldOptions, OPTIONS_ARE_TEXT]
			// On a tool, n8n offers to let the model fill in each field that takes an expression. A limit must not be one.
			.map((option) => (isTool ? { ...option, noDataExpression: true } : option))
			.sort((a, b) => a.displayName.localeCompare(b.displayName, 'en')),
		displayOptions: { show: { '@tool': [isTool] } },
	});
	return [collection(false), collection(true)].flatMap((property) => showFor(MONEY_OPERATIONS, property));
}

/**
 * Shows a property for these operations only. n8n evaluates the value of each property of a name for each item, shown or
 * not, so there is one property if n8n's conditions can express the operations, and one for each resource otherwise.
 */
function showFor(entries: CatalogEntry[], property: INodeProperties): INodeProperties[] {
	const resources = [...new Set(entries.map(({ resource }) => resource))];
	const operations = [...new Set(entries.map(({ operation }) => operation))];
	const shown = CATALOG.filter(
		({ resource, operation }) => resources.includes(resource) && operations.includes(operation),
	);
	if (shown.every((entry) => entries.includes(entry))) {
		const show = { ...property.displayOptions?.show, resource: resources, operation: operations };
		return [{ ...property, displayOptions: { show } }];
	}
	return resources.flatMap((resource) =>
		showFor(
			entries.filter((entry) => entry.resource === resource),
			property,
		),
	);
}
