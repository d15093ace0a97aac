/** What is left to do before the first live payout, as a function over what n8n and the service say. */
import { readFileSync } from 'node:fs';
import { leftToDo, type Facts } from '../../examples/code/go-live.leftToDo.js';
import { setUp, SETTLED } from '../fixtures/goLive.ts';

type Workflow = Facts['workflows'][number];
type Change = (facts: Facts) => void;

const ACCOUNT = { id: 'live', name: 'Live account' };

/** An example as n8n's API gives it, published. */
function published(file: string): Workflow {
	const { name, nodes } = JSON.parse(readFileSync(`examples/${file}.json`, 'utf8')) as Workflow;
	const [id, versionId] = [file, 'v1'];
	const activeVersion = { nodes, createdAt: '2026-01-01T00:00:00Z' };
	return { id, name, nodes, active: true, versionId, activeVersionId: versionId, activeVersion };
}

/** The examples as they are imported: only what `npm start` publishes is published, and the account is a sandbox. */
const imported = (): Facts => ({
	request: { request: { url: 'http://127.0.0.1:4010/v1/fiat_payout' } },
	accounts: [{ alias: 'acme-main', status: 'Whitelisted' }],
	wallets: [{ alias: 'treasury', status: 'Whitelisted' }],
	workflows: [
		...SETTLED.map(published),
		{ ...published('go-live'), active: false, activeVersionId: null, activeVersion: null },
	],
	executions: [],
	own: 'go-live',
});

/** The same after all that a person does before the first live payout. */
function ready(): Facts {
	const facts = imported();
	return {
		...facts,
		request: { request: { url: 'https://api.wallet.test/v1/fiat_payout' } },
		workflows: facts.workflows.map((workflow) => {
			const { nodes } = setUp(workflow, ACCOUNT);
			const { activeVersion } = workflow;
			for (const { name, parameters } of nodes)
				if (name === 'Book the event') parameters.workflowId = { value: 'book-an-event' };
			return { ...workflow, nodes, activeVersion: activeVersion && { ...activeVersion, nodes } };
		}),
		executions: [{ workflowId: 'deposit-to-item', mode: 'webhook', startedAt: '2026-01-02T00:00:00Z' }],
	};
}

const workflow = ({ workflows }: Facts, id: string) => workflows.find((each) => each.id === id)!;
const node = (facts: Facts, id: string, name: string) =>
	workflow(facts, id).activeVersion!.nodes.find((each) => each.name === name)!;
const options = (facts: Facts, name: string) =>
	node(facts, 'pay-once', name).parameters.options as Record<string, string>;

function after(change: Change) {
	const facts = ready();
	change(facts);
	return leftToDo(facts);
}

test('after the set-up, nothing is left', () => {
	expect(leftToDo(ready())).toEqual([]);
});

test('each matter has what is left and what to do, as sentences', () => {
	for (const { left, whatToDo } of leftToDo(imported()))
		expect([left, whatToDo]).toEqual([
			expect.stringMatching(/^\S.*[.]$/),
			expect.stringMatching(/^\S.*[.]$/),
		]);
});

