/** Payout List: Read of lists that are made by chance: as they are meant, and with one mistake each. */
import fc from 'fast-check';
import type { ListRow } from '../../nodes/WalletServiceDesk/list/listRow.ts';
import { withDestinations } from '../../nodes/WalletServiceDesk/list/read/destinations.ts';
import { readFile, readItems } from '../../nodes/WalletServiceDesk/list/read/readList.ts';
import { ACCOUNTS, COINS, encoded, itemsOf, MISTAKES, notesOf, sheets, WALLETS, write } from './deskFiles.ts';
import type { Sheet } from './deskFiles.ts';
import { isCoin, messy } from './messyFiles.ts';
import type { Meant } from './messyFiles.ts';
import { SEED } from '../../host/testkit/random.ts';
import { said } from './readLists.ts';

describe('lists that are made by chance', () => {
	/** In CI a sample. `DESK_FILES=10000` makes as many. */
	const numRuns = Number(process.env.DESK_FILES ?? 500);
	const destinations = { accounts: { records: ACCOUNTS }, wallets: { records: WALLETS } };

	const without =
		(...names: Array<keyof ListRow>) =>
		(row: ListRow) =>
			Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name as keyof ListRow)));

	/** What must be read of a row of a sheet. */
	const paymentOf = ({ code, cells: { paymentKey, amount, destination } }: Sheet['rows'][number]) => ({
		paymentKey,
		amount,
		destination,
		again: false,
		problems: [],
		...(COINS.includes(code) ? { coin: code } : { currency: code }),
	});

	/** Texts in any order, with any line ends. */
	const sorted = (texts: string[]) => texts.map((text) => text.replaceAll(/\s+/g, ' ').trim()).sort();
	const notesIn = ({ note, extra = {} }: ListRow) =>
		sorted([note, ...Object.values(extra)].filter((text) => text !== ''));

	test('a good list is read as it is meant, and each mistake is named with its row', () => {
		let injected = 0;
		fc.assert(
			fc.property(
				...([sheets, fc.constantFrom(...Object.keys(MISTAKES)), fc.nat(), fc.nat()] as const),
				(sheet, kind, at, chance) => {
					const { settings, encoding } = sheet;
					const readAll = (content: Uint8Array, names = settings) =>
						withDestinations(readFile(content, names), destinations);
					const { text, places } = write(sheet);
					const rows = readAll(encoded(text, encoding));
					const meant = sheet.rows.map((row, index) => ({ ...places[index]!, ...paymentOf(row) }));
					expect({ text, rows: rows.map(without('note', 'extra', 'destinationDetails')) }).toEqual({
						text,
						rows: meant,
					});
					expect(rows.map(notesIn)).toEqual(sheet.rows.map(({ cells }) => sorted(notesOf(cells))));
					const items = readItems(itemsOf(sheet), settings);
					expect(items.map(without('row', 'line', 'note', 'extra'))).toEqual(
						sheet.rows.map((row) => ({ ...paymentOf(row), amount: String(Number(row.cells.amount)) })),
					);
					const mistake = MISTAKES[kind]!(sheet, at % sheet.rows.length, chance);
					if (mistake === undefined) return;
					injected += 1;
					const { text: wrong, content = encoded(wrong, encoding), says, row, line } = mistake;
					const found = readAll(content, mistake.settings);
					const isThere = (at: number, problem: string) =>
						(row === undefined && line === undefined) ||
						at === row ||
						(line !== undefined && new RegExp(`line ${line}\\b`).test(problem));
					const isFound = found.some(({ row: at, problems }) =>
						problems.some((problem) => says.test(problem) && isThere(at, problem)),
					);
					if (!isFound)
						throw new Error(
							`Missed: ${kind}, row ${row}, line ${line}\n${said(found).join('\n')}\n${JSON.stringify(wrong)}`,
						);
				},
			),
			{ numRuns },
		);
		expect(injected).toBeGreaterThan(numRuns / 2);
		process.stdout.write(`${numRuns} good lists, ${injected} with a mistake, TEST_SEED=${SEED}\n`);
	});

	test('a list with several changes by hand and by programs pays nothing else than was meant', () => {
		let [rowsRead, rowsGood] = [0, 0];
		fc.assert(
			fc.property(sheets, fc.nat(), (sheet, seed) => {
				const made = messy(sheet, seed);
				const { text, places } = write(made);
				const rows = withDestinations(readFile(encoded(text, made.encoding), made.settings), destinations);
				const ofList = rows.filter(({ row }) => row === 0);
				const wrong = rows.flatMap((row) => {
					const meant = made.meant[places.findIndex((place) => place.line === row.line)];
					rowsRead += row.row === 0 ? 0 : 1;
					if (row.problems.length > 0) return [];
					rowsGood += 1;
					return meant !== undefined && isAsMeant(row, meant) ? [] : [{ row, meant }];
				});
				const lost = places.filter(({ line }, index) => {
					const isRead = rows.some((each) => each.line === line);
					// A quotation mark that is not closed takes rows into its cell, of which something is said.
					const isNamed = rows.findLast((each) => each.line < line)?.problems.length !== 0;
					return made.meant[index] !== undefined && ofList.length === 0 && !isRead && !isNamed;
				});
				// A payment that the list has twice is one.
				const good = rows.filter(({ problems }) => problems.length === 0).map(paymentIn);
				const twice = good.filter((payment, at) => good.indexOf(payment) !== at);
				if (wrong.length + lost.length + twice.length > 0)
					throw new Error(
						`${made.done.join(', ')}\n${JSON.stringify({ wrong, lost, twice, settings: made.settings })}\n${JSON.stringify(text)}`,
					);
			}),
			{ numRuns },
		);
		// A reader that refuses everything would pass, too.
		expect(rowsGood).toBeGreaterThan(rowsRead / 4);
		process.stdout.write(`${numRuns} messy lists, ${rowsGood} of ${rowsRead} rows without a problem\n`);
	});

	/** Amounts are compared as numbers: zeros at the end change nothing. */
	const isAsMeant = (row: ListRow, { paymentKey, amount, code, destination }: Meant): boolean =>
		/^\d+(?:\.\d+)?$/.test(row.amount) &&
		withoutZeros(row.amount) === withoutZeros(amount) &&
		(isCoin(code) ? row.coin : row.currency) === code &&
		(isCoin(code) ? row.currency : row.coin) === undefined &&
		row.paymentKey.toLowerCase() === paymentKey.toLowerCase() &&
		asAlias(row.destination) === asAlias(destination);
	const paymentIn = ({ amount, currency, coin, destination }: ListRow) =>
		[withoutZeros(amount), currency, coin, asAlias(destination)].join();
	const withoutZeros = (amount: string) => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);
	const asAlias = (text: string) => text.normalize('NFC').replaceAll('\u2013', '-').trim().toLowerCase();
});
