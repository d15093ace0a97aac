/** The editor shows few notices, warns about money, and shows first what everybody fills in. */
import { globSync, readFileSync } from 'node:fs';
import { NodeHelpers } from 'n8n-workflow';
import ts from 'typescript';
import type {
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import { CATALOG, movesMoney } from '../../api/catalog.ts';
import { FORM } from '../../credentials/form.ts';
import { DESK_OPERATIONS } from '../../nodes/WalletServiceDesk/operations.ts';
import { CONVERT_AT_RATE } from '../../nodes/WalletService/input/convertAtRate.ts';
import { PAY_LIST } from '../../nodes/WalletService/input/payList.ts';
import { WalletService } from '../../nodes/WalletService/WalletService.node.ts';
import { WalletServiceDesk } from '../../nodes/WalletServiceDesk/WalletServiceDesk.node.ts';
import { WalletServiceTrigger } from '../../nodes/WalletServiceTrigger/WalletServiceTrigger.node.ts';
import { tableOf } from '../fixtures/documentTables.ts';

const visible = ({ properties }: { properties: INodeProperties[] }, values: INodeParameters) => {
	const node = { typeVersion: 1 };
	const complete = NodeHelpers.getNodeParameters(properties, values, true, false, node, null) ?? {};
	return properties.filter((property) =>
		NodeHelpers.displayParameter({ '@tool': false, ...complete }, property, node, null),
	);
};
const node = new WalletService().description;
const desk = new WalletServiceDesk().description;
const trigger = new WalletServiceTrigger().description;
const shownFor = ({ resource, operation }: { resource: string; operation: string }, form = node) =>
	visible(form, { resource, operation });
const operations = [...CATALOG, CONVERT_AT_RATE, PAY_LIST].map((each) => ({
	form: each.id,
	isMoney: movesMoney(each),
	shown: shownFor(each),
}));
const ofDesk = DESK_OPERATIONS.map((each) => ({
	form: each.id,
	isMoney: false,
	shown: shownFor(each, desk),
}));
const triggers = ['credential', 'none'].map((verification) => ({
	form: `the trigger with Verification ${verification}`,
	isMoney: false,
	shown: visible(trigger, { verification }),
}));

test('the menus list all resources, and of each its operations and no other, by name', () => {
	const choicesOf = ({ options }: INodeProperties) => options as INodePropertyOptions[];
	const menusOf = (form: typeof node) =>
		choicesOf(form.properties.find(({ name }) => name === 'resource')!).flatMap(({ name, value }) =>
			visible(form, { resource: value as string })
				.filter((property) => property.name === 'operation')
				.flatMap(choicesOf)
				.map((operation) => `${name}: ${operation.name}`),
		);
	const listed = (heading: string) =>
		tableOf('docs/reference/operations.md', heading).map(
			([resource, name = '']) => `${resource}: ${name.replace(' \\*', '')}`,
		);
	expect(menusOf(node)).toEqual(listed('Operations').sort());
	expect(menusOf(desk)).toEqual(listed('Desk').sort());
});

test.each([...operations, ...ofDesk, ...triggers])(
	'$form: one short notice, about money if it moves',
	({ isMoney, shown }) => {
		const notices = shown.filter(({ type }) => type === 'notice').map(({ displayName }) => displayName);
		expect(notices.length).toBeLessThanOrEqual(1);
		for (const notice of notices) expect(notice.split(/\s+/).length).toBeLessThanOrEqual(15);
		if (isMoney) expect(notices[0]).toMatch(/^This moves real money[.,].*Dry Run/);
	},
);

test.each([...operations, ...ofDesk])('$form shows first what everybody fills in', ({ shown }) => {
	// Nobody sees what is hidden.
	const names = shown.filter(({ type }) => type !== 'hidden').map(({ name }) => name);
	const last = ['specifyBody', 'bodyFields', 'requestBody', 'simplify', 'output', 'fields', 'options'];
	const firstNames = names.filter((name) => !last.includes(name));
	expect(names.slice(0, firstNames.length)).toEqual(firstNames);
});

test.each([
	['fiatWallet.getBalance', ['currency']],
	['fiatWallet.createPayout', ['currency', 'amount', 'account_alias']],
	[CONVERT_AT_RATE.id, ['from', 'to', 'amount', 'minimumRate']],
])('%s marks what must be filled in: n8n then names it before a run', (id, names) => {
	const { shown } = operations.find(({ form }) => form === id)!;
	expect(shown.filter(({ required }) => required).map(({ name }) => name)).toEqual(names);
});

test('the desk asks for little, in this order, and says what to hand over where no field does', () => {
	const own: string[] = [CONVERT_AT_RATE.id, PAY_LIST.id];
	const forms = [...ofDesk, ...operations.filter(({ form }) => own.includes(form))];
	const fieldsOf = (shown: INodeProperties[]) =>
		shown.filter(({ name, type }) => !['resource', 'operation'].includes(name) && type !== 'hidden');
	expect(
		Object.fromEntries(
			forms.map(({ form, shown }) => [form, fieldsOf(shown).map(({ displayName }) => displayName)]),
		),
	).toEqual({
		'list.read': ['Source', 'Input Data Field Name', 'Options'],
		'list.report': ['Title', 'Options'],
		'list.readDecisions': ['Rows of the Report', 'Options'],
		'list.answerAgent': [expect.stringMatching(/^Hand over results of payouts, or rows/)],
		'book.makeRows': [expect.stringMatching(/^Hand over events of the trigger,/), 'Approved By', 'Options'],
		'book.reconcile': [expect.stringMatching(/^Hand over rows of the book:/), 'Options'],
		'book.findAlerts': [expect.stringMatching(/^Hand over rows of the book:/), 'Minimum Balances', 'Options'],
		'workflows.check': [expect.stringMatching(/^Hand over your workflows:/)],
		'instantLiquidity.convertAtRate': [
			expect.stringMatching(/^This moves real money/),
			'From',
			'To',
			'Amount',
			'Minimum Rate',
			'Payment Key',
			'Contract Settings',
			'Options',
		],
		'payoutList.pay': [expect.stringMatching(/^This moves real money/), 'Limits', 'Options'],
	});
});

test('Simplify is hidden for payments, and still read', () => {
	const typesFor = (wanted: boolean) =>
		operations
			.filter(({ isMoney }) => isMoney === wanted)
			.flatMap(({ shown }) => shown.filter(({ name }) => name === 'simplify').map(({ type }) => type));
	expect(typesFor(true)).toEqual(['hidden', 'hidden', 'hidden']);
	expect(new Set(typesFor(false))).toEqual(new Set(['boolean']));
});

test.each([
	['fiatWallet', 'createPayout', 'string'],
	['cryptoWallet', 'createPayout', 'string'],
	['instantLiquidity', 'convert', 'hidden'],
])('of %s, %s, Allowed Currencies has the type %s', (resource, operation, kind) => {
	for (const isTool of [false, true]) {
		const description = { ...node, name: isTool ? 'walletServiceTool' : 'walletService' };
		const isShown = (property: INodeProperties) =>
			NodeHelpers.displayParameter({ resource, operation }, property, { typeVersion: 1 }, description);
		const [options] = node.properties.filter((property) => property.name === 'options' && isShown(property));
		const lists = options!.options as INodeProperties[];
		expect(lists.filter(({ name }) => name === 'allowedCurrencies').map(({ type }) => type)).toEqual([kind]);
		const limits = ['maximumAmount', 'allowedAliases', ...(kind === 'hidden' ? [] : ['allowedCurrencies'])];
		expect(Object.keys(options!.default as object)).toEqual(isTool ? limits : []);
	}
});

test('Pay List offers the options of a list, and not the limits that stand in its entries', () => {
	const { shown } = operations.find(({ form }) => form === PAY_LIST.id)!;
	const namesOf = (entries: unknown) => (entries as INodeProperties[]).map(({ name }) => name).sort();
	const [options] = shown.filter(({ name }) => name === 'options');
	const [limits] = shown.filter(({ name, type }) => name === 'limits' && type === 'fixedCollection');
	expect(namesOf(options!.options)).toEqual(
		[
			'maximumPerDay',
			'duplicateCheck',
			'needsApproval',
			'dryRun',
			'showRequest',
			'refusedCodes',
			'amountFormat',
			'amountField',
			'coinField',
			'destinationField',
			'idField',
			'length',
		].sort(),
	);
	const [{ name, values } = { name: '', values: [] }] = limits!.options as INodePropertyCollection[];
	expect([name, namesOf(values)]).toEqual([
		'limit',
		[
			'allowedAliases',
			'code',
			'isCoin',
			'maximumAmount',
			'maximumTotal',
			'secondApprovalAbove',
			'secondApprovalAbovePerDay',
		],
	]);
});

test.each([false, true])(
	'of the limits of a list, no number is an expression, nor anything of a tool: %p',
	(isTool) => {
		const description = { ...node, name: isTool ? 'walletServiceTool' : 'walletService' };
		const { resource, operation } = PAY_LIST;
		const [limits] = node.properties.filter(
			(property) =>
				property.type === 'fixedCollection' &&
				property.name === 'limits' &&
				NodeHelpers.displayParameter({ resource, operation }, property, { typeVersion: 1 }, description),
		);
		const [{ values } = { values: [] }] = limits!.options as INodePropertyCollection[];
		const fixed = values.filter(({ noDataExpression }) => noDataExpression === true).map(({ name }) => name);
		const numbers = ['maximumAmount', 'maximumTotal', 'secondApprovalAbove', 'secondApprovalAbovePerDay'];
		expect(fixed.sort()).toEqual(
			[...numbers, ...(isTool ? ['allowedAliases', 'code', 'isCoin'] : [])].sort(),
		);
	},
);

test("what n8n's guidelines keep out of errors stands in no label, action or message of one", () => {
	const unwanted = /\b(?:errors?|problems?|failures?|mistakes?)\b/i;
	const labels = JSON.stringify([node, desk, trigger, FORM], (key, value: unknown) =>
		typeof value === 'string' && !['displayName', 'name', 'action'].includes(key) ? undefined : value,
	);
	// The names of parameters in stored workflows never change.
	const shown = [...labels.matchAll(/"((?:[A-Z]|On )[^"]*)"/g)].map(([, text = '']) => text);
	expect(shown).toEqual(
		expect.arrayContaining(['Stop If a Row Is Wrong', 'Webhook Secret', 'Create fiat payout']),
	);
	expect(shown.filter((text) => unwanted.test(text))).toEqual([]);

	/** Pages, mails and answers to models: an error has none of their texts. */
	const others = ['list/report', 'shared/agent', 'workflows'].map((folder) => `${folder}/messages.ts`);
	const files = globSync('{api,credentials,nodes}/**/messages.ts').map((file) => file.replaceAll('\\', '/'));
	const messages = files.filter((file) => !others.some((other) => file.endsWith(other)));
	expect(messages.length).toBeGreaterThan(15);
	const textsIn = (file: string) => {
		const texts: string[] = [];
		const visit = (part: ts.Node): void => {
			const isText = ts.isStringLiteral(part) || ts.isTemplateLiteralToken(part);
			const isImport = ts.isImportDeclaration(part) || ts.isTypeNode(part);
			if (isText) texts.push(part.text);
			if (!isImport) ts.forEachChild(part, visit);
		};
		visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
		return texts;
	};
	expect(messages.flatMap(textsIn).filter((text) => unwanted.test(text))).toEqual([]);
});

/** The names that code reads of an object: `settings.name` and `const { name } = settings`. A table, a text or a comment reads none. */
function namesReadIn(code: string): string[] {
	const read: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isPropertyAccessExpression(node)) read.push(node.name.text);
		if (ts.isObjectBindingPattern(node))
			read.push(...node.elements.map(({ propertyName, name }) => (propertyName ?? name).getText()));
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('code.ts', code, ts.ScriptTarget.Latest, true));
	return read;
}

