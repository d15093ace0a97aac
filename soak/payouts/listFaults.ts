/**
 * A list of payouts from a file while something goes wrong in the middle. Afterwards the mail with the results, the page that asks about
 * what is not known, the table of payments and the service are compared, row by row. Then a person settles what is not known by what the
 * service did, and the file is uploaded again without the paid rows, until all are paid.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Mail } from '../../host/doubles/mailbox.ts';
import type { Json, StoredWorkflow } from '../../host/n8n/client.ts';
import { until } from '../../host/until.ts';
import { startTemporaryStack } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { browse, sendForm, untilPage, YES } from '../../host/testkit/approvals.ts';
import { payoutsMade, ROUTE, timesPaid } from '../../host/testkit/payments.ts';
import { paymentsTable } from '../../host/testkit/paymentsTable.ts';
import type { PaymentRow } from '../../host/testkit/paymentsTable.ts';
import { withStack } from '../../host/testkit/stacks.ts';
import { calls, saveCopy, withParameters } from '../../host/testkit/workflows.ts';
import { joined, judged } from '../shared/figures.ts';
import type { PaymentFigures } from '../shared/figures.ts';

/** How long the look from outside waits, and how long the table must be quiet. n8n keeps waits of more than 65 s over a restart. */
const WATCH_S = 70;
const QUIET_MS = 20_000;
const TOLD_WITHIN_MS = 240_000;
const TIMEOUT_S = 5;
const NODE_TIMEOUT_MS = 1000;
const AFTER = 3;

interface Row {
	key: string;
	amount: string;
}

interface Fault {
	what: string;
	/** Before the yes. */
	before?: (stack: Stack) => Promise<unknown>;
	/** When the service has made some payouts. */
	during?: (stack: Stack) => Promise<unknown>;
	/** Makes all good again. */
	after?: (stack: Stack) => Promise<unknown>;
	/** Of the workflow that pays. */
	timesOut?: boolean;
}

const order = async ({ control }: Stack, fault: Json) =>
	await control('POST', '/faults', { route: ROUTE, times: 100_000, ...fault });
const slowly = async (stack: Stack) => await order(stack, { delayMs: 400 });

const FAULTS: Fault[] = [
	{ what: 'the service goes down', before: (stack) => order(stack, { skip: AFTER, status: 503 }) },
	{
		what: 'the service hangs',
		before: (stack) => order(stack, { skip: AFTER, delayMs: 3 * NODE_TIMEOUT_MS }),
	},
	{ what: 'the service is slow', before: slowly },
	{ what: 'the workflow times out', before: slowly, timesOut: true },
	{ what: 'n8n is killed', before: slowly, during: (stack) => stack.restart('kill') },
	{ what: 'pay once is stopped by hand', before: slowly, during: stopByHand },
	{ what: 'the task runner is killed', before: slowly, during: killRunner },
	{ what: 'a column is deleted before the yes', before: deleteColumn, after: addColumn },
	{ what: 'a column is deleted in the middle', before: slowly, during: deleteColumn, after: addColumn },
];

export async function run({ short }: { short: boolean }): Promise<PaymentFigures> {
	return await withStack(startTemporaryStack, async (stack) => {
		await giveUpEarly(stack);
		const figures: PaymentFigures[] = [];
		for (const [index, fault] of FAULTS.entries())
			figures.push(await payThrough(stack, fault, short ? 12 : 60, index));
		return joined(figures);
	});
}

async function payThrough(stack: Stack, fault: Fault, size: number, number: number): Promise<PaymentFigures> {
	process.stderr.write(`${fault.what}\n`);
	const form = await copies(stack, fault);
	const rows = Array.from({ length: size }, (_, index) => ({
		key: `LIST-${number}-${index}`,
		amount: `${number + 1}${String(index).padStart(3, '0')}.5`,
	}));
	const mails = stack.mailbox.mails;
	mails.splice(0);
	await upload(stack, form, rows);
	const question = await mailed(stack, /^Approve /);
	await fault.before?.(stack);
	await browse(question.link, [YES]);
	if (fault.during) {
		await until('some payouts', () => (paidOf(stack, rows).length >= AFTER ? true : undefined), 60_000);
		await fault.during(stack);
	}
	const told = await mailed(stack, /^\d+ of \d+ payouts? paid/, TOLD_WITHIN_MS);
	await sleep(3000);
	await fault.after?.(stack);
	stack.sandbox.service.faults.clear();
	const found = await compare(stack, rows, told);

	await settle(stack, rows);
	const open = rows.filter(({ amount }) => !timesPaid(stack).has(amount));
	if (open.length > 0) {
		mails.splice(0);
		await upload(stack, await copies(stack, {}), open);
		await browse((await mailed(stack, /^Approve /)).link, [YES]);
		await mailed(stack, new RegExp(`^${open.length} of ${open.length} payouts? paid`), TOLD_WITHIN_MS);
	}
	const times = timesPaid(stack);
	return judged(
		{
			what: fault.what,
			asked: rows.length,
			paid: rows.filter(({ amount }) => times.has(amount)).length,
			paidTwice: rows.filter(({ amount }) => (times.get(amount) ?? 0) > 1).length,
			unaccounted: rows.filter(({ amount }) => !times.has(amount)).length,
			more: found.line,
		},
		{
			contradictions: found.contradictions.length,
			'paid twice': rows.filter(({ amount }) => (times.get(amount) ?? 0) > 1).length,
			'not paid in the end': rows.filter(({ amount }) => !times.has(amount)).length,
		},
	);
}

