/** Derives what the trigger shows of the table of events. Names no event. */
import type { INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { EVENTS } from '../../api/events.ts';
import type { EventKind } from '../../api/events.ts';

const KINDS: Array<[string, EventKind]> = Object.entries(EVENTS);

export const eventOptions: INodePropertyOptions[] = KINDS.map(([value, { name, description }]) => ({
	name,
	value,
	description,
}));

const names = JSON.stringify(Object.fromEntries(KINDS.map(([value, { name }]) => [value, name])));

/**
 * One output, or one for each selected event in the order of selection, and one more where unknown events are let in.
 * n8n evaluates it in the editor too, where nothing but the parameters can be seen.
 */
export const outputsOf: INodeTypeDescription['outputs'] = `={{ ((parameter) => {
	if (parameter.output !== 'perEvent') return [{ type: 'main' }];
	const names = ${names};
	const outputs = (parameter.events || []).map((event) => ({ type: 'main', displayName: names[event] || event }));
	if ((parameter.options || {}).unknownEvents) outputs.push({ type: 'main', displayName: 'Unknown Event' });
	return outputs.length > 0 ? outputs : [{ type: 'main' }];
})($parameter) }}`;
