/**
 * Book: Reconcile. For each asset, the balance is compared with the opening balance and everything that the book has since then.
 *
 * 1. Which rows are one movement, and which of them counts: ../fold.ts.
 * 2. The account of an asset, from its opening to what the balance should be: account.ts.
 * 3. What is open, and which of it explains a difference: openItems.ts.
 * 4. The verdict: judge.ts. Its sentences, and what a person does: lines.ts.
 * 5. The mail and the file: page.ts, statement.ts.
 *
 * Nothing is remembered between two runs: the same rows, balances and time give the same answer.
 */
import type { Balance } from '../../values/asset.ts';
import type { Folded } from '../fold.ts';
import { rowToInsert } from '../row.ts';
import type { Book, BookCells } from '../row.ts';
import { accountsOf } from './account.ts';
import type { AssetsOfBook } from './assets.ts';
import { judge } from './judge.ts';
import type { Judged, Reading, Verdict } from './judge.ts';
import { saidOf, shownItem } from './lines.ts';
import { shownItems } from './openItems.ts';
import type { ShownItem } from './lines.ts';
import { VERDICT } from './messages.ts';
import { pageOf } from './page.ts';
import { statementOf } from './statement.ts';

export interface ReconcileInput extends Reading {
	book: Book;
	/** `fold` of its rows, and `assetsOf` that. */
	folded: Folded;
	assets: AssetsOfBook;
	/** Those of `assets`. */
	balances: Balance[];
	/** Who writes the rows. */
	writer: Pick<BookCells, 'workflow' | 'execution'>;
}

type Sums =
	| 'asset'
	| 'opening'
	| 'openedAt'
	| 'booked'
	| 'expected'
	| 'balance'
	| 'difference'
	| 'verdict'
	| 'since';

/** One asset, as the operation gives it. */
export interface ReconciledBalance extends Pick<Judged, Sums> {
	openItems: ShownItem[];
	/** Sentences: the verdict, then what to do. */
	lines: string[];
}

export interface Reconciliation {
	subject: string;
	text: string;
	html: string;
	balances: ReconciledBalance[];
	/** New rows of the book: openings, and what this reading found. */
	rows: BookCells[];
	/** A statement in order of time, as CSV. */
	file: string;
}

/** Reconciles all balances. Never changes a row, and never asks for a payment. */
export function reconcile(input: ReconcileInput): Reconciliation {
	const { assets, balances, folded, settings } = input;
	const accountOf = accountsOf(folded, settings);
	const given = new Map(balances.map((balance) => [balance.code, balance]));
	const all: Balance[] = [
		...assets.both.map((code) => ({ code, isFiat: true, problem: VERDICT.isBoth(code) })),
		...assets.assets.map((asset) => given.get(asset.code) ?? { ...asset, problem: VERDICT.notReadWhy() }),
	];
	const judged = all
		.map((balance) => judge(balance, accountOf(balance), input))
		.sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
	const told = judged.map((each): ReconciledBalance => {
		const { asset, opening, openedAt, booked, expected, balance, difference, verdict, since } = each;
		const sums = { opening, openedAt, booked, expected, balance, difference };
		const open = shownItems(each.items, verdict !== 'not explained');
		const openItems = open.map((item) => shownItem(item, input.now));
		const said = saidOf(each);
		return { asset, ...sums, verdict, since, openItems, lines: [...said.verdict, ...said.whatToDo] };
	});
	return {
		...pageOf(judged, input),
		balances: told,
		rows: judged.flatMap((each) => rowsToInsert(each, input)),
		file: statementOf(judged, input),
	};
}

/** What a person must see first. */
const ORDER: readonly Verdict[] = ['not explained', 'not read', 'open items', 'no opening', 'reconciled'];

function rowsToInsert(judged: Judged, { now, settings, writer }: ReconcileInput): BookCells[] {
	const { asset, account, balance, difference, verdict, isOpened, items, keepsOpen } = judged;
	if (balance === '') return [];
	const details = account.asset.isFiat ? 'fiat' : 'crypto';
	const common = { time: now, asset, amount: balance, details, ...writer };
	const isOpen = shownItems(items, true).length + keepsOpen.length > 0;
	const isCalm = verdict === 'reconciled' && !isOpen;
	const isMoved = settings.moveOpening && isCalm && !isOpened;
	const opening = { ...common, key: `opening ${asset} ${now}`, kind: 'opening' };
	const reading = { ...common, key: `reconciliation ${asset} ${now}`, kind: 'reconciliation' };
	return [
		...(isOpened || isMoved ? [rowToInsert(opening)] : []),
		rowToInsert({ ...reading, reference: difference, status: verdict }),
	];
}
