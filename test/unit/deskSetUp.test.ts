/** What is left to do before the first live payout, as far as n8n's workflows say it. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { CATALOG } from '../../api/catalog.ts';
import { checkSetUp } from '../../nodes/WalletServiceDesk/workflows/checkSetUp.ts';
import { MATTERS } from '../../nodes/WalletServiceDesk/workflows/matters.ts';

interface Node {
	name: string;
	type: string;
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string | null; name: string }>;
	disabled?: boolean;
	retryOnFail?: boolean;
}

interface Workflow {
	id: string;
	name: string;
	active: boolean;
	isArchived?: boolean;
	versionId: string;
	activeVersionId: string | null;
	nodes: Node[];
	connections: Record<string, unknown>;
	activeVersion?: { nodes: unknown; connections: unknown } | null;
	settings: Record<string, unknown>;
}

type Facts = { workflows: Workflow[]; address?: string };

const ACCOUNT = { walletServiceApi: { id: 'live', name: 'Live account' } };
const MAIL = { smtp: { id: 'mail', name: 'Our mail server' } };
const OURS = 'n8n-nodes-wallet-service';
const N8N = 'n8n-nodes-base';

const node = (
	name: string,
	type: string,
	parameters: Record<string, unknown> = {},
	more: object = {},
): Node => ({
	...{ name, type, parameters, ...more },
});
const workflow = (id: string, nodes: Node[], connections: object, more: object = {}): Workflow => ({
	...{ id, name: id, active: true, versionId: 'v1', activeVersionId: 'v1', nodes },
	connections: connections as Record<string, unknown>,
	settings: { executionOrder: 'v1', errorWorkflow: 'Errors' },
	...more,
});

/** Each node leads to the next one. */
const chain = (...names: string[]) =>
	Object.fromEntries(names.slice(0, -1).map((name, index) => [name, { main: [[to(names[index + 1]!)]] }]));
const to = (name: string, type = 'main') => ({ node: name, type, index: 0 });

const LIMITS = { maximumAmount: '20000', maximumPerDay: '20', allowedAliases: 'acme-main' };
const payment = (
	name: string,
	resource: string,
	operation: string,
	options: object = LIMITS,
	more: object = {},
) =>
	node(
		name,
		`${OURS}.walletService`,
		{ resource, operation, paymentKey: '={{ $json.paymentKey }}', options: { ...options } },
		{ credentials: structuredClone(ACCOUNT), ...more },
	);
const mail = (name: string, parameters: object = {}) =>
	node(
		name,
		`${N8N}.emailSend`,
		{ fromEmail: 'wallet@acme.test', toEmail: 'finance@acme.test', ...parameters },
		{ credentials: structuredClone(MAIL) },
	);
const question = (responseType: string | undefined = 'customForm') =>
	mail('Ask the approver', { operation: 'sendAndWait', ...(responseType && { responseType }) });
const call = (name: string, workflowId: unknown) =>
	node(name, `${N8N}.executeWorkflow`, { workflowId: { __rl: true, mode: 'list', value: workflowId } });
const whenCalled = () => node('When called', `${N8N}.executeWorkflowTrigger`);

/** Workflows of an operator after all that a person does before the first live payout. */
const ready = (): Facts => ({
	address: 'https://n8n.acme.test/',
	workflows: [
		workflow(
			'Pay once',
			[
				whenCalled(),
				payment('Pay fiat', 'fiatWallet', 'createPayout'),
				payment('Pay coins', 'cryptoWallet', 'createPayout'),
			],
			{ 'When called': { main: [[to('Pay fiat')], [to('Pay coins')]] } },
			{ settings: { executionOrder: 'v1', errorWorkflow: 'Errors', callerPolicy: 'workflowsFromAList' } },
		),
		workflow(
			'Ask and pay',
			[
				whenCalled(),
				payment('Check', 'fiatWallet', 'createPayout', { dryRun: true }),
				question(),
				call('Pay', 'Pay once'),
			],
			chain('When called', 'Check', 'Ask the approver', 'Pay'),
		),
		workflow(
			'Request',
			[
				node('Form', `${N8N}.formTrigger`),
				call('Ask', 'Ask and pay'),
				node('Note', `${N8N}.stickyNote`, { content: 'Mail a@example.com' }),
			],
			chain('Form', 'Ask'),
		),
		workflow(
			'Deposit arrives',
			[
				node(
					'Events',
					`${OURS}.walletServiceTrigger`,
					{ events: [] },
					{ credentials: structuredClone(ACCOUNT) },
				),
				mail('Send mail'),
			],
			chain('Events', 'Send mail'),
		),
		workflow('Errors', [node('On error', `${N8N}.errorTrigger`), mail('Tell')], chain('On error', 'Tell')),
		workflow(
			'Go live',
			[
				node('Start', `${N8N}.manualTrigger`),
				node('What is left', `${OURS}.walletServiceDesk`, { resource: 'workflows', operation: 'check' }),
			],
			chain('Start', 'What is left'),
			{ active: false, activeVersionId: null },
		),
		workflow(
			'Newsletter',
			[node('Weekly', `${N8N}.scheduleTrigger`), mail('Send', { toEmail: 'x@example.com' })],
			{},
			{
				active: false,
				activeVersionId: null,
			},
		),
	],
});

