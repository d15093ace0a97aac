/** Read of files as people really hand them in: ERP exports, bank files, spreadsheets of several languages. Each stands for its kind. */
import { comparedKey } from '../../nodes/WalletServiceDesk/values/comparedKey.ts';
import {
	placesOfRows,
	readFile,
	readGiven,
	readItems,
} from '../../nodes/WalletServiceDesk/list/read/readList.ts';
import { csv, HEADER, read, said, SETTINGS } from './readLists.ts';

const problemsOf = (text: string, settings = SETTINGS) => said(read(text, settings));
const NAMED = (amount: string) => ({ columns: { ...SETTINGS.columns, amount } });
/** What is said of one row whose column of amounts has this name. */
const ofAmountColumn = (name: string, currency = 'NGN', coin = '') =>
	problemsOf(`paymentKey,"${name}",currency,coin,destination\nA-1,125050,${currency},${coin},s`, NAMED(name));
const ofCell = (column: 'paymentKey' | 'amount' | 'currency', cell: string) => {
	const cells = { paymentKey: 'A-1', amount: '7', currency: 'NGN', coin: '', destination: 's' };
	const texts = Object.values({ ...cells, [column]: cell }).map((text) => `"${text}"`);
	return problemsOf(csv(texts.join()));
};

describe('a code that counts a small unit', () => {
	test.each([
		['GBp', 'pence', 'pounds', 'GBP'],
		['GBX', 'pence', 'pounds', 'GBP'],
		['USd', 'cents', 'dollars', 'USD'],
		['ZAc', 'cents', 'rand', 'ZAR'],
		['ZAC', 'cents', 'rand', 'ZAR'],
		['ILa', 'agorot', 'shekels', 'ILS'],
	])('%s is %s', (code, unit, whole, currency) => {
		expect(ofCell('currency', code)).toEqual([
			`Row 2: The currency ${code} is ${unit}. Write the amount in ${whole}, and the currency ${currency}.`,
		]);
	});

	test('is known by its small letter, if nothing else is known of it', () => {
		expect(ofCell('currency', 'NGk')).toEqual([
			'Row 2: The currency NGk is a small unit, such as pence or cents. Write the amount in the whole currency, and the currency in capitals.',
		]);
	});

	test.each(['gbp', 'GBP', 'Gbp', 'gBp', 'usd', 'Zar'])('is not %s', (code) => {
		expect(ofCell('currency', code)).toEqual([]);
	});
});

test.each(['US Dollar', 'INV-1001', '$', 'NGN/USD', 'naira (NGN)', 'N'])(
	'the currency %s is no code',
	(text) => {
		expect(ofCell('currency', text)).toEqual([
			`Row 2: The currency ${text} is not a code such as NGN. Enter the code.`,
		]);
	},
);

test.each(['1INCH', 'USDC.e', 'usdt', 'USDT-TRC20'])('the coin %s is a code', (coin) => {
	expect(problemsOf(csv(`A-1,5,,${coin},t`))).toEqual([]);
});

describe('the name of the column of amounts', () => {
	test.each([
		['Amount (drops)', 'drops'],
		['Amount in lakhs', 'lakhs'],
		["Amount (N'000)", '000'],
		["Amount ('000s)", '000'],
		["Amount (\u20a6'000)", '000'],
		['Amount (mBTC)', 'mBTC'],
		['Amount (\u00f8re)', '\u00f8re'],
		['Amount in crores', 'crores'],
		['Amount (k)', 'k'],
		['Amount NGN mn', 'mn'],
		['Betrag in Tausend', 'Tausend'],
		['Betrag (TEUR)', 'TEUR'],
		['Montant (milliers)', 'milliers'],
		['Importe en miles', 'miles'],
		['amount_minor', 'minor'],
		['amount_raw', 'raw'],
		['Amount x100', 'x'],
		['Amount / 1000', '1000'],
		['Amount (ngwee)', 'ngwee'],
		['amountInCents', 'Cents'],
		['Amount (GBp)', 'GBp'],
		['Amount (%)', '%'],
		['TEUR', 'TEUR'],
		['NGNm', 'NGNm'],
		['Amount T\u20ac', 'T'],
		['\u91d1\u984d\uff08\u5343\u5186\uff09', '\u5343\u5186'],
		['lakhs', 'lakhs'],
		['Kobo', 'Kobo'],
	])('is refused where it may say a unit: %s', (name, unit) => {
		expect(ofAmountColumn(name)).toEqual([
			`The column ${name} says ${unit}, so its amounts may be in another unit. If they are, write them in the currency or coin itself, such as 1250.50. If not, give the column a shorter name, such as amount.`,
		]);
	});

	test.each([
		'Amount',
		'Amount ()',
		'Amount*',
		'AMOUNT DUE',
		'Invoice Amount',
		'Net amount',
		'Amount (net)',
		'Amount to pay (NGN)',
		'Total Amount Payable',
		'Salary',
		'Net Pay',
		'Payout amount in NGN',
		'amount_ngn',
		'Betrag (brutto)',
		'Auszahlungsbetrag NGN',
		'Montant TTC',
		'Montant \u00e0 payer',
		'Importe total',
		'Valor a pagar',
		'Importo netto',
		'Bedrag',
		'Kwota',
		'Amount incl. VAT',
		'Amount (excl. VAT)',
		'Amount 2026',
		'Amount (N)',
		'Amount (\u20a6)',
		'Amount in Naira',
		'Centre',
		'Percentage',
		'Weight',
		'Satz',
		'Beneficiary Amount',
	])('may say what it is the amount of: %s', (name) => {
		expect(ofAmountColumn(name)).toEqual([]);
	});

	test.each([
		['Amount in USD', 'USD'],
		['amount_usd', 'usd'],
		['Amount (usd)', 'usd'],
		['amountUsd', 'Usd'],
		['Amount \u20ac', '\u20ac'],
		['Amount ($)', '$'],
		['US dollars', 'dollars'],
		['Betrag Euro', 'Euro'],
		['Amount USDT', 'USDT'],
	])('says a currency that the row does not have: %s', (name, code) => {
		expect(ofAmountColumn(name)).toEqual([
			expect.stringContaining(`is in ${code} by the name of its column, and would be paid in NGN.`),
		]);
	});

	test.each([
		['Amount \u20ac', 'EUR', ''],
		['Amount ($)', 'USD', ''],
		['Amount ($)', 'CAD', ''],
		['Amount ($)', '', 'USDT'],
		['Amount USDT', '', 'USDT'],
		['Amount (KSh)', 'KES', ''],
		['Amount FCFA', 'XOF', ''],
		['Valor (R$)', 'BRL', ''],
		['Amount in US$', 'USD', ''],
		['Amount HK$', 'HKD', ''],
		['Importe $', 'MXN', ''],
		['Pounds sterling', 'GBP', ''],
	])('says the currency or coin of the row: %s, %s%s', (name, currency, coin) => {
		expect(ofAmountColumn(name, currency, coin)).toEqual([]);
	});

	test('may say a coin that only this list knows', () => {
		expect(ofAmountColumn('Amount (PEPE)', '', 'pepe')).toEqual([]);
		expect(ofAmountColumn('Amount (PEPE)')).toEqual([expect.stringContaining('says PEPE, so')]);
		// A row with the names of the columns is no coin.
		expect(problemsOf(csv('A-1,5,NGN,,s', 'destination,coin,amount,currency,paymentKey'))).toEqual([
			'Row 3: This row has the names of the columns again. Remove the row.',
		]);
	});
});

