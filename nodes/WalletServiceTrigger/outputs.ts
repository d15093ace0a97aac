/** The outputs of the trigger, with their labels on the canvas. */
import type { INodeTypeDescription } from 'n8n-workflow';

import type { EventName } from '../../api/events.ts';

/**
 * The outputs in their order, which never changes, so that no wire moves: a kind that is added comes last. The labels are in the
 * words of a business. The canvas cuts off what is wider than "Wallet review".
 */
export const LABELS = {
	settlement_wallet_update: 'Wallet review',
	settlement_account_update: 'Bank review',
	crypto_received: 'Coin deposit',
	virtual_account_created: 'New account',
	virtual_account_credited: 'Deposit',
	crypto_payout_update: 'Payout',
	admin_funding: 'Funding',
	/** Of all kinds that are not here. */
	unknown: 'Unknown',
} as const satisfies Record<EventName | 'unknown', string>;

/** One list for each output. All but that of the event are empty. */
export function placeOnOutput<T>(items: T[], event: unknown): T[][] {
	const kinds = Object.keys(LABELS);
	const place = kinds.find((kind) => kind === event) ?? 'unknown';
	return kinds.map((kind) => (kind === place ? items : []));
}

const outputNames = Object.values(LABELS).map((displayName) => ({ type: 'main', displayName }));

/** One output, or one for each kind, also for kinds that are not selected: no wire gets the events of another kind. */
export const outputs: INodeTypeDescription['outputs'] = `={{ $parameter["output"] === "perEvent" ? ${JSON.stringify(outputNames)} : [{ type: "main" }] }}`;
