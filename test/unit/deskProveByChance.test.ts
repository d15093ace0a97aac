/** Book: Prove in months of one asset that are made by chance, with amounts of up to 13 digits. */
import fc from 'fast-check';
import { add } from '../../api/exact/decimal.ts';
import type { BookRow } from '../../nodes/WalletServiceDesk/book/bookRow.ts';
import { prove } from '../../nodes/WalletServiceDesk/book/prove/prove.ts';
import { at, balanceRow, coinPayout, deposit, LOST, payout, row, update, words } from './proofMornings.ts';

describe('a month by chance', () => {
	const CALM = ['payout', 'payout', 'deposit'] as const;
	const WRONG = ['lostPaid', 'lostNotPaid', 'lostEvent', 'intruder', 'stuck', 'contradiction'] as const;
	const happening = <Kind extends string>(kinds: readonly Kind[]) =>
		fc.record({
			kind: fc.constantFrom(...kinds),
			units: fc.noBias(fc.integer({ min: 1, max: 10 ** 13 })),
			minute: fc.integer({ min: 90, max: 1300 }),
		});
	const day = fc.record({
		calm: fc.array(happening(CALM), { maxLength: 12 }),
		wrong: fc.option(happening(WRONG), { freq: 2 }),
	});
	const month = fc.array(day, { minLength: 30, maxLength: 30 });

	/** What the balance does, what the book says, and by what causes the next proof is to be explained. A person sees to it the next day. */
	class World {
		balance = '9000000000000000.00';
		readonly rows: BookRow[];
		readonly wasPaid = new Map<string, boolean>();
		readonly #tomorrow: Array<(time: string) => void> = [];
		cause: unknown[] = ['proved'];
		readonly isFiat: boolean;

		constructor(asset: string) {
			this.isFiat = asset === 'NGN';
			const known = coinPayout({ time: at(-1) });
			const opening = balanceRow(asset, { amount: this.balance });
			this.rows = this.isFiat ? [opening] : [opening, known, update(known, { time: at(-1) })];
		}

		#leaves(order: BookRow): void {
			this.balance = [this.balance, order.amount, this.isFiat ? '0' : '-0.5'].reduce(add);
		}

		#report(order: BookRow): void {
			if (!this.isFiat) this.rows.push(update(order, { time: order.time }));
		}

		begins(time: string): void {
			this.cause = ['proved'];
			for (const act of this.#tomorrow.splice(0)) act(time);
		}

		#isBookedLater(amount: string, asset: string): void {
			this.#tomorrow.push((time) => this.rows.push(row({ kind: 'correction', time, asset, amount })));
		}

		happens(kind: (typeof CALM)[number] | (typeof WRONG)[number], units: number, time: string): void {
			const amount = `${Math.floor(units / 100)}.${String(units % 100).padStart(2, '0')}`;
			const order = this.isFiat ? payout({ amount, time }) : coinPayout({ amount, time });
			switch (kind) {
				case 'payout':
					this.#leaves(order);
					this.rows.push(order);
					return this.#report(order);
				case 'deposit':
					this.balance = add(this.balance, amount);
					this.rows.push(deposit({ asset: order.asset, amount, time }));
					return;
				case 'lostPaid': {
					this.#leaves(order);
					const lost = { ...order, ...LOST };
					this.rows.push(lost);
					this.wasPaid.set(order.key, true);
					// Its update may come, too.
					const isReported = this.isFiat || units % 2 === 1;
					if (isReported) this.#report(order);
					this.cause = ['explained', order.key, ...(isReported ? [] : [`fee:${order.key}`])];
					const fee = isReported ? {} : { fee: '0.5', feeAsset: order.asset };
					this.#tomorrow.push(() => Object.assign(lost, { result: 'paid', ...fee }));
					return;
				}
				case 'lostNotPaid':
					this.rows.push({ ...order, ...LOST });
					this.wasPaid.set(order.key, false);
					return;
				case 'lostEvent':
					this.balance = add(this.balance, amount);
					this.#isBookedLater(amount, order.asset);
					this.cause = ['NOT EXPLAINED'];
					return;
				case 'intruder':
					this.#leaves(order);
					this.#report(order);
					this.#tomorrow.push(() => this.rows.push(order));
					this.cause = this.isFiat ? ['NOT EXPLAINED'] : ['explained', `payout:${order.reference}`];
					return;
				case 'stuck':
					this.rows.push(order);
					if (!this.isFiat) this.balance = add(this.balance, '-0.5');
					this.#report(order);
					this.#tomorrow.push(() => (this.balance = add(this.balance, order.amount)));
					this.cause = ['explained', order.key];
					return;
				case 'contradiction': {
					const credited = deposit({ asset: order.asset, amount, time });
					this.rows.push(credited, { ...credited, key: `${credited.key} back`, status: 'reversed' });
					this.#isBookedLater(`-${amount}`, order.asset);
					this.cause = ['explained', `other:${credited.key}`];
				}
			}
		}
	}

	test.each(['NGN', 'USDT'])(
		'in %s each difference has its true cause, and there is no false alarm',
		(asset) => {
			const property = fc.property(month, (days) => {
				const world = new World(asset);
				for (const [index, { calm, wrong }] of days.entries()) {
					world.begins(at(index, 61));
					for (const { kind, units, minute } of [...calm, ...(wrong ? [wrong] : [])])
						world.happens(kind, units, at(index, minute));
					const { proofs, rows } = prove({
						rows: world.rows,
						balances: [{ code: asset, isFiat: asset === 'NGN', balance: world.balance }],
						now: at(index + 1),
						settings: { underWayMinutes: 60, feesOnTop: true },
					});
					world.rows.push(...rows);
					const proof = proofs[0]!;
					expect([index, proof.verdict, ...proof.causes]).toEqual([index, ...world.cause]);
					// What is said of a payment without an answer is true, each morning.
					for (const [, key, says] of words(proof).matchAll(
						/(INV-\d+), (?:(?!INV-).)*(looks not paid|looks paid)/g,
					))
						expect([key, says]).toEqual([key, world.wasPaid.get(key!) ? 'looks paid' : 'looks not paid']);
				}
			});
			fc.assert(property, { numRuns: 15, endOnFailure: true });
		},
	);
});
