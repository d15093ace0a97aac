/** Workflows that pay out a list of amounts, and what has become of them at the sandbox. */
import type { Json, WorkflowNode } from '../../host/n8nClient.ts';
import { CREDENTIAL_NAME, CREDENTIAL_TYPE } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';

const ROUTE = 'POST /v1/fiat_payout';

/** The fault befalls one payout, after so many that it leaves alone. */
export async function failPayoutAfter({ control }: Stack, payouts: number, fault: Json): Promise<void> {
	if (payouts > 0) await control('POST', '/faults', { route: ROUTE, times: payouts, delayMs: 0 });
	await control('POST', '/faults', { route: ROUTE, ...fault });
}

/** The amounts of the payouts that the service has made, the oldest first. */
export async function amountsPaid({ control }: Stack): Promise<string[]> {
	const { payouts } = (await control('GET', '/state')) as { payouts: Array<{ amount: string }> };
	return payouts.map(({ amount }) => amount);
}

export function node(name: string, type: string, typeVersion: number, parameters: Json = {}): WorkflowNode {
	return { name, type: `n8n-nodes-base.${type}`, typeVersion, position: [0, 0], parameters };
}

/** `10 supplier-main` for each payout; the alias may be left out. */
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

/** `Loop:1 -> Pay out`: from output 1 of Loop; output 0 where none is named. */
export function connect(...links: string[]): Json {
	const connections: Record<string, { main: Array<Array<{ node: string; type: string; index: number }>> }> =
		{};
	for (const link of links) {
		const [from, to] = link.split(' -> ');
		const [source, output = '0'] = from.split(':');
		const { main } = (connections[source] ??= { main: [] });
		while (main.length <= Number(output)) main.push([]);
		main[Number(output)].push({ node: to, type: 'main', index: 0 });
	}
	return connections;
}

/** The connections of `list`. */
export const LISTED = ['Start -> List', 'List -> One item each'];