/** What the tests of this file have found. */
const found = new Set<string>();
const check = ({ workflows, address }: Facts) => {
	const left = checkSetUp({
		workflows: workflows as unknown as IDataObject[],
		...(address !== undefined && { address }),
	});
	for (const { matter } of left) found.add(matter);
	return left;
};
const flowOf = ({ workflows }: Facts, id: string) => workflows.find((each) => each.id === id)!;
const nodeAt = (facts: Facts, place: string) => {
	const [flow = '', name] = place.split(': ');
	return flowOf(facts, flow).nodes.find((each) => each.name === name)!;
};

type Change = (facts: Facts) => unknown;

function after(change: Change) {
	const facts = ready();
	change(facts);
	return check(facts);
}

/** After this change only this is left, in this place. */
function expectLeft(change: Change, matter: string, where: string) {
	const left = after(change);
	expect(left.map((each) => `${each.matter} in ${each.where}`)).toEqual([`${matter} in ${where}`]);
	expect(left[0]!.whatToDo).toMatch(/^\S.*[.]$/);
}

const PAY_FIAT = 'Pay once: Pay fiat';
const PAY_COINS = 'Pay once: Pay coins';
const TRIGGER = 'Deposit arrives: Events';
const SEND_MAIL = 'Deposit arrives: Send mail';
const ASK = 'Ask and pay: Ask the approver';
const CALL = 'Ask and pay: Pay';

const parameters = (change: object) => (each: Node) => Object.assign(each.parameters, change);
const options = (change: object) => (each: Node) => Object.assign(each.parameters.options as object, change);
const of = (id: string, change: object) => (facts: Facts) => Object.assign(flowOf(facts, id), change);
const settings = (change: object) => (facts: Facts, id: string) =>
	Object.assign(flowOf(facts, id).settings, change);

test('after the set-up, nothing is left', () => {
	expect(check(ready())).toEqual([]);
});

describe('workflows as a whole', () => {
	test.each([
		['No', 'n8n does not show its workflows: No. In n8n, open'],
		[{ message: 'Not found!' }, 'n8n does not show its workflows: Not found! In n8n, open'],
		[{}, 'n8n does not show its workflows: it gives no reason. In n8n, open'],
	])('that cannot be read are named: %j', (error, says) => {
		const left = checkSetUp({ workflows: [{ error } as IDataObject] });
		expect(left).toEqual([
			{ matter: 'workflowsNotShown', where: '', whatToDo: expect.stringContaining(says) },
		]);
	});

	test.each<[what: string, workflows: IDataObject[]]>([
		['no item', []],
		['the item that n8n gives in place of none', [{}]],
		['only others', ready().workflows.filter(({ id }) => id === 'Newsletter') as unknown as IDataObject[]],
	])('with %s are no proof that nothing is left', (_, workflows) => {
		expect(checkSetUp({ workflows })).toMatchObject([{ matter: 'noWorkflows', where: '' }]);
	});
});

/** The old cases of go live, and the ones that any workflow can have. */
test.each<[what: string, matter: string, where: string, change: (node: Node) => unknown]>([
	[
		'a credential of the sandbox',
		'sandboxCredential',
		PAY_COINS,
		(each) => (each.credentials!.walletServiceApi!.name = 'Wallet Service (sandbox)'),
	],
	[
		'the mailbox of the sandbox',
		'sandboxCredential',
		SEND_MAIL,
		(each) => (each.credentials!.smtp!.name = 'Mailbox (sandbox)'),
	],
	[
		'a credential that was not chosen',
		'noCredential',
		TRIGGER,
		(each) => (each.credentials!.walletServiceApi!.id = null),
	],
	['no credential', 'noCredential', PAY_FIAT, (each) => (each.credentials = {})],
	['no mail server', 'noCredential', SEND_MAIL, (each) => delete each.credentials],
	[
		'another account',
		'severalAccounts',
		'Pay once',
		(each) => (each.credentials!.walletServiceApi!.id = 'other'),
	],
	["the example's mail", 'exampleAddress', SEND_MAIL, parameters({ toEmail: 'a@example.com' })],
	[
		"the example's chat",
		'exampleAddress',
		SEND_MAIL,
		parameters({ deep: [{ url: 'https://chat.example.com/hooks' }] }),
	],
	['deliveries of anyone', 'noVerification', TRIGGER, parameters({ verification: 'none' })],
	[
		'deliveries that an expression decides about',
		'noVerification',
		TRIGGER,
		parameters({ verification: '={{ $json.x }}' }),
	],
	['no key', 'noPaymentKey', PAY_FIAT, parameters({ paymentKey: ' ' })],
	['an expression without anything as the key', 'noPaymentKey', PAY_FIAT, parameters({ paymentKey: '=' })],
	['a key that is no text', 'noPaymentKey', PAY_FIAT, parameters({ paymentKey: { value: 'a' } })],
	[
		'a key of the execution',
		'paymentKeyOfRun',
		PAY_FIAT,
		parameters({ paymentKey: '=PAY-{{ $execution.id }}' }),
	],
	['no largest amount', 'noMaximumAmount', PAY_FIAT, options({ maximumAmount: undefined })],
	['no limit for a day', 'noMaximumPerDay', PAY_COINS, options({ maximumPerDay: ' ' })],
	['no aliases', 'noAllowedAliases', PAY_FIAT, options({ allowedAliases: '' })],
	[
		'one answer for all unknown payments',
		'outcomeForAll',
		PAY_FIAT,
		options({ ifOutcomeIsUnknown: 'wasNotPaid' }),
	],
	[
		'one good answer for all unknown payments',
		'outcomeForAll',
		PAY_FIAT,
		options({ ifOutcomeIsUnknown: 'wasPaid' }),
	],
	[
		'one answer for all in an expression',
		'outcomeForAll',
		PAY_FIAT,
		options({ ifOutcomeIsUnknown: "={{ 'wasNotPaid' }}" }),
	],
	['one name for all payments', 'approvalForAll', PAY_FIAT, options({ approvedBy: 'Ada Obi' })],
	['no name at all', 'approvalForAll', PAY_FIAT, options({ approvedBy: '' })],
	[
		'an approval that any text can give',
		'uncheckedApproval',
		PAY_FIAT,
		options({ dryRun: '={{ !$json.approvedBy }}' }),
	],
	['the link of an approval', 'answeredByLink', ASK, parameters({ responseType: 'approval' })],
	[
		'a kind of answer that n8n takes by default',
		'answeredByLink',
		ASK,
		(each) => delete each.parameters.responseType,
	],
	[
		'a kind of answer that an expression decides about',
		'answeredByLink',
		ASK,
		parameters({ responseType: '={{ $json.x }}' }),
	],
	[
		'a workflow that is not chosen',
		'missingWorkflow',
		CALL,
		parameters({ workflowId: { __rl: true, value: '' } }),
	],
	['a workflow that is not there', 'missingWorkflow', CALL, parameters({ workflowId: 'gone' })],
])('%s is named, and nothing else', (_, matter, where, change) => {
	expectLeft((facts) => change(nodeAt(facts, where === 'Pay once' ? PAY_COINS : where)), matter, where);
});

