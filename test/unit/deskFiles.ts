/** Lists of payouts as people and programs write them, made by chance: files and items, and the mistakes that they make. */
import fc from 'fast-check';
import { DEFAULT_COLUMNS } from '../../nodes/WalletServiceDesk/list/read/readList.ts';
import type { Columns, ListSettings } from '../../nodes/WalletServiceDesk/list/read/readList.ts';

export const ACCOUNTS = [
	{ alias: 'supplier-main', status: 'Whitelisted', currency: 'NGN' },
	{ alias: 'supplier-main', status: 'Rejected', currency: 'USD' },
	{ alias: '+234 rent', status: 'whitelisted', currency: 'ngn' },
	{ alias: 'Müller & Söhne', status: 'Whitelisted', currency: 'USD' },
	{ alias: 'supplier-new', status: 'Pending', currency: 'NGN' },
];
export const WALLETS = [
	{ alias: 'treasury', status: 'Whitelisted', asset_supported: 'usdt, USDC' },
	{ alias: '@desk', status: 'Whitelisted', asset_supported: 'BTC' },
];
/** What fits together: code and destination. */
const PLACES = [
	['NGN', 'supplier-main'] as const,
	['NGN', '+234 rent'] as const,
	['USD', 'Müller & Söhne'] as const,
	['USDT', 'treasury'] as const,
	['USDC', 'treasury'] as const,
	['BTC', '@desk'] as const,
];
export const COINS = ['USDT', 'USDC', 'BTC'];

const COLUMNS = ['paymentKey', 'amount', 'currency', 'coin', 'destination'] as const;
type Column = (typeof COLUMNS)[number];
/** A column of the form, or the number of a free one. */
export type Part = Column | number;
/** The text of each part in a row. */
export type Cells = Record<Column, string> & Record<number, string>;

/** How lists name their columns if the node knows no other names. */
const NAMES: Record<Column, string[]> = {
	paymentKey: ['paymentKey', 'Payment Key', 'PAYMENT_KEY', 'payment-key', 'Payment\nKey'],
	amount: ['amount', 'Amount', ' AMOUNT '],
	currency: ['currency', 'Currency'],
	coin: ['coin', 'COIN'],
	destination: ['destination', 'Destination:'],
};
/** Names that a person writes into the fields of the node, and how the list spells them. */
const OWN_COLUMNS: Columns = {
	paymentKey: 'Invoice No',
	amount: 'Amount (net)',
	currency: 'Cur.',
	coin: 'Token',
	destination: 'Pay to',
	payee: 'Holder',
	note: 'Purpose',
	again: 'Twice?',
};
const OWN_NAMES: Record<Column, string[]> = {
	paymentKey: ['Invoice No', 'INVOICE NO.', 'invoice_no'],
	amount: ['Amount (net)', 'amount\nNET'],
	currency: ['Cur.', 'CUR'],
	coin: ['Token'],
	destination: ['Pay to', 'PAY TO:'],
};
const FREE = ['Note', 'Purpose', 'Invoice, date', 'Paid by; whom', 'a "name"', ''];
const NOTES = [
	'',
	'x',
	'5" pipe',
	'a, b; c',
	'Please call\nAda, or Obi',
	'12,50',
	'say "yes"',
	'TOTAL',
	'=1+1',
	'Ünï \u200b',
];

const ENCODINGS = ['utf-8', 'utf-8 with mark', 'utf-16le', 'utf-16be'] as const;

export const pick = <T>(list: readonly T[], chance: number): T => list[chance % list.length]!;

export interface Sheet {
	/** What the fields of the node say. */
	settings: ListSettings;
	encoding: (typeof ENCODINGS)[number];
	separator: string;
	lineEnd: string;
	tellsSeparator: boolean;
	titles: string[];
	names: Cells;
	/** From left to right. */
	order: Part[];
	/** `code`: what is paid, whether the row says it or the node. */
	rows: Array<{ code: string; cells: Cells; blankBefore: boolean }>;
	quotes: 'needed' | 'all' | 'mixed';
	isEnded: boolean;
	hasSpaces: boolean;
	isSmall: boolean;
}

