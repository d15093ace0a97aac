/** Each example has what its nodes know, keys and limits for its payments, settings to read, and a canvas that fits on a screen. */
import { readFileSync } from 'node:fs';
import { NodeHelpers } from 'n8n-workflow';
import type { INode, INodeParameters } from 'n8n-workflow';
import { exampleNames } from '../../host/examples.ts';
import { OPERATIONS } from '../../nodes/WalletService/input/operations.ts';
import { rowsOfItem } from '../../nodes/WalletServiceDesk/book/make/makeRows.ts';
import { BOOK_COLUMNS } from '../../nodes/WalletServiceDesk/book/row.ts';
import { DESK_OPERATIONS } from '../../nodes/WalletServiceDesk/operations.ts';
import { WalletService } from '../../nodes/WalletService/WalletService.node.ts';
import { WalletServiceDesk } from '../../nodes/WalletServiceDesk/WalletServiceDesk.node.ts';
import { WalletServiceTrigger } from '../../nodes/WalletServiceTrigger/WalletServiceTrigger.node.ts';

/** The most nodes of each example, without notes. */
const MOST_NODES = {
	'agent-asks-for-payouts': 6,
	'alerts-each-hour': 7,
	'ask-the-second': 13,
	ask: 15,
	'book-an-event': 10,
	'carry-out': 10,
	'convert-at-rate': 7,
	'deposit-arrives': 8,
	'deposit-credits-customer': 12,
	'deposit-to-bank': 10,
	'destination-reviewed': 5,
	'go-live': 5,
	'pay-once': 12,
	'payout-by-chat': 6,
	'payout-of-agent': 4,
	'payouts-from-file': 8,
	'payouts-from-list': 6,
	'payouts-from-table': 5,
	'reconcile-each-morning': 11,
	'request-a-payout': 3,
	'request-of-agent': 9,
};

/** Of a field that is an expression. */
const MOST_CHARACTERS = 80;
const MOST_NOTES = 2;
const MOST_STEPS = 4;
/** n8n opens what is larger at less than 60 %, where nobody can read a note. Its canvas then has this much room. */
const SCREEN = { width: 2150, height: 1230 };
/** Of a node on the canvas, in each direction. */
const NODE_SIZE = 96;
/**
 * A window of 1440 x 900 pixels: the canvas, and the checklist that n8n opens once on each published workflow. n8n shows the canvas as a
 * whole, in the middle, with a margin of a tenth on each side.
 */
const CANVAS = { left: 40, top: 65, width: 1400, height: 792 };
const CHECKLIST = { right: 420, bottom: 422 };
const MARGINS = 1.2;

/** n8n ignores parameters that a node does not have, so an example with such a parameter does not do what it shows. */
const DESCRIPTIONS = [new WalletService(), new WalletServiceDesk(), new WalletServiceTrigger()].map(
	({ description }) => description,
);

/** n8n takes any text for a choice. */
const OPERATION_IDS = [...OPERATIONS, ...DESK_OPERATIONS].map(({ id }) => id);

interface ExampleNode {
	name: string;
	type: string;
	position: [number, number];
	parameters: Record<string, unknown>;
	typeVersion: number;
	credentials?: Record<string, { name: string }>;
	disabled?: boolean;
	executeOnce?: boolean;
	onError?: string;
}

interface Example {
	name: string;
	nodes: ExampleNode[];
	connections: Record<string, Record<string, Array<Array<{ node: string; index: number }>>>>;
	settings: Record<string, unknown>;
}

const examples = exampleNames().map((file) => ({
	...(JSON.parse(readFileSync(`examples/${file}.json`, 'utf8')) as Example),
	file,
}));
const allNodes = examples.flatMap(({ file, nodes }) => nodes.map((node) => ({ file, ...node })));
const ours = allNodes.filter(({ type }) => type.startsWith('n8n-nodes-wallet-service.'));
const isNote = ({ type }: ExampleNode) => type.endsWith('.stickyNote');
const isTrigger = ({ type }: ExampleNode) => /Trigger$/.test(type);

/** Each text of a node's settings. */
const textsIn = (value: unknown): string[] =>
	typeof value === 'object' && value !== null
		? Object.values(value).flatMap(textsIn)
		: typeof value === 'string'
			? [value]
			: [];
/** With all the text around the braces. */
const expressionsIn = (node: ExampleNode) => textsIn(node.parameters).filter((text) => text.startsWith('='));