/** *Pay once* itself, because only it knows the keys of the payments that are settled. */
async function giveUpEarly({ client, examples: { payOnce } }: Stack): Promise<void> {
	const stored = await client.rest<StoredWorkflow>('GET', `/workflows/${payOnce.id}`);
	for (const { name, parameters } of stored.nodes)
		if (name === 'Pay fiat') parameters.requestOptions = { timeout: NODE_TIMEOUT_MS };
	const { nodes, connections, versionId } = stored as StoredWorkflow & { versionId: string };
	await client.publish(
		await client.rest<StoredWorkflow>('PATCH', `/workflows/${payOnce.id}`, { nodes, connections, versionId }),
	);
}

const paidOf = (stack: Stack, rows: Row[]) =>
	payoutsMade(stack).filter(({ amount }) => rows.some((row) => row.amount === amount));

/** Copies of the four workflows. A look from outside comes early, the service is given up early, and the payments may time out. */
async function copies(stack: Stack, { what, timesOut }: Partial<Fault>) {
	const { client, examples } = stack;
	const copy = async (
		example: StoredWorkflow,
		changes: Parameters<typeof saveCopy>[3],
		settings: Json = {},
	) => {
		const whole = { ...example, settings: { ...(example as { settings?: Json }).settings, ...settings } };
		const saved = await saveCopy(client, whole, `${example.name}, ${what ?? 'again'}`, changes);
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
		timesOut ? { executionTimeout: TIMEOUT_S } : {},
	);
	const form = await copy(examples.payoutsFromFile, {
		Template: withParameters({ path: randomUUID() }),
		Ask: withParameters(calls(pays)),
	});
	return form;
}

async function upload(stack: Stack, form: StoredWorkflow, rows: Row[]): Promise<void> {
	const lines = rows.map(({ key, amount }) => `${key},${amount},NGN,,supplier-main`);
	const file = new File([['paymentKey,amount,currency,coin,destination', ...lines].join('\n')], 'list.csv');
	const page = await sendForm(stack, form, [file, 'finance@example.com', 'approver@example.com']);
	if (!page.includes('The list is good')) throw new Error(`The list is refused: ${page.slice(-1500)}`);
}

async function mailed(stack: Stack, subject: RegExp, within = 60_000): Promise<Mail & { link: string }> {
	const mail = await until(
		`a mail ${subject.source}`,
		() => stack.mailbox.mails.find((each) => subject.test(each.subject)),
		within,
	);
	const link = /here: (\S+)/.exec(mail.text)?.[1] ?? '';
	if (link) await untilPage(link, 'form-waiting');
	return { ...mail, link };
}

/** The mail and the page that ask about what is not known. */
async function settlePage(stack: Stack) {
	const mail = stack.mailbox.mails.find(({ subject }) => /^(Was this|Were these)/.test(subject));
	const link = mail && /here: (\S+)/.exec(mail.text)![1]!;
	return { link, page: link === undefined ? '' : (await browse(link)).page };
}

const namedOn = (page: string, { key }: Row) => new RegExp(`\\b${key}\\b(?!\\d)`).test(page);

