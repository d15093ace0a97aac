/**
 * A list of payouts in *carry out* while something goes wrong in the middle. An execution that did not end well is retried, as a
 * person would. Then the mail with the results, the mail that asks what happened, the book and the service are compared, row by row. A
 * person decides about what is not known by what the service did, and hands the same list over again, until all is paid.
 */
import type { Mail } from '../../host/doubles/mailbox.ts';
import type { Json } from '../../host/n8n/client.ts';
import { startTemporaryStack, type Stack } from '../../host/stack.ts';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import {
	answer,
	askedRow,
	browse,
	decide,
	handOver,
	mailed,
	questionsIn,
	untilAsked,
	YES,
} from '../../host/testkit/approvals.ts';
import { paymentRows, bookTable } from '../../host/testkit/book.ts';
import { payoutsMade, ROUTE, timesPaid, type Payment } from '../../host/testkit/payments.ts';
import { withStack } from '../../host/testkit/stacks.ts';
import { until } from '../../host/until.ts';
import { inTurn, judged, type PaymentFigures, type Soak } from '../shared/figures.ts';
import {
	endAfter,
	giveUpAfter,
	numberOfNewest,
	rested,
	retried,
	retryPayOnce,
	stopByHand,
} from './asking.ts';

const TIMEOUT_S = 5;
const NODE_TIMEOUT_MS = 1000;
const HANGS_MS = 3 * NODE_TIMEOUT_MS;
const AFTER = 3;
const MOST_RETRIES = 3;

const RESULTS =
	/^(\d+ of \d+ payouts? paid|(All \d+ payouts|The payout) (are|is|were|was) paid|Nothing is left to pay|Nothing paid now)/;
/** Of payments that have failed as a whole: the same list is handed in again. */
const STOPPED = 'Stopped before the end';
const TOLD = new RegExp(`${RESULTS.source}|^${STOPPED}`);
const APPROVE = 'Approve';
const ASKS = /^Was it paid\?/;

interface Fault {
	what: string;
	/** Before the yes. May return what makes all good again. */
	before?: (stack: Stack) => Promise<unknown>;
	/** When the service has made some payouts. May return the same. */
	during?: (stack: Stack) => Promise<unknown>;
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
	{
		what: 'pay once times out',
		before: async (stack) => {
			await slowly(stack);
			await endAfter(stack, TIMEOUT_S);
			return () => endAfter(stack, -1);
		},
	},
	{ what: 'n8n is killed', before: slowly, during: (stack) => stack.restart('kill') },
	{ what: 'pay once is stopped by hand', before: slowly, during: stopByHand },
	{
		what: 'the mail server refuses',
		before: slowly,
		during: ({ mailbox }) => Promise.resolve(void mailbox.faults.push('refuse')),
	},
	{ what: 'a column is deleted before the yes', before: deleteColumn },
	{ what: 'a column is deleted in the middle', before: slowly, during: deleteColumn },
];

export const listFaults: Soak = async ({ short }) =>
	await withStack(
		() => startTemporaryStack({ examples: ['ask'] }),
		async (stack) => {
			await giveUpAfter(stack, NODE_TIMEOUT_MS);
			return await inTurn(FAULTS, (fault, index) => payThrough(stack, fault, short ? 12 : 60, index));
		},
	);

async function payThrough(stack: Stack, fault: Fault, size: number, number: number): Promise<PaymentFigures> {
	process.stderr.write(`${fault.what}\n`);
	const rows = Array.from({ length: size }, (_, index) => ({
		key: `LIST-${number}-${index}`,
		// All lists together stay below the sum of a day for a second yes.
		amount: `${number + 1}.${11 + index}`,
	}));
	await ask(stack, rows);
	const question = await mailed(stack, APPROVE);
	const repairs = [await fault.before?.(stack)];
	const before = numberOfNewest(stack);
	await answer(question, YES);
	if (fault.during) {
		await until('some payouts', () => paidOf(stack, rows).length >= AFTER);
		repairs.push(await fault.during(stack));
	}
	let execution = await rested(stack, before);
	for (const repair of repairs) if (typeof repair === 'function') await (repair as () => Promise<void>)();
	stack.sandbox.service.faults.clear();
	let retries = 0;
	for (; !['success', 'waiting'].includes(execution.status) && retries < MOST_RETRIES; retries += 1)
		execution = await retried(stack, execution);
	const { subject } = await mailed(stack, TOLD);
	if (subject.startsWith(STOPPED)) {
		await retryPayOnce(stack);
		await approveAgain(stack, rows);
	}
	await mailed(stack, RESULTS);
	const [told] = stack.mailbox.mails.filter(({ subject }) => RESULTS.test(subject)).slice(-1);
	const found = await compare(stack, rows, told!);

	await ageKeys(stack);
	await decideAll(stack, rows);
	if (rows.some(({ amount }) => !timesPaid(stack).has(amount))) {
		await approveAgain(stack, rows);
	}
	const times = rows.map(({ amount }) => timesPaid(stack).get(amount) ?? 0);
	const paid = times.filter((each) => each > 0).length;
	const [paidTwice, unaccounted] = [times.filter((each) => each > 1).length, size - paid];
	return judged(
		{
			what: fault.what,
			asked: size,
			paid,
			paidTwice,
			unaccounted,
			more: `${found.line}; retries: ${retries}`,
		},
		{
			contradictions: found.contradictions.length,
			'paid twice': paidTwice,
			'not paid in the end': unaccounted,
		},
	);
}

