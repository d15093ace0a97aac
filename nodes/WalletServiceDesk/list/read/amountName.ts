/** What the name of a column says of the amounts in it, beside that they are amounts. */
import { isSmallUnit } from '../../../shared/smallUnit.ts';

/** Parts and multiples of a currency or coin: 125050 kobo would be paid as 125050 NGN. */
const OTHER_UNIT = new RegExp(
	`(?<![\\p{L}\\d])(?:${[
		...['kobo', 'pesewas?', 'cents?', 'centavos?', 'pence', 'paise', 'minor', 'sub-?units?'],
		...['satoshis?', 'sats?', 'gwei', 'wei', 'lamports?', 'thousands?', 'millions?', "['\u2019]000"],
	].join('|')})(?![\\p{L}\\d])`,
	'iu',
);

/** `amountInCents` says cents, and `Amount (GBp)` pence. */
export function otherUnitIn(name: string): string | undefined {
	const words = name.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ');
	return OTHER_UNIT.exec(words)?.[0] ?? words.split(/[^\p{L}\d]+/u).find(isSmallUnit);
}

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** The code of a currency in brackets at the end: `Amount (NGN)`. Words such as NET are none. */
export function currencyIn(name: string): string | undefined {
	const [, code = ''] = /[([]([A-Z]{3})[)\]]$/.exec(name.trim()) ?? [];
	return CURRENCIES.has(code) ? code : undefined;
}
