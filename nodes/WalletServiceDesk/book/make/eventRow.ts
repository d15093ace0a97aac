/** What an event of the trigger moves: one row of the book. */
import type { IDataObject } from 'n8n-workflow';

import { negate, withoutSign } from '../../../../api/exact/decimal.ts';
import { EVENTS, isEventName } from '../../../../api/events.ts';
import type { EventKind } from '../../../../api/events.ts';
import { isRecord } from '../../../../api/exact/json.ts';
import { fieldOf } from '../../../../api/shape.ts';
import type { BookCells as BookRow } from '../row.ts';
import { amountOf, codeOf, isThere, textOf } from '../../values/itemValues.ts';
import { shortLine } from '../../../shared/text.ts';
import { MOVEMENT_PROBLEM } from './messages.ts';
import { keyOfEvent, keyOfItem } from '../rowKeys.ts';
import type { Content } from '../rowKeys.ts';
import { filled } from './rowToWrite.ts';
import type { RowContext, RowToWrite } from './rowToWrite.ts';

/** What an event says of the money that it moved. */
interface MovedMoney {
	kind: BookRow['kind'];
	asset: string;
	/** From whom, or to whom. */
	counterpart: string;
	/** The virtual account or wallet; '' if the event has none. */
	place: string;
	isOut: boolean;
	/** Why it cannot be booked with its amount, beside the amount itself. */
	problem?: string;
}

type Event = IDataObject;

/** Of a fee that cannot be read. */
const LONGEST_FEE = 60;

const READ: Readonly<Record<string, (event: Event) => MovedMoney>> = {
	virtual_account_credited: readDeposit,
	crypto_received: readCoinDeposit,
	crypto_payout_update: readCoinPayout,
	admin_funding: readAdminFunding,
};

/** Whether an item is an event of the trigger, of whatever kind. */
export function isEvent(item: IDataObject): boolean {
	return textOf(item.event) !== '' && textOf(item.result) === '';
}

/**
 * The row of an event; none if its kind moves no money, or is not known. If its amount, its asset or its direction cannot be read, the
 * amount is '' and `message` says why. It is never 0, and never a guess.
 */
export function rowsOfEvent(event: IDataObject, index: number, context: RowContext): RowToWrite[] {
	const name = textOf(event.event);
	const read = Object.hasOwn(READ, name) ? READ[name] : undefined;
	if (read === undefined) return [];
	const moved = read(event);
	const { kind, asset, counterpart, place, isOut } = moved;
	const amount = amountOf(event.amount);
	const problem = problemOf(event, moved, amount);
	const content = { amount: amount ?? writtenAmount(event), asset, place };
	return [
		{
			key: keyOf(event, index, content, context),
			kind,
			time: textOf(event.receivedAt) || context.now,
			asset,
			amount: problem === undefined ? signed(amount, isOut) : '',
			counterpart,
			result: '',
			message: problem ?? '',
			...filled(detailsOf(event, asset)),
			workflow: context.workflow,
			execution: context.execution,
			approvedBy: '',
		},
	];
}

/** '' if there is none. */
function signed(amount = '', isOut: boolean): string {
	return isOut && amount !== '' ? negate(amount) : amount;
}

function readDeposit(event: Event): MovedMoney {
	const [sender, account] = [textOf(event.senderAccountName), textOf(event.accountAlias)];
	return {
		kind: 'deposit',
		asset: codeOf(event.currency),
		counterpart: [sender, account].filter((name) => name !== '').join(' to '),
		place: account,
		isOut: false,
	};
}

function readCoinDeposit(event: Event): MovedMoney {
	const place = textOf(event.walletAlias) || textOf(event.walletAddress);
	return { kind: 'crypto deposit', asset: codeOf(event.coin), counterpart: place, place, isOut: false };
}

function readCoinPayout(event: Event): MovedMoney {
	const place = textOf(event.walletAlias);
	return {
		kind: 'crypto payout',
		asset: codeOf(event.coin),
		counterpart: place,
		place,
		isOut: true,
		// Without its ID, nobody can tell which payment it is about.
		problem: textOf(event.id) === '' ? MOVEMENT_PROBLEM.payoutIdMissing() : undefined,
	};
}

function readAdminFunding(event: Event): MovedMoney {
	const direction = textOf(event.direction).toLowerCase();
	const isOut = direction === 'debit';
	return {
		kind: isOut ? 'admin debit' : 'admin credit',
		asset: codeOf(event.asset),
		counterpart: 'an administrator',
		place: '',
		isOut,
		problem: isOut || direction === 'credit' ? undefined : MOVEMENT_PROBLEM.directionMissing(),
	};
}

/** Why the row has no amount. Undefined if it has one. */
function problemOf(event: Event, { asset, isOut, problem }: MovedMoney, amount?: string): string | undefined {
	if (amount === undefined) return MOVEMENT_PROBLEM.amountUnreadable(writtenAmount(event));
	if (isOut && amount.startsWith('-')) return MOVEMENT_PROBLEM.amountHasSign(amount);
	if (asset === '') return MOVEMENT_PROBLEM.assetMissing();
	return problem;
}

function writtenAmount(event: Event): string {
	return JSON.stringify(writtenIn(event, 'amount') ?? null);
}

/** A field as it was sent. In the delivery as it came, it has another name. */
function writtenIn(event: Event, field: 'amount' | 'fee'): unknown {
	const { event: name, raw } = event;
	if (isThere(event[field])) return event[field];
	if (!isRecord(raw) || typeof name !== 'string' || !isEventName(name)) return undefined;
	const shape: EventKind['fields'] = EVENTS[name].fields;
	const sent = Object.entries(shape).find(([key, each]) => fieldOf(key, each)[0] === field);
	return sent && raw[sent[0]];
}

/** '' if the event has no fee. One that cannot be read stays as it came: all that read the book name it, until a person corrects it. */
function feeOf(event: Event): string {
	const written = writtenIn(event, 'fee');
	const fee = amountOf(written);
	if (fee !== undefined) return withoutSign(fee);
	if (!isThere(written)) return '';
	return shortLine(typeof written === 'string' ? written : JSON.stringify(written), LONGEST_FEE);
}

/** Without a delivery key, an event is told by its own ID; without both, by its place in the execution. */
function keyOf(event: Event, index: number, content: Content, { execution }: RowContext): string {
	const [name, id, status] = [textOf(event.event), textOf(event.id), textOf(event.status)];
	const deliveryKey = textOf(event.deliveryKey) || (id === '' ? '' : `${name}:${id}:${status.toLowerCase()}`);
	return deliveryKey === '' ? keyOfItem(execution, index, content) : keyOfEvent(deliveryKey, content);
}

/** A later delivery may know more, and one that knows less takes nothing away. */
function detailsOf(event: Event, asset: string): Partial<BookRow> {
	const fee = feeOf(event);
	return {
		reference: textOf(event.id),
		status: textOf(event.status).toLowerCase(),
		txHash: textOf(event.txHash),
		fee,
		feeAsset: fee === '' ? '' : codeOf(event.feeCoin) || asset,
	};
}
