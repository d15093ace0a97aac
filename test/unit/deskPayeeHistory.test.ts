/** *Report*: marks for what is unlike earlier payments of the book. */
import type { IDataObject } from 'n8n-workflow';

import { randomNumbers, SEED } from '../../host/testkit/random.ts';
import { isSameAccount } from '../../nodes/WalletServiceDesk/list/accountDetails.ts';
import { readEarlierPayments } from '../../nodes/WalletServiceDesk/list/earlierPayments.ts';
import { readBook } from '../../nodes/WalletServiceDesk/list/report/marks.ts';
import { reportList } from '../../nodes/WalletServiceDesk/list/report/reportList.ts';
import { readSums } from '../../nodes/WalletServiceDesk/list/report/secondApproval.ts';
import { DAY, at, cryptoPayout, day, payout } from './bookRows.ts';
import { result, row } from './reportItems.ts';

const NOW = day(60);
const BALANCES = [
	{ code: 'NGN', isFiat: true, balance: '900000000' },
	{ code: 'USDT', isFiat: false, balance: '900000000' },
];
const GT = 'GTBank, Supplier Ltd, …6789';

const reportOf = (items: IDataObject[], book: unknown, more = {}) =>
	reportList({
		items,
		balances: BALANCES,
		now: NOW,
		timeZone: 'Africa/Lagos',
		...more,
		...readBook(book, NOW),
	});
const marksOf = (item: IDataObject, book: IDataObject[]) =>
	reportOf([item], book).marks.flatMap(({ marks }) => marks);

/** Two payments of 5 NGN, to the same account. */
const before = (more = {}) => [
	...payout('OLD-1', '5', day(20), { details: GT, ...more }),
	...payout('OLD-2', '5', day(40), { details: GT, ...more }),
];
const same = row(2, { destinationDetails: GT });

describe('a payout is marked', () => {
	test.each<[what: string, item: IDataObject, book: IDataObject[], marks: string[]]>([
		['not, if it is like before', same, before(), []],
		['if nothing was paid to it before', same, [], ['First payment to this destination.']],
		[
			'if it was paid to an account, and now it is a wallet of that name',
			row(2, { currency: '', coin: 'NGN' }),
			before(),
			['First payment to this destination.'],
		],
		[
			'if what was paid to it came back, or was refused',
			same,
			[...payout('OLD-1', '5', day(20), { result: 'rejected' }), ...cryptoPayout('OLD-2', '5', day(20))],
			['First payment to this destination.'],
		],
		[
			'if the last payment went to another account',
			row(2, { destinationDetails: 'GTBank, Supplier Ltd, …1111' }),
			before(),
			[
				'ANOTHER ACCOUNT: on 2026-02-10 it was “GTBank, Supplier Ltd, …6789”, now it is “GTBank, Supplier Ltd, …1111”. Ask the payee by a way that you know.',
			],
		],
		[
			'if the last payment went to another bank',
			row(2, { destinationDetails: 'Zenith, Supplier Ltd, …6789' }),
			before(),
			[expect.stringContaining('ANOTHER ACCOUNT') as unknown as string],
		],
		[
			'if its name is another one, whatever was before',
			row(2, { destinationDetails: GT, payee: 'Acme', payeeMatch: 'none' }),
			before(),
			['ANOTHER NAME: the list names “Acme”, the service has “GTBank, Supplier Ltd, …6789”.'],
		],
		[
			'not, if a name is close and the same account was paid before',
			row(2, { destinationDetails: GT, payee: 'Suplier', payeeMatch: 'close' }),
			before(),
			[],
		],
		[
			'if a name is close, and no account was known before',
			row(2, { destinationDetails: GT, payee: 'Suplier', payeeMatch: 'close' }),
			before({ details: '' }),
			[
				'The list names “Suplier”, and the service has a name that is close to it: “GTBank, Supplier Ltd, …6789”.',
			],
		],
		['not, at ten times the usual', { ...same, amount: '50' }, before(), []],
		[
			'above ten times the usual',
			{ ...same, amount: '50.01' },
			before(),
			['More than ten times the usual 5.00 NGN (the smaller of 2 earlier payments).'],
		],
		[
			'above ten times the usual of three',
			{ ...same, amount: '50.01' },
			[...before(), ...payout('OLD-3', '1', day(30), { details: GT })],
			['More than ten times the usual 5.00 NGN (the middle of 3 earlier payments).'],
		],
		[
			'above ten times the usual of four',
			{ ...same, amount: '50.01' },
			[...before(), ...['1', '9'].flatMap((amount) => payout(`NEW-${amount}`, amount, day(30)))],
			[
				'More than ten times the usual 5.00 NGN (the smaller of the two in the middle of 4 earlier payments).',
			],
		],
		[
			'if it was paid in another currency before, whatever was usual there',
			{ ...same, amount: '5000' },
			before({ asset: 'USD' }),
			['First payment to this destination in NGN.'],
		],
		[
			'if it is the third within seven days, and there were fewer before',
			same,
			[...payout('OLD-3', '5', day(54)), ...payout('OLD-4', '5', day(59)), ...before()],
			['Payment 3 to this destination within 7 days. In earlier weeks, there were at most 1.'],
		],
		[
			'not, if as many are usual',
			same,
			[20, 22, 24, 54, 56].flatMap((each) => payout(`OLD-${each}`, '5', day(each))),
			[],
		],
		[
			'without regard to rows of its own key',
			same,
			[
				...before(),
				...payout('inv–2', '0.1', day(59)),
				...payout('INV-2', '5', day(59), { result: 'unknown' }),
			],
			[],
		],
	])('%s', (_, item, book, marks) => {
		expect(marksOf(item, book)).toEqual(marks);
	});

	test('also for what stands in the list before it', () => {
		const items = [2, 3, 4].map((number) => ({ ...same, row: number, paymentKey: `INV-${number}` }));
		expect(reportOf(items, before()).marks).toEqual([
			{
				row: 4,
				paymentKey: 'INV-4',
				marks: ['Payment 3 to this destination within 7 days. In earlier weeks, there were at most 1.'],
			},
		]);
	});

	test('not, if nothing is sent for it', () => {
		const checked = (word: string) =>
			result(word, { dryRun: true, paymentKey: 'INV-9', error: { message: 'x' } });
		expect(reportOf([checked('alreadyPaid'), checked('unknown')], []).marks).toEqual([]);
		expect(reportOf([result('paid')], []).marks).toEqual([]);
	});

	test('even if nobody has read the book, where its name is another one', () => {
		const found = reportOf([{ ...same, payee: 'Acme', payeeMatch: 'none' }], undefined);
		expect(found.marks).toHaveLength(1);
		expect(reportOf([same], undefined).text).not.toContain('unlike');
	});
});

