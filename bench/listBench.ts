/** What a list of payments takes through *Pay List* and the example *pay once*, beside n8n's own loop with its HTTP Request node. */
import { loadavg } from 'node:os';
import { CREDENTIAL_TYPE, startPlain, startTemporaryStack, type Stack } from '../host/stack.ts';
import { bookRows } from '../host/testkit/book.ts';
import {
	makePayments,
	payOnceNode,
	payoutsMade,
	PLENTY,
	publishPayer,
	receivePayments,
	ROUTE,
	startPaying,
	type Payer,
	type Payment,
} from '../host/testkit/payments.ts';
import { withStack } from '../host/testkit/stacks.ts';
import type { WorkflowNode } from '../host/n8n/client.ts';
import { calls, connect, credentialsOf, node } from '../host/testkit/workflows.ts';
import { allSucceeded, newestExecution } from './executions.ts';
import { processorTime } from './processorTime.ts';
import { atMost, type Bench, type Options, type Report } from './results.ts';
import { median, measureRounds } from './statistics.ts';

interface List {
	length: number;
	/** Milliseconds that the service takes to answer. */
	answerMs: number;
	rounds: number;
}

const CURRENCY = 'NGN';
const DESTINATION = 'supplier-main';

const SLOW_MS = 200;
const FULL: List[] = [
	{ length: 100, answerMs: 0, rounds: 3 },
	{ length: 500, answerMs: 0, rounds: 3 },
	{ length: 2000, answerMs: 0, rounds: 1 },
	{ length: 100, answerMs: SLOW_MS, rounds: 3 },
];
const SHORT: List[] = [
	{ length: 5, answerMs: 0, rounds: 1 },
	{ length: 20, answerMs: 0, rounds: 1 },
	{ length: 5, answerMs: SLOW_MS, rounds: 1 },
];

const PAY_LIST = 'Pay List';
const PAY_ONCE = 'pay once';
const LOOP = 'Loop Over Items';
const OTHER = 'HTTP Request';
const OURS = [PAY_LIST, PAY_ONCE] as const;
const CONTENDERS = [...OURS, OTHER] as const;
type Name = (typeof CONTENDERS)[number];

/** The largest acceptable time of a row in the longest list, to that in the shortest. */
const FLAT = 1.25;
/** The largest acceptable time, to that of the loop, with a service that answers at once, and a slow one. */
const MOST = { [PAY_LIST]: 2, [PAY_ONCE]: 2.5 };
const MOST_SLOW = 1.1;

export const listBench: Bench = {
	title: 'A list of payments',
	how: `New fiat payouts in one execution of one n8n (SQLite): through ${PAY_LIST} with keys, limits, Duplicate Check and Maximum Payments
per Day, through the example [pay once](../examples/pay-once.json), which writes the book too, or by n8n's ${LOOP} and an ${OTHER} node
that our credential signs. After each list, the payouts at the service must be its rows, each once, and the book must have them before and after.
Medians of ${FULL[0]!.rounds} rounds, one of 2,000. A payment writes to the database several times, and the loop never does, so a slow or busy disk slows only the first two:
processor time is what n8n itself works.`,
	run: async (report: Report, { short }: Options) =>
		await withStack(
			() => startTemporaryStack({ start: startPlain, examples: ['pay-once'] }),
			async (stack) => await measure(stack, report, short ? SHORT : FULL),
		),
};

interface Cost {
	seconds: number;
	/** Milliseconds of n8n's processor time for a row. NaN if the system does not tell. */
	processor: number;
	/** Processes of the machine that wanted to run in the last minute. */
	load: number;
}

/** Throws if a payment is not made once. */
async function measure(stack: Stack, report: Report, lists: List[]): Promise<void> {
	const payers: Record<Name, Payer> = {
		[PAY_LIST]: await publishPayer(stack, `Calls ${PAY_LIST}`, {
			payer: payListNode(stack),
			answers: 'at once',
		}),
		[PAY_ONCE]: await publishPayer(stack, `Calls ${PAY_ONCE}`, {
			payer: node('Call', 'executeWorkflow', { ...calls(stack.example('pay-once')), options: {} }),
			answers: 'at once',
		}),
		[OTHER]: await publishLoop(stack),
	};
	const costOf = (list: List) => async (name: Name) => await payList(stack, payers[name], list);
	// The first execution of each workflow runs code that is not compiled yet.
	await measureRounds(CONTENDERS, 1, costOf({ length: 5, answerMs: 0, rounds: 1 }));
	report.table('Payments of one list', lists.map(nameOf));
	const measured: Array<Array<Record<Name, Cost>>> = [];
	for (const list of lists) measured.push(await measureRounds(CONTENDERS, list.rounds, costOf(list)));
	const medians = (figure: (round: Record<Name, Cost>) => number) =>
		measured.map((rounds) => median(rounds.map(figure)));
	for (const name of CONTENDERS)
		report.row(
			`s, ${name}`,
			medians((round) => round[name].seconds),
			1,
		);
	const ratiosOf = (name: Name) => medians((round) => round[name].seconds / round[OTHER].seconds);
	for (const name of OURS) {
		const most = lists.map(({ answerMs }) => (answerMs === 0 ? MOST[name] : MOST_SLOW));
		report.row(`${name} to ${OTHER}`, ratiosOf(name), 2, {
			words: `<= ${MOST[name]}, ${MOST_SLOW} if slow`,
			isMet: (ratio, list) => ratio <= most[list]!,
		});
	}
	for (const name of CONTENDERS)
		report.row(
			`ms of processor time for a row, ${name}`,
			medians((round) => round[name].processor),
			1,
		);
	report.row(
		'load of the machine, at most',
		medians((round) => Math.max(...CONTENDERS.map((name) => round[name].load))),
		1,
	);
	/** Of lists of which each row is to cost the same. */
	const growthOf = (perRow: number[]) =>
		lists.map(({ answerMs }, index) => (index === 0 || answerMs > 0 ? NaN : perRow[index]! / perRow[0]!));
	for (const name of OURS) {
		const seconds = medians((round) => round[name].seconds).map((each, list) => each / lists[list]!.length);
		const first = lists[0]!.length;
		report.row(`s of a row of ${name}, to one of ${first}`, growthOf(seconds), 2, atMost(FLAT));
		const processor = medians((round) => round[name].processor);
		report.row(`its processor time, to one of ${first}`, growthOf(processor), 2, atMost(FLAT));
	}
	const long = lists.findLastIndex(({ answerMs }) => answerMs === 0);
	const inWords = (name: Name) =>
		`${medians((round) => round[name].seconds)[long]!.toFixed(0)} s, ${ratiosOf(name)[long]!.toFixed(1)} times as long as ${LOOP} with ${OTHER}; ` +
		`with a service that answers after ${SLOW_MS} ms, ${ratiosOf(name).at(-1)!.toFixed(1)} times`;
	report.means(
		`${nameOf(lists[long]!)} payments through *${PAY_LIST}* take ${inWords(PAY_LIST)}. Each is paid once, within limits. ` +
			`Through *Part: ${PAY_ONCE}*, which has each of them in the book before and after, ${inWords(PAY_ONCE)}.`,
	);
}

