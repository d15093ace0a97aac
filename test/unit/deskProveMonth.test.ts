/**
 * The judge of Book: Prove: months of 2,000 movements in a small world that knows what is true, with a book that knows what was written.
 * Each day at most one thing goes wrong with an asset. Each morning's verdict is compared with what was really done.
 */
import { add, negate, subtract } from '../../api/exact/decimal.ts';
import type { BookRow } from '../../nodes/WalletServiceDesk/book/bookRow.ts';
import { prove } from '../../nodes/WalletServiceDesk/book/prove/prove.ts';
import type { Proof } from '../../nodes/WalletServiceDesk/book/prove/prove.ts';
import { randomNumbers } from '../../host/testkit/random.ts';
import { at, row, words } from './proofMornings.ts';

const ASSETS = ['NGN', 'USDT'] as const;
type Asset = (typeof ASSETS)[number];

/** How often each thing goes wrong in a month. On all other days nothing does. */
const FAULTS = { killed: 10, lostPaid: 10, lostNotPaid: 10, lostEvent: 5, intruder: 3, contradiction: 2 };
type Fault = keyof typeof FAULTS | 'calm';

const DAYS = 30;
const FEE = '0.5';

/** What the proof of an asset must say. */
interface Expected {
	verdict: Proof['verdict'];
	words?: RegExp;
}

class Month {
	readonly figures = { movements: 0, faults: 0, named: 0, falseAlarms: 0, told: 0, wrongWords: 0 };
	/** What the service has. */
	readonly #ledger: Record<Asset, string> = { NGN: '100000000.00', USDT: '100000000' };
	readonly #opening = { ...this.#ledger };
	/** The Data Table: rows of payments by key and run, and what was added. */
	readonly #payments = new Map<string, BookRow>();
	readonly #others: BookRow[] = [];
	readonly #wasPaid = new Map<string, boolean>();
	#tomorrow: Array<() => void> = [];
	#ids = 0;
	#day = 0;
	#minute = 0;

	readonly #random: () => number;

	constructor(random: () => number) {
		this.#random = random;
	}

	live(): this {
		const first = { verdict: 'first proof' as const };
		this.#morning({ NGN: first, USDT: first });
		const [fiat, coins] = this.#plan();
		for (let day = 1; day <= DAYS; day++) this.#live(day, { NGN: fiat![day - 1]!, USDT: coins![day - 1]! });
		for (const act of this.#tomorrow.splice(0)) act();
		for (const asset of ASSETS) this.#compareWithLedger(asset);
		return this;
	}

	/** A kill needs its next morning, and only coins tell of a stranger. */
	#plan(): Fault[][] {
		const faults = Object.entries(FAULTS).flatMap(([fault, count]) =>
			Array<Fault>(count).fill(fault as Fault),
		);
		const all = Array.from({ length: 2 * DAYS }, (_, index) => ({
			fault: faults[index] ?? ('calm' as const),
			place: this.#random(),
		})).sort((a, b) => a.place - b.place);
		const plan = [0, DAYS].map((from) => all.slice(from, from + DAYS).map(({ fault }) => fault));
		return plan[0]!.includes('intruder') ? this.#plan() : plan;
	}

	#live(day: number, faults: Record<Asset, Fault>): void {
		this.#day = day;
		this.#minute = 0;
		for (const act of this.#tomorrow.splice(0)) act();
		const some = (most: number) => Math.ceil(most * (0.8 + 0.4 * this.#random()));
		for (const asset of ASSETS) {
			for (let left = some(16); left > 0; left--) this.#pay(this.#order(asset));
			for (let left = some(13); left > 0; left--) this.#deposit(asset, true);
			this.#fund(asset, 'credit');
			this.#fund(asset, 'debit');
			this.#pay(this.#order(asset), 'rejected');
		}
		this.#convert();
		const [NGN, USDT] = ASSETS.map((asset) => this.#goWrong(faults[asset], asset));
		this.#morning({ NGN: NGN!, USDT: USDT! });
	}

	/** A later minute of this day. */
	#now(): string {
		this.#minute += 1;
		return at(this.#day - 1, 60 + this.#minute * 4);
	}

	#amount(asset: Asset): string {
		const [most, places] = asset === 'NGN' ? [400_000, 2] : [900, 6];
		return (10 + this.#random() * most).toFixed(places);
	}

	#move(asset: Asset, amount: string): void {
		this.#ledger[asset] = add(this.#ledger[asset], amount);
	}

	/** The row of a payment before it is sent. */
	#order(asset: Asset): BookRow {
		const isFiat = asset === 'NGN';
		return row({
			...{
				key: `MONTH-${++this.#ids}`,
				kind: isFiat ? 'fiat payout' : 'coin payout',
				time: this.#now(),
				asset,
			},
			...{ amount: `-${this.#amount(asset)}`, counterpart: isFiat ? 'supplier-main' : 'treasury' },
			...{ result: 'under way', workflow: 'Pay' },
		});
	}

	#write(order: BookRow, columns: Partial<BookRow>): void {
		const { key, execution } = order;
		this.#payments.set(`${key} ${execution}`, { ...order, ...columns });
	}