test.each([
	[GT, 'GTBANK, SUPPLIER LTD, …6789', true],
	[GT, 'gt bank,Supplier Ltd ,...6789', true],
	[GT, 'GTBank, Supplier Ltd, …0123456789', true],
	[GT, 'GTBank, …6789', true],
	[GT, 'Supplier Ltd, …6789', true],
	[GT, 'Zenith, …6789', false],
	[GT, 'GTBank, Supplier Ltd, …6780', false],
	[GT, 'GTBank, Supplier Ltd, …9', false],
	['GTBank, …9', 'GTBank, Supplier, …9', true],
	[GT, 'GTBank, Supplier Ltd', true],
	[`${GT} or Zenith, Supplier Ltd, …1111`, `Zenith, Supplier Ltd, …1111 or ${GT}`, true],
	[`${GT} or Zenith, Supplier Ltd, …1111`, GT, false],
])('%j and %j are one account: %p', (one, other, isSame) => {
	expect([isSameAccount(one, other), isSameAccount(other, one)]).toEqual([isSame, isSame]);
});

test('a mark holds nothing back, stands first, and is counted in the subject; a list without any says so', () => {
	const strange = row(3, { destination: 'new-supplier', askedBy: 'ops@example.com' });
	const found = reportOf([{ ...same, askedBy: 'ops@example.com' }, strange], before());
	expect(found).toMatchObject({
		isGood: true,
		subject: 'Approve 2 payouts, 1 to look at: 10.00 NGN (asked by ops@example.com)',
	});
	const lines = found.text.split('\n');
	const place = (start: string) => lines.findIndex((line) => line.startsWith(start));
	expect(place('To look at: 1')).toBeLessThan(place('- Row 3: 5.00 NGN to new-supplier. First payment'));
	expect(place('- Row 3:')).toBeLessThan(place('Others: 1'));
	expect(place('Others: 1')).toBeLessThan(place('- Row 2:'));
	expect(found.html.indexOf('First payment')).toBeLessThan(found.html.indexOf('Others: 1'));
	const calm = reportOf([same], before());
	expect(calm.subject).toBe('1 payout: 5.00 NGN');
	expect(calm.text).toContain('\nNothing in it is unlike earlier payments.\n');
});

