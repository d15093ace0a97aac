/** The table of endpoints agrees with the API document. */
import { CATALOG, getOperation } from '../../api/catalog.ts';
import type { Endpoint, EndpointId } from '../../api/endpoints.ts';
import { fieldOf, isField, isList, UNDOCUMENTED } from '../../api/shape.ts';
import type { RecordShape } from '../../api/shape.ts';
import { OPERATIONS } from '../fixtures/operations.ts';

/** Typed by hand from the API document ("Endpoints"), with the names of the item's fields. Routes are in the table of cases. */
const SHOWN: Partial<Record<EndpointId, [request: string, response: string]>> = {
	'fiatWallet.getBalance': ['currency', 'currency>currency, balance>balance'],
	'fiatWallet.createPayout': [
		'currency, amount (number), account_alias',
		'status>status, payout_id>payoutId, amount>amount (number), currency>currency',
	],
	'funding.getAccount': [
		'currency',
		'currency>currency, account_name>accountName, account_number>accountNumber, bank>bank',
	],
	'funding.submitProof': ['pop', 'status>status, response.message>message'],
	'virtualAccount.getAll': ['', 'results[] alias>alias, account_number>accountNumber, bank>bank'],
	'virtualAccount.get': ['alias', 'alias>alias, account_number>accountNumber, bank>bank, status>status'],
	'rate.getAll': [
		'',
		'results[] Base Currency>baseCurrency, Quote Currency>quoteCurrency, Bid>bid (number), Ask>ask (number), Last Updated >lastUpdated',
	],
	'instantLiquidity.getContracts': [
		'',
		'results[] contract_id>contractId, From>from, to>to, rate>rate (number), fee>fee (number), amount available>amountAvailable (number), Direction>direction',
	],
	'instantLiquidity.convert': [
		'contract_id, from_amount (number)',
		'status>status, transaction_id>transactionId, from_amount>fromAmount (number), to_amount>toAmount (number), rate>rate (number)',
	],
	'instantLiquidity.getTransaction': [
		'id',
		'transaction_id>transactionId, status>status, from_currency>fromCurrency, to_currency>toCurrency, from_amount>fromAmount (number), to_amount>toAmount (number), completed_at>completedAt',
	],
	'sandbox.adjustFiatBalance': [
		'currency, amount (number)',
		'status>status, currency>currency, amount>amount (number), message>message',
	],
	'sandbox.adjustCryptoBalance': [
		'coin, amount (number)',
		'status>status, coin>coin, amount>amount (number), message>message',
	],
};
/** The document shows no fields of these. */
const NOT_SHOWN: EndpointId[] = [
	...(['cryptoWallet.create', 'cryptoWallet.getAll', 'cryptoWallet.get', 'cryptoWallet.getBalance'] as const),
	...(['cryptoWallet.createPayout', 'settlementWallet.create', 'settlementWallet.getAll'] as const),
	...([
		'settlementWallet.get',
		'settlementAccount.getAll',
		'settlementAccount.get',
		'service.getHealth',
	] as const),
];
const MONEY = ['fiatWallet.createPayout', 'cryptoWallet.createPayout', 'instantLiquidity.convert'];

const sorted = (list: string) => list.split(', ').sort();

function requestOf({ request }: Endpoint): string {
	if (request === UNDOCUMENTED) return '?';
	return Object.entries(request)
		.map(([key, { kind }]) => (/amount/i.test(kind) ? `${key} (number)` : key))
		.join(', ');
}

function fieldsOf(shape: RecordShape, prefix = ''): string[] {
	return Object.entries(shape).flatMap(([key, entry]) => {
		if (!isField(entry)) return fieldsOf(entry, `${prefix}${key}.`);
		const [name, kind] = fieldOf(key, entry);
		return `${prefix}${key}>${name}${kind === 'number' ? ' (number)' : ''}`;
	});
}

function responseOf({ response }: Endpoint): string {
	if (response === UNDOCUMENTED) return '?';
	return isList(response)
		? `${response.listKey}[] ${fieldsOf(response.element).join(', ')}`
		: fieldsOf(response).join(', ');
}

test('the table has the 23 endpoints of the document and no other', () => {
	expect(CATALOG).toHaveLength(23);
	expect(CATALOG.map(({ id }) => id).sort()).toEqual([...Object.keys(SHOWN), ...NOT_SHOWN].sort());
});

test.each(CATALOG)(
	'$id has the route and the fields of the document',
	({ id, method, path, ...endpoint }) => {
		const [request, response] = SHOWN[id] ?? ['?', '?'];
		expect([endpoint.route, `${method} ${path}`]).toEqual([OPERATIONS[id]!.route, OPERATIONS[id]!.route]);
		expect(sorted(requestOf(endpoint))).toEqual(sorted(request));
		expect(sorted(responseOf(endpoint))).toEqual(sorted(response));
		expect(endpoint.movesMoney !== undefined).toBe(MONEY.includes(id));
	},
);

test('an operation is found by resource and operation, and an unknown one throws', () => {
	expect(getOperation('rate.getAll')).toMatchObject({
		resource: 'rate',
		resourceName: 'Rate',
		operation: 'getAll',
		method: 'GET',
		path: '/v1/rates',
		route: 'GET /v1/rates',
	});
	for (const id of ['rate', 'rate.', 'rate.constructor', 'constructor.name', '']) {
		expect(() => getOperation(id)).toThrow(`There is no operation '${id}'`);
	}
});

test('the money roles of an operation name fields that exist', () => {
	for (const endpoint of CATALOG) {
		const { movesMoney = {}, request, suggestedFields = request, response } = endpoint;
		const { amount, destination, id } = movesMoney;
		for (const field of [amount, destination]) {
			if (field !== undefined) expect(Object.keys(suggestedFields)).toContain(field);
		}
		if (id !== undefined) expect(fieldsOf(response as RecordShape).join()).toContain(`>${id}`);
	}
});