test('a name is read where code asks an object for it', () => {
	expect(namesReadIn('call(a.one); const { two, three: four } = b; function f({ five = 1 }) {}')).toEqual([
		'one',
		'two',
		'three',
		'five',
	]);
	expect(namesReadIn("const one = { two: 'three', four }; // a.five\n log('a.six');")).toEqual([]);
});

describe('each option of a form', () => {
	const collections = ({ properties }: { properties: INodeProperties[] }) =>
		properties
			.filter(({ type }) => type === 'collection')
			.flatMap(({ options }) => options as INodeProperties[])
			.filter(({ type }) => type !== 'hidden');
	const textsOf = (files: string) => globSync(files).map((file) => readFileSync(file, 'utf8'));
	const readIn = (names: string) => new Set(textsOf(`nodes/${names}/**/*.ts`).flatMap(namesReadIn));
	const [action, atDesk, receiving] = ['', 'Desk', 'Trigger'].map((name) =>
		readIn(`WalletService${name}`),
	) as [...[Set<string>, Set<string>, Set<string>]];
	const guides = textsOf('docs/**/*.md').join('\n').replaceAll(/\s+/g, ' ');
	/** Several operations have the same option. */
	const optionsOf = (form: { properties: INodeProperties[] }, read: Set<string>) => {
		const byName = new Map(collections(form).map((option) => [option.name, option]));
		return [...byName.values()].map(({ name, displayName }) => ({ name, label: displayName, read }));
	};

	test.each([...optionsOf(node, action), ...optionsOf(desk, atDesk), ...optionsOf(trigger, receiving)])(
		'$label is read, and a guide describes it',
		({ name, label, read }) => {
			expect(read.has(name)).toBe(true);
			expect(guides.includes(label)).toBe(true);
		},
	);
});

