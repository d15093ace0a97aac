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
export type Values = Record<Column, string>;

const NAMES: Record<Column, string[]> = {
	paymentKey: ['paymentKey', 'Payment Key', 'PAYMENT_KEY', 'payment-key', 'Payment\nKey'],
	amount: ['amount', 'Amount', ' AMOUNT '],
	currency: ['currency', 'Currency'],
	coin: ['coin', 'COIN'],
	destination: ['destination', 'Destination:'],
};
const FREE = ['Note', 'Invoice, date', 'Paid by; whom', 'a "name"', ''];
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

export interface Sheet {
	separator: string;
	lineEnd: string;
	/** Before all. */
	start: string;
	tellsSeparator: boolean;
	titles: string[];
	names: string[];
	/** The place of each column among the names. */
	order: Array<Column | number>;
	rows: Array<{ values: Values; notes: string[]; blankBefore: boolean }>;
	quotes: 'needed' | 'all' | 'mixed';
	isEnded: boolean;
	hasSpaces: boolean;
	isSmall: boolean;
}

/** Millionths: sums are exact. */
const decimal = (units: bigint, places: number) => {
	const digits = String(units).padStart(7, '0');
	const text = `${digits.slice(0, -6)}.${digits.slice(-6)}`;
	return places === 0 ? digits.slice(0, -6) : text.slice(0, text.length - 6 + places);
};

export const sheets: fc.Arbitrary<Sheet> = fc
	.record({
		separator: fc.constantFrom(',', ';', '\t', '|'),
		lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
		start: fc.constantFrom('', '\ufeff'),
		tellsSeparator: fc.boolean(),
		titles: fc.array(fc.constantFrom('', 'Payouts of June', 'June, July and August; all of them', '"Ada"'), {
			maxLength: 2,
		}),
		free: fc.array(fc.constantFrom(...FREE), { maxLength: 3 }),
		shuffle: fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
		names: fc.record(
			Object.fromEntries(COLUMNS.map((column) => [column, fc.constantFrom(...NAMES[column])])) as Record<
				Column,
				fc.Arbitrary<string>
			>,
		),
		keys: fc.constantFrom('INV-', 'a/b ', '№'.normalize('NFKC'), '2026.', '#', 'Total-'),
		rows: fc.array(
			fc.record({
				place: fc.constantFrom(...PLACES),
				whole: fc.bigInt({ min: 1n, max: 5_000_000n }),
				part: fc.bigInt({ min: 1n, max: 999_998n }),
				places: fc.constantFrom(0, 0, 1, 2, 2, 4, 6, 3),
				notes: fc.array(fc.constantFrom(...NOTES), { minLength: 3, maxLength: 3 }),
				blankBefore: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
			}),
			{ minLength: 1, maxLength: 7 },
		),
		quotes: fc.constantFrom('needed' as const, 'all' as const, 'mixed' as const),
		isEnded: fc.boolean(),
		hasSpaces: fc.boolean(),
		isSmall: fc.boolean(),
	})
	.map(({ free, shuffle, names, keys, rows, ...sheet }) => {
		const parts: Array<Column | number> = [...COLUMNS, ...free.keys()];
		const order = parts
			.map((part, index) => ({ part, by: shuffle[index]! }))
			.sort((a, b) => a.by - b.by)
			.map(({ part }) => part);
		return {
			...sheet,
			order,
			names: order.map((part) => (typeof part === 'number' ? free[part]! : names[part])),
			rows: rows.map(({ place: [code, destination], whole, part, places, notes, blankBefore }, index) => {
				// Three decimals are clear only where commas separate.
				const decimals = places === 3 && sheet.separator !== ',' ? 2 : places;
				const coin = COINS.includes(code);
				return {
					blankBefore,
					notes: notes.slice(0, free.length),
					values: {
						paymentKey: `${keys}${1001 + index}`,
						amount: decimal(whole * 1_000_000n + part, decimals),
						currency: coin ? '' : code,
						coin: coin ? code : '',
						destination,
					},
				};
			}),
		};
	})
	.filter(({ rows }) => !endsInSum(rows.map(({ values }) => values)) && !hasSamePayment(rows));

