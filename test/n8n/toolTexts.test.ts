/**
 * The texts that a model reads: the descriptions and schemas of the tools, and their answers. n8n runs the tools of AI Agent 3
 * like other nodes and calls those of AI Agent 2.2 directly.
 */
import { itemsOf } from '../../host/n8n/client.ts';
import type { Json, WorkflowNode } from '../../host/n8n/client.ts';
import type { ToolCall } from '../../host/doubles/scriptedModel.ts';
import { addMany } from '../fixtures/manyRecords.ts';
import { renewForEachTest, useModel, useStack } from './setup.ts';
import { deskTool, runAgent, toolNode } from '../../host/testkit/agents.ts';

const stack = useStack();
const model = useModel();

renewForEachTest(stack);

/** What the editor writes when the author lets the model fill in a parameter: it gives no description. */
const byModel = (label: string) =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${label.replaceAll(' ', '_')}', \`\`, 'string') }}`;

const limits = (allowedCurrencies: string) => ({
	options: { maximumAmount: '100', allowedAliases: 'supplier-main', allowedCurrencies },
});

const MONEY: Record<string, Json> = {
	'Pay out': {
		resource: 'fiatWallet',
		operation: 'createPayout',
		currency: byModel('Currency'),
		amount: byModel('Amount'),
		account_alias: byModel('Settlement Account'),
		...limits('NGN'),
	},
	'Pay coins': {
		resource: 'cryptoWallet',
		operation: 'createPayout',
		coin: byModel('Coin'),
		amount: byModel('Amount'),
		wallet_alias: byModel('Settlement Wallet'),
		...limits('USDT'),
	},
	Convert: {
		resource: 'instantLiquidity',
		operation: 'convert',
		contract_id: byModel('Contract'),
		from_amount: byModel('From Amount'),
		...limits('ic_usdt_ngn'),
	},
};

const READS: Record<string, Json> = {
	'Get balance': { resource: 'fiatWallet', operation: 'getBalance', currency: byModel('Currency') },
	'Get account': { resource: 'virtualAccount', operation: 'get', alias: byModel('Virtual Account') },
	'List accounts': { resource: 'settlementAccount', operation: 'getAll' },
};

/** Lets an agent with these tools make the calls, one a turn. Returns what its model has read of each. */
async function ask(version: number, tools: Record<string, Json>, calls: ToolCall[]): Promise<string[]> {
	return await askWith(
		version,
		Object.entries(tools).map(([name, parameters]) => toolNode(stack, name, parameters)),
		calls,
	);
}

async function askWith(version: number, tools: WorkflowNode[], calls: ToolCall[]): Promise<string[]> {
	model.play(calls.map((call) => [call]));
	const name = `Tools of AI Agent ${version}`;
	const execution = await runAgent(stack, model, { name, caller: { version }, tools });
	return itemsOf(execution, 'Agent').flatMap(({ output }) => JSON.parse(output as string) as string[]);
}

test('the model knows of each tool what its fields hold', async () => {
	await ask(3, { ...MONEY, ...READS }, []);
	const tools = model.requests[0]!.tools.map(({ function: { name, description, parameters } }) => [
		name,
		{ description, parameters: Object.keys(parameters.properties) },
	]);
	const rules =
		'Payment Key: one per invoice. Make one call per payment. Never repeat a call after the result "unknown".';
	const alias = 'alias, never an account number or address,';
	expect(Object.fromEntries(tools)).toEqual({
		Pay_out: {
			description: `Send money from a fiat wallet to an approved settlement account. Without a Payment Key, each run pays again. Currency: e.g. NGN. Amount: decimal text, e.g. 1250.50. Settlement Account: ${alias} e.g. supplier-main. ${rules}`,
			parameters: ['Currency', 'Amount', 'Settlement_Account'],
		},
		Pay_coins: {
			description: `Send coins from a crypto wallet to an approved settlement wallet. Without a Payment Key, each run pays again. Coin: e.g. USDT. Amount: decimal text, e.g. 1250.50. Settlement Wallet: ${alias} e.g. treasury. ${rules}`,
			parameters: ['Coin', 'Amount', 'Settlement_Wallet'],
		},
		Convert: {
			description: `Convert an amount at the rate of a contract. Without a Payment Key, each run converts again. Contract: e.g. ic_usdt_ngn. From Amount: decimal text, e.g. 100.25. ${rules}`,
			parameters: ['Contract', 'From_Amount'],
		},
		Get_balance: { description: 'Get fiat wallet balance in Wallet Service', parameters: ['Currency'] },
		Get_account: {
			description: 'Get virtual account by alias in Wallet Service',
			parameters: ['Virtual_Account'],
		},
		List_accounts: { description: 'Get many settlement accounts in Wallet Service', parameters: [] },
	});
});

test.each([2.2, 3])(
	'the model of AI Agent %d reads little of a long list, and what to do when a read fails',
	async (version) => {
		addMany(stack.sandbox.service.ledger);
		const [list, failed] = await ask(version, READS, [
			{ tool: 'List accounts', input: {} },
			{ tool: 'Get account', input: { Virtual_Account: ' ' } },
		]);
		expect(list!.length).toBeLessThan(10_000);
		expect(list).toContain('Records left out: 95');
		for (const hidden of ['@example.com', '990']) expect(list).not.toContain(hidden);
		const whatToDo = 'Correct what the message names, or ask the user.';
		expect(JSON.parse(failed!)).toEqual([{ error: "'Virtual Account' is empty.", whatToDo }]);
	},
);

test.each([2.2, 3])(
	'the model of AI Agent %d reads and reports lists, and can use nothing else of the desk',
	async (version) => {
		const tool = (name: string, parameters: Json) => deskTool(stack, name, parameters);
		const toolRows = byModel('Rows');
		const tools = [
			tool('Read list', { resource: 'list', operation: 'read', source: 'items', toolRows, options: {} }),
			tool('Report list', { resource: 'list', operation: 'report', toolRows, options: {} }),
			tool('Make rows', { resource: 'book', operation: 'makeRows', options: {} }),
		];
		const row = { paymentKey: 'INV-7', amount: '1250.50', currency: 'NGN', destination: 'nobody' };
		const input = { Rows: JSON.stringify([row]) };
		const [read, report, made] = await askWith(version, tools, [
			{ tool: 'Read list', input },
			{ tool: 'Report list', input },
			{ tool: 'Make rows', input: {} },
		]);
		expect(JSON.parse(read!)).toMatchObject([
			{ paymentKey: 'INV-7', amount: '1250.50', problems: [expect.stringContaining('nobody')] },
		]);
		const [told] = JSON.parse(report!) as Json[];
		expect(told).toMatchObject({ totals: [{ code: 'NGN', total: '1250.50' }] });
		expect(told).not.toHaveProperty('html');
		expect(made).toContain('The operation Make Rows is not for AI agents');
	},
);
