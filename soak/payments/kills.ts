/**
 * n8n, or a worker, is killed with SIGKILL at random instants while lists are paid, and started again. The same workflows pay the
 * same lists once more. A person then decides about what is unknown by what the service really did, until all is paid.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import type { Json } from '../../host/n8n/client.ts';
import { restartN8n } from '../../host/n8n/process.ts';
import type { Queue } from '../../host/n8n/queue.ts';
import type { Stack } from '../../host/stack.ts';
import { BY_KEY, pay, publishPayer, ROUTE, type Payer, type Payment } from '../../host/testkit/payments.ts';
import { publishBookPayer } from '../../host/testkit/book.ts';
import type { PaymentFigures } from '../shared/figures.ts';
import { randomNumbers } from '../../host/testkit/random.ts';
import { Book } from './book.ts';

interface KillSize {
	kills: number;
	/** Each kill hits as many lists as there are workflows that pay. */
	workflows: number;
	batch: number;
	/** Whether the example *pay once* pays, instead of the node alone. */
	byExample?: boolean;
}

interface List {
	payer: Payer;
	payments: Payment[];
}

/** The service pays, and answers after these times. */
const ANSWERS_MS = [400, 60, 0];
/** A payment takes about this long beside the answer. A kill can happen at any moment of it. */
const CLAIM_MS = 20;
/** A kill comes within this part of the payments. Lists do not end together, so a later kill would miss most of them. */
const SPREAD = 0.8;
/** Every third list is killed a second time, while it is paid again. */
const KILLED_TWICE = 3;
/** Keys of a list that one kill may leave unknown: the payment that is under way. */
const UNKNOWN_PER_KILL = 1;

const DECIDED_BY_ITEM: Json = {
	...BY_KEY,
	options: { ifOutcomeIsUnknown: "={{ $json.decision ?? 'doNotPay' }}" },
};

/** `queue`: its workers are killed. Otherwise n8n is; the sandbox of the stack goes on. */
export async function payAndKill(
	stack: Stack,
	{ kills, workflows, batch, byExample = false }: KillSize,
	queue?: Queue,
): Promise<PaymentFigures> {
	const random = randomNumbers();
	const publish = async (name: string) =>
		byExample
			? await publishBookPayer(stack, name)
			: await publishPayer(stack, name, { parameters: DECIDED_BY_ITEM });
	const payers: Payer[] = [];
	while (payers.length < workflows) payers.push(await publish(`Killed ${payers.length + 1}`));
	const book = new Book(stack);
	let [killed, halfway, unpaidSaidPaid, tooManyUnknown, notAlreadyPaid] = [0, 0, 0, 0, 0];
	const kill = async () => {
		if (queue === undefined) return await stack.restart('kill', ...payers.map(({ workflow }) => workflow));
		const index = Math.floor(random() * queue.workers.length);
		queue.workers[index] = await restartN8n(queue.workers[index]!);
	};
	while (killed < kills) {
		const lists = payers.map((payer) => ({ payer, payments: book.want(batch) }));
		const times = killed % KILLED_TWICE === KILLED_TWICE - 1 && killed + 2 <= kills ? 2 : 1;
		for (let left = times; left > 0; left -= 1) {
			const answerMs = ANSWERS_MS[killed % ANSWERS_MS.length]!;
			await killWhilePaying(stack, book, lists, answerMs, random, kill);
			halfway += lists.filter(({ payments }) => book.countPaid(payments) < batch).length;
			killed += 1;
		}
		for (const { payer, payments } of lists) {
			const words = book.hear('after the kill', payments, await pay(stack.n8n, payer, payments));
			// Asked afterwards: n8n begins at its start what it had stored, so another run may pay the list.
			unpaidSaidPaid += payments.filter(
				(payment, index) => words[index] === 'alreadyPaid' && !book.isPaid(payment),
			).length;
			const unknown = words.filter((word) => word === 'unknown').length;
			if (unknown > UNKNOWN_PER_KILL * times) tooManyUnknown += 1;
			if (unknown > 0) {
				await ageKeys(stack, queue);
				await decide(stack, book, { payer, payments });
			}
			const last = book.hear('once more', payments, await pay(stack.n8n, payer, payments));
			notAlreadyPaid += last.filter((word) => word !== 'alreadyPaid').length;
		}
		process.stderr.write(`${killed} of ${kills} kills\n`);
	}
	const what = queue === undefined ? 'SIGKILLs' : `SIGKILLs of one of ${queue.workers.length} workers`;
	return book.figures(
		`${kills} ${what} while ${workflows} workflows pay ${byExample ? 'by pay once' : 'by key'}`,
		{
			'not paid and said alreadyPaid': unpaidSaidPaid,
			[`lists of which a kill left more than ${UNKNOWN_PER_KILL} key unknown`]: tooManyUnknown,
			'not paid in the end': book.payments.length - book.countPaid(),
			'do not say that they are paid when all is quiet': notAlreadyPaid,
		},
		[`lists killed halfway: ${halfway}`],
	);
}

/**
 * Decides, once, about each payment that a run with Do Not Pay called unknown, by what the service did. The others come with
 * `wasNotPaid`, which must not repeat them.
 */
async function decide({ n8n }: Stack, book: Book, { payer, payments }: List): Promise<void> {
	const decided = payments.map((payment) => ({
		...payment,
		decision: book.words.get(payment) === 'unknown' && book.isPaid(payment) ? 'wasPaid' : 'wasNotPaid',
	}));
	book.hear('decided', payments, await pay(n8n, payer, decided));
}

async function killWhilePaying(
	{ control, n8n, sandbox }: Stack,
	book: Book,
	lists: List[],
	answerMs: number,
	random: () => number,
	kill: () => Promise<void>,
): Promise<void> {
	const all = lists.flatMap(({ payments }) => payments);
	await control('POST', '/faults', { route: ROUTE, times: all.length, delayMs: answerMs });
	const running = Promise.allSettled(lists.map(({ payer, payments }) => pay(n8n, payer, payments)));
	await Promise.race([running, randomInstant(book, all, answerMs + CLAIM_MS, random)]);
	await kill();
	await running;
	sandbox.service.faults.clear();
}

/** Waits until as many payments are made as chance says, at least one more, and then for an instant within the next one. */
async function randomInstant(
	book: Book,
	payments: Payment[],
	paymentMs: number,
	random: () => number,
): Promise<void> {
	const before = book.countPaid(payments);
	const wanted = before + 1 + Math.floor(random() * (payments.length - before - 1) * SPREAD);
	const within = random() * paymentMs;
	// What an earlier kill left unknown is not paid, so the number may not be reached before the lists end.
	for (let left = 6000; left > 0 && book.countPaid(payments) < wanted; left -= 1) await sleep(10);
	await sleep(within);
}
