/** Derives parts of the trigger's description from the table of events. Names no event. */
import type { INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { EVENTS } from '../../../api/events.ts';
import type { EventKind } from '../../../api/events.ts';

const KINDS: Array<[string, EventKind]> = Object.entries(EVENTS);

export const eventOptions: INodePropertyOptions[] = KINDS.map(([value, { name, description }]) => ({
	name,
	value,
	description,
}));

const jsonOf = (label: 'name' | 'short') =>
	JSON.stringify(Object.fromEntries(KINDS.map(([value, kind]) => [value, kind[label]])));

/** Lists the selected events under the node on the canvas. */
export const subtitle = `={{ $parameter["events"].map((event) => (${jsonOf('name')})[event] || event).join(", ") }}`;

/**
 * One output, or one per selected event in the order of selection, then one for unknown events if they are enabled. An
 * expression, because n8n evaluates it in the editor too, where only the parameters are known.
 */
export const outputs: INodeTypeDescription['outputs'] = `={{ ((parameter) => {
	if (parameter.output !== 'perEvent') return [{ type: 'main' }];
	const names = ${jsonOf('short')};
	const outputs = (parameter.events || []).map((event) => ({ type: 'main', displayName: names[event] || event }));
	if ((parameter.options || {}).unknownEvents) outputs.push({ type: 'main', displayName: 'Unknown' });
	return outputs.length > 0 ? outputs : [{ type: 'main' }];
})($parameter) }}`;