describe('an amount that is almost right', () => {
	test.each([
		['0000002536', 'can be 2536 or 25.36. Write 2536 or 25.36.'],
		['0042', 'can be 42 or 0.42. Write 42 or 0.42.'],
		['0000125.50', 'has zeros before it. Write 125.50.'],
		['1,25,000.50', 'has a comma. Write 125000.50.'],
		['12,50,000', 'has a comma. Write 1250000.'],
		['30,', 'has a comma. Write 30.'],
		['30.', 'ends with a point. Write 30.'],
		['1250.-', 'ends with a sign. Write 1250.'],
		['1250,--', 'has a comma. Write 1250.'],
		['1250/-', 'ends with a sign. Write 1250.'],
		['1.250,-', 'has a comma. Write 1250.'],
		['1,250/-', 'has a comma. Write 1250.'],
		['1250/=', 'ends with a sign. Write 1250.'],
		['1\u00a0250,50', 'has a comma. Write 1250.50.'],
		['1\u202f250.50', 'has spaces or signs between its digits. Write 1250.50.'],
		['1\u2009250', 'has spaces or signs between its digits. Write 1250.'],
		['1E-05', 'has an exponent. Write 0.00001.'],
		['2,5e-7', 'has a comma. Write 0.00000025.'],
		['+1250.50', 'has a plus sign. Write 1250.50.'],
		['.5', 'begins with a point. Write 0.5.'],
	])('has one advice: %j %s', (amount, says) => {
		expect(ofCell('amount', amount)).toEqual([expect.stringMatching(/^Row 2: The amount /)]);
		expect(ofCell('amount', amount)[0]).toContain(says);
	});

	test('may be in cents where it fills a width that other amounts fill with zeros', () => {
		const says = (amount: string, can: string) => `The amount ${amount} can be ${can}. Write ${can}.`;
		expect(problemsOf(csv('A,0000253600,NGN,,s', 'B,1500000050,NGN,,s', 'C,12,NGN,,s'))).toEqual([
			`Row 2: ${says('0000253600', '253600 or 2536.00')}`,
			`Row 3: ${says('1500000050', '1500000050 or 15000000.50')}`,
		]);
		expect(problemsOf(csv('A,2536,NGN,,s', 'B,1500,NGN,,s'))).toEqual([]);
	});

	test('has lost digits where Excel shows six of them and an exponent', () => {
		expect(ofCell('amount', '1.23457E-05')).toEqual([
			'Row 2: Excel has cut digits off the amount 1.23457E-05. Enter it again.',
		]);
	});

	test.each([
		['1000.55', 'JPY', 'JPY has no decimals'],
		['1234.505', 'NGN', 'NGN has 2 decimals'],
		['5.125', 'GBP', 'can be 5125 or 5.125'],
		['1234.1234', 'KWD', 'KWD has 3 decimals'],
	])('has more decimals than its currency: %s %s', (amount, currency, says) => {
		expect(problemsOf(csv(`A-1,${amount},${currency},,s`))).toEqual([expect.stringContaining(says)]);
		const items = [{ paymentKey: 'A-1', amount: Number(amount), currency, destination: 's' }];
		expect(said(readItems(items, SETTINGS))).toHaveLength(1);
	});

	test('has more decimals than its currency, whatever else is wrong with the row', () => {
		expect(problemsOf(csv('1-mar,1000.55,JPY,,'))).toHaveLength(3);
		expect(problemsOf(csv('A-1,1.250,NGN,,s'))).toEqual([expect.stringContaining('can be 1250 or 1.25')]);
	});

	test.each([
		['1000.00', 'JPY,'],
		['1234.50', 'NGN,'],
		['1234.5000', 'NGN,'],
		['1234.125', 'KWD,'],
		['1234.1234567', ',USDT'],
	])('may have the decimals that it has: %s %s', (amount, code) => {
		expect(problemsOf(csv(`A-1,${amount},${code},s`))).toEqual([]);
	});
});

