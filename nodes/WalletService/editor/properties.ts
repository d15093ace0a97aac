/** Derives the parameters of the action node from the table of endpoints. Names no operation. */
import type { INodeProperties, PostReceiveAction } from 'n8n-workflow';

import { isChange, movesMoney, requestFieldsOf, returnsMany } from '../../../api/catalog.ts';
import type { Operation } from '../../../api/catalog.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import { LOOKUPS } from '../../../api/lookups.ts';
import type { LookupName } from '../../../api/lookups.ts';
import { UNDOCUMENTED } from '../../../api/shape.ts';
import type { RequestField } from '../../../api/shape.ts';
import { CONVERT_AT_RATE } from '../input/convertAtRate.ts';
import { OPTIONS_OF_LIST, PAY_LIST } from '../input/payList.ts';
import { choice, parameter, subtitleOf, TOOL_ROWS, withTwin } from '../../shared/editor/parameters.ts';
import { optionProperties } from '../../shared/options/optionProperties.ts';
import { OPERATIONS } from '../input/operations.ts';
import * as fixed from './fixed.ts';
import * as payments from '../input/paymentOptions.ts';
import * as fields from './paymentFields.ts';

/** `fiatWallet` -> `Fiat Wallet` */
const RESOURCES = new Map<string, string>(
	OPERATIONS.map(({ resource, resourceName }) => [resource, resourceName] as const),
);

export const subtitle = subtitleOf(OPERATIONS);

/** n8n calls the operations that change something through these: with all items at once. */
export function customOperations<Run>(run: Run): Record<string, Record<string, Run>> {
	const operations: Record<string, Record<string, Run>> = {};
	for (const { resource, operation } of OPERATIONS.filter(isChange))
		(operations[resource] ??= {})[operation] = run;
	return operations;
}

/** All parameters. `passRawResponse` hands the service's answer to the code around the call. */
export function properties(passRawResponse: PostReceiveAction): INodeProperties[] {
	const resources = [...RESOURCES].map(([value, name]) => ({ name, value }));
	return [
		{
			...choice('resource', 'Resource', resources),
			// Pagination is n8n's hook around a call; see readsEntry.ts.
			routing: { send: { paginate: true }, output: { postReceive: [passRawResponse] } },
		},
		...[...RESOURCES.keys()].map(operationProperty),
		...sharedProperties(),
	];
}

/** The resources whose payments the document does not describe. */
const OPEN_RESOURCES = OPERATIONS.filter((each) => movesMoney(each) && each.request === UNDOCUMENTED).map(
	({ resource }) => resource,
);

const NAME_OF_CURRENCIES: payments.PaymentOption = 'allowedCurrencies';

/** The parameters of an operation in groups, in the order of the form. First comes what everybody fills in. */
function formOf(operation: Operation): INodeProperties[][] {
	const { method, request, response } = operation;
	const isMoney = movesMoney(operation);
	const isOpen = request === UNDOCUMENTED;
	if (operation === PAY_LIST) return formOfList();
	const toolDescription = { ...fixed.TOOL_DESCRIPTION, default: isMoney ? toolDescriptionOf(operation) : '' };
	const requestBody = { ...fixed.REQUEST_BODY, default: method === 'GET' ? '' : fixed.REQUEST_BODY.default };
	return [
		[toolDescription],
		noticesOf(operation),
		Object.entries(requestFieldsOf(operation)).map(([name, field]) =>
			parameter(name, field.label, {
				...((isMoney || !isOpen) && { required: true }),
				description: field.description,
				...inputOf(field),
				...(isOpen && { displayOptions: fixed.BY_FIELDS }),
				// What the field sends, for whoever reads the declarations. readsEntry.ts writes it without spaces around it.
				...(!isOpen && !isChange(operation) && { routing: { send: { type: 'body', property: name } } }),
			}),
		),
		operation === CONVERT_AT_RATE ? [fields.MINIMUM_RATE_FIELD] : [],
		isMoney ? [fields.PAYMENT_KEY] : [],
		operation === CONVERT_AT_RATE ? fields.CONTRACT_SETTINGS_FIELD : [],
		returnsMany(operation) ? [fixed.RETURN_ALL, fixed.LIMIT, fixed.LIMIT_OF_TOOL] : [],
		// Stored workflows may have it off. The editor does not offer it for a payment, whose item is made to be read.
		response === UNDOCUMENTED ? [] : [isMoney ? { ...fixed.SIMPLIFY, type: 'hidden' } : fixed.SIMPLIFY],
		isChange(operation) ? [] : [fixed.OUTPUT],
		...(isMoney ? optionsProperties((isTool) => offerOf(operation, isTool)) : [[], []]),
		// A GET has no body unless the user writes one.
		isOpen ? [fixed.SPECIFY_BODY, fixed.BODY_FIELDS, requestBody] : [],
	];
}

/** The fields of each payout stand in its row. */
function formOfList(): INodeProperties[][] {
	const description = `${PAY_LIST.description} ${fixed.LIST_HINTS}`;
	return [
		[{ ...fixed.TOOL_DESCRIPTION, default: description }],
		[fields.MONEY_NOTICE],
		[TOOL_ROWS],
		[],
		[],
		[],
		[],
		[...fields.limitsProperties(false), ...fields.limitsProperties(true)],
		[],
		...optionsProperties((isTool) => ({ offered: OPTIONS_OF_LIST, isTool })),
		[],
	];
}

