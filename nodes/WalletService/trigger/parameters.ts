/** The parameters of the trigger in the editor. settings.ts reads them. A table: no logic but its form. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { EVENTS } from '../../../api/events.ts';
import type { EventKind } from '../../../api/events.ts';
import { NOTICES } from './messages.ts';

export interface Parameter {
	label: string;
	description?: string;
	default: string | boolean;
	placeholder?: string;
	type?: 'hidden';
	choices?: INodePropertyOptions[];
}

export const VERIFICATION = {
	label: 'Verification',
	default: 'credential',
	description: 'Whether and how to check that a delivery comes from the service',
	choices: [
		{ name: 'None', value: 'none', description: 'Anyone who knows the URL can send a fake event' },
		{ name: 'Use Credential', value: 'credential', description: 'Check it with its webhook settings' },
	],
} as const satisfies Parameter;

export const OUTPUT = {
	label: 'Output',
	default: 'single',
	description: 'Whether all events leave through one output or each kind of event through its own',
	choices: [
		{ name: 'One for All Events', value: 'single' },
		{ name: 'One per Event', value: 'perEvent' },
	],
} as const satisfies Parameter;

export const OPTIONS = {
	currencies: {
		label: 'Currencies',
		default: '',
		placeholder: 'e.g. NGN, USDT',
		description:
			'Comma-separated currencies and coins to start for. Kinds of events without a currency always pass.',
	},
	ignoreDuplicates: {
		label: 'Ignore Duplicates',
		default: true,
		description: 'Whether to start the workflow once when the service delivers the same event several times',
	},
	// Of options that are one expression, n8n keeps declared fields only. Each text has this one.
	length: { label: 'Length', default: '', type: 'hidden' },
	minimumAmount: {
		label: 'Minimum Amount',
		default: '',
		placeholder: 'e.g. 10.50',
		description: 'Smallest amount to start for, as decimal text. Events without one always pass.',
	},
	acknowledge: {
		label: 'Respond',
		default: 'whenStored',
		description: 'When to tell the service that the event has arrived. Without that, it delivers it again.',
		choices: [
			{ name: 'Immediately', value: 'whenStored', description: 'Before the workflow runs' },
			{ name: 'When Workflow Finishes', value: 'whenFinished', description: 'Only if it succeeds' },
		],
	},
	statuses: {
		label: 'Statuses',
		default: '',
		placeholder: 'e.g. successful, whitelisted',
		description: 'Comma-separated statuses to start for. Kinds of events without a status always pass.',
	},
	unknownEvents: {
		label: 'Unknown Events',
		default: false,
		description: 'Whether to start the workflow for kinds of events that this version does not know',
	},
	includeHeaders: {
		label: 'With Headers',
		default: false,
		description: 'Whether to include the headers of the delivery that are known to hold no secret',
	},
	includeRaw: {
		label: 'With Raw Delivery',
		default: true,
		description: 'Whether to include the delivery as it was received, under raw',
	},
} as const satisfies Record<string, Parameter>;

const KINDS: Array<[string, EventKind]> = Object.entries(EVENTS);

/** By name, as n8n sorts options. */
const eventOptions = KINDS.map(([value, { name, description }]) => ({ name, value, description })).sort(
	(a, b) => (a.name < b.name ? -1 : 1),
);

const names = JSON.stringify(Object.fromEntries(KINDS.map(([value, { name }]) => [value, name])));

/** Lists the selected events under the node on the canvas. */
export const subtitle = `={{ $parameter["events"].map((event) => (${names})[event] || event).join(", ") }}`;

export const PROPERTIES: INodeProperties[] = [
	notice('registerNotice', NOTICES.register, 'credential'),
	propertyOf('verification', VERIFICATION),
	notice('verificationNotice', NOTICES.unverified, 'none'),
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: eventOptions,
		default: [],
		description: 'The events to start the workflow for',
	},
	propertyOf('output', OUTPUT),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: Object.entries(OPTIONS).map(([name, option]) => propertyOf(name, option)),
	},
];

function propertyOf(name: string, { label, choices, ...others }: Parameter): INodeProperties {
	const type = typeof others.default === 'boolean' ? 'boolean' : 'string';
	const choice = choices === undefined ? { type } : { type: 'options', options: [...choices] };
	return { displayName: label, name, ...choice, ...others } as INodeProperties;
}

function notice(name: string, displayName: string, verification: string): INodeProperties {
	const displayOptions = { show: { verification: [verification] } };
	return { displayName, name, type: 'notice', default: '', displayOptions };
}
