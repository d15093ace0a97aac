/** The desk on a real n8n, wired with n8n's own nodes: a list from file to decided payment, a book, and the set-up. */
import { dataTable } from '../../host/n8n/dataTable.ts';
import { itemsOf, succeeded } from '../../host/n8n/client.ts';
import type { Json, WorkflowNode } from '../../host/n8n/client.ts';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import { amountsPaid, listOf, LISTED, ROUTE } from '../../host/testkit/payments.ts';
import { ACTION_NODE, connect, credentialsOf, DESK_NODE, node } from '../../host/testkit/workflows.ts';
import { BOOK_COLUMNS } from '../../nodes/WalletServiceDesk/book/row.ts';
import { renewForEachTest, useStack } from './setup.ts';

const stack = useStack();

renewForEachTest(stack);

const action = (name: string, parameters: Json, more: Partial<WorkflowNode> = {}) =>
	node(name, ACTION_NODE, parameters, { credentials: credentialsOf(stack), ...more });
/** What asks nothing has no credential. */
const ASKING = ['read', 'report', 'reconcile', 'findAlerts'];
const desk = (name: string, parameters: Json, more: Partial<WorkflowNode> = {}) =>
	node(name, DESK_NODE, parameters, {
		...(ASKING.includes(String(parameters.operation)) && { credentials: credentialsOf(stack) }),
		...more,
	});

const PAY: Json = {
	resource: 'fiatWallet',
	operation: 'createPayout',
	currency: '={{ $json.currency }}',
	amount: '={{ $json.amount }}',
	account_alias: '={{ $json.destination }}',
	paymentKey: '={{ $json.paymentKey }}',
};

async function runByHand(name: string, nodes: WorkflowNode[], ...lines: string[]) {
	const { id } = await stack.client.saveWorkflow({ name, nodes, connections: connect(...lines) });
	return succeeded(await stack.client.runByHand(id, 'Start'));
}

const ROWS = [
	{ 'Payment Key': 'desk-1', 'Amount (NGN)': '1320.50', Destination: 'supplier-main', Purpose: 'Rent' },
	{ 'Payment Key': 'desk-2', 'Amount (NGN)': '20', Destination: 'supplier-main', Purpose: 'Water' },
];

test('a list from a file is reported, paid once, and its unknown payment is decided', async () => {
	const columns = { amountColumn: 'Amount (NGN)', currencyOfAll: 'NGN', noteColumn: 'Purpose' };
	const checked = await runByHand(
		'Reads a list',
		[
			...listOf(ROWS),
			node('File', 'convertToFile', { operation: 'csv', options: {} }),
			desk('Read', { resource: 'list', operation: 'read', options: columns }),
			desk('Report', { resource: 'list', operation: 'report', title: 'Flat' }),
		],
		`${LISTED} -> File -> Read -> Report`,
	);
	const read = itemsOf(checked, 'Read');
	expect(read).toMatchObject([
		{ row: 2, paymentKey: 'desk-1', amount: '1320.50', currency: 'NGN', note: 'Rent', problems: [] },
		{ row: 3, paymentKey: 'desk-2', amount: '20', note: 'Water', problems: [] },
	]);
	const [report] = itemsOf(checked, 'Report');
	expect(report).toMatchObject({ isGood: true, totals: [{ code: 'NGN', total: '1340.50', isEnough: true }] });
	expect(report!.text).toContain('1,320.50 NGN');

	// A workflow of the same name is the same one, so it knows its keys.
	const pay = async (rows: Json[], ifOutcomeIsUnknown?: string) =>
		await runByHand(
			'Pays a list',
			[
				...listOf(rows),
				action(
					'Pay',
					{ ...PAY, options: ifOutcomeIsUnknown === undefined ? {} : { ifOutcomeIsUnknown } },
					{ onError: 'continueRegularOutput' },
				),
				desk('Report', { resource: 'list', operation: 'report' }),
			],
			`${LISTED} -> Pay -> Report`,
		);
	await stack.control('POST', '/faults', { route: ROUTE, dropBefore: true });
	const [results] = itemsOf(await pay(read), 'Report');
	expect(results).toMatchObject({ isGood: false, unknown: 1, counts: { unknown: 1, paid: 1 } });
	expect(amountsPaid(stack)).toEqual(['20']);

	await ageKeys(stack);
	const answered = await runByHand(
		'Decides about a list',
		[
			...listOf([{ data: { 'Was paid': '', 'Was not paid': 'DESK-1' }, rows: results!.rows }]),
			desk('Read Decisions', {
				resource: 'list',
				operation: 'readDecisions',
				reportRows: '={{ $json.rows }}',
				options: {
					wasPaid: "={{ $json.data['Was paid'] }}",
					wasNotPaid: "={{ $json.data['Was not paid'] }}",
				},
			}),
		],
		`${LISTED} -> Read Decisions`,
	);
	const decided = itemsOf(answered, 'Read Decisions');
	expect(decided).toMatchObject([{ paymentKey: 'desk-1', amount: '1320.50', decision: 'wasNotPaid' }]);
	const [last] = itemsOf(await pay(decided, '={{ $json.decision }}'), 'Report');
	expect(last).toMatchObject({ isGood: true, counts: { paid: 1 } });
	expect(amountsPaid(stack)).toEqual(['20', '1320.50']);
	const [again] = itemsOf(await pay(read), 'Report');
	expect(again).toMatchObject({ isGood: true, counts: { alreadyPaid: 2 } });
	expect(amountsPaid(stack)).toHaveLength(2);
});

