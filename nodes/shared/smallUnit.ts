/** Codes in which markets quote a hundredth of a currency: `GBp` is pence, and 243.08 of them are 2.43 GBP. `gbp` and `Gbp` are the currency. */

/** In words: `GBp` is pence. Write pounds, and GBP. */
export interface SmallUnit {
	unit: string;
	whole: string;
	code: string;
}

const POUNDS = { whole: 'pounds', code: 'GBP' };
const RAND = { whole: 'rand', code: 'ZAR' };
const SHEKELS = { whole: 'shekels', code: 'ILS' };
const DOLLARS = { whole: 'dollars', code: 'USD' };
const EUROS = { whole: 'euros', code: 'EUR' };

const KNOWN: Readonly<Record<string, SmallUnit>> = {
	GBp: { unit: 'pence', ...POUNDS },
	GBX: { unit: 'pence', ...POUNDS },
	ZAc: { unit: 'cents', ...RAND },
	ZAC: { unit: 'cents', ...RAND },
	ILa: { unit: 'agorot', ...SHEKELS },
	ILA: { unit: 'agorot', ...SHEKELS },
	USd: { unit: 'cents', ...DOLLARS },
	USc: { unit: 'cents', ...DOLLARS },
	USX: { unit: 'cents', ...DOLLARS },
	EUc: { unit: 'cents', ...EUROS },
	EUX: { unit: 'cents', ...EUROS },
	KWf: { unit: 'fils', whole: 'dinars', code: 'KWD' },
};

/** Of others, only the small letter at the end is known. `KSh` and `NRs` are short for shillings and rupees. */
const OTHERS = /^[A-Z]{2}[a-gi-rt-z]$/;
const OTHER: SmallUnit = {
	unit: 'a small unit, such as pence or cents',
	whole: 'the whole currency',
	code: 'in capitals',
};

/** Undefined for the code of a currency. */
export function smallUnit(text: string): SmallUnit | undefined {
	const code = text.trim();
	if (Object.hasOwn(KNOWN, code)) return KNOWN[code];
	return OTHERS.test(code) ? OTHER : undefined;
}