test('a list says whose accounts cannot be compared, and not that nothing is unlike before', () => {
	const says = (count: string) =>
		`The service says nothing now of the account of ${count} that it had details of before, so these accounts are not compared.`;
	const text = (items: IDataObject[], book: IDataObject[] | undefined) => reportOf(items, book).text;
	expect(text([row(2), { ...same, row: 3 }], before())).toContain(`\n${says('1 payout')}\n`);
	expect(text([row(2), row(3)], before())).toContain(says('2 payouts'));
	expect(text([row(2)], before())).not.toContain('unlike');
	for (const [items, book] of [[[same]], [[row(2)], before({ details: '' })], [[row(2)], undefined]] as const)
		expect(text([...items], book && [...book])).not.toContain('not compared');
	const paid = result('alreadyPaid', { dryRun: true, paymentKey: 'INV-9' });
	expect(text([paid], before())).not.toContain('not compared');
});

test('what went out today counts for the second approval, but for the payments of the list', () => {
	const today = [
		...payout('OTHER', '60', at(60 * DAY - 60)),
		...payout('LOST', '30', at(60 * DAY - 50), { result: 'unknown' }),
		...payout('INV-2', '1000', at(60 * DAY - 40), { result: 'unknown' }),
		...payout('NO', '1000', at(60 * DAY - 30), { result: 'rejected' }),
		// The day before, in Lagos.
		...payout('YESTERDAY', '1000', at(60 * DAY - 8 * 60)),
	];
	const needed = (sum: string, book: IDataObject[] | undefined = today) =>
		reportOf([row(2), row(3)], book, {
			secondApprovalAbove: readSums({ sum: [{ code: 'NGN', amount: sum }] }),
		});
	expect(needed('100')).toMatchObject({ approvalsNeeded: 1, needsSecondApproval: false });
	expect(needed('99.99')).toMatchObject({ approvalsNeeded: 2, needsSecondApproval: true });
	expect(needed('99.99').text).toContain(
		'Two people must say yes to it. 90.00 NGN went out, or may have gone out, today.',
	);
	expect(needed('10', [])).toMatchObject({ approvalsNeeded: 1 });
	expect(needed('10', [{}])).toMatchObject({ approvalsNeeded: 1 });
});

test('a payment that was made before says when', () => {
	const checked = result('alreadyPaid', { dryRun: true, paymentKey: 'OLD-1' });
	expect(reportOf([checked, same], before()).text).toContain('Paid before, on 2026-01-21. Payment Key OLD-1');
});

describe('a book that could not be read', () => {
	const failed = { error: 'Data table with name "wallet_service_book" not found' };
	test.each<[what: string, option: unknown, reason: string]>([
		['an expression that gives nothing', null, 'The book could not be read. So'],
		['the error of the node that reads it', [{ json: failed }], `: ${failed.error}. So what is unlike`],
		[
			'an error with its message in a field',
			[{ error: { message: 'locked' } }],
			': locked. So what is unlike',
		],
		['an error behind rows', [...before(), failed], `: ${failed.error}. So what is unlike`],
		['what the node has got in place of rows', [row(2), result('dryRun')], 'The book could not be read. So'],
	])('%s: says so, marks nothing, and needs two people', (_, option, reason) => {
		const said = reportOf([row(2)], option, {
			secondApprovalAbove: readSums({ sum: [{ code: 'NGN', amount: '100' }] }),
		});
		expect(said).toMatchObject({ isGood: true, marks: [], approvalsNeeded: 2, needsSecondApproval: true });
		expect(said.subject).toBe('1 payout, BOOK NOT READ: 5.00 NGN');
		expect(said.text).toContain(reason);
		for (const shown of [said.text, said.html]) {
			expect(shown).toContain('What is wrong');
			expect(shown).toContain('Two people must say yes to it.');
			expect(shown).not.toContain('unlike earlier payments.');
		}
	});

	test('still needs two people without sums, and compares names', () => {
		const said = reportOf([row(2, { payee: 'Ada', payeeMatch: 'none', destinationDetails: GT })], null);
		expect(said).toMatchObject({
			approvalsNeeded: 2,
			marks: [{ marks: [expect.stringContaining('ANOTHER NAME')] }],
		});
	});

	test('says nothing in the report of the results', () => {
		const said = reportOf([result('paid')], [failed]);
		expect(said.subject).toBe('The payout is paid: 5.00 NGN');
		expect(said.text).not.toContain('book');
	});
});

test.each([['x'], [[5]]])('%j is no book', (option) => {
	expect(() => readBook(option, NOW)).toThrow("'Rows of the Book' is no list of rows of the book");
});

test('what is odd in the book is named', () => {
	const { notes } = readEarlierPayments([{ key: 'a', kind: 'fiat payout', amount: 'x' }], NOW);
	expect(notes.length).toBeGreaterThan(0);
	const text = reportOf([same], [...before(), { key: 'a', kind: 'fiat payuot', amount: '5' }]).text;
	expect(text).toContain('About the book');
});