test('these are the examples, each with a few nodes', () => {
	expect(examples.map(({ file }) => file)).toEqual(Object.keys(MOST_NODES));
	const tooLarge = examples
		.map(({ file, nodes }) => [file, nodes.filter((node) => !isNote(node)).length] as const)
		.filter(([file, count]) => count > MOST_NODES[file as keyof typeof MOST_NODES]);
	expect(tooLarge).toEqual([]);
});

test('no example has code, JSON in place of fields, or a node that is switched off', () => {
	const hasCode = ({ type, parameters, disabled }: ExampleNode) =>
		/\.(code|function|functionItem|aiTransform|executeCommand|httpRequest|toolCode)(Tool)?$/.test(type) ||
		(type.endsWith('.set') && parameters.mode === 'raw') ||
		disabled === true;
	expect(allNodes.filter(hasCode)).toEqual([]);
});

test('an expression is short, and has no function', () => {
	const hard = allNodes.flatMap((node) =>
		expressionsIn(node)
			.filter((each) => each.length > MOST_CHARACTERS || /=>|function|\.replace\(|new RegExp/.test(each))
			.map((each) => `${node.file}: ${node.name}: ${each}`),
	);
	expect(hard).toEqual([]);
});

const descriptionOf = (type: string) => {
	const name = type.replace('n8n-nodes-wallet-service.', '').replace(/Tool$/, '');
	return DESCRIPTIONS.find((description) => description.name === name)!;
};

test.each(ours)('$file: $name fits its node type', (node) => {
	const description = descriptionOf(node.type);
	expect(node.typeVersion).toBe(description.version);
	const { resource, operation } = node.parameters;
	if (resource !== undefined) expect(OPERATION_IDS).toContain([resource, operation].join('.'));
	// n8n adds these to each node or tool.
	const { requestOptions, toolDescription, descriptionType, ...own } = node.parameters;
	const parameters = structuredClone(own) as INodeParameters;
	const whole = { ...node, id: node.name, disabled: false, parameters } as unknown as INode;
	// What n8n does not show with the other settings, it drops.
	const known = NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		...([true, false, whole, description] as const),
	);
	expect(known).toMatchObject(own);
	// A credential that nothing asks for stands in the way of whoever sets the example up.
	const [credential] = description.credentials!;
	const isShown = NodeHelpers.displayParameter({ ...known }, credential!, whole, description);
	expect(Object.hasOwn(node.credentials ?? {}, credential!.name)).toBe(isShown);
	expect(NodeHelpers.getNodeParametersIssues(description.properties, whole, description)).toBeNull();
});

test.each(examples)('$file: no model may run or change it through the MCP access of n8n', ({ settings }) => {
	// n8n can make new workflows available by itself, but not those that say no.
	expect(settings).toMatchObject({ availableInMCP: false });
});

