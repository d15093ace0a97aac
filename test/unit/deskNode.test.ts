/** The desk as a node of its own: its operations, parameters and options, and when it shows the credential. */
import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { isRecord } from '../../api/exact/json.ts';
import { WalletService } from '../../nodes/WalletService/WalletService.node.ts';
import { WalletServiceDesk } from '../../nodes/WalletServiceDesk/WalletServiceDesk.node.ts';

const { description } = new WalletServiceDesk();

interface Names {
	fields: string[];
	options: string[];
}

/** What the action node had of the desk, and its names. */
const BEFORE: Record<string, Names> = {
	'payoutList.read': {
		fields: ['source', 'binaryProperty', 'list', 'toolRows'],
		options: [
			'accountNameField',
			'againColumn',
			'amountColumn',
			'approvalsNeeded',
			'approvedBy',
			'askedBy',
			'checkDestinations',
			'coinColumn',
			'coinOfAll',
			'currencyColumn',
			'currencyOfAll',
			'destinationColumn',
			'leaveOut',
			'length',
			'noteColumn',
			'payeeColumn',
			'paymentKeyColumn',
			'stopAtProblems',
		],
	},
	'payoutList.report': {
		fields: ['title', 'toolRows'],
		options: ['length', 'listRows', 'secondApprovalAbove'],
	},
	'payoutList.settle': { fields: ['reportRows'], options: ['approvedBy', 'length'] },
	'book.makeRows': { fields: ['handOverNotice', 'approvedBy'], options: ['length', 'needsApproval'] },
	'book.reconcile': {
		fields: ['handOverNotice'],
		options: ['assets', 'feeOfPayout', 'feesOnTop', 'length', 'moveOpening'],
	},
	'book.findAlerts': {
		fields: ['handOverNotice', 'minimums'],
		options: ['eventHours', 'length', 'updateHours', 'waitHours'],
	},
	'setUp.check': { fields: ['handOverNotice'], options: [] },
};

/** The names that have changed with the node. */
const RENAMED = new Map([
	['payoutList.read', 'list.read'],
	['payoutList.report', 'list.report'],
	['payoutList.settle', 'list.readDecisions'],
	['setUp.check', 'workflows.check'],
]);

/** Operations that have come since, with their fields and options. */
const NEW: Record<string, string[]> = { 'list.answerAgent': ['handOverNotice'] };

/** Fields and options that have come or gone since, by operation. */
const CHANGED: Record<string, { came?: string[]; went?: string[] }> = {
	'list.report': { came: ['earlierRows'] },
	'list.readDecisions': { came: ['wasPaid', 'wasNotPaid', 'askedBy'] },
};

const operationsOf = ({ properties }: { properties: INodeProperties[] }) =>
	properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			options!.map((option) => ({
				resource: displayOptions!.show!.resource![0] as string,
				operation: (option as { value: string }).value,
			})),
		);

const namesFor = (resource: string, operation: string): Names => {
	const own = description.properties.filter(
		({ displayOptions: { show = {} } = {} }) =>
			show.resource?.includes(resource) && show.operation?.includes(operation),
	);
	const options = own.filter(({ name }) => name === 'options').flatMap((each) => each.options ?? []);
	return {
		fields: own.map(({ name }) => name).filter((name) => name !== 'options'),
		options: options.map(({ name }) => name).sort(),
	};
};

test('no operation, field or option is lost, but for those that are named here', () => {
	const expected = Object.entries(BEFORE).map(([before, { fields, options }]) => {
		const id = RENAMED.get(before) ?? before;
		const { came = [], went = [] } = CHANGED[id] ?? {};
		const all = [...fields, ...options, ...came].filter((name) => !went.includes(name));
		return [id, all.sort()];
	});
	const found = operationsOf(description).map(({ resource, operation }) => {
		const { fields, options } = namesFor(resource, operation);
		return [`${resource}.${operation}`, [...new Set([...fields, ...options])].sort()];
	});
	expect(Object.fromEntries(found)).toEqual({ ...Object.fromEntries(expected), ...NEW });
});

test('the action node keeps only Pay List of the lists', () => {
	const lists = operationsOf(new WalletService().description).filter(({ resource }) =>
		['payoutList', 'list', 'book', 'setUp', 'workflows'].includes(resource),
	);
	expect(lists).toEqual([{ resource: 'payoutList', operation: 'pay' }]);
});

const minimums = { minimum: [{ code: 'NGN', isCoin: false, amount: '1' }] };

test.each<[shown: boolean, id: string, parameters?: INodeParameters]>([
	[true, 'list.read'],
	[true, 'list.read', { options: { checkDestinations: true } }],
	[false, 'list.read', { options: { checkDestinations: false } }],
	[true, 'list.read', { options: { checkDestinations: '={{ $json.asks }}' } }],
	[true, 'list.read', { options: '={{ $json.options }}' }],
	[true, 'list.report'],
	[false, 'list.readDecisions'],
	[false, 'book.makeRows'],
	[true, 'book.reconcile'],
	[false, 'book.findAlerts'],
	[true, 'book.findAlerts', { minimums }],
	[false, 'workflows.check'],
])('the credential is shown: %p, for %s %j', (shown, id, parameters = {}) => {
	const [resource = '', operation = ''] = id.split('.');
	const node = { typeVersion: 1, type: 'desk', id: '', name: 'Desk', position: [0, 0] as [number, number] };
	const given = { resource, operation, ...parameters };
	// As n8n's server and editor have them: with defaults, and without what belongs to other operations.
	const complete = NodeHelpers.getNodeParameters(
		description.properties,
		given,
		...([true, false, node, description] as const),
	);
	expect(isRecord(complete)).toBe(true);
	const [credential] = description.credentials!;
	const whole = { ...node, parameters: complete! };
	expect(NodeHelpers.displayParameter(complete!, credential!, whole, description)).toBe(shown);
});