function noticesOf(operation: Operation): INodeProperties[] {
	const isOpen = operation.request === UNDOCUMENTED;
	if (movesMoney(operation)) return [isOpen ? fields.UNDOCUMENTED_MONEY_NOTICE : fields.MONEY_NOTICE];
	const response = returnsMany(operation)
		? 'Each record becomes an item.'
		: 'The response is returned unchanged.';
	return isOpen ? [fixed.undocumentedNotice(response)] : [];
}

/** The parameters of all operations. Those that show one alike share it. */
function sharedProperties(): INodeProperties[] {
	const shared = new Map<string, { property: INodeProperties; group: number; operations: Operation[] }>();
	for (const operation of OPERATIONS) {
		formOf(operation).forEach((properties, group) => {
			for (const property of properties) {
				const text = JSON.stringify(property);
				const { operations } = shared.get(text) ?? { operations: [] };
				shared.set(text, { property, group, operations: [...operations, operation] });
			}
		});
	}
	const inOrder = [...shared.values()].sort((one, other) => one.group - other.group);
	return inOrder.flatMap(({ operations, property }) => showFor(operations, property));
}

function operationProperty(resource: string): INodeProperties {
	const options = OPERATIONS.filter((operation) => operation.resource === resource).map(
		({ operation, method, path, name, action, description }) => ({
			name,
			value: operation,
			action,
			description,
			routing: { request: { method, url: path } },
		}),
	);
	return { ...choice('operation', 'Operation', options), displayOptions: { show: { resource: [resource] } } };
}

/**
 * What an AI agent knows about a tool that moves money. n8n would give it the name of the node on the canvas, which does not
 * say that each call moves money. The editor gives a model no description of a parameter that it fills in, so this text has to.
 */
function toolDescriptionOf(endpoint: Endpoint): string {
	const hints = Object.values(requestFieldsOf(endpoint)).map(
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

interface Offer {
	/** Options that the form offers. */
	offered: readonly payments.PaymentOption[];
	/** Those of single payments: some only with an undocumented request, and some needed by a tool. */
	limits?: readonly payments.PaymentOption[];
	isTool: boolean;
}

function offerOf(operation: Operation, isTool: boolean): Offer {
	return { offered: payments.OPTIONS_OF_PAYMENT, limits: payments.limitsOfTool(operation), isTool };
}

/** Options, as the form and a tool have them. Behind those of all operations, which share them: their twins, and the names beside them. */
function optionsProperties(offerIn: (isTool: boolean) => Offer): [INodeProperties[], INodeProperties[]] {
	const pairs = [false, true].map((isTool) => withTwin(optionsProperty(offerIn(isTool))));
	return [pairs.map(([options]) => options), [...pairs.map(([, twin]) => twin), ...fields.NAMES_BESIDE]];
}

function optionsProperty(offer: Offer): INodeProperties {
	const { offered, limits = [], isTool } = offer;
	const table = Object.fromEntries(offered.map((name) => [name, payments.OPTIONS[name]]));
	return parameter('options', 'Options', {
		type: 'collection',
		placeholder: 'Add option',
		default: isTool ? Object.fromEntries(limits.map((name) => [name, ''])) : {},
		options: optionProperties(table).map((option) => optionFor(option, offer)),
		displayOptions: { show: { '@tool': [isTool] } },
	});
}

/** An option as it stands in one form. */
function optionFor(option: INodeProperties, { limits, isTool }: Offer): INodeProperties {
	const shown = { ...option };
	// A list that would repeat another one is not offered. Stored workflows may have it.
	if (option.name === NAME_OF_CURRENCIES && limits?.includes(NAME_OF_CURRENCIES) === false)
		shown.type = 'hidden';
	// Rows of a list may be in coins.
	if (limits !== undefined && payments.isFieldOption(option.name))
		shown.displayOptions = { show: { '/resource': OPEN_RESOURCES } };
	// On a tool, n8n offers to let the model fill in each field that takes an expression. A limit must not be one.
	if (isTool) shown.noDataExpression = true;
	return shown;
}

/**
 * Shows a property for these operations only. n8n evaluates the value of each property of a name for each item, shown or
 * not, so there is one property if n8n's conditions can express the operations, and one for each resource otherwise.
 */
function showFor(operations: Operation[], property: INodeProperties): INodeProperties[] {
	const resource = [...new Set(operations.map((each) => each.resource))];
	const operation = [...new Set(operations.map((each) => each.operation))];
	const shown = OPERATIONS.filter(
		(each) => resource.includes(each.resource) && operation.includes(each.operation),
	);
	if (shown.length === operations.length) {
		const show = { ...property.displayOptions?.show, resource, operation };
		return [{ ...property, displayOptions: { show } }];
	}
	return resource.flatMap((name) =>
		showFor(
			operations.filter((each) => each.resource === name),
			property,
		),
	);
}