const exactly = (length: number) => ({ minLength: length, maxLength: length });

/** Sheets with these free columns. */
const sheetsWith = (free: string[]): fc.Arbitrary<Sheet> =>
	fc
		.record({
			separator: fc.constantFrom(',', ';', '\t', '|'),
			lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
			encoding: fc.constantFrom(...ENCODINGS),
			columns: fc.constantFrom(DEFAULT_COLUMNS, OWN_COLUMNS),
			hasCodeOfAll: fc.boolean(),
			tellsSeparator: fc.boolean(),
			titles: fc.array(
				fc.constantFrom('', 'Payouts of June', 'June, July and August; all of them', '"Ada"'),
				{ maxLength: 2 },
			),
			spelling: fc.tuple(...COLUMNS.map(() => fc.nat())),
			order: fc.shuffledSubarray<Part>([...COLUMNS, ...free.keys()], exactly(COLUMNS.length + free.length)),
			keys: fc.constantFrom('INV-', 'a/b ', '№'.normalize('NFKC'), '2026.', '#', 'Total-'),
			rows: fc.array(
				fc.record({
					place: fc.constantFrom(...PLACES),
					whole: fc.integer({ min: 1, max: 5_000_000 }),
					part: fc.integer({ min: 1, max: 999_998 }),
					places: fc.constantFrom(0, 0, 1, 2, 2, 4, 6),
					notes: fc.array(fc.constantFrom(...NOTES), exactly(free.length)),
					blankBefore: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
				}),
				{ minLength: 1, maxLength: 7 },
			),
			quotes: fc.constantFrom('needed' as const, 'all' as const, 'mixed' as const),
			isEnded: fc.boolean(),
			hasSpaces: fc.boolean(),
			isSmall: fc.boolean(),
		})
		.map(({ columns, hasCodeOfAll, spelling, keys, rows, ...sheet }) => {
			const known = columns === OWN_COLUMNS ? OWN_NAMES : NAMES;
			const names = COLUMNS.map((column, at) => [column, pick(known[column], spelling[at]!)]);
			const [first] = rows.map(({ place: [code] }) => code);
			const codeOfAll = hasCodeOfAll ? { code: first!, isFiat: !COINS.includes(first!) } : undefined;
			return {
				...sheet,
				settings: { columns, codeOfAll },
				names: { ...free, ...Object.fromEntries(names) } as Cells,
				rows: rows.map(({ place: [code, destination], whole, part, places, notes, blankBefore }, index) => {
					// A bank pays two decimals at most.
					const most = COINS.includes(code) ? places : Math.min(places, 2);
					const digits = String(part).padStart(6, '0').slice(0, most);
					const amount = digits === '' ? String(whole) : `${whole}.${digits}`;
					const paymentKey = `${keys}${1001 + index}`;
					// The code of all rows need not stand in each.
					const codes = code === codeOfAll?.code ? { currency: '', coin: '' } : codesOf(code);
					return { code, blankBefore, cells: { ...notes, paymentKey, amount, ...codes, destination } };
				}),
			};
		});

/** The filled cells of free columns. */
export const notesOf = (cells: Cells) =>
	Object.keys(cells)
		.map((part) => cells[Number(part)] ?? '')
		.filter((note) => note !== '');

/** The cells of a code. */
const codesOf = (code: string) =>
	COINS.includes(code) ? { currency: '', coin: code } : { currency: code, coin: '' };

export const sheets = fc
	.array(fc.constantFrom(...FREE), { maxLength: 3 })
	.chain(sheetsWith)
	.filter(({ rows }) => !hasSamePayment(rows));

const hasSamePayment = (rows: Sheet['rows']) => {
	const words = rows.map(({ code, cells: { amount, destination } }) =>
		[Number(amount), code, destination].join(),
	);
	return new Set(words).size < rows.length;
};

/** Where something is: by Excel, and in a text editor. */
type Place = { row: number; line: number };