test.each<[what: string, set: object]>([
	['a name that each item has', { approvedBy: '={{ $json.approvedBy }}' }],
	['a dry run that asks for no approval', { dryRun: '={{ $json.isTest }}' }],
])('%s is nothing left to do', (_, set) => {
	expect(after((facts) => options(set)(nodeAt(facts, PAY_FIAT)))).toEqual([]);
});

/** The inputs of a call of a workflow whose payments read from each item what a person has said. */
const callWith =
	(value: object, type = `${N8N}.executeWorkflow`): Change =>
	(facts) => {
		const options = {
			...LIMITS,
			approvedBy: '={{ $json.approvedBy }}',
			dryRun: '={{ !$json.approvedBy }}',
			ifOutcomeIsUnknown: "={{ $json.decision || 'doNotPay' }}",
			allowDuplicate: "={{ $json.again === 'yes' }}",
		};
		Object.assign(nodeAt(facts, PAY_FIAT).parameters, { options });
		const called = nodeAt(facts, CALL);
		Object.assign(called, { type });
		Object.assign(called.parameters, { workflowInputs: { value } });
	};

test.each<[what: string, inputs: object, isNamed: boolean]>([
	['a name for all rows', { approvedBy: 'Ada Obi' }, true],
	['an answer for all rows', { decision: 'wasNotPaid' }, true],
	['a repetition that is meant in all rows', { again: 'yes' }, true],
	['the name of each row', { approvedBy: '={{ $json.approvedBy }}' }, false],
	['no name', { approvedBy: '' }, false],
	['a currency for all rows', { currency: 'NGN' }, false],
])('a call with %s', (_, value, isNamed) => {
	if (isNamed) return expectLeft(callWith(value), 'decisionForAll', CALL);
	expect(after(callWith(value))).toEqual([]);
});

test.each<[policy: string | undefined, isNamed: boolean]>([
	[undefined, true],
	['any', true],
	['workflowsFromSameOwner', true],
	['workflowsFromAList', false],
	['none', false],
])('callers that say who approved, by the policy %s', (callerPolicy, isNamed) => {
	const change: Change = (facts) => {
		callWith({})(facts);
		settings({ callerPolicy })(facts, 'Pay once');
	};
	if (isNamed) return expectLeft(change, 'openToCallers', 'Pay once');
	expect(after(change)).toEqual([]);
});

test('anyone may call a workflow that asks a person itself, or that nobody can tell who approved', () => {
	const open = (id: string) => (facts: Facts) => settings({ callerPolicy: 'any' })(facts, id);
	for (const id of ['Pay once', 'Ask and pay']) expect(after(open(id))).toEqual([]);
});

test.each<[what: string, inputs: object, matter: string]>([
	['the name of its author', { approvedBy: 'Payout by chat' }, ''],
	[
		'a name that the model makes up',
		{ approvedBy: "={{ $fromAI('approvedBy', 'Who said yes') }}" },
		'decisionByModel',
	],
	['a name by the old spelling', { approvedBy: "={{ $fromai('x') }}" }, 'decisionByModel'],
	['an answer of the model', { decision: "={{ $fromAI('decision') }}" }, 'decisionByModel'],
	['a repetition that the model means', { again: "={{ $fromAI('again') }}" }, 'decisionByModel'],
	['an answer for all', { decision: 'wasNotPaid' }, 'decisionForAll'],
	['a repetition that is always meant', { again: 'yes' }, 'decisionForAll'],
	['an amount of the model', { amount: "={{ $fromAI('amount') }}" }, ''],
])('a tool with %s', (_, value, matter) => {
	const change = callWith(value, '@n8n/n8n-nodes-langchain.toolWorkflow');
	if (matter !== '') return expectLeft(change, matter, CALL);
	expect(after(change)).toEqual([]);
});

