/** What Read says of the destinations of a list, beside the accounts and wallets that the service lists. */
import { withDestinations } from '../../nodes/WalletServiceDesk/list/read/destinations.ts';
import type { Destinations } from '../../nodes/WalletServiceDesk/list/read/destinations.ts';
import { wholeList } from '../../nodes/WalletServiceDesk/list/listRow.ts';
import type { ListRow } from '../../nodes/WalletServiceDesk/list/listRow.ts';

const ACCOUNTS = [
	{ alias: 'supplier-main', status: 'Whitelisted', currency: 'NGN' },
	{ alias: 'supplier-main', status: 'Rejected', currency: 'USD' },
	{ alias: '+234 rent', status: 'whitelisted', currency: 'ngn' },
	{ alias: 'supplier-new', status: 'Pending', currency: 'NGN' },
	{ alias: 'M\u00fcller', status: 'Whitelisted', currency: 'NGN' },
];
const WALLETS = [
	{ alias: 'treasury', status: 'Whitelisted', asset_supported: 'usdt, USDC' },
	{ alias: '@desk', status: 'Whitelisted', asset_supported: 'BTC' },
];
const LISTS: Destinations = { accounts: { records: ACCOUNTS }, wallets: { records: WALLETS } };

const COINS = ['USDT', 'USDC', 'BTC'];
const pay = (code: string, destination: string): ListRow => ({
	row: 2,
	line: 2,
	paymentKey: 'A',
	amount: '5',
	destination,
	note: '',
	again: false,
	problems: [],
	...(COINS.includes(code) ? { coin: code } : { currency: code }),
});
const problemsOf = (row: ListRow, lists = LISTS) =>
	withDestinations([row], lists).flatMap((each) => each.problems);
const recordsOf = (...records: object[]) => ({ records }) as Destinations['accounts'];

const CORRECT = 'Correct one of the two.';
const WAIT = 'Wait until the service has approved it, or remove the row.';
const ENTER = 'Enter the alias as the service has it.';

test.each([
	['NGN', 'supplier-main', undefined],
	// The service may write codes in small letters, and any record of the alias that fits counts.
	['NGN', '+234 rent', undefined],
	['USDT', 'treasury', undefined],
	['BTC', '@desk', undefined],
	['USD', 'supplier-main', `The account supplier-main is not approved. Its status is Rejected. ${WAIT}`],
	['EUR', 'supplier-main', `The account supplier-main takes NGN and USD, not EUR. ${CORRECT}`],
	['BTC', 'treasury', `The wallet treasury takes USDT and USDC, not BTC. ${CORRECT}`],
	['NGN', 'treasury', `treasury is a wallet, and the row has a currency. Wallets take a coin. ${CORRECT}`],
	[
		'USDT',
		'supplier-main',
		`supplier-main is an account, and the row has a coin. Accounts take a currency. ${CORRECT}`,
	],
	['NGN', 'supplier', `No settlement account has the alias supplier. ${ENTER}`],
	['NGN', '=1+1', 'The destination =1+1 begins with a sign of a formula. Enter the alias.'],
	['NGN', 'supplier-new', `The account supplier-new is not approved. Its status is Pending. ${WAIT}`],
])('%s to %s: %s', (code, destination, text) => {
	expect(problemsOf(pay(code, destination))).toEqual(text === undefined ? [] : [text]);
});

