/** What a conversion is to reach, and what the service offers for it. */
import type { IDataObject } from 'n8n-workflow';

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

export interface WantedConversion {
	/** Simplified items of Get Contracts. */
	contracts: readonly IDataObject[];
	/** Simplified items of Get Rates. */
	rates?: readonly IDataObject[];
	/** Codes. */
	from: string;
	to: string;
	/** Decimal text above zero, in `from`. */
	amount: string;
	/** Decimal text above zero: what one unit must bring after the fee. */
	minimumRate: string;
	settings: ConversionSettings;
}