test.each(examples)('$file: all named nodes are there and wired', ({ nodes, connections }) => {
	const names = nodes.map(({ name }) => name);
	const connected = Object.entries(connections).flatMap(([from, outputs]) => [
		from,
		...Object.values(outputs).flatMap((targets) => targets.flat().map(({ node }) => node)),
	]);
	const expressions = [...JSON.stringify(nodes).matchAll(/\$\('([^']*)'\)/g)].map(([, name]) => name);
	expect(names).toEqual(expect.arrayContaining([...connected, ...expressions]));
	expect(new Set(names).size).toBe(names.length);
	const alone = nodes.filter((node) => !isNote(node) && !connected.includes(node.name));
	expect(alone.map(({ name }) => name)).toEqual([]);
});

test.each(examples)('$file: each node is reached from a trigger', ({ nodes, connections }) => {
	const targets = Object.values(connections).flatMap(({ main = [] }) => main.flat());
	const reached = targets.map(({ node }) => node);
	// A model, a memory or a tool is asked by its agent.
	const isAsked = ({ name }: ExampleNode) =>
		Object.keys(connections[name] ?? {}).some((type) => type !== 'main');
	const steps = nodes.filter((node) => !isNote(node) && !isTrigger(node) && !isAsked(node));
	expect(steps.map(({ name }) => name).filter((name) => !reached.includes(name))).toEqual([]);
});

test('an update of a payout is compared only after the seconds in which pay once writes its row', () => {
	const { nodes, connections } = examples.find(({ file }) => file === 'book-an-event')!;
	const [ofCoins] = connections['Crypto payout?']!.main!;
	expect(ofCoins!.map(({ node }) => node)).toEqual(['Ten seconds']);
	const wait = nodes.find(({ name }) => name === 'Ten seconds')!;
	expect(wait.parameters).toMatchObject({ resume: 'timeInterval', amount: 10, unit: 'seconds' });
});

test('pay once gives its results: n8n gives what the lowest wire of its last part leads to', () => {
	const { nodes, connections } = examples.find(({ file }) => file === 'pay-once')!;
	const targets = connections.Results!.main![0]!.map(({ node }) => node);
	expect(targets).toEqual(['Rows after', 'Parts of 20']);
	const heights = targets.map((name) => nodes.find((node) => node.name === name)!.position[1]);
	expect(heights[0]).toBeLessThan(heights[1]!);
});

test('a deposit is compared with the other rows ten seconds after its own is written', () => {
	const { nodes, connections } = examples.find(({ file }) => file === 'deposit-credits-customer')!;
	const targetsOf = (from: string) => connections[from]!.main![0]!.map(({ node }) => node);
	const positionOf = (name: string) => nodes.find((node) => node.name === name)!.position;
	// n8n runs the wires of an output from the top of the canvas to its bottom.
	expect(targetsOf('Clear?')).toEqual(['Row of the book', 'Ten seconds']);
	expect(positionOf('Row of the book')[1]).toBeLessThan(positionOf('Ten seconds')[1]);
	expect(targetsOf('Ten seconds')).toEqual(['First row', 'Other row', 'Credit it?']);
	expect(positionOf('Other row')[1]).toBeLessThan(positionOf('Credit it?')[1]);
	const wait = nodes.find(({ name }) => name === 'Ten seconds')!;
	expect(wait.parameters).toMatchObject({ resume: 'timeInterval', amount: 10, unit: 'seconds' });
});

test('no condition compares the name of a node with a text, because n8n changes only expressions when a person renames it', () => {
	const conditions = allNodes.map(({ file, name, parameters }) => [
		file,
		name,
		JSON.stringify(parameters.conditions ?? parameters.rules ?? ''),
	]);
	expect(conditions.length).toBeGreaterThan(50);
	expect(conditions.filter(([, , text]) => /prevNode|\$node\b/.test(text!))).toEqual([]);
});

test('cells without a value and with an empty text are read alike on the oldest n8n, too', () => {
	// There, Is Empty and Is Not Empty ask for cells without a value only.
	interface Filter {
		keyName: string;
		condition: string;
		keyValue?: string;
	}
	const filters = allNodes.flatMap(({ file, name, parameters }) =>
		((parameters.filters as { conditions?: Filter[] } | undefined)?.conditions ?? []).map(
			(filter, _, all) => ({ where: `${file}: ${name}`, all, ...filter }),
		),
	);
	expect(filters.length).toBeGreaterThan(10);
	const isWithEmptyText = ({ all, keyName }: (typeof filters)[number]) =>
		all.some((each) => each.keyName === keyName && each.condition === 'eq' && each.keyValue === '');
	const unlike = filters.filter(
		(each) => each.condition === 'isNotEmpty' || (each.condition === 'isEmpty' && !isWithEmptyText(each)),
	);
	expect(unlike.map(({ where, keyName }) => `${where}: ${keyName}`)).toEqual([]);
});

test('no condition copies a whole report for each row of a list', () => {
	const reports = ours
		.filter(({ parameters }) => parameters.operation === 'report')
		.map(({ file, name }) => ({ file, text: `$('${name}').` }));
	expect(reports.length).toBeGreaterThan(3);
	const ofEachItem = allNodes.filter(({ executeOnce }) => executeOnce !== true);
	const copying = ofEachItem.filter((node) => {
		const conditions = textsIn([node.parameters.conditions, node.parameters.rules]);
		return reports.some(({ file, text }) => file === node.file && conditions.join().includes(text));
	});
	expect(copying.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});

test('ask: a second person is asked if the page said so, or the report after the yes', () => {
	const { nodes, connections } = examples.find(({ file }) => file === 'ask')!;
	const nodeOf = (name: string) => nodes.find((node) => node.name === name)!;
	interface Rule {
		outputKey: string;
		conditions: { combinator: string; conditions: Array<{ leftValue: string }> };
	}
	const { rules, options } = nodeOf('Ask now?').parameters;
	const { values } = rules as { values: Rule[] };
	// Its last run may be the first one, which asks: this output has an item then, too.
	expect(options).toEqual({ allMatchingOutputs: true });
	const output = values.findIndex(({ outputKey }) => outputKey === 'Two people');
	expect(values[output]!.conditions).toMatchObject({
		combinator: 'or',
		conditions: ['first()', 'first(0, 0)'].map((run) => ({
			leftValue: `={{ $('Report').${run}.json.approvalsNeeded }}`,
		})),
	});
	// An expression knows an output by its number only, and copies nothing of an empty one.
	expect(textsIn(nodeOf('Second?').parameters.conditions)).toContain(
		`={{ !!$('Ask now?').first(${output}) }}`,
	);
	// n8n runs the wires of an output from the top of the canvas to its bottom, each to its end.
	const targets = connections['Approved rows']!.main![0]!.map(({ node }) => node);
	expect(targets).toEqual(['Book', 'Report', 'Second?']);
	const heights = targets.map((name) => nodeOf(name).position[1]);
	expect(heights).toEqual(heights.toSorted((one, other) => one - other));
	expect(connections.Report!.main![0]!.map(({ node }) => node)).toEqual(['Ask now?']);
});

test('no example uses what n8n 3 removes, or lets n8n approve tools', () => {
	const isRefused = ({ parameters, type }: ExampleNode) =>
		parameters.mode === 'each' || type.endsWith('HitlTool');
	expect(allNodes.filter(isRefused)).toEqual([]);
});

describe('payments', () => {
	const payments = ours.filter(({ parameters: { operation } }) =>
		['createPayout', 'convert', 'convertAtRate'].includes(String(operation)),
	);

	test('each has a Payment Key that comes from its data', () => {
		const isFromData = ({ parameters: { paymentKey } }: ExampleNode) =>
			/^=.*\{\{ \$(json|\('[^']+'\)\.(item|first\(\))\.json)\.[\w.]+ \}\}/.test(String(paymentKey)) &&
			!/\$(now|today|execution|itemIndex|runIndex)|Math\./.test(String(paymentKey));
		expect(payments.filter((node) => !isFromData(node)).map(({ file, name }) => `${file}: ${name}`)).toEqual(
			[],
		);
	});

	test('each node that pays a list has limits for each code', () => {
		const lists = ours.filter(({ parameters: { operation } }) => operation === 'pay');
		const said = lists.map(({ file, name, parameters }) => {
			const { limit } = parameters.limits as { limit: Array<Record<string, unknown>> };
			const { duplicateCheck, maximumPerDay } = parameters.options as Record<string, number>;
			const codes = limit.map(({ code, isCoin, maximumAmount, allowedAliases }) =>
				[code, maximumAmount, ...(isCoin ? ['coin'] : []), allowedAliases].join(' '),
			);
			return [`${file}: ${name}`, ...codes, duplicateCheck, maximumPerDay];
		});
		expect(said).toEqual([
			['pay-once: Pay for an agent', 'NGN 50000 supplier-main, supplier-new', 7, 20],
			[
				'pay-once: Pay',
				'NGN 500000 supplier-main, supplier-new',
				'USD 500000 supplier-usd',
				'USDT 1000 coin treasury',
				'USDC 1000 coin treasury',
				'BTC 1000 coin treasury',
				7,
				undefined,
			],
		]);
	});

	test('a row that comes from a result or an event is booked before it is paid', () => {
		const rows = allNodes.find(({ file, name }) => file === 'pay-once' && name === 'Rows');
		const dropped = String(rows?.parameters.excludeFields).split(', ');
		const row = { paymentKey: 'A', amount: '5', currency: 'NGN', destination: 's', approvedBy: 'Ada' };
		const given = {
			...row,
			result: 'notSent',
			error: { message: 'x' },
			deliveryKey: 'deposit:1:successful:0',
		};
		const kept = Object.fromEntries(Object.entries(given).filter(([name]) => !dropped.includes(name)));
		const now = '2026-11-24T06:00:00.000Z';
		const context = { now, workflow: 'w', execution: '1', approvedBy: '', needsApproval: true };
		expect(rowsOfItem(kept, 0, context)).toMatchObject([
			{ kind: 'fiat payout', key: 'A', amount: '-5', result: 'under way' },
		]);
	});

	test('each single payment has its limits', () => {
		const limits = payments.map(({ file, name, parameters: { options } }) => {
			const {
				maximumAmount,
				maximumTotal,
				maximumPerDay,
				allowedAliases,
				allowedCurrencies,
				duplicateCheck,
			} = options as Record<string, string | number>;
			const all = [
				maximumAmount,
				maximumTotal,
				maximumPerDay,
				allowedAliases,
				allowedCurrencies,
				duplicateCheck,
			];
			return `${file}: ${name}: ${all.filter(Boolean).join('; ')}`;
		});
		expect(limits).toEqual(LIMITS);
	});
});

const LIMITS = [
	'convert-at-rate: Convert: 1000; NGN; USDT, USDC',
	'deposit-to-bank: Convert: 1000; NGN; USDT',
];

describe('workflows that call each other', () => {
	const titles = examples.map(({ name }) => name);
	interface Call {
		workflowId?: { cachedResultName?: string };
		workflowInputs?: { value?: Record<string, unknown> | null };
	}
	/** But for those that call themselves. */
	const callers = allNodes
		.filter(
			({ parameters: { workflowId } }) =>
				(workflowId as { cachedResultName?: string } | undefined)?.cachedResultName !== undefined,
		)
		.map(({ file, name, type, parameters }) => ({ file, name, type, ...(parameters as Call) }));
	/** A model fills in the inputs. A person who imports the file lets it do so, as the note says. */
	const isTool = ({ type }: { type: string }) => type.endsWith('.toolWorkflow');
	const called = new Set(callers.map(({ workflowId }) => workflowId?.cachedResultName));
	const isPart = (title: string) => title.startsWith('Part: ');
	const nodeOf = (title: string, type: string) =>
		examples.find(({ name }) => name === title)?.nodes.find((node) => node.type === `n8n-nodes-base.${type}`);
	const startOf = (title: string) => nodeOf(title, 'executeWorkflowTrigger');
	/** A person starts it by its form, and others may call it, too. */
	const hasForm = (title: string) => nodeOf(title, 'formTrigger') !== undefined;

	test('what is called is there, and its name says that it is a part', () => {
		expect(titles).toEqual(expect.arrayContaining([...called]));
		const parts = [...called].filter((title) => !hasForm(title!));
		expect(parts.filter((title) => !isPart(title!))).toEqual([]);
		// Some a person connects first, as a note says.
		const notes = allNodes.filter(isNote).flatMap(({ parameters }) => textsIn(parameters));
		const isSaid = (title: string) => notes.some((text) => text.includes(`*${title}*`));
		expect(titles.filter(isPart).filter((title) => !called.has(title) && !isSaid(title))).toEqual([]);
	});

	test('no input stands in the node that calls: n8n drops all of them when a person imports the file', () => {
		const withInputs = callers.filter((call) => call.workflowInputs && !isTool(call));
		expect(withInputs.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
	});

	test('no part has an input of the type boolean: n8n enters false when a person chooses the part', () => {
		const inputs = allNodes
			.filter(({ type }) => type.endsWith('.executeWorkflowTrigger'))
			.flatMap(({ file, parameters }) => {
				const { values = [] } = (parameters.workflowInputs ?? {}) as {
					values?: Array<{ name: string; type?: string }>;
				};
				return values.filter(({ type }) => type === 'boolean').map(({ name }) => `${file}: ${name}`);
			});
		expect(inputs).toEqual([]);
	});

	test('what a person starts has a name of its own', () => {
		expect(titles.filter((title) => isPart(title) && hasForm(title))).toEqual([]);
		expect(
			titles.filter((title) => !hasForm(title) && isPart(title) !== (startOf(title) !== undefined)),
		).toEqual([]);
		expect(titles.filter((title) => /wallet service/i.test(title))).toEqual([]);
	});

	test.each(callers.filter(isTool))(
		'$file: $name lets the model fill in fields that the other one has',
		({ workflowId, workflowInputs }) => {
			const { workflowInputs: declared } = startOf(workflowId!.cachedResultName!)!.parameters as {
				workflowInputs: { values: Array<{ name: string }> };
			};
			const filled = Object.keys(workflowInputs!.value!);
			expect(filled.length).toBeGreaterThan(0);
			expect(declared.values.map(({ name }) => name)).toEqual(expect.arrayContaining(filled));
		},
	);
});

test('Data Tables have columns of text, and there are four', () => {
	const tables = allNodes.filter(({ type }) => /\.dataTable(Tool)?$/.test(type));
	const nameOf = ({ parameters }: ExampleNode) =>
		(parameters.tableName as string | undefined) ?? (parameters.dataTableId as { value: string }).value;
	const names = ['book', 'orders', 'payouts', 'requests'].map((each) => `wallet_service_${each}`);
	expect([...new Set(tables.map(nameOf))].sort()).toEqual(names);
	const columns = tables.flatMap(
		({ parameters: { columns } }) =>
			(columns as { column?: Array<{ type: string }> } | undefined)?.column ?? [],
	);
	expect(new Set(columns.map(({ type }) => type))).toEqual(new Set(['string']));
});

describe('the book', () => {
	const ofBook = allNodes.filter(
		({ type, parameters }) =>
			type.endsWith('.dataTable') &&
			(parameters.dataTableId as { value?: string } | undefined)?.value === 'wallet_service_book',
	);
	const conditionsOf = ({ parameters }: ExampleNode) =>
		(parameters.filters as { conditions: Array<{ keyName: string; condition: string; keyValue: string }> })
			.conditions;
	const nodeOf = (example: string, name: string) =>
		allNodes.find((node) => node.file === example && node.name === name)!;

	test('has rows that are inserted, and never changed or deleted', () => {
		expect(ofBook.length).toBeGreaterThan(10);
		expect(new Set(ofBook.map(({ parameters }) => parameters.operation))).toEqual(new Set(['get', 'insert']));
	});

	test('has one list of columns wherever a workflow makes it', () => {
		const made = allNodes.filter(({ parameters }) => parameters.tableName === 'wallet_service_book');
		expect(made.length).toBeGreaterThan(4);
		for (const { parameters } of made)
			expect((parameters.columns as { column: object[] }).column).toEqual(
				BOOK_COLUMNS.map((name) => ({ name, type: 'string' })),
			);
	});

	test('is read in one order, so that no page of it has a row twice or leaves one out', () => {
		const reads = ofBook.filter(({ parameters }) => parameters.operation === 'get');
		for (const { parameters } of reads) expect(parameters).toMatchObject({ orderBy: true });
	});

	test.each([
		['alerts-each-hour', 'Rows of 40 days', '={{ $now.minus({ days: 40 }).toISO() }}'],
		[
			'reconcile-each-morning',
			'Rows since then',
			"={{ ($json.time || '2000-01-01').toDateTime().minus(40, 'days').toISO() }}",
		],
	])('%s reads the rows that were inserted since its days, and saves no success', (file, name, since) => {
		expect(conditionsOf(nodeOf(file, name))).toEqual([
			{ keyName: 'createdAt', condition: 'gte', keyValue: since },
			// n8n refuses to read on if rows come while it reads page by page.
			{ keyName: 'createdAt', condition: 'lte', keyValue: '={{ $now.toISO() }}' },
		]);
		expect(examples.find((example) => example.file === file)!.settings).toMatchObject({
			saveDataSuccessExecution: 'none',
		});
	});

	test('alerts are mailed for years: n8n stops a workflow whose history of duplicates is full', () => {
		const histories = allNodes
			.filter(({ type }) => type.endsWith('.removeDuplicates'))
			.map(({ file, name, parameters: { options } }) => [`${file}: ${name}`, options]);
		expect(histories).toEqual([['alerts-each-hour: Once a day', { historySize: 100_000 }]]);
	});

	test('a reading waits 70 minutes, once, for what moved within the last hour', () => {
		const file = 'reconcile-each-morning';
		expect(nodeOf(file, '70 minutes').parameters).toMatchObject({ amount: 70, unit: 'minutes' });
		expect(conditionsOf(nodeOf(file, 'Young'))).toEqual([
			{ keyName: 'createdAt', condition: 'gte', keyValue: '={{ $now.minus({ hours: 1 }).toISO() }}' },
			...['opening', 'reconciliation', 'correction'].map((keyValue) => ({
				keyName: 'kind',
				condition: 'neq',
				keyValue,
			})),
		]);
		const { conditions } = nodeOf(file, 'Wait once?').parameters.conditions as {
			conditions: Array<{ leftValue: string; rightValue: unknown }>;
		};
		expect(conditions).toMatchObject([
			{ leftValue: '={{ $json.id }}' },
			{ leftValue: '={{ $runIndex }}', rightValue: 0 },
		]);
	});
});

describe('mails', () => {
	const mails = allNodes.filter(({ type }) => type.endsWith('.emailSend'));

	test('a person answers on a page that asks for a password: the link alone is in the executions', () => {
		const asking = allNodes.filter(
			({ type, parameters: { resume, operation } }) =>
				operation === 'sendAndWait' ||
				(type.endsWith('.wait') && ['form', 'webhook'].includes(String(resume))),
		);
		expect(asking.map(({ file, name }) => `${file}: ${name}`)).toEqual([
			'ask-the-second: Question',
			'ask: Question',
			'carry-out: Question',
		]);
		for (const { typeVersion, parameters, credentials } of asking) {
			// Version 1 ignores the password.
			expect(typeVersion).toBe(1.1);
			expect(parameters).toMatchObject({ resume: 'form', incomingAuthentication: 'basicAuth' });
			expect(credentials!.httpBasicAuth!.name).toMatch(/^(First|Second) approver/);
		}
		const withLink = mails.filter(({ parameters }) => /\$execution\.resume/.test(textsIn(parameters).join()));
		expect(new Set(withLink.map(({ file }) => file))).toEqual(new Set(asking.map(({ file }) => file)));
		expect(textsIn(withLink).join()).not.toContain('resumeUrl');
	});

	test('a question about a list waits a day, then six more; one about unknown payments waits for ever', () => {
		const waits = allNodes.filter(({ name }) => name === 'Question');
		const days = {
			limitWaitTime: true,
			resumeAmount: "={{ $('Remind').isExecuted ? 6 : 1 }}",
			resumeUnit: 'days',
		};
		for (const { file, parameters } of waits)
			if (file === 'carry-out') expect(parameters).not.toHaveProperty('limitWaitTime');
			else expect(parameters).toMatchObject(days);
	});

	test('the second person has a password of their own', () => {
		const ofSecond = allNodes.filter(({ credentials }) =>
			credentials?.httpBasicAuth?.name.startsWith('Second'),
		);
		expect(ofSecond.map(({ file, name }) => `${file}: ${name}`)).toEqual(['ask-the-second: Question']);
	});

	test('a mail of the approvals is tried five times, and a reminder that fails ends no question', () => {
		const files = ['ask', 'ask-the-second', 'carry-out'];
		const tried = mails.filter(({ file, name }) => files.includes(file) && name !== 'Tell');
		expect(tried.map(({ name }) => name).sort()).toEqual(
			['Ask', 'Remind', 'Send mail'].flatMap((name) => Array(name === 'Remind' ? 2 : 3).fill(name)),
		);
		// More, n8n does not take.
		const tries = { retryOnFail: true, maxTries: 5, waitBetweenTries: 5000 };
		for (const mail of tried) expect(mail).toMatchObject(tries);
		for (const { name, onError } of tried)
			expect(onError).toBe(name === 'Remind' ? 'continueRegularOutput' : undefined);
		for (const { connections, nodes } of examples.filter(({ file }) => files.slice(0, 2).includes(file))) {
			const [again] = connections.Answer!.main!;
			expect(again!.map(({ node }) => node)).toEqual(['Remind', 'Question']);
			const [remind, question] = again!.map(
				({ node }) => nodes.find(({ name }) => name === node)!.position[1],
			);
			expect(remind).toBeLessThan(question!);
		}
	});

	test('each comes from the mailbox, without a footer of n8n', () => {
		const other = mails.filter(({ credentials, parameters: { options } }) => {
			const { appendAttribution } = (options ?? {}) as { appendAttribution?: boolean };
			return credentials?.smtp?.name !== 'Mailbox (sandbox)' || appendAttribution !== false;
		});
		expect(other.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
	});
});

test('no two payments of the first hour have the same amount', () => {
	const source = readFileSync('host/examples.ts', 'utf8');
	const ofTables = [...source.matchAll(/amount: '([\d.]+)'/g)].map(([, amount]) => amount);
	const ofExamples = ['payouts-from-list', 'payouts-from-file'].map((file) => {
		const texts = allNodes
			.filter((node) => node.file === file)
			.flatMap(({ parameters }) => textsIn(parameters));
		return new Set(texts.flatMap((text) => text.match(/(?<![\w.-])\d+\.\d+(?![\w.])/g) ?? []));
	});
	expect(ofExamples.map(({ size }) => size > 0)).toEqual([true, true]);
	const all = [...ofTables, ...ofExamples.flatMap((amounts) => [...amounts])].map(Number);
	expect(new Set(all).size).toBe(all.length);
});

describe.each(examples)('the canvas of $file', ({ nodes, name: title }) => {
	const notes = nodes.filter(isNote);
	const steps = nodes.filter((node) => !isNote(node));
	const textOf = ({ parameters }: ExampleNode) => String(parameters.content);

	const sizeOf = (node: ExampleNode) => {
		const { width = NODE_SIZE, height = NODE_SIZE } = (isNote(node) ? node.parameters : {}) as {
			width?: number;
			height?: number;
		};
		return [width, height] as const;
	};

	test('it has one note or two, and the first is beside the nodes', () => {
		expect([1, MOST_NOTES]).toContain(notes.length);
		const [x, y] = notes[0]!.position;
		const [width, height] = sizeOf(notes[0]!);
		const isBeside = ({ position: [left, top] }: ExampleNode) =>
			x + width <= left || y + height <= top || x >= left + NODE_SIZE || y >= top + NODE_SIZE;
		expect(steps.filter((step) => !isBeside(step))).toEqual([]);
	});

	test('no note lies under the checklist of n8n, unless nothing but a click starts the workflow', () => {
		const isByHand = steps.filter(isTrigger).every(({ type }) => type.endsWith('.manualTrigger'));
		const bounds = [0, 1].map((axis) => {
			const begin = Math.min(...nodes.map(({ position }) => position[axis]!));
			const end = Math.max(...nodes.map((node) => node.position[axis]! + sizeOf(node)[axis]!));
			return { middle: (begin + end) / 2, length: end - begin };
		});
		const [across, down] = bounds as [(typeof bounds)[0], (typeof bounds)[0]];
		const zoom = Math.min(1, CANVAS.width / across.length / MARGINS, CANVAS.height / down.length / MARGINS);
		const covered = notes.filter(({ position: [x, y] }) => {
			const left = CANVAS.left + CANVAS.width / 2 + (x - across.middle) * zoom;
			const top = CANVAS.top + CANVAS.height / 2 + (y - down.middle) * zoom;
			return left < CHECKLIST.right && top < CHECKLIST.bottom;
		});
		expect(isByHand ? [] : covered.map(({ name }) => name)).toEqual([]);
	});

	test('its first note says what it is, how it is set up, and what starts it', () => {
		const [whatItDoes = '', setUp] = textOf(notes[0]!).split('**Set up**');
		expect(whatItDoes).toMatch(/^#+ .+\n./);
		const numbers = [...(setUp ?? '').split('\n**')[0]!.matchAll(/^(\d+)\. /gm)].map(([, number]) =>
			Number(number),
		);
		expect(numbers.length).toBeGreaterThan(0);
		expect(numbers.length).toBeLessThanOrEqual(MOST_STEPS);
		const named = [...textOf(notes[0]!).matchAll(/\*\*?([^*\n]+)\*\*?/g)].map(([, words]) => words!);
		const starts = [
			'Execute workflow',
			...steps.filter(isTrigger).map(({ name }) => name),
			...examples.map(({ name }) => name).filter((name) => name !== title),
		];
		expect(named.filter((words) => starts.includes(words))).not.toEqual([]);
	});

	test('its set-up names a node for each credential: n8n then chooses it in the other nodes, too', () => {
		const setUp = textOf(notes[0]!).split('**Set up**')[1] ?? '';
		const types = new Set(steps.flatMap(({ credentials }) => Object.keys(credentials ?? {})));
		const isTold = (type: string) =>
			(type === 'smtp' && /(nodes that send mail|three mails)/.test(setUp)) ||
			steps.some(({ name, credentials }) => credentials?.[type] && setUp.includes(`**${name}**`));
		expect([...types].filter((type) => !isTold(type))).toEqual([]);
	});

	test('a mail that is sent once for all items says so: a chat node in its place forgets it', () => {
		const once = steps.filter(({ type, executeOnce }) => type.endsWith('.emailSend') && executeOnce);
		const text = notes.map(textOf).join('\n');
		expect(once.filter(() => !text.includes('*Execute Once*'))).toEqual([]);
	});

	test('it fits on a screen', () => {
		const corners = nodes.flatMap((node) => {
			const [x, y] = node.position;
			const [width, height] = sizeOf(node);
			return [
				[x, y],
				[x + width, y + height],
			];
		});
		const [width, height] = [0, 1].map((axis) => {
			const all = corners.map((corner) => corner[axis]!);
			return Math.max(...all) - Math.min(...all);
		});
		expect(width).toBeLessThanOrEqual(SCREEN.width);
		expect(height).toBeLessThanOrEqual(SCREEN.height);
	});
});
