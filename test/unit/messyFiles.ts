/** Lists as people leave them: cells, names and lines that were changed by hand or by a program, several in one file. What was meant is known. */
import { randomNumbers } from '../../host/testkit/random.ts';
import { COINS, raw } from './deskFiles.ts';
import type { Cells, Part, Sheet } from './deskFiles.ts';

/** What a row was meant to pay. */
export interface Meant {
	paymentKey: string;
	amount: string;
	code: string;
	destination: string;
}

export interface MessySheet extends Sheet {
	/** What each of its rows was meant to pay; undefined for one that is no payout. */
	meant: Array<Meant | undefined>;
	/** What was done to it. */
	done: string[];
}

/** Whole numbers below a limit. */
type Chance = (below: number) => number;
type Mess = (sheet: MessySheet, chance: Chance) => MessySheet | undefined;

const grouped = (digits: string, sign: string) => digits.replace(/\B(?=(\d{3})+(?!\d))/g, sign);
const indian = (digits: string) =>
	digits.length <= 3
		? digits
		: `${digits.slice(0, -3).replace(/\B(?=(\d{2})+(?!\d))/g, ',')},${digits.slice(-3)}`;
const digitsOf = (zero: number) => (text: string) =>
	text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

/** How people and programs write an amount, or what they make of it. `whole` and `part` are its digits. */
const SPELLINGS: Array<(whole: string, part: string) => string> = [
	(whole, part) => `${grouped(whole, ',')}.${part || '00'}`,
	(whole, part) => `${grouped(whole, '.')},${part || '00'}`,
	(whole, part) => `${grouped(whole, ' ')}${part && `.${part}`}`,
	(whole, part) => `${grouped(whole, '\u00a0')},${part || '00'}`,
	(whole, part) => `${grouped(whole, "'")}.${part || '00'}`,
	(whole, part) => `${indian(whole)}${part && `.${part}`}`,
	(whole, part) => `${whole},${part || '0'}`,
	(whole, part) => `${grouped(whole, ',')}${part && `,${part}`}`,
	(whole, part) => `${grouped(whole, '.')}${part && `.${part}`}`,
	(whole, part) => `$${whole}${part && `.${part}`}`,
	(whole, part) => `${whole}${part && `.${part}`} NGN`,
	(whole, part) => `(${whole}${part && `.${part}`})`,
	(whole, part) => `${whole}${part && `.${part}`}-`,
	(whole, part) => `${`${whole}${(part || '00').padEnd(2, '0')}`.padStart(16, '0')}`,
	(whole, part) =>
		Number(`${whole}.${part || '0'}`)
			.toExponential(2)
			.replace('e', 'E'),
	(whole, part) =>
		Number(`${whole}.${part || '0'}`)
			.toExponential()
			.replace('.', ','),
	(whole, part) => digitsOf(0xff10)(`${whole}${part && `.${part}`}`),
	(whole, part) => digitsOf(0x660)(`${whole}${part && `.${part}`}`),
	(whole) => `${whole}.-`,
	(whole) => `${whole}/=`,
	(whole, part) => `+${whole}${part && `.${part}`}`,
	(whole, part) => `'${whole}${part && `.${part}`}`,
	(whole, part) => `${whole}${part && `.${part}`}0000`.replace(/^(\d+)0000$/, '$1.0000'),
	(whole, part) => raw(`${grouped(whole, ',')}${part && `.${part}`}`),
	(whole, part) => raw(`"${grouped(whole, ',')}${part && `.${part}`}"`),
	(whole, part) => `${whole}${part && `.${part}`} `,
	() => '#####',
	() => '',
	() => '0',
];

const UNSEEN = ['\u200b', '\u00a0', '\u00ad', '\u200f', '\ufeff', '\u2060', '\t', '\u200d', '\u2800'];

/** Where the unit of amounts in cents stands. */
const UNITS: Array<(sheet: MessySheet) => MessySheet | undefined> = [
	(sheet) => ({ ...sheet, titles: [...sheet.titles, 'All amounts in kobo'] }),
	(sheet) => ({ ...sheet, titles: [...sheet.titles, 'Payouts of June (in cents)'] }),
	(sheet) => withColumn(sheet, 'Unit', () => 'kobo'),
	(sheet) => withColumn(sheet, 'Remark', () => 'cents'),
	(sheet) => named(sheet, 'amount', `${sheet.names.amount.trim()} (kobo)`),
	(sheet) => named(sheet, 'amount', `${sheet.names.amount.trim()} in cents`),
	(sheet) => (sheet.isSmall ? undefined : ofEach(sheet, () => ({ currency: 'GBp', coin: '' }))),
];

const cents = (amount: string) => {
	const [whole = '', part = ''] = amount.split('.');
	return part.length > 2 ? undefined : `${whole}${part.padEnd(2, '0')}`.replace(/^0+(?=\d)/, '');
};

function ofRow(sheet: MessySheet, index: number, cells: Partial<Cells>): MessySheet {
	const row = sheet.rows[index]!;
	return { ...sheet, rows: sheet.rows.with(index, { ...row, cells: { ...row.cells, ...cells } as Cells }) };
}