describe('an alias that looks like one of the list', () => {
	const trailing = { ...LISTS, accounts: { records: [{ alias: 'Rent\u00a0 Lagos ', currency: 'NGN' }] } };

	test.each([
		['SUPPLIER-MAIN', LISTS, 'supplier-main'],
		['supplier\u200b\u2010main', LISTS, 'supplier-main'],
		['Mu\u0308ller', LISTS, 'M\u00fcller'],
		['rent lagos', trailing, 'Rent\u00a0 Lagos '],
	])('%j is found, and goes out as the service writes it', (alias, lists, spelled) => {
		const [row] = withDestinations([pay('NGN', alias)], lists);
		expect([row!.destination, row!.problems]).toEqual([spelled, []]);
	});

	const two = recordsOf({ alias: 'Rent', account_number: '1111' }, { alias: 'rent', account_number: '2222' });

	test('of two that look the same, the one that is written counts', () => {
		const [row] = withDestinations([pay('NGN', 'rent')], { ...LISTS, accounts: two });
		expect([row!.destination, row!.destinationDetails]).toEqual(['rent', '\u20262222']);
		expect(problemsOf(pay('NGN', 'RENT'), { ...LISTS, accounts: two })).toEqual([
			`No settlement account has the alias RENT. ${ENTER}`,
		]);
	});
});

/** What a message shows of the alias is in one line. */
test.each([
	['suppli\u200ber', 'suppli er', 'the character U+200B, which nobody sees'],
	['supplier-main\nB', 'supplier-main B', 'a line break'],
	['supplier\u2192main', 'supplier\u2192main', 'the character \u2192 (U+2192)'],
	['Mu\u0304ller', 'Mu\u0304ller', 'the character \u0304 (U+0304)'],
])('of the alias %j it is said that it has %s', (alias, shown, sign) => {
	const text = `No settlement account has the alias ${shown}. It has ${sign}. Enter it again.`;
	expect(problemsOf(pay('NGN', alias))).toEqual([text]);
});

test.each([{ currency: 'NGN', coin: 'USDT' }, { currency: undefined }])(
	'a row with %j has an alias all the same',
	(codes) => {
		const row = { ...pay('NGN', 'treasury'), ...codes };
		expect(problemsOf(row)).toEqual([]);
		expect(problemsOf({ ...row, destination: 'nobody' })).toEqual([
			`No settlement account or wallet has the alias nobody. ${ENTER}`,
		]);
	},
);

test.each(['', '#N/A'])('of the cell %j nothing more is said', (destination) => {
	expect(problemsOf(pay('NGN', destination), { ...LISTS, accounts: { problem: 'No' } })).toEqual([]);
});

describe('what a record does not say is no problem', () => {
	test.each<[string, object, string | undefined]>([
		[
			'the fields of the events of the service',
			{ Alias: 'x', status: 'Whitelisted', Currency: 'NGN' },
			undefined,
		],
		['an alias only', { 'Account Alias': 'x' }, undefined],
		['a name only', { name: 'x' }, undefined],
		['another word for approved', { alias: 'x', status: 'ACTIVE' }, undefined],
		['a status that is no text', { alias: 'x', status: null, currency: null }, undefined],
		[
			'an empty status',
			{ alias: 'x', status: '' },
			`The account x is not approved. Its status is not known. ${WAIT}`,
		],
		['an alias that is a number', { alias: 7 }, `No settlement account has the alias x. ${ENTER}`],
		[
			'a hostile name of a field',
			JSON.parse('{"__proto__":{"alias":"x"},"alias":"y"}') as object,
			`No settlement account has the alias x. ${ENTER}`,
		],
	])('%s', (_, record, problem) => {
		const lists = { ...LISTS, accounts: recordsOf(record) };
		expect(problemsOf(pay('NGN', 'x'), lists)).toEqual(problem === undefined ? [] : [problem]);
	});

	test.each([
		['Asset Supported', 'USDT,USDC'],
		['supported_assets', ['usdt', 'USDC']],
		['supportedAssets', 'USDT; USDC'],
	])('coins under %s are read', (field, value) => {
		const lists = { ...LISTS, wallets: recordsOf({ alias: 'x', [field]: value }) };
		expect(problemsOf(pay('USDT', 'x'), lists)).toEqual([]);
		expect(problemsOf(pay('BTC', 'x'), lists)).toEqual([
			`The wallet x takes USDT and USDC, not BTC. ${CORRECT}`,
		]);
	});
});