test.each<[what: string, matter: string, where: string, change: Change]>([
	[
		'a workflow that is not published',
		'notPublished',
		'Request',
		of('Request', { active: false, activeVersionId: null }),
	],
	['a change that is not published', 'unpublishedChanges', 'Pay once', of('Pay once', { versionId: 'v2' })],
	[
		'a failure that nobody is told',
		'noErrorWorkflow',
		'Request',
		(facts) => settings({ errorWorkflow: '' })(facts, 'Request'),
	],
	[
		'an error workflow that is not there',
		'noErrorWorkflow',
		'Deposit arrives',
		(facts) => settings({ errorWorkflow: 'gone' })(facts, 'Deposit arrives'),
	],
	[
		'executions that are not kept',
		'noExecutions',
		'Pay once',
		(facts) => settings({ saveDataSuccessExecution: 'none' })(facts, 'Pay once'),
	],
	[
		'executions by hand that are not kept',
		'noExecutions',
		'Request',
		(facts) => settings({ saveManualExecutions: false })(facts, 'Request'),
	],
	[
		'a workflow that pays and that models may run and change',
		'availableToModels',
		'Pay once',
		(facts) => settings({ availableInMCP: true })(facts, 'Pay once'),
	],
	[
		'a workflow that pays through others and that models may run and change',
		'availableToModels',
		'Request',
		(facts) => settings({ availableInMCP: true })(facts, 'Request'),
	],
	['an address with a path', 'addressWithPath', ASK, (facts) => (facts.address = 'https://host.test/n8n/')],
	[
		'an address with a path, without https',
		'addressWithPath',
		ASK,
		(facts) => (facts.address = 'host.test:5678/n8n'),
	],
])('%s is named, and nothing else', (_, matter, where, change) => expectLeft(change, matter, where));

describe('a list that is paid', () => {
	const entry = { code: 'NGN', maximumAmount: '20000', allowedAliases: 'acme-main' };
	const PAY_LIST = 'List: Pay List';
	const credentials = structuredClone(ACCOUNT);
	const readList = (stored: object) =>
		node('Read', `${OURS}.walletServiceDesk`, { ...stored }, { credentials });
	const approve = (fields: string) => node('Approve', `${N8N}.set`, { jsonOutput: `{${fields}}` });
	/** Its nodes in one line, and the one that pays at its end. */
	const list =
		(nodes: Node[], more: object = {}): Change =>
		({ workflows }) => {
			const limits = { limit: [entry, { ...entry, code: 'USDT', isCoin: true }] };
			const parameters = { resource: 'payoutList', limits, options: { maximumPerDay: '20' }, ...more };
			const last = node('Pay List', `${OURS}.walletService`, parameters, { credentials });
			const all = [...nodes, last];
			workflows.push(workflow('List', all, chain(...all.map(({ name }) => name))));
		};
	const start = node('Start', `${N8N}.manualTrigger`);
	const sheet = node('Sheet', `${N8N}.googleSheets`);

	test.each<[string, Node[]]>([
		['rows that this workflow itself has', [start]],
		[
			'rows of a sheet through Read',
			[sheet, readList({ resource: 'list', operation: 'read' }), approve('"approvedBy": "Ada"')],
		],
		['rows of a sheet through Read, which is the default', [sheet, readList({})]],
		['rows of a sheet whose approval is set', [sheet, approve('"approvedBy": "={{ $json.who }}"')]],
	])('of %s leaves nothing', (_, nodes) => expect(after(list(nodes))).toEqual([]));

	test.each(['googleSheets', 'dataTable', 'formTrigger', 'webhook', 'airtable', 'extractFromFile'])(
		'as %s has it is named',
		(kind) =>
			expectLeft(list([node('Rows', `${N8N}.${kind}`), approve('"note": 1')]), 'unreadRows', PAY_LIST),
	);

	test('of which one way passes Read and another one does not is named', () => {
		expectLeft(
			(facts) => {
				list([sheet, readList({ resource: 'list', operation: 'read' })])(facts);
				flowOf(facts, 'List').connections.Sheet = { main: [[to('Read'), to('Pay List')]] };
			},
			'unreadRows',
			PAY_LIST,
		);
	});

	test('only as a dry run is no danger', () => {
		const options = { maximumPerDay: '20', dryRun: true };
		expect(after(list([sheet], { options })).map(({ matter }) => matter)).toEqual(['onlyDryRun']);
	});

	test.each<[string, string, object]>([
		['no limits', 'noMaximumAmount', { limits: {} }],
		[
			'an entry without a maximum',
			'noMaximumAmount',
			{ limits: { limit: [entry, { ...entry, maximumAmount: '' }] } },
		],
		[
			'an entry without aliases',
			'noAllowedAliases',
			{ limits: { limit: [{ ...entry, allowedAliases: ' ' }, entry] } },
		],
		['no limit for a day', 'noMaximumPerDay', { options: {} }],
	])('with %s is named', (_, matter, more) => {
		const found = after(list([start], more));
		expect(found.map((each) => each.matter)).toContain(matter);
		expect(new Set(found.map(({ where }) => where))).toEqual(new Set([PAY_LIST]));
	});
});

test('models may run a workflow that pays nothing', () => {
	expect(after((facts) => settings({ availableInMCP: true })(facts, 'Deposit arrives'))).toEqual([]);
	expect(after((facts) => settings({ availableInMCP: false })(facts, 'Pay once'))).toEqual([]);
});

