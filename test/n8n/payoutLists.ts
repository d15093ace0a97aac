/** Workflows that pay out a list of amounts, and the payouts that the sandbox has accepted. */
import type { Json, WorkflowNode } from '../../host/n8n/client.ts';
import { CREDENTIAL_NAME, CREDENTIAL_TYPE } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { node } from './workflowNodes.ts';

const ROUTE = 'POST /v1/fiat_payout';

/** A payout in the state of the sandbox. */
export interface Payout {
	payout_id: string;
	amount: string;
	destination: string;
}

/** Applies the fault to one payout, after the given number of payouts without a fault. */
export async function failPayoutAfter({ control }: Stack, payouts: number, fault: Json): Promise<void> {
	if (payouts > 0) await control('POST', '/faults', { route: ROUTE, times: payouts, delayMs: 0 });
	await control('POST', '/faults', { route: ROUTE, ...fault });
}

/** The payouts that the service has accepted, oldest first. */
export async function payoutsMade({ control }: Stack): Promise<Payout[]> {
	return ((await control('GET', '/state')) as { payouts: Payout[] }).payouts;
}

/** The amounts of the accepted payouts, oldest first; only those to one destination if it is given. */
export async function amountsPaid(stack: Stack, destination?: string): Promise<string[]> {
	return (await payoutsMade(stack))
		.filter((payout) => destination === undefined || payout.destination === destination)
		.map(({ amount }) => amount);
}

/** The fields of a payout such as `10 supplier-main invoice-1`. The default alias is supplier-main; the key may be missing. */
export function entryOf(payout: string): Json {
	const [amount, alias = 'supplier-main', key] = payout.split(' ');
	return { amount, alias, key };
}

/** Nodes that return an item for each payout, see `entryOf`. */
export function list(payouts: string[]): WorkflowNode[] {
	return [
		node('Start', 'manualTrigger', 1),
		node('List', 'set', 3.4, {
			mode: 'raw',
			jsonOutput: JSON.stringify({ payouts: payouts.map(entryOf) }),
			options: {},
		}),
		node('One item each', 'splitOut', 1, { fieldToSplitOut: 'payouts', options: {} }),
	];
}

/** The connections of `list`. */
export const LISTED = ['Start -> List', 'List -> One item each'];

/** A Wallet Service node that pays each item of `list`, with Retry On Fail. */
export function payOutNode({ credential }: Stack, settings: Json = {}): WorkflowNode {
	return {
		name: 'Pay out',
		type: 'n8n-nodes-wallet-service.walletService',
		typeVersion: 1,
		position: [0, 0],
		parameters: {
			resource: 'fiatWallet',
			operation: 'createPayout',
			currency: 'NGN',
			amount: '={{ $json.amount }}',
			account_alias: '={{ $json.alias }}',
		},
		credentials: { [CREDENTIAL_TYPE]: { id: credential.id, name: CREDENTIAL_NAME } },
		retryOnFail: true,
		maxTries: 3,
		waitBetweenTries: 1,
		...settings,
	};
}

/** A Wallet Service node that pays each key of `list` once and goes on after failures. */
export function payOnceNode(stack: Stack, settings: Json = {}): WorkflowNode {
	const { parameters, ...node } = payOutNode(stack);
	return {
		...node,
		parameters: { ...parameters, paymentKey: '={{ $json.key }}' },
		retryOnFail: false,
		onError: 'continueRegularOutput',
		...settings,
	};
}

/** What the items of `payOnceNode` say: `paid 10`, `again invoice-1 10` or the outcome of a failure. */
export function said(items: Json[]): string[] {
	return items.map(({ alreadyPaid, paymentKey, amount, error }) => {
		if (error !== undefined) return String((error as Json).outcome);
		return alreadyPaid === true ? `again ${String(paymentKey)} ${String(amount)}` : `paid ${String(amount)}`;
	});
}
