/** Where a payment stands, in words that a person finds again: the row of the file, or else its place among the items. */
import { enumerated } from '../../shared/text.ts';

export interface Place {
	/** The number that Excel shows. */
	row?: number;
	/** The number that a text editor shows. */
	line?: number;
	/** 1 is the first item. */
	position: number;
	/** How many items there are. */
	of: number;
}

/** `Row 7`, `Rows 3, 7 (line 9) and 12`, `Payment 2 of 3`, `Rows 3 and 4, payment 5 of 9`. */
export function placesInWords(places: readonly Place[]): string {
	const rows = places.filter(({ row }) => row !== undefined);
	const others = places.filter(({ row }) => row === undefined);
	const words = [
		...(rows.length > 0 ? [`${rows.length > 1 ? 'rows' : 'row'} ${enumerated(rows.map(rowInWords))}`] : []),
		...(others.length > 0 ? [paymentsInWords(others)] : []),
	].join(', ');
	return words.charAt(0).toUpperCase() + words.slice(1);
}

function rowInWords({ row, line }: Place): string {
	return line === undefined || line === row ? String(row) : `${row} (line ${line})`;
}

function paymentsInWords(places: readonly Place[]): string {
	const positions = enumerated(places.map(({ position }) => String(position)));
	return `${places.length > 1 ? 'payments' : 'payment'} ${positions} of ${places[0]?.of}`;
}
