/** Derives parts of the trigger's description from the table of events. Names no event. */
import { WEBHOOK_RESOLVERS } from 'n8n-workflow';
import type { INodeParameters, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { EVENTS } from '../../../api/events.ts';
import type { EventKind } from '../../../api/events.ts';
import { OUTPUTS } from './item.ts';

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

const outputNames = OUTPUTS.map(({ outputLabel }) => ({ type: 'main', displayName: outputLabel }));

/**
 * One output, or one for each kind of event, also for kinds that are not selected: if outputs came and went, a wire would get
 * the events of another kind.
 */
export const outputs: INodeTypeDescription['outputs'] = `={{ $parameter["output"] === "perEvent" ? ${JSON.stringify(outputNames)} : [{ type: "main" }] }}`;

const responseMode = '={{ $parameter.options?.acknowledge === "whenFinished" ? "lastNode" : "onReceived" }}';

/**
 * When n8n answers. An expression would cost an engine for each delivery where engines are made on demand, so n8n gets the same as a
 * function, for parameters without expressions. n8n before 2.41 evaluates the expression.
 */
export const acknowledgement = {
	responseMode,
	[WEBHOOK_RESOLVERS]: {
		responseMode: {
			template: responseMode,
			resolve: ({ options }: INodeParameters) =>
				(options as INodeParameters | undefined)?.acknowledge === 'whenFinished' ? 'lastNode' : 'onReceived',
		},
	},
};
