/** The operations of the desk in n8n-core: what they ask the service, their items, files and errors. */
import { readFileSync } from 'node:fs';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { CONTINUED, withNode } from './withNode.ts';

const { run, hints, fault, asked, sandbox } = withNode('walletServiceDesk');

const READ = { resource: 'list', operation: 'read' };
const LIST = [
	'Payment Key,Amount,Currency,Destination,Purpose',
	'INV-7,1250.50,NGN,supplier-main,Rent',
	'INV-8,10,NGN,nobody,',
].join('\n');

const fileItem = (text: string, property = 'data'): INodeExecutionData => ({
	json: {},
	binary: {
		[property]: { data: Buffer.from(text).toString('base64'), mimeType: 'text/csv', fileName: 'list.csv' },
	},
});
const itemsOf = async (parameters: object, items: INodeExecutionData[], more: object = {}) => {
	const { items: all, error } = await run(parameters, { items, ...more });
	if (error) throw error;
	const results = all[0]!
		.map(({ json }) => json)
		.filter(({ error: failed, note }) => !failed && note === undefined);
	expectSchema(parameters as { resource: string; operation: string }, results);
	return all[0]!;
};
const jsonOf = async (...given: Parameters<typeof itemsOf>) =>
	(await itemsOf(...given)).map(({ json }) => json);
/** The editor offers the fields of the output schema before the first run. */
function expectSchema(parameters: { resource: string; operation: string }, items: object[]): void {
	const file = `dist/nodes/WalletServiceDesk/__schema__/v1.0.0/${parameters.resource}/${parameters.operation}.json`;
	const { properties } = JSON.parse(readFileSync(file, 'utf8')) as { properties: object };
	const given = new Set(items.flatMap((item) => Object.keys(item)));
	expect([...given].filter((name) => name !== 'extra' && !Object.hasOwn(properties, name))).toEqual([]);
}
const paths = () => sandbox.service.requests.all().map(({ path }) => path);

test('Read gives an item for each row of a file, and asks the service for the destinations once', async () => {
	const items = await itemsOf(READ, [fileItem(LIST)]);
	expect(items.map(({ json }) => json)).toMatchObject([
		{
			row: 2,
			line: 2,
			paymentKey: 'INV-7',
			amount: '1250.50',
			currency: 'NGN',
			again: false,
			destination: 'supplier-main',
			extra: { Purpose: 'Rent' },
			problems: [],
			destinationDetails: expect.stringMatching(/./),
		},
		{ row: 3, paymentKey: 'INV-8', problems: [expect.stringContaining('nobody')] },
	]);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }]);
	expect(paths().sort()).toEqual(['/v1/settlement_accounts', '/v1/settlement_wallets']);
});

test('what is wrong with a list stands above its rows, as text', async () => {
	const checkDestinations = false;
	const ofFile = async (text: string) =>
		await hints({ ...READ, options: { checkDestinations } }, { items: [fileItem(text)] });
	const names = 'paymentKey,amount,currency,destination';
	const rows = ['x', '1', '<b>y</b>', '0', '0'].map((amount, index) => `INV-${index},${amount},NGN,a`);
	const [[type, message] = []] = await ofFile([names, ...rows].join('\n'));
	expect(type).toBe('warning');
	expect(message).toContain('Not ready to pay. Row 2: The amount x is not a number');
	expect(message).toContain('&#60;b&#62;y');
	expect(message).toContain('And something is wrong in 1 more row.');
	const [[, ofWhole] = []] = await ofFile('Invoice no;Amount NGN;Supplier account;Payee\nINV-1;5;a;b');
	expect(ofWhole).toMatch(/^Not ready to pay. The list as a whole: The list has no column paymentKey/);
	// Whole, with its last words.
	expect(ofWhole).toMatch(/Currency of All Rows or Coin of All Rows\.$/);
	expect(await ofFile(`${names}\nINV-1,5,NGN,a`)).toEqual([]);
});

test('above the page of Report stands what to do with it', async () => {
	const row = {
		paymentKey: 'INV-1',
		amount: '1',
		currency: 'NGN',
		destination: 'supplier-main',
		problems: [],
	};
	expect(await hints({ resource: 'list', operation: 'report' }, { items: [{ json: row }] })).toEqual([
		['info', expect.stringContaining('give html to a mail or a form')],
	]);
});