test('an archived workflow is left out, and a call of it is named', () => {
	const archived = workflow(
		'Old',
		[payment('Pay', 'fiatWallet', 'createPayout', {})],
		{},
		{ isArchived: true },
	);
	expect(after(({ workflows }) => workflows.push(archived))).toEqual([]);
	expectLeft(
		(facts) => {
			facts.workflows.push(archived);
			nodeAt(facts, CALL).parameters.workflowId = { value: 'Old' };
		},
		'missingWorkflow',
		CALL,
	);
});

test('an error workflow that is not published tells nobody', () => {
	const left = after(of('Errors', { active: false, activeVersionId: null }));
	expect(left.map(({ matter, where }) => [matter, where])).toEqual([
		['notPublished', 'Errors'],
		['noErrorWorkflow', 'Request; Deposit arrives'],
	]);
});

test('what the published version has is looked at, and not what was saved after it', () => {
	const bad = [payment('Pay', 'fiatWallet', 'createPayout', LIMITS, {})].map((each) => ({
		...each,
		parameters: { ...each.parameters, paymentKey: '' },
	}));
	const left = after((facts) => {
		const flow = flowOf(facts, 'Pay once');
		Object.assign(flow, { versionId: 'v2', activeVersion: { nodes: bad, connections: {} } });
	});
	expect(left.map(({ matter, where }) => [matter, where])).toEqual([
		['noPaymentKey', 'Pay once: Pay'],
		['unpublishedChanges', 'Pay once'],
	]);
});

test('one matter names all its places', () => {
	const left = after((facts) => {
		for (const place of [PAY_FIAT, PAY_COINS]) nodeAt(facts, place).parameters.options = {};
	});
	const where = `${PAY_FIAT}; ${PAY_COINS}`;
	expect(left.map((each) => [each.matter, each.where])).toEqual([
		['noMaximumAmount', where],
		['noMaximumPerDay', where],
		['noAllowedAliases', where],
	]);
});

describe('what pays', () => {
	const NO_KEY_NO_LIMITS = { options: {}, paymentKey: '' };
	const all = ['noPaymentKey', 'noMaximumAmount', 'noMaximumPerDay', 'noAllowedAliases'];
	const mattersOf = (change: object, type = `${OURS}.walletService`) =>
		after((facts) => {
			const each = nodeAt(facts, PAY_FIAT);
			each.type = type;
			each.parameters = { ...each.parameters, ...NO_KEY_NO_LIMITS, ...change };
		})
			.filter(({ where }) => where === PAY_FIAT)
			.map(({ matter }) => matter);

	test.each<[what: string, change: object, matters: string[]]>([
		['a payout of coins', { resource: 'cryptoWallet', operation: 'createPayout' }, all],
		['the default resource', { resource: undefined, operation: 'createPayout' }, all],
		['an operation by expression', { operation: '={{ $json.operation }}' }, all],
		['a resource by expression', { resource: '={{ $json.resource }}' }, all],
		['an operation that is no text', { operation: { value: 'createPayout' } }, all],
		['options by one expression', { options: '={{ $json.options }}' }, all],
		['a dry run by expression', { options: { dryRun: '={{ $json.dryRun }}' } }, all],
		['a dry run that is off', { options: { dryRun: false } }, all],
		['a conversion', { resource: 'instantLiquidity', operation: 'convert' }, all.slice(0, 3)],
		['a conversion at a rate', { resource: 'instantLiquidity', operation: 'convertAtRate' }, all.slice(0, 3)],
		['the default operation', { operation: undefined }, []],
		['a list, which is the default', { resource: 'payoutList', operation: undefined }, all.slice(1)],
		['an operation that no version has', { resource: 'fiatWallet', operation: 'other' }, []],
	])('has a key and limits: %s', (_, change, matters) => {
		expect(mattersOf(change)).toEqual(matters);
		expect(mattersOf(change, `${OURS}.walletServiceTool`)).toEqual(matters);
	});

	test('is no node of the desk, whatever its settings say', () => {
		for (const operation of ['read', '={{ $json.operation }}', 'other'])
			expect(mattersOf({ resource: 'list', operation }, `${OURS}.walletServiceDesk`)).toEqual([]);
	});

	test('is each endpoint that moves money, and no other one', () => {
		const found = CATALOG.filter(({ resource, operation }) => mattersOf({ resource, operation }).length > 0);
		expect(found.map(({ id }) => id).sort()).toEqual([
			'cryptoWallet.createPayout',
			'fiatWallet.createPayout',
			'instantLiquidity.convert',
		]);
	});

	const request = (change: object) => (facts: Facts) =>
		flowOf(facts, 'Pay once').nodes.push(
			node(
				'Request',
				`${N8N}.httpRequest`,
				{ method: 'POST', url: 'https://api.acme.test/v1/fiat_payout', ...change },
				{ credentials: structuredClone(ACCOUNT) },
			),
		);
	test.each([
		['a payout', {}],
		['an address by expression', { url: '={{ $json.url }}' }],
		['a method by expression', { method: '={{ $json.method }}', url: 'https://api.acme.test/v1/rates' }],
		['a route that nobody knows', { url: 'https://api.acme.test/v1/new' }],
		['a change', { url: 'https://api.acme.test/v1/create_wallet' }],
	])('is also a bare request: %s', (_, change) => {
		expectLeft(request(change), 'bareRequest', 'Pay once: Request');
	});
	test.each([
		['a balance', { url: 'https://api.acme.test/v1/fiat_balance?x=/v1/fiat_payout' }],
		['a GET', { method: undefined, url: 'https://api.acme.test/v1/rates' }],
	])('is no request that reads: %s', (_, change) => {
		expect(after(request(change))).toEqual([]);
	});
});

