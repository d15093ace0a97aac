/** Reads what the service lists: its contracts and its published rates. What cannot be read is not used. */
import type { IDataObject } from 'n8n-workflow';

import { compare, isPlainDecimal, isZero, multiply, subtract } from '../../../../api/exact/decimal.ts';

/** What the document of the service leaves open, as the user knows it of the account. */
export interface ConversionSettings {
	/** Whether the fee is taken off the listed rate, or is in it already. */
	feeIs: 'takenOff' | 'included';
	/** The currency in which a contract counts what it has left: the one that is given, or the one that is received. */
	availableIn: 'from' | 'to';
	/** Only contracts with this direction are used: `sell`. */
	direction: string;
	/** How far a rate after its fee may be below the published bid: `0.01` is one percent. Without it, bids are not looked at. */
	mostBelowBid?: string;
}

/** A contract that can be used, with what its amounts mean. */
export interface Contract {
	contractId: string;
	/** As the service lists it, decimal text. */
	listedRate: string;
	/** What one unit brings after the fee, decimal text. */
	rate: string;
	/** Decimal text, in the currency that the settings name. */
	amountAvailable: string;
}

/** The contracts of a pair of currencies. */
export interface ContractsOfPair {
	usable: Contract[];
	/** How many have the pair and cannot be used, by the reason. */
	unreadable: number;
	withSameId: number;
	withOtherDirection: number;
}

/** The contracts that convert `from` to `to`. `items` are simplified items of Get Contracts, or anything else. */
export function readContracts(
	items: readonly IDataObject[],
	pair: { from: string; to: string },
	settings: ConversionSettings,
): ContractsOfPair {
	const timesOfId = countIds(items);
	const found: ContractsOfPair = { usable: [], unreadable: 0, withSameId: 0, withOtherDirection: 0 };
	for (const item of items) {
		if (!isCode(item.from, pair.from) || !isCode(item.to, pair.to)) continue;
		const contract = readContract(item, settings);
		if (contract === undefined) found.unreadable += 1;
		else if (!isCode(item.direction, settings.direction)) found.withOtherDirection += 1;
		// Which of the two the service would use is not known.
		else if (timesOfId.get(contract.contractId) !== 1) found.withSameId += 1;
		else found.usable.push(contract);
	}
	return found;
}

/** The bids that the service publishes for a pair, as they came. */
export function bidsOf(rates: readonly IDataObject[], pair: { from: string; to: string }): unknown[] {
	return rates
		.filter(
			({ baseCurrency, quoteCurrency }) => isCode(baseCurrency, pair.from) && isCode(quoteCurrency, pair.to),
		)
		.map(({ bid }) => bid);
}

/** Whether it is decimal text above zero: `1250.50`. A number may have lost digits. */
export function isAmount(value: unknown): value is string {
	return isDecimalText(value) && !isZero(value);
}

/** Whether it is decimal text from 0 to less than 1: `0.005` is half a percent. */
export function isShare(value: unknown): value is string {
	return isDecimalText(value) && compare(value, '1') < 0;
}

function isDecimalText(value: unknown): value is string {
	return typeof value === 'string' && isPlainDecimal(value) && !value.startsWith('-');
}

function countIds(items: readonly IDataObject[]): Map<unknown, number> {
	const times = new Map<unknown, number>();
	for (const { contractId } of items) times.set(contractId, (times.get(contractId) ?? 0) + 1);
	return times;
}

/** Undefined if a part of it cannot be read. */
function readContract(item: IDataObject, settings: ConversionSettings): Contract | undefined {
	const { contractId, rate, fee, amountAvailable, direction } = item;
	if (typeof contractId !== 'string' || contractId.trim() === '') return undefined;
	if (typeof direction !== 'string') return undefined;
	if (!isAmount(rate) || !isShare(fee) || !isDecimalText(amountAvailable)) return undefined;
	return { contractId, listedRate: rate, rate: rateAfterFee(rate, fee, settings), amountAvailable };
}

/** The fee is a ratio: 0.005 is half a percent. */
function rateAfterFee(rate: string, fee: string, { feeIs }: ConversionSettings): string {
	return feeIs === 'included' ? rate : multiply(rate, subtract('1', fee));
}

/** Codes and directions have no case. */
function isCode(given: unknown, code: string): boolean {
	return typeof given === 'string' && given.trim().toUpperCase() === code.trim().toUpperCase();
}
