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

const workflow = ({ workflows }: Facts, file: string) => workflows.find(({ id }) => id === file)!;
/** The node that a matter is about: `workflow: node`. */
const nodeAt = ({ workflows }: Facts, place: string) => {
	const [flow, name] = place.split(': ');
	const { activeVersion } = workflows.find((each) => each.name === `Wallet Service: ${flow}`)!;
	return activeVersion!.nodes.find((node) => node.name === name)!;
};
const PAY_FIAT = 'pay once: Pay fiat';
const PAY_COINS = 'pay once: Pay coins';
const SEND_MAIL = 'watch: Send mail';
const TRIGGER = 'deposit arrives: Wallet Service Trigger';
const UPLOAD = 'payouts from a file 1, upload and check: Upload payouts';

type Node = ReturnType<typeof nodeAt>;
const parameters = (change: object) => (node: Node) => Object.assign(node.parameters, change);
const options = (change: object) => (node: Node) => Object.assign(node.parameters.options as object, change);

function after(change: Change) {
	const facts = ready();
	change(facts);
	return leftToDo(facts);
}

/** After this change only this is left, in this place. */
function expectLeft(change: Change, left: RegExp, where: string) {
	expect(after(change)).toMatchObject([{ left: expect.stringMatching(left), where }]);
}

test('after the set-up, nothing is left', () => {
	expect(leftToDo(ready())).toEqual([]);
});

const refused = (message: string) => [{ error: { message } }];
const [PENDING, RENAMED] = [
	{ alias: 'acme-main', status: 'Pending' },
	{ nickname: 'acme-main', state: 'Whitelisted' },
];
const sandboxAt = (url: string) => ({ request: { request: { url } } });
const byHand = { workflowId: 'deposit-to-item', mode: 'manual', startedAt: '2026-01-02T00:00:00Z' };

test.each<[what: string, left: RegExp, facts: Partial<Facts>, where?: string]>([
	['a sandbox', /sandbox on this machine: http:\/\/127\.0\.0\.1:4010/, sandboxAt('http://127.0.0.1:4010/v1')],
	['a sandbox by another name', /sandbox on this machine/, sandboxAt('https://localhost/v1/fiat_payout')],
	['a sandbox at an IPv6 address', /sandbox on this machine/, sandboxAt('http://[::1]:4010/v1/fiat_payout')],
	['no credential', /credential cannot be used: Node has none/, { request: { error: 'Node has none' } }],
	['no address', /credential cannot be used/, { request: { result: 'notSent', error: refused('Empty')[0] } }],
	['accounts that cannot be read', /settlement accounts cannot be read: No/, { accounts: refused('No') }],
	['no approved wallet', /No settlement wallet is approved/, { wallets: [] }],
	['accounts under review', /No settlement account is approved/, { accounts: [PENDING] }],
	['accounts with other fields', /accounts has no field alias and no field status/, { accounts: [RENAMED] }],
	['workflows that cannot be read', /not show its workflows: No/, { workflows: refused('No') as never }],
	['executions that cannot be read', /not show its executions: No/, { executions: [{ error: 'No' }] }],
	['no event', /No event has arrived/, { executions: [] }, 'deposit arrives'],
	['an execution by hand', /No event has arrived/, { executions: [byHand] }, 'deposit arrives'],
])('%s is named, and nothing else', (_, left, found, where = '') => {
	expectLeft((facts) => Object.assign(facts, found), left, where);
});

const upload = published('payouts-file-1-check').nodes.find(({ name }) => name === 'Upload payouts')!;
const account = (id: string | null) => (node: Node) => (node.credentials!.walletServiceApi!.id = id);
const mailServer = (name: string) => (node: Node) => (node.credentials!.smtp!.name = name);