describe('a payment key', () => {
	test.each([
		'1-mar',
		'mar-26',
		'01. Mrz',
		'1. Mrz',
		'01-mars',
		'01/mar',
		'01-mrt',
		'1-maj',
		'01.Mar',
		'1-MAR',
		'Mrz 26',
		'dic-26',
		'okt-26',
		'1-ago',
		'1-set',
		'out-26',
		'1-des',
		'5-gen',
		'1-Mar-26',
		'01-mar-2026',
		'1. Mrz 26',
		'3/1/2026',
		'01.03.2026',
		'2026-03-01',
		'2026/3/1',
		'01-03-2026',
		'3/1/26',
		'01.03.26',
		'31/12/2026',
		'3/1/2026 0:00',
		'2026-03-01 00:00:00',
		'2026-03-01T00:00:00.000Z',
		'3/1/2026 12:00:00 AM',
	])('that Excel may have made a date is refused: %s', (key) => {
		expect(ofCell('paymentKey', key)).toEqual([
			`Row 2: Excel may have made a date of the payment key ${key}. Format this column as text, and enter the key again. A key that is a date needs a word beside it, such as Rent 2026-03-01.`,
		]);
	});

	test.each([
		'Rent 2026-03-01',
		'INV-1-mar',
		'Mar-2026-7',
		'13/2026',
		'2026-13-45',
		'45/45/2026',
		'1-2026',
		'INV/3/1/2026',
		'MARS-100',
		'May-2026',
		'Acme 03/2026',
		'4711',
		'12-34-5678',
		'A1-mar',
		'1-mark',
		'JAN-2026-001',
	])('that only looks a little like one is a key: %s', (key) => {
		expect(ofCell('paymentKey', key)).toEqual([]);
	});

	test.each(['12,50', '250.50', '1,250.50', '1.250,50'])(
		'that looks like an amount is refused: %s',
		(key) => {
			expect(ofCell('paymentKey', key)).toEqual([
				`Row 2: The payment key ${key} looks like an amount. Enter the key. If this is the key, write a word before it, such as INV ${key}.`,
			]);
		},
	);

	test.each(['2026.1001', 'INV 12.50', '12.505', '2026.10', '4711.1', '2026-12'])(
		'with a point is a key: %s',
		(key) => {
			expect(ofCell('paymentKey', key)).toEqual([]);
		},
	);

	test.each([
		'false',
		'INV-False',
		'\\N',
		'INV-NaT',
		'PAY-{order_id}',
		'PAY-${order.id}',
		'PAY-%s',
		'(null)',
		'INV-<NA>',
		'<nil>',
		'INV-None',
		'NULL',
		'(blank)',
		'{{order}}',
		'INV-#N/A',
		'true',
	])('that names nothing is refused: %s', (key) => {
		expect(ofCell('paymentKey', key)).toEqual([
			`Row 2: The payment key ${key} is not complete. Enter it again.`,
		]);
		expect(comparedKey(key)).toBeUndefined();
	});

	test('of a check box is empty', () => {
		const item = { paymentKey: false, amount: '5', currency: 'NGN', destination: 's', again: true };
		expect(readItems([item], SETTINGS)).toMatchObject([
			{ paymentKey: '', again: true, problems: ['The payment key is missing. Enter it.'] },
		]);
	});
});

