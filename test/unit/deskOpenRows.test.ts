/** *Report*: the file of open rows, the size of a mail, what balances say, and the details of a destination on their way into the book. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { handedOn } from '../../nodes/WalletService/payments/payList/handOn.ts';
import { rowsOfItem } from '../../nodes/WalletServiceDesk/book/make/makeRows.ts';
import { DEFAULT_COLUMNS } from '../../nodes/WalletServiceDesk/list/read/columns.ts';
import { withDestinations } from '../../nodes/WalletServiceDesk/list/read/destinations.ts';
import { readFile } from '../../nodes/WalletServiceDesk/list/read/readList.ts';
import { matchList } from '../../nodes/WalletServiceDesk/list/report/matchList.ts';
import { readBook } from '../../nodes/WalletServiceDesk/list/report/marks.ts';
import { reportList } from '../../nodes/WalletServiceDesk/list/report/reportList.ts';
import { AT, failure, merged, NGN, report, result, row } from './reportItems.ts';

const readAgain = (csv: string) => readFile(new TextEncoder().encode(csv), { columns: DEFAULT_COLUMNS });

describe('the file of open rows', () => {
	const unclear = failure({ message: 'The service gave no answer', description: '' }, 'unknown');

	test('has what can be handed in again, and Read reads it', () => {
		const { openFile } = report([
			merged(2, 'paid'),
			merged(3, 'alreadyPaid'),
			merged(4, 'notSent', { amount: '1250.50', note: 'Rent, "May"', payee: 'Ada Obi', again: true }),
			merged(5, 'unknown', unclear),
			// Nothing tells it from a payment that was made.
			merged(6, 'unknown', { paymentKey: '', ...unclear }),
			merged(7, 'notSent', { decision: 'wasPaid', ...failure({ message: 'x', description: '' }) }),
			merged(8, 'rejected', { currency: '', coin: 'USDT', accountAlias: '', walletAlias: 'supplier-main' }),
		]);
		expect(openFile.split('\r\n')[0]).toBe(
			'\uFEFFpaymentKey,amount,currency,coin,destination,payee,note,again',
		);
		expect(readAgain(openFile)).toMatchObject([
			{
				paymentKey: 'INV-4',
				amount: '1250.50',
				note: 'Rent, "May"',
				payee: 'Ada Obi',
				again: true,
				problems: [],
			},
			{ paymentKey: 'INV-5', currency: 'NGN', destination: 'supplier-main', problems: [] },
			{ paymentKey: 'INV-8', coin: 'USDT', problems: [] },
		]);
	});

	test('has all rows before the payments, and only the names of the columns if nothing is open', () => {
		expect(readAgain(report([row(2), row(3)]).openFile)).toHaveLength(2);
		expect(report([merged(2, 'paid')]).openFile.split('\r\n')).toHaveLength(2);
	});

	test('has no key that a spreadsheet would compute: another key would be another payment', () => {
		const keys = ['=1+1', '-7', '+7', 'A;-1', '@x'];
		const { openFile } = report(keys.map((paymentKey, at) => row(at + 2, { paymentKey })));
		for (const { paymentKey, problems } of readAgain(openFile)) {
			expect(paymentKey === '' || paymentKey === '-7').toBe(true);
			expect(problems.length > 0 || paymentKey === '-7').toBe(true);
		}
	});

	test('can be read even if a character of the list was lost: a note shows a sign for it, an alias is missing', () => {
		const lost = [row(2, { note: 'caf\ufffd', payee: 'Ad\ufffd' }), row(3, { destination: 's\ufffd' })];
		const again = readAgain(report(lost).openFile);
		expect(again).toMatchObject([
			{ paymentKey: 'INV-2', note: 'caf?', payee: 'Ad?', problems: [] },
			{ paymentKey: 'INV-3', destination: '', problems: ['The destination is missing. Enter it.'] },
		]);
	});

	test('gives any row that Read takes with the same key, amount and destination', () => {
		const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
		const key = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 ,;"'/._-]{2,20}[0-9]$/);
		const amount = fc.stringMatching(/^[1-9][0-9]{0,12}(\.[0-9]{1,2})?$/);
		const rows = fc.array(fc.record({ paymentKey: key, amount, destination: text, note: text }), {
			minLength: 1,
			maxLength: 20,
		});
		let taken = 0;
		fc.assert(
			fc.property(rows, (drawn) => {
				const given = drawn.map((each, at) =>
					row(at + 2, { ...each, paymentKey: `${each.paymentKey}${at}` }),
				);
				const first = readAgain(report(given).openFile);
				expect(first.filter(({ row: number }) => number > 0)).toHaveLength(given.length);
				for (const [at, each] of first.filter(({ row: number }) => number > 0).entries()) {
					if (each.problems.length > 0) continue;
					taken += 1;
					const same = { ...(given[at] as { paymentKey: string; destination: string }) };
					expect(each).toMatchObject({ paymentKey: same.paymentKey.trim(), amount: given[at]!.amount });
					// A spreadsheet would compute what begins like a formula.
					if (!/[=+\-@\t\r\n＝＋－＠]/.test(same.destination))
						expect(each.destination).toBe(same.destination.trim());
				}
			}),
			{ numRuns: 300 },
		);
		expect(taken).toBeGreaterThan(500);
	});
});

test('the mail about 200 payouts is below 100 kB: mail programs cut off what is longer', () => {
	const items = Array.from({ length: 200 }, (_, at) =>
		merged(at + 2, 'paid', {
			paymentKey: `SUPPLIER-2026-00${1000 + at}`,
			amount: `${123_456 + at}.50`,
			note: 'Invoice of November',
			destination: 'logistics-international',
			accountAlias: 'logistics-international',
			destinationDetails: 'Guaranty Trust Bank, Logistics International Ltd, …6789',
			status: 'pending',
			payoutId: `po_${'0123456789abcdef'.repeat(2)}`,
		}),
	);
	expect(Buffer.byteLength(report(items).html)).toBeLessThan(100_000);
});

describe('balances after the payments', () => {
	const unclear = failure({ message: 'The service gave no answer', description: '' }, 'unknown');
	const balance = (amount: string) => [{ ...NGN, balance: amount }];
	const list = [row(2, { amount: '100' }), row(3, { amount: '1810.25' }), row(4, { amount: '7' })];
	const before = reportList({ items: list, balances: balance('5000'), ...AT });
	const after = (words: string[], now: string) => {
		const items = words.map((word, at) =>
			result(word, {
				paymentKey: `INV-${at + 2}`,
				amount: list[at]!.amount,
				...(word === 'unknown' ? unclear : {}),
			}),
		);
		const rows = before.rows.map((each) => ({ ...each }) as IDataObject);
		return reportList({ ...matchList(items, rows), balances: balance(now), ...AT }).text;
	};

	test.each<[what: string, words: string[], now: string, said: string]>([
		[
			'the whole amount',
			['paid', 'unknown', 'paid'],
			'3082.75',
			'Since the list was checked, the balance fell by 1,810.25 NGN more than was paid: look first whether INV-3 was made.',
		],
		[
			'more than that',
			['paid', 'unknown', 'unknown'],
			'3000',
			'Since the list was checked, the balance fell by 1,900.00 NGN more than was paid: look first whether INV-3 or INV-4 was made.',
		],
		[
			'less',
			['paid', 'unknown', 'paid'],
			'4892',
			'Since the list was checked, the balance fell by 1.00 NGN more than was paid. Fees and other payments count in it, too.',
		],
	])('that fell by %s are told', (_, words, now, said) => {
		expect(after(words, now)).toContain(said);
	});

	test('never say that a payment was not made', () => {
		expect(after(['paid', 'unknown', 'paid'], '4893')).not.toContain('the balance');
		expect(after(['paid', 'unknown', 'paid'], '9000')).not.toContain('the balance');
		expect(after(['paid', 'paid', 'paid'], '0')).not.toContain('the balance fell');
	});
});

test('the details of a destination go from Read through Pay List into the book, and the next report compares with them', () => {
	const account = (number: string) => ({
		records: [{ alias: 'supplier-main', status: 'approved', bank: 'GTBank', accountNumber: number }],
	});
	const csv = 'paymentKey,amount,currency,destination\nINV-2,5,NGN,supplier-main\n';
	const [read] = withDestinations(readAgain(csv), {
		accounts: account('0123456789'),
		wallets: { records: [] },
	});
	const paid = {
		result: 'paid',
		paymentKey: 'INV-2',
		amount: '5',
		currency: 'NGN',
		accountAlias: 'supplier-main',
	};
	const handed = handedOn({ ok: true, items: [paid] }, { ...read });
	const context = {
		now: '2026-11-20T10:00:00.000Z',
		workflow: 'wf1 pay once',
		execution: '7',
		approvedBy: 'Ada Obi',
		needsApproval: true,
	};
	const items: IDataObject[] = [{ ...read }, ...(handed.ok ? handed.items : [])];
	const book = items.flatMap((item, at) => rowsOfItem(item, at, context));
	expect(book.map(({ result: word, details }) => [word, details])).toEqual([
		['under way', 'GTBank, …6789'],
		['paid', 'GTBank, …6789'],
	]);
	const next = (number: string) => {
		const [again] = withDestinations(readAgain(csv.replace('INV-2', 'INV-3')), {
			accounts: account(number),
			wallets: { records: [] },
		});
		return reportList({ items: [{ ...again }], balances: [NGN], ...readBook(book, AT.now), ...AT }).marks
			.length;
	};
	expect([next('0123456789'), next('0123450000')]).toEqual([0, 1]);
});
