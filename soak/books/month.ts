/**
 * A month in fast time through the real n8n: payments by *pay once*, deposits, credits and debits, and each day at most one thing
 * that goes wrong with an asset. Each morning's verdict is compared with what was really done.
 */
import { createCryptoPayout, createFiatPayout } from '../../sandbox/ledger/payouts.ts';
import { add } from '../../api/decimal.ts';
import { findDataTable } from '../../host/n8n/dataTable.ts';
import { succeeded, until } from '../../host/n8n/client.ts';
import type { Json, StoredWorkflow } from '../../host/n8n/client.ts';
import { startTemporaryStack, webhookUrl } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { queryDatabase } from '../../host/testkit/database.ts';
import { pay } from '../../host/testkit/payments.ts';
import type { Payer } from '../../host/testkit/payments.ts';
import { paymentsTable, publishTablePayer } from '../../host/testkit/paymentsTable.ts';
import { saveCopy, withParameters } from '../../host/testkit/workflows.ts';
import { reportFigures } from '../shared/figures.ts';
import type { SoakOptions } from '../shared/figures.ts';
import { randomFrom } from '../shared/random.ts';

const FAULTS = [
	...['lostPaid', 'lostNotPaid', 'lostEvent', 'intruder', 'contradiction', 'calm', 'calm', 'killed'],
] as const;
type Fault = (typeof FAULTS)[number];

const ASSETS = ['NGN', 'USDT'] as const;
type Asset = (typeof ASSETS)[number];

/** What the proof of an asset must say, whatever else it says. */
type Expected = { verdict: string; or?: string; words?: RegExp };

export async function run({ short, seed }: SoakOptions): Promise<void> {
	const stack = await startTemporaryStack();
	try {
		await new Month(stack, randomFrom(seed)).live(short ? 8 : 30);
	} finally {
		await stack.stop();
	}
}