describe('a row that is no payout', () => {
	const BOX = `${HEADER},again,done`;

	test('is empty if it has nothing but check boxes', () => {
		const empty = [
			',,,,,,FALSE',
			',,,,,FALSE,',
			',,,,,,FALSCH',
			',,,,,,TRUE',
			',,NGN,,,,FALSE',
			',,,USDT,,,',
		];
		const rows = read([BOX, 'A-1,5,NGN,,s,TRUE,FALSE', ...empty, 'A-2,6,NGN,,s,,TRUE'].join('\n'));
		expect(rows.map(({ row, paymentKey, problems }) => [row, paymentKey, problems])).toEqual([
			[2, 'A-1', []],
			[9, 'A-2', []],
		]);
		const item = { paymentKey: 'A-1', amount: '5', currency: 'NGN', destination: 's', done: 'FALSE' };
		const box = { paymentKey: '', amount: '', currency: 'NGN', destination: '', done: 'FALSE' };
		expect(readItems([box, item, box], SETTINGS)).toMatchObject([{ row: 3, problems: [] }]);
	});

	test('is named if anything else stands in it', () => {
		// The cells of this row have moved, and a code stands for none.
		expect(read(csv('A-1,5,NGN,,s', ',,supplier-main,01-Mar,'))).toHaveLength(2);
		expect(read([BOX, 'A-1,5,NGN,,s,,', ',5,,,,,FALSE', ',,,,,,call Ada'].join('\n'))).toHaveLength(3);
	});

	test('is a total if it has no destination', () => {
		const text = csv('A,100,NGN,,s', 'Total,100,NGN,,', ',100,,,', 'Grand total:,100,,,', 'Summe,100,,,');
		const total =
			'This looks like a total, not like a payout. Remove the row. If it is a payout, enter its destination.';
		expect(problemsOf(text)).toEqual([
			`Row 3: ${total}`,
			'Row 4: The payment key is missing. Enter it.',
			'Row 4: Fill in currency or coin: one of the two.',
			'Row 4: The destination is missing. Enter it.',
			`Row 5: ${total}`,
			`Row 6: ${total}`,
		]);
		expect(problemsOf('paymentKey,text,amount,currency,destination\nA,x,5,NGN,s\n,TOTAL,5,,')).toEqual([
			`Row 3: ${total}`,
		]);
	});

	test('is a total even if its destination is one, or none', () => {
		const total = expect.stringContaining('looks like a total') as unknown as string;
		const rows = ['Total,100,NGN,,TOTAL', 'Grand total,100,NGN,,-', 'Sum,100,NGN,,n/a'];
		expect(problemsOf(csv('A,100,NGN,,s', ...rows))).toEqual([total, total, total]);
	});

	test.each(['-', '--', 'n/a', 'N/A', 'null', 'undefined', 'None', 'TBC', '?', '[object Object]', '.', '_'])(
		'has a destination that names nothing: %s',
		(destination) => {
			expect(problemsOf(csv(`A-1,5,NGN,,${destination}`))).toEqual([
				`Row 2: The destination ${destination} names no account or wallet. Enter the alias.`,
			]);
		},
	);

	test.each(['0', '7', 'Nan', 'TBC Bank', 'x', 'No Limits Ltd', '+234 rent'])(
		'is none if its destination may be an alias: %s',
		(destination) => {
			expect(problemsOf(csv(`A-1,5,NGN,,${destination}`))).toEqual([]);
		},
	);

	test('is none of these: a sum by chance, and a supplier whose name begins so', () => {
		expect(
			problemsOf(
				csv(
					'A,100,NGN,,s',
					'B,60,NGN,,s',
					'C,40,NGN,,s',
					'Total Energies 4711,7,NGN,,t',
					'Suma Ltd,8,NGN,,u',
				),
			),
		).toEqual([]);
	});

	test.each([
		'Cancelled',
		'PAID',
		'on hold',
		'Credit Note',
		'Storniert',
		'bezahlt',
		'annul\u00e9',
		'Pagado',
		'Gutschrift',
		'Settled',
		'Paid out',
		'PAID \u2713',
		'\u2713 Paid',
		'\u2705 paid on 12/05',
		'Duplicate',
		'Written off',
		'Already settled',
		'Success',
		'SUCCESSFUL',
		'Transfer succeeded',
		'In transit',
		'In Payment',
		'Vendor Credit',
		'Supplier credit (INV-9)',
	])('is one that another column takes back: %s', (word) => {
		expect(problemsOf(`paymentKey,amount,currency,destination,Status\nA,5,NGN,s,${word}`)).toEqual([
			`Row 2: The column Status says ${word}, so the row may be no payout any more. Remove the row. If it is a payout, empty this cell.`,
		]);
	});
});