function ofEach(sheet: MessySheet, cellsOf: (cells: Cells) => Partial<Cells>): MessySheet {
	const rows = sheet.rows.map((row) => ({ ...row, cells: { ...row.cells, ...cellsOf(row.cells) } as Cells }));
	return { ...sheet, rows };
}

function named(sheet: MessySheet, part: Part, name: string): MessySheet {
	const columns =
		typeof part === 'number' ? sheet.settings.columns : { ...sheet.settings.columns, [part]: name };
	return {
		...sheet,
		settings: { ...sheet.settings, columns },
		names: { ...sheet.names, [part]: name } as Cells,
	};
}

function withColumn(sheet: MessySheet, name: string, cellOf: (index: number) => string): MessySheet {
	const part = sheet.order.length;
	const rows = sheet.rows.map((row, index) => ({
		...row,
		cells: { ...row.cells, [part]: cellOf(index) } as Cells,
	}));
	return {
		...sheet,
		order: [...sheet.order, part],
		names: { ...sheet.names, [part]: name } as Cells,
		rows,
	};
}

/** Another line behind a row, which pays nothing. */
function withLine(sheet: MessySheet, index: number, cells: Partial<Cells>): MessySheet {
	const empty = Object.fromEntries(sheet.order.map((part) => [part, ''])) as Cells;
	const row = { code: '', blankBefore: false, cells: { ...empty, ...cells } as Cells };
	return {
		...sheet,
		rows: sheet.rows.toSpliced(index + 1, 0, row),
		meant: sheet.meant.toSpliced(index + 1, 0, undefined),
	};
}

const oneOf = <Value>(values: readonly Value[], chance: Chance): Value => values[chance(values.length)]!;
const rowOf = (sheet: MessySheet, chance: Chance) => chance(sheet.rows.length);