test('each row links to the item that it was, and an empty item is no row', async () => {
	const row = (key: string) => ({
		json: { paymentKey: key, amount: '1', currency: 'NGN', destination: 'supplier-main' },
	});
	const given = [{ json: { paymentKey: '' } }, row('a-1'), row('a-2')];
	const read = await itemsOf({ ...READ, source: 'items' }, given);
	expect(read.map(({ json, pairedItem }) => [json.row, pairedItem])).toEqual([
		[3, { item: 1 }],
		[4, { item: 2 }],
	]);
	const make = { resource: 'book', operation: 'makeRows', approvedBy: 'Ada Obi' };
	const made = await itemsOf(make, given.slice(1));
	expect(made.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	await fault({ status: 500 }, 5, 'POST /v1/settlement_accounts');
	const [whole, first] = await itemsOf({ ...READ, source: 'items' }, given);
	expect([whole!.json.row, whole!.pairedItem, first!.pairedItem]).toEqual([0, { item: 0 }, { item: 1 }]);
});

test('Read takes items, names of columns, and one currency for all', async () => {
	const options = {
		amountColumn: 'Total',
		paymentKeyColumn: 'Invoice',
		currencyOfAll: 'ngn',
		checkDestinations: false,
	};
	const rows = [{ json: { Invoice: 'INV-9', Total: 40, Destination: 'supplier-main' } }];
	expect(await jsonOf({ ...READ, source: 'items', options }, rows)).toMatchObject([
		{ row: 2, paymentKey: 'INV-9', amount: '40', currency: 'NGN', problems: [] },
	]);
	expect(asked()).toBe(0);
});

test('Read takes a list from a field, also the rows that it gave before', async () => {
	const given = { source: 'list', list: '={{ $json.rows }}' };
	const rows = await jsonOf(READ, [fileItem(LIST)]);
	expect(await jsonOf({ ...READ, ...given }, [{ json: { rows } }])).toEqual(rows);
	expect(await jsonOf({ ...READ, ...given }, [{ json: { rows: JSON.stringify(rows) } }])).toEqual(rows);
	const of = { ...READ, source: 'list', list: '={{ $input.all() }}' };
	expect(
		await jsonOf(
			of,
			rows.map((json) => ({ json })),
		),
	).toEqual(rows);
	const [nothing] = await jsonOf({ ...READ, ...given }, [{ json: {} }]);
	expect(nothing).toMatchObject({ row: 0, problems: [expect.stringContaining('No list has arrived')] });
});

test('Read and Read Decisions give each row the people that the option names, and nobody else', async () => {
	const row = { paymentKey: 'INV-1', amount: '1', currency: 'NGN', destination: 'supplier-main' };
	const given = [{ json: { ...row, askedBy: 'Mallory' } }];
	const read = async (options: object) => {
		const rows = { ...READ, source: 'list', list: '={{ $input.all() }}', options };
		return (await jsonOf(rows, given)).map(({ askedBy, approvedBy }) => [askedBy, approvedBy]);
	};
	expect(await read({})).toEqual([[undefined, undefined]]);
	expect(await read({ approvedBy: '={{ undefined }}', askedBy: '' })).toEqual([[undefined, undefined]]);
	expect(await read({ approvedBy: 'Ada Obi, Ben Eze, ada obi', askedBy: 'a@b.example' })).toEqual([
		['a@b.example', 'Ada Obi, Ben Eze'],
	]);
	// Of a list, each entry is the answer of one person.
	expect(await read({ approvedBy: "={{ ['Obi, Ada', 'Ben Eze', 'Obi, Ada'] }}" })).toEqual([
		[undefined, 'Obi Ada, Ben Eze'],
	]);
	const rows = JSON.stringify([{ ...row, row: 2, line: 2, note: '', problems: [], result: 'unknown' }]);
	const decide = { resource: 'list', operation: 'readDecisions', reportRows: `={{ ${rows} }}` };
	const people = { askedBy: 'a@b.example', approvedBy: 'Ada Obi' };
	const decided = await jsonOf({ ...decide, options: { wasPaid: 'INV-1', ...people } }, [{ json: {} }]);
	expect(decided).toMatchObject([{ paymentKey: 'INV-1', decision: 'wasPaid', ...people }]);
});

test.each([
	'no',
	'-, -',
	', ',
	'Ada Obi, no',
	['Ada Obi', 'no'],
	['Ada Obi', null],
	[['Ada Obi']],
	[],
	{ a: 'Ada Obi' },
])(
	'Read and Read Decisions hand on no row that %j has approved, and Make Rows writes down no such name',
	async (given) => {
		const options = { approvedBy: `={{ ${JSON.stringify(given)} }}` };
		const row = { paymentKey: 'INV-1', amount: '1', currency: 'NGN', destination: 'supplier-main' };
		const decide = { resource: 'list', operation: 'readDecisions', reportRows: '={{ [] }}' };
		for (const parameters of [{ ...READ, source: 'items' }, decide]) {
			const [failed, ...others] = await jsonOf({ ...parameters, options }, [{ json: row }], CONTINUED);
			expect(others).toEqual([]);
			expect(failed).toMatchObject({
				error: {
					message: expect.stringMatching(
						/^'Approved By', the name of who has said yes, is no name of a person: ./,
					),
					description: 'Enter the name of the person who has said yes, as text. Nothing is paid without one',
				},
			});
		}
		const make = { resource: 'book', operation: 'makeRows', ...options };
		expect(await jsonOf(make, [{ json: row }])).toEqual([]);
		const [made] = await jsonOf({ ...make, options: { needsApproval: false } }, [{ json: row }]);
		expect(made).toMatchObject({ key: 'INV-1', result: 'under way', approvedBy: '' });
	},
);

describe('two different people must say yes', () => {
	const row = { paymentKey: 'INV-1', amount: '1', currency: 'NGN', destination: 'supplier-main' };
	const read = async (approvedBy: unknown, approvalsNeeded: unknown = '={{ 2 }}') =>
		await jsonOf(
			{
				...READ,
				source: 'items',
				options: { approvedBy: `={{ ${JSON.stringify(approvedBy)} }}`, approvalsNeeded },
			},
			[{ json: row }, { json: { ...row, paymentKey: 'INV-2', again: true } }],
			CONTINUED,
		);

	test.each([
		['Ada Obi'],
		['Ada Obi, Ada Obi'],
		['Ada Obi, ADA  OBI'],
		['Ada Obi, Ａｄａ Ｏｂｉ'],
		['Ada Obi; Ben Eze'],
		// One answer is of one person, whatever stands in it.
		[['Ada Obi, Ben Eze']],
		[['Ada Obi, Ben Eze', 'Ada Obi, Ben Eze']],
		[['Ada Obi，Ben Eze', 'ada obi，ben eze']],
	])('and after %j, Read hands on nothing', async (approvedBy) => {
		const [failed, ...others] = await read(approvedBy);
		expect(others).toEqual([]);
		expect(failed).toMatchObject({
			error: {
				message: expect.stringMatching(
					/^Nothing of this list was handed on\. Two different people must say yes, and there is one name \('Approved By'\): Ada Obi/,
				),
				description: expect.stringContaining('the node that asks is switched off'),
			},
		});
	});

	test.each<[string | string[], string]>([
		['Ada Obi, Ben Eze', 'Ada Obi, Ben Eze'],
		[['Ada Obi', 'Ben Eze'], 'Ada Obi, Ben Eze'],
		[['Obi, Ada', 'Ben Eze'], 'Obi Ada, Ben Eze'],
	])('and after %j, each row has both names, and how many it needs', async (approvedBy, names) => {
		const row = { approvedBy: names, approvalsNeeded: 2 };
		expect(await read(approvedBy)).toMatchObject([row, row]);
	});

	test('one is enough where one is needed, and rows that nobody has approved yet say how many they need', async () => {
		expect(await read('Ada Obi', '1')).toMatchObject([{ approvedBy: 'Ada Obi', approvalsNeeded: 1 }, {}]);
		for (const nobody of ['', null]) {
			const [first] = await read(nobody);
			expect(first).toMatchObject({ approvalsNeeded: 2, problems: [] });
			expect(first).not.toHaveProperty('approvedBy');
		}
	});

	test.each(['={{ undefined }}', '', '0', '3', 'two', '={{ true }}'])(
		'what is no number of people, %j, gives no row',
		async (needed) => {
			expect(await read('Ada Obi, Ben Eze', needed)).toEqual([
				{
					error: {
						message: expect.stringMatching(/^'Approvals Needed' is not 1 or 2/),
						description: expect.stringMatching(/./),
					},
				},
			]);
		},
	);
});

describe('rows that a person leaves out', () => {
	const row = (number: number) => ({
		row: number,
		line: number,
		paymentKey: `INV-${number}`,
		amount: `${number}`,
		currency: 'NGN',
		destination: 'supplier-main',
		note: '',
		again: false,
		problems: [],
	});
	const read = async (
		leaveOut: unknown,
		source: object = { source: 'list', list: '={{ $input.all() }}' },
	) => {
		const given = [3, 4, 7].map((number) => ({ json: row(number) as never }));
		const options = {
			leaveOut: `={{ ${JSON.stringify(leaveOut) ?? 'undefined'} }}`,
			checkDestinations: false,
		};
		return await itemsOf({ ...READ, ...source, options }, given, CONTINUED);
	};

	test('are not handed on, and the others link to their items', async () => {
		expect((await read('3, 7')).map(({ json }) => json.row)).toEqual([4]);
		expect((await read(7)).map(({ json }) => json.row)).toEqual([3, 4]);
		expect((await read('7')).map(({ json }) => json.leftOut)).toEqual(['7', '7']);
		expect((await read('')).every(({ json }) => !('leftOut' in json))).toBe(true);
		for (const nothing of [undefined, null, '', '  '])
			expect((await read(nothing)).map(({ json }) => json.row)).toEqual([3, 4, 7]);
		const left = await read('2', { source: 'items' });
		expect(left.map(({ json, pairedItem }) => [json.row, pairedItem])).toEqual([
			[3, { item: 1 }],
			[4, { item: 2 }],
		]);
	});

	test.each([
		['3-7', "'Leave Out' is not a list of row numbers: 3-7"],
		['5', "'Leave Out' has the number 5, and the list has no such row"],
		[', ', "'Leave Out' is not a list of row numbers"],
		[[3], "'Leave Out' is not a list of row numbers"],
	])('are named by their numbers: %j gives no row', async (given, says) => {
		const [failed, ...others] = await read(given);
		expect(others).toEqual([]);
		expect(failed!.json.error).toMatchObject({
			message: expect.stringContaining(says),
			description: expect.stringMatching(/./),
		});
	});
});

test('Read compares payees with the names that the service has', async () => {
	const rows = ['Main Supplier Limited', 'M. Supplier', 'Ben Eze'].map((payee, index) => ({
		json: {
			paymentKey: `A-${index}`,
			amount: `${index + 1}`,
			currency: 'NGN',
			destination: 'supplier-main',
			payee,
		},
	}));
	const read = async (options: object) =>
		(await jsonOf({ ...READ, source: 'items', options }, rows)).map(({ payee, payeeMatch }) => [
			payee,
			payeeMatch,
		]);
	expect(await read({})).toEqual([
		['Main Supplier Limited', 'match'],
		['M. Supplier', 'close'],
		['Ben Eze', 'none'],
	]);
	expect(await read({ accountNameField: 'holder' })).toEqual(rows.map(({ json }) => [json.payee, undefined]));
});

describe('with Stop If a Row Is Wrong', () => {
	const STOP = { ...READ, source: 'list', list: '={{ $json.rows }}', options: { stopAtProblems: true } };
	const asked = (more: object = {}, row = 2) => ({
		row,
		paymentKey: `INV-${row}`,
		amount: `${row}`,
		currency: 'NGN',
		destination: 'supplier-main',
		problems: [],
		...more,
	});
	const errorOf = async (rows: object[]) => {
		const items = [{ json: { rows } as never }];
		const [failed, ...others] = await jsonOf(STOP, items, CONTINUED);
		expect(others).toEqual([]);
		const { message, description } = failed!.error as { message: string; description: string };
		expect(description).toBe('Correct what is named, and read the list itself again');
		const { error } = await run(STOP, { items });
		expect(error?.message).toBe(message);
		expect(error?.description?.split('<br>')[0]).toBe(description);
		return message;
	};

	test('Read hands on rows without problems as they are', async () => {
		expect(await jsonOf(STOP, [{ json: { rows: [asked(), asked({}, 3)] } }])).toMatchObject([
			{ row: 2, problems: [] },
			{ row: 3, problems: [] },
		]);
	});

	test('Read gives one error in place of all rows, which names those with problems', async () => {
		const message = await errorOf([asked(), asked({ destination: 'nobody' }, 3), asked({ amount: 'x' }, 4)]);
		expect(message).toBe(
			'Nothing of this list was handed on. Row 3: No settlement account has the alias nobody. Enter the alias as the service has it. Row 4: The amount x is not a number such as 1250.50.',
		);
	});

	test('an account that is not the one that was shown is named', async () => {
		const message = await errorOf([asked({ destinationDetails: 'Other Bank, Old Supplier, \u20261111' })]);
		expect(message).toContain(
			'It was shown as \u201cOther Bank, Old Supplier, \u20261111\u201d. The service now says \u201cFirst Example Bank, Main Supplier Ltd, \u20266789\u201d.',
		);
	});

	test('of many rows, ten are named', async () => {
		const rows = Array.from({ length: 12 }, (_, index) => asked({ destination: 'nobody' }, index + 2));
		const message = await errorOf(rows);
		expect(message.match(/Row \d+: /g)).toHaveLength(10);
		expect(message).toMatch(/ And something is wrong in 2 more rows\.$/);
		expect(await errorOf(rows.slice(0, 11))).toMatch(/ And something is wrong in 1 more row\.$/);
	});

	test('without an answer of the service, nothing is handed on', async () => {
		await fault({ status: 500 }, 5, 'POST /v1/settlement_accounts');
		expect(await errorOf([asked()])).toMatch(
			/^Nothing of this list was handed on\. The list as a whole: The list of settlement accounts could not be read/,
		);
	});

	test('an empty list is an error, too', async () => {
		expect(await errorOf([])).toContain('The list is empty.');
	});
});

test('an error of an expression is no result: n8n would hand on the input in its place', async () => {
	const broken = { ...READ, source: 'list', list: "={{ $('Nowhere').all() }}" };
	expect(await jsonOf(broken, [{ json: { amount: '5' } }], CONTINUED)).toEqual([
		{ error: { message: expect.stringMatching(/./) } },
	]);
});

test('Report joins results with the rows of the list, and says whether a second person is asked', async () => {
	const rows = await jsonOf(READ, [fileItem(LIST.replace('nobody', 'supplier-main'))]);
	const results = rows.map(({ paymentKey, amount, currency }) => ({
		json: { paymentKey, amount, currency, accountAlias: 'supplier-main', result: 'dryRun', dryRun: true },
	}));
	const sum = (amount: string) => ({ sum: [{ code: 'NGN', amount }] });
	const of = { resource: 'list', operation: 'report' };
	const given = JSON.stringify(rows);
	const options = { listRows: `={{ ${given} }}`, secondApprovalAbove: sum('1260') };
	const [report] = await jsonOf({ ...of, options }, results.reverse());
	expect(report).toMatchObject({
		isGood: true,
		needsSecondApproval: true,
		approvalsNeeded: 2,
		rows: [{ row: 3 }, { row: 2, extra: { Purpose: 'Rent' } }],
	});
	const [small] = await jsonOf({ ...of, options: { secondApprovalAbove: sum('1260.50') } }, results);
	expect(small).toMatchObject({ needsSecondApproval: false, approvalsNeeded: 1 });
	// A row asks for two people: it counts whether it comes as a row or as a result.
	const raised = [{ ...rows[0]!, approvalsNeeded: 2 }, rows[1]!];
	for (const more of [{ listRows: `={{ ${JSON.stringify(raised)} }}` }, {}]) {
		const own = results.map(({ json }) => ({
			json: { ...json, approvalsNeeded: 'listRows' in more ? 1 : '2' },
		}));
		const [two] = await jsonOf({ ...of, options: { ...more, secondApprovalAbove: sum('99999') } }, own);
		expect(two).toMatchObject({ needsSecondApproval: true, approvalsNeeded: 2 });
	}
	const [unsure] = await jsonOf({ ...of, options: { secondApprovalAbove: '={{ undefined }}' } }, results);
	expect(unsure!.needsSecondApproval).toBe(true);
	const refusals: Array<[object, string]> = [
		[{ listRows: '={{ undefined }}' }, "'Rows of the List' is no list of rows"],
		[{ listRows: '={{ [1] }}' }, 'entry 1 is none'],
		[{ secondApprovalAbove: sum('={{ undefined }}') }, 'cannot be read'],
	];
	for (const [wrong, message] of refusals) {
		const { error } = await run({ ...of, options: wrong }, { items: results });
		expect(error?.message).toContain(message);
	}
});

test('null counts as absent: a sub-workflow gives it for what its caller leaves out', async () => {
	const nothing = { row: null, line: null, coin: null, again: null, problems: null, error: null, note: null };
	const row = { ...nothing, paymentKey: 'INV-7', amount: '5', currency: 'NGN', destination: 'supplier-main' };
	const kind = { kind: null, counterpart: null, result: null };
	const options = { needsApproval: false };
	const rows = { resource: 'book', operation: 'makeRows', approvedBy: '={{ null }}', options };
	const [made] = await jsonOf(rows, [{ json: { ...row, ...kind } }]);
	expect(made).toMatchObject({ key: 'INV-7', result: 'under way', amount: '-5', approvedBy: '' });
	const [read] = await jsonOf({ ...READ, source: 'items' }, [{ json: row }]);
	expect(read).toMatchObject({ row: 2, problems: [], again: false });
	const report = { resource: 'list', operation: 'report', title: '={{ null }}' };
	const unknown = { ...row, result: 'unknown', accountAlias: null, status: null };
	const [results] = await jsonOf(report, [{ json: unknown }]);
	expect(results).toMatchObject({ unknown: 1, problems: [] });
	const reportRows = [{ ...unknown, note: 'Rent', problems: [] }];
	const typed = { wasPaid: 'INV-7', wasNotPaid: '={{ null }}', approvedBy: '={{ null }}' };
	const decide = { resource: 'list', operation: 'readDecisions', reportRows, options: typed };
	expect(await jsonOf(decide, [{ json: {} }])).toMatchObject([{ paymentKey: 'INV-7', decision: 'wasPaid' }]);
});

test.each<[string, INodeExecutionData | INodeExecutionData[], IDataObject, string, RegExp?]>([
	['no file', { json: {} }, {}, 'The item has no file', /^Place a node that gives a file before this one/],
	['several files', [fileItem(LIST), fileItem(LIST)], {}, 'reads one file, and the node has got 2 items'],
	[
		'two codes of all rows',
		fileItem(LIST),
		{ options: { currencyOfAll: 'NGN', coinOfAll: 'USDT' } },
		"'Currency of All Rows' and 'Coin of All Rows' are both set",
	],
	[
		'pence as the currency of all rows',
		fileItem(LIST),
		{ options: { currencyOfAll: 'GBp' } },
		"'Currency of All Rows' GBp is pence",
	],
	[
		'a file under another name',
		fileItem(LIST, 'Payment_list'),
		{},
		"no file under 'data'. It has: Payment_list",
		/^Write Payment_list into 'Input Data Field Name'<br><a href="https:[^"]+\/desk\.md#read" target="_blank">How Read works<\/a>$/,
	],
	['options from one expression', fileItem(LIST), { options: '={{ ({}) }}' }, "'Options' is one expression"],
	[
		'an option that is no flag',
		fileItem(LIST),
		{ options: { checkDestinations: 'maybe' } },
		"'Check Destinations' is not",
	],
])('with %s, Read stops and says what to do', async (_, given, parameters, message, whatToDo = /./) => {
	const items = [given].flat();
	const { error } = await run({ ...READ, ...parameters }, { items });
	expect(error?.message).toContain(message);
	expect(error?.description).toMatch(whatToDo);
	const [failed] = await jsonOf({ ...READ, ...parameters }, items, CONTINUED);
	expect(failed).toEqual({
		error: { message: expect.stringContaining(message), description: expect.any(String) },
	});
});

