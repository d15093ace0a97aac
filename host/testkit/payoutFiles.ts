/** What people do with the example *payouts from a file*, and what happens to it in the middle. */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Mail } from '../doubles/mailbox.ts';
import type { Json, StoredWorkflow } from '../n8n/client.ts';
import type { Stack } from '../stack.ts';
import { until } from '../until.ts';
import { sendForm, untilPage } from './approvals.ts';
import type { Payment } from './payments.ts';
import { calls, saveCopy, withParameters } from './workflows.ts';

/** Lets *pay once* wait for an answer so many milliseconds. Not a copy of it, because only it knows the keys of its payments. */
export async function giveUpAfter({ client, examples: { payOnce } }: Stack, timeout: number): Promise<void> {
	const stored = await client.rest<StoredWorkflow>('GET', `/workflows/${payOnce.id}`);
	for (const { name, parameters } of stored.nodes)
		if (name === 'Pay fiat') parameters.requestOptions = { timeout };
	const { nodes, connections, versionId } = stored as StoredWorkflow & { versionId: string };
	await client.publish(
		await client.rest<StoredWorkflow>('PATCH', `/workflows/${payOnce.id}`, { nodes, connections, versionId }),
	);
}

/** n8n keeps waits of more than 65 s over a restart. */
const WATCH_S = 70;
const QUIET_MS = 20_000;

/** Copies of the form and of what it calls. They look early if the payments still go on. `timeout`: in seconds, of the one that pays. */
export async function publishForm(
	{ client, examples }: Stack,
	title: string,
	timeout?: number,
): Promise<StoredWorkflow> {
	const copy = async (
		example: StoredWorkflow,
		changes: Parameters<typeof saveCopy>[3],
		settings: Json = {},
	) => {
		const whole = { ...example, settings: { ...(example as { settings?: Json }).settings, ...settings } };
		const saved = await saveCopy(client, whole, `${example.name}, ${title}`, changes);
		await client.publish(saved);
		return saved;
	};
	const pays = await copy(
		examples.all.get('payouts-file-2-pay')!,
		{
			'Ten minutes': withParameters({ amount: WATCH_S, unit: 'seconds' }),
			'Still paying?': ({ parameters }) => ({
				parameters: JSON.parse(JSON.stringify(parameters).replace('600000', String(QUIET_MS))) as Json,
			}),
		},
		timeout === undefined ? {} : { executionTimeout: timeout },
	);
	return await copy(examples.payoutsFromFile, {
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
