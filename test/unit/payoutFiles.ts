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

export interface Sheet {
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
					places: fc.constantFrom(0, 0, 1, 2, 2, 4, 6, 3),
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
				// Three decimals are clear only where commas separate.
				const decimals = places === 3 && sheet.separator !== ',' ? 2 : places;
				const digits = String(part).padStart(6, '0').slice(0, decimals);
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
export interface Mistake extends Partial<Place> {
	text: string;
	says: RegExp;
}

type Inject = (sheet: Sheet, index: number, chance: number) => Mistake | undefined;
type Change = Partial<Cells> | ((cells: Cells, chance: number) => Partial<Cells> | undefined);

const pick = <T>(list: readonly T[], chance: number): T => list[chance % list.length]!;

/** The sheet with other cells in a row. */
const changed = (sheet: Sheet, index: number, cells: Partial<Cells>): Sheet => {
	const row = sheet.rows[index]!;
	return { ...sheet, rows: sheet.rows.with(index, { ...row, cells: { ...row.cells, ...cells } as Cells }) };
};
/** The sheet with another row, which has these cells and else those of the first. */
const inserted = (sheet: Sheet, index: number, cells: Partial<Cells>) =>
	changed({ ...sheet, rows: sheet.rows.toSpliced(index, 0, sheet.rows[0]!) }, index, cells);

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

/** One of these changes in a row. */
const wrong =
	(says: RegExp, ...changes: Change[]): Inject =>
	(sheet, index, chance) => {
		const change = pick(changes, chance);
		const cells =
			typeof change === 'function'
				? change(sheet.rows[index]!.cells, Math.floor(chance / changes.length))
				: change;
		return cells && ofRow(changed(sheet, index, cells), index, says);
	};
const key = (says: RegExp, ...texts: string[]) => wrong(says, ...texts.map((paymentKey) => ({ paymentKey })));
const amount = (says: RegExp, ...texts: string[]) => wrong(says, ...texts.map((amount) => ({ amount })));
const destination = (says: RegExp, ...texts: string[]) =>
	wrong(says, ...texts.map((destination) => ({ destination })));

/** Cells that are wrong because of those of the next row, which may be others, too. */
const beside =
	(says: RegExp, own: (next: Cells) => Partial<Cells>, others: Partial<Cells> = {}): Inject =>
	(sheet, index) => {
		const next = (index + 1) % sheet.rows.length;
		if (next === index) return undefined;
		const { cells } = sheet.rows[next]!;
		return ofRow(changed(changed(sheet, next, others), index, own(cells)), index, says);
	};

const HIDDEN = ['\ufeff', '\u200b', '\u00ad', '\u2060', '\u200e', '\u3164', '\u2800', '\u0007'];
const wholeOf = (amount: string) => amount.split('.')[0]!;
const grouped = (amount: string, sign: string, rest: string) =>
	wholeOf(amount).length > 3
		? { amount: wholeOf(amount).replace(/\B(?=(\d{3})+(?!\d))/g, sign) + rest }
		: undefined;
const ofCode = ({ coin }: Cells) => (coin ? ('coin' as const) : ('currency' as const));
const [NGN, USD] = ['NGN', 'USD'].map((currency) => ({ currency, coin: '' }));
const [USDT, BTC] = ['USDT', 'BTC'].map((coin) => ({ currency: '', coin }));

export const MISTAKES: Record<string, Inject> = {
	'a comma in an amount': wrong(
		/amount .* has a comma/,
		({ amount }) => grouped(amount, ',', '.50'),
		({ amount }) => grouped(amount, '.', ',50'),
		({ amount }) => ({ amount: `${wholeOf(amount)},5` }),
	),
	'a comma that may be both': wrong(/can be \d+ or \d+/, ({ amount }) => ({
		amount: `${wholeOf(amount).slice(0, 3)},250`,
	})),
	'a point that may be both': (sheet, index) => {
		const { amount } = sheet.rows[index]!.cells;
		const unclear = { amount: `${wholeOf(amount).slice(0, 3)}.125` };
		return sheet.separator === ','
			? undefined
			: ofRow(changed(sheet, index, unclear), index, /can be \d+ or \d+/);
	},
	'a point that another row makes unclear': beside(/can be 7125 or/, () => ({ amount: '7.125' }), {
		amount: '2,5',
	}),
	'the separator inside the amount': (sheet, index) =>
		ofRow(
			changed(sheet, index, { amount: raw(`1${sheet.separator}250`) }),
			index,
			/one cell too many|missing|currency or coin|no code|not a code|no settlement/,
		),
	'no number': amount(
		/amount .*(not a number|formula|one point|comma|spaces)/,
		...['five', '-5', '+5', '=1+1', '5 NGN', '.5', '1.2.3', '1,2,3', '12-May', 'TRUE'],
	),
	'a sign before the amount': wrong(/amount has the character . \(U\+/, ({ amount }, chance) => ({
		amount: pick(['€', '₦', '−'], chance) + amount,
	})),
	'spaces in the amount': wrong(/amount .*(spaces|not a number)/, ({ amount }) => ({
		amount: `1 ${amount}`,
	})),
	'no amount': amount(/amount is missing/, ''),
	zero: amount(/amount is 0/, '0', '0.00', '000'),
	'an amount that Excel shortened': amount(/has cut digits off the amount/, '1.23E+12', '1,23E+12', '5E+05'),
	'an error of Excel': wrong(/an error of Excel/, (_, chance) => ({
		[pick(COLUMNS, chance)]: pick(
			['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#####', '#NV', '#BEZUG!'],
			chance >> 3,
		),
	})),
	'an invisible character': wrong(/U\+\w{4,}, which nobody sees/, (cells, chance) => {
		const column = pick(['paymentKey', 'amount', ofCode(cells), 'destination'] as const, chance);
		const text = cells[column];
		// At an end, a byte order mark is a space.
		const at = 1 + ((chance >> 5) % Math.max(text.length - 1, 1));
		return text.length < 2
			? undefined
			: { [column]: text.slice(0, at) + pick(HIDDEN, chance >> 2) + text.slice(at) };
	}),
	'an invisible character in an empty cell': wrong(
		/(currency|coin) has the character U\+200B/,
		({ coin }) => ({ [coin ? 'currency' : 'coin']: '\u200b' }),
	),
	'a letter of another alphabet': wrong(/has the character Т \(U\+0422\)/, (cells, chance) => {
		const column = pick([ofCode(cells), 'paymentKey'] as const, chance);
		return { [column]: `Т${cells[column].slice(1)}` };
	}),
	'no key': key(/paymentKey is missing/, ''),
	'a key that Excel shortened': key(
		/Excel has cut digits off the paymentKey/,
		...['1.23E+12', '1,23E+12', '1E+15', '12345678901234500'],
	),
	'a key that Excel made a date': key(/Excel may have made a date/, '1-Mar', '03-Dec', 'Mar-26'),
	'a key without a value': key(
		/paymentKey .* is not complete/,
		...['null', 'N/A', 'none', 'undefined', 'INV-', 'INV-null', '{{ $json.id }}', 'NaN'],
	),
	'a key of the example': key(/is a key of the example/, 'EXAMPLE-1', 'example 7', 'Example'),
	'a formula as a key': wrong(/begins with a sign of a formula/, ({ paymentKey }, chance) => ({
		paymentKey: pick(['=', '+', '@', '-'], chance) + paymentKey,
	})),
	'a key that is too long': wrong(/more than 64 characters/, ({ paymentKey }) => ({
		paymentKey: paymentKey.padEnd(65, 'x'),
	})),
	'a key twice': beside(/in the file more than once/, ({ paymentKey }) => ({
		paymentKey: paymentKey.toLowerCase(),
	})),
	'zeros that Excel cut off': beside(/differ in zeros only/, () => ({ paymentKey: '42' }), {
		paymentKey: '00042',
	}),
	'the same payment under two keys': (sheet, index, chance) => {
		const { cells } = sheet.rows[index]!;
		const amount = cells.amount.includes('.') ? `0${cells.amount}0` : `${cells.amount}.0`;
		const again = inserted(sheet, sheet.rows.length, { ...cells, amount, paymentKey: `Z-${chance}` });
		return ofRow(again, sheet.rows.length, /the same amount, .* and destination as/);
	},
	'a row twice': (sheet, index) =>
		ofRow(inserted(sheet, index, sheet.rows[index]!.cells), index + 1, /in the file more than once/),
	'currency and coin': wrong(/fill in currency or coin/, { currency: 'NGN', coin: 'USDT' }),
	'neither currency nor coin': wrong(/fill in currency or coin/, { currency: '', coin: '' }),
	'a number as a code': wrong(/is not a code such as/, (cells) => ({ [ofCode(cells)]: '250.50' })),
	'no destination': destination(/destination is missing/, ''),
	'an alias that nobody knows': destination(
		/no settlement (account|wallet) has the alias|sign of a formula/,
		...['suplier-main', 'nobody', 'SUPPLIER-MAIN', 'Müller & Söhne'.normalize('NFD'), '=cmd()'],
		...['+234 rnet', 'supplier‐main'],
	),
	'an account that is not approved': wrong(
		/is not approved. Its status is (Pending|Rejected)/,
		{ ...NGN, destination: 'supplier-new' },
		{ ...USD, destination: 'supplier-main' },
	),
	'another currency': wrong(
		/takes .*, not (USD|BTC)/,
		{ ...USD, destination: '+234 rent' },
		{ ...BTC, destination: 'treasury' },
	),
	'a wallet with a currency': wrong(/treasury is a wallet/, { ...NGN, destination: 'treasury' }),
	'an account with a coin': wrong(/supplier-main is an account/, { ...USDT, destination: 'supplier-main' }),
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
	'a row with a total': (sheet, _, chance) => {
		const words = [
			...['TOTAL', 'Total:', 'Grand total', 'sum', 'Total NGN', 'TOTAL AMOUNT DUE', 'Total 06/2026'],
			...['Sub-total:', 'Итого', 'Summe'],
		];
		const { length } = sheet.rows;
		const total = inserted(sheet, length, { paymentKey: pick(words, chance) });
		return ofRow(total, length, /looks like a row with a total/);
	},
	'a sum below the rows': (sheet, _, chance) => {
		const amounts = [30, 100, 7].slice(0, 2 + (chance % 2));
		const blank = chance % 3 === 0 ? { currency: '', coin: '', destination: '' } : {};
		const last = { paymentKey: pick(['', 'S-9', 'June'], chance), ...blank };
		const sum = amounts.reduce((a, b) => a + b);
		const rows = [...amounts, sum].map((amount, at) => {
			const own = at < amounts.length ? { paymentKey: `S-${at}` } : last;
			return { ...sheet.rows[0]!, cells: { ...sheet.rows[0]!.cells, amount: String(amount), ...own } };
		});
		return ofRow({ ...sheet, rows }, amounts.length, /sum of the other rows|row with a total/);
	},
	'the names again': (sheet, index) => {
		const names = Object.fromEntries(COLUMNS.map((column) => [column, column]));
		return ofRow(inserted(sheet, index, names), index, /names of the columns again/);
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
	'a letter of another alphabet in a name': (sheet) => {
		const names = { ...sheet.names, amount: 'аmount' };
		return ofFile({ ...sheet, names }, /The name аmount has the character а \(U\+0430\)/);
	},
	'a name twice': (sheet, _, chance) => {
		const column = pick(COLUMNS, chance);
		if (!sheet.order.includes(0)) return undefined;
		const names = { ...sheet.names, 0: column };
		return ofFile({ ...sheet, names }, new RegExp(`the column ${column} twice`));
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