test('Report compares the totals with the balances, and gives a file', async () => {
	const [item] = await itemsOf({ resource: 'list', operation: 'report', title: 'Rents' }, [
		{
			json: {
				row: 2,
				paymentKey: 'INV-7',
				amount: '1250.50',
				currency: 'NGN',
				destination: 'supplier-main',
				problems: [],
			},
		},
		{
			json: { row: 3, paymentKey: 'INV-8', amount: '5', coin: 'USDT', destination: 'treasury', problems: [] },
		},
	]);
	expect(item!.json).toMatchObject({
		isGood: true,
		totals: [
			{ code: 'NGN', count: 1, total: '1250.50', balance: expect.any(String), isEnough: true },
			{ code: 'USDT', count: 1, total: '5', balance: expect.any(String), isEnough: true },
		],
		unknown: 0,
	});
	expect(item!.binary).toMatchObject({
		file: { fileName: 'payouts.csv', mimeType: 'text/csv' },
		openFile: { fileName: 'open-payouts.csv', mimeType: 'text/csv' },
	});
	expect(item!.pairedItem).toEqual([{ item: 0 }, { item: 1 }]);
	expect(paths().sort()).toEqual(['/v1/coin_balance', '/v1/fiat_balance']);
});

test.each([
	['500', { status: 500 }],
	[
		'The answer about NGN has no readable balance.',
		{ answer: { status: 200, body: { currency: 'NGN', balance: '1,000.00' } } },
	],
])('a balance that cannot be read makes the report not good, and says why: %s', async (why, answer) => {
	await fault(answer, 1, 'POST /v1/fiat_balance');
	const [json] = await jsonOf({ resource: 'list', operation: 'report' }, [
		{
			json: {
				row: 2,
				paymentKey: 'INV-7',
				amount: '1',
				currency: 'NGN',
				destination: 'supplier-main',
				problems: [],
			},
		},
	]);
	expect(json).toMatchObject({ isGood: false, problems: [expect.stringContaining(why)] });
});

