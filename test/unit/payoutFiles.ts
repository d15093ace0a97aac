/** Files of payouts as people and programs write them, made by chance, and the mistakes that they make. */
import fc from 'fast-check';

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
	...[['NGN', 'supplier-main'] as const, ['NGN', '+234 rent'] as const, ['USD', 'Müller & Söhne'] as const],
	...[['USDT', 'treasury'] as const, ['USDC', 'treasury'] as const, ['BTC', '@desk'] as const],
];
const COINS = ['USDT', 'USDC', 'BTC'];

const COLUMNS = ['paymentKey', 'amount', 'currency', 'coin', 'destination'] as const;
type Column = (typeof COLUMNS)[number];
/** A column of the form, or the number of a free one. */
type Part = Column | number;
/** The text of each part in a row. */
type Cells = Record<Column, string> & Record<number, string>;

const NAMES: Record<Column, string[]> = {
	paymentKey: ['paymentKey', 'Payment Key', 'PAYMENT_KEY', 'payment-key', 'Payment\nKey'],
	amount: ['amount', 'Amount', ' AMOUNT '],
	currency: ['currency', 'Currency'],
	coin: ['coin', 'COIN'],
	destination: ['destination', 'Destination:'],
};
const FREE = ['Note', 'Invoice, date', 'Paid by; whom', 'a "name"', ''];
const NOTES = [
	...['', 'x', '5" pipe', 'a, b; c', 'Please call\nAda, or Obi', '12,50', 'say "yes"', 'TOTAL', '=1+1'],
	'Ünï \u200b',
];

interface Sheet {
	separator: string;
	lineEnd: string;
	/** Before all. */
	start: string;
	tellsSeparator: boolean;
	titles: string[];
	names: Cells;
	/** From left to right. */
	order: Part[];
	rows: Array<{ cells: Cells; blankBefore: boolean }>;
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
			start: fc.constantFrom('', '\ufeff'),
			tellsSeparator: fc.boolean(),
			titles: fc.array(
				fc.constantFrom('', 'Payouts of June', 'June, July and August; all of them', '"Ada"'),
				{ maxLength: 2 },
			),
			names: fc
				.tuple(...COLUMNS.map((column) => fc.constantFrom(...NAMES[column])))
				.map((names) => ({ ...free, ...Object.fromEntries(names.map((name, at) => [COLUMNS[at], name])) })),
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
		.map(({ names, keys, rows, ...sheet }) => ({
			...sheet,
			names: names as Cells,
			rows: rows.map(({ place: [code, destination], whole, part, places, notes, blankBefore }, index) => {
				const digits = String(part).padStart(6, '0').slice(0, places);
				const amount = digits === '' ? String(whole) : `${whole}.${digits}`;
				const codes = COINS.includes(code) ? { currency: '', coin: code } : { currency: code, coin: '' };
				const paymentKey = `${keys}${1001 + index}`;
				return { blankBefore, cells: { ...notes, paymentKey, amount, ...codes, destination } };
			}),
		}));

export const sheets = fc
	.array(fc.constantFrom(...FREE), { maxLength: 3 })
	.chain(sheetsWith)
	.filter(({ rows }) => !endsInSum(rows) && !hasSamePayment(rows));

const hasSamePayment = (rows: Sheet['rows']) => {
	const words = rows.map(({ cells: { amount, currency, coin, destination } }) =>
		[Number(amount), currency, coin, destination].join(),
	);
	return new Set(words).size < rows.length;
};

/** Whether the first or last amount of a currency is the sum of its others: such a row may be a total. */
const endsInSum = (rows: Sheet['rows']) =>
	[...Map.groupBy(rows, ({ cells: { currency, coin } }) => currency || coin).values()].some((group) => {
		const units = group.map(({ cells: { amount } }) => Math.round(Number(amount) * 1e6));
		const sum = units.reduce((a, b) => a + b);
		return units.length > 2 && [units[0]!, units.at(-1)!].some((amount) => amount * 2 === sum);
	});

/** Where something is: by Excel, and in a text editor. */
type Place = { row: number; line: number };

/** A cell that is written as it is. */
const raw = (text: string) => `\u0001${text}`;

/** The text of a file, and where each row is. */
export function write(sheet: Sheet): { text: string; places: Place[] } {
	const { separator, lineEnd, order, names, quotes } = sheet;
	let [text, row, line] = [sheet.start, 1, 1];
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
		if (blankBefore) put(order.map(() => ''));
		const isSmall = (part: Part) => sheet.isSmall && (part === 'currency' || part === 'coin');
		return put(order.map((part) => (isSmall(part) ? cells[part]!.toLowerCase() : cells[part]!)));
	});
	return { text: sheet.isEnded ? text : text.slice(0, -lineEnd.length), places };
}

