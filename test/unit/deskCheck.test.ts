/** What is left to do before the first live payout, as far as n8n's workflows say it. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { CATALOG } from '../../api/catalog.ts';
import { exampleNames } from '../../host/examples.ts';
import { DESK_OPERATIONS } from '../../nodes/WalletServiceDesk/operations.ts';
import { checkWorkflows } from '../../nodes/WalletServiceDesk/workflows/check.ts';
import { FINDINGS, NOTHING_IS_LEFT, WORKFLOWS } from '../../nodes/WalletServiceDesk/workflows/messages.ts';
import { RULES } from '../../nodes/WalletServiceDesk/workflows/rules.ts';
import { expectGrowthWith } from './growth.ts';

interface Node {
	name: string;
	type: string;
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string | null; name: string }>;
	disabled?: boolean;
	retryOnFail?: boolean;
	typeVersion?: number;
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
	name,
	type,
	parameters,
	...more,
});
const workflow = (id: string, nodes: Node[], connections: object, more: object = {}): Workflow => ({
	id,
	name: id,
	active: true,
	versionId: 'v1',
	activeVersionId: 'v1',
	nodes,
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
/** A page that asks for a password. */
const question = (change: object = {}, typeVersion = 1.1) =>
	node(
		'Ask the approver',
		`${N8N}.wait`,
		{ resume: 'form', incomingAuthentication: 'basicAuth', ...change },
		{ typeVersion, credentials: { httpBasicAuth: { id: 'approver', name: 'Approver' } } },
	);
/** A question by Send and Wait. */
const sent = (responseType?: string) =>
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

/** The rules by what they say, so that a test names the rule, whatever its words. */
const ruleOf = new Map<string, string>([
	...Object.entries(FINDINGS).map(([rule, { finding }]) => [finding, rule] as const),
	[WORKFLOWS.haveNoNodeOfOurs.finding, 'noWorkflows'],
]);

/** The rules that the tests of this file have seen at work. */
const found = new Set<string>();
/** What is left, with the name of each rule. */
const left = (workflows: unknown[], address?: string) =>
	checkWorkflows(workflows as IDataObject[], address)
		.filter(({ finding }) => finding !== NOTHING_IS_LEFT.finding)
		.map((each) => ({ rule: ruleOf.get(each.finding) ?? each.finding, ...each }));
