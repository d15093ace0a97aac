/** What people do with the example *payouts from a file*, and what happens to it in the middle. */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Mail } from '../doubles/mailbox.ts';
import type { Json, StoredWorkflow } from '../n8n/client.ts';
import type { Stack } from '../stack.ts';
import { until } from '../until.ts';
import { sendForm, untilPage } from './approvals.ts';
import type { Payment } from './payments.ts';
import { calls, changeExample, publishCopy, withParameters } from './workflows.ts';

/** Lets *pay once* wait for an answer so many milliseconds. */
export const giveUpAfter = async (stack: Stack, timeout: number): Promise<void> =>
	await changeExample(stack, 'pay-once', { 'Pay fiat': withParameters({ requestOptions: { timeout } }) });

/** In place of the ten minutes of the workflow, in seconds and in milliseconds. */
const WATCH_S = 10;
const QUIET_MS = 20_000;

/** Copies of the form and of what it calls. They look early if the payments still go on. `timeout`: in seconds, of the one that pays. */
export async function publishForm(stack: Stack, title: string, timeout?: number): Promise<StoredWorkflow> {
	const pays = await publishCopy(
		stack,
		'payouts-file-2-pay',
		`Pays, ${title}`,
		{
			'Every ten minutes': withParameters({
				rule: { interval: [{ field: 'seconds', secondsInterval: WATCH_S }] },
			}),
			'Who tells?': ({ parameters }) => ({
				parameters: JSON.parse(JSON.stringify(parameters).replace('600000', String(QUIET_MS))) as Json,
			}),
		},
		timeout === undefined ? {} : { executionTimeout: timeout },
	);
	return await publishCopy(stack, 'payouts-file-1-check', `Checks, ${title}`, {
		Ask: withParameters(calls(pays)),
	});
}

/** Uploads a good file of payouts to supplier-main. */
export async function uploadList(stack: Stack, form: StoredWorkflow, rows: Payment[]): Promise<void> {
	const lines = rows.map(({ key, amount }) => `${key},${amount},NGN,,supplier-main`);
	const file = new File([['paymentKey,amount,currency,coin,destination', ...lines].join('\n')], 'list.csv');
	const people = ['finance@example.com', 'approver@example.com'];
	// A row takes up to a second on a busy machine.
	const page = await sendForm(stack, form, [file, ...people], undefined, 20_000 + rows.length * 1000);
	if (!page.includes('The list is good')) throw new Error(`The list is refused: ${page.slice(-1500)}`);
}

/** Waits for a mail, and for the page behind its link. */
export async function mailOf(
	{ mailbox }: Stack,
	subject: RegExp,
	within = 60_000,
): Promise<Mail & { link: string }> {
	const mail = await until(
		`a mail ${subject.source}`,
		() => mailbox.mails.find((each) => subject.test(each.subject)),
		within,
	);
	const link = /here: (\S+)/.exec(mail.text)?.[1] ?? '';
	if (link) await untilPage(link, 'form-waiting');
	return { ...mail, link };
}

/** Stops the execution of *pay once* that goes on. */
export async function stopByHand({
	client,
	examples: {
		payOnce: { id },
	},
}: Stack): Promise<void> {
	const running = await client.rest<{ results: Array<{ id: string }> }>(
		'GET',
		`/executions?filter=${encodeURIComponent(JSON.stringify({ workflowId: id, status: ['running'] }))}`,
	);
	await client.rest('POST', `/executions/${running.results[0]!.id}/stop`);
}

/** Kills the process that runs Code nodes, and again each time that n8n has started it. */
export async function killRunner({ n8n }: Stack): Promise<void> {
	for (let left = 3; left > 0; left -= 1) {
		const processes = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(n8n.pid)], {
			encoding: 'utf8',
		});
		const runner = processes.split('\n').find((line) => line.includes('task-runner'));
		if (runner) process.kill(Number.parseInt(runner, 10), 'SIGKILL');
		await sleep(1500);
	}
}
