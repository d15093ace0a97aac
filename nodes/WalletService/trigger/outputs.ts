/** The outputs of the trigger, with their labels on the canvas. */
import type { INodeTypeDescription } from 'n8n-workflow';

import { EVENTS } from '../../../api/events.ts';
import type { EventKind, EventName } from '../../../api/events.ts';

/** In the words of a business. The canvas cuts off what is wider than "Wallet review". */
const LABELS: Readonly<Record<string, string>> = {
	settlement_wallet_update: 'Wallet review',
	settlement_account_update: 'Bank review',
	crypto_received: 'Coin deposit',
	virtual_account_created: 'New account',
	virtual_account_credited: 'Deposit',
	crypto_payout_update: 'Payout',
	admin_funding: 'Funding',
} satisfies Record<EventName, string>;

interface Output {
	/** None for unknown kinds. */
	event?: string;
	label: string;
	output: number;
}

/** The output of kinds that the table does not have. Its number is never given to another. */
const UNKNOWN: Output = { label: 'Unknown', output: 7 };

/** The outputs for these events, by number. */
export function outputsOf(events: Readonly<Record<string, EventKind>>): Output[] {
	const known = Object.entries(events).map(([event, { output }]) => ({
		event,
		label: LABELS[event] ?? event,
		output,
	}));
	return [...known, UNKNOWN].sort((a, b) => a.output - b.output);
}

const OUTPUTS = outputsOf(EVENTS);

/** One list for each output. All but that of the event are empty. */
export function placeOnOutput<T>(items: T[], event: unknown, outputs = OUTPUTS): T[][] {
	const place = outputs.find((output) => output.event === event) ?? UNKNOWN;
	return outputs.map(({ output }) => (output === place.output ? items : []));
}

const outputNames = OUTPUTS.map(({ label }) => ({ type: 'main', displayName: label }));

/**
 * One output, or one for each kind of event, also for kinds that are not selected: if outputs came and went, a wire would get
 * the events of another kind.
 */
export const outputs: INodeTypeDescription['outputs'] = `={{ $parameter["output"] === "perEvent" ? ${JSON.stringify(outputNames)} : [{ type: "main" }] }}`;
