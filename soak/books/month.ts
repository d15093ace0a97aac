/**
 * A month in fast time through the real n8n: payments by *pay once*, conversions, deposits, credits and debits, and each day at most
 * one thing that goes wrong with an asset. Each morning's verdict is compared with what was really done, and the book with the ledger.
 * Before each morning, all rows become a day older.
 */
import { createCryptoPayout } from '../../sandbox/ledger/payouts.ts';
import { add, negate } from '../../api/exact/decimal.ts';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import { dataTable } from '../../host/n8n/dataTable.ts';
import { itemsOf, succeeded, until, type Json } from '../../host/n8n/client.ts';
import { startTemporaryStack, webhookUrl, type Stack } from '../../host/stack.ts';
import type { Mail } from '../../host/doubles/mailbox.ts';
import { countUnderWay } from '../../host/testkit/database.ts';
import { pay, type Payer } from '../../host/testkit/payments.ts';
import { ageBook, bookTable, publishBookPayer } from '../../host/testkit/book.ts';
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
	...['false alarms in the morning', 'false alarms by mail'],
];

const ASSETS = ['NGN', 'USDT'] as const;
type Asset = (typeof ASSETS)[number];

/** Of *Reconcile*. */
interface Balance {
	asset: Asset;
	verdict: string;
	difference: string;
	openItems: Array<{ key: string; reference: string; words: string }>;
	lines: string[];
}

/** What a morning must say of an asset, whatever else it says. */
interface Expected {
	/** One of these. */
	verdicts: string[];
	/** The keys or references of all that is open, and of nothing else. */
	open: string[];
	/** In the lines. */
	words?: RegExp;
}

const CALM: Expected = { verdicts: ['reconciled'], open: [] };

const MINUTES_OF_DAY = 24 * 60;

