/** What a list of payments takes through *Pay List* and the example *pay once*, beside n8n's own loop with its HTTP Request node. */
import { CREDENTIAL_TYPE, startPlain, startTemporaryStack, type Stack } from '../host/stack.ts';
import { publishBookPayer } from '../host/testkit/book.ts';
import {
	makePayments,
	payOnceNode,
	PLENTY,
	publishPayer,
	receivePayments,
	ROUTE,
	startPaying,
	timesPaid,
	type Payer,
	type Payment,
} from '../host/testkit/payments.ts';
import { withStack } from '../host/testkit/stacks.ts';
import type { WorkflowNode } from '../host/n8n/client.ts';
import { connect, credentialsOf, node } from '../host/testkit/workflows.ts';
import { allSucceeded, newestExecution } from './executions.ts';
import { atMost, type Bench, type Options, type Report } from './results.ts';
import { median, measureRounds } from './statistics.ts';

interface List {
	length: number;
	/** Milliseconds that the service takes to answer. */
	answerMs: number;
	rounds: number;
}

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
const CONTENDERS = [PAY_LIST, PAY_ONCE, OTHER] as const;
type Name = (typeof CONTENDERS)[number];

/** The largest acceptable time of a row in the longest list, to that in the shortest. */
const FLAT = 1.25;
/** The largest acceptable time of Pay List to that of the loop, with a service that answers at once, and a slow one. */
const MOST = 2;
const MOST_SLOW = 1.1;

export const listBench: Bench = {
	title: 'A list of payments',
	how: `New fiat payouts in one execution of one n8n (SQLite): through ${PAY_LIST} with keys, limits, Duplicate Check and Maximum Payments
per Day, through the example [pay once](../examples/pay-once.json), which writes the book too, or by n8n's ${LOOP} and an ${OTHER} node
that our credential signs. Medians of ${FULL[0]!.rounds} rounds, one of 2,000.`,
	run: async (report: Report, { short }: Options) =>
		await withStack(
			() => startTemporaryStack({ start: startPlain, examples: ['pay-once'] }),
			async (stack) => await measure(stack, report, short ? SHORT : FULL),
		),
};

/** Throws if a payment is not made once. */
async function measure(stack: Stack, report: Report, lists: List[]): Promise<void> {
	const payers: Record<Name, Payer> = {
		[PAY_LIST]: await publishPayer(stack, `Calls ${PAY_LIST}`, {
			payer: payListNode(stack),
			answers: 'at once',
		}),
		[PAY_ONCE]: await publishBookPayer(stack, `Calls ${PAY_ONCE}`, { answers: 'at once' }),
		[OTHER]: await publishLoop(stack),
	};
	const secondsOf = (list: List) => async (name: Name) => await payList(stack, payers[name], list);
	// The first execution of each workflow runs code that is not compiled yet.
	await measureRounds(CONTENDERS, 1, secondsOf({ length: 5, answerMs: 0, rounds: 1 }));
	report.table('Payments of one list', lists.map(nameOf));
	const measured: Array<Array<Record<Name, number>>> = [];
	for (const list of lists) measured.push(await measureRounds(CONTENDERS, list.rounds, secondsOf(list)));
	const medians = (figure: (round: Record<Name, number>, list: List) => number) =>
		measured.map((rounds, index) => median(rounds.map((round) => figure(round, lists[index]!))));
	for (const name of CONTENDERS)
		report.row(
			`s, ${name}`,
			medians((round) => round[name]),
			1,
		);
	const ratiosOf = (name: Name) => medians((round) => round[name] / round[OTHER]);
	const most = lists.map(({ answerMs }) => (answerMs === 0 ? MOST : MOST_SLOW));
	const target = {
		words: `<= ${MOST}, ${MOST_SLOW} if slow`,
		isMet: (ratio: number, list: number) => ratio <= most[list]!,
	};
	report.row(`${PAY_LIST} to ${OTHER}`, ratiosOf(PAY_LIST), 2, target);
	report.row(`${PAY_ONCE} to ${OTHER}`, ratiosOf(PAY_ONCE), 2);
	for (const name of [PAY_LIST, PAY_ONCE] as const) {
		const perRow = medians((round, { length }) => round[name] / length);
		const growth = lists.map(({ answerMs }, index) =>
			index === 0 || answerMs > 0 ? NaN : perRow[index]! / perRow[0]!,
		);
		report.row(`a row of ${name}, to one of ${lists[0]!.length}`, growth, 2, atMost(FLAT));
	}
	const long = lists.findLastIndex(({ answerMs }) => answerMs === 0);
	const inWords = (name: Name) =>
		`${measured[long]![0]![name].toFixed(0)} s, ${ratiosOf(name)[long]!.toFixed(1)} times as long as ${LOOP} with ${OTHER}; ` +
		`with a service that answers after ${SLOW_MS} ms, ${ratiosOf(name).at(-1)!.toFixed(1)} times`;
	report.means(
		`${nameOf(lists[long]!)} payments through *${PAY_LIST}* take ${inWords(PAY_LIST)}. Each is paid once, within limits. ` +
			`Through *Part: ${PAY_ONCE}*, which has each of them in the book before and after, ${inWords(PAY_ONCE)}.`,
	);
}

/** All that bounds a list, but for a yes: the bench counts at the service what was paid. */
function payListNode(stack: Stack): WorkflowNode {
	const limit = [
		{ code: 'NGN', maximumAmount: PLENTY, maximumTotal: PLENTY, allowedAliases: 'supplier-main' },
	];
	const options = { needsApproval: false, duplicateCheck: '7', maximumPerDay: '100000' };
	return payOnceNode(stack, {
		parameters: { resource: 'payoutList', operation: 'pay', limits: { limit }, options },
	});
}

/** A payment as *Read* gives it; the loop and *pay once* read its key and amount. */
const rowOf = ({ key, amount }: Payment) => ({
	...{ key, paymentKey: key, amount, currency: 'NGN', destination: 'supplier-main', problems: [] },
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
			jsonBody: '={"currency":"NGN","amount":{{ $json.amount }},"account_alias":"supplier-main"}',
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

/** Pays a list of new payments. Returns the seconds of the execution. */
async function payList(stack: Stack, payer: Payer, { length, answerMs }: List): Promise<number> {
	const payments = makePayments(length);
	if (answerMs > 0)
		await stack.control('POST', '/faults', { route: ROUTE, times: length, delayMs: answerMs });
	const newest = newestExecution(stack);
	await startPaying(stack.n8n, payer, payments.map(rowOf));
	const [seconds] = await allSucceeded(stack, payer.workflow.id, newest, 1);
	const times = timesPaid(stack);
	const wrong = payments.find(({ amount }) => times.get(amount) !== 1);
	if (wrong !== undefined) throw new Error(`${payer.workflow.name} has not paid ${wrong.key} once`);
	return seconds!;
}