async function compare(stack: Stack, rows: Row[], { subject, text, attachments }: Mail) {
	const lines = attachments![0]!.content.toString('utf8').trim().split('\n').slice(1);
	const said = new Map(lines.map((line) => [line.split(',')[0]!, line.split(',')[1]!]));
	const { page } = await settlePage(stack);
	const table = (await (await paymentsTable(stack)).rows<PaymentRow>()).filter(({ paymentKey }) =>
		said.has(paymentKey),
	);
	const inTable = new Map(table.map(({ paymentKey, result }) => [paymentKey, result]));
	const made = timesPaid(stack);
	const count = (results: Iterable<unknown>, wanted: string) =>
		[...results].filter((each) => each === wanted).length;
	const [paid, unknown] = [count(said.values(), 'paid'), count(said.values(), 'unknown')];
	const promised = text.includes('The approver gets one mail');
	const contradictions = rows.flatMap((row) => {
		const [mail, book, times] = [said.get(row.key), inTable.get(row.key), made.get(row.amount) ?? 0];
		const isOnPage = namedOn(page, row);
		const wrong = [
			mail === undefined && 'is not in the mail',
			times > 1 && 'is paid twice',
			mail === 'paid' && times !== 1 && 'is paid in the mail only',
			mail === 'paid' && book !== 'paid' && 'is paid and not so in the table',
			mail !== 'paid' && mail !== 'unknown' && times > 0 && 'was paid, and the mail says that it was not',
			mail !== 'paid' &&
				mail !== 'unknown' &&
				['paid', 'unknown'].includes(String(book)) &&
				'is known to the table only',
			mail === 'unknown' && promised !== isOnPage && 'is promised a page and has none',
			mail === 'unknown' && promised && book !== 'unknown' && 'is not known, and not so in the table',
			mail !== 'unknown' && isOnPage && 'is known, and the page asks about it',
		].filter((each) => each !== false);
		return wrong.map((each) => `${row.key} ${each}`);
	});
	const shown = `${paid} of ${rows.length} payouts paid`;
	if (!subject.startsWith(shown) || subject.includes('NOT KNOWN') !== unknown > 0)
		contradictions.push(subject);
	for (const each of contradictions) process.stderr.write(`  ${each}\n`);
	const onPage = rows.filter((row) => namedOn(page, row)).length;
	const line = [
		`service: ${paidOf(stack, rows).length} paid`,
		`mail: ${paid} paid, ${unknown} not known, ${rows.length - paid - unknown} not sent`,
		`page: ${onPage} not known`,
		`table: ${count(inTable.values(), 'paid')} paid, ${count(inTable.values(), 'unknown')} not known`,
	].join('; ');
	process.stderr.write(`  ${line}\n`);
	return { contradictions, line };
}

/** A person looks at the service, and answers. */
async function settle(stack: Stack, rows: Row[]): Promise<void> {
	const times = timesPaid(stack);
	for (const [word, isMeant] of [
		['It was paid', (row: Row) => times.has(row.amount)],
		['It was not paid: pay now', (row: Row) => !times.has(row.amount)],
	] as const) {
		for (let left = 3; left > 0; left -= 1) {
			const { link, page } = await settlePage(stack);
			if (link === undefined) return;
			const numbers = rows
				.filter((row) => namedOn(page, row))
				.flatMap((row, index) => (isMeant(row) ? [index + 1] : []));
			if (numbers.length === 0 || !page.includes('field-0')) break;
			await browse(link, [word, numbers.join(', ')]);
			await sleep(4000);
		}
	}
}

async function stopByHand({
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

/** n8n starts it again after the first kill. */
async function killRunner({ n8n }: Stack): Promise<void> {
	for (let left = 3; left > 0; left -= 1) {
		const processes = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(n8n.pid)], {
			encoding: 'utf8',
		});
		const runner = processes.split('\n').find((line) => line.includes('task-runner'));
		if (runner) process.kill(Number.parseInt(runner, 10), 'SIGKILL');
		await sleep(1500);
	}
}

const COLUMN = { name: 'payoutId', type: 'string' };

async function tablePath({ client }: Stack) {
	const { id } = await client.rest<{ id: string }>('GET', '/projects/personal');
	type Tables = { data: Array<{ id: string; name: string; columns: Array<{ id: string; name: string }> }> };
	const { data } = await client.rest<Tables>('GET', `/projects/${id}/data-tables?take=100`);
	const table = data.find(({ name }) => name === 'wallet_service_payments')!;
	return { path: `/projects/${id}/data-tables/${table.id}/columns`, table };
}

async function deleteColumn(stack: Stack): Promise<void> {
	const { path, table } = await tablePath(stack);
	await stack.client.rest('DELETE', `${path}/${table.columns.find(({ name }) => name === COLUMN.name)!.id}`);
}

async function addColumn(stack: Stack): Promise<void> {
	await stack.client.rest('POST', (await tablePath(stack)).path, COLUMN);
}
