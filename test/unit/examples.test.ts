/** Each example has what its nodes know, keys for its payments, the same text for mail and chat, and a canvas to read. */
import { readFileSync } from 'node:fs';
import { examples as exampleFiles, withCode } from '../../examples/code/build.mjs';
import { sameKey } from '../../examples/code/paymentKey.js';
import { WalletService } from '../../nodes/WalletService/WalletService.node.ts';
import { WalletServiceTrigger } from '../../nodes/WalletService/WalletServiceTrigger.node.ts';
import { readKeyText } from '../../nodes/WalletService/shared/paymentKey/keyText.ts';
import { CHARACTERS } from './characters.ts';
import { parametersOf, valueOf } from './exampleNodes.ts';

/** n8n ignores parameters that a node does not have, so an example with such a parameter does not do what it shows. */
const DESCRIPTIONS = [new WalletService().description, new WalletServiceTrigger().description];

interface ExampleNode {
	name: string;
	type: string;
	position: [number, number];
	parameters: Record<string, unknown>;
	typeVersion: number;
	credentials?: Record<string, { name: string }>;
	disabled?: boolean;
	retryOnFail?: boolean;
}

interface Example {
	name: string;
	nodes: ExampleNode[];
	connections: Record<string, Record<string, Array<Array<{ node: string; index: number }>>>>;
}

const read = (file: string) => readFileSync(`examples/${file}`, 'utf8');
const examples = exampleFiles().map((file) => ({ ...(JSON.parse(read(file)) as Example), file }));

const allNodes = examples.flatMap(({ file, nodes }) => nodes.map((node) => ({ file, ...node })));
const ours = allNodes.filter(({ type }) => type.startsWith('n8n-nodes-wallet-service.'));

const descriptionOf = (type: string) => {
	const name = type.replace('n8n-nodes-wallet-service.', '').replace(/Tool$/, '');
	return DESCRIPTIONS.find((description) => description.name === name)!;
};

test.each(ours)('$file: $name fits its node type', ({ type, typeVersion, parameters }) => {
	const { properties, version } = descriptionOf(type);
	expect(typeVersion).toBe(version);
	/** n8n adds these to each node or tool. */
	const common = ['requestOptions', 'toolDescription', 'descriptionType'];
	for (const [key, value] of Object.entries(parameters).filter(([key]) => !common.includes(key))) {
		const property = properties.find((candidate) => candidate.name === key);
		expect([key, property?.name]).toEqual([key, key]);
		const { __rl: located, mode } = (value ?? {}) as { __rl?: boolean; mode?: string };
		if (located) expect(property?.modes?.map((entry) => entry.name)).toContain(mode);
	}
});