const written = (value: unknown) => value as string;

describe('payees who are paid regularly', () => {
	interface Payee {
		alias: string;
		usual: number;
		everyDays: number;
		perTime: number;
		details: string;
	}

	const random = randomNumbers();
	const between = (from: number, to: number) => from + random() * (to - from);
	const payees = Array.from({ length: 40 }, (_, number): Payee => {
		const everyDays = [1, 3, 7, 7, 14, 14, 28][Math.floor(between(0, 7))]!;
		return {
			alias: `payee-${number}`,
			usual: Math.round(between(1, 40)) * 10 ** Math.floor(between(1, 4)),
			everyDays,
			perTime: random() < 0.2 ? 3 : 1,
			details: `Bank ${number % 7}, Payee ${number} Ltd, …${1000 + number}`,
		};
	});

	/** A third of the amounts are those of the time before; none is above four times the usual. */
	const amountOf = ({ usual }: Payee): string =>
		(random() < 0.33 ? usual : usual * between(0.4, 4)).toFixed(2);
	let numbers = 0;
	const listOf = (today: number): IDataObject[] =>
		payees
			.filter(({ everyDays }, place) => (today + place) % everyDays === 0)
			.flatMap((payee) =>
				Array.from({ length: payee.perTime }, () =>
					row((numbers += 1), {
						amount: amountOf(payee),
						destination: payee.alias,
						destinationDetails: payee.details,
					}),
				),
			);
	const booked = (list: IDataObject[], time: string) =>
		list.flatMap((item) =>
			payout(written(item.paymentKey), written(item.amount), time, {
				counterpart: written(item.destination).toUpperCase(),
				details: written(item.destinationDetails),
			}),
		);
	const monthBefore = 30;
	const book: IDataObject[] = [];
	const checked = { payments: 0, marks: [] as string[] };

	test(`have no mark in 2,000 payments (seed ${SEED})`, () => {
		for (let today = 0; today < 400 && checked.payments < 2_000; today += 1) {
			const list = listOf(today);
			const now = at(today * DAY);
			if (today > monthBefore) {
				const earlier = readEarlierPayments(book, now);
				const { marks } = reportList({ items: list, balances: BALANCES, now, timeZone: 'UTC', earlier });
				checked.payments += list.length;
				checked.marks.push(...marks.map((each) => `${now} ${JSON.stringify(each)}`));
			}
			book.push(...booked(list, now));
			// As the example reads it: the last forty days.
			while (written(book[0]?.time) < at((today - 40) * DAY)) book.shift();
		}
		expect(checked.payments).toBeGreaterThanOrEqual(2_000);
		expect(checked.marks).toEqual([]);
	});

	test('have five marks in a list of 60 with five rows that are unlike before', () => {
		const all = Array.from({ length: 60 }, (_, place) =>
			row(place + 2, {
				amount: String(70 + place),
				destination: `monthly-${place}`,
				destinationDetails: `Bank ${place % 7}, Payee ${place} Ltd, …${1000 + place}`,
			}),
		);
		const paid = (list: IDataObject[], time: string, name: string) =>
			booked(
				list.map((item) => ({ ...item, paymentKey: `${name}-${written(item.paymentKey)}` })),
				time,
			);
		const months = [0, 28, 56].flatMap((each) => paid(all, day(each), `M${each}`));
		const week = [82, 83].flatMap((each) => paid([all[40]!], day(each), `W${each}`));
		const change = (place: number, more: IDataObject) => Object.assign(all[place]!, more);
		change(3, { destinationDetails: 'Bank 3, Payee 3 Ltd, …9999' });
		change(17, { amount: '871' });
		change(25, { payee: 'Somebody Else', payeeMatch: 'none' });
		change(58, { destination: 'brand-new' });
		const now = day(84);
		const earlier = readEarlierPayments([...months, ...week], now);
		const found = reportList({ items: all, balances: BALANCES, now, timeZone: 'UTC', earlier });
		const begins = found.marks.map(({ row: number, marks }) => [
			number,
			...marks.map((mark) => mark.slice(0, 13)),
		]);
		expect(begins).toEqual([
			[5, 'ANOTHER ACCOU'],
			[19, 'More than ten'],
			[27, 'ANOTHER NAME:'],
			[42, 'Payment 3 to '],
			[60, 'First payment'],
		]);
		expect(found).toMatchObject({
			isGood: true,
			subject: expect.stringMatching(/^60 payouts, 5 to look at: /),
		});
	});
});
