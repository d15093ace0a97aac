/**
 * Payouts through the real n8n while the service fails in every way that the sandbox can, with Retry On Fail and "Retry
 * execution". Afterwards what the user was told is compared with what the service paid.
 *
 * The user here believes the node: a payout that is reported as rejected or not sent is paid again in a new execution, an accepted or
 * unknown one is not. So a wrong report about a payout shows as money that moved twice or unseen.
 */
import type { N8nClient, StoredWorkflow } from '../../host/n8n/client.ts';
import { CREDENTIAL_TYPE } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { startProxy } from '../../host/doubles/proxy.ts';
import { compareWithService, missed, tableOfPayouts } from '../payoutFaults/payoutComparison.ts';
import type { Accepted, Line } from '../payoutFaults/payoutComparison.ts';
import { FAULTS, NONE, REFUSED, TIMEOUT_MS } from '../payoutFaults/faultTable.ts';
import { isToBeRefused, makePayouts, takeBatch } from '../payoutFaults/payoutBatches.ts';
import type { Payout, Round } from '../payoutFaults/payoutBatches.ts';
import { PAY_OUT, readStatements, recordStatements } from '../payoutFaults/statements.ts';
import type { PaymentFigures, PaymentLine } from '../shared/paymentLines.ts';
import { amountIn } from '../shared/amounts.ts';
import { cycle, elementAt } from '../../bench/shared/lists.ts';
import { ACTION_NODE, chain, node } from '../../bench/shared/workflowParts.ts';
import { PLENTY, withStack } from '../../bench/shared/payments/payer.ts';

/** Both readings of "10 % faults of every kind". */
const FULL: Round[] = [
	{ name: '1,000 payouts, one in ten is hit', payouts: 1000, share: 0.1 },
	{ name: '1,000 payouts, each is hit', payouts: 1000, share: 1 },
];
export const SHORT: [Round] = [{ name: '66 payouts, two of three are hit', payouts: 66, share: 2 / 3 }];

const ROUTE = 'POST /v1/fiat_payout';
const CREDENTIAL = 'Through faults';

interface Setup {
	maxTries: number;
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	/** The workflow with which a failed execution is retried. */
	retryWith: 'original' | 'current';
}

/** The settings of the node; batches take them in turn. */
const SETUPS: Setup[] = [2, 3, 4, 5].flatMap((maxTries): Setup[] => [
	{ maxTries, onError: 'stopWorkflow', retryWith: 'original' },
	{ maxTries, onError: 'continueRegularOutput', retryWith: 'current' },
	{ maxTries, onError: 'stopWorkflow', retryWith: 'current' },
	{ maxTries, onError: 'continueErrorOutput', retryWith: 'current' },
]);

export async function run({ short }: { short: boolean }): Promise<PaymentFigures> {
	const figures: PaymentFigures = { lines: [], misses: [] };
	await withStack(async (stack) => {
		for (const round of short ? SHORT : FULL) {
			const lines = await payThroughFaults(stack, round, Date.now());
			process.stdout.write(`\n${round.name}\n${tableOfPayouts(lines)}\n`);
			figures.misses.push(...missed(lines));
			figures.lines.push(summaryOf(round, lines));
		}
	});
	return figures;
}

/** The line of the round for the table of all soaks of payments. */
function summaryOf({ name }: Round, lines: Line[]): PaymentLine {
	const all = elementAt(lines, lines.length - 1);
	return {
		what: name,
		asked: all.asked,
		paid: all.accepted,
		paidTwice: all.sentTwice,
		unaccounted: all.unaccounted,
		more: `named unknown: ${all.namedUnknown}; accepted, not visible: ${all.unseen}; wrong digits: ${all.wrongDigits}`,
	};
}