describe('a column without a meaning that changes that of the row', () => {
	const withColumn = (name: string, ...cells: string[]) =>
		problemsOf(
			[`paymentKey,amount,currency,destination,"${name}"`]
				.concat(cells.map((cell, at) => `A-${at},${125050 + at},NGN,s,"${cell}"`))
				.join('\n'),
		);

	test.each([
		'Rejected',
		'declined',
		'Draft',
		'FAILED',
		'pending approval',
		'Pending_Approval',
		'Not approved',
		'unapproved',
		'awaiting approval',
		'Declined by Ada',
		'Rejected: no order',
		'abgelehnt',
		'Entwurf',
		'Payment cancelled',
		'Invoice: void',
		'Payment has been refunded',
		'rechazado',
		'under review',
	])('says that nobody may pay it: %s', (word) => {
		expect(withColumn('Status', word)).toEqual([
			`Row 2: The column Status says ${word}, so the row may be no payout any more. Remove the row. If it is a payout, empty this cell.`,
		]);
	});

	test('says so in characters that nobody sees, too', () => {
		const words = [
			'Can\u200bcelled',
			'\ufeffRejected',
			'Dra\u00adft',
			'*VOID*',
			'(cancelled)',
			"'Paid'",
			'On\u00a0hold',
			'ko\u2060bo',
		];
		expect(words.map((word) => withColumn('Status', word).length)).toEqual(words.map(() => 1));
	});

	test.each([
		'pending',
		'Approved',
		'approved by Ada',
		'Draft beer',
		'Failed parts replaced',
		'Open',
		'Overdue',
		'Rejection hotline',
		'Payment terms',
		'Payment',
		'Invoice 7',
		'In progress',
		'approval not needed',
		'Completed',
		'Sent',
		'Success fee',
		'Vendor credit line',
	])('says nothing of it: %s', (word) => {
		expect(withColumn('Status', word)).toEqual([]);
	});

	test.each([
		['Approved', 'No', true],
		['approved?', 'FALSE', true],
		['Pay', 'n', true],
		['OK to pay', 'no', true],
		['Rejected', 'yes', true],
		['Approved', 'Yes', false],
		['Approved', '', false],
		['Paid', 'No', false],
		['VAT', 'No', false],
		['Paid on', '2026-11-01', true],
		['Date paid', '12/05/2026', true],
		['paid_at', '2026-11-01T09:00:00Z', true],
		['Amount paid', '250', true],
		['Amount paid', '0.00', false],
		['Paid on', 'no', false],
		['Paid on', '-', false],
		['Paid to', 'Ada', false],
		['To be paid on', '2026-12-01', false],
		['Payment date', '2026-12-01', false],
		['Already paid', '400', true],
		['Credit Applied', '200.00', true],
		['Paid to date', '0.00', false],
		['Payment block', 'A', true],
		['Pmnt Block', 'R', true],
		['Zahlsperre', 'A', true],
		['Payment hold', 'No', false],
		['Payment Status', 'Completed', true],
		['Transfer status', 'SENT', true],
		['payout_state', 'processing', true],
		['transactionStatus', 'Processed: 12/05', true],
		['Payment Status', 'Not Paid', false],
		['Payment Status', 'Pending', false],
		['Delivery status', 'Completed', false],
		['Payment terms', 'Done', false],
	])('%s: %j', (name, cell, isProblem) => {
		expect(withColumn(name, cell)).toHaveLength(isProblem ? 1 : 0);
	});

	test.each([
		['unit', 'kobo'] as const,
		['Unit', 'pence'] as const,
		['UOM', 'cents'] as const,
		['Unit', 'k'] as const,
		['remark', 'thousands'] as const,
		['x', "NGN '000"] as const,
		['Unit', '1000'] as const,
		['Unit', 'minor units'] as const,
		['Amount in', 'lakhs'] as const,
		['Currency unit', 'GBp'] as const,
		['tokenDecimal', '6'] as const,
		['decimals', '18'] as const,
	])('says another unit of the amount: %s, %s', (name, cell) => {
		expect(withColumn(name, cell)).toEqual([
			`Row 2: The column ${name} says ${cell}, so the amount may be in another unit. If it is, write it in the currency or coin itself, such as 1250.50. If not, empty this cell.`,
		]);
	});

	test.each([
		['unit', 'hours'] as const,
		['Unit', 'each'] as const,
		['Unit', 'NGN'] as const,
		['Unit', 'naira'] as const,
		['Unit', 'units'] as const,
		['Unit', 'dozens'] as const,
		['branch', '000'] as const,
		['x', '1000'] as const,
		['remark', '5 million'] as const,
		['grade', 'k'] as const,
		['decimals', '0'] as const,
	])('says nothing of the amount: %s, %s', (name, cell) => {
		expect(withColumn(name, cell)).toEqual([]);
	});

	test('says another currency than the node says for all rows', () => {
		const all = { ...SETTINGS, codeOfAll: { code: 'NGN', isFiat: true } };
		const text = 'paymentKey,amount,destination,Ccy,Country\nA,5,s,USD,ALL\nB,6,s,NGN,NGA\nC,7,s,usdt,GBP';
		const says = (written: string) =>
			`The column Ccy says ${written}, and this row would be paid in NGN, as the node says for all rows. In the node, write Ccy into Currency Column or Coin Column. If the row is in NGN, correct this cell.`;
		expect(problemsOf(text, all)).toEqual([`Row 2: ${says('USD')}`, `Row 4: ${says('usdt')}`]);
		expect(problemsOf('paymentKey,amount,currency,destination,Ccy\nA,5,NGN,s,USD')).toEqual([]);
		expect(problemsOf(text.replace('USD', '#N/A'), all)[0]).toBe(`Row 2: ${says('#N/A')}`);
		expect(problemsOf('paymentKey,amount,\u200d,destination\nA,5,USD,s', all)).toHaveLength(1);
		// Of names that are merged, a file has the first.
		expect(problemsOf('paymentKey,amount,,destination\nA,5,USD,s\nB,6,NGN,s', all)).toEqual([
			expect.stringContaining('The column C says USD, and this row would be paid in NGN'),
		]);
	});

	test.each([
		['Price', 'Qty', '3', true],
		['Rate', 'Hours', '7.5', true],
		['Net price', 'Quantity', '1,000', true],
		['Preis', 'Menge', '0,5', true],
		['Price', 'Qty', '1.00', false],
		['Price', 'Qty', 'one', false],
		['Total price', 'Qty', '3', false],
		['Amount', 'Qty', '3', false],
		['Price', 'Employees', '3', false],
	])('says that the amount is the price of one: %s, %s, %s', (amount, name, cell, isProblem) => {
		const settings = { columns: { ...SETTINGS.columns, amount } };
		const text = `paymentKey,${amount},currency,destination,${name}\nA,100,NGN,s,"${cell}"`;
		const says = `Row 2: The column ${name} says ${cell}, so the amount may be the price of one. Write the amount of the whole row, and then empty this cell.`;
		expect(problemsOf(text, settings)).toEqual(isProblem ? [says] : []);
	});

	test.each([
		['Ccy', 'US Dollar', true],
		['Currency', '$', true],
		['W\u00e4hrung', 'Euro', true],
		['Token', 'PEPE', true],
		['token_symbol', 'WBTC', true],
		['token_type', 'native', true],
		['Ccy', 'Naira', false],
		['Ccy', '\u20a6', false],
		['Ccy', 'Nigerian Naira (NGN)', false],
		['Ccy', 'n/a', false],
		['Asset', 'Laptop', false],
		['Token', '83721', false],
		['Country', 'US', false],
	])('says by a name or an unknown code what all rows are not in: %s, %s', (name, cell, isProblem) => {
		const all = { columns: { ...SETTINGS.columns, currency: '' }, codeOfAll: { code: 'NGN', isFiat: true } };
		const text = `paymentKey,amount,destination,${name}\nA,5,s,${cell}`;
		expect(problemsOf(text, all)).toEqual(
			isProblem ? [expect.stringContaining(`says ${cell}, and this row would be paid in NGN`)] : [],
		);
	});

	// What Wise and Ripple ask for: the amount may count in the currency that is sent.
	test.each([
		['amountCurrency,sourceCurrency,targetCurrency', 'target,EUR,NGN', undefined],
		['amountCurrency,sourceCurrency,targetCurrency', 'source,EUR,NGN', ['amountCurrency', 'source', 'EUR']],
		['amountCurrency,sourceCurrency,targetCurrency', 'SOURCE,NGN,NGN', undefined],
		['amountCurrency,sourceCurrency,targetCurrency', 'target,NGN,EUR', ['amountCurrency', 'target', 'EUR']],
		['amountCurrency,sourceCurrency', 'source,', undefined],
		['Amount Currency', 'usd', ['Amount Currency', 'usd', 'USD']],
		['Currency of Amount', 'NGN', undefined],
		['Payment Currency,Quote Type', 'USD,Sending Amount', ['Payment Currency', 'USD', 'USD']],
		['payout_currency', 'USDT', ['payout_currency', 'USDT', 'USDT']],
		['Invoice Currency', 'USD', undefined],
		['debit_currency', 'USD', undefined],
	])('says another currency of the amount than the row: %s, %s', (names, cells, said) => {
		const text = `paymentKey,amount,currency,destination,${names}\nA,5,NGN,s,${cells}`;
		const [name, written, code] = said ?? [];
		const problem = [
			`Row 2: The column ${name} says ${written}, so the amount may be in ${code}, and this row would be paid in NGN.`,
			'Make sure that the amount is in NGN, and then empty this cell.',
		].join(' ');
		expect(problemsOf(text)).toEqual(said === undefined ? [] : [problem]);
	});

	test.each([
		['Dr/Cr', 'Dr', 'Cr'],
		['Type', 'Debit', 'Credit'],
		['D/C', 'D', 'C'],
		['Direction', 'out', 'in'],
		['Soll/Haben', 'S', 'H'],
		['Transaction type', 'Bill', 'Bill Payment (Check)'],
		['Document_Type', 'Invoice', 'Payment'],
		['Belegart', 'Rechnung', 'Zahlung'],
	])('says of some rows that their money goes the other way: %s', (name, out, into) => {
		expect(withColumn(name, out, out, '', into)).toEqual(
			[2, 3, 5].map(
				(row) =>
					`Row ${row}: The column ${name} says ${row === 5 ? into : out} here, and the opposite in other rows, so some of them are no payouts. Remove those rows, and then this column.`,
			),
		);
		expect(withColumn(name, out, out)).toEqual([]);
		expect(withColumn(name, into, into)).toEqual([]);
	});

	test('says nothing by letters of its own', () => {
		expect(withColumn('Grade', 'C', 'D')).toEqual([]);
		expect(withColumn('Class', 'S', 'H')).toEqual([]);
	});
});

