/**
 * One world for all tests of the book: a service with its ledger, a business that pays and receives, and people who book what they find.
 * It plays commands in its own time. It knows what is true, and what the rows of the book tell of it so far.
 */
import { DAY, type Command, type CommandName } from './commands.ts';
import { isCoin, rounded, textOf, type Asset } from './money.ts';
import { conversionRows, PERSON, rowOf, type Item, type Row, type Writer } from './rows.ts';

const START = Date.UTC(2026, 0, 1);
const SECOND = 1 / 60;
const HOUR = 60;

const WALLETS = ['treasury', 'supplier-usdt', 'exchange'];
const ACCOUNTS = ['supplier-main', 'payroll', 'rent'];

/** A payment, deposit, funding or side of a conversion, and what the rows that have come tell of it. Amounts are signed. */
interface Movement {
	asset: Asset;
	amount: bigint;
	/** Whether the rows say that it was made. */
	counts: boolean;
	fee: bigint;
	back: bigint;
	/** What nobody ordered counts nothing, whatever the service tells of it. */
	isOurs: boolean;
}

interface Payment extends Movement {
	key: string;
	destination: string;
	/** ID of the service; '' until it is made. */
	id: string;
	/** What the service takes beside the amount. */
	costs: bigint;
	/** Whether its final state is in the book. */
	isFinal: boolean;
}

/** What has moved and stands in no row. A person finds it when it is told, and books it. */
export interface Fault {
	name: CommandName;
	asset: Asset;
	amount: bigint;
	/** ID of the service, if it gave one. */
	reference: string;
	minute: number;
	state: 'open' | 'found' | 'booked';
}

interface Account {
	/** What the service has. */
	ledger: bigint;
	/** By what the rows that have come change the first balance. */
	told: bigint;
	first: bigint;
}

/** Items that were booked together. */
export interface Batch {
	items: Item[];
	rows: Row[];
	writer: Writer;
	now: string;
}

interface Task {
	minute: number;
	act: () => void;
}

const movementOf = (asset: Asset, amount: bigint): Movement => ({ asset, amount, counts: false, fee: 0n, back: 0n, isOurs: true });

const told = ({ counts, amount, fee, back, isOurs }: Movement): bigint => (counts && isOurs ? amount - fee + back : 0n);

export class World {
	/** What was inserted into the book, the oldest first. */
	readonly batches: Batch[] = [];
	readonly faults: Fault[] = [];
	/** Payments, deposits and so on that the service has made. */
	movements = 0;
	minute = 0;

	readonly #accounts: Record<Asset, Account>;
	readonly #random: () => number;
	readonly #due: Task[] = [];
	#numbers = 0;

	constructor(random: () => number, commands: readonly Command[]) {
		this.#random = random;
		const account = (first: bigint): Account => ({ ledger: first, told: 0n, first });
		this.#accounts = { NGN: account(100_000_000_000_000n), USDT: account(1_000_000_000_000n) };
		for (const command of commands) this.#at(command.minute, () => this.#commands[command.name](command));
	}

	get now(): string {
		return new Date(START + Math.round(this.minute * 60_000)).toISOString();
	}