test('Read Decisions gives the payments that a person has decided', async () => {
	const unknown = {
		paymentKey: 'INV-7',
		amount: '1',
		currency: 'NGN',
		accountAlias: 'supplier-main',
		result: 'unknown',
	};
	const [report] = await jsonOf({ resource: 'list', operation: 'report' }, [{ json: unknown }]);
	const decide = {
		resource: 'list',
		operation: 'readDecisions',
		reportRows: JSON.stringify(report!.rows),
		options: {
			wasPaid: "={{ $json.data['Was paid'] }}",
			wasNotPaid: "={{ $json.data['Was not paid'] }}",
		},
	};
	const answered = async (wasPaid: unknown, wasNotPaid: unknown) =>
		await jsonOf(
			decide,
			[{ json: { data: { 'Was paid': wasPaid, 'Was not paid': wasNotPaid } } }],
			CONTINUED,
		);
	expect(await answered('inv-7', null)).toMatchObject([
		{ paymentKey: 'INV-7', amount: '1', decision: 'wasPaid' },
	]);
	expect(await answered('', ' INV-7\n')).toMatchObject([{ decision: 'wasNotPaid' }]);
	const why: Array<[unknown, unknown, string]> = [
		['INV-7, INV-8', '', 'Nothing was decided. “INV-8” is neither a Payment Key nor a row of the page.'],
		['INV-7', 'inv-7', 'Nothing was decided. “INV-7” and “inv-7” stand in both fields.'],
		[null, '', 'Nothing was decided. Both fields are empty.'],
		[['INV-7'], '', "'Was Paid' is not Payment Keys or numbers of rows: INV-7"],
		['', { a: 'INV-7' }, "'Was Not Paid' is not Payment Keys or numbers of rows: [object Object]"],
	];
	for (const [wasPaid, wasNotPaid, message] of why)
		expect(await answered(wasPaid, wasNotPaid)).toEqual([
			{ error: { message, description: expect.stringMatching(/./) } },
		]);
});