describe('a line above the names of the columns', () => {
	const under = (title: string, ...rows: string[]) => problemsOf([`"${title}"`, csv(...rows)].join('\n'));

	test.each([
		'All amounts in kobo',
		"Payouts (NGN '000)",
		'Figures in NGN millions',
		'(in thousands)',
		'June (\u20a6m)',
		'Amounts are in pence',
		'Amounts in thousands of naira',
		'(NGN 000)',
		'Betr\u00e4ge in Tausend',
		'(USD k)',
	])('is refused where it says another unit: %s', (title) => {
		const [problem, ...others] = under(title, 'A,125050,NGN,,s', 'B,7,NGN,,s');
		expect(others).toEqual([]);
		expect(problem).toMatch(
			/^Row 1 is .*\. It says .*, so the amounts may be in another unit\. If they are, write them in the currency or coin itself, such as 1250\.50\. If not, remove row 1\.$/,
		);
	});

	test.each([
		'Payouts of June',
		'Amounts in NGN',
		'Payouts (final)',
		'Salaries in Naira',
		'Staff in Lagos (2026)',
		'Report (page 100)',
		'For 1 million thanks',
		'Amounts in full',
		'10,000 drops of water',
		'June (\u20a6)',
	])('says nothing of the amounts: %s', (title) => {
		expect(under(title, 'A,5,NGN,,s')).toEqual([]);
	});

	test.each(['All figures in USD', 'Payouts of June (USD)', 'Amounts in US dollars'])(
		'says another currency than a row: %s',
		(title) => {
			expect(under(title, 'A,5,USD,,s', 'B,6,NGN,,s')).toEqual([
				`Row 4: Row 1 is ${title}, and this row would be paid in NGN. Correct one of the two.`,
			]);
		},
	);
});

