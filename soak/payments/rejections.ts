/**
 * Two workers at once: some executions pay new keys of which the service rejects every third, others run paid keys again, and the
 * record is small or large, so that writes are fast or slow. In the end all destinations are approved, and each key is paid once more.
 */
import type { Queue } from '../../host/n8n/queue.ts';
import type { Json } from '../../host/n8n/client.ts';
import type { Stack } from '../../host/stack.ts';
import { PAYMENT_KEY } from '../../nodes/WalletService/action/messages.ts';
import type { Payment } from '../../bench/shared/payments/paymentComparison.ts';
import { cycle } from '../../bench/shared/lists.ts';
import { BY_KEY, pay, payInParts, publishPayer } from '../../bench/shared/payments/payer.ts';
import type { PaymentFigures } from '../shared/figures.ts';
import { Book } from './book.ts';

export interface RejectionSize {
	rounds: number;
	batch: number;
	/** Other paid keys in the record. */
	remembered: number;
}

/** Executions of a round that pay new keys, and those that run paid ones again; the workers share them. */
const NEW = 2;
const AGAIN = 2;
/** Paid keys that run again in an execution: the newest, whose writes another worker may still undo. */
const PAID_AGAIN = 40;
/** Every third new payment goes to a destination that is not approved. */
const REJECTED_EVERY = 3;

export async function payAndReject(
	stack: Stack,
	{ rounds, batch, remembered }: RejectionSize,
	queue?: Pick<Queue, 'database'>,
): Promise<PaymentFigures> {
	const { control, n8n } = stack;
	const payer = await publishPayer(stack, `Paid and rejected, ${remembered} remembered`, {
		parameters: { ...BY_KEY, account_alias: '={{ $json.alias }}' },
	});
	const notApproved = `supplier-later-${remembered}`;
	await control('POST', '/settlement_accounts', { alias: notApproved });
	const book = new Book(stack);
	const paid: Payment[] = [];
	const rejected = new Set<Payment>();
	const withAlias = (payments: Payment[]) =>
		payments.map((payment) => ({
			...payment,
			alias: rejected.has(payment) ? notApproved : 'supplier-main',
		}));
	let [neither, notAlreadyPaid, notFree] = [0, 0, 0];
	const payNew = async () => {
		const payments = book.want(batch);
		for (const [index, payment] of payments.entries())
			if (index % REJECTED_EVERY === 0) rejected.add(payment);
		const items = await pay(n8n, payer, withAlias(payments));
		const words = book.hear('new ones', payments, items);
		neither += words.filter((word) => word !== 'paid' && word !== 'rejected').length;
		notFree += items.filter((item) => item.result === 'rejected' && saysNotFree(item)).length;
		paid.push(...payments.filter((payment) => !rejected.has(payment)));
	};
	const payAgain = async (payments: Payment[]) => {
		if (payments.length === 0) return;
		const words = book.hear('paid ones', payments, await pay(n8n, payer, withAlias(payments)));
		notAlreadyPaid += words.filter((word) => word !== 'alreadyPaid').length;
	};

	await payNew();
	if (queue !== undefined && remembered > 0)
		await rememberMore(queue.database, payer.workflow.id, remembered);
	for (let round = 0; round < rounds; round += 1) {
		const newest = paid.slice(-PAID_AGAIN);
		// In another order each, so that they ask for different keys at the same time.
		const turned = (by: number) => newest.map((_, index) => cycle(newest, index + by * batch));
		await Promise.all([
			...Array.from({ length: NEW }, payNew),
			...Array.from({ length: AGAIN }, async (_, by) => await payAgain(turned(by))),
		]);
	}

	await control('POST', '/reviews', { alias: notApproved, decision: 'Whitelisted' });
	book.hear('in the end', book.payments, await payInParts(n8n, payer, withAlias(book.payments)));
	const notSaying = (payments: Iterable<Payment>, word: string) =>
		[...payments].filter((payment) => book.words.get(payment) !== word).length;
	return book.figures(
		`two workers, ${rounds} rounds of new keys, rejections and re-runs, ${remembered} more keys remembered`,
		{
			'paid keys that did not say alreadyPaid': notAlreadyPaid,
			'paid keys that do not say it in the end': notSaying(paid, 'alreadyPaid'),
			'rejected keys that stay blocked': notSaying(rejected, 'paid'),
			'new keys neither paid nor rejected': neither,
		},
		[`rejected ones that say they are not free: ${notFree}`],
	);
}

function saysNotFree(item: Json): boolean {
	const { description = '' } = (item.error ?? {}) as { description?: string };
	return description.includes(PAYMENT_KEY.isNotFree);
}

/** Puts paid keys of others before those of the record, so that each write takes longer. A paid key has two entries. */
async function rememberMore(database: Queue['database'], workflowId: string, keys: number): Promise<void> {
	const others = `SELECT jsonb_agg(encode(decode(md5(random()::text), 'hex'), 'base64')) FROM generate_series(1, ${2 * keys})`;
	await database.execute(
		`UPDATE processed_data SET value = jsonb_build_object('mode', 'entries', 'data', (${others}) || (value::jsonb->'data'))
		WHERE "workflowId" = '${workflowId}' AND context = ''`,
	);
}