/** A cell that is written as it is. */
export const raw = (text: string) => `\u0001${text}`;

/** The text of a file, and where each row is. */
export function write(sheet: Sheet): { text: string; places: Place[] } {
	const { separator, lineEnd, order, names, quotes } = sheet;
	let [text, row, line] = ['', 1, 1];
	const put = (cells: string[]) => {
		const written = cells.map((cell, index) => {
			if (cell.startsWith(raw(''))) return cell.slice(1);
			const needs = /["\r\n]/.test(cell) || cell.includes(separator);
			if (!needs && !(quotes === 'all' || (quotes === 'mixed' && (index + row) % 3 === 0)))
				return sheet.hasSpaces && cell !== '' ? ` ${cell} ` : cell;
			const quoted = `"${cell.replaceAll('"', '""').replaceAll('\n', lineEnd)}"`;
			return sheet.hasSpaces ? ` ${quoted} ` : quoted;
		});
		const place = { row, line };
		const added = written.join(separator);
		text += added + lineEnd;
		row += 1;
		line += added.split(/\r\n|\r|\n/).length;
		return place;
	};
	if (sheet.tellsSeparator) {
		text += `sep=${separator}${lineEnd}`;
		line += 1;
	}
	for (const title of sheet.titles) put([title]);
	put(order.map((part) => names[part]!));
	const places = sheet.rows.map(({ cells, blankBefore }) => {
		// Check boxes go down a free column further than the rows.
		if (blankBefore) put(order.map((part) => (typeof part === 'number' ? 'FALSE' : '')));
		const isSmall = (part: Part) => sheet.isSmall && (part === 'currency' || part === 'coin');
		return put(order.map((part) => (isSmall(part) ? cells[part]!.toLowerCase() : cells[part]!)));
	});
	return { text: sheet.isEnded ? text : text.slice(0, -lineEnd.length), places };
}

/** The bytes of the file. */
export function encoded(text: string, encoding: Sheet['encoding']): Uint8Array {
	if (encoding === 'utf-8') return Buffer.from(text);
	if (encoding === 'utf-8 with mark') return Buffer.from(`\ufeff${text}`);
	const littleEndian = Buffer.from(`\ufeff${text}`, 'utf16le');
	return encoding === 'utf-16le' ? littleEndian : littleEndian.swap16();
}

/** The same rows as another node gives them: numbers as numbers, and no field for an empty cell. */
export function itemsOf({ names, order, rows }: Sheet): Array<Record<string, string | number>> {
	return rows.map(({ cells }) => {
		const filled = order.filter((part) => cells[part] !== '' && names[part] !== '');
		return Object.fromEntries(
			filled.map((part) => [names[part], part === 'amount' ? Number(cells.amount) : cells[part]!]),
		);
	});
}

/** What must be said: of a row, of a line of the text, or of the file. */
interface Mistake extends Partial<Place> {
	text: string;
	says: RegExp;
	/** If the mistake is one of the encoding. */
	content?: Uint8Array;
	/** If the node has other names in its settings. */
	settings?: ListSettings;
}

type Inject = (sheet: Sheet, index: number, chance: number) => Mistake | undefined;

/** The sheet with other cells in a row. */
const changed = (sheet: Sheet, index: number, cells: Partial<Cells>): Sheet => {
	const row = sheet.rows[index]!;
	return { ...sheet, rows: sheet.rows.with(index, { ...row, cells: { ...row.cells, ...cells } as Cells }) };
};
const ofRow = (sheet: Sheet, index: number, says: RegExp): Mistake => {
	const { text, places } = write(sheet);
	return { text, row: places[index]!.row, says };
};
const ofLine = (sheet: Sheet, index: number, part: Part, says: RegExp): Mistake => {
	const { order, rows } = sheet;
	const before = order.slice(0, order.indexOf(part)).map((each) => rows[index]!.cells[each]);
	const { text, places } = write(sheet);
	return { text, line: places[index]!.line + before.join('').split('\n').length - 1, says };
};
const ofFile = (sheet: Sheet, says: RegExp): Mistake => ({ text: write(sheet).text, says });

const EXCEL_KEYS = [
	'1,23E+12',
	'12345678901234500',
	'1-Mar',
	'mar-26',
	'01. Mrz',
	'1-ago',
	'01/mar',
	'3/1/2026',
	'2026-03-01',
];
/** Units in six languages, and one that nobody knows. */
const UNITS = ['kobo', 'lakhs', "'000", 'drops', '\u00f8re', 'Tausend', 'milliers', 'mBTC', 'zorkmids'];

/** The list with another name of its column of amounts, as the settings of the node have it. */
const withAmountName = (sheet: Sheet, more: string): Sheet => {
	const amount = `${sheet.names.amount.trim()} ${more}`;
	const columns = { ...sheet.settings.columns, amount };
	return { ...sheet, settings: { ...sheet.settings, columns }, names: { ...sheet.names, amount } };
};

/** Mistakes that a reader could miss in a sheet of some shape. What is wrong with a cell alone is in the tables of the test. */
export const MISTAKES: Record<string, Inject> = {
	'a point that may be both': (sheet, index) => {
		const [whole = ''] = sheet.rows[index]!.cells.amount.split('.');
		const amount = `${whole.slice(0, 3)}.125`;
		return ofRow(changed(sheet, index, { amount }), index, /can be \d+ or \d+/);
	},
	'the separator inside the amount': (sheet, index) => {
		const says = /more cells than|can be one number|missing|currency or coin|not a code|No settlement/;
		return ofRow(changed(sheet, index, { amount: raw(`1${sheet.separator}250`) }), index, says);
	},
	'an alias that nobody knows': (sheet, index, chance) => {
		const aliases = [
			'suplier-main',
			'nobody',
			'SUPPLIERMAIN',
			'Muller & Söhne',
			'=cmd()',
			'+234 rnet',
			'supplier_main',
		];
		const says = /No settlement (account|wallet) has the alias|sign of a formula/;
		return ofRow(changed(sheet, index, { destination: pick(aliases, chance) }), index, says);
	},
	'a quotation mark that never ends': (sheet, index, chance) => {
		const part = pick(sheet.order, chance);
		const text = sheet.rows[index]!.cells[part]!.replaceAll('"', '');
		const opened = changed(sheet, index, { [part]: raw(`"${text}`) });
		const says = /quotation mark|more cells than/;
		return { ...ofLine(opened, index, part, says), row: ofRow(opened, index, says).row };
	},
	'a quotation mark that ends rows later': (sheet, index) => {
		const [note, last] = [sheet.order.at(-1)!, sheet.rows.length - 1];
		if (typeof note !== 'number' || index === last) return undefined;
		const opened = changed(sheet, index, { [note]: raw('"open') });
		const closed = changed({ ...opened, quotes: 'needed' }, last, { [note]: raw('pipe 5"') });
		return ofLine(closed, index, note, /quotation mark/);
	},
	'amounts in another unit': (sheet, _, chance) => {
		const named = withAmountName(sheet, `(${pick(UNITS, chance)})`);
		return {
			...ofFile(named, /^The column .* says .*, so its amounts may be in another unit/s),
			settings: named.settings,
		};
	},
	'another currency in the name of a column': (sheet, index, chance) => {
		const named = withAmountName(sheet, pick(['in EUR', '\u20ac', '(eur)', 'Euro'], chance));
		return {
			...ofRow(named, index, /by the name of its column, and would be paid in/),
			settings: named.settings,
		};
	},
	'decimals that the currency lacks': (sheet, index) => {
		const cells = { ...codesOf('NGN'), amount: '1234.5678', destination: 'supplier-main' };
		return ofRow(changed(sheet, index, cells), index, /cannot be paid by a bank: NGN has 2 decimals/);
	},
	'cents without a point': (sheet, index) => {
		const amount = sheet.rows[index]!.cells.amount.replace('.', '').padStart(14, '0');
		return ofRow(changed(sheet, index, { amount }), index, /can be \d+ or \d+\.\d\d\. Write/);
	},
	'a table above the table': (sheet) => {
		if (sheet.separator === '|') return undefined;
		const titles = [
			['Nr', 'Sum', 'To'],
			['7', '12.50', 'ada'],
			['8', '3', 'ben'],
		].map((cells) => raw(cells.join(sheet.separator)));
		return ofFile({ ...sheet, titles }, /rows 2 and 3 look like payouts, and are not read/);
	},
	'a table of another order below': (sheet, index) => {
		const { order, names, rows } = sheet;
		const turned = order.toReversed();
		const as = (cells: Cells) =>
			Object.fromEntries(order.map((part, at) => [part, cells[turned[at]!]])) as Cells;
		const of = (cells: Cells) => ({ code: '', cells: as(cells), blankBefore: false });
		if (order.every((part, at) => part === turned[at] || typeof part === 'number')) return undefined;
		const all = [...rows, of(names), of(rows[index]!.cells)];
		return ofRow({ ...sheet, rows: all }, all.length - 1, /is below other names of columns/);
	},
	'a row above the names': (sheet, index) => {
		const cells = sheet.order.map((part) => sheet.rows[index]!.cells[part]!);
		if (cells.some((cell) => /["\n]/.test(cell) || cell.includes(sheet.separator))) return undefined;
		const titles = [raw(cells.join(sheet.separator))];
		return ofFile({ ...sheet, titles }, /row 1 looks like a payout, and is not read/);
	},
	'a name that is missing': (sheet, _, chance) => {
		const column = pick(['paymentKey', 'amount', 'destination'] as const, chance);
		const names = { ...sheet.names, [column]: pick(['', 'x', `${column}1`], chance) };
		const name = sheet.settings.columns[column].replace(/[()]/g, '\\$&');
		return ofFile({ ...sheet, names }, new RegExp(`no column ${name}.*Its columns are `));
	},
	'a character that is lost': (sheet, index) => {
		const paymentKey = `${sheet.rows[index]!.cells.paymentKey}\ufffd`;
		return ofLine(changed(sheet, index, { paymentKey }), index, 'paymentKey', /not in UTF-8/);
	},
	'another encoding': (sheet, index) => {
		const paymentKey = `${sheet.rows[index]!.cells.paymentKey}\u00e9`;
		const mistake = ofLine(changed(sheet, index, { paymentKey }), index, 'paymentKey', /not in UTF-8/);
		// In the list, the first character of the kind may stand in a line before.
		const isFirst = !/[^ -~\s]/.test(mistake.text.slice(0, mistake.text.indexOf(paymentKey)));
		return isFirst ? { ...mistake, content: Buffer.from(mistake.text, 'latin1') } : undefined;
	},
	'a debit': (sheet, index, chance) => {
		const { amount } = sheet.rows[index]!.cells;
		const debit = pick(
			[`(${amount})`, `-${amount}`, `${amount}-`, `\u2212${amount}`, `${amount} CR`],
			chance,
		);
		return ofRow(changed(sheet, index, { amount: debit }), index, /looks like a debit or credit note/);
	},
	'a currency in the amount': (sheet, index, chance) => {
		const { amount } = sheet.rows[index]!.cells;
		const money = pick([`\u20a6${amount}`, `$${amount}`, `${amount} NGN`, `USDT ${amount}`], chance);
		return ofRow(changed(sheet, index, { amount: money }), index, /Remove the currency from the amount/);
	},
	'both codes': (sheet, index) =>
		ofRow(changed(sheet, index, { currency: 'NGN', coin: 'USDT' }), index, /^Fill in currency or coin/),
	'no code': (sheet, index) => {
		if (sheet.settings.codeOfAll !== undefined) return undefined;
		return ofRow(changed(sheet, index, { currency: '', coin: '' }), index, /^Fill in currency or coin/);
	},
	'a code that the destination does not take': (sheet, index) =>
		ofRow(changed(sheet, index, codesOf('EUR')), index, /takes .*, not EUR|is a wallet, and/),
	'a destination that is not approved': (sheet, index) => {
		const cells = { ...codesOf('NGN'), destination: 'supplier-new' };
		return ofRow(changed(sheet, index, cells), index, /is not approved\. Its status is Pending/);
	},
	'a key twice': (sheet, index) => {
		const other = sheet.rows[(index + 1) % sheet.rows.length]!.cells;
		if (sheet.rows.length === 1) return undefined;
		const paymentKey = other.paymentKey.toLowerCase();
		return ofRow(changed(sheet, index, { paymentKey }), index, /is in the list more than once/);
	},
	'a payment twice': (sheet, index) => {
		if (index === 0) return undefined;
		const { amount, currency, coin, destination } = sheet.rows[0]!.cells;
		const cells = { amount: amount.includes('.') ? `${amount}0000` : amount, currency, coin, destination };
		return ofRow(
			changed(sheet, index, cells),
			index,
			/^This row has the same amount, \w+ and destination as/,
		);
	},
	'a total below': (sheet, _, chance) => {
		const names = ['TOTAL', 'Grand total', 'Sum:', 'Zwischensumme'];
		const cells = { ...sheet.rows[0]!.cells, paymentKey: pick(names, chance), destination: '' };
		const rows = [...sheet.rows, { code: '', cells, blankBefore: false }];
		return ofRow({ ...sheet, rows }, rows.length - 1, /looks like a total/);
	},
	'the names again': (sheet, index) =>
		ofRow(changed(sheet, index, sheet.names), index, /has the names of the columns again/),
	'an error of Excel': (sheet, index, chance) => {
		const [column, error] = [pick(COLUMNS, chance), pick(['#N/A', '#REF!', '#####', '#DIV/0!'], chance)];
		return ofRow(changed(sheet, index, { [column]: error }), index, /which Excel could not calculate/);
	},
	'a key that Excel has changed': (sheet, index, chance) => {
		const paymentKey = pick(EXCEL_KEYS, chance);
		return ofRow(changed(sheet, index, { paymentKey }), index, /^Excel (has cut|may have made)/);
	},
	'a key that is not complete': (sheet, index, chance) => {
		const keys = [
			'INV-',
			'INV-null',
			'undefined',
			'{{ $json.id }}',
			'n/a',
			'INV-False',
			'\\N',
			'PAY-{order}',
		];
		const paymentKey = pick(keys, chance);
		return ofRow(changed(sheet, index, { paymentKey }), index, /is not complete/);
	},
	'a currency in pence': (sheet, index, chance) => {
		const currency = pick(['GBp', 'USd', 'ZAc'], chance);
		const pence = changed({ ...sheet, isSmall: false }, index, { currency, coin: '' });
		return ofRow(pence, index, /^The currency .* is (pence|cents)\. Write the amount in /);
	},
	'a row that another column takes back': (sheet, index, chance) => {
		const note = sheet.settings.columns.note.toLowerCase();
		const free = sheet.order.find(
			(part) => typeof part === 'number' && sheet.names[part]!.toLowerCase() !== note,
		);
		if (free === undefined) return undefined;
		const word = pick(['Cancelled', 'VOID', 'Paid', 'refund', 'Credit Note', 'On hold'], chance);
		return ofRow(changed(sheet, index, { [free]: word }), index, /^The column .* says \w+/);
	},
	'a cell that is missing': (sheet, index) => {
		// Only the last cell can be left out without a trace.
		if (sheet.order.at(-1) !== 'destination') return undefined;
		const { text, places } = write(changed(sheet, index, { 0: '', 1: '', 2: '' }));
		const lines = text.split(sheet.lineEnd);
		const line = places[index]!.line - 1;
		const whole = lines[line]!;
		const cut = lines.with(line, whole.slice(0, whole.lastIndexOf(sheet.separator)));
		return { text: cut.join(sheet.lineEnd), row: places[index]!.row, says: /^The destination .*is missing/ };
	},
};