describe('a file with two tables', () => {
	const SECOND = ['paymentKey,amount,currency,destination', 'B-1,7,NGN,s', 'B-2,8,NGN,t'];

	test.each([
		['other names', 'Invoice,Sum,Cur,Alias', 'A-1,5,NGN,s'],
		['another order', 'Alias,Invoice,Cur,Sum', 's,A-1,NGN,5'],
		['fewer columns', 'Invoice,Alias,Sum', 'A-1,s,5'],
	])('is named, if the first one has %s', (_, names, row) => {
		expect(problemsOf([names, row, row, '', ...SECOND].join('\n'))[0]).toBe(
			'Above the names of the columns in row 5, rows 2 and 3 look like payouts, and are not read. Put all payouts below these names, or remove the rows above.',
		);
	});

	test('is named, if the second one has the same names in another order', () => {
		const text = [...SECOND, 'destination,paymentKey,currency,amount', 'u,C-1,NGN,9', 'v,C-2,NGN,10'].join(
			'\n',
		);
		const other = 'This row is below other names of columns, in row 4. Put all payouts below the same names.';
		expect(problemsOf(text)).toEqual([
			'Row 4: This row has the names of the columns again. Remove the row.',
			`Row 5: ${other}`,
			`Row 6: ${other}`,
		]);
	});

	test('is named, if the second one has other names below the first one', () => {
		const other = 'This row is below other names of columns, in row 5. Put all payouts below the same names.';
		const fees = ['', 'Name,Total,Ccy,Alias', 'C-1,9,NGN,u', 'D-1,TBC,NGN,v'];
		expect(problemsOf([...SECOND, ...fees].join('\n'))).toEqual([
			'Row 5: This row has the names of the columns again. Remove the row.',
			`Row 6: ${other}`,
			`Row 7: ${other}`,
		]);
		// A row without a number is not enough.
		expect(problemsOf([...SECOND, 'Acme,TBC,NGN,v', 'C-1,9,NGN,u'].join('\n'))).toEqual([
			'Row 4: The amount TBC is not a number such as 1250.50.',
		]);
	});

	test.each([
		['a letterhead', 'Account statement,,,\nAccount number:,0011111111,,\nFrom,01.01.2026,To,31.01.2026'],
		['a summary', 'Payouts of June,,,\nCount,2,,\nTotal,15.00,,'],
		['the sum, as files of banks have it', 'Debit Account,Count,Total,\n0011111111,2,15.00,'],
	])('is none if it has %s above', (_, above) => {
		expect(problemsOf([above, ...SECOND].join('\n'))).toEqual([]);
	});
});

describe('a comma in an amount without quotation marks', () => {
	const split = (amount: string, behind: string) =>
		`Row 2: The amount ${amount} and ${behind} behind it can be one number. Write 1250.50, not 1,250.50. If they are two, move the column behind the amount.`;

	test.each([
		['paymentKey,amount,destination,note', 'INV-1,1,250.50,supplier-a', '1', '250.50'],
		['paymentKey,amount,destination,batch', 'INV-1,12,250,supplier-a', '12', '250'],
		['paymentKey,destination,amount,note', 'INV-1,supplier-a,1,250.50', '1', '250.50'],
		['amount,paymentKey,destination,note', '1,250.50,INV-1,supplier-a', '1', '250.50'],
	])('is named: %s', (names, row, amount, behind) => {
		const settings = { ...SETTINGS, codeOfAll: { code: 'NGN', isFiat: true } };
		expect(problemsOf(`${names}\n${row}`, settings)).toEqual([split(amount, behind)]);
	});

	test('is none where the last column is a payment\u2019s own, and so in its place', () => {
		expect(problemsOf('paymentKey,amount,batch,currency,destination\nA,1250,7,NGN,s\nB,5,250,NGN,s')).toEqual(
			[],
		);
	});

	test('a destination is no number with a point', () => {
		const says = 'The destination 250.50 is a number. Enter the alias.';
		expect(problemsOf(csv('A,1,NGN,,250.50'))).toEqual([`Row 2: ${says}`]);
		const item = { paymentKey: 'A', amount: 1, currency: 'NGN', destination: 250.5 };
		expect(said(readItems([item], SETTINGS))).toEqual([
			'Row 2: The destination 250.5 is a number. Enter the alias.',
		]);
	});
});

describe('the column of payees', () => {
	test('is handed on, and is no other column', () => {
		const named = `${HEADER},Payee\nA-1,5,NGN,,s,Ada Obi\nA-2,6,NGN,,s,`;
		const [first, second] = read(named);
		expect(first).toMatchObject({ payee: 'Ada Obi', problems: [] });
		expect(first).not.toHaveProperty('extra');
		expect(second).not.toHaveProperty('payee');
		const columns = { ...SETTINGS.columns, payee: 'Beneficiary Name' };
		expect(read(named.replace('Payee', 'Beneficiary name'), { columns })).toMatchObject([
			{ payee: 'Ada Obi' },
			{},
		]);
	});

	test('may have the destinations, if the node says so', () => {
		const columns = { ...SETTINGS.columns, destination: 'Payee' };
		const [row] = read('paymentKey,amount,currency,Payee\nA-1,5,NGN,supplier', { columns });
		expect(row).toMatchObject({ destination: 'supplier', problems: [] });
		expect(row).not.toHaveProperty('payee');
	});
});