test('two answers decide nothing: the second one may say the opposite', async () => {
	const row = { paymentKey: 'K-1', amount: '1', currency: 'NGN', destination: 'a', note: '', problems: [] };
	const reportRows = JSON.stringify([{ ...row, result: 'unknown' }]);
	const { error, items } = await run(
		{
			resource: 'list',
			operation: 'readDecisions',
			reportRows,
			options: { wasPaid: '={{ $json.a }}' },
		},
		{ items: [{ json: { a: 'K-1' } }, { json: { a: '' } }] },
	);
	expect(error?.message).toContain('more than one item');
	expect(items.flat()).toEqual([]);
});

test('Make Rows, Reconcile and Find Alerts read and write one book', async () => {
	const paid = {
		result: 'paid',
		paymentKey: 'inv-7',
		amount: '10',
		currency: 'NGN',
		accountAlias: 'a',
		payoutId: 'po_1',
	};
	const [row] = await jsonOf({ resource: 'book', operation: 'makeRows', approvedBy: 'ada, bo,ada' }, [
		{ json: paid },
	]);
	expect(row).toMatchObject({
		key: 'inv-7',
		kind: 'fiat payout',
		asset: 'NGN',
		amount: '-10',
		approvedBy: 'ada, bo',
	});
	const reconcile = async (options: object, rows: IDataObject[]) =>
		(
			await itemsOf(
				{ resource: 'book', operation: 'reconcile', options },
				rows.map((json) => ({ json })),
			)
		)[0]!;
	// The payment is younger than an hour, so only what the settings name is opened.
	const first = await reconcile({ assets: { asset: [{ code: 'kes', isCoin: false }] } }, [row!]);
	expect(first.json.balances).toMatchObject([
		{ asset: 'NGN', verdict: 'no opening' },
		{ asset: 'KES', verdict: 'reconciled' },
	]);
	expect(first.json.rows).toMatchObject([
		{ kind: 'reconciliation', asset: 'NGN', status: 'no opening' },
		{ kind: 'opening', asset: 'KES' },
		{ kind: 'reconciliation', asset: 'KES', status: 'reconciled', workflow: expect.stringMatching(/\S+ \S/) },
	]);
	expect(first.binary?.file).toMatchObject({ fileName: 'statement.csv' });
	// With the opening of a person, the payment and its fee count.
	const opening = { kind: 'opening', asset: 'NGN', amount: '500', time: '2026-01-01T06:00:00Z' };
	const feeOfPayout = { fee: [{ code: 'NGN', isCoin: false, fee: '50' }] };
	const second = await reconcile({ feeOfPayout }, [row!, opening]);
	expect(second.json.balances).toMatchObject([
		{ asset: 'NGN', opening: '500', booked: '-60', expected: '440' },
	]);
	const minimums = { minimum: [{ code: 'ngn', amount: '999999999999' }] };
	const alerts = await jsonOf({ resource: 'book', operation: 'findAlerts', minimums }, [{ json: row! }]);
	expect(alerts.map(({ alert }) => alert)).toContain('low NGN');
});

