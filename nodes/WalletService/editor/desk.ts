/** Derives the parameters of the desk from its table. Names no operation. */
import type { INodeProperties } from 'n8n-workflow';

import { DESK_OPERATIONS } from '../../WalletServiceDesk/operations.ts';
import { optionProperties, optionProperty } from '../../shared/options/optionProperties.ts';
import { NO_TOOL, notice, parameter, TOOL_ROWS } from './fixed.ts';

type Operation = (typeof DESK_OPERATIONS)[number];

/** What the editor offers of the desk under a resource. */
export function deskChoicesOf(resource: string) {
	return DESK_OPERATIONS.filter((each) => each.resource === resource).map(
		({ operation, name, action, description }) => ({ name, value: operation, action, description }),
	);
}

/** All parameters of the desk, shown for their operation only. */
export function deskProperties(): INodeProperties[] {
	return DESK_OPERATIONS.flatMap((operation) =>
		formOf(operation).map((property) => ({
			...property,
			displayOptions: {
				show: {
					...property.displayOptions?.show,
					resource: [operation.resource],
					operation: [operation.operation],
				},
			},
		})),
	);
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
		...others,
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
