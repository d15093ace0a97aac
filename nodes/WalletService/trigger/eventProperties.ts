/** Derives parts of the trigger's description from the table of events. Names no event. */
import type { INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { EVENTS } from '../../../api/events.ts';
import type { EventKind } from '../../../api/events.ts';

const KINDS: Array<[string, EventKind]> = Object.entries(EVENTS);

/** By name, as n8n sorts options. */
export const eventOptions: INodePropertyOptions[] = KINDS.map(([value, { name, description }]) => ({
	name,
	value,
	description,
})).sort((a, b) => (a.name < b.name ? -1 : 1));

const names = JSON.stringify(Object.fromEntries(KINDS.map(([value, { name }]) => [value, name])));

/** Lists the selected events under the node on the canvas. */
export const subtitle = `={{ $parameter["events"].map((event) => (${names})[event] || event).join(", ") }}`;

const eventOutputs = [...KINDS.map(([, { short }]) => short), 'Unknown'].map((displayName) => ({
	type: 'main',
	displayName,
}));

/**
 * One output, or one for each kind of event, also for kinds that are not selected: if outputs came and went, a wire would get
 * the events of another kind.
 */
export const outputs: INodeTypeDescription['outputs'] = `={{ $parameter["output"] === "perEvent" ? ${JSON.stringify(eventOutputs)} : [{ type: "main" }] }}`;
