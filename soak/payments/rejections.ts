/**
 * Executions at once: some pay new keys of which the service rejects every third, others run paid keys again. In the end all
 * destinations are approved, and each key is paid once more.
 */
import type { Queue } from '../../host/n8n/queue.ts';
import type { Stack } from '../../host/stack.ts';
import type { Payment } from '../../bench/shared/payments/paymentComparison.ts';
import { cycle } from '../../bench/shared/lists.ts';
import { BY_KEY, pay, payInParts, publishPayer } from '../../bench/shared/payments/payer.ts';
import type { PaymentFigures } from '../shared/figures.ts';
import { Book } from './book.ts';

export interface RejectionSize {
	rounds: number;
	batch: number;
}

/** Executions of a round that pay new keys, and those that run paid ones again. */
const NEW = 2;
const AGAIN = 2;
/** Paid keys that run again in an execution: the newest. */
const PAID_AGAIN = 40;
/** Every third new payment goes to a destination that is not approved. */
const REJECTED_EVERY = 3;
const NOT_APPROVED = 'supplier-later';

export async function payAndReject(
	stack: Stack,
	{ rounds, batch }: RejectionSize,
	queue?: Pick<Queue, 'workers'>,
): Promise<PaymentFigures> {
	const { control, n8n } = stack;
	const payer = await publishPayer(stack, 'Paid and rejected', {
		parameters: { ...BY_KEY, account_alias: '={{ $json.alias }}' },
	});
	await control('POST', '/settlement_accounts', { alias: NOT_APPROVED });
	const book = new Book(stack);
	const paid: Payment[] = [];
	const rejected = new Set<Payment>();
	const withAlias = (payments: Payment[]) =>
		payments.map((payment) => ({
			...payment,
			alias: rejected.has(payment) ? NOT_APPROVED : 'supplier-main',
		}));
	let [wrongNew, notAlreadyPaid] = [0, 0];
	const payNew = async () => {
		const payments = book.want(batch);
		for (const [index, payment] of payments.entries())
			if (index % REJECTED_EVERY === 0) rejected.add(payment);
		const words = book.hear('new ones', payments, await pay(n8n, payer, withAlias(payments)));
		wrongNew += payments.filter(
			(payment, index) => words[index] !== (rejected.has(payment) ? 'rejected' : 'paid'),
		).length;
		paid.push(...payments.filter((payment) => !rejected.has(payment)));
	};
	const payAgain = async (payments: Payment[]) => {
		const words = book.hear('paid ones', payments, await pay(n8n, payer, withAlias(payments)));
		notAlreadyPaid += words.filter((word) => word !== 'alreadyPaid').length;
	};

	await payNew();
	for (let round = 0; round < rounds; round += 1) {
		const newest = paid.slice(-PAID_AGAIN);
		// In another order each, so that they ask for different keys at the same time.
		const turned = (by: number) => newest.map((_, index) => cycle(newest, index + by * batch));
		await Promise.all([
			...Array.from({ length: NEW }, payNew),
			...Array.from({ length: AGAIN }, async (_, by) => await payAgain(turned(by))),
		]);
	}

	await control('POST', '/reviews', { alias: NOT_APPROVED, decision: 'Whitelisted' });
	book.hear('in the end', book.payments, await payInParts(n8n, payer, withAlias(book.payments)));
	const notSaying = (payments: Iterable<Payment>, word: string) =>
		[...payments].filter((payment) => book.words.get(payment) !== word).length;
	const where = queue === undefined ? 'in one process' : `on ${queue.workers.length} workers`;
	return book.figures(`${rounds} rounds of new keys, rejections and re-runs, ${where}`, {
		'new keys that are neither paid nor rejected as they should': wrongNew,
		'paid keys that did not say alreadyPaid': notAlreadyPaid,
		'paid keys that do not say it in the end': notSaying(paid, 'alreadyPaid'),
		'rejected keys that stay blocked': notSaying(rejected, 'paid'),
	});
}