	/** Another run finds it paid: it has a row of its own. */
	#findPaid(order: BookRow): void {
		this.#write(
			{ ...order, time: this.#now(), reference: '', execution: 'again' },
			{ result: 'alreadyPaid' },
		);
	}

	/** The service makes it. Of coins it tells, with the fee. */
	#make({ asset, amount, counterpart, kind }: BookRow, isTold = true): string {
		this.figures.movements += 1;
		const reference = `po_${++this.#ids}`;
		this.#move(asset as Asset, amount);
		if (kind === 'fiat payout') return reference;
		this.#move('USDT', `-${FEE}`);
		const update = { kind, asset, amount, counterpart, reference };
		for (const status of isTold ? ['processing', 'successful'] : [])
			this.#others.push(
				row({
					...{ ...update, status, key: `crypto_payout_update:${reference}:${status}`, time: this.#now() },
					...(status === 'successful' && { fee: FEE, feeAsset: 'USDT' }),
				}),
			);
		return reference;
	}

	#pay(order: BookRow, result = 'paid'): void {
		if (result !== 'paid') return this.#write(order, { result });
		this.#write(order, { result, status: 'pending', reference: this.#make(order) });
	}

	#deposit(asset: Asset, isTold: boolean): void {
		this.figures.movements += 1;
		const amount = this.#amount(asset);
		this.#move(asset, amount);
		if (!isTold) {
			// A person reads the mail, and books it.
			this.#tomorrow.push(() =>
				this.#others.push(row({ kind: 'correction', time: this.#now(), asset, amount })),
			);
			return;
		}
		const reference = `dep_${++this.#ids}`;
		const kind = asset === 'NGN' ? 'deposit' : 'coin deposit';
		this.#others.push(
			row({
				...{ key: `${reference}:successful`, kind, time: this.#now(), asset, amount, reference },
				...{ counterpart: 'customer-0042', status: 'successful' },
			}),
		);
	}

	#fund(asset: Asset, direction: 'credit' | 'debit'): void {
		this.figures.movements += 1;
		const amount = direction === 'credit' ? this.#amount(asset) : negate(this.#amount(asset));
		this.#move(asset, amount);
		const reference = `adm_${++this.#ids}`;
		this.#others.push(
			row({
				...{ key: reference, kind: `admin ${direction}`, time: this.#now(), asset, amount, reference },
				status: 'successful',
			}),
		);
	}

	#convert(): void {
		this.figures.movements += 2;
		const [out, into] = [this.#amount('USDT'), this.#amount('NGN')];
		this.#move('USDT', `-${out}`);
		this.#move('NGN', into);
		const key = `conversion M-${this.#day}`;
		const common = { kind: 'conversion', time: this.#now(), reference: `itx_${this.#day}`, result: 'paid' };
		for (const side of [
			{ key: `${key} out`, asset: 'USDT', amount: `-${out}` },
			{ key: `${key} in`, asset: 'NGN', amount: into },
		])
			this.#write(row({ ...common, ...side }), { status: 'successful' });
	}

	#goWrong(fault: Fault, asset: Asset): Expected {
		if (fault !== 'calm') this.figures.faults += 1;
		switch (fault) {
			case 'lostPaid':
			case 'lostNotPaid':
				return this.#lose(this.#order(asset), fault === 'lostPaid');
			case 'killed':
				return this.#kill(asset);
			case 'lostEvent':
				this.#deposit(asset, false);
				return { verdict: 'NOT EXPLAINED', words: /a deposit or credit whose event did not come/ };
			case 'intruder': {
				const order = this.#order(asset);
				const reference = this.#make(order);
				this.#tomorrow.push(() => this.#write(order, { result: 'paid', reference }));
				return {
					verdict: 'explained',
					words: new RegExp(`payout ${reference}, .* is in no row of payments`),
				};
			}
			case 'contradiction':
				this.#contradict(asset);
				// The balance has not moved by the second word.
				this.figures.named += 1;
				return { verdict: 'proved' };
			default:
				return { verdict: 'proved' };
		}
	}

	#lose(order: BookRow, isPaid: boolean): Expected {
		if (isPaid) this.#make(order);
		this.#write(order, { result: 'unknown' });
		this.#wasPaid.set(order.key, isPaid);
		this.#tomorrow.push(() => this.#decide(order, isPaid));
		return isPaid
			? { verdict: 'explained', words: new RegExp(`${order.key}, .* has no answer, and looks paid`) }
			: { verdict: 'proved', words: new RegExp(`${order.key}, .* it looks not paid`) };
	}

	/** A person reads the mail, and answers. The row keeps its time, or is written with that of the second run. */
	#decide(order: BookRow, isPaid: boolean): void {
		const time = this.#random() < 0.5 ? order.time : this.#now();
		this.#wasPaid.delete(order.key);
		if (isPaid && this.#random() < 0.5) this.#findPaid(order);
		else if (isPaid) this.#write({ ...order, time }, { result: 'paid' });
		else this.#write({ ...order, time }, { result: 'paid', status: 'pending', reference: this.#make(order) });
	}

	/** n8n stops in a list of three: the first is paid and written, the second is paid, and the third is not sent. */
	#kill(asset: Asset): Expected {
		const [first, second, third] = [this.#order(asset), this.#order(asset), this.#order(asset)];
		const isWrittenBefore = this.#random() < 0.5;
		this.#pay(first);
		this.#make(second);
		this.#write(second, {});
		if (isWrittenBefore) this.#write(third, {});
		this.#wasPaid.set(second.key, true);
		if (isWrittenBefore) this.#wasPaid.set(third.key, false);
		this.#tomorrow.push(() => {
			// The same list again, as the proof says.
			if (this.#random() < 0.5) this.#findPaid(first);
			this.#decide(second, true);
			if (isWrittenBefore) this.#decide(third, false);
			else this.#pay({ ...third, time: this.#now() });
		});
		return {
			verdict: 'explained',
			words: new RegExp(`${second.key}, .* has no answer, and looks paid. Run its list`),
		};
	}

	#contradict(asset: Asset): void {
		const isFiat = asset === 'NGN';
		const order = this.#order(asset);
		if (!isFiat) this.#pay(order);
		const reference = isFiat ? `dep_${order.key}` : this.#payments.get(`${order.key} `)!.reference;
		for (const status of isFiat ? ['failed', 'successful'] : ['failed'])
			this.#others.push(
				row({
					...{
						key: `${reference}:${status}`,
						kind: isFiat ? 'deposit' : 'coin payout',
						time: this.#now(),
						asset,
					},
					...{ amount: isFiat ? '5.00' : order.amount, counterpart: order.counterpart, reference, status },
				}),
			);
	}

	#morning(expected: Record<Asset, Expected>): void {
		const report = prove({
			rows: [...this.#payments.values(), ...this.#others],
			balances: ASSETS.map((code) => ({ code, isFiat: code === 'NGN', balance: this.#ledger[code] })),
			now: at(this.#day),
			settings: { feesOnTop: true, underWayMinutes: 0 },
		});
		this.#others.push(...report.rows);
		for (const [index, asset] of ASSETS.entries()) this.#judge(report.proofs[index]!, expected[asset]);
	}

	#judge(proof: Proof, { verdict: wanted, words: cause }: Expected): void {
		const { figures } = this;
		const text = words(proof);
		const fits = proof.verdict === wanted;
		const isNamed = fits && (cause === undefined || cause.test(text));
		if (!fits && wanted === 'proved') figures.falseAlarms += 1;
		if (isNamed && cause !== undefined) figures.named += 1;
		if (!isNamed)
			process.stderr.write(`Day ${this.#day}: wanted ${wanted} ${String(cause)}: ${JSON.stringify(proof)}\n`);
		for (const [, key, says] of text.matchAll(/(MONTH-\d+), (?:(?!MONTH-).)*(looks not paid|looks paid)/g)) {
			figures.told += 1;
			if (this.#wasPaid.get(key!) !== (says === 'looks paid')) figures.wrongWords += 1;
		}
	}

	/** The book and the ledger are equal to the last digit. */
	#compareWithLedger(asset: Asset): void {
		const isPaid = ({ result }: BookRow) => ['paid', 'alreadyPaid'].includes(result);
		const paid = new Map([...this.#payments.values()].filter(isPaid).map((each) => [each.key, each]));
		const told = this.#others.filter(
			({ kind, status, key }) =>
				kind === 'correction' ||
				(!['coin payout', 'balance'].includes(kind) &&
					status === 'successful' &&
					!key.startsWith('dep_MONTH')),
		);
		const moved = [...paid.values(), ...told]
			.filter((each) => each.asset === asset)
			.map(({ amount }) => amount);
		const fees = this.#others.filter((each) => each.feeAsset === asset).map(({ fee }) => `-${fee}`);
		const book = [this.#opening[asset], ...moved, ...fees].reduce(add);
		expect(Number(subtract(book, this.#ledger[asset]))).toBe(0);
	}
}

test('months of 2,000 movements: all causes are named, and there is no false alarm', () => {
	const random = randomNumbers();
	const started = performance.now();
	const months = Array.from({ length: 5 }, () => new Month(random).live());
	for (const { figures } of months) {
		expect(figures).toMatchObject({ named: figures.faults, falseAlarms: 0, wrongWords: 0 });
		expect(figures.movements).toBeGreaterThan(1800);
	}
	const all = (name: keyof Month['figures']) => months.reduce((sum, { figures }) => sum + figures[name], 0);
	process.stderr.write(
		`${months.length} months: ${all('movements')} movements, ${all('named')} of ${all('faults')} causes named, ` +
			`${all('falseAlarms')} false alarms, ${Math.round(performance.now() - started)} ms\n`,
	);
});