const omissions: Array<[what: string, left: RegExp, where: string, change: Change]> = [
	[
		'a sandbox',
		/sandbox on this machine: http:\/\/127\.0\.0\.1:4010/,
		'',
		(facts) => (facts.request = { request: { url: 'http://127.0.0.1:4010/v1/fiat_payout' } }),
	],
	[
		'a sandbox by another name',
		/sandbox on this machine/,
		'',
		(facts) => (facts.request = { request: { url: 'https://localhost/v1/fiat_payout' } }),
	],
	[
		'a sandbox at the address of the new Internet protocol',
		/sandbox on this machine/,
		'',
		(facts) => (facts.request = { request: { url: 'http://[::1]:4010/v1/fiat_payout' } }),
	],
	[
		'no credential',
		/credential cannot be used: Node does not have any credentials set/,
		'',
		(facts) => (facts.request = { error: 'Node does not have any credentials set' }),
	],
	[
		'no address',
		/credential cannot be used/,
		'',
		(facts) => (facts.request = { result: 'notSent', error: { message: 'Base URL is empty' } }),
	],
	[
		'accounts that cannot be read',
		/settlement accounts cannot be read: The service answered 401/,
		'',
		(facts) => (facts.accounts = [{ error: { message: 'The service answered 401' } }]),
	],
	[
		'wallets that cannot be read',
		/settlement wallets cannot be read: The service answered 404/,
		'',
		(facts) => (facts.wallets = [{ error: { message: 'The service answered 404' } }]),
	],
	['no approved wallet', /No settlement wallet is approved/, '', (facts) => (facts.wallets = [])],
	[
		'accounts under review',
		/No settlement account is approved/,
		'',
		(facts) => (facts.accounts = [{ alias: 'acme-main', status: 'Pending' }]),
	],
	[
		'accounts with other names of fields',
		/list of settlement accounts has no field alias and no field status/,
		'',
		(facts) => (facts.accounts = [{ nickname: 'acme-main', state: 'Whitelisted' }]),
	],
	[
		'workflows that cannot be read',
		/n8n does not show its workflows: Forbidden/,
		'',
		(facts) => (facts.workflows = [{ error: { message: 'Forbidden' } } as never]),
	],
	[
		'executions that cannot be read',
		/n8n does not show its executions: Forbidden/,
		'',
		(facts) => (facts.executions = [{ error: 'Forbidden' }]),
	],
	[
		'an unpublished watch',
		/Not published/,
		'watch',
		(facts) => {
			workflow(facts, 'watch').active = false;
		},
	],
	[
		'a missing proof',
		/Not published/,
		'morning proof',
		(facts) => {
			facts.workflows = facts.workflows.filter(({ id }) => id !== 'morning-proof');
		},
	],
	[
		'a change that is not published',
		/changes that are not published/,
		'pay once',
		(facts) => (workflow(facts, 'pay-once').versionId = 'v2'),
	],
	[
		'another credential',
		/Another credential/,
		'pay once: Pay coins',
		(facts) => {
			node(facts, 'pay-once', 'Pay coins').credentials!.walletServiceApi!.id = 'sandbox';
		},
	],
	[
		'a credential that was not chosen',
		/Another credential/,
		'deposit arrives: Wallet Service Trigger',
		(facts) => {
			node(facts, 'deposit-to-item', 'Wallet Service Trigger').credentials!.walletServiceApi!.id = null;
		},
	],
	[
		'the mailbox of the sandbox',
		/mailbox of the sandbox/,
		'watch: Send mail',
		(facts) => (node(facts, 'watch', 'Send mail').credentials!.smtp!.name = 'Mailbox (sandbox)'),
	],
	[
		'no mail server',
		/mailbox of the sandbox, or none/,
		'watch: Send mail',
		(facts) => (node(facts, 'watch', 'Send mail').credentials = {}),
	],
	[
		'no largest amount',
		/No Maximum Amount/,
		'pay once: Pay fiat',
		(facts) => delete options(facts, 'Pay fiat').maximumAmount,
	],
	[
		"the example's largest amount",
		/Maximum Amount of the example/,
		'pay once: Pay fiat',
		(facts) => (options(facts, 'Pay fiat').maximumAmount = '500000'),
	],
	[
		"the example's largest amount of coins",
		/Maximum Amount of the example/,
		'pay once: Pay coins',
		(facts) => (options(facts, 'Pay coins').maximumAmount = '1000'),
	],
	[
		'no limit for a day',
		/No Maximum Payments per Day/,
		'pay once: Pay coins',
		(facts) => (options(facts, 'Pay coins').maximumPerDay = ' '),
	],
	[
		'no aliases',
		/No Allowed Aliases/,
		'pay once: Pay fiat',
		(facts) => (options(facts, 'Pay fiat').allowedAliases = ''),
	],
	[
		'an alias that is not approved',
		/not approved: acme-other/,
		'pay once: Pay fiat',
		(facts) => (options(facts, 'Pay fiat').allowedAliases = 'acme-main, acme-other'),
	],
	[
		'an account as the wallet',
		/not approved: acme-main/,
		'pay once: Pay coins',
		(facts) => (options(facts, 'Pay coins').allowedAliases = 'acme-main'),
	],
	[
		'no key',
		/No Payment Key/,
		'pay once: Pay fiat',
		(facts) => (node(facts, 'pay-once', 'Pay fiat').parameters.paymentKey = ''),
	],
	[
		"the example's mail",
		/address of the example/,
		'watch: Send mail',
		(facts) => (node(facts, 'watch', 'Send mail').parameters.toEmail = 'finance@example.com'),
	],
	[
		"the example's approver",
		/address of the example/,
		'payouts from a file 1, upload and check: Upload payouts',
		(facts) => {
			const file = 'payouts-file-1-check';
			const original = published(file).nodes.find(({ name }) => name === 'Upload payouts')!;
			node(facts, file, 'Upload payouts').parameters = original.parameters;
		},
	],
	[
		"the example's chat",
		/address of the example/,
		'watch: Post to chat',
		(facts) => (node(facts, 'watch', 'Post to chat').disabled = false),
	],
	[
		'deliveries of anyone',
		/takes deliveries from anyone/,
		'deposit arrives: Wallet Service Trigger',
		(facts) => (node(facts, 'deposit-to-item', 'Wallet Service Trigger').parameters.verification = 'none'),
	],
	[
		'events that nobody books',
		/not handed to \*book an event\*/,
		'',
		(facts) => (node(facts, 'deposit-to-item', 'Book the event').disabled = true),
	],
	['no event', /No event has arrived/, 'deposit arrives', (facts) => (facts.executions = [])],
	[
		'an event from before the last change',
		/No event has arrived/,
		'deposit arrives',
		(facts) => (workflow(facts, 'deposit-to-item').activeVersion!.createdAt = '2026-01-03T00:00:00Z'),
	],
	[
		'an execution by hand only',
		/No event has arrived/,
		'deposit arrives',
		(facts) => (facts.executions[0]!.mode = 'manual'),
	],
];

