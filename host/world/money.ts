/** Money of the world: whole millionths, so that its sums are exact without the code that is under test. */
export const ASSETS = ['NGN', 'USDT'] as const;
export type Asset = (typeof ASSETS)[number];

const DIGITS = 6;
const PLACES = { NGN: 2, USDT: 6 };

export const isCoin = (asset: Asset): boolean => asset === 'USDT';

/** The amount without digits that the asset does not have. */
export function rounded(units: bigint, asset: Asset): bigint {
	return units - (units % 10n ** BigInt(DIGITS - PLACES[asset]));
}

/** Decimal text as the service writes it: a currency with two places. */
export function textOf(units: bigint, asset: Asset): string {
	const digits = String(units < 0n ? -units : units).padStart(DIGITS + 1, '0');
	return `${units < 0n ? '-' : ''}${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS, digits.length - DIGITS + PLACES[asset])}`;
}

/** The amount of a text. Throws for a text with more digits than money of the world has. */
export function unitsOf(text: string): bigint {
	const [, sign, whole, part = ''] = /^(-?)(\d+)(?:\.(\d{0,6})0*)?$/.exec(text) ?? [];
	if (whole === undefined) throw new Error(`No amount of the world: '${text}'`);
	const units = BigInt(whole + part.padEnd(DIGITS, '0'));
	return sign === '-' ? -units : units;
}
