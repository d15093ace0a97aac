/** The parameters of the trigger in the editor. settings.ts reads them. A table: no logic but its form. */
import type { INodeProperties } from 'n8n-workflow';

import { EVENTS } from '../../api/events.ts';
import type { EventKind } from '../../api/events.ts';
import { optionProperties, optionProperty } from '../shared/options/optionProperties.ts';
import type { OptionTable } from '../shared/options/options.ts';
import { NOTICES } from './messages.ts';

/** Parameters beside Events and Options. */
export const PARAMETERS = {
	verification: {
		kind: 'choice',
		label: 'Verification',
		description: 'Whether and how to check that a delivery comes from the service',
		choices: {
			credential: { name: 'Use Credential', description: 'Check it with its webhook settings' },
			none: { name: 'None', description: 'Anyone who knows the URL can send a fake event' },
		},
	},
	output: {
		kind: 'choice',
		label: 'Output',
		description: 'Whether all events leave through one output or each kind of event through its own',
		choices: {
			single: { name: 'One for All Events' },
			perEvent: { name: 'One per Event' },
		},
	},
} as const satisfies OptionTable;

const LIST = 'text with commas between the values';

export const OPTIONS = {
	acknowledge: {
		kind: 'choice',
		label: 'Respond',
		description: 'When to tell the service that the event has arrived. Without that, it delivers it again.',
		choices: {
			whenStored: { name: 'Immediately', description: 'Before the workflow runs' },
			whenFinished: {
				name: 'When Workflow Finishes',
				description: 'Only if it succeeds, or begins to wait',
			},
		},
	},
	currencies: {
		kind: 'list',
		label: 'Currencies',
		placeholder: 'e.g. NGN, USDT',
		description:
			'Comma-separated currencies and coins to start for. Kinds of events without a currency always pass.',
		expected: LIST,
	},
	ignoreDuplicates: {
		kind: 'flag',
		label: 'Ignore Duplicates',
		description: 'Whether to start the workflow once when the service delivers the same event several times',
		default: true,
	},
	includeHeaders: {
		kind: 'flag',
		label: 'With Headers',
		description: 'Whether to include the headers of the delivery that are known to hold no secret',
		default: false,
	},
	includeRaw: {
		kind: 'flag',
		label: 'With Raw Delivery',
		description: 'Whether to include the delivery as it was received, under raw',
		default: true,
	},
	minimumAmount: {
		kind: 'decimal',
		label: 'Minimum Amount',
		placeholder: 'e.g. 10.50',
		description: 'Smallest amount to start for, as decimal text. Events without one always pass.',
		expected: 'a decimal number such as 10.50',
	},
	statuses: {
		kind: 'list',
		label: 'Statuses',
		placeholder: 'e.g. successful, whitelisted',
		description: 'Comma-separated statuses to start for. Kinds of events without a status always pass.',
		expected: LIST,
	},
	unknownEvents: {
		kind: 'flag',
		label: 'Unknown Events',
		description: 'Whether to start the workflow for kinds of events that this version does not know',
		default: false,
	},
} as const satisfies OptionTable;

const KINDS: Array<[string, EventKind]> = Object.entries(EVENTS);

/** By name, as n8n sorts options. */
const eventOptions = KINDS.map(([value, { name, description }]) => ({ name, value, description })).sort(
	(a, b) => (a.name < b.name ? -1 : 1),
);

const names = JSON.stringify(Object.fromEntries(KINDS.map(([value, { name }]) => [value, name])));

/** Lists the selected events under the node on the canvas. */
export const subtitle = `={{ $parameter["events"].map((event) => (${names})[event] || event).join(", ") }}`;

export const PROPERTIES: INodeProperties[] = [
	notice('registerNotice', NOTICES.register, { verification: ['credential'] }),
	optionProperty('verification', PARAMETERS.verification),
	notice('verificationNotice', NOTICES.unverified, { verification: ['none'] }),
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: eventOptions,
		default: [],
		description: 'The events to start the workflow for',
	},
	optionProperty('output', PARAMETERS.output),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: optionProperties(OPTIONS),
	},
	notice('waitingNotice', NOTICES.waiting, { '/options.acknowledge': ['whenFinished'] }),
];

function notice(name: string, displayName: string, show: Record<string, string[]>): INodeProperties {
	return { displayName, name, type: 'notice', default: '', displayOptions: { show } };
}