describe('questions before money', () => {
	/** A workflow of a person who asks, and of one that asks in another workflow. */
	const asking = (nodes: Node[], connections: object, id = 'Own') =>
		workflow(id, [node('Start', `${N8N}.manualTrigger`), ...nodes], connections);
	const added = (...workflows: Workflow[]) => after((facts) => facts.workflows.push(...workflows));
	const linked = (left: ReturnType<typeof check>) =>
		left.filter(({ matter }) => matter === 'answeredByLink').map(({ where }) => where);
	const pay = () => payment('Pay', 'fiatWallet', 'createPayout');
	const waits = (change: object) => node('Wait', `${N8N}.wait`, { resume: 'webhook', ...change });

	test('are found behind other nodes, disabled ones too', () => {
		const idle = node('Idle', `${N8N}.noOp`, {}, { disabled: true });
		const flow = asking([question(''), idle, pay()], chain('Start', 'Ask the approver', 'Idle', 'Pay'));
		expect(linked(added(flow))).toEqual(['Own: Ask the approver']);
	});

	test('are found in a workflow that is called before the payment', () => {
		const asks = asking([question('')], chain('Start', 'Ask the approver'), 'Asks');
		const pays = asking([call('Ask', 'Asks'), pay()], chain('Start', 'Ask', 'Pay'));
		const tells = asking([pay(), call('Tell', 'Asks')], chain('Start', 'Pay', 'Tell'));
		expect(linked(added(asks, pays))).toEqual(['Asks: Ask the approver']);
		expect(linked(added(asks, tells))).toEqual([]);
	});

	test('are found before a call whose workflow only a run can tell', () => {
		const dynamic = call('Call', '={{ $json.workflow }}');
		const written = node('Call', `${N8N}.executeWorkflow`, { source: 'parameter', workflowJson: '{}' });
		for (const each of [dynamic, written])
			expect(linked(added(asking([question(''), each], chain('Start', 'Ask the approver', 'Call'))))).toEqual(
				['Own: Ask the approver'],
			);
	});

	test('are found before a workflow that calls itself, and pays then', () => {
		const flow = asking([question(''), call('Again', '={{ $workflow.id }}'), pay()], {
			...chain('Start', 'Ask the approver', 'Again'),
			Other: { main: [[to('Pay')]] },
		});
		expect(linked(added(flow))).toEqual(['Own: Ask the approver']);
	});

	test('are found in front of a tool of an agent', () => {
		const review = node('Review', `${N8N}.slackHitlTool`);
		const tool = { ...pay(), type: `${OURS}.walletServiceTool` };
		const agent = node('Agent', '@n8n/n8n-nodes-langchain.agent');
		const flow = asking([agent, review, tool], {
			...chain('Start', 'Agent'),
			Pay: { ai_tool: [[to('Review', 'ai_tool')]] },
			Review: { ai_tool: [[to('Agent', 'ai_tool')]] },
		});
		expect(linked(added(flow))).toEqual(['Own: Review']);
		const asksFirst = asking([question(''), agent, tool], {
			...chain('Start', 'Ask the approver', 'Agent'),
			Pay: { ai_tool: [[to('Agent', 'ai_tool')]] },
		});
		expect(linked(added(asksFirst))).toEqual(['Own: Ask the approver']);
	});

	test.each([
		['a Wait that a GET ends', {}, true],
		['a Wait with a method by expression', { httpMethod: '={{ $json.x }}' }, true],
		['a Wait for a POST', { httpMethod: 'POST' }, false],
		['a Wait with a password', { incomingAuthentication: 'basicAuth' }, false],
		['a Wait with a form', { resume: 'form' }, false],
		['a Wait for some time', { resume: undefined }, false],
	])('%s', (_, change, isFound) => {
		const flow = asking([waits(change), pay()], chain('Start', 'Wait', 'Pay'));
		expect(linked(added(flow))).toEqual(isFound ? ['Own: Wait'] : []);
	});

	test('are left alone where no money is behind them', () => {
		const flow = asking([question(''), mail('Send')], chain('Start', 'Ask the approver', 'Send'));
		expect(added(flow)).toEqual([]);
		// Other workflows go on behind one that the paying ones call, too.
		const log = asking([], {}, 'Log');
		const other = asking([question(''), call('Log it', 'Log')], chain('Start', 'Ask the approver', 'Log it'));
		const pays = asking([call('Log it', 'Log'), pay()], chain('Start', 'Log it', 'Pay'), 'Pays');
		expect(added(log, other, pays)).toEqual([]);
	});
});

