/** Codes in which markets quote a hundredth of a currency: `GBp` is pence, and 243.08 of them are 2.43 GBP. `gbp` and `Gbp` are the currency. */
const SMALL_UNIT = /^[A-Z]{2}[a-z]$/;

export function isSmallUnit(code: string): boolean {
	return SMALL_UNIT.test(code.trim());
}