const check = ({ workflows, address }: Facts) => {
	const findings = left(workflows, address);
	for (const { rule } of findings) found.add(rule);
	return findings;
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
function expectLeft(change: Change, rule: string, where: string) {
	const all = after(change);
	expect(all.map((each) => `${each.rule} in ${each.where}`)).toEqual([`${rule} in ${where}`]);
	expect(all[0]!.finding).toMatch(/^\S.*[.]$/);
	expect(all[0]!.whatToDo).toMatch(/^\S.*[.]$/);
}

const PAY_FIAT = 'Pay once: Pay fiat';
const PAY_COINS = 'Pay once: Pay coins';
const TRIGGER = 'Deposit arrives: Events';
const SEND_MAIL = 'Deposit arrives: Send mail';
const ASK = 'Ask and pay: Ask the approver';
const CALL = 'Ask and pay: Pay';

const parameters = (change: object) => (each: Node) => Object.assign(each.parameters, change);
const becomes = (other: Node) => (each: Node) => Object.assign(each, other);
const options = (change: object) => (each: Node) => Object.assign(each.parameters.options as object, change);
const of = (id: string, change: object) => (facts: Facts) => Object.assign(flowOf(facts, id), change);
const settings = (change: object) => (facts: Facts, id: string) =>
	Object.assign(flowOf(facts, id).settings, change);

test('when all is done, one item says that nothing is left', () => {
	expect(checkWorkflows(ready().workflows as unknown as IDataObject[], ready().address)).toEqual([
		{
			finding: 'Nothing is left here.',
			where: '',
			whatToDo: 'Make the first live payout small, and look it up at the service.',
		},
	]);
});

describe('workflows as a whole', () => {
	test.each([
		['No', 'n8n does not show its workflows: No.'],
		[{ message: 'Not found!' }, 'n8n does not show its workflows: Not found!'],
		[{}, 'n8n does not show its workflows: it gives no reason.'],
	])('that cannot be read are named: %j', (error, finding) => {
		const whatToDo = expect.stringMatching(/^In n8n, open Settings/) as string;
		expect(checkWorkflows([{ error } as IDataObject])).toEqual([{ finding, where: '', whatToDo }]);
	});

	test.each<[what: string, workflows: unknown[]]>([
		['no item', []],
		['the item that n8n gives in place of none', [{}]],
		['only others', ready().workflows.filter(({ id }) => id === 'Newsletter')],
	])('with %s are no proof that nothing is left', (_, workflows) => {
		expect(left(workflows)).toMatchObject([{ rule: 'noWorkflows', where: '' }]);
	});
});

/** The old cases of go live, and the ones that any workflow can have. */
test.each<[what: string, rule: string, where: string, change: (node: Node) => unknown]>([
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
	...[
		'={{ $now }}',
		'=INV-{{ $now.toISO() }}',
		'={{ $now.toMillis() }}',
		'={{ $now.toUnixInteger() }}',
		'={{ new Date() }}',
		'={{ new Date().getTime() }}',
		'={{ new Date().toISOString() }}',
		"={{ $execution['id'] }}",
		'={{ $executionId }}',
		'={{ $execution.resumeUrl }}',
	].map((paymentKey): [string, string, string, (each: Node) => unknown] => [
		`the key ${paymentKey}`,
		'paymentKeyOfRun',
		PAY_FIAT,
		parameters({ paymentKey }),
	]),
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
	['the link of an approval', 'answeredByLink', ASK, becomes(sent('approval'))],
	['a kind of answer that n8n takes by default', 'answeredByLink', ASK, becomes(sent())],
	[
		'a kind of answer that an expression decides about',
		'answeredByLink',
		ASK,
		becomes(sent('={{ $json.x }}')),
	],
	['a form of Send and Wait', 'noPassword', ASK, becomes(sent('customForm'))],
	['a page without a password', 'noPassword', ASK, becomes(question({ incomingAuthentication: 'none' }))],
	['a page as n8n makes it', 'noPassword', ASK, becomes(question({ incomingAuthentication: undefined }))],
	['a page of an old Wait, which asks for none', 'noPassword', ASK, becomes(question({}, 1))],
	[
		'a call without a password that resumes',
		'noPassword',
		ASK,
		becomes(question({ resume: 'webhook', httpMethod: 'POST', incomingAuthentication: 'none' })),
	],
])('%s is named, and nothing else', (_, rule, where, change) => {
	expectLeft((facts) => change(nodeAt(facts, where === 'Pay once' ? PAY_COINS : where)), rule, where);
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

test.each<[what: string, inputs: object, rule: string]>([
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
	['a name that the item has', { approvedBy: '={{ $json.name }}' }, 'decisionByModel'],
	['a name by an item link', { approvedBy: "={{ $('Form').item.json.name }}" }, 'decisionByModel'],
	['an amount that the item has', { amount: '={{ $json.amount }}' }, 'inputByItem'],
	['an amount of the input', { amount: '={{ $input.first().json.amount }}' }, 'inputByItem'],
	['an amount by an item link', { amount: "={{ $('Form').item.json.amount }}" }, 'inputByItem'],
	['an amount of a file', { amount: '={{ $binary.data.fileName }}' }, 'inputByItem'],
	['an amount of a node', { amount: "={{ $('Form').first().json.amount }}" }, ''],
	['a text that is no expression', { note: 'See $json.amount' }, ''],
	['an amount of the model', { amount: "={{ $fromAI('amount') }}" }, ''],
])('a tool with %s', (_, value, rule) => {
	const change = callWith(value, '@n8n/n8n-nodes-langchain.toolWorkflow');
	if (rule !== '') return expectLeft(change, rule, CALL);
	expect(after(change)).toEqual([]);
});

test.each<[what: string, rule: string, where: string, change: Change]>([
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
])('%s is named, and nothing else', (_, rule, where, change) => expectLeft(change, rule, where));

test.each(['https://host.test/n8n/', 'host.test:5678/n8n'])(
	'at the address %s, a question with a link that is signed is named, and no other one',
	(address) => {
		const at = (facts: Facts) => Object.assign(facts, { address });
		expect(after(at)).toEqual([]);
		const rules = after((facts) => becomes(sent('customForm'))(nodeAt(at(facts), ASK)));
		expect(rules.map(({ rule, where }) => `${rule} in ${where}`)).toEqual([
			`noPassword in ${ASK}`,
			`addressWithPath in ${ASK}`,
		]);
	},
);

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

	test.each([
		'"approvedBy": "={{ $json.approvedBy }}"',
		`"approvedBy": "={{ $json['approvedBy'] }}"`,
		'"approvedBy": "={{ $input.item.json.approvedBy.trim() }}"',
	])('is not set by what the row itself says: %s', (fields) =>
		expectLeft(list([sheet, approve(fields)]), 'unreadRows', 'List: Sheet'),
	);

	test.each(['googleSheets', 'dataTable', 'formTrigger', 'webhook', 'airtable', 'extractFromFile'])(
		'as %s has it is named',
		(kind) =>
			expectLeft(list([node('Rows', `${N8N}.${kind}`), approve('"note": 1')]), 'unreadRows', 'List: Rows'),
	);

	/** The rows come from another workflow. */
	const called =
		(inputs: object, ...more: Node[]): Change =>
		({ workflows }) => {
			list([whenCalled()])({ workflows });
			const calls = call('Pay them', 'List');
			Object.assign(calls.parameters, { workflowInputs: { value: inputs } });
			const all = [sheet, ...more, calls];
			workflows.push(workflow('Sheets', all, chain(...all.map(({ name }) => name))));
		};

	test.each<[what: string, inputs: object]>([
		['the whole row', {}],
		['the approver of the row', { approvedBy: '={{ $json.approvedBy }}' }],
	])('in a workflow that gets %s of a sheet is named', (_, inputs) => {
		expect(after(called(inputs)).map(({ rule, where }) => [rule, where])).toContainEqual([
			'unreadRows',
			'Sheets: Sheet',
		]);
	});

	test.each<[what: string, inputs: object, more: Node[]]>([
		['no approver', { amount: '={{ $json.amount }}' }, []],
		['the answer of a person', { approvedBy: "={{ $('Ask').first().json.data.Name }}" }, []],
		['rows that were read', {}, [readList({})]],
	])('in a workflow that gets %s is not', (_, inputs, more) => {
		expect(after(called(inputs, ...more)).map(({ rule }) => rule)).not.toContain('unreadRows');
	});

	test('of which one way passes Read and another one does not is named', () => {
		expectLeft(
			(facts) => {
				list([sheet, readList({ resource: 'list', operation: 'read' })])(facts);
				flowOf(facts, 'List').connections.Sheet = { main: [[to('Read'), to('Pay List')]] };
			},
			'unreadRows',
			'List: Sheet',
		);
	});

	test.each<[string, object | undefined, boolean]>([
		['the same number', { code: 'ngn', secondApprovalAbovePerDay: '100000.00' }, false],
		['another number', { code: 'NGN', secondApprovalAbovePerDay: '100001' }, true],
		['none', { code: 'NGN', secondApprovalAbovePerDay: '' }, true],
		['one of another code', { code: 'USD', secondApprovalAbovePerDay: '100000' }, true],
		['no limits', undefined, true],
	])('whose page asks a second person above a sum needs it for a day, too: %s', (_, limit, isNamed) => {
		const above =
			(options: object): Change =>
			(facts) => {
				const own = limit === undefined ? {} : { limits: { limit: [{ ...entry, ...limit }] } };
				list([start], { options: {}, ...own })(facts);
				const parameters = { resource: 'list', operation: 'report', options };
				const page = node('Page', `${OURS}.walletServiceDesk`, parameters, {
					credentials: structuredClone(ACCOUNT),
				});
				facts.workflows.push(
					workflow('Asks', [start, page, call('Call list', 'List')], chain(start.name, 'Page', 'Call list')),
				);
			};
		const named = (options: object) => after(above(options)).filter(({ rule }) => rule === 'otherSums');
		const sums = { secondApprovalAbove: { sum: [{ code: 'NGN', amount: '100000' }] } };
		expect(named(sums).map(({ where }) => where)).toEqual(isNamed ? ['Asks: Page'] : []);
		expect(named({})).toEqual([]);
	});

	test('whose rows wait for approvals needs no limit for a day', () => {
		expect(after(list([start], { options: {} }))).toEqual([]);
	});

	test('only as a dry run is no danger', () => {
		const options = { maximumPerDay: '20', dryRun: true };
		expect(after(list([sheet], { options })).map(({ rule }) => rule)).toEqual([]);
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
		['no limit for a day', 'noMaximumPerDay', { options: { needsApproval: false } }],
	])('with %s is named', (_, rule, more) => {
		const found = after(list([start], more));
		expect(found.map((each) => each.rule)).toContain(rule);
		expect(new Set(found.map(({ where }) => where))).toEqual(new Set([PAY_LIST]));
	});
});

describe('a disabled node', () => {
	const off = (place: string) => (facts: Facts) => Object.assign(nodeAt(facts, place), { disabled: true });
	const withStep =
		(step: Node): Change =>
		(facts) => {
			const flow = flowOf(facts, 'Ask and pay');
			flow.nodes.push({ ...step, name: 'Step', disabled: true });
			flow.connections = chain('When called', 'Check', 'Ask the approver', 'Step', 'Pay');
		};
	const desk = (resource: string, operation: string) =>
		node('Step', `${OURS}.walletServiceDesk`, { resource, operation });

	test.each<[what: string, rule: string, where: string, change: Change]>([
		['that asks before a payment', 'disabledBeforePayment', ASK, off(ASK)],
		['that checks a payment', 'disabledBeforePayment', 'Ask and pay: Check', off('Ask and pay: Check')],
		['that reads a list', 'disabledBeforePayment', 'Ask and pay: Step', withStep(desk('list', 'read'))],
		['that forks', 'disabledBeforePayment', 'Ask and pay: Step', withStep(node('Step', `${N8N}.if`))],
		['that pays', 'disabledAction', PAY_COINS, off(PAY_COINS)],
		['that calls what pays', 'disabledAction', CALL, off(CALL)],
		[
			'that makes rows of the book',
			'disabledAction',
			'Ask and pay: Step',
			withStep(desk('book', 'makeRows')),
		],
		[
			'that writes into a table',
			'disabledAction',
			'Ask and pay: Step',
			withStep(node('Step', `${N8N}.dataTable`)),
		],
	])('%s is named', (_, rule, where, change) => expectLeft(change, rule, where));

	test.each<[what: string, change: Change]>([
		['that reads a table', withStep(node('Step', `${N8N}.dataTable`, { operation: 'get' }))],
		['that reads a sheet, by default', withStep(node('Step', `${N8N}.googleSheets`))],
		[
			'that makes a table',
			withStep(node('Step', `${N8N}.dataTable`, { resource: 'table', operation: 'create' })),
		],
		['that does nothing', withStep(node('Step', `${N8N}.noOp`))],
		['that sends a mail', off(SEND_MAIL)],
		[
			'that nothing leads to',
			(facts) => flowOf(facts, 'Pay once').nodes.push({ ...question(), disabled: true }),
		],
		[
			'that forks where no money is',
			(facts) => {
				const flow = flowOf(facts, 'Deposit arrives');
				flow.nodes.push(node('Fork', `${N8N}.if`, {}, { disabled: true }));
				flow.connections = chain('Events', 'Fork', 'Send mail');
			},
		],
	])('%s is not', (_, change) => expect(after(change)).toEqual([]));
});

describe('an operation of the desk', () => {
	const desk = (resource: string, operation: string, more: object, credentials?: object) => (facts: Facts) =>
		flowOf(facts, 'Request').nodes.push(
			node(
				'Desk',
				`${OURS}.walletServiceDesk`,
				{ resource, operation, ...more },
				credentials && { credentials },
			),
		);
	const LOW = { minimums: { asset: [{ code: 'NGN', minimum: '100' }] } };

	test.each<[operation: string, more: object]>([
		['list.read', {}],
		['list.read', { options: { checkDestinations: '={{ $json.x }}' } }],
		['list.report', {}],
		['book.reconcile', {}],
		['book.findAlerts', LOW],
		['list.={{ $json.x }}', {}],
	])('that asks the service needs a credential: %s %j', (id, more) => {
		const [resource, operation] = id.split(/\.(.*)/) as [string, string];
		expectLeft(desk(resource, operation, more), 'noCredential', 'Request: Desk');
		expect(after(desk(resource, operation, more, structuredClone(ACCOUNT)))).toEqual([]);
	});

	test.each<[operation: string, more: object]>([
		['list.read', { options: { checkDestinations: false } }],
		['list.readDecisions', {}],
		['book.makeRows', {}],
		['book.findAlerts', {}],
		['workflows.check', {}],
	])('that asks nobody needs none: %s %j', (id, more) => {
		const [resource, operation] = id.split('.') as [string, string];
		expect(after(desk(resource, operation, more))).toEqual([]);
	});

	test('asks the service where the desk node says that it does', () => {
		for (const { id, resource, operation, asksService } of DESK_OPERATIONS) {
			const settings = typeof asksService === 'object' ? Object.keys(asksService.unless) : [];
			const findings = after(desk(resource, operation, settings.includes('minimums') ? LOW : {}));
			expect([id, findings.length > 0]).toEqual([id, asksService !== false]);
		}
	});

	test('is Read by default', () => {
		const change = (facts: Facts) =>
			flowOf(facts, 'Request').nodes.push(node('Desk', `${OURS}.walletServiceDesk`));
		expectLeft(change, 'noCredential', 'Request: Desk');
	});
});

describe('a trigger that answers when the workflow finishes', () => {
	const late = (facts: Facts) =>
		(nodeAt(facts, TRIGGER).parameters.options = { acknowledge: 'whenFinished' });
	const before =
		(step: Node, more: Change = () => {}): Change =>
		(facts) => {
			late(facts);
			const flow = flowOf(facts, 'Deposit arrives');
			flow.nodes.push(step);
			flow.connections = chain('Events', 'Send mail', step.name);
			more(facts);
		};
	const wait = node('Wait', `${N8N}.wait`, { resume: 'timeInterval' });
	const start = (more: object = {}) => {
		const calls = call('Call', 'Ask and pay');
		Object.assign(calls.parameters, more);
		return calls;
	};

	test.each<[string, Node]>([
		['a question', question()],
		['a Wait', wait],
		['a call of what asks', start()],
	])('before %s is named', (_, step) => expectLeft(before(step), 'answeredBeforeQuestion', TRIGGER));

	test.each<[string, Change]>([
		['without a question', late],
		['before a call that it does not wait for', before(start({ options: { waitForSubWorkflow: false } }))],
		['before a call of what only pays', before(call('Call', 'Pay once'))],
		['at once', before(question(), (facts) => (nodeAt(facts, TRIGGER).parameters.options = {}))],
	])('%s is not', (_, change) => expect(after(change)).toEqual([]));
});

describe('a model', () => {
	const agent = node('Agent', '@n8n/n8n-nodes-langchain.agent');
	const server = (parameters: object) =>
		node('Agent', '@n8n/n8n-nodes-langchain.mcpTrigger', { ...parameters });
	const closed = server({ authentication: 'bearerAuth' });
	const review = node('Review', `${N8N}.slackHitlTool`, { responseType: 'customForm' });
	const payTool = { ...payment('Tool', 'fiatWallet', 'createPayout'), type: `${OURS}.walletServiceTool` };
	const callTool = (id: string, inputs: object = {}) =>
		node('Tool', '@n8n/n8n-nodes-langchain.toolWorkflow', {
			workflowId: { __rl: true, mode: 'list', value: id },
			workflowInputs: { value: inputs },
		});
	const has =
		(tool: Node, root = agent, between?: Node): Change =>
		({ workflows }) => {
			const way = [tool, ...(between === undefined ? [] : [between]), root].map(({ name }) => name);
			const pairs = way.slice(0, -1).map((name, i) => [name, { ai_tool: [[to(way[i + 1]!, 'ai_tool')]] }]);
			const nodes = [root, tool, ...(between === undefined ? [] : [between])];
			workflows.push(workflow('Chat', nodes, Object.fromEntries(pairs) as object));
		};
	/** Its payments wait for a name, as those of the example pay once do. */
	const waiting = (facts: Facts) => {
		for (const place of [PAY_FIAT, PAY_COINS])
			options({ approvedBy: '={{ $json.approvedBy }}', dryRun: '={{ !$json.approvedBy }}' })(
				nodeAt(facts, place),
			);
	};
	const after2 =
		(...changes: Change[]) =>
		(facts: Facts) =>
			changes.forEach((change) => change(facts));

	test.each<[what: string, change: Change]>([
		['by the node as a tool', has(payTool)],
		['by the node as a tool of an MCP server', has(payTool, closed)],
		['by a workflow tool', has(callTool('Pay once'))],
		['by a workflow tool of an MCP server', has(callTool('Pay once'), closed)],
		['by a tool that enters the name', after2(waiting, has(callTool('Pay once', { approvedBy: 'Chat' })))],
		[
			'by a workflow that calls the one that pays',
			after2(
				({ workflows }) =>
					workflows.push(
						workflow('Hand on', [whenCalled(), call('Go', 'Pay once')], chain('When called', 'Go')),
					),
				has(callTool('Hand on')),
			),
		],
	])('that pays %s is named', (_, change) => expectLeft(change, 'paidByModel', 'Chat: Tool'));

	test('whose tool waits for the approval of n8n, and calls what pays, is named', () => {
		const placesIn = (change: Change) =>
			after(change).flatMap(({ rule, where }) => (rule === 'reviewedByN8n' ? [where] : []));
		expect(placesIn(has(callTool('Pay once'), agent, review))).toEqual(['Chat: Tool']);
		expect(placesIn(has(callTool('Ask and pay'), agent, review))).toEqual([]);
	});

	test.each([{}, { authentication: 'none' }])(
		'of anyone who knows the address of an MCP server, %j, is named',
		(open) => expectLeft(has(callTool('Ask and pay'), server(open)), 'openMcpServer', 'Chat: Agent'),
	);

	test.each<[what: string, tool: Node, root: Node]>([
		['with a password', callTool('Ask and pay'), closed],
		['whose tool pays nothing', callTool('Errors'), server({})],
	])('of an MCP server %s is not', (_, tool, root) => expect(after(has(tool, root))).toEqual([]));

	const tool = (kind: string, parameters: object, credentials = {}) =>
		node('Tool', `${N8N}.${kind}`, { ...parameters }, { credentials });
	const KEY = { n8nApi: { id: 'key', name: 'Key of n8n' } };

	test.each<[what: string, tool: Node]>([
		['n8n with its key', tool('n8nTool', { resource: 'execution' }, KEY)],
		['a request with its key', tool('httpRequestTool', { url: 'https://acme.test/' }, KEY)],
		['a request to its address', tool('httpRequestTool', { url: 'https://n8n.acme.test/api/v1/executions' })],
		['a request on its machine', tool('toolHttpRequest', { url: 'http://localhost:5678/rest' })],
		['a request to wherever a model says', tool('httpRequestTool', { url: "={{ $fromAI('url') }}" })],
		['a client of its MCP', tool('mcpClientTool', { endpointUrl: 'https://n8n.acme.test/mcp-server/http' })],
	])('that can reach n8n itself is named: by %s', (_, each) =>
		expectLeft(has(each), 'keyOfN8n', 'Chat: Tool'),
	);

	test('beside a key of n8n is named, and a key without a model is not', () => {
		const key = node('n8n', `${N8N}.n8n`, {}, { credentials: KEY });
		const beside: Change = (facts) => {
			has(callTool('Ask and pay'))(facts);
			flowOf(facts, 'Chat').nodes.push(key);
		};
		expectLeft(beside, 'keyOfN8n', 'Chat: n8n');
		expect(after((facts) => flowOf(facts, 'Go live').nodes.push(key))).toEqual([]);
	});

	test.each<[what: string, tool: Node]>([
		['elsewhere', tool('httpRequestTool', { url: 'https://acme.test/rates' })],
		['with a path by a model', tool('httpRequestTool', { url: "=https://acme.test/{{ $fromAI('path') }}" })],
	])('that sends requests %s is not', (_, each) => expect(after(has(each))).toEqual([]));

	test.each<[what: string, change: Change]>([
		['reads only', has({ ...payTool, parameters: { resource: 'settlementAccount', operation: 'getAll' } })],
		[
			'only checks',
			has({ ...payTool, parameters: { ...payTool.parameters, options: { ...LIMITS, dryRun: true } } }),
		],
		['calls what asks a person', has(callTool('Ask and pay'))],
		['calls what waits for a name', after2(waiting, has(callTool('Pay once')))],
		['calls what pays nothing', has(callTool('Errors'))],
		['belongs to no agent', ({ workflows }) => workflows.push(workflow('Chat', [agent, payTool], {}))],
	])('whose tool %s is not', (_, change) => expect(after(change)).toEqual([]));

	test('whose tool is reviewed by a person pays only after an answer, for which nobody needs a password', () =>
		expectLeft(has(payTool, agent, review), 'noPassword', 'Chat: Review'));
});

test('models may run a workflow that pays nothing', () => {
	expect(after((facts) => settings({ availableInMCP: true })(facts, 'Deposit arrives'))).toEqual([]);
	expect(after((facts) => settings({ availableInMCP: false })(facts, 'Pay once'))).toEqual([]);
});

test('an archived workflow is left out', () => {
	const archived = workflow(
		'Old',
		[payment('Pay', 'fiatWallet', 'createPayout', {})],
		{},
		{ isArchived: true },
	);
	expect(after(({ workflows }) => workflows.push(archived))).toEqual([]);
});

test('an error workflow that is not published tells nobody', () => {
	const all = after(of('Errors', { active: false, activeVersionId: null }));
	expect(all.map(({ rule, where }) => [rule, where])).toEqual([
		['noErrorWorkflow', 'Request; Deposit arrives'],
		['notPublished', 'Errors'],
	]);
});

test('what the published version has is looked at, and not what was saved after it', () => {
	const bad = [payment('Pay', 'fiatWallet', 'createPayout', LIMITS, {})].map((each) => ({
		...each,
		parameters: { ...each.parameters, paymentKey: '' },
	}));
	const all = after((facts) => {
		const flow = flowOf(facts, 'Pay once');
		Object.assign(flow, { versionId: 'v2', activeVersion: { nodes: bad, connections: {} } });
	});
	expect(all.map(({ rule, where }) => [rule, where])).toEqual([
		['noPaymentKey', 'Pay once: Pay'],
		['unpublishedChanges', 'Pay once'],
	]);
});

test('one finding names all its places', () => {
	const all = after((facts) => {
		for (const place of [PAY_FIAT, PAY_COINS]) nodeAt(facts, place).parameters.options = {};
	});
	const where = `${PAY_FIAT}; ${PAY_COINS}`;
	expect(all.map((each) => [each.rule, each.where])).toEqual([
		['noMaximumAmount', where],
		['noMaximumPerDay', where],
		['noAllowedAliases', where],
	]);
});

test('of many places three are named and the others counted, and the most dangerous finding comes first', () => {
	const all = after((facts) => {
		const more = Array.from({ length: 5 }, (_, index) =>
			payment(`Pay <b>${index}</b>`, 'fiatWallet', 'createPayout', { ...LIMITS, maximumAmount: '' }),
		);
		flowOf(facts, 'Pay once').nodes.push(...more);
		flowOf(facts, 'Newsletter').nodes.push(payment('Last', 'fiatWallet', 'createPayout'));
		nodeAt(facts, 'Newsletter: Last').parameters.paymentKey = '';
	});
	expect(all.map(({ rule, where }) => [rule, where])).toEqual([
		['noPaymentKey', 'Newsletter: Last'],
		['noMaximumAmount', 'Pay once: Pay <b>0</b>; Pay once: Pay <b>1</b>; Pay once: Pay <b>2</b>; and 2 more'],
		['exampleAddress', 'Newsletter: Send'],
		['notPublished', 'Newsletter'],
	]);
});

describe('what pays', () => {
	const NO_KEY_NO_LIMITS = { options: {}, paymentKey: '' };
	const all = ['noPaymentKey', 'noMaximumAmount', 'noMaximumPerDay', 'noAllowedAliases'];
	const rulesOf = (change: object, type = `${OURS}.walletService`) =>
		after((facts) => {
			const each = nodeAt(facts, PAY_FIAT);
			each.type = type;
			each.parameters = { ...each.parameters, ...NO_KEY_NO_LIMITS, ...change };
		})
			.filter(({ where }) => where === PAY_FIAT)
			.map(({ rule }) => rule);

	test.each<[what: string, change: object, rules: string[]]>([
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
		['an operation that no version has', { resource: 'fiatWallet', operation: 'other' }, []],
	])('has a key and limits: %s', (_, change, rules) => {
		expect(rulesOf(change)).toEqual(rules);
		const ofTool = rulesOf(change, `${OURS}.walletServiceTool`);
		expect(ofTool.filter((rule) => rule !== 'paidByModel')).toEqual(rules);
		expect(ofTool.includes('paidByModel')).toBe(rules.length > 0);
	});

	test('is no node of the desk, whatever its settings say', () => {
		for (const operation of ['read', '={{ $json.operation }}', 'other'])
			expect(rulesOf({ resource: 'list', operation }, `${OURS}.walletServiceDesk`)).toEqual([]);
	});

	test('is a list, which is the default of its resource, and waits for a name', () => {
		const list = { resource: 'payoutList', operation: undefined };
		const rules = ['noMaximumAmount', 'noAllowedAliases'];
		expect(rulesOf(list)).toEqual(rules);
		expect(rulesOf(list, `${OURS}.walletServiceTool`)).toEqual(rules);
		const unasked = { ...list, options: { needsApproval: false } };
		expect(rulesOf(unasked, `${OURS}.walletServiceTool`)).toContain('paidByModel');
	});

	test('is each endpoint that moves money, and no other one', () => {
		const found = CATALOG.filter(({ resource, operation }) => rulesOf({ resource, operation }).length > 0);
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

	const requestOfOther = (change: object) => (facts: Facts) => {
		request(change)(facts);
		Object.assign(flowOf(facts, 'Pay once').nodes.at(-1)!, {
			credentials: { httpHeaderAuth: { id: 'h1', name: 'Header' } },
		});
	};
	test.each([
		['a payout', {}],
		['a payout behind an expression', { url: '={{ $json.base }}/v1/crypto_payout' }],
		['a payout within an expression', { url: "={{ $json.base + '/v1/fiat_payout' }}" }],
		['a conversion', { url: 'https://api.acme.test/v1/instant_conversion?x=1' }],
	])('is also one that money leaves by, under any credential: %s', (_, change) => {
		expectLeft(requestOfOther(change), 'bareRequest', 'Pay once: Request');
	});
	test.each([
		['a read', { url: 'https://api.acme.test/v1/fiat_balance' }],
		['another service', { url: 'https://chat.acme.test/hooks' }],
		['another address that only begins so', { url: 'https://x.acme.test/v1/fiat_payouts' }],
	])('is no request of another credential: %s', (_, change) => {
		expect(after(requestOfOther(change))).toEqual([]);
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
		left.filter(({ rule }) => rule === 'answeredByLink').map(({ where }) => where);
	const pay = () => payment('Pay', 'fiatWallet', 'createPayout');
	const waits = (change: object) => node('Wait', `${N8N}.wait`, { resume: 'webhook', ...change });

	test('are found behind other nodes, disabled ones too', () => {
		const idle = node('Idle', `${N8N}.noOp`, {}, { disabled: true });
		const flow = asking([sent(), idle, pay()], chain('Start', 'Ask the approver', 'Idle', 'Pay'));
		expect(linked(added(flow))).toEqual(['Own: Ask the approver']);
	});

	test('are found in a workflow that is called before the payment', () => {
		const asks = asking([sent()], chain('Start', 'Ask the approver'), 'Asks');
		const pays = asking([call('Ask', 'Asks'), pay()], chain('Start', 'Ask', 'Pay'));
		const tells = asking([pay(), call('Tell', 'Asks')], chain('Start', 'Pay', 'Tell'));
		expect(linked(added(asks, pays))).toEqual(['Asks: Ask the approver']);
		expect(linked(added(asks, tells))).toEqual([]);
	});

	test('are found before a call whose workflow only a run can tell', () => {
		const dynamic = call('Call', '={{ $json.workflow }}');
		const written = node('Call', `${N8N}.executeWorkflow`, { source: 'parameter', workflowJson: '{}' });
		for (const each of [dynamic, written])
			expect(linked(added(asking([sent(), each], chain('Start', 'Ask the approver', 'Call'))))).toEqual([
				'Own: Ask the approver',
			]);
	});

	test('are found before a workflow that calls itself, and pays then', () => {
		const flow = asking([sent(), call('Again', '={{ $workflow.id }}'), pay()], {
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
		const asksFirst = asking([sent(), agent, tool], {
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
		const flow = asking([sent(), mail('Send')], chain('Start', 'Ask the approver', 'Send'));
		expect(added(flow)).toEqual([]);
		// Other workflows go on behind one that the paying ones call, too.
		const log = asking([], {}, 'Log');
		const other = asking([sent(), call('Log it', 'Log')], chain('Start', 'Ask the approver', 'Log it'));
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
	const form = { ...question(), name: 'Form' };
	const rules = (change: Change) => after(change).map(({ rule, where }) => `${rule} in ${where}`);
	const KEY = '={{ $json.key }}';

	test('are named in a loop in which nobody is asked', () => {
		expect(rules(looped(decided, KEY, pause))).toEqual(['unguardedLoop in Loop: Pay']);
		expect(rules(looped({}, '', pause))).toEqual(['noPaymentKey in Loop: Pay', 'unguardedLoop in Loop: Pay']);
	});

	test('are left alone in a loop over items, behind a person, and with a key', () => {
		for (const between of [loop, form, question()]) expect(rules(looped(decided, KEY, between))).toEqual([]);
		expect(rules(looped({}, KEY, pause))).toEqual([]);
	});
});

describe('a dry run', () => {
	const flow = (nodes: Node[], connections: object) => (facts: Facts) =>
		facts.workflows.push(workflow('Try', [node('Start', `${N8N}.manualTrigger`), ...nodes], connections));
	const dry = payment('Check', 'fiatWallet', 'createPayout', { dryRun: true });

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
		expect(left([{ name: '', nodes: 'odd' }])).toMatchObject([
			{ rule: 'noWorkflows' },
			{ rule: 'unreadableWorkflow', where: 'workflow 1' },
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
							.constantFrom(
								'walletService',
								'walletServiceDesk',
								'walletServiceTrigger',
								'walletServiceTool',
								'emailSend',
								'executeWorkflow',
								'executeWorkflowTrigger',
								'toolWorkflow',
								'wait',
								'httpRequest',
								'if',
								'set',
								'dataTable',
							)
							.map((kind) => `${N8N}.${kind}`),
						fc.jsonValue(),
					),
					parameters: fc.oneof(
						fc.record({ operation: fc.constantFrom('createPayout', 'sendAndWait'), options: fc.jsonValue() }),
						fc.record({ workflowId: fc.oneof(fc.constantFrom('A', '__proto__'), fc.jsonValue()) }),
						fc.jsonValue(),
					),
					disabled: fc.oneof(fc.boolean(), fc.jsonValue()),
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
				name: fc.jsonValue(),
				active: fc.jsonValue(),
				settings: fc.jsonValue(),
				nodes: fc.oneof(fc.array(anyNode, { maxLength: 4 }), fc.jsonValue()),
				connections: fc.oneof(anyLinks, fc.jsonValue()),
				activeVersion: fc.jsonValue(),
			},
			{ requiredKeys: [] },
		);
		fc.assert(
			fc.property(fc.array(anyWorkflow, { maxLength: 4 }), fc.string(), (workflows, address) => {
				for (const { finding, where, whatToDo } of checkWorkflows(workflows as never, address)) {
					expect(finding).not.toBe('');
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
					.map(({ rule }) => rule);
				expect(found).toEqual(['noPaymentKey', 'noMaximumAmount', 'noMaximumPerDay', 'noAllowedAliases']);
			}),
		);
	});

	test('take time that grows with the nodes, with the workflows that call each other, and with the depth', async () =>
		await expectGrowthWith(1250, (count) => {
			const nodes = Array.from({ length: count }, (_, index) =>
				payment(`N${index}`, 'fiatWallet', 'createPayout', { note: 'x'.repeat(50) }),
			);
			const connections = Object.fromEntries(
				nodes.map(({ name }, index) => [name, { main: [[to(`N${(index + 1) % count}`)]] }]),
			);
			const many = Array.from({ length: count / 16 }, (_, index) =>
				workflow(`W${index}`, [sent(), call('Call', `W${index + 1}`)], chain('Ask the approver', 'Call')),
			);
			let deep: unknown = 'a@example.com';
			for (let level = 0; level < 10 * count; level++) deep = [deep];
			return () => {
				const all = after((facts) => {
					facts.workflows.push(workflow('Big', nodes, connections), ...many);
					nodeAt(facts, SEND_MAIL).parameters.deep = deep;
				});
				expect(all.map(({ rule }) => rule)).toContain('noMaximumAmount');
				expect(all.find(({ rule }) => rule === 'exampleAddress')?.where).toBe(SEND_MAIL);
			};
		}));
});

/** The examples as a person has them who has chosen what they call and credentials of the live account, and published all. */
test('the examples leave exactly what their notes say', () => {
	const files = exampleNames().map((file) => ({
		file,
		...(JSON.parse(readFileSync(`examples/${file}.json`, 'utf8')) as Workflow),
	}));
	const imported = files.map(({ file, ...flow }) => ({
		...structuredClone(flow),
		id: file,
		active: true,
		versionId: 'v1',
		activeVersionId: 'v1',
	}));
	for (const { nodes } of imported)
		for (const { parameters, credentials = {} } of nodes) {
			for (const chosen of Object.values(credentials)) Object.assign(chosen, { id: 'live', name: 'Live' });
			const called = parameters.workflowId as { value: string; cachedResultName: string } | undefined;
			if (called?.cachedResultName !== undefined)
				called.value = files.find(({ name }) => name === called.cachedResultName)!.file;
		}
	expect(left(imported).map(({ rule, where }) => `${rule}: ${where}`)).toEqual(EXAMPLES);
});

const EXAMPLES = [
	'unreadRows: Payouts from a table: Due rows',
	'paidByModel: Payout by chat: Pay out',
	'openToCallers: Part: carry out; Part: pay once',
	'noMaximumPerDay: Convert when the rate is reached: Convert; Part: from deposit to bank: Convert',
	'noErrorWorkflow: Agent asks for payouts; Convert when the rate is reached; Deposit arrives; and 4 more',
	'exampleAddress: Alerts each hour: Send mail; Part: ask the second: Tell; Part: ask the second: Ask; and 21 more',
];

test('the tests before have found something by each rule', () => {
	expect([...found].sort()).toEqual(Object.keys(RULES).sort());
});