	/** The balance as the service tells it. */
	balance(asset: Asset): string {
		const text = textOf(this.#accounts[asset].ledger, asset);
		return isCoin(asset) ? text.replace(/\.?0+$/, '') : text;
	}

	/** By how much the service has more than the rows of the book tell. */
	difference(asset: Asset): bigint {
		const { ledger, first, told } = this.#accounts[asset];
		return ledger - first - told;
	}

	/** What no row tells. */
	openFaults(asset: Asset): Fault[] {
		return this.faults.filter((fault) => fault.asset === asset && fault.state !== 'booked');
	}

	/** Lets all happen until then. */
	liveUntil(minute: number): void {
		for (let next = this.#due[0]; next && next.minute <= minute; next = this.#due[0]) {
			this.#due.shift();
			this.minute = next.minute;
			next.act();
		}
		this.minute = minute;
	}

	/** Rows that a reading inserts. */
	insert(rows: Row[]): void {
		this.batches.push({ items: [], rows, writer: PERSON, now: this.now });
	}

	/** A person reads that a balance is not explained, looks at the service, and books what is missing within three days. */
	find(asset: Asset): void {
		for (const fault of this.openFaults(asset).filter(({ state }) => state === 'open')) {
			fault.state = 'found';
			this.#later(Math.floor(this.#random() * 3) * DAY + this.#between(2 * HOUR, 8 * HOUR), () => {
				fault.state = 'booked';
				this.#correct(asset, fault.amount, fault.reference);
			});
		}
	}

	readonly #commands: Record<CommandName, (command: Command) => void> = {
		pay: (command) => this.#pay(command),
		payList: (command) => this.#pay(command),
		payAtReading: (command) => this.#pay(command),
		refuse: ({ asset, amounts }) => {
			const [writer, payment] = [this.#run('pay once'), this.#order(asset, amounts[0]!)];
			this.#book([asked(payment)], writer);
			this.#later(5 * SECOND, () => this.#book([answered(payment, 'rejected')], writer));
		},
		receive: ({ asset, amounts }) => this.#receive(asset, amounts[0]!),
		credit: ({ asset, amounts }) => this.#fund(asset, amounts[0]!),
		debit: ({ asset, amounts }) => this.#fund(asset, -amounts[0]!),
		convert: ({ asset, amounts }) => this.#convert(asset, amounts[0]!),
		loseAnswer: ({ asset, amounts }) => this.#loseAnswer(asset, amounts[0]!),
		kill: (command) => this.#kill(command),
		comeBack: ({ asset, amounts }) => this.#comeBack(asset, amounts[0]!),
		contradict: ({ asset, amounts }) => this.#contradict(asset, amounts[0]!),
		vanish: ({ asset, amounts }) => {
			this.#move(asset, -amounts[0]!);
			this.#isMissing('vanish', asset, -amounts[0]!);
		},
		loseEvent: ({ asset, amounts }) => {
			this.#move(asset, amounts[0]!);
			this.#isMissing('loseEvent', asset, amounts[0]!);
		},
		intrude: ({ asset, amounts }) => {
			// The service tells nothing of payouts to banks.
			const payment = { ...this.#order(asset, amounts[0]!), isOurs: false };
			this.#make(payment);
			this.#isMissing('intrude', asset, payment.amount - payment.costs, isCoin(asset) ? payment.id : '');
		},
	};

	/* What happens at the business. */

	#pay({ asset, amounts }: Command): void {
		const payments = amounts.map((amount) => this.#order(asset, amount));
		this.#run1(payments, this.#run('pay once'), () => 'paid');
	}

	/** One execution: the rows before, the payments one after the other, and the rows after. */
	#run1(payments: Payment[], writer: Writer, resultOf: (payment: Payment) => string): void {
		const results = new Map(payments.map((payment) => [payment, resultOf(payment)]));
		this.#book(payments.map(asked), writer);
		let wait = 0;
		for (const [payment, result] of results) {
			wait += this.#between(1, 20) * SECOND;
			if (result === 'paid') this.#later(wait, () => this.#make(payment));
		}
		this.#later(wait + 2 * SECOND, () => {
			this.#book([...results].map(([payment, result]) => answered(payment, result)), writer);
			for (const [payment, result] of results)
				if (result === 'paid' || result === 'alreadyPaid') this.#learn(payment, { counts: true });
		});
	}

	#loseAnswer(asset: Asset, amount: bigint): void {
		const [payment, writer] = [this.#order(asset, amount), this.#run('pay once')];
		const isMade = this.#random() < 0.5;
		this.#book([asked(payment)], writer);
		if (isMade) this.#later(10 * SECOND, () => this.#make(payment, false));
		this.#later(1, () => this.#book([answered(payment, 'unknown')], writer));
		this.#later(this.#between(0, 2 * DAY), () => this.#decide(payment, isMade));
	}

	/** A person looks at the service, and answers the question of the workflow or types a row. */
	#decide(payment: Payment, isMade: boolean): void {
		const { key, asset } = payment;
		if (this.#random() < 0.5) {
			this.#run1([payment], this.#run('pay once'), () => (isMade ? 'alreadyPaid' : 'paid'));
			return;
		}
		const kind = isCoin(asset) ? 'crypto payout' : 'fiat payout';
		this.#book([{ kind, key, asset, result: isMade ? 'paid' : 'notSent' }], PERSON);
		if (isMade) this.#learn(payment, { counts: true });
	}

	/** n8n stops: some payments were made, the answer of one is lost. Some hours later, the list is run again. */
	#kill({ asset, amounts }: Command): void {
		const payments = amounts.map((amount) => this.#order(asset, amount));
		const answers = Math.floor(this.#random() * payments.length);
		this.#book(payments.map(asked), this.#run('pay once'));
		for (const [place, payment] of payments.slice(0, answers + 1).entries())
			this.#later((place + 1) * 10 * SECOND, () => this.#make(payment, false));
		const state = (payment: Payment) => {
			const place = payments.indexOf(payment);
			return place < answers ? 'alreadyPaid' : place === answers ? 'unknown' : 'paid';
		};
		this.#later(this.#between(2 * HOUR, 20 * HOUR), () => {
			this.#run1(payments, this.#run('pay once'), state);
			this.#later(this.#between(HOUR, DAY), () => this.#decide(payments[answers]!, true));
		});
	}

	#receive(asset: Asset, amount: bigint, isTold = (_: string) => {}): string {
		const deposit = movementOf(asset, amount);
		const id = `dep_${this.#number()}`;
		const tell = (status: string, learns: () => void) =>
			this.#deliver(this.#depositEvent(deposit, id, status), learns);
		// Few stay pending until the next day, and of few the balance has the money before the end.
		const wait = this.#random() < 0.03 ? this.#between(10 * HOUR, 40 * HOUR) : this.#between(2, 40);
		tell('pending', () => {});
		this.#later(this.#random() < 0.02 ? 0 : wait, () => this.#move(asset, amount));
		this.#later(wait, () =>
			tell('successful', () => {
				this.#learn(deposit, { counts: true });
				isTold(id);
			}),
		);
		return id;
	}

	#depositEvent({ asset, amount }: Movement, id: string, status: string): Item {
		const to: Item = isCoin(asset)
			? { event: 'crypto_received', coin: asset, walletAlias: 'deposits-usdt' }
			: { event: 'virtual_account_credited', currency: asset, accountAlias: 'customer-0042' };
		return { ...to, id, status, amount: textOf(amount, asset) };
	}

	#fund(asset: Asset, amount: bigint): void {
		const funding = movementOf(asset, amount);
		const direction = amount < 0n ? 'debit' : 'credit';
		const size = textOf(amount < 0n ? -amount : amount, asset);
		const event = { event: 'admin_funding', asset, direction, amount: size, status: 'successful' };
		this.#move(asset, amount);
		this.#deliver({ ...event, id: `adm_${this.#number()}` }, () => this.#learn(funding, { counts: true }));
	}

	#convert(asset: Asset, amount: bigint): void {
		const rate = 1_500n;
		const [other, into]: [Asset, bigint] =
			asset === 'USDT' ? ['NGN', rounded(amount * rate, 'NGN')] : ['USDT', amount / rate];
		const sides: Array<[Asset, bigint]> = [
			[asset, -amount],
			[other, into],
		];
		for (const [code, units] of sides) this.#move(code, units);
		const [key, id, writer] = [`CV-${this.#number()}`, `itx_${this.#number()}`, this.#run('convert')];
		this.#later(3 * SECOND, () => {
			const rows = conversionRows(key, id, sides, writer, this.now);
			this.batches.push({ items: [], rows, writer, now: this.now });
			for (const [code, units] of sides)
				this.#learn(movementOf(code, units), { counts: true });
		});
	}

	/** A crypto payout fails after days, or a deposit is taken back. */
	#comeBack(asset: Asset, amount: bigint): void {
		const wait = this.#between(2 * HOUR, 2 * DAY);
		if (!isCoin(asset)) return void this.#receive(asset, amount, (id) => this.#takeBack(asset, amount, id, wait));
		const payment = this.#order(asset, amount);
		this.#run1([payment], this.#run('pay once'), () => 'paid');
		const comesBack = () => {
			if (!payment.isFinal) return this.#later(HOUR, comesBack);
			const isFeeBack = this.#random() < 0.5;
			this.#move(asset, amount + (isFeeBack ? payment.costs : 0n));
			this.#deliver(updateOf(payment, 'failed'), () => this.#learn(payment, { back: amount }));
			if (isFeeBack)
				this.#later(this.#between(DAY, 2 * DAY), () => this.#correct(asset, payment.costs, payment.key));
		};
		this.#later(wait, comesBack);
	}

	#takeBack(asset: Asset, amount: bigint, id: string, wait: number): void {
		this.#later(wait, () => {
			const back = movementOf(asset, -amount);
			this.#move(asset, -amount);
			const event = this.#depositEvent({ ...back, amount }, id, 'reversed');
			this.#deliver(event, () => this.#learn(back, { counts: true }));
		});
	}

	/** A word of failure, and the money does not come back. A person asks the service, and books it. */
	#contradict(asset: Asset, amount: bigint): void {
		const isBooked = (reference: string) =>
			this.#later(this.#between(HOUR, 2 * DAY), () => this.#correct(asset, isCoin(asset) ? -amount : amount, reference));
		if (isCoin(asset)) {
			const payment = this.#order(asset, amount);
			this.#run1([payment], this.#run('pay once'), () => 'paid');
			const fails = () => {
				if (!payment.isFinal) return this.#later(HOUR, fails);
				this.#deliver(updateOf(payment, 'failed'), () => this.#learn(payment, { back: amount }));
				isBooked(payment.key);
			};
			return this.#later(HOUR, fails);
		}
		this.#receive(asset, amount, (id) =>
			this.#later(HOUR, () => {
				const back = movementOf(asset, -amount);
				const event = this.#depositEvent({ ...back, amount }, id, 'failed');
				this.#deliver(event, () => this.#learn(back, { counts: true }));
				isBooked(id);
			}),
		);
	}

	/* What the service does and tells. */

	/** Makes a payout. Of those in coins the service tells, and of their fee with the end, later, or never. */
	#make(payment: Payment, hasAnswer = true): void {
		const { asset, amount } = payment;
		payment.id = `po_${this.#number()}`;
		this.#move(asset, amount);
		if (!isCoin(asset)) return;
		const isFree = this.#random() < 0.05;
		payment.costs = isFree ? 0n : [500_000n, 1_000_000n, 1_000_000n, 2_500_000n][Math.floor(this.#random() * 4)]!;
		this.#accounts[asset].ledger -= payment.costs;
		const chance = this.#random();
		const isLate = chance < 0.05;
		const isTyped = chance > 0.98 && hasAnswer;
		const tell = (status: string, learns: Partial<Payment>, more: Item = {}) =>
			this.#deliver(updateOf(payment, status, more), () => this.#learn(payment, learns));
		const isEnd: Partial<Payment> = { counts: true, isFinal: true };
		this.#later(this.#between(0.1, 1), () => tell('pending', {}));
		const fee = { fee: textOf(payment.costs, asset), feeCoin: asset };
		this.#later(this.#random() < 0.03 ? this.#between(6 * HOUR, 30 * HOUR) : this.#between(2, HOUR), () => {
			if (isFree) return tell('successful', isEnd);
			if (!isLate && !isTyped) return tell('successful', { ...isEnd, fee: payment.costs }, fee);
			tell('successful', isEnd);
			if (isLate)
				this.#later(this.#between(6 * HOUR, 40 * HOUR), () =>
					tell('successful', { ...isEnd, fee: payment.costs }, fee),
				);
			// A person who misses it asks the service.
			else
				this.#later(this.#between(DAY, 2.5 * DAY), () => {
					const { fee: typed, feeCoin } = fee;
					const kind = 'crypto payout';
					this.#book([{ kind, reference: payment.id, fee: typed, feeAsset: feeCoin, asset }], PERSON);
					this.#learn(payment, { fee: payment.costs });
				});
		});
	}

	/** A delivery comes within seconds. Few come hours late, and few come twice. */
	#deliver(event: Item, learns: () => void): void {
		const wait = this.#random() < 0.01 ? this.#between(HOUR, 14 * HOUR) : this.#between(1, 8) * SECOND;
		const deliveryKey = `${event.event}:${event.id}:${event.status}:${event.fee ?? ''}`;
		const isBooked = () =>
			this.#book([{ ...event, deliveryKey, receivedAt: this.now }], this.#run('book an event'));
		this.#later(wait, () => {
			isBooked();
			learns();
			if (this.#random() < 0.05) this.#later(this.#between(0, 5 * HOUR), isBooked);
		});
	}

	#move(asset: Asset, amount: bigint): void {
		this.movements += 1;
		this.#accounts[asset].ledger += amount;
	}

	#isMissing(name: CommandName, asset: Asset, amount: bigint, reference = ''): void {
		this.faults.push({ name, asset, amount, reference, minute: this.minute, state: 'open' });
	}

	/* What is written. */

	#book(items: Item[], writer: Writer): void {
		const { now } = this;
		this.batches.push({ items, rows: items.map((item) => rowOf(item, writer, now)), writer, now });
	}

	#correct(asset: Asset, amount: bigint, reference: string): void {
		const key = `correction ${this.#number()}`;
		this.#book([{ key, kind: 'correction', asset, amount: textOf(amount, asset), reference }], PERSON);
		this.#accounts[asset].told += amount;
	}

	/** The rows that have come tell more of a movement. */
	#learn<Each extends Movement>(movement: Each, learns: Partial<NoInfer<Each>>): void {
		const before = told(movement);
		Object.assign(movement, learns);
		this.#accounts[movement.asset].told += told(movement) - before;
	}

	#order(asset: Asset, amount: bigint): Payment {
		const destinations = isCoin(asset) ? WALLETS : ACCOUNTS;
		const destination = destinations[Math.floor(this.#random() * destinations.length)]!;
		const key = `INV-${this.#number()}`;
		return { ...movementOf(asset, -amount), key, destination, id: '', costs: 0n, isFinal: false };
	}

	#run(name: string): Writer {
		return { workflow: `wf-${name.replaceAll(' ', '-')} ${name}`, execution: String(this.#number()) };
	}

	#number(): number {
		return (this.#numbers += 1);
	}

	/* Time. */

	#between(from: number, to: number): number {
		return from + this.#random() * (to - from);
	}

	#later(minutes: number, act: () => void): void {
		this.#at(this.minute + minutes, act);
	}

	#at(minute: number, act: () => void): void {
		const place = this.#due.findLastIndex((task) => task.minute <= minute) + 1;
		this.#due.splice(place, 0, { minute, act });
	}
}

/** A payment as a list has it. */
function asked({ key, asset, amount, destination }: Payment): Item {
	const code: Item = isCoin(asset) ? { coin: asset } : { currency: asset };
	return { paymentKey: key, amount: textOf(-amount, asset), ...code, destination, approvedBy: 'Ada Obi' };
}

/** A payment as it comes out of the node. */
function answered(payment: Payment, result: string): Item {
	const { destination, ...item } = asked(payment);
	const place: Item = isCoin(payment.asset) ? { walletAlias: destination! } : { accountAlias: destination! };
	const made: Item = result === 'paid' ? { payoutId: payment.id, status: 'pending' } : {};
	return { ...item, ...place, result, ...made };
}

function updateOf({ asset, amount, destination, id }: Payment, status: string, more: Item = {}): Item {
	const event = 'crypto_payout_update';
	return { event, id, status, coin: asset, amount: textOf(-amount, asset), walletAlias: destination, ...more };
}
