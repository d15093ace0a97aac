/**
 * Executions that fail, for which "Retry execution" is chosen up to three times: for the newest one, for an old one again, and while
 * another retry runs. Without Payment Key, nothing but the retry itself keeps them from paying twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Execution, ExecutionError, Json } from '../../host/n8n/client.ts';
import type { Stack } from '../../host/stack.ts';
import { cycle } from '../../bench/shared/lists.ts';
import { bodyOf, BY_KEY, publishPayer, ROUTE, WEBHOOK } from '../../bench/shared/payments/payer.ts';
import { node } from '../../bench/shared/workflowParts.ts';
import type { PaymentFigures } from '../shared/figures.ts';
import { Book } from './book.ts';

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

const FAILS_BY_HAND = node('Fails by hand', 'n8n-nodes-base.code', {
	jsCode:
		"if ($input.first().json.body.failsByHand && $execution.mode === 'test') throw new Error('By hand'); return $input.all();",
});

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

export async function retryFailed(
	stack: Stack,
	{ executions, hasKey }: { executions: number; hasKey: boolean },
): Promise<PaymentFigures> {
	const { client, control, sandbox } = stack;
	const book = new Book(stack);
	const payer = await publishPayer(stack, 'Retried', {
		parameters: { ...BY_KEY, ...(!hasKey && { paymentKey: '' }) },
		settings: { onError: 'stopWorkflow' },
		before: [FAILS_BY_HAND],
	});
	for (let number = 0; number < executions; number += 1) {
		const cause = cycle(CAUSES, number);
		if (cause !== null) await control('POST', '/faults', { route: ROUTE, skip: FAILS_AT, ...cause });
		const body = { ...bodyOf(book.want(LIST)), failsByHand: cause === null };
		const failed = await client.ended(await client.startByHand(payer.workflow.id, WEBHOOK, [{ body }]));
		if (failed.status !== 'error')
			throw new Error(`An execution ended as ${failed.status} instead of failing`);
		await control('POST', '/faults', { route: ROUTE, times: LIST, delayMs: ANSWER_MS });
		const workflow = number % 2 === 0 ? 'original' : 'current';
		const retry: Retry = async (retried) => {
			const execution = await client.retry(retried, workflow).catch(() => undefined);
			book.note('retries', execution === undefined ? 'refused by n8n' : endOf(execution));
			return execution;
		};
		await cycle(PATTERNS, Math.floor(number / CAUSES.length))(retry, failed.id);
		sandbox.service.faults.clear();
	}
	return book.figures(
		`"Retry execution" up to three times for ${executions} failed executions, ${hasKey ? 'with' : 'without'} key`,
	);
}

/** How a retry ended, in a few words. */
function endOf({ status, data: { resultData } }: Execution): string {
	const { message = '', context = {} } = (resultData.error ?? {}) as Partial<ExecutionError>;
	if (/because an earlier retry/.test(message)) return 'refused as old';
	const { outcome = '' } = context as { outcome?: string };
	return `${status} ${outcome}`.trim();
}