const EXAMPLES = ['pay-once', 'convert-at-rate', 'reconcile-each-morning', 'deposit-arrives'];

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
	#keys = 0;
	readonly #figures = {
		...{ days: 0, movements: 0, 'of these, conversions': 0, 'payouts that were rejected': 0 },
		...{ 'things that went wrong': 0, 'of these, not named by their cause': 0, 'wrong causes': 0 },
		...{ 'payouts that nobody made': 0, 'of these, not told by a mail': 0 },
		...{ 'slowest of these mails, in seconds': 0, 'kills of n8n': 0 },
		'fees that no event told': 0,
		...{ 'payments without an answer': 0, 'of these, told truly by the next morning': 0 },
		...{ 'false alarms in the morning': 0, 'false alarms by mail': 0 },
	};
	/** What a person does on the next day. */
	#tomorrow: Array<() => Promise<void>> = [];
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
		await stack.control('PUT', '/settings', { settleAfterMs: 1500 });
		for (const asset of ASSETS) await this.#fund(asset, 'credit', '100000000');
		await this.#wakeUp({});
		const [first, second] = this.#plan(this.short ? 8 : 30);
		for (const [day, fault] of first!.entries())
			await this.#day(day + 1, { NGN: fault, USDT: second![day]! });
		// What was left to a person on the last day.
		for (const act of this.#tomorrow.splice(0)) await act();
		await this.#wakeUp({});
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

	/** A person types a row of the book. */
	async #book(row: Json): Promise<void> {
		await bookTable(this.stack).insert([{ ...row, time: new Date().toISOString() }]);
	}

	async #correct(asset: Asset, amount: string, reference = ''): Promise<void> {
		await this.#book({ kind: 'correction', asset, amount, reference });
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
		for (const asset of ASSETS) {
			await this.#quiet();
			expected[asset] = await this.#goWrong(faults[asset], asset, alarms);
		}
		const mails = await this.#quiet();
		for (const { subject, text } of mails) {
			const isAbout = (id: string) => text.includes(id);
			if (!subject.startsWith('ALARM')) continue;
			if (alarms.some(isAbout)) this.#figures['of these, not told by a mail'] -= 1;
			else this.#figures['false alarms by mail'] += 1;
		}
		await this.#wakeUp(expected, faults);
		process.stderr.write(`Day ${(this.#figures.days += 1)}\n`);
	}

	async #goWrong(fault: Fault, asset: Asset, alarms: string[]): Promise<Expected> {
		if (fault === 'calm') return CALM;
		this.#figures['things that went wrong'] += 1;
		this.#figures['of these, not named by their cause'] += 1;
		switch (fault) {
			case 'lostPaid':
			case 'lostNotPaid':
				return await this.#loseAnswer(asset, fault === 'lostPaid');
			case 'lostEvent':
				return await this.#loseEvent(asset);
			case 'intruder':
				return await this.#intrude(alarms);
			case 'contradiction':
				return await this.#contradict(asset);
			case 'killed':
				return await this.#kill(asset);
		}
	}

	async #loseAnswer(asset: Asset, isPaid: boolean): Promise<Expected> {
		const payment = this.#payment(asset);
		const { key } = payment;
		const fault = isPaid ? 'dropAfter' : 'dropBefore';
		await this.stack.control('POST', '/faults', { route: routeOf(asset), [fault]: true });
		await this.#pay(payment);
		this.#figures['payments without an answer'] += 1;
		// A person reads the mail, and answers.
		this.#tomorrow.push(() => this.#settle(payment, isPaid ? 'wasPaid' : 'wasNotPaid'));
		if (!isPaid) return { verdicts: ['reconciled'], open: [key] };
		// The update of a payout in coins says what became of it.
		if (asset === 'USDT') return CALM;
		const words = new RegExp(`This is the difference: fiat payout ${key},`);
		return { verdicts: ['open items'], open: [key], words };
	}

	async #loseEvent(asset: Asset): Promise<Expected> {
		const { stack } = this;
		await stack.control('PUT', '/webhook', { url: null });
		const amount = await this.#deposit(asset);
		this.#tomorrow.push(() => this.#correct(asset, amount));
		await stack.control('PUT', '/webhook', { url: webhookUrl(stack.n8n, stack.example('deposit-arrives')) });
		const words = /a deposit or credit whose event did not come/;
		return { verdicts: ['not explained'], open: [], words };
	}

	async #intrude(alarms: string[]): Promise<Expected> {
		const { mailbox, sandbox } = this.stack;
		const { ledger, store } = sandbox.service;
		const [amount, started] = [this.#amount('USDT'), Date.now()];
		const order = { coin: 'USDT', amount, wallet_alias: 'treasury' };
		const { payout_id, fee } = store.transaction(() => createCryptoPayout(ledger, order));
		this.#figures.movements += 1;
		this.#tomorrow.push(() => this.#correct('USDT', negate(add(amount, fee)), payout_id));
		this.#figures['payouts that nobody made'] += 1;
		this.#figures['of these, not told by a mail'] += 1;
		alarms.push(payout_id);
		const isTold = (mail: Mail) => mail.subject.startsWith('ALARM') && mail.text.includes(payout_id);
		await until('the alarm', () => mailbox.mails.some(isTold), 120_000);
		const slowest = 'slowest of these mails, in seconds';
		this.#figures[slowest] = Math.max(Math.round((Date.now() - started) / 1000), this.#figures[slowest]);
		const words = new RegExp(`${payout_id}, .* it is not in the book as a payment`);
		return { verdicts: ['not explained'], open: [payout_id], words };
	}

	/** The service says two ends of one movement, of which the balance shows the first. */
	async #contradict(asset: Asset): Promise<Expected> {
		const { stack } = this;
		const isFiat = asset === 'NGN';
		const payment = this.#payment(asset);
		const [row] = await this.#pay(payment);
		const id = isFiat ? `dep_${payment.key}` : String(row!.payoutId);
		const event = isFiat
			? { event: 'virtual_account_credited', id, Amount: '5.00' }
			: { event: 'crypto_payout_update', id, coin: 'usdt', 'Amount sent': payment.amount };
		for (const status of isFiat ? ['failed', 'successful'] : ['failed']) {
			await this.#quiet();
			await stack.control('POST', '/events', { ...event, status, 'Wallet received alias': 'treasury' });
		}
		const wanted = isFiat ? /^Not credited: 5\.00 NGN/ : /is successful and failed/;
		const isTold = ({ subject, text }: Mail) => wanted.test(subject) && (subject + text).includes(id);
		await until('the alert', () => stack.mailbox.mails.some(isTold));
		// The second end counts, until a person has asked the service.
		this.#tomorrow.push(() => this.#correct(asset, isFiat ? '-5.00' : `-${payment.amount}`, id));
		const words = /This is the difference: .* its rows contradict each other/;
		return { verdicts: ['open items'], open: [id], words };
	}

	/** n8n stops when the service has made the second of three payments, and its answer is on the way. */
	async #kill(asset: Asset): Promise<Expected> {
		const { stack } = this;
		const { payouts } = stack.sandbox.service.ledger;
		const payments = [this.#payment(asset), this.#payment(asset), this.#payment(asset)];
		await stack.control('POST', '/faults', { route: routeOf(asset), skip: 1, delayMs: 3000 });
		const before = payouts.all().length;
		const made = () => payouts.all().slice(before);
		const paying = this.#pay(...payments).catch(() => undefined);
		await until('the second payout', () => made().length >= 2);
		await stack.restart('kill', stack.example('deposit-arrives'));
		await paying;
		this.#figures['kills of n8n'] += 1;
		await this.#quiet();
		const ids = made().map(({ payout_id }) => payout_id);
		const told = await this.#told(ids);
		this.#tomorrow.push(async () => {
			// The same list again. What is then unknown, a person answers.
			const rows = await pay(stack.n8n, this.#payer, payments);
			for (const [index, { result }] of rows.entries())
				if (result === 'unknown') await this.#settle(payments[index]!, 'wasPaid');
			// The service repeats what did not arrive after some hours.
			const { deliveries } = stack.sandbox.service;
			for (const { id, status } of deliveries.all()) if (status === 'failed') deliveries.redeliver(id);
			if (asset === 'USDT') await this.#bookUntold(ids);
		});
		// The first one has its row with the result, and only coins have events. The last one was not begun.
		const isOpen = (index: number) => !told.has(ids[index]!) && (asset === 'USDT' || index === 1);
		const open = [0, 1].filter(isOpen).map((index) => payments[index]!.key);
		return { verdicts: open.length > 0 ? ['open items', 'not explained'] : ['reconciled'], open };
	}

	/** Those of these payouts whose success an event has told. */
	async #told(ids: string[]): Promise<Set<string>> {
		const rows = await bookTable(this.stack).rows<Record<string, string>>();
		const updates = rows.filter(({ result, status }) => !result && status === 'successful');
		const told = new Set(updates.map(({ reference }) => reference));
		return new Set(ids.filter((id) => told.has(id)));
	}

	/** An event that n8n took before it was killed is lost: a person asks the service, and types its row. */
	async #bookUntold(ids: string[]): Promise<void> {
		await this.#quiet();
		const told = await this.#told(ids);
		for (const id of ids.filter((each) => !told.has(each))) {
			const { code: asset, amount, fee, destination } = this.stack.sandbox.service.ledger.payouts.get(id)!;
			this.#figures['fees that no event told'] += 1;
			const cells = { asset, amount: `-${amount}`, counterpart: destination, fee, feeAsset: asset };
			await this.#book({ kind: 'crypto payout', reference: id, status: 'successful', ...cells });
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

	/** The balances of the next morning. */
	async #wakeUp(
		expected: Partial<Record<Asset, Expected>>,
		faults: Partial<Record<Asset, Fault>> = {},
	): Promise<void> {
		const { stack } = this;
		await this.#quiet();
		ageBook(stack, MINUTES_OF_DAY);
		const { id } = stack.example('reconcile-each-morning');
		const morning = succeeded(await stack.client.runByHand(id, 'Every morning'));
		const [report] = itemsOf(morning, 'Reconcile');
		const balances = new Map((report!.balances as Balance[]).map((balance) => [balance.asset, balance]));
		for (const asset of ASSETS)
			this.#judge(balances.get(asset)!, expected[asset] ?? CALM, faults[asset] ?? 'calm');
	}

	#judge(balance: Balance, { verdicts, open, words = /^/ }: Expected, fault: Fault): void {
		const figures = this.#figures;
		const { verdict, openItems, lines } = balance;
		const fits = verdicts.includes(verdict);
		const names = openItems.map(({ key, reference }) => open.find((name) => [key, reference].includes(name)));
		const isOpenOnly = !names.includes(undefined) && new Set(names).size === open.length;
		const isNamed = fits && isOpenOnly && words.test(lines.join('\n'));
		if (!fits && verdicts.includes('reconciled')) figures['false alarms in the morning'] += 1;
		else if (!isNamed) figures['wrong causes'] += 1;
		else if (fault !== 'calm') figures['of these, not named by their cause'] -= 1;
		if (isNamed && (fault === 'lostPaid' || fault === 'lostNotPaid'))
			figures['of these, told truly by the next morning'] += 1;
		const wanted = { fault, verdicts, open, words: String(words) };
		if (!isNamed) process.stderr.write(`${JSON.stringify({ wanted, balance }, undefined, '\t')}\n`);
	}

	/** The book and the service's own ledger are equal to the last digit. */
	async #compareWithLedger(): Promise<void> {
		const { balances } = this.stack.sandbox.service.ledger;
		const rows = await bookTable(this.stack).rows<Cells>();
		for (const [index, asset] of ASSETS.entries()) {
			const moved = movedBy(rows.filter((row) => row.asset === asset));
			const book = moved.reduce((sum, amount) => add(sum, amount), this.#opening[index]!);
			const { amount } = balances.get(asset)!;
			process.stderr.write(`${asset}: by the book ${book}, by the service ${amount}\n`);
			if (/[1-9]/.test(add(book, negate(amount)))) throw new Error(`${asset}: ${book} is not ${amount}`);
		}
	}
}

