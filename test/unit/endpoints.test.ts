import { CATALOG, getEndpoint } from '../../api/catalog.ts';
import type { Endpoint, EndpointId } from '../../api/endpoints.ts';
import { isField, isList, UNDOCUMENTED } from '../../api/shape.ts';
import type { RecordShape } from '../../api/shape.ts';

/** Typed by hand from the API document ("Endpoints"), with the operations and item fields that the package promises. */
const DOCUMENT: Record<EndpointId, { route: string; request: string; response: string; money?: true }> = {
	'fiatWallet.getBalance': {
		route: 'POST /v1/fiat_balance',
		request: 'currency',
		response: 'currency>currency, balance>balance',
	},
	'fiatWallet.createPayout': {
		route: 'POST /v1/fiat_payout',
		request: 'currency, amount (number), account_alias',
		response: 'status>status, payout_id>payoutId, amount>amount (number), currency>currency',
		money: true,
	},
	'funding.getAccount': {
		route: 'POST /v1/funding_account',
		request: 'currency',
		response: 'currency>currency, account_name>accountName, account_number>accountNumber, bank>bank',
	},
	'funding.submitProof': {
		route: 'POST /v1/funding_request',
		request: 'pop',
		response: 'status>status, response.message>message',
	},
	'virtualAccount.getAll': {
		route: 'POST /v1/fiat_virtuals',
		request: '',
		response: 'results[] alias>alias, account_number>accountNumber, bank>bank',
	},
	'virtualAccount.get': {
		route: 'POST /v1/virtual_details',
		request: 'alias',
		response: 'alias>alias, account_number>accountNumber, bank>bank, status>status',
	},
	'rate.getAll': {
		route: 'GET /v1/rates',
		request: '',
		response:
			'results[] Base Currency>baseCurrency, Quote Currency>quoteCurrency, Bid>bid (number), Ask>ask (number), Last Updated >lastUpdated',
	},
	'instantLiquidity.getContracts': {
		route: 'GET /v1/instant_contracts',
		request: '',
		response:
			'results[] contract_id>contractId, From>from, to>to, rate>rate (number), fee>fee (number), amount available>amountAvailable (number), Direction>direction',
	},
	'instantLiquidity.convert': {
		route: 'POST /v1/instant_conversion',
		request: 'contract_id, from_amount (number)',
		response:
			'status>status, transaction_id>transactionId, from_amount>fromAmount (number), to_amount>toAmount (number), rate>rate (number)',
		money: true,
	},
	'instantLiquidity.getTransaction': {
		route: 'POST /v1/instant_transaction',
		request: 'id',
		response:
			'transaction_id>transactionId, status>status, from_currency>fromCurrency, to_currency>toCurrency, from_amount>fromAmount (number), to_amount>toAmount (number), completed_at>completedAt',
	},
	'cryptoWallet.create': { route: 'POST /v1/create_wallet', request: '?', response: '?' },
	'cryptoWallet.getAll': { route: 'POST /v1/crypto_wallets', request: '?', response: '?' },
	'cryptoWallet.get': { route: 'POST /v1/wallet_details', request: '?', response: '?' },
	'cryptoWallet.getBalance': { route: 'POST /v1/coin_balance', request: '?', response: '?' },
	'cryptoWallet.createPayout': { route: 'POST /v1/crypto_payout', request: '?', response: '?', money: true },
	'settlementWallet.create': { route: 'POST /v1/add_settlement_wallet', request: '?', response: '?' },
	'settlementWallet.getAll': { route: 'POST /v1/settlement_wallets', request: '?', response: '?' },
	'settlementWallet.get': { route: 'POST /v1/settlement_wallet_details', request: '?', response: '?' },
	'settlementAccount.getAll': { route: 'POST /v1/settlement_accounts', request: '?', response: '?' },
	'settlementAccount.get': { route: 'POST /v1/settlement_account_details', request: '?', response: '?' },
	'sandbox.adjustFiatBalance': {
		route: 'POST /v1/fiat_balance_update',
		request: 'currency, amount (number)',
		response: 'status>status, currency>currency, amount>amount (number), message>message',
	},
	'sandbox.adjustCryptoBalance': {
		route: 'POST /v1/crypto_balance_update',
		request: 'coin, amount (number)',
		response: 'status>status, coin>coin, amount>amount (number), message>message',
	},
	'service.getHealth': { route: 'GET /v1/health', request: '?', response: '?' },
};

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
		const [name, kind] = entry;
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
	expect(CATALOG.map(({ id }) => id).sort()).toEqual(Object.keys(DOCUMENT).sort());
});

test.each(CATALOG)('$id has the route and the fields of the document', ({ id, method, path, endpoint }) => {
	const documented = DOCUMENT[id];
	expect(endpoint.route).toBe(documented.route);
	expect(`${method} ${path}`).toBe(documented.route);
	expect(sorted(requestOf(endpoint))).toEqual(sorted(documented.request));
	expect(sorted(responseOf(endpoint))).toEqual(sorted(documented.response));
	expect(endpoint.movesMoney !== undefined).toBe(documented.money === true);
});

test('an endpoint is found by its identity, and an unknown identity throws', () => {
	expect(getEndpoint('rate.getAll')).toMatchObject({
		resource: 'rate',
		resourceName: 'Rate',
		operation: 'getAll',
		method: 'GET',
		path: '/v1/rates',
		endpoint: { route: 'GET /v1/rates' },
	});
	for (const id of ['rate', 'rate.', 'rate.constructor', 'constructor.name', '']) {
		expect(() => getEndpoint(id)).toThrow(`There is no operation '${id}'`);
	}
});

test('the money roles of an operation name fields that exist', () => {
	for (const { endpoint } of CATALOG) {
		const { movesMoney = {}, request, suggestedFields = request, response } = endpoint;
		const { amount, destination, id } = movesMoney;
		for (const field of [amount, destination]) {
			if (field !== undefined) expect(Object.keys(suggestedFields)).toContain(field);
		}
		if (id !== undefined) expect(fieldsOf(response as RecordShape).join()).toContain(`>${id}`);
	}
});