describe('payments that may be sent again', () => {
	const looped = (options: object, key: string, between: Node) => (facts: Facts) =>
		facts.workflows.push(
			workflow(
				'Loop',
				[
					node('Start', `${N8N}.manualTrigger`),
					{ ...payment('Pay', 'fiatWallet', 'createPayout', { ...LIMITS, ...options }) },
					node('Unknown?', `${N8N}.if`),
					between,
				].map((each) =>
					each.name === 'Pay' ? { ...each, parameters: { ...each.parameters, paymentKey: key } } : each,
				),
				chain('Start', 'Pay', 'Unknown?', between.name, 'Pay'),
			),
		);
	const decided = { ifOutcomeIsUnknown: '={{ $json.decision }}' };
	const pause = node('Pause', `${N8N}.wait`, { resume: 'timeInterval' });
	const loop = node('Each', `${N8N}.splitInBatches`);
	const form = node('Form', `${N8N}.wait`, { resume: 'form' });
	const matters = (change: Change) => after(change).map(({ matter, where }) => `${matter} in ${where}`);
	const KEY = '={{ $json.key }}';

	test('are named in a loop in which nobody is asked', () => {
		expect(matters(looped(decided, KEY, pause))).toEqual(['unguardedLoop in Loop: Pay']);
		expect(matters(looped({}, '', pause))).toEqual([
			'noPaymentKey in Loop: Pay',
			'unguardedLoop in Loop: Pay',
		]);
	});

	test('are left alone in a loop over items, behind a person, and with a key', () => {
		for (const between of [loop, form, question()])
			expect(matters(looped(decided, KEY, between))).toEqual([]);
		expect(matters(looped({}, KEY, pause))).toEqual([]);
	});

	test('are named if Retry On Fail calls them again without a key', () => {
		const retried = (facts: Facts) => (nodeAt(facts, CALL).retryOnFail = true);
		expect(after(retried)).toEqual([]);
		const unkeyed = (facts: Facts) => {
			nodeAt(facts, PAY_FIAT).parameters.paymentKey = '={{ $execution.id }}';
			retried(facts);
		};
		expect(matters(unkeyed)).toEqual([`paymentKeyOfRun in ${PAY_FIAT}`, `retriedPayment in ${CALL}`]);
		// The payment node recognizes what it has sent.
		expect(after((facts) => (nodeAt(facts, PAY_FIAT).retryOnFail = true))).toEqual([]);
	});
});

describe('a dry run', () => {
	const flow = (nodes: Node[], connections: object) => (facts: Facts) =>
		facts.workflows.push(workflow('Try', [node('Start', `${N8N}.manualTrigger`), ...nodes], connections));
	const dry = payment('Check', 'fiatWallet', 'createPayout', { dryRun: true });

	test('is named if nothing pays behind it', () => {
		expectLeft(flow([dry], chain('Start', 'Check')), 'onlyDryRun', 'Try: Check');
		const paidBefore = [payment('Pay', 'fiatWallet', 'createPayout'), dry];
		expectLeft(flow(paidBefore, chain('Start', 'Pay', 'Check')), 'onlyDryRun', 'Try: Check');
	});

	test('needs no key and no limits before a payment', () => {
		const pays = [{ ...dry, parameters: { ...dry.parameters, paymentKey: '' } }, call('Pay', 'Pay once')];
		expect(after(flow(pays, chain('Start', 'Check', 'Pay')))).toEqual([]);
	});
});

test.each<[what: string, change: Change]>([
	[
		'expressions, which are choices of their author',
		(facts) =>
			options({
				maximumAmount: '={{ $json.most }}',
				maximumPerDay: '={{ 9 }}',
				allowedAliases: '={{ $json.a }}',
			})(nodeAt(facts, PAY_FIAT)),
	],
	[
		'a key of a month',
		(facts) => parameters({ paymentKey: "=RENT-{{ $today.toFormat('yyyy-MM') }}" })(nodeAt(facts, PAY_FIAT)),
	],
	[
		'what is disabled',
		(facts) =>
			Object.assign(nodeAt(facts, PAY_COINS), { disabled: true, parameters: { operation: 'createPayout' } }),
	],
	[
		'a hint with an example',
		(facts) => parameters({ placeholder: 'a@example.com' })(nodeAt(facts, SEND_MAIL)),
	],
	[
		'a trigger that checks by default',
		(facts) => parameters({ verification: 'credential' })(nodeAt(facts, TRIGGER)),
	],
	['an address without a path', (facts) => (facts.address = 'http://localhost:5678')],
	['an address that is not known', (facts) => delete facts.address],
	[
		'an own error trigger',
		(facts) => {
			const flow = flowOf(facts, 'Request');
			flow.nodes.push(node('On error', `${N8N}.errorTrigger`));
			flow.settings.errorWorkflow = undefined;
		},
	],
	[
		'other names',
		(facts) => {
			for (const flow of facts.workflows) flow.name = `Ours: ${flow.name}`;
		},
	],
])('nothing is left with %s', (_, change) => {
	expect(after(change)).toEqual([]);
});

