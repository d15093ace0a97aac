/** Workflows that pay out a list of amounts, and the payouts that the sandbox has accepted. */
import type { Json, WorkflowNode } from '../../host/n8nClient.ts';
import { CREDENTIAL_NAME, CREDENTIAL_TYPE } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { node } from './workflows.ts';

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

/** Nodes that return an item for each payout, such as `10 supplier-main`. The default alias is supplier-main. */
export function list(payouts: string[]): WorkflowNode[] {
	const entries = payouts.map((payout) => {
		const [amount, alias = 'supplier-main'] = payout.split(' ');
		return { amount, alias };
	});
	return [
		node('Start', 'manualTrigger', 1),
		node('List', 'set', 3.4, {
			mode: 'raw',
			jsonOutput: JSON.stringify({ payouts: entries }),
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
