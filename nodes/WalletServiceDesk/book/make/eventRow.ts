/** What an event of the trigger moves: one row of the book. The names of its fields come from the table of events. */
import type { IDataObject } from 'n8n-workflow';

import { EVENTS, isEventName } from '../../../../api/events.ts';
import type { EventKind, EventName } from '../../../../api/events.ts';
import { withoutSign } from '../../../../api/exact/decimal.ts';
import { isRecord } from '../../../../api/exact/json.ts';
import { coinFieldName, fieldOf, keysWithRole, namesWithRole } from '../../../../api/shape.ts';
import type { EventRole } from '../../../../api/shape.ts';
import { shortLine } from '../../../shared/text.ts';
import { amountOf, anyText, codeOf, firstText, isThere, textOf } from '../../values/itemValues.ts';
import { kindOf } from '../row.ts';
import type { BookCells, KindName } from '../row.ts';
import type { RowContext } from './rowContext.ts';
import { amountAsWritten, amountOut } from './amounts.ts';
import { MOVEMENT_PROBLEM } from './messages.ts';

/** What a kind of event is in the book. Undefined: it moves no money. */
const KIND_OF_EVENT: Readonly<Record<EventName, KindName | undefined>> = {
	settlement_wallet_update: undefined,
	settlement_account_update: undefined,
	virtual_account_created: undefined,
	crypto_received: 'crypto deposit',
	virtual_account_credited: 'deposit',
	crypto_payout_update: 'crypto payout',
	/** Or a debit. */
	admin_funding: 'admin credit',
};

/** Of a fee that cannot be read. */
const LONGEST_FEE = 60;

/** The row of an event; none if its kind moves no money. Undefined for a kind that nobody knows: it may have moved some. */
export function rowsOfEvent(
	event: IDataObject,
	{ now, workflow, execution }: RowContext,
): Array<Partial<BookCells>> | undefined {
	const name = textOf(event.event);
	if (!isEventName(name)) return undefined;
	const usual = KIND_OF_EVENT[name];
	if (usual === undefined) return [];
	const fields: EventKind['fields'] = EVENTS[name].fields;
	const first = (role: EventRole) => firstText(event, namesWithRole(fields, role));
	const said = choicesIn(event, fields);
	const kind = usual === 'admin credit' && said.includes('debit') ? 'admin debit' : usual;
	const [asset, reference] = [codeOf(first('currency')), first('id')];
	const { amount, problem } = amountIn(event, fields, kind);
	const problems = [
		problem,
		asset === '' ? MOVEMENT_PROBLEM.assetMissing() : '',
		// Without its ID, nobody can tell which payment it is about.
		kind === 'crypto payout' && reference === '' ? MOVEMENT_PROBLEM.payoutIdMissing() : '',
		kind === 'admin credit' && !said.includes('credit') ? MOVEMENT_PROBLEM.directionMissing() : '',
	].filter((text) => text !== '');
	return [
		{
			key: textOf(event.deliveryKey),
			kind,
			time: textOf(event.receivedAt) || now,
			asset,
			reference,
			amount: problems.length === 0 ? amount : '',
			counterpart: first('account'),
			details: kindOf(kind)?.assetClass === undefined ? assetClassIn(said) : senderOf(event, fields),
			status: first('status').toLowerCase(),
			txHash: first('txHash'),
			...feeOf(event, fields, asset),
			message: problems.join(' '),
			workflow,
			execution,
		},
	];
}

/** The words of its choices, such as `credit` and `fiat`. */
function choicesIn(event: IDataObject, fields: EventKind['fields']): string[] {
	return Object.entries(fields)
		.map(([key, field]) => fieldOf(key, field))
		.filter(([, kind]) => kind === 'choice')
		.map(([name]) => textOf(event[name]).toLowerCase());
}

function assetClassIn(said: string[]): string {
	return said.find((word) => word === 'fiat' || word === 'crypto') ?? '';
}

function senderOf(event: IDataObject, fields: EventKind['fields']): string {
	const names = Object.entries(fields)
		.filter(([, field]) => typeof field !== 'string' && field.isSender === true)
		.map(([key, field]) => fieldOf(key, field)[0]);
	return firstText(event, names);
}

/** With its sign; or why the row has none. */
function amountIn(event: IDataObject, fields: EventKind['fields'], kind: KindName) {
	const written = writtenIn(event, fields, 'amount');
	return kindOf(kind)?.isOut === true ? amountOut(written) : amountAsWritten(written);
}

/** What stands in the item, or else in the delivery as it came: there a value that the trigger could not read still is. */
function writtenIn(event: IDataObject, fields: EventKind['fields'], role: EventRole): unknown {
	const { raw } = event;
	const read = namesWithRole(fields, role).map((name) => event[name]);
	const sent = isRecord(raw) ? keysWithRole(fields, role).map((key) => raw[key]) : [];
	return [...read, ...sent].find(isThere);
}

/** A fee that cannot be read stays as it came: all that read the book name it, until a person corrects it. */
function feeOf(event: IDataObject, fields: EventKind['fields'], asset: string) {
	const written = writtenIn(event, fields, 'fee');
	if (written === undefined || written === '') return {};
	const fee = amountOf(written) ?? shortLine(anyText(written), LONGEST_FEE);
	const coins = namesWithRole(fields, 'fee').map(coinFieldName);
	return { fee: withoutSign(fee), feeAsset: codeOf(firstText(event, coins)) || asset };
}