/** Amounts are above zero, and those without decimals have no point. */
const hasSamePayment = (rows: Array<{ values: Values }>) =>
	new Set(
		rows.map(({ values: { amount, currency, coin, destination } }) =>
			[Number(amount), currency, coin, destination].join(),
		),
	).size < rows.length;

/** Whether the first or last amount of a currency is the sum of its others: such a row may be a total. */
export function endsInSum(rows: Values[]): boolean {
	const units = (amount: string) =>
		BigInt(amount.split('.')[0]! + (amount.split('.')[1] ?? '').padEnd(6, '0'));
	return [...Map.groupBy(rows, ({ currency, coin }) => currency || coin).values()].some((group) => {
		const amounts = group.map(({ amount }) => units(amount));
		const sum = amounts.reduce((a, b) => a + b, 0n);
		return amounts.length > 2 && [amounts[0]!, amounts.at(-1)!].some((amount) => amount * 2n === sum);
	});
}

export interface Written {
	text: string;
	/** Where each row is: by Excel, and in a text editor. */
	places: Array<{ row: number; line: number }>;
	/** Where the names are. */
	head: { row: number; line: number };
}

/** A cell as it is written. What is wrapped in `raw` is written as it is. */
export const raw = (text: string) => `\u0001${text}`;

/** The text of a file. `change` may change what is written in a cell. */
export function write(sheet: Sheet): Written {
	const { separator, lineEnd, order, quotes } = sheet;
	let [text, row, line] = [sheet.start, 1, 1];
	const put = (cells: string[]) => {
		const written = cells.map((cell, index) => {
			if (cell.startsWith('\u0001')) return cell.slice(1);
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
	const head = put(sheet.names);
	const places = sheet.rows.map(({ values, notes, blankBefore }) => {
		if (blankBefore) put(order.map(() => ''));
		return put(
			order.map((part) => {
				if (typeof part === 'number') return notes[part]!;
				const isCode = part === 'currency' || part === 'coin';
				return sheet.isSmall && isCode ? values[part].toLowerCase() : values[part];
			}),
		);
	});
	return { text: sheet.isEnded ? text : text.slice(0, -lineEnd.length), places, head };
}

/** What the page must say: of a row, of a line of the text, or of the file. */
export interface Mistake {
	text: string;
	row?: number;
	line?: number;
	says: RegExp;
}

type Inject = (sheet: Sheet, index: number, chance: number) => Mistake | undefined;

const changed =
	(change: (values: Values, chance: number) => Partial<Values> | undefined, says: RegExp): Inject =>
	(sheet, index, chance) => {
		const values = sheet.rows[index]!.values;
		const wrong = change(values, chance);
		if (wrong === undefined) return undefined;
		const rows = sheet.rows.map((row, at) =>
			at === index ? { ...row, values: { ...values, ...wrong } } : row,
		);
		const { text, places } = write({ ...sheet, rows });
		return { text, row: places[index]!.row, says };
	};

const pick = <T>(list: readonly T[], chance: number): T => list[chance % list.length]!;
const HIDDEN = ['\ufeff', '\u200b', '\u00ad', '\u2060', '\u200e', '\u3164', '\u2800', '\u0007'];
const inserted = (text: string, sign: string, chance: number) => {
	// At an end, a byte order mark is a space.
	const at = 1 + (chance % Math.max(text.length - 1, 1));
	return text.length < 2 ? undefined : text.slice(0, at) + sign + text.slice(at);
};
const grouped = (amount: string, sign: string) => amount.replace(/\B(?=(\d{3})+(?!\d))/g, sign);
const wholeOf = (amount: string) => amount.split('.')[0]!;

const ofCode = ({ coin }: Values) => (coin ? ('coin' as const) : ('currency' as const));

export const MISTAKES: Record<string, Inject> = {
	'a comma for thousands': changed(
		({ amount }) =>
			wholeOf(amount).length > 3 ? { amount: `${grouped(wholeOf(amount), ',')}.50` } : undefined,
		/amount .* has a comma/,
	),
	'points for thousands, and a comma': changed(
		({ amount }) =>
			wholeOf(amount).length > 3 ? { amount: `${grouped(wholeOf(amount), '.')},50` } : undefined,
		/amount .* has a comma/,
	),
	'a decimal comma': changed(({ amount }) => ({ amount: `${wholeOf(amount)},5` }), /amount .* has a comma/),
	'a comma that may be both': changed(
		({ amount }) => ({ amount: `${wholeOf(amount).slice(0, 3)},250` }),
		/can be \d+ or \d+/,
	),
	'a point that may be both': (sheet, index, chance) =>
		sheet.separator === ','
			? undefined
			: changed(({ amount }) => ({ amount: `${wholeOf(amount).slice(0, 3)}.125` }), /can be \d+ or \d+/)(
					sheet,
					index,
					chance,
				),
	'a point that another row makes unclear': (sheet, index, chance) => {
		if (sheet.rows.length < 2) return undefined;
		const other = (index + 1) % sheet.rows.length;
		const rows = sheet.rows.map((row, at) =>
			at === other ? { ...row, values: { ...row.values, amount: '2,5' } } : row,
		);
		return changed(() => ({ amount: '7.125' }), /can be 7125 or 7.125/)({ ...sheet, rows }, index, chance);
	},
	'the separator inside the amount': (sheet, index) => {
		const { separator } = sheet;
		const values = sheet.rows[index]!.values;
		const rows = sheet.rows.map((row, at) =>
			at === index ? { ...row, values: { ...values, amount: raw(`1${separator}250`) } } : row,
		);
		const { text, places } = write({ ...sheet, rows });
		return {
			text,
			row: places[index]!.row,
			says: /one cell too many|missing|currency or coin|no code|not a code|no settlement/,
		};
	},
	'no number': changed(
		(_, chance) => ({
			amount: pick(['five', '-5', '+5', '=1+1', '5 NGN', '.5', '1.2.3', '1,2,3', '12-May', 'TRUE'], chance),
		}),
		/amount .*(not a number|formula|one point|comma|spaces)/,
	),
	'a sign before the amount': changed(
		({ amount }, chance) => ({ amount: pick(['€', '₦', '−'], chance) + amount }),
		/amount has the character . \(U\+/,
	),
	'spaces in the amount': changed(
		({ amount }) => ({ amount: `1 ${amount}` }),
		/amount .*(spaces|not a number)/,
	),
	'no amount': changed(() => ({ amount: '' }), /amount is missing/),
	zero: changed((_, chance) => ({ amount: pick(['0', '0.00', '000'], chance) }), /amount is 0/),
	'an amount that Excel shortened': changed(
		(_, chance) => ({ amount: pick(['1.23E+12', '1,23E+12', '5E+05'], chance) }),
		/Excel has cut digits off the amount/,
	),
	'an error of Excel': changed(
		(_, chance) => ({
			[pick(COLUMNS, chance)]: pick(
				['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#####', '#NV', '#BEZUG!'],
				chance >> 3,
			),
		}),
		/an error of Excel/,
	),
	'an invisible character': changed((values, chance) => {
		const column = pick(['paymentKey', 'amount', ofCode(values), 'destination'] as const, chance);
		const text = inserted(values[column], pick(HIDDEN, chance >> 2), chance >> 5);
		return text === undefined ? undefined : { [column]: text };
	}, /U\+\w{4,}, which nobody sees/),
	'an invisible character in an empty cell': changed(
		(values) => ({ [values.coin ? 'currency' : 'coin']: '\u200b' }),
		/(currency|coin) has the character U\+200B/,
	),
	'a letter of another alphabet': changed((values, chance) => {
		const column = pick([ofCode(values), 'paymentKey'] as const, chance);
		return { [column]: `Т${values[column].slice(1)}` };
	}, /has the character Т \(U\+0422\)/),
	'no key': changed(() => ({ paymentKey: '' }), /paymentKey is missing/),
	'a key that Excel shortened': changed(
		(_, chance) => ({ paymentKey: pick(['1.23E+12', '1,23E+12', '1E+15', '12345678901234500'], chance) }),
		/Excel has cut digits off the paymentKey/,
	),
	'a key that Excel made a date': changed(
		(_, chance) => ({ paymentKey: pick(['1-Mar', '03-Dec', 'Mar-26'], chance) }),
		/Excel may have made a date/,
	),
	'a key without a value': changed(
		(_, chance) => ({
			paymentKey: pick(
				['null', 'N/A', 'none', 'undefined', 'INV-', 'INV-null', '{{ $json.id }}', 'NaN'],
				chance,
			),
		}),
		/paymentKey .* is not complete/,
	),
	'a key of the example': changed(
		(_, chance) => ({ paymentKey: pick(['EXAMPLE-1', 'example 7', 'Example'], chance) }),
		/is a key of the example/,
	),
	'a formula as a key': changed(
		({ paymentKey }, chance) => ({ paymentKey: pick(['=', '+', '@', '-'], chance) + paymentKey }),
		/begins with a sign of a formula/,
	),
	'a key that is too long': changed(
		({ paymentKey }) => ({ paymentKey: paymentKey.padEnd(65, 'x') }),
		/more than 64 characters/,
	),
	'a key twice': (sheet, index, chance) => {
		if (sheet.rows.length < 2) return undefined;
		const { paymentKey } = sheet.rows[(index + 1) % sheet.rows.length]!.values;
		return changed(
			() => ({ paymentKey: pick([paymentKey, paymentKey.toLowerCase()], chance) }),
			/in the file more than once/,
		)(sheet, index, chance);
	},
	'zeros that Excel cut off': (sheet, index, chance) => {
		if (sheet.rows.length < 2) return undefined;
		const other = (index + 1) % sheet.rows.length;
		const rows = sheet.rows.map((row, at) =>
			at === other ? { ...row, values: { ...row.values, paymentKey: '00042' } } : row,
		);
		return changed(() => ({ paymentKey: '42' }), /differ in zeros only/)({ ...sheet, rows }, index, chance);
	},
	'the same payment under two keys': (sheet, index, chance) => {
		const { values } = sheet.rows[index]!;
		const amount = values.amount.includes('.') ? `0${values.amount}0` : `${values.amount}.0`;
		const again = { ...sheet.rows[index]!, values: { ...values, amount, paymentKey: `Z-${chance}` } };
		const { text, places } = write({ ...sheet, rows: [...sheet.rows, again] });
		return { text, row: places.at(-1)!.row, says: /the same amount, .* and destination as/ };
	},
	'a row twice': (sheet, index) => {
		const rows = sheet.rows.toSpliced(index, 0, sheet.rows[index]!);
		const { text, places } = write({ ...sheet, rows });
		return { text, row: places[index + 1]!.row, says: /in the file more than once/ };
	},
	'currency and coin': changed(() => ({ currency: 'NGN', coin: 'USDT' }), /fill in currency or coin/),
	'neither currency nor coin': changed(() => ({ currency: '', coin: '' }), /fill in currency or coin/),
	'a number as a code': changed((values) => ({ [ofCode(values)]: '250.50' }), /is not a code such as/),
	'no destination': changed(() => ({ destination: '' }), /destination is missing/),
	'an alias that nobody knows': changed(
		(_, chance) => ({
			destination: pick(
				[
					'suplier-main',
					'nobody',
					'SUPPLIER-MAIN',
					'Müller & Söhne'.normalize('NFD'),
					'=cmd()',
					'+234 rnet',
					'supplier‐main',
				],
				chance,
			),
		}),
		/no settlement (account|wallet) has the alias|sign of a formula/,
	),
	'an account that is not approved': changed(
		(_, chance) =>
			pick(
				[
					{ currency: 'NGN', coin: '', destination: 'supplier-new' },
					{ currency: 'USD', coin: '', destination: 'supplier-main' },
				],
				chance,
			),
		/is not approved. Its status is (Pending|Rejected)/,
	),
	'another currency': changed(
		(_, chance) =>
			pick(
				[
					{ currency: 'USD', coin: '', destination: '+234 rent' },
					{ currency: '', coin: 'BTC', destination: 'treasury' },
				],
				chance,
			),
		/takes .*, not (USD|BTC)/,
	),
	'a wallet with a currency': changed(
		() => ({ currency: 'NGN', coin: '', destination: 'treasury' }),
		/treasury is a wallet/,
	),
	'an account with a coin': changed(
		() => ({ currency: '', coin: 'USDT', destination: 'supplier-main' }),
		/supplier-main is an account/,
	),
	'a quotation mark that never ends': (sheet, index, chance) => {
		const { order } = sheet;
		const row = sheet.rows[index]!;
		const part = pick(order, chance);
		const opened = (text: string) => raw(`"${text.replaceAll('"', '')}`);
		const rows = sheet.rows.map((each, at) =>
			at !== index
				? each
				: typeof part === 'number'
					? { ...row, notes: row.notes.with(part, opened(row.notes[part]!)) }
					: { ...row, values: { ...row.values, [part]: opened(row.values[part]) } },
		);
		const { text, places } = write({ ...sheet, rows });
		// A cell with a line break before it moves the line.
		const before = order
			.slice(0, order.indexOf(part))
			.map((each) => (typeof each === 'number' ? row.notes[each]! : ''));
		const line = places[index]!.line + before.join('').split('\n').length - 1;
		return { text, line, row: places[index]!.row, says: /quotation mark|one cell too many/ };
	},
	'a quotation mark that ends rows later': (sheet, index) => {
		const { rows, order } = sheet;
		const free = order.length - 1;
		if (typeof order[free] !== 'number' || index + 1 >= rows.length) return undefined;
		const note = order[free];
		const put = (text: string) => (each: Sheet['rows'][number]) => ({
			...each,
			notes: each.notes.with(note, raw(text)),
		});
		const last = rows.length - 1;
		const wrong = rows.map((each, at) =>
			at === index ? put('"open')(each) : at === last ? put('pipe 5"')(each) : each,
		);
		const { text, places } = write({ ...sheet, rows: wrong, quotes: 'needed' });
		const before = order
			.slice(0, free)
			.map((each) => (typeof each === 'number' ? rows[index]!.notes[each]! : ''));
		const line = places[index]!.line + before.join('').split('\n').length - 1;
		return { text, line, says: /quotation mark/ };
	},
	'a row with a total': (sheet, _, chance) => {
		const [first] = sheet.rows;
		const total = {
			...first!,
			values: {
				...first!.values,
				paymentKey: pick(
					[
						'TOTAL',
						'Total:',
						'Grand total',
						'sum',
						'Total NGN',
						'TOTAL AMOUNT DUE',
						'Total 06/2026',
						'Sub-total:',
						'Итого',
						'Summe',
					],
					chance,
				),
			},
		};
		const { text, places } = write({ ...sheet, rows: [...sheet.rows, total] });
		return { text, row: places.at(-1)!.row, says: /looks like a row with a total/ };
	},
	'a sum below the rows': (sheet, _, chance) => {
		const [first] = sheet.rows;
		const rows = [30n, 100n, 7n].slice(0, 2 + (chance % 2));
		const sum = rows.reduce((a, b) => a + b);
		const withAmount = (amount: bigint, paymentKey: string, empty: Partial<Values> = {}) => ({
			...first!,
			values: { ...first!.values, paymentKey, amount: String(amount), ...empty },
		});
		const blank = chance % 3 === 0 ? { currency: '', coin: '', destination: '' } : {};
		const all = [
			...rows.map((amount, at) => withAmount(amount, `S-${at}`)),
			withAmount(sum, pick(['', 'S-9', 'June'], chance), blank),
		];
		const { text, places } = write({ ...sheet, rows: all });
		return { text, row: places.at(-1)!.row, says: /sum of the other rows|row with a total/ };
	},
	'the names again': (sheet, index) => {
		const again = Object.fromEntries(COLUMNS.map((column) => [column, column])) as Values;
		const rows = sheet.rows.toSpliced(index, 0, { ...sheet.rows[index]!, values: again });
		const { text, places } = write({ ...sheet, rows });
		return { text, row: places[index]!.row, says: /names of the columns again/ };
	},
	'a row above the names': (sheet, index) => {
		const { values, notes } = sheet.rows[index]!;
		const cells = sheet.order.map((part) => (typeof part === 'number' ? notes[part]! : values[part]));
		if (cells.some((cell) => /["\n]/.test(cell) || cell.includes(sheet.separator))) return undefined;
		const { text } = write({ ...sheet, titles: [raw(cells.join(sheet.separator))] });
		return { text, says: /^Row 1 is above the names of the columns/ };
	},
	'a name that is missing': (sheet, _, chance) => {
		const column = pick(['paymentKey', 'amount', 'destination'] as const, chance);
		const names = sheet.names.with(sheet.order.indexOf(column), pick(['', 'x', `${column}1`], chance));
		return { text: write({ ...sheet, names }).text, says: new RegExp(`no column ${column}`) };
	},
	'a letter of another alphabet in a name': (sheet) => {
		const names = sheet.names.with(sheet.order.indexOf('amount'), 'аmount');
		return { text: write({ ...sheet, names }).text, says: /The name аmount has the character а \(U\+0430\)/ };
	},
	'a name twice': (sheet, _, chance) => {
		const column = pick(COLUMNS, chance);
		const free = sheet.order.findIndex((part) => typeof part === 'number');
		if (free < 0) return undefined;
		return {
			text: write({ ...sheet, names: sheet.names.with(free, column) }).text,
			says: new RegExp(`the column ${column} twice`),
		};
	},
	'another encoding': (sheet, index, chance) => {
		const { paymentKey } = sheet.rows[index]!.values;
		const rows = sheet.rows.map((row, at) =>
			at === index ? { ...row, values: { ...row.values, paymentKey: `${paymentKey}\ufffd` } } : row,
		);
		const { text, places } = write({ ...sheet, rows });
		const before = sheet.order
			.slice(0, sheet.order.indexOf('paymentKey'))
			.map((part) => (typeof part === 'number' ? rows[index]!.notes[part]! : ''));
		void chance;
		return { text, line: places[index]!.line + before.join('').split('\n').length - 1, says: /not in UTF-8/ };
	},
	'a cell that is missing': (sheet, index) => {
		const { text, places } = write({
			...sheet,
			rows: sheet.rows.map((row, at) => (at === index ? { ...row, notes: row.notes.map(() => '') } : row)),
		});
		const lines = text.split(sheet.lineEnd);
		const line = places[index]!.line - 1;
		// Only the last cell can be left out without a trace.
		if (sheet.order.at(-1) !== 'destination') return undefined;
		lines[line] = lines[line]!.slice(0, lines[line]!.lastIndexOf(sheet.separator));
		return { text: lines.join(sheet.lineEnd), row: places[index]!.row, says: /destination is missing/ };
	},
};
