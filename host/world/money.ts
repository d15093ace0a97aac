/** Money of the world: whole millionths, so that its sums are exact without the code that is under test. */
export const ASSETS = ['NGN', 'USDT'] as const;
export type Asset = (typeof ASSETS)[number];

const DIGITS = 6;
const PLACES = { NGN: 2, USDT: 6 };

export const isCoin = (asset: Asset): boolean => asset === 'USDT';

/** The last digit that a balance shows, in millionths. */
export const lastDigit = (asset: Asset): bigint => 10n ** BigInt(DIGITS - PLACES[asset]);

/** The amount without digits that the balance does not show. */
export const cutOff = (units: bigint, asset: Asset): bigint => units - (units % lastDigit(asset));

/** Decimal text as the service writes it: a currency with two places, and with more if the amount has them. */
export function textOf(units: bigint, asset: Asset): string {
	const digits = String(units < 0n ? -units : units).padStart(DIGITS + 1, '0');
	const places = PLACES[asset];
	const part = digits.slice(-DIGITS, digits.length - DIGITS + places);
	const rest = digits.slice(digits.length - DIGITS + places).replace(/0+$/, '');
	return `${units < 0n ? '-' : ''}${digits.slice(0, -DIGITS)}.${part}${rest}`;
}

/** The amount of a text. Throws for a text with more digits than money of the world has. */
export function unitsOf(text: string): bigint {
	const [, sign, whole, part = ''] = /^(-?)(\d+)(?:\.(\d{0,6})0*)?$/.exec(text) ?? [];
	if (whole === undefined) throw new Error(`No amount of the world: '${text}'`);
	const units = BigInt(whole + part.padEnd(DIGITS, '0'));
	return sign === '-' ? -units : units;
}