test('a list in an Excel workbook is read without a digit that Excel does not hold', async () => {
	const row = (paymentKey: unknown, amount: unknown, more: Json = {}) => ({
		paymentKey,
		amount,
		currency: 'NGN',
		destination: 'supplier-main',
		...more,
	});
	const rows = [
		row('0042', 1250.5),
		row(43, '1250.51'),
		row('wb-3', 0.1 + 0.2),
		row('wb-4', 1, { amount_1: 99 }),
		{ paymentKey: 'Total', amount: 3.5 },
	];
	const read = async (...list: Json[]) => {
		const workbook = { operation: 'xlsx', options: {} };
		const readRows = { resource: 'list', operation: 'read', source: 'items' };
		const execution = await runByHand(
			'Reads a workbook',
			[
				...listOf(list),
				node('Workbook', 'convertToFile', workbook),
				node('Rows', 'extractFromFile', workbook),
				desk('Read', readRows),
			],
			`${LISTED} -> Workbook -> Rows -> Read`,
		);
		return itemsOf(execution, 'Read');
	};
	const problem = (text: string) => ({ problems: [expect.stringContaining(text)] });
	expect(await read(...rows.filter(({ paymentKey }) => paymentKey !== 'wb-4'))).toMatchObject([
		{ row: 2, paymentKey: '0042', amount: '1250.5', problems: [] },
		{ row: 3, paymentKey: '43', amount: '1250.51', problems: [] },
		{ row: 4, ...problem('may have lost digits') },
		{ row: 5, ...problem('looks like a total') },
	]);
	expect(await read(...rows)).toMatchObject([{ row: 0, ...problem('the column amount twice') }]);
});

