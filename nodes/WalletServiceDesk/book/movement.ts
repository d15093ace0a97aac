/** One movement of money, by all its rows: which row says what became of it, from when it counts, with which amount and fee. */
import { canonical, compare, isZero, negate, subtract, withoutSign } from '../../../api/exact/decimal.ts';
import { isFailedStatus, isFinalStatus, isUnknownStatus } from '../../shared/answers/statuses.ts';
import { UNDER_WAY } from '../operation/result.ts';
import { groupsOf } from '../values/groups.ts';
import { byTime } from './bookTime.ts';
import { kindOf } from './row.ts';
import type { BookRow, KindName } from './row.ts';

/**
 * What became of a movement.
 * - `made`: the money has moved, and counts
 * - `no answer`: a payment that is under way or unknown. It may have been made
 * - `paid before`: its key says that it was paid, and no row says when
 * - `not made`: refused, not sent, or failed before it moved anything
 * - `pending`: a deposit or funding without a final state
 * - `not ordered`: updates of a crypto payout that is not in the book as a payment
 */
export type MovementState = 'made' | 'no answer' | 'paid before' | 'not made' | 'pending' | 'not ordered';

/** A part of a movement that has a time of its own. */
export interface Part {
	/** Signed, as it changes the balance. */
	amount: string;
	time: string;
	/** The row that says it. */
	row: BookRow;
}

/** A payment, a deposit, a funding by an administrator, or one side of a conversion. */
export interface Movement {
	kind: KindName;
	state: MovementState;
	/** How people and corrections name it: its key, or the reference of what nobody ordered. '' if it has neither. */
	name: string;
	/** Filled cells of its rows, the newest first; those of `row` before others. */
	key: string;
	reference: string;
	asset: string;
	counterpart: string;
	details: string;
	txHash: string;
	/** Signed decimal text; '' if no row has one that can be read. */
	amount: string;
	/** Decimal text without a sign, of the newest row that has one; '' if none was reported. */
	fee: string;
	feeAsset: string;
	/**
	 * When the execution began that made it, or the first one that may have; of what comes in, the time of its first row of success. Its
	 * amount counts from then on, if the state is `made`.
	 */
	from: string;
	/** What came back, if the newest final state is a failure. */
	back: Part | undefined;
	/** By how much the balance is another one if a word that contradicts the one that counts is right. */
	others: Part[];
	/** The newest final state, by the first arrival of each; '' if there is none. */
	final: 'successful' | 'failed' | '';
	/** The time of its first row. */
	began: string;
	/** The time of its newest row. A run that sent nothing, since a key or a limit held it, makes nothing newer. */
	newest: string;
	/** The execution that made it, or may have: `run` of its rows. */
	run: string;
	/** The row that says what became of it. */
	row: BookRow;
	/** What the service told of a crypto payout, the oldest first. */
	updates: BookRow[];
	/** All its rows, the oldest first. */
	rows: BookRow[];
	/** Corrections that name its key or reference. They end what is open of it, and alerts. */
	corrections: BookRow[];
}

/** The time from which a movement may have moved money: a run that sent nothing, or was refused, has not. */
export function mayMoveFrom({ state, from, began }: Movement): string {
	return state === 'made' || state === 'no answer' ? from : began;
}

/** Whether a person said that it was not made, and a run has no answer. */
export function isDenied({ state, row, rows }: Movement): boolean {
	return (
		state === 'not made' &&
		row.run === '' &&
		rows.some((each) => each.run !== '' && stateOf(each) === 'no answer')
	);
}

/** Whether a correction that was written after this time books it. */
export function isBooked({ corrections }: Movement, began: string): boolean {
	return corrections.some(({ written }) => began <= written);
}

/** Whether a row is what the service told of a crypto payout, and no order. */
export function isUpdate({ kind, result }: BookRow): boolean {
	return kind === 'crypto payout' && result === '';
}