const MESSES: Record<string, Mess> = {
	'another spelling of an amount': (sheet, chance) => {
		const index = rowOf(sheet, chance);
		const { amount } = sheet.meant[index] ?? {};
		if (amount === undefined) return undefined;
		const [whole = '', part = ''] = amount.split('.');
		return ofRow(sheet, index, { amount: oneOf(SPELLINGS, chance)(whole, part) });
	},
	'one spelling of all amounts': (sheet, chance) => {
		const spell = oneOf(SPELLINGS, chance);
		return ofEach(sheet, ({ amount }) => {
			const [whole = '', part = ''] = amount.split('.');
			return /^\d+(?:\.\d+)?$/.test(amount) ? { amount: spell(whole, part) } : {};
		});
	},
	'amounts in cents, said somewhere': (sheet, chance) => {
		const all = sheet.meant.map((meant) => (meant === undefined ? '' : cents(meant.amount)));
		if (all.includes(undefined)) return undefined;
		const rows = sheet.rows.map((row, index) => ({
			...row,
			cells: { ...row.cells, amount: all[index]! } as Cells,
		}));
		return oneOf(UNITS, chance)({ ...sheet, rows });
	},
	'a character that nobody sees': (sheet, chance) => {
		const [index, part] = [rowOf(sheet, chance), oneOf(sheet.order, chance)];
		const text = sheet.rows[index]!.cells[part]!;
		const at = chance(text.length + 1);
		// In a key and in a word, a space is seen.
		const isWord = part === 'paymentKey' || typeof part === 'number';
		const signs = isWord ? UNSEEN.filter((sign) => sign.trim() !== '' || sign === '\ufeff') : UNSEEN;
		return ofRow(sheet, index, { [part]: text.slice(0, at) + oneOf(signs, chance) + text.slice(at) });
	},
	'a character that nobody sees, in a name': (sheet, chance) => {
		const part = oneOf(sheet.order, chance);
		const name = sheet.names[part]!;
		const at = chance(name.length + 1);
		const names = { ...sheet.names, [part]: name.slice(0, at) + oneOf(UNSEEN, chance) + name.slice(at) };
		return { ...sheet, names: names as Cells };
	},
	'a key that a program has changed': (sheet, chance) => {
		const keys = ['1.23E+12', '3/1/2026', '01-Mar', 'null', '#REF!', '12345678901234500', '=A1', '{{id}}'];
		return ofRow(sheet, rowOf(sheet, chance), { paymentKey: oneOf(keys, chance) });
	},
	'an alias in other letters': (sheet, chance) => {
		const index = rowOf(sheet, chance);
		const { destination } = sheet.rows[index]!.cells;
		const forms = [
			destination.toUpperCase(),
			`${destination} `,
			destination.replace('-', '\u2013'),
			destination.normalize('NFD'),
			destination.replace(/.$/, ''),
			destination.replaceAll('e', '\u0435'),
		];
		return ofRow(sheet, index, { destination: oneOf(forms, chance) });
	},
	'cells that have moved': (sheet, chance) => {
		const index = rowOf(sheet, chance);
		const { cells } = sheet.rows[index]!;
		const texts = sheet.order.map((part) => cells[part]!);
		const at = chance(texts.length);
		const moved = chance(2) === 0 ? texts.toSpliced(at, 1) : texts.toSpliced(at, 0, '');
		const behind = moved.slice(sheet.order.length);
		// A cell more cannot be written under a part, so it stands raw behind the last one.
		const last = [moved[sheet.order.length - 1] ?? '', ...behind].join(sheet.separator);
		const all = sheet.order.map((part, place) => [
			part,
			place < sheet.order.length - 1 || behind.length === 0 ? (moved[place] ?? '') : raw(last),
		]);
		const changed = Object.fromEntries(all) as Cells;
		// Nobody can know that the word of a free column is no key.
		const isOnlyKey = (['amount', 'destination', 'currency', 'coin'] as const).every(
			(part) => changed[part] === cells[part],
		);
		// A code that is gone is that of all rows.
		const hasLostCode = changed.currency + changed.coin === '' && cells.currency + cells.coin !== '';
		return /["\n]/.test(texts.join('')) || isOnlyKey || hasLostCode
			? undefined
			: ofRow(sheet, index, changed);
	},
	'names that are merged': (sheet, chance) => {
		// Of merged cells, a CSV file has the first.
		const at = chance(sheet.order.length - 1);
		const [first, second] = [sheet.order[at]!, sheet.order[at + 1]!];
		return { ...sheet, names: { ...sheet.names, [first]: sheet.names[first], [second]: '' } as Cells };
	},
	'names in two lines': (sheet, chance) => {
		const words = ['Payment', 'Amount', 'To', 'Details', ''];
		const line = sheet.order.map(() => oneOf(words, chance)).join(sheet.separator);
		return { ...sheet, titles: [...sheet.titles, raw(line)] };
	},
	'a total': (sheet, chance) => {
		const index = chance(2) === 0 ? rowOf(sheet, chance) : sheet.rows.length - 1;
		const cells = { amount: '12345.67', currency: oneOf(['', 'NGN'], chance) };
		const word = oneOf(['Total', 'TOTAL:', 'Grand total', 'Summe', 'Sub-total', ''], chance);
		return withLine(sheet, index, { ...cells, [oneOf(sheet.order, chance)]: word });
	},
	'the names once more': (sheet, chance) => withLine(sheet, rowOf(sheet, chance), sheet.names),
	'a line of signs': (sheet, chance) => {
		const sign = oneOf(['---', '-', '=====', '...', 'Prepared by: Ada', 'Approved'], chance);
		return withLine(sheet, rowOf(sheet, chance), { [oneOf(sheet.order, chance)]: sign });
	},
	'a row twice': (sheet, chance) => {
		const index = rowOf(sheet, chance);
		const { [index]: meant } = sheet.meant;
		const paymentKey = chance(2) === 0 ? sheet.rows[index]!.cells.paymentKey : `X-${chance(1000)}-${index}`;
		const again = withLine(sheet, index, { ...sheet.rows[index]!.cells, paymentKey } as Cells);
		return { ...again, meant: again.meant.with(index + 1, meant && { ...meant, paymentKey }) };
	},
	'empty columns behind': (sheet, chance) => {
		const boxes = oneOf(['', '', 'FALSE'], chance);
		return withColumn(
			withColumn(sheet, '', () => boxes),
			'',
			() => '',
		);
	},
	'a code that is another': (sheet, chance) => {
		const code = oneOf(['naira', 'US$', 'NGN/USD', 'N', 'GBX', 'NG N', '#N/A'], chance);
		const column = oneOf(['currency', 'coin'] as const, chance);
		return ofRow(sheet, rowOf(sheet, chance), { [column]: code });
	},
	'a state': (sheet, chance) => {
		const index = rowOf(sheet, chance);
		const word = oneOf(['Cancelled', 'Rejected', 'Draft', 'PAID', 'pending approval', 'On hold'], chance);
		const marked = withColumn(sheet, 'Status', (at) => (at === index ? word : 'open'));
		return { ...marked, meant: marked.meant.with(index, undefined) };
	},
	'a quotation mark': (sheet, chance) => {
		const [index, part] = [rowOf(sheet, chance), oneOf(sheet.order, chance)];
		const text = sheet.rows[index]!.cells[part]!.replaceAll(/["\n]/g, '');
		const forms = [`"${text}`, `${text}"`, `""${text}"`, `"${text}" x`];
		return ofRow(sheet, index, { [part]: raw(oneOf(forms, chance)) });
	},
};

const MOST = 4;

/** The sheet with one to four messes, the same for the same seed. */
export function messy(sheet: Sheet, seed: number): MessySheet {
	const next = randomNumbers(seed);
	const chance: Chance = (below) => Math.floor(next() * below);
	const meant = sheet.rows.map(({ code, cells: { paymentKey, amount, destination } }) => ({
		paymentKey,
		amount,
		code,
		destination,
	}));
	let made: MessySheet = { ...sheet, meant, done: [] };
	const names = Object.keys(MESSES);
	for (let left = 1 + chance(MOST); left > 0; left -= 1) {
		const name = oneOf(names, chance);
		const next = MESSES[name]!(made, chance);
		if (next !== undefined) made = { ...next, done: [...made.done, name] };
	}
	return made;
}

export const isCoin = (code: string) => COINS.includes(code);
