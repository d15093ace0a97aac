import { ENDPOINTS } from '../../api/endpoints.ts';
import type { Endpoint, Resource } from '../../api/endpoints.ts';
import { isField, isList, UNDOCUMENTED } from '../../api/shape.ts';
import type { RecordShape } from '../../api/shape.ts';

/** Typed from the API document ("Endpoints") and the contract (resources, operations, names in items). */
const DOCUMENT: Record<string, { route: string; request: string; response: string; money?: true }> = {
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

const table = Object.entries(ENDPOINTS as Record<string, Resource>).flatMap(([resource, { operations }]) =>
	Object.entries(operations).map(([operation, endpoint]) => [`${resource}.${operation}`, endpoint] as const),
);

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
	expect(table).toHaveLength(23);
	expect(table.map(([id]) => id).sort()).toEqual(Object.keys(DOCUMENT).sort());
});

describe.each(table)('%s', (id, endpoint) => {
	test(`is ${DOCUMENT[id].route} with the document's fields`, () => {
		expect(endpoint.route).toBe(DOCUMENT[id].route);
		expect(sorted(requestOf(endpoint))).toEqual(sorted(DOCUMENT[id].request));
		expect(sorted(responseOf(endpoint))).toEqual(sorted(DOCUMENT[id].response));
		expect(endpoint.movesMoney !== undefined).toBe(DOCUMENT[id].money === true);
	});
});

test('money fields name fields that exist', () => {
	for (const [, { movesMoney = {}, request, response }] of table) {
		const { amount, destination, id } = movesMoney;
		for (const field of [amount, destination]) {
			if (field !== undefined) expect(Object.keys(request)).toContain(field);
		}
		if (id !== undefined) expect(fieldsOf(response as RecordShape).join()).toContain(`>${id}`);
	}
});