test('a time zone that is none does not stop the desk', async () => {
	const workflowSettings = { executionOrder: 'v1' as const, timezone: 'DEFAULT' };
	expect(
		await jsonOf({ resource: 'book', operation: 'findAlerts' }, [{ json: {} }], { workflowSettings }),
	).toEqual([]);
});

test('minimums that n8n would drop, because they are one expression, are refused', async () => {
	const minimums = '={{ ({ minimum: [{ code: "NGN", amount: "5" }] }) }}';
	const { error } = await run(
		{ resource: 'book', operation: 'findAlerts', minimums },
		{ items: [{ json: {} }] },
	);
	expect(error?.message).toContain("'Minimum Balances' is one expression");
});

test('a minimum that cannot be read stops Find Alerts: it would never be told', async () => {
	const minimums = { minimum: [{ code: 'NGN', amount: '5,000' }] };
	const { error } = await run(
		{ resource: 'book', operation: 'findAlerts', minimums },
		{ items: [{ json: {} }] },
	);
	expect(error?.message).toContain("'5,000'");
});

describe('as a tool of an agent', () => {
	const asTool = { type: 'walletServiceDeskTool' };
	const rowsOf = (count: number) =>
		Array.from({ length: count }, (_, index) => ({
			paymentKey: `INV-${index + 1}`,
			amount: `${index + 1}`,
			currency: 'NGN',
			destination: 'supplier-main',
		}));

	test('Read takes its rows as JSON, and gives as many items as a model reads', async () => {
		const read = async (rows: unknown) =>
			await jsonOf({ ...READ, source: 'items', toolRows: rows }, [{ json: {} }], asTool);
		expect(await read(JSON.stringify(rowsOf(1)))).toMatchObject([{ paymentKey: 'INV-1', problems: [] }]);
		const many = await read(rowsOf(400));
		expect(many.at(-1)!.note).toMatch(/^Records left out: \d+\.$/);
		expect(JSON.stringify(many).length).toBeLessThan(21_000);
		expect(await read('none')).toMatchObject([
			{ error: { message: "'Rows' is not a JSON list of objects" } },
		]);
	});

	test('Read does not tell a model whose an account is, also not of a row that it has read, with details that are wrong', async () => {
		const read = async (row: IDataObject) => {
			const given = { ...READ, source: 'items', toolRows: JSON.stringify([row]) };
			const [item] = await jsonOf(given, [{ json: {} }], asTool);
			expect(item).toMatchObject({ paymentKey: 'INV-1', problems: [] });
			expect(JSON.stringify(item)).not.toMatch(/First Example Bank|Main Supplier|6789|payeeMatch/);
			return item!;
		};
		const [row] = rowsOf(1);
		const item = await read({ ...row, payee: 'Somebody' });
		await read({ ...item, destinationDetails: 'x' });
	});

	test.each(['read', 'report'])('a row that has a name twice is not handed to %s', async (operation) => {
		const toolRows = '[{"paymentKey":"A-1","amount":"1","amount":"100","currency":"NGN","destination":"s"}]';
		const given = { resource: 'list', operation, source: 'items', toolRows };
		expect(await jsonOf(given, [{ json: {} }], asTool)).toMatchObject([
			{ error: { message: "A row in 'Rows' has a name twice" } },
		]);
	});

	test('an amount that a double cannot hold keeps its digits', async () => {
		const toolRows =
			'[{"paymentKey":"A-1","amount":9007199254740993.25,"coin":"USDT","destination":"treasury"}]';
		expect(await jsonOf({ ...READ, source: 'items', toolRows }, [{ json: {} }], asTool)).toMatchObject([
			{ amount: '9007199254740993.25', problems: [] },
		]);
	});

	test('Report gives no page', async () => {
		const report = { resource: 'list', operation: 'report', toolRows: JSON.stringify(rowsOf(2)) };
		const [item] = await jsonOf(report, [{ json: {} }], asTool);
		expect(Object.keys(item!).sort()).toEqual([
			'approvalsNeeded',
			'counts',
			'isGood',
			'marks',
			'needsSecondApproval',
			'problems',
			'subject',
			'text',
			'totals',
			'unknown',
		]);
	});

	test.each([
		['Check', { resource: 'workflows', operation: 'check' }],
		['Reconcile', { resource: 'book', operation: 'reconcile' }],
		['Make Rows', { resource: 'book', operation: 'makeRows' }],
	])('%s is refused: only a workflow can use it', async (name, parameters) => {
		const [item] = await jsonOf(parameters, [{ json: {} }], asTool);
		expect(item).toMatchObject({ error: { message: `The operation ${name} is not for AI agents` } });
	});
});