describe('rows that a person leaves out', () => {
	const LIST = csv('A-1,5,NGN,,s', 'A-2,5,NGN,,s', 'A-3,7,NGN,,s');
	const numbers = (leaveOut: string | undefined, text = LIST) =>
		read(text, { ...SETTINGS, leaveOut }).map(({ row, problems }) => [row, problems.length]);

	test('are not there, and no other row is compared with them', () => {
		expect(numbers(undefined)).toEqual([
			[2, 0],
			[3, 1],
			[4, 0],
		]);
		expect(numbers('2')).toEqual([
			[3, 0],
			[4, 0],
		]);
		expect(numbers('4 ,\n2')).toEqual([[3, 0]]);
		const rows = read(LIST);
		expect(readGiven(rows, { ...SETTINGS, leaveOut: '3, 4' })).toEqual([rows[0]]);
		expect(readGiven([{ ...rows[0], leftOut: '9' }], SETTINGS)).toMatchObject([{ leftOut: '9' }]);
		const items = [9, 7].map((row_number) => ({
			row_number,
			paymentKey: `A-${row_number}`,
			amount: row_number,
			currency: 'NGN',
			destination: 's',
		}));
		expect(readItems(items, { ...SETTINGS, leaveOut: '9' })).toMatchObject([{ row: 7 }]);
		expect(placesOfRows(items, { ...SETTINGS, leaveOut: '9' })).toEqual([1]);
	});

	test('have numbers that a page has shown: a list without them is handed on whole, or not at all', () => {
		const rows = read(LIST);
		const bare = rows.map((row) => ({ ...row, row: undefined, line: undefined }));
		expect(readGiven(bare, SETTINGS)).toHaveLength(3);
		for (const list of [bare, [rows[0]!, bare[1]!], [{ ...rows[0], row: 0 }, rows[2]!]])
			expect(() => readGiven(list, { ...SETTINGS, leaveOut: '2' })).toThrow(
				"'Leave Out' is set, and not each row of the list has a number",
			);
	});

	test('a payment with the number 0 is a payment, and what is wrong with the list is none', () => {
		const [first] = read(LIST);
		expect(readGiven([{ ...first, row: 0 }], SETTINGS)).toMatchObject([{ paymentKey: 'A-1', amount: '5' }]);
		expect(readGiven([{ row: 0, problems: ['No columns.'] }, first!], SETTINGS)).toMatchObject([
			{ row: 0, problems: ['No columns.'] },
			{ paymentKey: 'A-1' },
		]);
	});

	test.each(['2-4', '2 and 3', 'A-1', 'all', 'three', '2;3', '2,,3', '2.5', '-2', '2,'])(
		'are numbers, and %j gives no row',
		(text) => {
			expect(() => numbers(text)).toThrow(`'Leave Out' is not a list of row numbers: ${text}`);
		},
	);

	test.each([
		['9', "'Leave Out' has the number 9, and the list has no such row"],
		['0', "'Leave Out' has the number 0, and the list has no such row"],
		['2, 3, 4', "'Leave Out' names all its rows"],
	])('are rows of the list, but not all of them: %s', (text, says) => {
		expect(() => numbers(text)).toThrow(`Nothing of this list was handed on, because ${says}`);
	});

	test('are certain: a number that two rows have gives none', () => {
		const items = [2, 2, 3].map((row_number, index) => ({
			row_number,
			paymentKey: `A-${index}`,
			amount: index + 1,
			currency: 'NGN',
			destination: 's',
		}));
		expect(() => readItems(items, { ...SETTINGS, leaveOut: '2' })).toThrow('the list has 2 rows with it');
	});
});

describe('a file that is no list', () => {
	const ASK = 'Ask for the list as an Excel or CSV file.';
	test.each([
		['<?xml version="1.0"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03">', 'XML'],
		['\ufeff<Document><CstmrCdtTrfInitn>', 'XML'],
		['[{"paymentKey":"A-1","amount":"5"}]', 'JSON'],
		['{\n "rows": []\n}', 'JSON'],
		[':20:STARTUMSE\n:25:10020030/1234567\n:28C:00001/001', 'a bank statement in the format MT940'],
		['{1:F01BANKDEFFXXXX0000000000}{2:I940}{4:\n:20:X', 'a message of SWIFT'],
		['OFXHEADER:100\nDATA:OFXSGML', 'a bank statement in the format OFX'],
		['!Type:Bank\nD6/1/2026', 'a bank statement in the format QIF'],
		['{\\rtf1\\ansi', 'a text document in the format RTF'],
		['\u007fELF', undefined],
	])('is said by name: %j', (text, kind) => {
		const [problem = '', ...others] = problemsOf(text);
		expect(others).toEqual([]);
		if (kind === undefined) expect(problem).toMatch(/^The list has no column/);
		else expect(problem).toContain(`This is ${kind}, not a CSV file. ${ASK}`);
	});

	test.each([
		['<html><table>', 'a web page'],
		[
			'<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">',
			'a workbook in XML',
		],
	])('is one that Excel opens: %s', (text, kind) => {
		expect(problemsOf(text)).toEqual([
			`This is ${kind}, not a CSV file. Open it in Excel. In Excel, save the list as CSV UTF-8, and use that file.`,
		]);
	});

	test.each([
		['\x89PNG\r\n\x1a\n', 'This is a picture.'],
		['\xff\xd8\xff\xe0', 'This is a picture.'],
		['\x1f\x8b\x08', 'This is a compressed file. Unpack it first.'],
		['PK\x03\x04\x14\x00\x08payouts.csv', 'This is a ZIP file. Unpack it first.'],
		['PK\x03\x04\x14\x00\x08[Content_Types].xml', 'This is an Excel workbook'],
		[
			'PK\x03\x04\x14\x00\x08mimetypeapplication/vnd.oasis.opendocument.spreadsheet',
			'This is a spreadsheet of LibreOffice',
		],
		['PK\x03\x04\x14\x00\x08Index/Document.iwa', 'This is a spreadsheet of Numbers'],
	])('is said by its first bytes: %j', (start, says) => {
		const [{ problems } = { problems: [] }] = readFile(Buffer.from(start, 'latin1'), SETTINGS);
		expect(problems.join()).toContain(says);
	});

	test('has marks that are written with a backslash', () => {
		expect(problemsOf(`${HEADER},note\nA-1,5,NGN,,s,"the \\"red\\" one"`)[0]).toBe(
			'In line 2, a quotation mark within a cell has a backslash before it. A CSV file has two quotation marks there, such as "the ""red"" one". Export the list as CSV for Excel.',
		);
	});
});
