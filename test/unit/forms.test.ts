/** The editor shows few notices, warns about money, and shows first what everybody fills in. */
import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { CATALOG } from '../../api/catalog.ts';
import { WalletService } from '../../nodes/WalletService/WalletService.node.ts';
import { WalletServiceTrigger } from '../../nodes/WalletService/WalletServiceTrigger.node.ts';

const visible = ({ properties }: { properties: INodeProperties[] }, values: INodeParameters) => {
	const node = { typeVersion: 1 };
	const complete = NodeHelpers.getNodeParameters(properties, values, true, false, node, null) ?? {};
	return properties.filter((property) =>
		NodeHelpers.displayParameter({ '@tool': false, ...complete }, property, node, null),
	);
};
const notices = (properties: INodeProperties[]) =>
	properties.filter(({ type }) => type === 'notice').map(({ displayName }) => displayName);
const wordsIn = (text: string) => text.split(/\s+/).length;

const node = new WalletService().description;
const trigger = new WalletServiceTrigger().description;
const forms: Array<[string, INodeProperties[]]> = [
	...CATALOG.map(({ id, resource, operation }): [string, INodeProperties[]] => [
		id,
		visible(node, { resource, operation }),
	]),
	...['credential', 'none'].map((verification): [string, INodeProperties[]] => [
		`the trigger with Verification ${verification}`,
		visible(trigger, { verification }),
	]),
];

test('the node lists all resources, and of each its operations and no other', () => {
	const choicesOf = (property: INodeProperties) =>
		(property.options as INodePropertyOptions[]).map(({ name }) => name);
	const [resources] = node.properties.filter(({ name }) => name === 'resource');
	const menus = (resources!.options as INodePropertyOptions[]).map(({ name, value }) => {
		const shown = visible(node, { resource: value as string });
		return [name, shown.filter((property) => property.name === 'operation').flatMap(choicesOf)];
	});
	expect(Object.fromEntries(menus)).toEqual({
		'Crypto Wallet': ['Create', 'Create Payout', 'Get', 'Get Balance', 'Get Many'],
		'Fiat Wallet': ['Create Payout', 'Get Balance'],
		Funding: ['Get Account', 'Submit Proof of Payment'],
		'Instant Liquidity': ['Convert', 'Get Many Contracts', 'Get Transaction'],
		Rate: ['Get Many'],
		Sandbox: ['Adjust Crypto Balance', 'Adjust Fiat Balance'],
		Service: ['Get Health'],
		'Settlement Account': ['Get', 'Get Many'],
		'Settlement Wallet': ['Create', 'Get', 'Get Many'],
		'Virtual Account': ['Get', 'Get Many'],
	});
});

test.each(forms)('%s shows one notice at most, of 15 words at most', (_, properties) => {
	const shown = notices(properties);
	expect(shown.length).toBeLessThanOrEqual(1);
	for (const notice of shown) expect(wordsIn(notice)).toBeLessThanOrEqual(15);
});

test('each operation that moves money says so', () => {
	const money = CATALOG.filter(({ movesMoney }) => movesMoney !== undefined);
	for (const { id } of money) {
		const [, properties = []] = forms.find(([name]) => name === id)!;
		expect(notices(properties)).toEqual([expect.stringMatching(/^This moves real money[.,]/)]);
	}
});

test.each(forms.slice(0, CATALOG.length))('%s shows first what everybody fills in', (_, properties) => {
	const names = properties.map(({ name }) => name);
	const last = ['specifyBody', 'bodyFields', 'requestBody', 'simplify', 'output', 'fields', 'options'];
	const firstOfLast = names.findIndex((name) => last.includes(name));
	const rest = firstOfLast === -1 ? [] : names.slice(firstOfLast);
	expect(rest.filter((name) => !last.includes(name))).toEqual([]);
});

test('a crypto payout shows its fields in the order in which people fill them in', () => {
	const shown = visible(node, { resource: 'cryptoWallet', operation: 'createPayout' });
	const names = shown.map(({ name }) => name);
	expect(names.filter((name) => !['resource', 'operation', 'moneyNotice'].includes(name))).toEqual([
		...['coin', 'amount', 'wallet_alias', 'paymentKey', 'specifyBody', 'bodyFields', 'options'],
	]);
});

test("what n8n's assistant is told names parameters and values that exist", () => {
	const told = [node, trigger].map(({ builderHint }) => builderHint?.searchHint ?? '');
	const known = JSON.stringify([node.properties, trigger.properties]);
	const names = told.flatMap((hint) => hint.match(/\b[a-z]+[A-Z]\w+\b/g) ?? []);
	expect(names).toEqual(
		expect.arrayContaining(['paymentKey', 'maximumAmount', 'allowedAliases', 'perEvent']),
	);
	expect(names.filter((name) => !known.includes(`"${name}"`))).toEqual([]);
	const related = [node, trigger].flatMap(({ builderHint }) => builderHint?.relatedNodes ?? []);
	expect(related.map(({ nodeType }) => nodeType.split('.')[1]).sort()).toEqual(
		[node.name, trigger.name].sort(),
	);
});