class Month {
	#payer!: Payer;
	#morning!: StoredWorkflow;
	#keys = 0;
	#amounts = 0;
	readonly #figures = {
		days: 0,
		movements: 0,
		'things that went wrong': 0,
		'of these, named by their cause': 0,
		'payouts that nobody made': 0,
		'of these, told by a mail': 0,
		'slowest of these mails, in seconds': 0,
		'kills of n8n': 0,
		'false alarms in the morning': 0,
		'false alarms by mail': 0,
		'wrong causes': 0,
		'wrong words about a payment without an answer': 0,
	};
	/** What a person does on the next day. */
	#tomorrow: Array<() => Promise<void>> = [];
	/** Whether the payments without an answer were made. */
	readonly #wasPaid = new Map<string, boolean>();

	readonly stack: Stack;
	readonly random: () => number;

	constructor(stack: Stack, random: () => number) {
		this.stack = stack;
		this.random = random;
	}

	async live(days: number): Promise<void> {
		const { stack } = this;
		this.#payer = await publishTablePayer(stack, 'Pays for a month');
		this.#morning = await saveCopy(stack.client, stack.examples.all.get('morning-proof')!, 'Each morning', {
			'Half a minute': withParameters({ amount: 0 }),
			'What to prove': ({ parameters }) => ({
				parameters: {
					...parameters,
					jsonOutput: String(parameters.jsonOutput).replace('"underWayMinutes": 60', '"underWayMinutes": 0'),
				},
			}),
		});
		await stack.control('PUT', '/settings', { settleAfterMs: 50 });
		for (const [asset, amount] of [
			['NGN', '100000000'],
			['USDT', '100000000'],
		])
			await stack.control('POST', '/admin_funding', { asset, amount, direction: 'credit' });
		await this.#prove({});
		for (let day = 1; day <= days; day++) await this.#day(day);
		await this.#compareWithLedger();
		reportFigures('A month of books', this.#figures, [
			...(['false alarms in the morning', 'false alarms by mail', 'wrong causes'] as const),
			'wrong words about a payment without an answer',
		]);
		const { 'things that went wrong': wrong, 'of these, named by their cause': named } = this.#figures;
		if (wrong !== named) throw new Error(`${wrong - named} of ${wrong} were not named by their cause`);
		const { 'payouts that nobody made': made, 'of these, told by a mail': told } = this.#figures;
		if (made !== told) throw new Error(`${made - told} of ${made} payouts that nobody made were not told`);
	}

	/** An amount that no other movement has. */
	#amount(): string {
		this.#amounts += 1;
		return `${10 + Math.floor(this.random() * 900)}.${String(this.#amounts % 100).padStart(2, '0')}`;
	}

	#payment(asset: Asset): Json & { key: string; amount: string } {
		const key = `MONTH-${++this.#keys}`;
		const amount = this.#amount();
		return asset === 'NGN'
			? { key, amount, currency: 'NGN' }
			: { key, amount, coin: 'USDT', destination: 'treasury' };
	}

	async #deposit(asset: Asset): Promise<void> {
		const amount = this.#amount();
		const to = asset === 'NGN' ? { alias: 'customer-0042' } : { wallet_alias: 'deposits-usdt', coin: 'USDT' };
		await this.stack.control('POST', '/deposits', { ...to, amount });
		this.#figures.movements += 1;
	}

	async #pay(...payments: Json[]): Promise<Json[]> {
		this.#figures.movements += payments.length;
		return await pay(this.stack.n8n, this.#payer, payments);
	}

	async #day(day: number): Promise<void> {
		const { stack, random } = this;
		stack.mailbox.mails.splice(0);
		for (const act of this.#tomorrow.splice(0)) await act();
		await this.#quiet();
		await this.#pay(
			...ASSETS.flatMap((asset) =>
				Array.from({ length: 1 + Math.floor(random() * 3) }, () => this.#payment(asset)),
			),
		);
		for (const asset of ASSETS) if (random() < 0.8) await this.#deposit(asset);
		for (const direction of ['credit', 'debit'])
			if (random() < 0.3) {
				await stack.control('POST', '/admin_funding', {
					asset: ASSETS[Math.floor(random() * 2)]!,
					amount: this.#amount(),
					direction,
				});
				this.#figures.movements += 1;
			}
		const expected: Partial<Record<Asset, Expected>> = {};
		const alarms: string[] = [];
		for (const [index, asset] of ASSETS.entries()) {
			// Each kind comes in turn, so that each is there.
			const fault = FAULTS[(day + index * 3) % FAULTS.length]!;
			expected[asset] = await this.#goWrong(fault, asset, alarms);
		}
		const mails = await this.#quiet();
		const told = mails.filter(({ subject }) => subject.startsWith('ALARM'));
		for (const alarm of alarms)
			if (told.some(({ text }) => text.includes(alarm))) this.#figures['of these, told by a mail'] += 1;
		this.#figures['false alarms by mail'] += told.filter(
			({ text }) => !alarms.some((alarm) => text.includes(alarm)),
		).length;
		await this.#prove(expected);
		this.#figures.days += 1;
		process.stderr.write(`Day ${day}\n`);
	}

	async #goWrong(fault: Fault, asset: Asset, alarms: string[]): Promise<Expected> {
		const { stack } = this;
		const route = asset === 'NGN' ? 'POST /v1/fiat_payout' : 'POST /v1/crypto_payout';
		const isFiat = asset === 'NGN';
		if (fault !== 'calm') this.#figures['things that went wrong'] += 1;
		await this.#quiet();
		switch (fault) {
			case 'lostPaid':
			case 'lostNotPaid': {
				const isPaid = fault === 'lostPaid';
				const payment = this.#payment(asset);
				await stack.control('POST', '/faults', { route, [isPaid ? 'dropAfter' : 'dropBefore']: true });
				await this.#pay(payment);
				this.#wasPaid.set(payment.key, isPaid);
				// A person reads the mail, and answers.
				this.#tomorrow.push(async () => {
					const settle = isPaid ? 'wasPaid' : 'wasNotPaid';
					await (await paymentsTable(stack)).update({ key: payment.key }, { settle });
					await this.#pay(payment);
					this.#wasPaid.delete(payment.key);
				});
				return isPaid
					? { verdict: 'explained', words: new RegExp(`${payment.key}, .* has no answer, and looks paid`) }
					: { verdict: 'proved', words: new RegExp(`${payment.key}, .* it looks not paid`) };
			}
			case 'lostEvent': {
				await stack.control('PUT', '/webhook', { url: null });
				await this.#deposit(asset);
				await stack.control('PUT', '/webhook', { url: webhookUrl(stack.n8n, stack.examples.deposits) });
				return { verdict: 'NOT EXPLAINED', words: /a deposit or credit whose event did not come/ };
			}
			case 'intruder': {
				const { ledger, store } = stack.sandbox.service;
				const amount = this.#amount();
				const started = Date.now();
				const { payout_id } = store.transaction(() =>
					isFiat
						? createFiatPayout(ledger, { currency: 'NGN', amount, account_alias: 'supplier-main' })
						: createCryptoPayout(ledger, { coin: 'USDT', amount, wallet_alias: 'treasury' }),
				);
				this.#figures.movements += 1;
				if (isFiat)
					return { verdict: 'NOT EXPLAINED', words: /a payout, conversion or debit that is in no row/ };
				this.#figures['payouts that nobody made'] += 1;
				alarms.push(payout_id);
				await until(
					'the alarm',
					() =>
						stack.mailbox.mails.some(
							({ subject, text }) => subject.startsWith('ALARM') && text.includes(payout_id),
						) || undefined,
					120_000,
				);
				const seconds = Math.round((Date.now() - started) / 1000);
				this.#figures['slowest of these mails, in seconds'] = Math.max(
					seconds,
					this.#figures['slowest of these mails, in seconds'],
				);
				return {
					verdict: 'explained',
					words: new RegExp(`payout ${payout_id}, .* is in no row of payments`),
				};
			}
			case 'contradiction': {
				const payment = this.#payment(asset);
				const [row] = await this.#pay(payment);
				await this.#quiet();
				const facts = {
					id: row!.payoutId,
					status: 'failed',
					coin: 'usdt',
					'Amount sent': payment.amount,
					'Wallet received alias': 'treasury',
				};
				if (isFiat)
					await stack.control('POST', '/events', {
						event: 'virtual_account_credited',
						id: `dep_${payment.key}`,
						Amount: '5.00',
						status: 'failed',
					});
				else await stack.control('POST', '/events', { event: 'crypto_payout_update', ...facts });
				if (isFiat) {
					await this.#quiet();
					await stack.control('POST', '/events', {
						event: 'virtual_account_credited',
						id: `dep_${payment.key}`,
						Amount: '5.00',
						status: 'successful',
					});
				}
				const subject = isFiat ? 'A deposit is failed and successful' : 'A payout is successful and failed';
				await this.#quiet();
				const isTold = stack.mailbox.mails.some((mail) => mail.subject === subject);
				this.#figures[isTold ? 'of these, named by their cause' : 'wrong causes'] += 1;
				// The balance has not moved by the second word.
				return { verdict: 'proved' };
			}
			case 'killed': {
				const payments = [this.#payment(asset), this.#payment(asset), this.#payment(asset)];
				await stack.control('POST', '/faults', { route, skip: 1, delayMs: 3000 });
				const before = stack.sandbox.service.ledger.payouts.all().length;
				const paying = this.#pay(...payments).catch(() => undefined);
				await until(
					'the second payout',
					() => stack.sandbox.service.ledger.payouts.all().length >= before + 2 || undefined,
				);
				await stack.restart('kill', stack.examples.deposits);
				await paying;
				this.#figures['kills of n8n'] += 1;
				this.#tomorrow.push(async () => {
					// The same list again, as the mail says. What is then unknown, a person answers.
					const rows = await this.#pay(...payments);
					for (const [index, { result }] of rows.entries())
						if (result === 'unknown') {
							await (await paymentsTable(stack)).update({ key: payments[index]!.key }, { settle: 'wasPaid' });
							await this.#pay(payments[index]!);
						}
				});
				// The update of a payout in coins may have come, or all its deliveries while n8n was down.
				return {
					...{ verdict: 'NOT EXPLAINED', or: 'explained' },
					words:
						/If n8n stopped while it paid, run your last list again|payout po_\w+, .* is in no row of payments/,
				};
			}
			default:
				return { verdict: 'proved' };
		}
	}

	async #quiet() {
		const { stack } = this;
		const { deliveries, ledger } = stack.sandbox.service;
		await until(
			'the end of all executions',
			() => {
				const isWaiting = deliveries.all().some(({ status }) => status === 'pending');
				const settles = ledger.payouts
					.all()
					.some((payout) => payout.class === 'crypto' && payout.status === 'pending');
				const sql = `SELECT id FROM execution_entity WHERE status IN ('new', 'running')`;
				return (!isWaiting && !settles && queryDatabase(stack, sql).length === 0) || undefined;
			},
			120_000,
		);
		return stack.mailbox.mails;
	}

	async #prove(expected: Partial<Record<Asset, Expected>>): Promise<void> {
		const { stack } = this;
		const figures = this.#figures;
		await this.#quiet();
		stack.mailbox.mails.splice(0);
		succeeded(await stack.client.runByHand(this.#morning.id, 'Every morning'));
		const text = stack.mailbox.mails[0]!.text;
		for (const part of text.split('\n\n')) {
			const [, asset = '', verdict = ''] = /^(\w+): (.*)/.exec(part) ?? [];
			if (verdict === 'first proof') continue;
			const { verdict: wanted = 'proved', or, words } = expected[asset as Asset] ?? {};
			// What was wrong yesterday may be balanced today, beside what is wrong today.
			const fits = verdict === wanted || verdict === or || (wanted === 'proved' && verdict === 'under way');
			if (!fits && wanted === 'proved') figures['false alarms in the morning'] += 1;
			else if (!fits || (words && !words.test(part))) figures['wrong causes'] += 1;
			if (!fits || (words && !words.test(part)))
				process.stderr.write(`Wanted ${wanted} ${String(words)}:\n${part}\n`);
			else if (words) figures['of these, named by their cause'] += 1;
			for (const [, key, says] of part.matchAll(/^(MONTH-\d+), .*(looks not paid|looks paid)/gm))
				if (this.#wasPaid.has(key!) && this.#wasPaid.get(key!) !== (says === 'looks paid'))
					figures['wrong words about a payment without an answer'] += 1;
		}
	}

	/** The book and the service's own ledger differ only by what the book was never told. */
	async #compareWithLedger(): Promise<void> {
		const { stack } = this;
		const table = (await findDataTable(stack.client, 'wallet_service_proofs'))!;
		for (const asset of ASSETS) {
			const rows = (await table.rows<Record<'asset' | 'booked' | 'difference' | 'balance', string>>()).filter(
				(row) => row.asset === asset,
			);
			const moved = rows.slice(1).map(({ booked, difference }) => add(booked, difference || '0'));
			const last = moved.reduce((sum, each) => add(sum, each), rows[0]!.balance);
			const { amount } = stack.sandbox.service.ledger.balances.get(asset)!;
			process.stderr.write(`${asset}: by the proofs ${last}, by the service ${amount}\n`);
			if (!/^-?0*\.?0*$/.test(add(last, amount.startsWith('-') ? amount.slice(1) : `-${amount}`)))
				throw new Error(`${asset}: ${last} is not ${amount}`);
		}
	}
}
