import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { EVENTS } from '../../api/events.ts';
import { toItem } from '../../nodes/WalletService/trigger/item.ts';
import { parseDelivery } from '../../nodes/WalletService/trigger/parse.ts';

/** Bodies with the keys of the API document ("Payload fields"); items with the names and forms of the contract. */
const DELIVERIES: Array<{ body: Record<string, string>; item: Record<string, unknown>; key?: string }> = [
	{
		body: {
			event: 'settlement_wallet_update',
			Alias: 'treasury',
			Address: '0xAbC1',
			Network: 'ERC20',
			'Asset Supported': 'usdt, USDC,eth',
			status: 'Whitelisted',
			Business: 'Acme',
		},
		item: {
			alias: 'treasury',
			address: '0xAbC1',
			network: 'ERC20',
			supportedAssets: ['USDT', 'USDC', 'ETH'],
			status: 'whitelisted',
			business: 'Acme',
		},
	},
	{
		body: {
			event: 'settlement_account_update',
			Alias: 'supplier-main',
			'Bank Name': 'First Bank',
			'Account Number': '0012345678',
			'Account Name': 'Supplier Ltd',
			status: 'Whitelisted',
			Business: 'Acme',
			'other details': 'line one\nline two',
			Currency: 'ngn',
		},
		item: {
			alias: 'supplier-main',
			bank: 'First Bank',
			accountNumber: '0012345678',
			accountName: 'Supplier Ltd',
			status: 'whitelisted',
			business: 'Acme',
			otherDetails: 'line one\nline two',
			currency: 'NGN',
		},
	},
	{
		body: {
			event: 'crypto_received',
			id: 'cr_1',
			wallet_alias: 'hot',
			wallet_address: 'bc1q',
			tx_hash: '0xfeed',
			status: 'Successful',
			Business: 'Acme',
			coin: 'btc',
			Amount: '0.123456789012345678',
			fee: '0.0001',
		},
		item: {
			id: 'cr_1',
			walletAlias: 'hot',
			walletAddress: 'bc1q',
			txHash: '0xfeed',
			status: 'successful',
			business: 'Acme',
			coin: 'BTC',
			amount: '0.123456789012345678',
			fee: '0.0001',
		},
		key: 'crypto_received:cr_1:successful',
	},
	{
		body: {
			event: 'virtual_account_created',
			Alias: 'customer-0042',
			Bank: 'First Bank',
			'Account Number': '9900',
			'Account Name': 'Customer 42',
			'Merchant Associated': 'Shop',
			Business: 'Acme',
			Currency: 'NGN',
		},
		item: {
			alias: 'customer-0042',
			bank: 'First Bank',
			accountNumber: '9900',
			accountName: 'Customer 42',
			merchant: 'Shop',
			business: 'Acme',
			currency: 'NGN',
		},
	},
	{
		body: {
			event: 'virtual_account_credited',
			id: 'vc_1',
			currency: 'NGN',
			status: 'successful',
			Amount: '9007199254740993.10',
			'Account received alias': 'customer-0042',
			Business: 'Acme',
			'Merchant Associated': 'Shop',
			'Sender Bank': 'Second Bank',
			'Sender account name': 'Payer',
			'Sender account number': '0001',
		},
		item: {
			id: 'vc_1',
			currency: 'NGN',
			status: 'successful',
			amount: '9007199254740993.10',
			accountAlias: 'customer-0042',
			business: 'Acme',
			merchant: 'Shop',
			senderBank: 'Second Bank',
			senderAccountName: 'Payer',
			senderAccountNumber: '0001',
		},
		key: 'virtual_account_credited:vc_1:successful',
	},
	{
		body: {
			event: 'crypto_payout_update',
			id: 'cp_1',
			coin: 'usdt',
			status: 'successful',
			'Amount sent': '25.50',
			'Wallet received alias': 'treasury',
			Business: 'Acme',
			fee: '0.5 usdt',
			tx_hash: '0xbeef',
		},
		item: {
			id: 'cp_1',
			coin: 'USDT',
			status: 'successful',
			amount: '25.50',
			walletAlias: 'treasury',
			business: 'Acme',
			fee: '0.5',
			feeCoin: 'USDT',
			txHash: '0xbeef',
		},
		key: 'crypto_payout_update:cp_1:successful',
	},
	{
		body: {
			event: 'admin_funding',
			id: 'af_1',
			Asset: 'NGN',
			status: 'successful',
			Amount: '1000.00',
			Business: 'Acme',
			fee: '0',
			'credit/debit': 'Credit',
			'fiat/crypto': 'Fiat',
		},
		item: {
			id: 'af_1',
			asset: 'NGN',
			status: 'successful',
			amount: '1000.00',
			business: 'Acme',
			fee: '0',
			direction: 'credit',
			assetClass: 'fiat',
		},
		key: 'admin_funding:af_1:successful',
	},
];

const NOW = new Date('2026-01-01T00:00:00.000Z');

function itemOf(text: string, includeRaw = false): Record<string, unknown> {
	const parsed = parseDelivery(Buffer.from(text));
	if (!parsed.ok) throw new Error(parsed.reason);
	return toItem(parsed.event, NOW, { includeRaw });
}

const refusalOf = (text: string) => {
	const parsed = parseDelivery(Buffer.from(text));
	return parsed.ok ? 'accepted' : parsed.reason;
};

test('the table of events has exactly the 7 kinds of the document', () => {
	expect(Object.keys(EVENTS).sort()).toEqual(DELIVERIES.map(({ body }) => body.event).sort());
});

