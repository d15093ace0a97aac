/**
 * A month in fast time through the real n8n: payments by *pay once*, conversions, deposits, credits and debits, and each day at most
 * one thing that goes wrong with an asset. Each morning's verdict is compared with what was really done, and the book with the ledger.
 */
import { createCryptoPayout } from '../../sandbox/ledger/payouts.ts';
import { add } from '../../api/exact/decimal.ts';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import { dataTable } from '../../host/n8n/dataTable.ts';
import { itemsOf, succeeded, until, type Json, type StoredWorkflow } from '../../host/n8n/client.ts';
import { startTemporaryStack, webhookUrl, type Stack } from '../../host/stack.ts';
import type { Mail } from '../../host/doubles/mailbox.ts';
import { countUnderWay } from '../../host/testkit/database.ts';
import { pay, type Payer } from '../../host/testkit/payments.ts';
import { ageBook, bookRow, bookTable, publishBookPayer } from '../../host/testkit/book.ts';
import { saveCopy, withParameters } from '../../host/testkit/workflows.ts';
import { reportFigures, type Soak } from '../shared/figures.ts';
import { randomNumbers } from '../../host/testkit/random.ts';

/** How often each thing goes wrong in a month, and in a short one. On all other days nothing does. */
const FAULTS = {
	...{ killed: [10, 2], lostPaid: [10, 2], lostNotPaid: [10, 2], lostEvent: [5, 1] },
	...{ intruder: [3, 1], contradiction: [2, 1] },
};
type Fault = keyof typeof FAULTS | 'calm';

const MISTAKES = [
	...['of these, not named by their cause', 'of these, not told by a mail', 'wrong causes'],
	...['false alarms in the morning', 'false alarms by mail', 'wrong words about a payment without an answer'],
];

const ASSETS = ['NGN', 'USDT'] as const;
type Asset = (typeof ASSETS)[number];

/** Of *Prove*. */
type Proof = { asset: Asset; verdict: string; lines: string[]; notes: string[] };

/** What the proof of an asset must say, whatever else it says. */
type Expected = { verdict: string; or?: string; words?: RegExp };

const EXAMPLES = ['pay-once', 'convert-at-rate', 'morning-proof', 'deposit-arrives'];

export const booksMonth: Soak = async ({ short }) => {
	const stack = await startTemporaryStack({ examples: EXAMPLES });
	try {
		await new Month(stack, randomNumbers(), short).live();
	} finally {
		await stack.stop();
	}
};

