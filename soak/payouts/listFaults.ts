/**
 * A list of payouts from a file while something goes wrong in the middle. Afterwards the mail with the results, the page about what is not
 * known, the book and the service are compared, row by row. Then a person settles what is not known by what the service did,
 * and uploads again what was not sent, until all is paid.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { add, isSameNumber } from '../../api/decimal.ts';
import type { Mail } from '../../host/doubles/mailbox.ts';
import type { Json } from '../../host/n8n/client.ts';
import { until } from '../../host/until.ts';
import { startTemporaryStack, type Stack } from '../../host/stack.ts';
import { browse, mailed, send, uploadList, YES } from '../../host/testkit/approvals.ts';
import { payoutsMade, ROUTE, timesPaid, type Payment } from '../../host/testkit/payments.ts';
import { paymentRows, bookTable } from '../../host/testkit/book.ts';
import { withStack } from '../../host/testkit/stacks.ts';
import { inTurn, judged, type PaymentFigures, type Soak } from '../shared/figures.ts';
import { giveUpAfter, killRunner, publishForm, stopByHand } from './payoutFiles.ts';

const TIMEOUT_S = 20;
const NODE_TIMEOUT_MS = 1000;
const HANGS_MS = 3 * NODE_TIMEOUT_MS;
const AFTER = 3;

interface Fault {
	what: string;
	/** Before the yes. May return what makes all good again. */
	before?: (stack: Stack) => Promise<unknown>;
	/** When the service has made some payouts. May return the same. */
	during?: (stack: Stack) => Promise<unknown>;
	/** Seconds after which the workflow that pays is ended. */
	timeout?: number;
}

/** Returns what adds it again. */
const deleteColumn = async (stack: Stack) => await bookTable(stack).deleteColumn('reference');
const order = async ({ control }: Stack, fault: Json) =>
	await control('POST', '/faults', { route: ROUTE, times: 100_000, ...fault });
const slowly = async (stack: Stack) => await order(stack, { delayMs: 400 });

const FAULTS: Fault[] = [
	{ what: 'the service goes down', before: (stack) => order(stack, { skip: AFTER, status: 503 }) },
	{ what: 'the service hangs', before: (stack) => order(stack, { skip: AFTER, delayMs: HANGS_MS }) },
	{ what: 'the service is slow', before: slowly },
	{ what: 'the workflow times out', before: slowly, timeout: TIMEOUT_S },
	{ what: 'n8n is killed', before: slowly, during: (stack) => stack.restart('kill') },
	{ what: 'pay once is stopped by hand', before: slowly, during: stopByHand },
	{ what: 'the task runner is killed', before: slowly, during: killRunner },
	{ what: 'a column is deleted before the yes', before: deleteColumn },
	{ what: 'a column is deleted in the middle', before: slowly, during: deleteColumn },
];

export const listFaults: Soak = async ({ short }) =>
	await withStack(startTemporaryStack, async (stack) => {
		await giveUpAfter(stack, NODE_TIMEOUT_MS);
		return await inTurn(FAULTS, (fault, index) => payThrough(stack, fault, short ? 12 : 60, index));
	});

async function payThrough(stack: Stack, fault: Fault, size: number, number: number): Promise<PaymentFigures> {
	process.stderr.write(`${fault.what}\n`);
	const form = await publishForm(stack, fault.what, fault.timeout);
	const rows = Array.from({ length: size }, (_, index) => ({
		key: `LIST-${number}-${index}`,
		amount: `${number + 1}${String(index).padStart(3, '0')}.5`,
	}));
	const mails = stack.mailbox.mails;
	mails.splice(0);
	await uploadList(stack, form, rows);
	const question = await mailed(stack, 'Approve ');
	let repair = await fault.before?.(stack);
	await send(question.link, YES);
	if (fault.during) {
		await until('some payouts', () => paidOf(stack, rows).length >= AFTER);
		repair = await fault.during(stack);
	}
	const told = await mailed(stack, /^\d+ of \d+ payouts? paid/);
	await sleep(3000);
	if (typeof repair === 'function') await (repair as () => Promise<void>)();
	stack.sandbox.service.faults.clear();
	const found = await compare(stack, rows, told);

	await settle(stack, rows);
	const open = rows.filter(({ amount }) => !timesPaid(stack).has(amount));
	if (open.length > 0) {
		mails.splice(0);
		await uploadList(stack, await publishForm(stack, 'again'), open);
		await send((await mailed(stack, 'Approve ')).link, YES);
		await mailed(stack, new RegExp(`^${open.length} of ${open.length} payouts? paid`));
	}
	const times = rows.map(({ amount }) => timesPaid(stack).get(amount) ?? 0);
	const paid = times.filter((each) => each > 0).length;
	const [paidTwice, unaccounted] = [times.filter((each) => each > 1).length, size - paid];
	return judged(
		{ what: fault.what, asked: size, paid, paidTwice, unaccounted, more: found.line },
		{
			contradictions: found.contradictions.length,
			'paid twice': paidTwice,
			'not paid in the end': unaccounted,
		},
	);
}