/** Makes all payouts of a round. Returns a line for each kind of fault and one for all. */
export async function payThroughFaults(stack: Stack, round: Round, seed: number): Promise<Line[]> {
	const { client, credential } = stack;
	process.stderr.write(`${round.name} (seed ${seed})\n`);
	const payouts = makePayouts(round, seed);
	await stack.control('PUT', '/webhook', { url: null });
	await stack.control('POST', '/admin_funding', { asset: 'NGN', amount: PLENTY, direction: 'credit' });
	const before = new Set((await acceptedPayouts(stack)).map(({ payout_id }) => payout_id));

	const faulty = await startFaultyProxy(stack, payouts);
	const credentialId = await client.saveCredential(CREDENTIAL_TYPE, CREDENTIAL, {
		...credential.data,
		baseUrl: faulty.url,
	});

	const queue = [...payouts];
	for (let number = 0; queue.length > 0; number++) {
		const setup = cycle(SETUPS, number);
		const stops = setup.onError === 'stopWorkflow';
		const batch = takeBatch(queue, stops);
		const refused = batch.find(isToBeRefused);
		faulty.refuseAt(refused, batch);
		const { id } = await saveWorkflow(client, batch, setup, credentialId);
		const execution = await client.runByHand(id, 'Start');
		const said = [readStatements(execution, batch)];
		await faulty.accept();
		if (stops && execution.status === 'error') {
			const retried = await client.retry(execution.id, setup.retryWith);
			said.push(readStatements(retried, batch));
		}
		if (refused !== undefined && said.some((statements) => statements.get(refused)?.outcome === 'notSent'))
			refused.requests.unshift(REFUSED);
		queue.unshift(...recordStatements(batch, said, stops));
		if (number % 20 === 19) process.stderr.write(`${payouts.length - queue.length} of ${payouts.length}\n`);
	}
	await faulty.stop();

	const accepted = (await acceptedPayouts(stack)).filter(({ payout_id }) => !before.has(payout_id));
	return compareWithService(payouts, accepted, faulty.unrequested);
}

async function acceptedPayouts(stack: Stack): Promise<Accepted[]> {
	return ((await stack.control('GET', '/state')) as { payouts: Accepted[] }).payouts;
}

/** A proxy before the sandbox that orders the fault of each payout at its first request. */
async function startFaultyProxy(stack: Stack, payouts: Payout[]) {
	const byAmount = new Map(payouts.map((payout) => [payout.amount, payout]));
	const unrequested: string[] = [];
	let lastBeforeRefusal: Payout | undefined;
	const proxy = await startProxy(stack.sandbox.url);
	proxy.tamper = async (body) => {
		const amount = amountIn(body) ?? body;
		const payout = byAmount.get(amount);
		if (payout === undefined) {
			unrequested.push(amount);
			return body;
		}
		const isFirst = payout.requests.length === 0;
		const fault = isFirst && payout.fault !== REFUSED ? payout.fault : NONE;
		payout.requests.push(fault);
		const ordered = FAULTS[fault]?.control;
		// Only one payout is under way at a time, so the fault meets this request.
		if (ordered !== undefined) await stack.control('POST', '/faults', { route: ROUTE, ...ordered });
		if (payout === lastBeforeRefusal) proxy.refuse();
		return body;
	};
	return {
		url: proxy.url,
		/** Amounts in requests that no payout has. */
		unrequested,
		/** Refuses connections from the request for this payout of the batch on. */
		refuseAt: (refused: Payout | undefined, batch: Payout[]) => {
			const index = refused === undefined ? -1 : batch.indexOf(refused);
			lastBeforeRefusal = batch[index - 1];
			if (index === 0) proxy.refuse();
		},
		accept: () => proxy.accept(),
		stop: () => proxy.stop(),
	};
}

async function saveWorkflow(
	client: N8nClient,
	batch: Payout[],
	{ maxTries, onError }: Setup,
	credentialId: string,
): Promise<StoredWorkflow> {
	const payOut = node(
		PAY_OUT,
		ACTION_NODE,
		{
			resource: 'fiatWallet',
			operation: 'createPayout',
			currency: 'NGN',
			amount: '={{ $json.amount }}',
			account_alias: 'supplier-main',
			requestOptions: { timeout: TIMEOUT_MS },
		},
		{
			credentials: { [CREDENTIAL_TYPE]: { id: credentialId, name: CREDENTIAL } },
			retryOnFail: true,
			maxTries,
			waitBetweenTries: 1,
			onError,
		},
	);
	const list = { payouts: batch.map(({ amount }) => ({ amount })) };
	const nodes = [
		node('Start', 'n8n-nodes-base.manualTrigger', {}),
		node('List', 'n8n-nodes-base.set', { mode: 'raw', jsonOutput: JSON.stringify(list), options: {} }),
		node('One item each', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'payouts', options: {} }),
		payOut,
	];
	const connections = chain(nodes.map(({ name }) => name));
	return await client.saveWorkflow({ name: 'Through faults', nodes, connections });
}