class Month {
	#payer!: Payer;
	#morning!: StoredWorkflow;
	#keys = 0;
	readonly #figures = {
		...{ days: 0, movements: 0, 'of these, conversions': 0, 'payouts that were rejected': 0 },
		...{ 'things that went wrong': 0, 'of these, not named by their cause': 0, 'wrong causes': 0 },
		...{ 'payouts that nobody made': 0, 'of these, not told by a mail': 0 },
		...{ 'slowest of these mails, in seconds': 0, 'kills of n8n': 0 },
		...{ 'mails about a payout whose row such a kill has lost': 0, 'fees that no event told': 0 },
		...{ 'payments without an answer': 0, 'of these, told truly by the next morning': 0 },
		'wrong words about a payment without an answer': 0,
		...{ 'false alarms in the morning': 0, 'false alarms by mail': 0 },
	};
	/** What a person does on the next day. */
	#tomorrow: Array<() => Promise<void>> = [];
	/** Whether the payments without an answer were made. */
	readonly #wasPaid = new Map<string, boolean>();
	/** Payouts that an execution made when it was killed. */
	readonly #killed = new Set<string>();
	#opening!: string[];

	readonly stack: Stack;
	readonly random: () => number;
	readonly short: boolean;

	constructor(stack: Stack, random: () => number, short: boolean) {
		this.stack = stack;
		this.random = random;
		this.short = short;
	}

	/** What goes wrong on each day with each asset. Only coins tell of a stranger, and a kill needs its next morning. */
	#plan(days: number): Fault[][] {
		const faults = Object.entries(FAULTS).flatMap(([fault, [long, short]]) =>
			Array<Fault>(this.short ? short! : long!).fill(fault as Fault),
		);
		const all = Array.from({ length: 2 * days }, (_, index) => ({
			fault: faults[index] ?? 'calm',
			place: this.random(),
		})).sort((a, b) => a.place - b.place);
		const plan = [0, days].map((from) => all.slice(from, from + days).map(({ fault }) => fault));
		const isFit =
			!plan[0]!.includes('intruder') &&
			plan.every((some) => some.at(-1) !== 'killed' && !/killed,killed/.test(some.join()));
		return isFit ? plan : this.#plan(days);
	}

	async live(): Promise<void> {
		const { stack } = this;
		const { balances } = stack.sandbox.service.ledger;
		this.#opening = ASSETS.map((asset) => balances.get(asset)!.amount);
		this.#payer = await publishBookPayer(stack, 'Pays for a month');
		this.#morning = await saveCopy(stack.client, stack.example('morning-proof'), 'Each morning', {
			Prove: withParameters({ options: { underWayMinutes: 1 } }),
		});
		await stack.control('PUT', '/settings', { settleAfterMs: 1500 });
		for (const asset of ASSETS) await this.#fund(asset, 'credit', '100000000');
		await this.#prove({});
		const [first, second] = this.#plan(this.short ? 8 : 30);
		for (const [day, fault] of first!.entries())
			await this.#day(day + 1, { NGN: fault, USDT: second![day]! });
		// What was left to a person on the last day.
		for (const act of this.#tomorrow.splice(0)) await act();
		await this.#compareWithLedger();
		reportFigures('A month of books', this.#figures, MISTAKES);
	}

	#amount(asset: Asset): string {
		const [most, places] = asset === 'NGN' ? [400_000, 2] : [900, 6];
		return (10 + this.random() * most).toFixed(places);
	}

	#payment(asset: Asset): Json & { key: string; amount: string } {
		const payment = { key: `MONTH-${++this.#keys}`, amount: this.#amount(asset) };
		return asset === 'NGN' ? payment : { ...payment, coin: 'USDT', destination: 'treasury' };
	}

	async #fund(asset: Asset, direction: string, amount = this.#amount(asset)): Promise<void> {
		await this.stack.control('POST', '/admin_funding', { asset, amount, direction });
		this.#figures.movements += 1;
	}

	async #deposit(asset: Asset): Promise<string> {
		const amount = this.#amount(asset);
		const to = asset === 'NGN' ? { alias: 'customer-0042' } : { wallet_alias: 'deposits-usdt', coin: 'USDT' };
		await this.stack.control('POST', '/deposits', { ...to, amount });
		this.#figures.movements += 1;
		return amount;
	}

	async #convert(day: number): Promise<void> {
		const { client, example } = this.stack;
		const amount = (50 + this.random() * 350).toFixed(2);
		const order = { from: 'USDT', to: 'NGN', amount, minimum_rate: '1500' };
		const empty = { decision: '', result: '', received: '', message: '' };
		const orders = dataTable(client, 'wallet_service_orders');
		await orders.fill([{ order_number: `M-${day}`, ...order, ...empty }]);
		succeeded(await client.runByHand(example('convert-at-rate').id, 'Every 15 minutes'));
		this.#figures.movements += 2;
		this.#figures['of these, conversions'] += 2;
	}

	async #pay(...payments: Json[]): Promise<Json[]> {
		this.#figures.movements += payments.length;
		return await pay(this.stack.n8n, this.#payer, payments);
	}

	/** A person writes a row of the book. */
	async #book(row: Json): Promise<void> {
		await bookTable(this.stack).insert([{ ...row, time: new Date().toISOString() }]);
	}

	async #settle(payment: Json, decision: string): Promise<void> {
		await ageKeys(this.stack);
		await pay(this.stack.n8n, this.#payer, [{ ...payment, decision }]);
	}

	async #day(day: number, faults: Record<Asset, Fault>): Promise<void> {
		const { stack, random, short } = this;
		const some = (most: number) => Math.ceil((short ? 0.2 : 1) * most * (0.8 + 0.4 * random()));
		stack.mailbox.mails.splice(0);
		for (const act of this.#tomorrow.splice(0)) await act();
		await this.#quiet();
		const list = (asset: Asset) => Array.from({ length: some(16) }, () => this.#payment(asset));
		await this.#pay(...ASSETS.flatMap(list));
		const bad = { ...this.#payment('NGN'), destination: 'supplier-new' };
		const [refused] = await pay(stack.n8n, this.#payer, [bad]);
		this.#figures['payouts that were rejected'] += Number(refused!.result === 'rejected');
		for (const asset of ASSETS) for (let left = some(13); left > 0; left--) await this.#deposit(asset);
		for (const asset of ASSETS) for (const way of ['credit', 'debit']) await this.#fund(asset, way);
		await this.#convert(day);
		const expected: Partial<Record<Asset, Expected>> = {};
		const alarms: string[] = [];
		for (const asset of ASSETS) expected[asset] = await this.#goWrong(faults[asset], asset, alarms);
		const mails = await this.#quiet();
		for (const { subject, text } of mails) {
			const isAbout = (id: string) => text.includes(id);
			if (!subject.startsWith('ALARM')) continue;
			if (alarms.some(isAbout)) this.#figures['of these, not told by a mail'] -= 1;
			else if ([...this.#killed].some(isAbout))
				this.#figures['mails about a payout whose row such a kill has lost'] += 1;
			else this.#figures['false alarms by mail'] += 1;
		}
		await this.#prove(expected);
		process.stderr.write(`Day ${(this.#figures.days += 1)}\n`);
	}

	async #goWrong(fault: Fault, asset: Asset, alarms: string[]): Promise<Expected> {
		const { stack } = this;
		const isFiat = asset === 'NGN';
		const route = isFiat ? 'POST /v1/fiat_payout' : 'POST /v1/crypto_payout';
		if (fault !== 'calm') {
			this.#figures['things that went wrong'] += 1;
			this.#figures['of these, not named by their cause'] += 1;
		}
		await this.#quiet();
		switch (fault) {
			case 'lostPaid':
			case 'lostNotPaid': {
				const [isPaid, payment] = [fault === 'lostPaid', this.#payment(asset)];
				await stack.control('POST', '/faults', { route, [isPaid ? 'dropAfter' : 'dropBefore']: true });
				await this.#pay(payment);
				this.#wasPaid.set(payment.key, isPaid);
				this.#figures['payments without an answer'] += 1;
				// A person reads the mail, and answers.
				this.#tomorrow.push(async () => {
					await this.#settle(payment, isPaid ? 'wasPaid' : 'wasNotPaid');
					this.#wasPaid.delete(payment.key);
				});
				return isPaid
					? { verdict: 'explained', words: new RegExp(`${payment.key}, .* has no answer, and looks paid`) }
					: { verdict: 'proved', words: new RegExp(`${payment.key}, .* it looks not paid`) };
			}
			case 'lostEvent': {
				await stack.control('PUT', '/webhook', { url: null });
				const amount = await this.#deposit(asset);
				this.#tomorrow.push(() => this.#book({ kind: 'correction', asset, amount }));
				await stack.control('PUT', '/webhook', {
					url: webhookUrl(stack.n8n, stack.example('deposit-arrives')),
				});
				return { verdict: 'NOT EXPLAINED', words: /a deposit or credit whose event did not come/ };
			}
			case 'intruder': {
				const { ledger, store } = stack.sandbox.service;
				const amount = this.#amount(asset);
				const started = Date.now();
				const order = { coin: 'USDT', amount, wallet_alias: 'treasury' };
				const { payout_id } = store.transaction(() => createCryptoPayout(ledger, order));
				this.#figures.movements += 1;
				const ordered = { paymentKey: payout_id, amount, coin: 'USDT', destination: 'treasury' };
				const booked = bookRow({ ...ordered, payoutId: payout_id, result: 'paid' });
				this.#tomorrow.push(() => this.#book(booked));
				this.#figures['payouts that nobody made'] += 1;
				this.#figures['of these, not told by a mail'] += 1;
				alarms.push(payout_id);
				const isTold = (mail: Mail) => mail.subject.startsWith('ALARM') && mail.text.includes(payout_id);
				await until('the alarm', () => stack.mailbox.mails.some(isTold));
				const slowest = 'slowest of these mails, in seconds';
				this.#figures[slowest] = Math.max(Math.round((Date.now() - started) / 1000), this.#figures[slowest]);
				const words = new RegExp(`payout ${payout_id}, .* is in no row of payments`);
				return { verdict: 'explained', words };
			}
			case 'contradiction': {
				const payment = this.#payment(asset);
				const [row] = await this.#pay(payment);
				const event = isFiat
					? { event: 'virtual_account_credited', id: `dep_${payment.key}`, Amount: '5.00' }
					: { event: 'crypto_payout_update', id: row!.payoutId, coin: 'usdt', 'Amount sent': payment.amount };
				for (const status of isFiat ? ['failed', 'successful'] : ['failed']) {
					await this.#quiet();
					await stack.control('POST', '/events', { ...event, status, 'Wallet received alias': 'treasury' });
				}
				const wanted = isFiat ? /is failed and successful/ : /is successful and failed/;
				const mails = await this.#quiet();
				if (mails.some(({ subject }) => wanted.test(subject)))
					this.#figures['of these, not named by their cause'] -= 1;
				// The balance has not moved by the second word.
				return { verdict: 'proved' };
			}
			case 'killed': {
				const payments = [this.#payment(asset), this.#payment(asset), this.#payment(asset)];
				await stack.control('POST', '/faults', { route, skip: 1, delayMs: 3000 });
				const { payouts } = stack.sandbox.service.ledger;
				const before = payouts.all().length;
				const made = () => payouts.all().slice(before);
				const paying = this.#pay(...payments).catch(() => undefined);
				await until('the second payout', () => made().length >= 2);
				for (const { payout_id } of made()) this.#killed.add(payout_id);
				await stack.restart('kill', stack.example('deposit-arrives'));
				await paying;
				this.#figures['kills of n8n'] += 1;
				this.#tomorrow.push(async () => {
					// The same list again, as the mail says. What is then unknown, a person answers.
					const rows = await pay(stack.n8n, this.#payer, payments);
					for (const [index, { result }] of rows.entries())
						if (result === 'unknown') await this.#settle(payments[index]!, 'wasPaid');
					// The service repeats what did not arrive after some hours.
					const { deliveries } = stack.sandbox.service;
					for (const { id, status } of deliveries.all()) if (status === 'failed') deliveries.redeliver(id);
				});
				// Its row is under way. The update of a payout in coins may have come, or all its deliveries while n8n was down.
				const words =
					/has no answer, and looks paid\. Run its list again|If n8n stopped while it paid a list|payout po_\w+, .* is in no row of payments/;
				return { verdict: 'NOT EXPLAINED', or: 'explained', words };
			}
			default:
				return { verdict: 'proved' };
		}
	}

	async #quiet(): Promise<Mail[]> {
		const { stack } = this;
		const { deliveries, ledger } = stack.sandbox.service;
		const isBusy = () =>
			deliveries.all().some(({ status }) => status === 'pending') ||
			ledger.payouts.all().some((payout) => payout.class === 'crypto' && payout.status === 'pending') ||
			countUnderWay(stack) > 0;
		await until('the end of all executions', () => !isBusy());
		return stack.mailbox.mails;
	}

	async #prove(expected: Partial<Record<Asset, Expected>>): Promise<void> {
		const [stack, figures] = [this.stack, this.#figures];
		await this.#quiet();
		// What is younger than a minute could be under way.
		ageBook(stack, 2);
		const morning = succeeded(await stack.client.runByHand(this.#morning.id, 'Every morning'));
		const [report] = itemsOf(morning, 'Prove');
		for (const { asset, verdict, lines, notes } of report!.proofs as Proof[]) {
			const part = [...lines, ...notes].join('\n');
			if (verdict === 'first proof') continue;
			const { verdict: wanted = 'proved', or, words } = expected[asset] ?? {};
			const fits = verdict === wanted || verdict === or;
			const isNamed = fits && (!words || words.test(part));
			if (!fits && wanted === 'proved') figures['false alarms in the morning'] += 1;
			else if (!isNamed) figures['wrong causes'] += 1;
			else if (words) figures['of these, not named by their cause'] -= 1;
			if (!isNamed) process.stderr.write(`Wanted ${wanted} ${String(words)}:\n${part}\n`);
			for (const [, key, says] of part.matchAll(/(MONTH-\d+), (?:(?!MONTH-).)*(looks not paid|looks paid)/g))
				if (this.#wasPaid.get(key!) === (says === 'looks paid'))
					figures['of these, told truly by the next morning'] += 1;
				else if (this.#wasPaid.has(key!)) figures['wrong words about a payment without an answer'] += 1;
		}
	}

	/** The book and the service's own ledger are equal to the last digit. */
	async #compareWithLedger(): Promise<void> {
		await this.#quiet();
		const { balances, payouts } = this.stack.sandbox.service.ledger;
		const rows = await bookTable(this.stack).rows<Record<string, string>>();
		const feeOf = (id: string) => rows.find(({ reference, fee }) => reference === id && fee)?.fee;
		// A payment, a correction or another event. What contradicted itself was made up.
		const counted = new Set<unknown>();
		const hasMoved = ({ key, kind, result, status, reference }: Record<string, string>) => {
			if (kind!.endsWith(' payout') && result) {
				// Each execution has a row of its own for a key.
				if (!['paid', 'alreadyPaid'].includes(result) || counted.has(key)) return false;
				return counted.add(key);
			}
			if (result) return result === 'paid';
			if (kind === 'correction') return true;
			return kind !== 'crypto payout' && status === 'successful' && !reference!.startsWith('dep_MONTH');
		};
		for (const [index, asset] of ASSETS.entries()) {
			const moved = rows.filter((row) => row.asset === asset && hasMoved(row));
			const made = payouts.all().filter(({ class: kind, code }) => kind === 'crypto' && code === asset);
			const untold = made.filter(({ payout_id }) => feeOf(payout_id) === undefined);
			this.#figures['fees that no event told'] += untold.length;
			const book = [
				this.#opening[index]!,
				...moved.map(({ amount }) => amount!),
				...made.map(({ payout_id, fee }) => `-${feeOf(payout_id) ?? fee}`),
			].reduce((sum, each) => add(sum, each));
			const { amount } = balances.get(asset)!;
			process.stderr.write(`${asset}: by the book ${book}, by the service ${amount}\n`);
			if (/[1-9]/.test(add(book, amount.startsWith('-') ? amount.slice(1) : `-${amount}`)))
				throw new Error(`${asset}: ${book} is not ${amount}`);
		}
	}
}
