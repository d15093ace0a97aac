/** Reads the contracts that the service lists. What cannot be read, or be true, is not used. */
import type { IDataObject } from 'n8n-workflow';

import { multiply, subtract } from '../../../../api/exact/decimal.ts';
import { isAmount, isCode, isDecimalText, isShare } from './listed.ts';
import type { Pair } from './listed.ts';
import type { Doubt } from './published.ts';

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
	/** Those whose rates nobody gets. */
	doubtful: Record<Doubt, Contract[]>;
}

/**
 * The contracts that convert `from` to `to`. `items` are simplified items of Get Contracts, or anything else. `doubtOf` says what is
 * wrong with a listed rate.
 */
export function readContracts(
	items: readonly IDataObject[],
	pair: Pair,
	settings: ConversionSettings,
	doubtOf: (rate: string) => Doubt | undefined,
): ContractsOfPair {
	const timesOfId = countIds(items);
	const found: ContractsOfPair = {
		usable: [],
		unreadable: 0,
		withSameId: 0,
		withOtherDirection: 0,
		doubtful: { isOtherWayRound: [], isFarAbove: [], isFarBelow: [] },
	};
	for (const item of items) {
		if (!isCode(item.from, pair.from) || !isCode(item.to, pair.to)) continue;
		const contract = readContract(item, settings);
		const doubt = contract && doubtOf(contract.listedRate);
		if (contract === undefined) found.unreadable += 1;
		else if (!isCode(item.direction, settings.direction)) found.withOtherDirection += 1;
		// Which of the two the service would use is not known.
		else if (timesOfId.get(contract.contractId) !== 1) found.withSameId += 1;
		else if (doubt !== undefined) found.doubtful[doubt].push(contract);
		else found.usable.push(contract);
	}
	return found;
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