describe('a list of the service', () => {
	const NOT_LISTED = `No settlement account has the alias x. ${ENTER}`;

	test.each<[string, object[]]>([
		['is empty', []],
		['has an item without fields', [{}]],
	])('that %s has no destination', (_, records) => {
		const rows = withDestinations([pay('NGN', 'x')], { ...LISTS, accounts: recordsOf(...records) });
		expect(rows.map(({ row, problems }) => [row, problems])).toEqual([[2, [NOT_LISTED]]]);
	});

	const CANNOT =
		'The list of settlement accounts could not be read, so nothing is known of these destinations. The service gave no answer.';

	test('that cannot be read is named once, and nothing is said of its destinations', () => {
		const lists = { ...LISTS, accounts: { problem: 'The service gave no answer' } };
		const rows = [
			pay('NGN', 'nobody'),
			pay('USD', 'nobody'),
			pay('BTC', 'treasury'),
			{ ...pay('BTC', 'nobody'), currency: 'NGN' },
		];
		const found = withDestinations(rows, lists);
		expect(found.map(({ row, problems }) => [row, problems])).toEqual([
			[0, [CANNOT]],
			[2, []],
			[2, []],
			[2, [`The wallet treasury takes USDT and USDC, not BTC. ${CORRECT}`]],
			[2, []],
		]);
		const whole = wholeList(['Row 1 is above the names.']);
		expect(withDestinations([whole, ...rows], lists)[0]!.problems).toEqual([...whole.problems, CANNOT]);
		// Nobody needs the list.
		expect(withDestinations([pay('USDT', 'treasury')], lists).map(({ row }) => row)).toEqual([2]);
		expect(withDestinations([whole], lists)).toEqual([whole]);
	});

	test('without any alias is named once', () => {
		const rows = withDestinations([pay('NGN', 'x'), pay('NGN', 'y')], {
			...LISTS,
			accounts: recordsOf({ id: 1 }),
		});
		expect(rows.map(({ row, problems }) => [row, problems])).toEqual([
			[
				0,
				[
					'The list of settlement accounts has no field alias, so nothing can be compared. Show this to the person who looks after n8n.',
				],
			],
			[2, []],
			[2, []],
		]);
	});
});

describe('beside an alias stands what the list says of it', () => {
	const detailsOf = (row: ListRow, lists: Partial<Destinations>) =>
		withDestinations([row], { ...LISTS, ...lists })[0]!.destinationDetails;

	test.each<[object, string | undefined]>([
		[
			{ alias: 'x', bank: 'GTBank', account_name: 'Supplier Ltd', account_number: '0123456789' },
			'GTBank, Supplier Ltd, \u20266789',
		],
		[
			{ Alias: 'x', 'Bank Name': 'GTBank', 'Account Name': 'Supplier Ltd', 'Account Number': 123456789 },
			'GTBank, Supplier Ltd, \u20266789',
		],
		[{ alias: 'x', bankName: ' A\n<b>', accountName: '' }, 'A <b>'],
		[{ alias: 'x' }, undefined],
	])('%j: %s', (record, details) => {
		expect(detailsOf(pay('NGN', 'x'), { accounts: recordsOf(record) })).toBe(details);
	});

	test('of a wallet its network and the end of its address', () => {
		const record = { alias: 'x', Network: 'TRC20', Address: 'TSandboxTreasury0000000000000abcd' };
		expect(detailsOf(pay('USDT', 'x'), { wallets: recordsOf(record) })).toBe('TRC20, \u2026abcd');
	});

	test('of two accounts that an alias can mean, both, and of others only those that can be paid', () => {
		const account = (account_number: string, status: string) => ({ alias: 'x', account_number, status });
		const [one, two] = [account('1111', 'Whitelisted'), account('2222', 'Whitelisted')];
		const rejected = account('3333', 'Rejected');
		expect(detailsOf(pay('NGN', 'x'), { accounts: recordsOf(one, rejected, two) })).toBe(
			'\u20261111 or \u20262222',
		);
		expect(detailsOf(pay('NGN', 'x'), { accounts: recordsOf(rejected) })).toBe('\u20263333');
	});

	test('in a short line, however long the record is', () => {
		const record = { alias: 'x', bank: 'b'.repeat(100_000), account_number: '9'.repeat(100_000) };
		expect(detailsOf(pay('NGN', 'x'), { accounts: recordsOf(record) })).toBe(
			`${'b'.repeat(59)}\u2026, \u20269999`,
		);
	});
});

