/**
 * Executions that fail, for which "Retry execution" is chosen up to three times: for the newest one, for an old one again, and while
 * another retry runs. Half of them pay without Payment Key, so that nothing but the retry itself keeps them from paying twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Execution, ExecutionError, Json } from '../../host/n8n/client.ts';
import type { Stack } from '../../host/stack.ts';
import { makePayments } from '../../bench/shared/payments/paymentComparison.ts';
import type { Payment } from '../../bench/shared/payments/paymentComparison.ts';
import { figuresOf, judged } from '../shared/paymentLines.ts';
import type { PaymentFigures, PaymentLine } from '../shared/paymentLines.ts';
import {
	bodyOf,
	BY_KEY,
	publishPayer,
	ROUTE,
	WEBHOOK,
	withStack,
} from '../../bench/shared/payments/payer.ts';
import type { Payer } from '../../bench/shared/payments/payer.ts';
import { node } from '../../bench/shared/workflowParts.ts';
import { cycle, tally } from '../../bench/shared/lists.ts';

const FULL = 100;
export const SHORT = 20;

/** Payments of an execution. The service fails the one with this index. */
const LIST = 4;
const FAILS_AT = 2;
/** Time that the service takes for a payment of a retry: long enough to choose another retry meanwhile. */
const ANSWER_MS = 100;
const MEANWHILE_MS = 150;

/** Why the execution fails, as a fault of the service. Null: a node before the payment fails. */
const CAUSES: Array<Json | null> = [
	{ status: 422 },
	{ dropAfter: true },
	{ dropBefore: true },
	{ status: 500, acted: true },
	null,
];

type Retry = (id: string) => Promise<Execution | undefined>;

/** Each chooses three retries of the failed execution with this id. */
const PATTERNS: Array<(retry: Retry, id: string) => Promise<unknown>> = [
	async function theNewestEachTime(retry, id) {
		const first = await retry(id);
		const second = await retry(first?.id ?? id);
		await retry(second?.id ?? id);
	},
	async function theOldAgain(retry, id) {
		for (let times = 3; times > 0; times -= 1) await retry(id);
	},
	async function twoAtOnceAndTheOldAgain(retry, id) {
		await Promise.all([retry(id), retry(id)]);
		await retry(id);
	},
	async function whileARetryRuns(retry, id) {
		const running = retry(id);
		await sleep(MEANWHILE_MS);
		const [first] = await Promise.all([running, retry(id)]);
		await retry(first?.id ?? id);
	},
];

export async function run({ short }: { short: boolean }): Promise<PaymentFigures> {
	return await withStack(async (stack) => judged(await retryAll(stack, short ? SHORT : FULL)));
}

/** A line for the executions with Payment Key and one for those without. */
export async function retryAll(stack: Stack, executions: number): Promise<PaymentLine[]> {
	const lines: PaymentLine[] = [];
	for (const hasKey of [true, false]) {
		const payer = await publishPayer(stack, `Retried ${hasKey ? 'with' : 'without'} keys`, {
			parameters: { ...BY_KEY, ...(hasKey ? {} : { paymentKey: '' }) },
			settings: { onError: 'stopWorkflow' },
			before: [
				node('Fails by hand', 'n8n-nodes-base.code', {
					jsCode:
						"if ($input.first().json.body.failsByHand && $execution.mode === 'test') throw new Error('By hand'); return $input.all();",
				}),
			],
		});
		lines.push(await retryEach(stack, payer, executions / 2, hasKey));
	}
	return lines;
}

async function retryEach(
	stack: Stack,
	payer: Payer,
	executions: number,
	hasKey: boolean,
): Promise<PaymentLine> {
	const { client, control, sandbox } = stack;
	const all: Payment[] = [];
	const ends: string[] = [];
	for (let number = 0; number < executions; number += 1) {
		const cause = cycle(CAUSES, number);
		const payments = makePayments(LIST);
		all.push(...payments);
		if (cause !== null) {
			await control('POST', '/faults', { route: ROUTE, skip: FAILS_AT, ...cause });
		}
		const body = { ...bodyOf(payments), failsByHand: cause === null };
		const { id, status } = await client.ended(
			await client.startByHand(payer.workflow.id, WEBHOOK, [{ body }]),
		);
		if (status !== 'error') throw new Error(`An execution ended as ${status} instead of failing`);
		await control('POST', '/faults', { route: ROUTE, times: LIST, delayMs: ANSWER_MS });
		const workflow = number % 2 === 0 ? 'original' : 'current';
		const retry: Retry = async (retried) => {
			const execution = await client.retry(retried, workflow).catch(() => undefined);
			ends.push(execution === undefined ? 'refused by n8n' : endOf(execution));
			return execution;
		};
		await cycle(PATTERNS, Math.floor(number / CAUSES.length))(retry, id);
		sandbox.service.faults.clear();
		if (number % 10 === 9) process.stderr.write(`${number + 1} of ${executions} executions retried\n`);
	}
	return {
		what: `"Retry execution" up to three times for ${executions} failed executions, ${hasKey ? 'with' : 'without'} key`,
		...figuresOf(stack, all),
		more: `retries: ${tally(ends)}`,
	};
}

/** How a retry ended, in a few words. */
function endOf({ status, data: { resultData } }: Execution): string {
	const { message = '', context = {} } = (resultData.error ?? {}) as Partial<ExecutionError>;
	if (/because (execution \d+ was retried before|an earlier retry)/.test(message)) return 'refused as old';
	const { outcome = '' } = context as { outcome?: string };
	return `${status} ${outcome}`.trim();
}