describe.each(DELIVERIES)('$body.event', ({ body, item, key }) => {
	const text = JSON.stringify(body);
	const deliveryKey = key ?? `${body.event}:${createHash('sha256').update(text).digest('hex')}`;
	const head = { event: body.event, deliveryKey, receivedAt: '2026-01-01T00:00:00.000Z' };

	test('the item has the normalized fields', () => {
		expect(itemOf(text)).toEqual({ ...head, ...item });
		expect(itemOf(text, true).raw).toEqual(body);
	});

	test('the item keeps unknown fields under extra, and any field may be missing or of another type', () => {
		expect(itemOf(JSON.stringify({ ...body, 'New Field': { deep: [1] } })).extra).toEqual({
			'New Field': { deep: [1] },
		});
		for (const name of Object.keys(body).filter((key) => key !== 'event')) {
			for (const value of [null, {}, [], true, undefined]) {
				const { raw, ...read } = itemOf(JSON.stringify({ ...body, [name]: value }), true);
				expect(Object.values(read)).not.toContain('');
				expect(read).not.toHaveProperty('extra');
				expect(raw).toEqual(JSON.parse(JSON.stringify({ ...body, [name]: value })));
			}
		}
	});
});

test('the output schema in the built package has every field of every kind', () => {
	const { properties } = JSON.parse(readFileSync('dist/nodes/WalletService/__schema__/v2.0.0.json', 'utf8'));
	const names = DELIVERIES.flatMap(({ item }) => Object.keys(item));
	const head = ['event', 'id', 'deliveryKey', 'receivedAt'];
	expect(Object.keys(properties).sort()).toEqual([...new Set([...head, ...names])].sort());
	expect(properties.supportedAssets).toEqual({ type: 'array', items: { type: 'string' } });
});

describe('values', () => {
	const credited = (fields: string) => itemOf(`{"event":"virtual_account_credited",${fields}}`, true);

	test.each([
		['"Amount":"1,000.50"', '1,000.50'],
		['"Amount":""', ''],
		['"Amount":"NaN"', 'NaN'],
		['"Amount":"0x10"', '0x10'],
		['"Amount":null', null],
		['"Amount":"12 NGN"', '12 NGN'],
	])('an amount that cannot be read is left out and stays in raw: %s', (field, raw) => {
		const item = credited(field);
		expect(item).not.toHaveProperty('amount');
		expect(item.raw).toEqual({ event: 'virtual_account_credited', Amount: raw });
	});

	test('a number in place of documented text keeps all its digits', () => {
		const item = credited('"Amount":9007199254740993,"Sender account number":123');
		expect(item.amount).toBe('9007199254740993');
		expect(item.senderAccountNumber).toBe('123');
		// A number that a double cannot hold exactly is text in raw, too.
		expect(item.raw).toMatchObject({ Amount: '9007199254740993', 'Sender account number': 123 });
	});

	test.each([
		['"0.5 usdt"', '0.5', 'USDT'],
		['"0.5usdt"', '0.5', 'USDT'],
		['"12 1inch"', '12', '1INCH'],
		['"0.5"', '0.5', undefined],
		['"5e3"', '5000', undefined],
		['"5e3usdt"', undefined, undefined],
		['"1 000"', undefined, undefined],
		['"free"', undefined, undefined],
	])('the fee %s is split into amount and coin', (sent, fee, feeCoin) => {
		const item = itemOf(`{"event":"crypto_payout_update","fee":${sent}}`);
		expect([item.fee, item.feeCoin]).toEqual([fee, feeCoin]);
	});

	test('a direction that is neither credit nor debit is left out', () => {
		expect(itemOf('{"event":"admin_funding","credit/debit":"Reversal"}')).not.toHaveProperty('direction');
		expect(itemOf('{"event":"admin_funding","credit/debit":"Debit"}').direction).toBe('debit');
	});

	test('keys that are special to JavaScript are ordinary data', () => {
		const item = itemOf('{"event":"admin_funding","__proto__":{"amount":"1"},"constructor":"x"}', true);
		expect(item.amount).toBeUndefined();
		expect(Object.keys(item.extra as object)).toEqual(['__proto__', 'constructor']);
		expect(Object.keys(item.raw as object)).toEqual(['event', '__proto__', 'constructor']);
	});
});

describe('the delivery key', () => {
	const keyOf = (text: string) => itemOf(text).deliveryKey;

	test('the delivery key differs for another status, but not for another spelling of the status', () => {
		const update = (status: string) => `{"event":"crypto_payout_update","id":"cp_1","status":"${status}"}`;
		expect(keyOf(update('pending'))).not.toBe(keyOf(update('successful')));
		expect(keyOf(update('Successful'))).toBe(keyOf(update('successful')));
	});

	test('the delivery key uses an undocumented ID, and an empty ID counts as none', () => {
		expect(keyOf('{"event":"virtual_account_created","id":"n1","status":"New"}')).toBe(
			'virtual_account_created:n1:new',
		);
		expect(keyOf('{"event":"something_new","id":7}')).toBe('something_new:7:');
		expect(keyOf('{"event":"admin_funding","id":""}')).toMatch(/^admin_funding:[0-9a-f]{64}$/);
	});
});

describe('refused bodies', () => {
	test.each([
		['', 'The body is not valid JSON'],
		['{', 'The body is not valid JSON'],
		['[]', 'The body is not a JSON object'],
		['null', 'The body is not a JSON object'],
		['12', 'The body is not a JSON object'],
		['"text"', 'The body is not a JSON object'],
		['{}', "The body has no text in 'event'"],
		['{"event":7}', "The body has no text in 'event'"],
		['{"event":""}', "The body has no text in 'event'"],
	])('the body %p is refused with a reason', (text, reason) => expect(refusalOf(text)).toBe(reason));

	test('a body nested 100,000 levels deep is refused', () => {
		const deep = `{"event":"admin_funding","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
		expect(refusalOf(deep)).toBe('The body is nested too deeply');
	});
});