describe('a destination that a person has been shown', () => {
	const account = { alias: 'x', bank: 'GTBank', account_number: '0123456789' };
	const listsOf = (...records: object[]) => ({ ...LISTS, accounts: recordsOf(...records) });
	const shown = (destinationDetails: string) => ({ ...pay('NGN', 'x'), destinationDetails });
	const notAsShown = (earlier: string, now: string) =>
		`The account x may be another account now than the one that was shown. It was shown as \u201c${earlier}\u201d. The service now says ${now}. Find out which one is right. Then read the list itself again, so that people see where its money goes.`;

	test.each<[string, object, string, string[]]>([
		['reads as before', account, 'GTBank, \u20266789', []],
		['was shown without details', account, '', []],
		[
			'has another number',
			account,
			'GTBank, \u20261111',
			[notAsShown('GTBank, \u20261111', '\u201cGTBank, \u20266789\u201d')],
		],
		[
			'says nothing now',
			{ alias: 'x' },
			'GTBank, \u20266789',
			[notAsShown('GTBank, \u20266789', 'nothing of it')],
		],
		[
			'is not approved now',
			{ ...account, status: 'Rejected' },
			'GTBank, \u20261111',
			[`The account x is not approved. Its status is Rejected. ${WAIT}`],
		],
	])('that %s', (_, record, details, problems) => {
		const row = details === '' ? pay('NGN', 'x') : shown(details);
		expect(problemsOf(row, listsOf(record))).toEqual(problems);
	});

	test('is shown as it is now, and keeps its problem', () => {
		const [first] = withDestinations([shown('GTBank, \u20261111')], listsOf(account));
		const [second] = withDestinations([first!], listsOf(account));
		expect(second).toEqual(first);
		expect(second).toMatchObject({
			destinationDetails: 'GTBank, \u20266789',
			problems: [expect.any(String)],
		});
	});
});