test.each<[what: string, left: RegExp, where: string, change: (node: Node) => unknown]>([
	['another credential', /Another credential/, PAY_COINS, account('sandbox')],
	['a credential that was not chosen', /Another credential/, TRIGGER, account(null)],
	['the mailbox of the sandbox', /mailbox of the sandbox/, SEND_MAIL, mailServer('Mailbox (sandbox)')],
	['no mail server', /mailbox of the sandbox, or none/, SEND_MAIL, (node) => (node.credentials = {})],
	["the example's mail", /address of the example/, SEND_MAIL, parameters({ toEmail: 'a@example.com' })],
	["the example's approver", /address of the example/, UPLOAD, parameters(upload.parameters)],
	["the example's chat", /address of the example/, 'watch: Post to chat', (node) => (node.disabled = false)],
	['deliveries of anyone', /takes deliveries from anyone/, TRIGGER, parameters({ verification: 'none' })],
	['no key', /No Payment Key/, PAY_FIAT, parameters({ paymentKey: '' })],
	['no largest amount', /No Maximum Amount/, PAY_FIAT, options({ maximumAmount: undefined })],
	[
		"the example's largest amount of coins",
		/Maximum Amount of the ex/,
		PAY_COINS,
		options({ maximumAmount: '1000' }),
	],
	[
		'an alias not approved',
		/not approved: acme-x/,
		PAY_FIAT,
		options({ allowedAliases: 'acme-main, acme-x' }),
	],
	['no limit for a day', /No Maximum Payments per Day/, PAY_COINS, options({ maximumPerDay: ' ' })],
	['no aliases', /No Allowed Aliases/, PAY_FIAT, options({ allowedAliases: '' })],
	[
		'an account as the wallet',
		/not approved: acme-main/,
		PAY_COINS,
		options({ allowedAliases: 'acme-main' }),
	],
])('%s is named, and nothing else', (_, left, where, change) => {
	expectLeft((facts) => change(nodeAt(facts, where)), left, where);
});

const of = (file: string, change: object) => (facts: Facts) => Object.assign(workflow(facts, file), change);

test.each<[what: string, left: RegExp, where: string, change: Change]>([
	['an unpublished watch', /Not published/, 'watch', of('watch', { active: false })],
	['a change that is not published', /are not published/, 'pay once', of('pay-once', { versionId: 'v2' })],
	[
		'an event from before the last change',
		/No event has arrived/,
		'deposit arrives',
		(facts) => (workflow(facts, 'deposit-to-item').activeVersion!.createdAt = '2026-01-03T00:00:00Z'),
	],
	[
		'events that nobody books',
		/not handed to \*book an event\*/,
		'',
		(facts) => (nodeAt(facts, 'deposit arrives: Book the event').disabled = true),
	],
])('%s is named, and nothing else', (_, left, where, change) => expectLeft(change, left, where));

test('the limits and destinations that the examples have are named as theirs', () => {
	const told = leftToDo(imported());
	const limit = told.find(({ left }) => left.startsWith('The Maximum Amount of the example'));
	expect(limit?.where).toBe(`${PAY_FIAT}; ${PAY_COINS}`);
	const all = told.map(({ left }) => left).join(' ');
	expect(all).toContain('not approved: supplier-main, supplier-new, supplier-usd.');
});

test('without any workflow, each that must be there is named', () => {
	const told = after((facts) => (facts.workflows = []));
	expect(told.map(({ where }) => where)).toContain(
		'pay once; deposit arrives; book an event; morning proof; watch',
	);
});

test.each<[what: string, change: Change]>([
	[
		'expressions, which are choices of their author',
		(facts) => {
			const limits = { maximumAmount: '={{ $json.most }}', maximumPerDay: '={{ 9 }}' };
			options({ ...limits, allowedAliases: '={{ $json.aliases }}' })(nodeAt(facts, PAY_FIAT));
		},
	],
	[
		'an alias in quotes and a status in other letters',
		(facts) => {
			facts.accounts.push({ alias: 'Acme, Inc', status: 'WHITELISTED' });
			options({ allowedAliases: '"Acme, Inc", acme-main' })(nodeAt(facts, PAY_FIAT));
		},
	],
	[
		'no wallet, if nobody pays coins',
		(facts) => {
			facts.wallets = refused('No');
			nodeAt(facts, PAY_COINS).disabled = true;
		},
	],
	[
		'a trigger and payments in workflows of other names',
		(facts) => {
			workflow(facts, 'deposit-to-item').name = 'Our events';
			workflow(facts, 'pay-once').name = 'Our payments';
		},
	],
	[
		'what this workflow itself has',
		(facts) => {
			const { active, activeVersion } = published('go-live');
			Object.assign(workflow(facts, 'go-live'), { active, activeVersion });
		},
	],
	[
		'a workflow without the service',
		(facts) => {
			const other = published('watch');
			const nodes = other.nodes.filter(({ name }) => name === 'Send mail');
			const activeVersion = { ...other.activeVersion!, nodes };
			facts.workflows.push({ ...other, id: 'other', name: 'Newsletter', nodes, activeVersion });
		},
	],
])('nothing is left with %s', (_, change) => {
	expect(after(change)).toEqual([]);
});
