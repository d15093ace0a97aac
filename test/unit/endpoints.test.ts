/** The table of endpoints agrees with the API document. */
import { CATALOG, getOperation, moneyFieldsOf, movesMoney, requestFieldsOf } from '../../api/catalog.ts';
import type { Endpoint } from '../../api/endpoints.ts';
import { readRecord } from '../../api/record.ts';
import {
	fieldOf,
	isField,
	isList,
	MONEY_ROLES,
	UNDOCUMENTED,
	type MoneyRole,
	type RecordShape,
} from '../../api/shape.ts';
import { answerOf } from '../fixtures/operationCases.ts';
import { OPERATIONS } from '../fixtures/operations.ts';

/** The fields of an answer, or of a request as it was sent. */
function fieldsIn(record: object, prefix = ''): string[] {
	return Object.entries(record).flatMap(([key, value]) => {
		if (Array.isArray(value)) return fieldsIn(value[0], `${key}[].`);
		// A matcher of Jest stands for a text.
		if (Object.getPrototypeOf(value) === Object.prototype) return fieldsIn(value, `${prefix}${key}.`);
		return `${prefix}${key}${typeof value === 'number' ? ' (number)' : ''}`;
	});
}

function requestOf({ request }: Endpoint): string[] | typeof UNDOCUMENTED {
	if (request === UNDOCUMENTED) return request;
	return Object.entries(request).map(([key, { kind }]) => (/amount/i.test(kind) ? `${key} (number)` : key));
}

function fieldsOf(shape: RecordShape, prefix = ''): string[] {
	return Object.entries(shape).flatMap(([key, entry]) => {
		if (!isField(entry)) return fieldsOf(entry.record, `${prefix}${key}.`);
		const [, kind] = fieldOf(key, entry);
		return `${prefix}${key}${kind === 'number' ? ' (number)' : ''}`;
	});
}

function responseOf({ response }: Endpoint): string[] | typeof UNDOCUMENTED {
	if (response === UNDOCUMENTED) return response;
	return (
		isList(response) ? fieldsOf(response.element, `${response.listKey}[].`) : fieldsOf(response)
	).sort();
}

test('the table has the endpoints of the document and no other', () => {
	expect(CATALOG.map(({ id }) => id).sort()).toEqual(Object.keys(OPERATIONS).sort());
});

test.each(CATALOG)('$id agrees with the document', ({ id, method, path, ...endpoint }) => {
	const { route, cases } = OPERATIONS[id]!;
	const { sent, items, raw } = cases[0]!;
	expect([endpoint.route, `${method} ${path}`]).toEqual([route, route]);
	// The document shows both, or it only names the endpoint.
	const shown = raw && { request: fieldsIn(JSON.parse(sent || '{}')), response: fieldsIn(answerOf(raw)) };
	expect({ request: requestOf(endpoint), response: responseOf(endpoint) }).toEqual({
		request: shown?.request ?? UNDOCUMENTED,
		response: shown?.response.sort() ?? UNDOCUMENTED,
	});
	expect(movesMoney(endpoint)).toBe(items[0]!.result === 'paid');
});

/** What items have where an answer says `MiXed` in place of each text: by the contract, codes are upper case, and states lower case. */
const [CODE, STATE, TEXT] = ['MIXED', 'mixed', 'MiXed'];
const OF_ACCOUNT = { accountNumber: TEXT, bank: TEXT };
/** An amount or a time that cannot be read is left out. */
const MIXED: Record<string, object> = {
	'fiatWallet.getBalance': { currency: CODE },
	'fiatWallet.createPayout': { payoutId: TEXT, status: STATE, currency: CODE },
	'funding.getAccount': { ...OF_ACCOUNT, currency: CODE, accountName: TEXT },
	'funding.submitProof': { status: STATE, message: TEXT },
	'virtualAccount.getAll': { ...OF_ACCOUNT, alias: TEXT },
	'virtualAccount.get': { ...OF_ACCOUNT, alias: TEXT, status: STATE },
	'rate.getAll': { baseCurrency: CODE, quoteCurrency: CODE },
	'instantLiquidity.getContracts': { contractId: TEXT, from: CODE, to: CODE, direction: STATE },
	'instantLiquidity.convert': { transactionId: TEXT, status: STATE },
	'instantLiquidity.getTransaction': {
		transactionId: TEXT,
		status: STATE,
		fromCurrency: CODE,
		toCurrency: CODE,
	},
	'sandbox.adjustCryptoBalance': { status: STATE, coin: CODE, message: TEXT },
	'sandbox.adjustFiatBalance': { status: STATE, currency: CODE, message: TEXT },
};

test('each documented answer has its codes, states and texts', () => {
	const mixed = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(mixed);
		if (Object.getPrototypeOf(value) === Object.prototype)
			return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, mixed(inner)]));
		return 'MiXed';
	};
	const read = CATALOG.flatMap(({ id, response }) => {
		if (response === UNDOCUMENTED) return [];
		const answer = mixed(answerOf(OPERATIONS[id]!.cases[0]!.raw!)) as Record<string, unknown>;
		const [shape, record] = isList(response)
			? [response.element, (answer[response.listKey] as Array<Record<string, unknown>>)[0]!]
			: [response, answer];
		return [[id, readRecord(shape, record).fields]];
	});
	expect(Object.fromEntries(read)).toEqual(MIXED);
});

test('an operation is found by resource and operation, and an unknown one throws', () => {
	const parts = { resource: 'rate', operation: 'getAll', resourceName: 'Rate' };
	expect(getOperation('rate.getAll')).toMatchObject({ ...parts, method: 'GET', path: '/v1/rates' });
	for (const id of ['rate', 'constructor.name'])
		expect(() => getOperation(id)).toThrow(`There is no operation '${id}'`);
});

test.each(CATALOG.filter((each) => movesMoney(each)))('$id has one field for each role', (operation) => {
	const fields = Object.values(requestFieldsOf(operation));
	const roles = fields.flatMap((field): readonly MoneyRole[] => field.roles ?? []);
	expect(roles.toSorted()).toEqual(MONEY_ROLES.toSorted());
});

test.each([
	['fiatWallet.createPayout', { amount: 'amount', currency: 'currency', destination: 'account_alias' }],
	[
		'instantLiquidity.convert',
		{ amount: 'from_amount', currency: 'contract_id', destination: 'contract_id' },
	],
	['cryptoWallet.createPayout', { amount: 'amount', currency: 'coin', destination: 'wallet_alias' }],
	['rate.getAll', {}],
	['sandbox.adjustFiatBalance', {}],
])('the fields of %s say of the money: %j', (id, names) => {
	expect(moneyFieldsOf(getOperation(id))).toEqual(names);
});

test('the documented answer to a payment has one identifier', () => {
	const identifiers = CATALOG.filter(movesMoney).map(({ response }) =>
		response === UNDOCUMENTED
			? response
			: Object.entries(response).flatMap(([key, kind]) => (kind === 'id' ? key : [])),
	);
	expect(identifiers).toEqual([['payout_id'], ['transaction_id'], UNDOCUMENTED]);
});
