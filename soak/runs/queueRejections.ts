/**
 * Two workers at once: some executions pay new keys of which the service rejects every third, others run paid keys again, and the
 * record is small or large, so that writes are fast or slow. Wrong outcomes are counted by what the service did.
 */
import type { Queue } from '../../host/n8n/queue.ts';
import type { Json } from '../../host/n8n/client.ts';
import type { Stack } from '../../host/stack.ts';
import { PAYMENT_KEY } from '../../nodes/WalletService/action/messages.ts';
import { makePayments, wordOf } from '../../bench/shared/payments/paymentComparison.ts';
import type { Payment } from '../../bench/shared/payments/paymentComparison.ts';
import { figuresOf, judged } from '../shared/paymentLines.ts';
import type { PaymentFigures } from '../shared/paymentLines.ts';
import { BY_KEY, pay, payInParts, publishPayer } from '../../bench/shared/payments/payer.ts';
import { withQueue } from '../payments/stacks.ts';
import { cycle, tally } from '../../bench/shared/lists.ts';

/** `remembered`: other paid keys in the record, by series. */
const FULL = { rounds: 12, batch: 15, remembered: [0, 10_000] };
export const SHORT = { rounds: 2, batch: 6, remembered: [1000] };

/** Executions of a round that pay new keys, and those that run paid ones again; the workers share them. */
const NEW = 2;
const AGAIN = 2;
/** Paid keys that run again in an execution: the newest, whose writes another worker may still undo. */
const PAID_AGAIN = 40;
/** Every third new payment goes to a destination that is not approved. */
const REJECTED_EVERY = 3;

interface Sent extends Payment {
	alias: string;
}

export async function run({ short }: { short: boolean }): Promise<PaymentFigures> {
	const { remembered, ...size } = short ? SHORT : FULL;
	return await withQueue(async (stack, queue) => {
		const all: PaymentFigures = { lines: [], misses: [] };
		for (const count of remembered) {
			const { lines, misses } = await payAndReject(stack, queue, { ...size, remembered: count });
			all.lines.push(...lines);
			all.misses.push(...misses);
		}
		return all;
	});
}

/** In the end all destinations are approved, and each key is paid once more. */
export async function payAndReject(
	stack: Stack,
	{ database }: Queue,
	{ rounds, batch, remembered }: { rounds: number; batch: number; remembered: number },
): Promise<PaymentFigures> {
	const payer = await publishPayer(stack, `Paid and rejected, ${remembered} remembered`, {
		parameters: { ...BY_KEY, account_alias: '={{ $json.alias }}' },
	});
	const refusing = `supplier-later-${remembered}`;
	await stack.control('POST', '/settlement_accounts', { alias: refusing });
	const paid: Sent[] = [];
	const rejected: Sent[] = [];
	const words = new Map<Payment, string>();
	const [saidNew, saidAgain]: [string[], string[]] = [[], []];
	let saidNotFree = 0;

	const payNew = async () => {
		const payments = makePayments(batch).map((payment, index) => ({
			...payment,
			alias: index % REJECTED_EVERY === 0 ? refusing : 'supplier-main',
		}));
		const items = await pay(stack.n8n, payer, payments);
		for (const [index, payment] of payments.entries()) {
			const word = wordOf(items[index] ?? {});
			saidNew.push(word);
			(payment.alias === refusing ? rejected : paid).push(payment);
			if (word === 'rejected' && saysNotFree(items[index])) saidNotFree += 1;
		}
	};
	const payAgain = async (payments: Sent[]) => {
		if (payments.length > 0)
			saidAgain.push(...(await pay(stack.n8n, payer, payments)).map((item) => wordOf(item)));
	};

	await payNew();
	if (remembered > 0) await rememberMore(database, payer.workflow.id, remembered);
	for (let round = 0; round < rounds; round += 1) {
		const newest = paid.slice(-PAID_AGAIN);
		await Promise.all([
			...Array.from({ length: NEW }, payNew),
			// In another order each, so that they ask for different keys at the same time.
			...Array.from(
				{ length: AGAIN },
				async (_, index) => await payAgain(newest.map((_each, at) => cycle(newest, at + index * batch))),
			),
		]);
		if (round % 5 === 4) process.stderr.write(`${round + 1} of ${rounds} rounds\n`);
	}

	await stack.control('POST', '/reviews', { alias: refusing, decision: 'Whitelisted' });
	const last = [...paid, ...rejected];
	const items = await payInParts(stack.n8n, payer, last);
	for (const [index, payment] of last.entries()) words.set(payment, wordOf(items[index] ?? {}));
	const saying = (payments: Sent[], word: string) =>
		payments.filter((payment) => words.get(payment) === word).length;
	const wrong = {
		'paid keys that did not say alreadyPaid': saidAgain.filter((word) => word !== 'alreadyPaid').length,
		'paid keys that do not say it in the end': paid.length - saying(paid, 'alreadyPaid'),
		'rejected keys that stay blocked': rejected.length - saying(rejected, 'paid'),
		'new keys neither paid nor rejected': saidNew.filter((word) => !['paid', 'rejected'].includes(word))
			.length,
	};
	const line = {
		what: `two workers, ${rounds} rounds of new keys, rejections and re-runs, ${remembered} more keys remembered`,
		...figuresOf(stack, last, words),
		more: [
			...Object.entries(wrong).map(([name, count]) => `${name}: ${count}`),
			`rejected ones that say they are not free: ${saidNotFree}`,
			`new ones said: ${tally(saidNew)}`,
			`paid ones said: ${tally(saidAgain)}`,
			`in the end: ${tally([...words.values()])}`,
		].join('; '),
	};
	const { lines, misses } = judged([line]);
	for (const [name, count] of Object.entries(wrong))
		if (count > 0) misses.push(`${line.what}: ${count} ${name}`);
	return { lines, misses };
}

function saysNotFree(item: Json | undefined): boolean {
	const { description = '' } = (item?.error ?? {}) as { description?: string };
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