const routeOf = (asset: Asset) => (asset === 'NGN' ? 'POST /v1/fiat_payout' : 'POST /v1/crypto_payout');

type Cells = Record<string, string>;

/** What the rows of one asset say that has moved, each once. They are counted here a second time, without the package. */
function movedBy(rows: Cells[]): string[] {
	const once = (some: Cells[], nameOf: (row: Cells) => string) => [
		...new Map(some.map((row) => [nameOf(row), row])).values(),
	];
	const of = (kind: RegExp) => rows.filter((row) => kind.test(row.kind!));
	const corrections = of(/^correction$/);
	const payouts = of(/ payout$/);
	const paid = payouts.filter(({ result }) => ['paid', 'alreadyPaid'].includes(result!));
	const updates = payouts.filter(({ result }) => !result);
	// What nobody ordered counts by its correction.
	const isOurs = ({ reference }: Cells) =>
		!corrections.some((row) => row.reference === reference) ||
		paid.some((row) => row.reference === reference);
	const fees = updates.filter((row) => row.fee && isOurs(row));
	const back = updates.filter(({ status }) => status === 'failed');
	const conversions = of(/^conversion$/).filter(({ result }) => result === 'paid');
	const funding = of(/^(crypto )?deposit$|^admin /).filter(({ status }) => status === 'successful');
	return [
		...corrections,
		...once(paid, ({ key }) => key!),
		...once([...conversions, ...funding], ({ kind, reference }) => `${kind} ${reference}`),
	]
		.map(({ amount }) => amount!)
		.concat(once(back, ({ reference }) => reference!).map(({ amount }) => negate(amount!)))
		.concat(once(fees, ({ reference }) => reference!).map(({ fee }) => negate(fee!)));
}
