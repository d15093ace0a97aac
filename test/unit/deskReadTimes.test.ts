/** Payout List: Read takes time that grows with the rows, whatever stands in them. */
import type { ListRow } from '../../nodes/WalletServiceDesk/list/listRow.ts';
import { withDestinations } from '../../nodes/WalletServiceDesk/list/read/destinations.ts';
import { readFile, readGiven, readItems } from '../../nodes/WalletServiceDesk/list/read/readList.ts';
import { expectGrowthWith } from './growth.ts';
import { csv, HEADER, read, rowsOf, SETTINGS } from './readLists.ts';

describe('time', () => {
	const fileOf = (count: number) => Buffer.from(csv(...rowsOf(count)));
	const itemsWith = (count: number) =>
		Array.from({ length: count }, (_, index) => ({
			paymentKey: `K${index}`,
			amount: index + 1,
			currency: 'NGN',
			destination: `s${index % 7}`,
		}));

	test.each<[string, (count: number) => () => ListRow[]]>([
		['a file', (count) => readFile.bind(undefined, fileOf(count), SETTINGS)],
		['items', (count) => readItems.bind(undefined, itemsWith(count), SETTINGS)],
		[
			'the JSON text of rows that were read before',
			(count) => {
				const rows = readItems(itemsWith(count), SETTINGS);
				return readGiven.bind(undefined, JSON.stringify(rows), SETTINGS);
			},
		],
		[
			'a file of one payment, again and again',
			(count) =>
				readFile.bind(undefined, Buffer.from(csv(...Array<string>(count).fill('0042,5,NGN,,s'))), SETTINGS),
		],
		[
			'a file of as many currencies as rows',
			(count) => {
				const rows = Array.from({ length: count }, (_, index) => `K${index},5,A${index},,s`);
				return readFile.bind(undefined, Buffer.from(csv(...rows)), SETTINGS);
			},
		],
		[
			'destinations',
			(count) => {
				const rows = readItems(itemsWith(count), SETTINGS);
				const records = rows.map((_, index) => ({ alias: `s${index}`, status: 'Whitelisted' }));
				return withDestinations.bind(undefined, rows, { accounts: { records }, wallets: { records: [] } });
			},
		],
	])('grows with the rows: %s', async (_, work) => await expectGrowthWith(2500, work));

	test.each<[string, string]>([
		...[
			'"',
			'""',
			'"\n',
			',',
			'\n',
			'\r\n',
			' ',
			'(',
			'1,',
			"1'",
			'\u00e9',
			'#',
			'=',
			'a-',
			'0',
			'Total ',
			'\uff11',
		].map((piece): [string, string] => [`a text of ${JSON.stringify(piece)}`, piece]),
	])('grows with a long hostile text: %s', async (_, piece) => {
		const files = (long: string) => [
			long,
			csv(long),
			csv(`${long},5,NGN,,s`),
			csv(`A,${long},NGN,,s`),
			csv(`A,5,NGN,,"${long}`),
			`${HEADER},${long}\nA,5,NGN,,s`,
		];
		await expectGrowthWith(2 ** 15, (length) => {
			const texts = files(piece.repeat(length / piece.length));
			return () => texts.forEach((text) => read(text));
		});
	});
});