/** With all that bounds a list. */
function payListNode(stack: Stack): WorkflowNode {
	const limit = [
		{ code: CURRENCY, maximumAmount: PLENTY, maximumTotal: PLENTY, allowedAliases: DESTINATION },
	];
	const options = { duplicateCheck: '7', maximumPerDay: '100000' };
	return payOnceNode(stack, {
		parameters: { resource: 'payoutList', operation: 'pay', limits: { limit }, options },
	});
}

/** A payment as *Read* gives it, with a yes; the loop reads its amount. */
const rowOf = ({ key, amount }: Payment) => ({
	paymentKey: key,
	amount,
	currency: CURRENCY,
	destination: DESTINATION,
	approvedBy: 'Ada Obi',
	problems: [],
});

const nameOf = ({ length, answerMs }: List) =>
	`${length.toLocaleString('en')}${answerMs === 0 ? '' : `, answers after ${answerMs} ms`}`;

/** What a user would build without this package's node: the same requests, one after the other. */
async function publishLoop(stack: Stack): Promise<Payer> {
	const { path, nodes } = receivePayments('at once');
	const request = node(
		OTHER,
		'httpRequest',
		{
			method: 'POST',
			url: `${stack.sandbox.url}/v1/fiat_payout`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: `={"currency":"${CURRENCY}","amount":{{ $json.amount }},"account_alias":"${DESTINATION}"}`,
			options: {},
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL_TYPE,
		},
		{ credentials: credentialsOf(stack) },
	);
	const workflow = await stack.client.saveWorkflow({
		name: `${LOOP} and ${OTHER}`,
		nodes: [...nodes, node(LOOP, 'splitInBatches', { options: {} }), request],
		connections: connect(`Webhook -> One item each -> ${LOOP}`, `${LOOP}:1 -> ${OTHER} -> ${LOOP}`),
	});
	await stack.client.publish(workflow);
	return { workflow, path };
}

/** Pays a list of new payments in one execution. */
async function payList(stack: Stack, payer: Payer, { length, answerMs }: List): Promise<Cost> {
	const payments = makePayments(length);
	if (answerMs > 0)
		await stack.control('POST', '/faults', { route: ROUTE, times: length, delayMs: answerMs });
	const [newest, paidBefore] = [newestExecution(stack), payoutsMade(stack).length];
	const processorBefore = processorTime(stack.n8n);
	await startPaying(stack.n8n, payer, payments.map(rowOf));
	const [seconds] = await allSucceeded(stack, payer.workflow.id, newest, 1);
	const processor = (processorTime(stack.n8n) - processorBefore) / length;
	const made = payoutsMade(stack).slice(paidBefore);
	requireSame(
		`${payer.workflow.name}: the payouts at the service`,
		made.map(({ amount, code, destination }) => `${amount} ${code} to ${destination}`),
		payments.map(({ amount }) => `${amount} ${CURRENCY} to ${DESTINATION}`),
	);
	if (payer.workflow.name.endsWith(PAY_ONCE)) requireBooked(stack, payments, made);
	return { seconds: seconds!, processor, load: loadavg()[0]! };
}

/** Each payment has its row before it was sent, and its row with the identifier of the service. */
function requireBooked(stack: Stack, payments: Payment[], made: ReturnType<typeof payoutsMade>): void {
	const keys = new Set(payments.map(({ key }) => key));
	requireSame(
		'The rows of the book',
		bookRows(stack)
			.filter(({ key = '' }) => keys.has(key))
			.map(({ key, amount, result, reference }) => [key, amount, result, reference].join(' ')),
		payments.flatMap(({ key, amount }, index) => [
			`${key} -${amount} under way `,
			`${key} -${amount} paid ${made[index]!.payout_id}`,
		]),
	);
}

/** Throws unless both have the same texts, in any order. */
function requireSame(what: string, are: string[], wanted: string[]): void {
	const [one, other] = [are.toSorted(), wanted.toSorted()];
	const index = one.length > other.length ? other.length : other.findIndex((text, at) => text !== one[at]);
	if (index >= 0)
		throw new Error(`${what}: ${one[index] ?? 'nothing'} in place of ${other[index] ?? 'nothing'}`);
}