test.each(omissions)('%s is named, and nothing else', (_, left, where, change) => {
	const told = after(change);
	expect(told.map((matter) => matter.left)).toEqual([expect.stringMatching(left)]);
	expect(told[0]!.where).toBe(where);
});

test('the limits and destinations that the examples have are named as theirs', () => {
	const told = leftToDo(imported());
	const of = (left: string) => told.find((matter) => matter.left.startsWith(left))?.where;
	expect(of('The Maximum Amount of the example')).toBe('pay once: Pay fiat; pay once: Pay coins');
	expect(told.map(({ left }) => left).join(' ')).toContain(
		'not approved: supplier-main, supplier-new, supplier-usd.',
	);
});

test('an expression is a choice of its author', () => {
	expect(
		after((facts) => {
			Object.assign(options(facts, 'Pay fiat'), {
				maximumAmount: '={{ $json.most }}',
				allowedAliases: '={{ $json.aliases }}',
				maximumPerDay: '={{ 9 }}',
			});
		}),
	).toEqual([]);
});

test('an alias in quotes and a status in other letters are read as the node reads them', () => {
	expect(
		after((facts) => {
			facts.accounts.push({ alias: 'Acme, Inc', status: 'WHITELISTED' });
			options(facts, 'Pay fiat').allowedAliases = '"Acme, Inc", acme-main';
		}),
	).toEqual([]);
});

test('who pays no coins needs no wallet', () => {
	expect(
		after((facts) => {
			facts.wallets = [{ error: { message: 'The service answered 404' } }];
			node(facts, 'pay-once', 'Pay coins').disabled = true;
		}),
	).toEqual([]);
});

test('without any workflow, each that must be there is named', () => {
	const told = after((facts) => (facts.workflows = []));
	expect(told.map(({ where }) => where)).toContain(
		'pay once; deposit arrives; book an event; morning proof; watch',
	);
});

test('a trigger in a workflow of another name counts, and so does another workflow that pays', () => {
	expect(
		after((facts) => {
			workflow(facts, 'deposit-to-item').name = 'Our events';
			workflow(facts, 'pay-once').name = 'Our payments';
		}),
	).toEqual([]);
});

test('this workflow itself is not looked at', () => {
	expect(
		after((facts) => {
			const own = workflow(facts, 'go-live');
			const { nodes } = published('go-live');
			Object.assign(own, { active: true, activeVersion: { nodes, createdAt: '2026-01-01T00:00:00Z' } });
		}),
	).toEqual([]);
});

test('a workflow without the service is nobody else’s business', () => {
	expect(
		after((facts) => {
			const other = { ...published('watch'), id: 'other', name: 'Newsletter' };
			const mail = other.nodes.filter(({ name }) => name === 'Send mail');
			facts.workflows.push({
				...other,
				nodes: mail,
				activeVersion: { ...other.activeVersion!, nodes: mail },
			});
		}),
	).toEqual([]);
});