/** What the page must say: of a row, of a line of the text, or of the file. */
interface Mistake extends Partial<Place> {
	text: string;
	says: RegExp;
}

type Inject = (sheet: Sheet, index: number, chance: number) => Mistake | undefined;

const pick = <T>(list: readonly T[], chance: number): T => list[chance % list.length]!;

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

/** Mistakes that a reader could miss in a sheet of some shape. What is wrong with a cell alone is in the tables of the test. */
export const MISTAKES: Record<string, Inject> = {
	'a point that may be both': (sheet, index) => {
		const [whole = ''] = sheet.rows[index]!.cells.amount.split('.');
		const amount = `${whole.slice(0, 3)}.125`;
		return ofRow(changed(sheet, index, { amount }), index, /can be \d+ or \d+/);
	},
	'the separator inside the amount': (sheet, index) => {
		const says =
			/one cell too many|can be one number|missing|currency or coin|no code|not a code|no settlement/;
		return ofRow(changed(sheet, index, { amount: raw(`1${sheet.separator}250`) }), index, says);
	},
	'an alias that nobody knows': (sheet, index, chance) => {
		const aliases = [
			...['suplier-main', 'nobody', 'SUPPLIER-MAIN', 'Müller & Söhne'.normalize('NFD'), '=cmd()'],
			...['+234 rnet', 'supplier‐main'],
		];
		const says = /no settlement (account|wallet) has the alias|sign of a formula/;
		return ofRow(changed(sheet, index, { destination: pick(aliases, chance) }), index, says);
	},
	'a quotation mark that never ends': (sheet, index, chance) => {
		const part = pick(sheet.order, chance);
		const text = sheet.rows[index]!.cells[part]!.replaceAll('"', '');
		const opened = changed(sheet, index, { [part]: raw(`"${text}`) });
		const says = /quotation mark|one cell too many/;
		return { ...ofLine(opened, index, part, says), row: ofRow(opened, index, says).row };
	},
	'a quotation mark that ends rows later': (sheet, index) => {
		const [note, last] = [sheet.order.at(-1)!, sheet.rows.length - 1];
		if (typeof note !== 'number' || index === last) return undefined;
		const opened = changed(sheet, index, { [note]: raw('"open') });
		const closed = changed({ ...opened, quotes: 'needed' }, last, { [note]: raw('pipe 5"') });
		return ofLine(closed, index, note, /quotation mark/);
	},
	'a row above the names': (sheet, index) => {
		const cells = sheet.order.map((part) => sheet.rows[index]!.cells[part]!);
		if (cells.some((cell) => /["\n]/.test(cell) || cell.includes(sheet.separator))) return undefined;
		const titles = [raw(cells.join(sheet.separator))];
		return ofFile({ ...sheet, titles }, /^Row 1 is above the names of the columns/);
	},
	'a name that is missing': (sheet, _, chance) => {
		const column = pick(['paymentKey', 'amount', 'destination'] as const, chance);
		const names = { ...sheet.names, [column]: pick(['', 'x', `${column}1`], chance) };
		return ofFile({ ...sheet, names }, new RegExp(`no column ${column}`));
	},
	'another encoding': (sheet, index) => {
		const paymentKey = `${sheet.rows[index]!.cells.paymentKey}\ufffd`;
		return ofLine(changed(sheet, index, { paymentKey }), index, 'paymentKey', /not in UTF-8/);
	},
	'a cell that is missing': (sheet, index) => {
		// Only the last cell can be left out without a trace.
		if (sheet.order.at(-1) !== 'destination') return undefined;
		const { text, places } = write(changed(sheet, index, { 0: '', 1: '', 2: '' }));
		const lines = text.split(sheet.lineEnd);
		const line = places[index]!.line - 1;
		const whole = lines[line]!;
		const cut = lines.with(line, whole.slice(0, whole.lastIndexOf(sheet.separator)));
		return { text: cut.join(sheet.lineEnd), row: places[index]!.row, says: /destination is missing/ };
	},
};