/** The movement of these rows, which are one. */
export function movementOf(unordered: readonly BookRow[]): Movement {
	const rows = unordered.toSorted(byTime);
	const orders = rows.filter((row) => !isUpdate(row));
	const updates = rows.filter(isUpdate);
	const finals = finalsOf(rows);
	const said = kindOf(rows[0]!.kind)?.is === 'payment' ? ofPayment(orders, updates) : ofFunding(rows, finals);
	const { row, state, from, run } = decided(said, finals);
	// The key of an update is that of its delivery, so orders come first.
	const cells = [row, ...orders.toReversed(), ...updates.toReversed()];
	const filled = (column: keyof BookRow & string) =>
		(cells.find((each) => each[column] !== '')?.[column] ?? '') as string;
	const [key, reference, amount] = [filled('key'), filled('reference'), filled('amount')];
	const fee = feeRow(rows);
	const isBack = state === 'made' && finals.newest === 'failed';
	const back = isBack && amount !== '' ? comesBack(amount, finals.failed!) : undefined;
	return {
		kind: rows[0]!.kind as KindName,
		state,
		name: orders.length > 0 ? key || reference : reference || key,
		key,
		reference,
		amount,
		asset: filled('asset'),
		counterpart: filled('counterpart'),
		details: filled('details'),
		txHash: filled('txHash'),
		fee: fee?.fee ?? '',
		feeAsset: fee === undefined ? '' : fee.feeAsset || fee.asset || row.asset,
		from,
		back,
		others: amount === '' ? [] : contradictions({ rows, state, amount, back, finals }),
		final: finals.newest,
		began: rows[0]!.time,
		newest: newestOf(rows),
		run,
		row,
		updates,
		rows,
		corrections: [],
	};
}

/** The newest fee. One that came before the end, such as 0, says nothing of the fee at the end. */
function feeRow(rows: readonly BookRow[]): BookRow | undefined {
	const told = rows.filter(({ fee }) => fee !== '');
	return told.findLast(({ run, status }) => run === '' || isFinalStatus(status)) ?? told.at(-1);
}

const HELD = ['notSent', 'alreadyPaid'];

function newestOf(rows: readonly BookRow[]): string {
	const held = new Set(
		rows.filter(({ run, result }) => run !== '' && HELD.includes(result)).map(({ run }) => run),
	);
	const sent = new Set(rows.filter(({ result }) => isSent(result)).map(({ run }) => run));
	const newest = rows.findLast((row) => isUpdate(row) || !held.has(row.run) || sent.has(row.run));
	return (newest ?? rows.find(({ result }) => result === 'alreadyPaid') ?? rows[0]!).time;
}

/** Whether a payment left, or may have, in the run of a row of this result. */
const isSent = (result: string) => result !== '' && result !== UNDER_WAY && !HELD.includes(result);

/** Which row says what became of a movement, and from when its amount counts if it was made. */
interface Outcome {
	row: BookRow;
	state: MovementState;
	from: string;
	run: string;
}

interface Finals {
	/** The first arrival of each state. */
	success: BookRow | undefined;
	failed: BookRow | undefined;
	/** A word behind a success that nobody knows, such as `charged_back`. */
	unknown: BookRow | undefined;
	/** The state that arrived last. */
	newest: 'successful' | 'failed' | '';
}

function finalsOf(rows: readonly BookRow[]): Finals {
	const success = rows.find(isSuccess);
	const failed = rows.find(({ status }) => isFailedStatus(status));
	const unknown = success && rows.find((row) => row.time > success.time && isUnknownStatus(row.status));
	const isFailedNewer = failed !== undefined && (success === undefined || failed.time > success.time);
	return { success, failed, unknown, newest: isFailedNewer ? 'failed' : success ? 'successful' : '' };
}

/** A person who writes down a deposit need not know a status. */
function isSuccess({ kind, status, run }: BookRow): boolean {
	if (status === '') return run === '' && kindOf(kind)?.is === 'funding';
	return isFinalStatus(status) && !isFailedStatus(status);
}

/** A final state decides a payment without an answer: one that has failed without a success before has moved nothing. */
function decided(said: Outcome, { success, failed }: Finals): Outcome {
	if (said.state !== 'no answer' || (success ?? failed) === undefined) return said;
	return { ...said, state: success === undefined ? 'not made' : 'made' };
}

/**
 * `paid` beats all. Then comes a person, unless a run began later; then `alreadyPaid`; then the newest run that has sent anything.
 */