/** Hands the same list in again, and says yes. */
async function approveAgain(stack: Stack, rows: Payment[]): Promise<void> {
	await ask(stack, rows);
	const last = numberOfNewest(stack);
	const question = await mailed(stack, /^(Approve|Nothing is left to pay)/);
	if (question.link === '') return;
	await answer(question, YES);
	await rested(stack, last);
}

/** Hands the rows over, without any mail of before. */
async function ask(stack: Stack, rows: Payment[]): Promise<void> {
	stack.mailbox.mails.splice(0);
	await handOver(
		stack,
		rows.map(({ key, amount }) => askedRow(amount, { paymentKey: key, again: false })),
	);
}

const paidOf = (stack: Stack, rows: Payment[]) =>
	payoutsMade(stack).filter(({ amount }) => rows.some((row) => row.amount === amount));

/** The mail that asks what happened, and the rows that its page names. */
async function askedAbout(stack: Stack) {
	const question = questionsIn(stack).find(({ subject }) => ASKS.test(subject));
	if (question === undefined) return { keys: [] as string[] };
	await untilAsked(question.link);
	const { page } = await browse(question.link);
	const keys = [...page.matchAll(/<li>[^<]*Payment Key (LIST-\d+-\d+)/g)].map(([, key]) => key!);
	return { question, keys: [...new Set(keys)] };
}

/** The results by their keys, as the file of the mail has them. */
function resultsIn({ attachments = [] }: Mail): Map<string, string> {
	const [names = [], ...lines] = String(attachments[0]?.content)
		.replace('\uFEFF', '')
		.trim()
		.split('\r\n')
		.map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/));
	const [key, result] = ['paymentKey', 'result'].map((name) => names.indexOf(name));
	return new Map(lines.map((cells) => [cells[key!]!, cells[result!]!]));
}

const isPaid = (result: unknown) => result === 'paid' || result === 'alreadyPaid';

async function compare(stack: Stack, rows: Payment[], mail: Mail) {
	const said = resultsIn(mail);
	const { keys } = await askedAbout(stack);
	const byKey = Map.groupBy(await paymentRows(stack), ({ paymentKey }) => paymentKey);
	/** A key has a row for each execution. */
	const inBook = (key: string) => (byKey.get(key) ?? []).map(({ result }) => result);
	const made = timesPaid(stack);
	const contradictions = rows.flatMap(({ key, amount }) => {
		const [result, book, times] = [said.get(key), inBook(key), made.get(amount) ?? 0];
		const isUnknown = result === 'unknown';
		const wrong: Record<string, boolean> = {
			'is not in the mail': result === undefined,
			'is paid in the mail only': isPaid(result) && (times !== 1 || !book.some(isPaid)),
			'was paid, and the mail says that it was not': !isPaid(result) && !isUnknown && times > 0,
			'is not known, and nobody is asked': isUnknown && !keys.includes(key),
			'is not known, and the book does not say so': isUnknown && !book.includes('unknown'),
			'is known, and somebody is asked': !isUnknown && keys.includes(key),
		};
		return Object.keys(wrong).flatMap((each) => (wrong[each] ? [`${key} ${each}`] : []));
	});
	const count = (matches: (result: string) => boolean) => [...said.values()].filter(matches).length;
	const unknown = count((result) => result === 'unknown');
	if (mail.subject.includes('NOT KNOWN') !== unknown > 0) contradictions.push(mail.subject);
	for (const each of contradictions) process.stderr.write(`  ${each}\n`);
	const line = [
		`service: ${paidOf(stack, rows).length} paid`,
		`mail: ${count(isPaid)} paid, ${unknown} not known, ${rows.length - count(isPaid) - unknown} not paid`,
		`asked about: ${keys.length}`,
	].join('; ');
	process.stderr.write(`  ${line}\n`);
	return { contradictions, line };
}

/** A person looks at the service, and names each payment of the page in one of the two fields. */
async function decideAll(stack: Stack, rows: Payment[]): Promise<void> {
	const { question, keys } = await askedAbout(stack);
	if (question === undefined) return;
	const times = timesPaid(stack);
	const wasPaid = (key: string) => times.has(rows.find((row) => row.key === key)!.amount);
	const last = numberOfNewest(stack);
	await decide(question, {
		wasPaid: keys.filter((key) => wasPaid(key)),
		wasNotPaid: keys.filter((key) => !wasPaid(key)),
	});
	await rested(stack, last);
}
