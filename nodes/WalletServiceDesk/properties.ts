/** Derives the parameters of the desk from its table. Names no operation. */
import type { ICredentialsDisplayOptions, INodeProperties } from 'n8n-workflow';

import {
	choice,
	NO_TOOL,
	notice,
	parameter,
	subtitleOf,
	TOOL_ROWS,
	withTwin,
} from '../shared/editor/parameters.ts';
import { optionProperties, optionProperty } from '../shared/options/optionProperties.ts';
import { DESK_OPERATIONS, DESK_RESOURCES } from './operations.ts';

type Operation = (typeof DESK_OPERATIONS)[number];

export const subtitle = subtitleOf(DESK_OPERATIONS);

/** The credential is shown for what asks the service, and only then n8n wants it. */
export const credentialShown = credentialShownFor(
	DESK_OPERATIONS.filter(({ asksService }) => asksService !== false),
);

/** All parameters. Those of an operation are shown for it only. */
export const PROPERTIES: INodeProperties[] = [
	choice(
		'resource',
		'Resource',
		Object.entries(DESK_RESOURCES).map(([value, name]) => ({ name, value })),
	),
	...Object.keys(DESK_RESOURCES).map(operationProperty),
	...DESK_OPERATIONS.flatMap(propertiesOf),
];

/** No two resources have an operation of one name, so n8n's conditions can express these. */
function credentialShownFor(asking: readonly Operation[]): ICredentialsDisplayOptions {
	const unless = asking.flatMap(({ asksService }) =>
		typeof asksService === 'object' ? Object.entries(asksService.unless) : [],
	);
	const equal = unless.map(([path, value]) => [path, [{ _cnd: { eq: value } }]] as const);
	return {
		show: {
			resource: [...new Set(asking.map(({ resource }) => resource))],
			operation: asking.map(({ operation }) => operation),
		},
		// n8n takes conditions here, as for parameters; its type does not say so.
		hide: Object.fromEntries(equal) as unknown as ICredentialsDisplayOptions['hide'],
	};
}

function operationProperty(resource: string): INodeProperties {
	const choices = DESK_OPERATIONS.filter((each) => each.resource === resource).map(
		({ operation, name, action, description }) => ({ name, value: operation, action, description }),
	);
	return { ...choice('operation', 'Operation', choices), displayOptions: { show: { resource: [resource] } } };
}

function propertiesOf(operation: Operation): INodeProperties[] {
	const chosen = { resource: [operation.resource], operation: [operation.operation] };
	return formOf(operation).map((property) => ({
		...property,
		displayOptions: { show: { ...property.displayOptions?.show, ...chosen } },
	}));
}

function formOf(operation: Operation): INodeProperties[] {
	const { handOver, fields, options, others = [], otherOptions = [], shown = {}, notForModel } = operation;
	const own = Object.entries(fields).map(([name, field]): INodeProperties => {
		const show = shown[name];
		const property = optionProperty(name, field);
		return show === undefined ? property : { ...property, displayOptions: { show: { ...show } as never } };
	});
	return [
		...(handOver === undefined ? [] : [{ ...notice('handOverNotice', handOver), displayOptions: NO_TOOL }]),
		...own,
		...others.flatMap((other) => (other.type === 'fixedCollection' ? withTwin(other) : [other])),
		...(Object.keys(options).length + otherOptions.length > 0 ? [optionsOf(operation)] : []),
		...(notForModel === undefined ? [] : [TOOL_ROWS]),
	];
}

function optionsOf({ options, otherOptions = [] }: Operation): INodeProperties {
	return parameter('options', 'Options', {
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...optionProperties(options), ...otherOptions].sort((one, other) =>
			one.displayName.localeCompare(other.displayName, 'en'),
		),
	});
}