test('a book in a Data Table is written, reconciled and looked at for alerts', async () => {
	const name = 'desk_book';
	const table = dataTable(stack.client, name);
	await table.create(BOOK_COLUMNS.map((column) => ({ name: column, type: 'string' })));
	const dataTableId = { __rl: true, mode: 'name', value: name };
	const write = (label: string) =>
		node(label, 'dataTable', {
			resource: 'row',
			operation: 'insert',
			dataTableId,
			options: {},
			columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
		});
	const readAll = () =>
		node('Book', 'dataTable', {
			resource: 'row',
			operation: 'get',
			dataTableId,
			returnAll: true,
			filters: {},
		});
	const reconcile = async () => {
		const nodes = [
			node('Start', 'manualTrigger'),
			{ ...readAll(), alwaysOutputData: true },
			desk('Reconcile', { resource: 'book', operation: 'reconcile', options: {} }),
			node('Rows', 'splitOut', { fieldToSplitOut: 'rows', options: {} }),
			write('Write down'),
		];
		const way = 'Start -> Book -> Reconcile -> Rows -> Write down';
		const run = await runByHand('Reconciles the book', nodes, way);
		return itemsOf(run, 'Reconcile')[0]!;
	};
	const order = { paymentKey: 'book-1', amount: '40', currency: 'NGN', destination: 'supplier-main' };
	const booked = await runByHand(
		'Books a payment',
		[
			...listOf([order]),
			desk('Under way', { resource: 'book', operation: 'makeRows', approvedBy: 'ada' }),
			write('Write before'),
			// n8n runs the upper branch first.
			action('Pay', PAY, { position: [0, 200] }),
			desk('Result', { resource: 'book', operation: 'makeRows' }),
			write('Write after'),
		],
		`${LISTED} -> Under way -> Write before`,
		'One item each -> Pay -> Result -> Write after',
	);
	expect(itemsOf(booked, 'Under way')).toMatchObject([{ key: 'book-1', result: 'under way', amount: '-40' }]);
	const rows = await table.rows();
	const common = { key: 'book-1', kind: 'fiat payout', asset: 'NGN', amount: '-40' };
	expect(rows).toMatchObject([
		{ ...common, result: 'under way', approvedBy: 'ada' },
		{ ...common, result: 'paid', reference: expect.stringMatching(/./) },
	]);

	// A payment of the last hour may still move the balance, unless a person knows better.
	const first = await reconcile();
	expect(first).toMatchObject({ balances: [{ asset: 'NGN', verdict: 'no opening' }] });
	const [{ balance: amount }] = first.balances as [{ balance: string }];
	await table.insert([{ kind: 'opening', asset: 'NGN', amount, time: new Date().toISOString() }]);
	expect(await reconcile()).toMatchObject({
		balances: [{ asset: 'NGN', verdict: 'reconciled', difference: '0.00' }],
	});
	await stack.control('POST', '/admin_funding', { asset: 'NGN', amount: '7', direction: 'credit' });
	const second = await reconcile();
	expect(second).toMatchObject({
		balances: [{ asset: 'NGN', verdict: 'not explained', difference: '7.00' }],
	});
	expect(second.text).toContain('7.00 NGN');

	const minimums = { minimum: [{ code: 'NGN', amount: '99999999999', isCoin: false }] };
	const found = await runByHand(
		'Finds alerts in the book',
		[
			node('Start', 'manualTrigger'),
			readAll(),
			desk('Find alerts', { resource: 'book', operation: 'findAlerts', minimums, options: {} }),
		],
		'Start -> Book -> Find alerts',
	);
	expect(itemsOf(found, 'Find alerts').map(({ alert }) => alert)).toContain('low NGN');
});

test('Check reads workflows and names the payment without a key', async () => {
	const [workflow] = [
		{ name: 'Pays bare', nodes: [action('Pay', { ...PAY, paymentKey: '' })], connections: {} },
	];
	const checked = await runByHand(
		'Checks the workflows',
		[
			...listOf([{ ...workflow, id: '1', settings: {} }]),
			desk('Check', { resource: 'workflows', operation: 'check' }),
		],
		`${LISTED} -> Check`,
	);
	expect(itemsOf(checked, 'Check')).toContainEqual({
		finding: 'Payments have no Payment Key: each run pays again.',
		where: 'Pays bare: Pay',
		whatToDo: expect.stringContaining('number and year of the invoice'),
	});
});

test('Convert at Best Rate converts once by its key', async () => {
	const convert = async (minimumRate: string) =>
		await runByHand(
			'Converts at best rate',
			[
				...listOf([{ minimumRate }]),
				action(
					'Convert',
					{
						resource: 'instantLiquidity',
						operation: 'convertAtRate',
						from: 'USDT',
						to: 'NGN',
						amount: '5',
						minimumRate: '={{ $json.minimumRate }}',
						paymentKey: 'order-1',
						options: {},
					},
					{ onError: 'continueRegularOutput' },
				),
			],
			`${LISTED} -> Convert`,
		);
	const resultAt = async (minimumRate: string) => itemsOf(await convert(minimumRate), 'Convert')[0];
	expect(await resultAt('9999')).toMatchObject({ result: 'notSent', waiting: true });
	expect(await resultAt('1500')).toMatchObject({
		result: 'paid',
		contractId: 'ic_usdt_ngn',
		wantedRate: '1500',
	});
	expect(await resultAt('1500')).toMatchObject({ result: 'alreadyPaid' });
});
