/** Derives what the trigger shows of the table of events. Names no event. */
import type { INodePropertyOptions, INodeTypeDescription, TriggerPanelDefinition } from 'n8n-workflow';

import { EVENTS } from '../../../api/events.ts';
import type { EventKind } from '../../../api/events.ts';

const KINDS: Array<[string, EventKind]> = Object.entries(EVENTS);

export const eventOptions: INodePropertyOptions[] = KINDS.map(([value, { name, description }]) => ({
	name,
	value,
	description,
}));

const mapOf = (what: 'name' | 'short') =>
	JSON.stringify(Object.fromEntries(KINDS.map(([value, kind]) => [value, kind[what]])));

/** The selected events under the node on the canvas. */
export const subtitle = `={{ $parameter["events"].map((event) => (${mapOf('name')})[event] || event).join(", ") }}`;

/**
 * One output, or one for each selected event in the order of selection, and one more where unknown events are let in.
 * n8n evaluates it in the editor too, where nothing but the parameters can be seen.
 */
export const outputsOf: INodeTypeDescription['outputs'] = `={{ ((parameter) => {
	if (parameter.output !== 'perEvent') return [{ type: 'main' }];
	const names = ${mapOf('short')};
	const outputs = (parameter.events || []).map((event) => ({ type: 'main', displayName: names[event] || event }));
	if ((parameter.options || {}).unknownEvents) outputs.push({ type: 'main', displayName: 'Unknown' });
	return outputs.length > 0 ? outputs : [{ type: 'main' }];
})($parameter) }}`;

/** "Delivery rules", 2. */
export const NOT_HTTPS =
	'The service delivers only to https addresses that can be reached from the internet, and the address of this n8n does not begin with https. Put n8n behind https and set WEBHOOK_URL to that address.';

const WHERE = 'in the dashboard of the service, under <b>API and webhooks</b>';
const TEST = `<b>While you build</b>, register the test URL ${WHERE}, click <b>Execute step</b> and let the service send an event. It shows up here. The fields of all events can be used in later nodes before that.`;

/** What stands beside the trigger in the editor until it has an item. HTML. */
export const triggerPanel: TriggerPanelDefinition = {
	header: 'Receive events of the Wallet Service',
	executionsHelp: {
		inactive: `${TEST}<br /><br /><b>Once it works</b>, publish the workflow and register the production URL in the same place. The service has one URL: while it is the test URL, the workflow does not run by itself.`,
		active: `${TEST}<br /><br /><b>The workflow is published</b>: register the production URL in the same place, if you have not. Its executions show up in the <a data-key="executions">executions list</a>, not here.`,
	},
	activationHint: {
		inactive: 'Publish the workflow when it works: the service delivers to the production URL from then on.',
		active: 'The workflow runs with every event that the service delivers to the production URL.',
	},
};