describe('a payee of the list beside the name of the holder', () => {
	const found = (payee: string, record: object, nameFields?: string[]) => {
		const lists = { ...LISTS, accounts: recordsOf({ alias: 'x', ...record }), nameFields };
		const [row] = withDestinations([{ ...pay('NGN', 'x'), payee }], lists);
		return row!;
	};
	const matchOf = (payee: string, holder: string) => found(payee, { account_name: holder }).payeeMatch;

	test.each([
		['Supplier Ltd', 'SUPPLIER LIMITED'],
		['Obi Ada', 'ADA OBI'],
		['Mrs. Ada Obi', 'Ada Obi'],
		['M\u00fcller & S\u00f6hne GmbH', 'Muller und Sohne'],
		['Jos\u00e9 Garc\u00eda, S.L.', 'JOSE GARCIA'],
		['Ade-Ojo Ventures', 'ADEOJO'],
		['O\u2019Neill Transport', "O'NEILL TRANSPORT"],
		[
			'\u0418\u0432\u0430\u043d \u041f\u0435\u0442\u0440\u043e\u0432',
			'\u041f\u0435\u0442\u0440\u043e\u0432 \u0418\u0432\u0430\u043d',
		],
	])('%s is %s', (payee, holder) => {
		expect([matchOf(payee, holder), matchOf(holder, payee)]).toEqual(['match', 'match']);
	});

	test.each([
		['Ada Obi', 'Ada Ngozi Obi'],
		['A. Obi', 'Ada Obi'],
		['Ada Obi', 'OBI ADAEZE'],
		['MTN Nigeria', 'MTN NIGERIA COMMUNICATIONS PLC'],
		['Chukwuemeka Obi', 'Chukwuemaka Obi'],
		['Greenfield Agro Allied', 'Greenfield Agro'],
		['International Trading and Supplies of Lagos', 'INTERNATIONAL TRADING AND SUPP'],
	])('%s is close to %s', (payee, holder) => {
		expect([matchOf(payee, holder), matchOf(holder, payee)]).toEqual(['close', 'close']);
	});

	test.each([
		['Ada Obi', 'Ben Eze'],
		['Ada Obi', 'Ada Eze'],
		['Alpha Supplies', 'Alpha Motors'],
		['A. O.', 'Ada Obi'],
		['Supplier One', 'Supplier Two'],
	])('%s is not %s', (payee, holder) => {
		expect([matchOf(payee, holder), matchOf(holder, payee)]).toEqual(['none', 'none']);
	});

	test.each([
		['', 'Ada Obi'],
		['Ada Obi', 'A** O**'],
		['Ada Obi', '\u0410\u0434\u0430 \u041e\u0431\u0438'],
		['Ada Obi', '-'],
	])('%j cannot be compared with %j', (payee, holder) => {
		expect(found(payee, { account_name: holder })).toMatchObject({ problems: [] });
		expect(found(payee, { account_name: holder })).not.toHaveProperty('payeeMatch');
	});

	test('who is another is a problem only where nobody looks, and who is close is none', () => {
		expect(found('Ada Obi', { account_name: 'Ben Eze' })).toMatchObject({ payeeMatch: 'none', problems: [] });
		const accounts = recordsOf({ alias: 'x', account_name: 'Ben Eze' });
		const unseen = (more: object) =>
			withDestinations([{ ...pay('NGN', 'x'), payee: 'Ada Obi', ...more }], {
				...LISTS,
				accounts,
				isUnseen: true,
			})[0]!.problems;
		// A person has said yes to it with this mark.
		expect(unseen({ payeeMatch: 'none' })).toEqual([]);
		expect(unseen({ payeeMatch: 'match' })).toHaveLength(1);
		expect(unseen({})).toEqual([
			'The payee is Ada Obi, and by the service the account x belongs to Ben Eze. Find out who should get the money, and correct the payee or the destination.',
		]);
		expect(found('A. Obi', { account_name: 'Ada Obi' }).problems).toEqual([]);
		expect(found('Ada Obi', {})).not.toHaveProperty('payeeMatch');
	});

	test('is taken from the usual fields, or from the one that the node names', () => {
		for (const field of ['Account Name', 'account_holder', 'beneficiaryName', 'holder'])
			expect(found('Ada Obi', { [field]: 'Ada Obi' })).toMatchObject({
				payeeMatch: 'match',
				destinationDetails: 'Ada Obi',
			});
		expect(found('Ada Obi', { kontoinhaber: 'Ada Obi' })).not.toHaveProperty('payeeMatch');
		expect(found('Ada Obi', { konto_inhaber: 'Ada Obi' }, ['kontoInhaber']).payeeMatch).toBe('match');
		expect(found('Ada Obi', { konto_inhaber: 'Ada Obi' }, ['Konto Inhaber']).payeeMatch).toBe('match');
	});

	test('of two accounts that an alias can mean, both count', () => {
		const two = recordsOf({ alias: 'x', account_name: 'Ada Obi' }, { alias: 'x', account_name: 'Ben Eze' });
		const [row] = withDestinations([{ ...pay('NGN', 'x'), payee: 'Ada Obi' }], { ...LISTS, accounts: two });
		expect(row).toMatchObject({ payeeMatch: 'close', problems: [] });
	});
});