function ofPayment(orders: readonly BookRow[], updates: readonly BookRow[]): Outcome {
	const told = orders.filter(({ result }) => result !== '' && result !== 'dryRun');
	const runs = groupsOf(
		told.filter(({ run }) => run !== ''),
		({ run }) => run,
	).map(runOf);
	const denied = told.findLast(({ run, result }) => run === '' && NOT_MADE.includes(result))?.time ?? '';
	// The first of several may have made it: it counts from then on. What a person denied has not.
	const open = runs.find(({ state, from }) => state === 'no answer' && from > denied);
	const paid = told.find(({ result }) => result === 'paid');
	if (paid !== undefined) {
		const made = runs.find(({ run }) => run === paid.run) ?? open;
		return { row: paid, state: 'made', from: made?.from ?? paid.time, run: made?.run ?? paid.run };
	}
	const newest = runs.findLast(({ row }) => row.result !== 'notSent');
	const person = told.findLast(({ run }) => run === '');
	const isOverruled = person !== undefined && newest !== undefined && newest.from > person.time;
	const before = told.find(({ result }) => result === 'alreadyPaid');
	const row = (isOverruled ? undefined : person) ?? before ?? newest?.row ?? told.at(-1);
	if (row === undefined) {
		const first = orders[0] ?? updates[0]!;
		return {
			row: first,
			state: isUpdate(first) ? 'not ordered' : stateOf(first),
			from: first.time,
			run: first.run,
		};
	}
	if (row.result !== 'alreadyPaid')
		return { row, state: stateOf(row), from: open?.from ?? row.time, run: open?.run ?? row.run };
	const made = open !== undefined && open.from < row.time ? open : undefined;
	return {
		row,
		state: made === undefined ? 'paid before' : 'made',
		from: made?.from ?? '',
		run: made?.run ?? row.run,
	};
}

/** Of two rows of one run and time. `notSent` ends nothing but a row `under way`: what is unknown may have gone out. */
const RANK = [UNDER_WAY, 'notSent', 'rejected'];
const rankOf = ({ result }: BookRow) => (RANK.includes(result) ? RANK.indexOf(result) : RANK.length);

/** What the rows of one execution say together. Its first row is from before the payment was sent. */
function runOf(rows: readonly BookRow[]): Outcome {
	const last = rows.toSorted((a, b) => byTime(a, b) || rankOf(a) - rankOf(b)).at(-1)!;
	const sent = rows.findLast(({ result }) => result !== 'notSent' && result !== UNDER_WAY);
	const row = last.result === 'notSent' ? (sent ?? last) : last;
	return { row, state: stateOf(row), from: rows[0]!.time, run: row.run };
}

const NOT_MADE = ['notSent', 'rejected', 'dryRun'];

/** No word, and each one that the book does not know, is no answer, since the money may have moved. */
function stateOf({ result }: BookRow): MovementState {
	if (result === 'paid') return 'made';
	if (result === 'alreadyPaid') return 'paid before';
	return NOT_MADE.includes(result) ? 'not made' : 'no answer';
}

/** Funding counts from its first row of success. */
function ofFunding(rows: readonly BookRow[], { success, failed }: Finals): Outcome {
	const row = success ?? failed ?? rows.at(-1)!;
	const state = success !== undefined ? 'made' : failed !== undefined ? 'not made' : 'pending';
	return { row, state, from: row.time, run: row.run };
}

/** The whole amount, unless the row names a smaller one. */
function comesBack(amount: string, row: BookRow): Part {
	const part = withoutSign(row.amount);
	const isPart = part !== '' && !isZero(part) && compare(part, withoutSign(amount)) < 0;
	const back = isPart ? part : withoutSign(amount);
	return { amount: amount.startsWith('-') ? back : negate(back), time: row.time, row };
}

interface Told extends Pick<Movement, 'state' | 'amount' | 'back'> {
	rows: readonly BookRow[];
	finals: Finals;
}

/** What the balance would have more, or less, if another word is right than the one that counts. */
function contradictions({ rows, state, amount, back, finals }: Told): Part[] {
	const { success, failed, unknown, newest } = finals;
	if (state === 'not made' && success && newest === 'successful')
		return [{ amount, time: success.time, row: success }];
	if (state !== 'made' || success === undefined) return [];
	const parts = otherAmounts(rows, amount);
	if (back) parts.push({ amount: negate(back.amount), time: back.time, row: success });
	else if (failed) parts.push({ amount: negate(amount), time: success.time, row: failed });
	else if (unknown) parts.push({ ...comesBack(amount, unknown), row: unknown });
	return parts;
}

/** A success that came again with another amount. Of a payment, the document does not say if an update has the fee in its amount. */
function otherAmounts(rows: readonly BookRow[], amount: string): Part[] {
	const told = rows.filter((row) => kindOf(row.kind)?.is === 'funding' && isSuccess(row));
	const differing = told.filter((row) => row.amount !== '' && compare(row.amount, amount) !== 0);
	const once = new Map(differing.toReversed().map((row) => [canonical(row.amount), row]));
	return [...once.values()].map((row) => ({ amount: subtract(row.amount, amount), time: row.time, row }));
}