test('every single payment can ask who has said yes, and nothing else does', () => {
	const asks = operations.filter(({ shown }) =>
		shown.some(
			({ name, options }) => name === 'options' && options?.some((each) => each.name === 'approvedBy'),
		),
	);
	expect(asks.map(({ form }) => form).sort()).toEqual([
		'cryptoWallet.createPayout',
		'fiatWallet.createPayout',
		'instantLiquidity.convert',
		'instantLiquidity.convertAtRate',
	]);
});

test("what n8n's assistant is told names parameters and values that exist", () => {
	const told = [node, desk, trigger].map(({ builderHint }) => builderHint?.searchHint ?? '');
	const known = JSON.stringify([node.properties, desk.properties, trigger.properties]);
	const names = told.flatMap((hint) => hint.match(/\b[a-z]+[A-Z]\w+\b/g) ?? []);
	expect(names).toEqual(
		expect.arrayContaining(['paymentKey', 'maximumAmount', 'allowedAliases', 'perEvent']),
	);
	expect(names.filter((name) => !known.includes(`"${name}"`))).toEqual([]);
});

// test/editor/nodeCreator.test.ts searches in n8n's own list of nodes.
test.each([
	[
		'WalletServiceDesk',
		['reconcile', 'ledger', 'payroll', 'approval', 'approve', 'bulk', 'csv', 'statement'],
	],
	['WalletServiceDesk', ['pay supplier', 'balance', 'low balance', 'payout list', 'payout report', 'alerts']],
	['WalletServiceDesk', ['invoice list', 'bookkeeping', 'go live']],
	[
		'WalletService',
		['pay supplier', 'balance', 'convert', 'bank', 'payout list', 'best rate', 'bulk', 'salary'],
	],
])('the node creator can find %s by %p', (name, words) => {
	const { alias } = JSON.parse(readFileSync(`nodes/${name}/${name}.node.json`, 'utf8')) as {
		alias: string[];
	};
	const all = alias.map((each) => each.toLowerCase());
	expect(words.filter((word) => !all.some((each) => each.includes(word)))).toEqual([]);
});

test('the node creator lists actions without articles', () => {
	const actions = [node, desk].flatMap(({ properties }) =>
		properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options }) => options as INodePropertyOptions[])
			.map(({ action }) => action ?? ''),
	);
	expect(actions).toContain('Report payout list for approval or results');
	expect(actions.filter((action) => action === '' || /\b(?:an?|the)\b/i.test(action))).toEqual([]);
});
