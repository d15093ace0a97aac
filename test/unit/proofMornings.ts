/** Rows of a book and mornings that prove them, for tests of Book: Prove. */
import { add } from '../../api/exact/decimal.ts';
import type { BookRow } from '../../nodes/WalletServiceDesk/book/bookRow.ts';
import { prove } from '../../nodes/WalletServiceDesk/book/prove/prove.ts';
import type { Proof, ProofReport } from '../../nodes/WalletServiceDesk/book/prove/prove.ts';

/** Day 0 is 1 January 2026 at 06:00, when the first balance was proved. */
export const at = (day: number, minutes = 0) =>
	new Date(Date.UTC(2026, 0, day + 1, 6, minutes)).toISOString();

let ids = 0;
const nextId = () => ++ids;

const EMPTY: BookRow = {
	...{ key: '', kind: '', time: '', asset: '', amount: '', counterpart: '', reference: '', result: '' },
	...{
		status: '',
		txHash: '',
		fee: '',
		feeAsset: '',
		message: '',
		workflow: '',
		execution: '',
		approvedBy: '',
	},
};

export const row = (columns: Partial<BookRow>): BookRow => ({ ...EMPTY, ...columns });

/** A fiat payout of 40 NGN that was paid an hour after the first proof. The amount is written without its minus. */
export const payout = (columns: Partial<BookRow> = {}): BookRow => {
	const id = nextId();
	const { amount = '40', ...others } = columns;
	return row({
		...{ key: `INV-${id}`, kind: 'fiat payout', time: at(0, 60), asset: 'NGN', amount: `-${amount}` },
		...{ counterpart: 'supplier-main', reference: `po_${id}`, result: 'paid', status: 'pending' },
		...others,
	});
};

export const coinPayout = (columns: Partial<BookRow> = {}) =>
	payout({ kind: 'coin payout', asset: 'USDT', counterpart: 'treasury', ...columns });

/** The answer was lost. */
export const LOST = { result: 'unknown', reference: '', status: '' };

/** What the service tells of a payout in coins: successful, with a fee of 0.5. */
export const update = (of: BookRow, columns: Partial<BookRow> = {}): BookRow =>
	row({
		...{
			key: `update:${nextId()}`,
			kind: 'coin payout',
			time: at(0, 60),
			asset: of.asset,
			amount: of.amount,
		},
		...{ counterpart: of.counterpart, reference: of.reference, status: 'successful' },
		...{ fee: '0.5', feeAsset: of.asset },
		...columns,
	});

/** A deposit of 100 NGN, an hour after the first proof. */
export const deposit = (columns: Partial<BookRow> = {}): BookRow => {
	const id = nextId();
	return row({
		...{ key: `event:${id}`, kind: 'deposit', time: at(0, 60), asset: 'NGN', amount: '100' },
		...{ counterpart: 'Ada Obi to customer-0042', reference: `dep_${id}`, status: 'successful' },
		...columns,
	});
};

/** What the book has on a morning, beside the balance rows, and what the service says. */
export interface Morning {
	asset: string;
	balance: string;
	rows: BookRow[];
	feesOnTop?: boolean;
}

const morningOf =
	(asset: string) =>
	(balance: string, ...rows: BookRow[]): Morning => ({ asset, balance, rows });

export const fiat = morningOf('NGN');
export const usdt = morningOf('USDT');

const OPENING = '1000';

export const balanceRow = (asset: string, columns: Partial<BookRow> = {}): BookRow =>
	row({
		key: `balance ${asset}`,
		kind: 'balance',
		time: at(0),
		asset,
		amount: OPENING,
		message: '[]',
		...columns,
	});

/** The reports of mornings, each after the one before. The balance before the first is 1000. */
export function reports(...days: Morning[]): ProofReport[] {
	const balances = [...new Set(days.map(({ asset }) => asset))].map((asset) => balanceRow(asset));
	return days.map(({ asset, balance, rows, feesOnTop = true }, index) => {
		const report = prove({
			rows: [...balances, ...rows],
			balances: [{ code: asset, isFiat: asset === 'NGN', balance }],
			now: at(index + 1),
			settings: { feesOnTop, underWayMinutes: 60 },
		});
		balances.push(...report.rows);
		return report;
	});
}

export function mornings<Days extends Morning[]>(...days: Days): { [Day in keyof Days]: Proof } {
	return reports(...days).map(({ proofs }) => proofs[0]) as { [Day in keyof Days]: Proof };
}

export const said = (proof: Proof) => [proof.verdict, proof.difference, ...proof.causes];
export const words = ({ lines, notes }: Proof) => [...lines, ...notes].join('\n');
export const sum = (amounts: string[]) => amounts.reduce(add, '0');
