/** What moves money in the world, and what the rows of the book tell of it so far. */
import { isCoin, textOf, type Asset } from './money.ts';
import type { Item } from './rows.ts';

/** A payment, deposit, funding, loss or side of a conversion. Amounts are signed. */
export interface Movement {
	/** Its Payment Key, or the ID of the service; '' if it has neither. */
	name: string;
	asset: Asset;
	amount: bigint;
	/** What it has done to the balance. */
	moved: bigint;
}

export interface Payment extends Movement {
	destination: string;
	/** ID of the service; '' until it is made. */
	id: string;
	/** What the service takes beside the amount. */
	costs: bigint;
	/** Whether its final state is in the book. */
	isFinal: boolean;
	/** Whether the business has ordered it. */
	isOurs: boolean;
}

export const isPayment = (movement: Movement): movement is Payment => 'isOurs' in movement;

/** A payment as a list has it. */
export function asked({ name, asset, amount, destination }: Payment): Item {
	const code: Item = isCoin(asset) ? { coin: asset } : { currency: asset };
	return { paymentKey: name, amount: textOf(-amount, asset), ...code, destination, approvedBy: 'Ada Obi' };
}

/** A payment as it comes out of the node. */
export function answered(payment: Payment, result: string): Item {
	const { destination, ...item } = asked(payment);
	const place: Item = isCoin(payment.asset) ? { walletAlias: destination! } : { accountAlias: destination! };
	const made: Item = result === 'paid' ? { payoutId: payment.id, status: 'pending' } : {};
	return { ...item, ...place, result, ...made };
}

/** What the service tells of a crypto payout. */
export function updateOf({ asset, amount, destination, id }: Payment, status: string, fee?: bigint): Item {
	const said = { event: 'crypto_payout_update', id, status, coin: asset, walletAlias: destination };
	const ofFee: Item = fee === undefined ? {} : { fee: textOf(fee, asset), feeCoin: asset };
	return { ...said, amount: textOf(-amount, asset), ...ofFee };
}

/** What the service tells of a deposit. */
export function depositOf({ name, asset, amount }: Movement, status: string): Item {
	const to: Item = isCoin(asset)
		? { event: 'crypto_received', coin: asset, walletAlias: 'deposits-usdt' }
		: { event: 'virtual_account_credited', currency: asset, accountAlias: 'customer-0042' };
	return { ...to, id: name, status, amount: textOf(amount, asset) };
}
