/**
 * Payouts through the real n8n while the service fails in every way that the sandbox can, with Retry On Fail and "Retry
 * execution". The user believes the node: what is reported as rejected or not sent is paid again in a new execution, what is accepted
 * or unknown is not. So a wrong report shows as money that moved twice or unseen.
 */
import type { StoredWorkflow, WorkflowNode } from '../../host/n8n/client.ts';
import { startProxy } from '../../host/doubles/proxy.ts';
import { startTemporaryStack, type Stack } from '../../host/stack.ts';
import {
	BY_KEY,
	LISTED,
	listOf,
	PAY_OUT,
	payOutNode,
	payoutsMade,
	prepare,
	ROUTE,
} from '../../host/testkit/payments.ts';
import { withStack } from '../../host/testkit/stacks.ts';
import { connect, saveOther } from '../../host/testkit/workflows.ts';
import { amountIn } from '../shared/amounts.ts';
import { inTurn, type PaymentFigures, type Soak } from '../shared/figures.ts';
import {
	compareWithService,
	FAULTS,
	isToBePaid,
	isToBeRefused,
	makePayouts,
	NONE,
	readStatements,
	REFUSED,
	TIMEOUT_MS,
	type Payout,
	type Round,
} from './payouts.ts';

/** "10 % faults of every kind" can mean both: one payout in ten is hit, or each is hit by one of ten kinds. */
const FULL: Round[] = [
	{ name: '1,000 payouts, one in ten is hit', payouts: 1000, share: 0.1 },
	{ name: '1,000 payouts, each is hit', payouts: 1000, share: 1 },
];
export const SHORT: [Round] = [{ name: '66 payouts, two of three are hit', payouts: 66, share: 2 / 3 }];

/** Payouts of an execution. */
const BATCH = 10;

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

export const payoutFaults: Soak = async ({ short }) =>
	await withStack(startTemporaryStack, (stack) =>
		inTurn(short ? SHORT : FULL, (round) => payThroughFaults(stack, round)),
	);

/** Makes all payouts of a round. */
export async function payThroughFaults(stack: Stack, round: Round): Promise<PaymentFigures> {
	const { client } = stack;
	process.stderr.write(`${round.name}\n`);
	const payouts = makePayouts(round);
	await prepare(stack.sandbox);
	const before = payoutsMade(stack).length;
	const faulty = await startFaultyProxy(stack, payouts);
	const credentials = await saveOther(stack, 'Through faults', { baseUrl: faulty.url });

	let queue = [...payouts];
	for (let number = 0; queue.length > 0; number += 1) {
		const setup = SETUPS[number % SETUPS.length]!;
		const stops = setup.onError === 'stopWorkflow';
		const batch = takeBatch(queue, stops);
		const refused = batch.find(isToBeRefused);
		faulty.refuseAt(refused, batch);
		const { id } = await saveWorkflow(stack, batch, setup, credentials);
		const execution = await client.runByHand(id, 'Start');
		readStatements(execution, batch, stops);
		await faulty.accept();
		if (stops && execution.status === 'error')
			readStatements(await client.retry(execution.id, setup.retryWith), batch, stops);
		if (refused?.told.some(({ outcome }) => outcome === 'notSent')) refused.requests.unshift(REFUSED);
		queue = [...batch.filter(isToBePaid), ...queue.slice(batch.length)];
	}
	await faulty.stop();

	return compareWithService(round, payouts, payoutsMade(stack).slice(before), faulty.unrequested);
}

/**
 * The payouts of the next execution. At most one of them finds nothing listening. If the node continues after a failure (`stops` is
 * false), that one is the last, so that the others still reach the service.
 */
function takeBatch(queue: Payout[], stops: boolean): Payout[] {
	const batch: Payout[] = [];
	for (const payout of queue.slice(0, BATCH)) {
		const isRefused = isToBeRefused(payout);
		if (isRefused && batch.some(isToBeRefused)) break;
		batch.push(payout);
		if (isRefused && !stops) break;
	}
	return batch;
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
	stack: Stack,
	batch: Payout[],
	{ maxTries, onError }: Setup,
	credentials: WorkflowNode['credentials'],
): Promise<StoredWorkflow> {
	// An execution that stops is retried, which pays by key only.
	const paymentKey = onError === 'stopWorkflow' ? '={{ $json.amount }}' : '';
	const parameters = { ...BY_KEY, paymentKey, requestOptions: { timeout: TIMEOUT_MS } };
	const payer = payOutNode(stack, { parameters, credentials, onError, maxTries });
	return await stack.client.saveWorkflow({
		name: 'Through faults',
		nodes: [...listOf(batch.map(({ amount }) => ({ amount }))), payer],
		connections: connect(`${LISTED} -> ${PAY_OUT}`),
	});
}