test.each(examples)('$file: all named nodes are there', ({ nodes, connections }) => {
	const names = nodes.map(({ name }) => name);
	const connected = Object.entries(connections).flatMap(([from, outputs]) => [
		from,
		...Object.values(outputs).flatMap((targets) => targets.flat().map(({ node }) => node)),
	]);
	const expressions = [...JSON.stringify(nodes).matchAll(/\$\('([^']*)'\)/g)].map(([, name]) => name);
	expect(names).toEqual(expect.arrayContaining([...connected, ...expressions]));
	expect(new Set(names).size).toBe(names.length);
});

test('no example uses what n8n 3 removes, or lets n8n approve tools', () => {
	const isRefused = ({ parameters, type }: ExampleNode) =>
		parameters.mode === 'each' || type.endsWith('HitlTool');
	expect(allNodes.filter(isRefused)).toEqual([]);
});

test.each(exampleFiles())('%s has the code of its files', (file) => {
	expect(read(file)).toBe(withCode(file));
});

test('pay once has at most 16 nodes without notes, of which one has JavaScript', () => {
	const { nodes } = examples.find(({ file }) => file === 'pay-once.json')!;
	const steps = nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
	expect(steps.length).toBeLessThanOrEqual(16);
	const scripts = steps.flatMap(({ parameters: { jsCode = [] } }) => jsCode as string);
	expect(scripts.map((code) => code.split('\n').length <= 145)).toEqual([true]);
});

test('the examples compare keys as Payment Key does, and never make one key of a text that it refuses', () => {
	const texts = (value: unknown): string[] =>
		typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [String(value)];
	const folds = allNodes
		.flatMap(({ file, parameters }) => texts(parameters).map((text) => ({ file, text })))
		.flatMap(({ file, text }) =>
			[...text.matchAll(/\.replace\(\/\[\\p\{Pd\}.*?\.trim\(\)/g)].map(([code]) => ({ file, code })),
		);
	expect(folds.map(({ file }) => file)).toEqual(['pay-once.json']);
	const [code, ...others] = new Set(folds.map((fold) => fold.code));
	expect(others).toEqual([]);
	expect(read('code/paymentKey.js').replace(/\n\s*/g, '')).toContain(code);
	const wrong = CHARACTERS.filter((sign) => {
		const read = readKeyText(`a${sign}${sign}1`);
		const folded = sameKey(` a${sign}${sign}1\t`);
		if ('compared' in read) return folded.toLowerCase() !== read.compared;
		return /^'Payment Key' has the character/.test(read.message) && !/[^ -~]/.test(folded);
	});
	expect(wrong).toEqual([]);
});

test.each(['payoutId', 'id', 'transaction_id', 'transactionId', 'reference'])(
	'payouts-from-list writes the ID of a payout into the book, also if the service names it %s',
	(name) => {
		const { columns, filters } = parametersOf('payouts-from-list', 'Write down');
		const { key, reference } = columns.value;
		expect(filters.conditions[0]).toMatchObject({ keyName: 'reference', keyValue: reference });
		const values = [key, reference].map((written) => valueOf(written!, { $json: { [name]: 'po-1' } }));
		expect(values).toEqual(['PO-1', 'po-1']);
	},
);

test('every payment of an example has a Payment Key that comes from its data', () => {
	const isPayment = ({ parameters }: ExampleNode) =>
		['createPayout', 'convert'].includes(String(parameters.operation));
	const hasKey = ({ parameters }: ExampleNode) => /^=\{\{.*\}\}$/.test(String(parameters.paymentKey));
	const payments = ours.filter(isPayment);
	const withoutKey = payments.filter((node) => !hasKey(node));
	expect(payments.length).toBeGreaterThanOrEqual(5);
	// Its list has no number for each payout.
	expect(withoutKey.map(({ file }) => file)).toEqual(['payouts-from-list.json', 'payouts-from-list.json']);
});

test('payments of the examples stay within the limits that their author has set', () => {
	const pays = ({ parameters: { operation, options } }: ExampleNode) =>
		['createPayout', 'convert'].includes(String(operation)) &&
		(options as { dryRun?: unknown }).dryRun !== true;
	const limits = ours.filter(pays).map(({ file, parameters: { options } }) => {
		const { maximumAmount, maximumTotal, maximumPerDay, allowedAliases, allowedCurrencies } =
			options as Record<string, string>;
		const all = [maximumAmount, maximumTotal, maximumPerDay, allowedAliases, allowedCurrencies];
		return `${file} ${all.filter(Boolean).join('; ')}`.trim();
	});
	expect(limits).toEqual([
		'convert-at-rate.json 1000; ic_usdt_ngn, ic_usd_ngn',
		'pay-once.json 500000; supplier-main, supplier-new, supplier-usd; NGN, USD',
		'pay-once.json 1000; treasury; USDT, USDC, BTC',
		'payout-by-chat.json 50000; 100000; 10; supplier-main; NGN',
		// A person starts these by hand.
		...['payouts-from-list.json', 'payouts-from-list.json'],
	]);
});

/** The examples that send a mail. */
const MAILING = [
	...['deposit-to-bank', 'morning-proof'],
	...['payout-with-approval', 'payouts-file-2-pay', 'payouts-file-4-settle', 'payouts-from-list'],
	...['watch'],
].map((name) => `${name}.json`);

test('each example that sends a mail can post the same text to a chat', () => {
	const nodesOf = (type: string) => allNodes.filter((node) => node.type === `n8n-nodes-base.${type}`);
	// A chat must not get the link with which everyone can approve.
	const mails = nodesOf('emailSend')
		.filter(({ parameters: { text } }) => !/resumeFormUrl/.test(String(text)))
		.map(({ file, credentials, retryOnFail = false, parameters: { text } }) => [
			...[file, credentials?.smtp?.name, retryOnFail, text],
		]);
	const text = expect.stringMatching(/json\.text( \}\})?$/);
	expect(mails).toEqual(MAILING.map((file) => [file, 'Mailbox (sandbox)', false, text]));
	const posts = nodesOf('httpRequest').map(({ file, disabled, parameters }) => [
		...[file, disabled, parameters.jsonBody],
	]);
	const body = '={{ JSON.stringify({ text: $json.text }) }}';
	expect(posts).toEqual(MAILING.map((file) => [file, true, body]));
});

test.each(MAILING)('%s: what leads to the mail leads to the chat', (name) => {
	const { connections } = examples.find(({ file }) => file === name)!;
	const wiresTo = (node: string) =>
		Object.entries(connections).flatMap(([from, { main = [] }]) =>
			main.flatMap((targets, at) => (targets.some((to) => to.node === node) ? [{ from, at }] : [])),
		);
	const toMail = wiresTo('Send mail');
	// One step may stand before the mail alone: the addresses, a file, or the chat itself.
	expect([toMail, wiresTo(toMail[0]!.from)]).toContainEqual(wiresTo('Post to chat'));
});

/** The notes that hold a part of the nodes. */
const isGroup = ({ name }: ExampleNode) => name.startsWith('Group ');

describe.each(examples)('the canvas of $file', ({ nodes }) => {
	const notes = nodes.filter(({ type }) => type.endsWith('.stickyNote'));
	const steps = nodes.filter((node) => !notes.includes(node));

	test('its first note says what it is, and where to start', () => {
		const [first] = notes
			.filter((note) => !isGroup(note))
			.sort((a, b) => 2 * a.position[0] + a.position[1] - 2 * b.position[0] - b.position[1]);
		const [, node, workflow] =
			/^# .+\n##? Start with (?:\*\*(.+?)\*\*|\*(.+?)\*): .+\.\n/.exec(String(first!.parameters.content)) ??
			[];
		const starts = node
			? steps.filter(({ name }) => name === node).map(({ name }) => name)
			: examples.map(({ name }) => name).filter((name) => name.startsWith(`Wallet Service: ${workflow}`));
		expect(starts).toHaveLength(1);
	});

	test('another workflow can call it, if a note says so', () => {
		const isCalled = notes.some(({ parameters }) => String(parameters.content).includes('call this one'));
		if (isCalled) expect(steps.map(({ type }) => type)).toContain('n8n-nodes-base.executeWorkflowTrigger');
	});

	test('more than eight steps are in groups', () => {
		const isWithin = (
			{ position: [x, y] }: ExampleNode,
			{ position: [left, top], parameters }: ExampleNode,
		) => x > left && y > top && x < left + Number(parameters.width) && y < top + Number(parameters.height);
		const groups = notes.filter(isGroup);
		const loose = steps.filter((step) => !groups.some((group) => isWithin(step, group)));
		if (steps.length > 8) expect(loose).toEqual([]);
	});
});