describe('with Execute Once', () => {
	const settings = { executeOnce: true };
	const item = (paymentKey: string) => ({
		json: { paymentKey, amount: '5', currency: 'NGN', destination: 'supplier-main' },
	});
	const stopped = async (parameters: object, items: INodeExecutionData[]) =>
		(await run(parameters, { settings, items })).error?.message;

	test.each([
		['Read', { ...READ, source: 'items' }, [item('A-1'), item('A-2')]],
		['Read of files', { ...READ, source: 'file' }, [fileItem(LIST), fileItem(LIST)]],
		['Report', { resource: 'list', operation: 'report' }, [item('A-1'), item('A-2')]],
		['Make Rows', { resource: 'book', operation: 'makeRows' }, [item('A-1'), item('A-2')]],
	])('%s leaves no item out without a word', async (_, parameters, items) => {
		expect(await stopped(parameters, items)).toBe(
			"'Execute Once' is on, so the node has got 1 of 2 items, and the others would be left out",
		);
	});

	test('nothing is left out of one item, or of a list in a field', async () => {
		expect(await stopped({ ...READ, source: 'items' }, [item('A-1')])).toBeUndefined();
		const list = JSON.stringify([item('A-1'), item('A-2')]);
		expect(await stopped({ ...READ, source: 'list', list }, [{ json: {} }, { json: {} }])).toBeUndefined();
	});
});