describe('odd workflows', () => {
	const odd = (change: object) => (facts: Facts) =>
		facts.workflows.push({ ...workflow('Odd', [], {}), ...change } as never);

	test.each([
		['no nodes', { nodes: undefined }],
		['nodes that are text', { nodes: '={{ $json.nodes }}' }],
		['a node that is nothing', { nodes: [null] }],
		['a node without a type', { nodes: [{ name: 'Pay', parameters: {} }] }],
		['a node without a name', { nodes: [{ type: `${OURS}.walletService` }] }],
		['parameters by expression', { nodes: [node('Pay', `${OURS}.walletService`, '={{ $json }}' as never)] }],
		[
			'credentials that are text',
			{ nodes: [node('Pay', `${OURS}.walletService`, {}, { credentials: 'live' })] },
		],
		['connections that are text', { connections: 'Pay' }],
		['a connection to nothing', { connections: { A: { main: [[{}]] } } }],
		['a connection that is text', { connections: { A: { main: 'B' } } }],
	])('are named: %s', (_, change) => {
		expectLeft(odd(change), 'unreadableWorkflow', 'Odd');
	});

	test.each([
		['an output without a connection', { connections: { A: { main: [null, [to('B')]] } } }],
		[
			'a circle of calls',
			{ nodes: [call('A', 'Odd'), call('B', 'Pay once')], connections: chain('A', 'B', 'A') },
		],
		['no settings', { settings: null }],
		['a disabled node without anything', { nodes: [{ disabled: true }] }],
	])('are read: %s', (_, change) => {
		expect(after(odd(change))).toEqual([]);
	});

	test('have their names in one line', () => {
		const name = 'A\n\u202eB\u0000';
		expectLeft(odd({ name, nodes: undefined }), 'unreadableWorkflow', 'A B');
		expectLeft(odd({ name: '', id: 7, nodes: undefined }), 'unreadableWorkflow', '7');
	});

	test('without a name and an ID have their place, and are not called items, which n8n counts from 0', () => {
		expect(checkSetUp({ workflows: [{ name: '', nodes: 'odd' }] })).toMatchObject([
			{ matter: 'noWorkflows' },
			{ matter: 'unreadableWorkflow', where: 'workflow 1' },
		]);
	});

	test('of any kind never stop the check', () => {
		const anyNode = fc.oneof(
			fc.jsonValue(),
			fc.record(
				{
					name: fc.oneof(fc.constantFrom('A', 'B', '__proto__', 'constructor'), fc.jsonValue()),
					type: fc.oneof(
						fc
							.constantFrom('walletService', 'emailSend', 'executeWorkflow', 'wait', 'httpRequest')
							.map((kind) => `${N8N}.${kind}`),
						fc.jsonValue(),
					),
					parameters: fc.oneof(
						fc.record({ operation: fc.constantFrom('createPayout', 'sendAndWait'), options: fc.jsonValue() }),
						fc.record({ workflowId: fc.oneof(fc.constantFrom('A', '__proto__'), fc.jsonValue()) }),
						fc.jsonValue(),
					),
					credentials: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
				},
				{ requiredKeys: [] },
			),
		);
		const anyLinks = fc.dictionary(
			fc.constantFrom('A', 'B', '__proto__'),
			fc.oneof(
				fc.record({ main: fc.array(fc.array(fc.record({ node: fc.constantFrom('A', 'B', '__proto__') }))) }),
				fc.jsonValue(),
			),
		);
		const anyWorkflow = fc.record(
			{
				id: fc.oneof(fc.constantFrom('A', 'B', '__proto__'), fc.jsonValue()),
				...{ name: fc.jsonValue(), active: fc.jsonValue(), settings: fc.jsonValue() },
				nodes: fc.oneof(fc.array(anyNode, { maxLength: 4 }), fc.jsonValue()),
				connections: fc.oneof(anyLinks, fc.jsonValue()),
				activeVersion: fc.jsonValue(),
			},
			{ requiredKeys: [] },
		);
		fc.assert(
			fc.property(fc.array(anyWorkflow, { maxLength: 4 }), fc.string(), (workflows, address) => {
				for (const { where, whatToDo } of checkSetUp({ workflows: workflows as never, address })) {
					expect(where).not.toMatch(/\n/);
					expect(whatToDo).not.toBe('');
				}
			}),
			{ numRuns: 500 },
		);
	});

	test('with a payment that has nothing are never fine, wherever it stands', () => {
		const naked = { operation: 'createPayout' };
		fc.assert(
			fc.property(fc.nat(6), fc.boolean(), (place, isPublished) => {
				const facts = ready();
				const flow = facts.workflows[place]!;
				flow.nodes.push(node('Naked', `${OURS}.walletService`, { ...naked }, { credentials: ACCOUNT }));
				if (!isPublished) Object.assign(flow, { active: false, activeVersionId: null });
				const found = check(facts)
					.filter(({ where }) => where.includes('Naked'))
					.map(({ matter }) => matter);
				expect(found).toEqual(['noPaymentKey', 'noMaximumAmount', 'noMaximumPerDay', 'noAllowedAliases']);
			}),
		);
	});

	test('of 10,000 nodes and of 600 workflows that call each other take seconds', () => {
		const count = 10_000;
		const nodes = Array.from({ length: count }, (_, index) =>
			payment(`N${index}`, 'fiatWallet', 'createPayout', { note: 'x'.repeat(50) }),
		);
		const connections = Object.fromEntries(
			nodes.map(({ name }, index) => [name, { main: [[to(`N${(index + 1) % count}`)]] }]),
		);
		const many = Array.from({ length: 600 }, (_, index) =>
			workflow(`W${index}`, [question(''), call('Call', `W${index + 1}`)], chain('Ask the approver', 'Call')),
		);
		let deep: unknown = 'a@example.com';
		for (let level = 0; level < 100_000; level++) deep = [deep];
		const before = performance.now();
		const left = after((facts) => {
			facts.workflows.push(workflow('Big', nodes, connections), ...many);
			nodeAt(facts, SEND_MAIL).parameters.deep = deep;
		});
		expect(left.map(({ matter }) => matter)).toContain('noMaximumAmount');
		expect(left.find(({ matter }) => matter === 'exampleAddress')?.where).toBe(SEND_MAIL);
		expect(performance.now() - before).toBeLessThan(20_000);
	});
});

test('the tests before have found each matter', () => {
	expect([...found].sort()).toEqual(Object.keys(MATTERS).sort());
});