const paidOf = (stack: Stack, rows: Payment[]) =>
	payoutsMade(stack).filter(({ amount }) => rows.some((row) => row.amount === amount));

/** The mail and the page that ask about what is not known. */
async function settlePage(stack: Stack) {
	const mail = stack.mailbox.mails.find(({ subject }) => /^(Was this|Were these)/.test(subject));
	const link = mail && /here: (\S+)/.exec(mail.text)![1]!;
	return { link, page: link === undefined ? '' : (await browse(link)).page };
}

const namedOn = (page: string, { key }: Payment) => new RegExp(`\\b${key}\\b(?!\\d)`).test(page);

async function compare(stack: Stack, rows: Payment[], { subject, text, attachments }: Mail) {
	const lines = attachments![0]!.content.toString('utf8').trim().split('\n').slice(1);
	const said = new Map(lines.map((line) => [line.split(',')[0]!, line.split(',')[1]!]));
	const { page } = await settlePage(stack);
	const table = (await paymentRows(stack)).filter(({ paymentKey }) => said.has(paymentKey));
	const inTable = new Map(table.map(({ paymentKey, result }) => [paymentKey, result]));
	const made = timesPaid(stack);
	const count = (results: Iterable<unknown>, wanted: string) =>
		[...results].filter((each) => each === wanted).length;
	const [paid, unknown] = [count(said.values(), 'paid'), count(said.values(), 'unknown')];
	const promised = text.includes('The approver gets one mail');
	const contradictions = rows.flatMap((row) => {
		const [mail, book, times] = [said.get(row.key), inTable.get(row.key), made.get(row.amount) ?? 0];
		const [isPaid, isUnknown] = [mail === 'paid', mail === 'unknown'];
		const wrong: Record<string, boolean> = {
			'is not in the mail': mail === undefined,
			'is paid in the mail only': isPaid && (times !== 1 || book !== 'paid'),
			'was paid, and the mail says that it was not': !isPaid && !isUnknown && times > 0,
			'is known to the table only': !isPaid && !isUnknown && ['paid', 'unknown'].includes(String(book)),
			'is not known, without its page or row':
				isUnknown && promised !== (namedOn(page, row) && book === 'unknown'),
			'is known, and the page asks about it': !isUnknown && namedOn(page, row),
		};
		return Object.keys(wrong).flatMap((each) => (wrong[each] ? [`${row.key} ${each}`] : []));
	});
	const shown = `${paid} of ${rows.length} payouts paid`;
	if (!subject.startsWith(shown) || subject.includes('NOT KNOWN') !== unknown > 0)
		contradictions.push(subject);
	const asked = rows.filter((row) => namedOn(page, row));
	const gone = /Beyond that, (\S+) NGN are gone/.exec(page)?.[1]?.replaceAll(',', '');
	const truth = asked
		.filter(({ amount }) => made.has(amount))
		.reduce((sum, { amount }) => add(sum, amount), '0');
	const evidence = gone === undefined ? 'none' : isSameNumber(gone, truth) ? 'true' : `${gone}, not ${truth}`;
	if (asked.length > 0 && evidence !== 'true') contradictions.push(`evidence: ${evidence}`);
	for (const each of contradictions) process.stderr.write(`  ${each}\n`);
	const line = [
		`service: ${paidOf(stack, rows).length} paid`,
		`mail: ${paid} paid, ${unknown} not known, ${rows.length - paid - unknown} not sent`,
		`page: ${asked.length} not known, evidence: ${asked.length > 0 ? evidence : 'not needed'}`,
		`table: ${count(inTable.values(), 'paid')} paid, ${count(inTable.values(), 'unknown')} not known`,
	].join('; ');
	process.stderr.write(`  ${line}\n`);
	return { contradictions, line };
}

/** A person looks at the service, and answers for the rows that it made and for the others. */
async function settle(stack: Stack, rows: Payment[]): Promise<void> {
	const times = timesPaid(stack);
	for (const isMade of [true, false]) {
		const { link, page } = await settlePage(stack);
		const numbers = rows
			.filter((row) => namedOn(page, row))
			.flatMap(({ amount }, index) => (times.has(amount) === isMade ? [index + 1] : []));
		if (link === undefined || numbers.length === 0) continue;
		await browse(link, ['', isMade ? 'It was paid' : 'It was not paid: pay now', numbers.join(', ')]);
		await sleep(4000);
	}
}