test('two minimums of one code stop Find Alerts: one of them would never be told', async () => {
	const minimums = {
		minimum: [
			{ code: 'NGN', amount: '999999999' },
			{ code: 'ngn', amount: '1' },
		],
	};
	const { error } = await run(
		{ resource: 'book', operation: 'findAlerts', minimums },
		{ items: [{ json: {} }] },
	);
	expect(error?.message).toContain("'NGN' has more than one minimum");
});

test.each(['["INV-7"]', '[null]', '{}', 'INV-7', '[[{}]]'])('%s of a model are no rows', async (toolRows) => {
	const { items } = await run({ ...READ, source: 'items', toolRows }, { type: 'walletServiceDeskTool' });
	expect(items.flat()[0]!.json).toMatchObject({
		error: {
			message: "'Rows' is not a JSON list of objects",
			description: expect.stringContaining('JSON list'),
		},
	});
});

test('Check names what is left in workflows', async () => {
	const pays = {
		id: '1',
		name: 'Pays',
		active: false,
		connections: {},
		settings: {},
		nodes: [
			{
				name: 'Pay',
				type: 'n8n-nodes-wallet-service.walletService',
				position: [0, 0],
				typeVersion: 1,
				parameters: { resource: 'fiatWallet', operation: 'createPayout', currency: 'NGN', amount: '1' },
			},
		],
	};
	const findings = await jsonOf({ resource: 'workflows', operation: 'check' }, [{ json: pays }]);
	expect(findings).toContainEqual({
		finding: 'Payments have no Payment Key: each run pays again.',
		where: 'Pays: Pay',
		whatToDo: expect.stringContaining('number and year of the invoice'),
	});
});
