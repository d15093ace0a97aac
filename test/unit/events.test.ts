/** Each kind of event becomes an item with the names and forms of the contract, and no value is made up. */
import { readFileSync } from 'node:fs';
import { EVENTS } from '../../api/events.ts';
import { toItem } from '../../nodes/WalletServiceTrigger/item.ts';
import { placeOnOutput } from '../../nodes/WalletServiceTrigger/outputs.ts';
import { parseDelivery } from '../../nodes/WalletServiceTrigger/parse.ts';

/** The keys of the API document ("Payload fields") with what is sent, and the names in the item with what they hold. */
type Row = [key: string, sent: string, name: string, held: string | string[]];

/** Each field is `key > name: sent`, with `= held` if the item holds another text. */
const rowOf = (field: string): Row => {
	const [key = '', name = '', sent = '', held = sent] = field.split(/ > |: | = /);
	return [key, sent, name, name === 'supportedAssets' ? held.split(' ') : held];
};
const fields = (...texts: string[]) => texts.flatMap((text) => text.split('; ').map(rowOf));

const DELIVERIES = {
	settlement_wallet_update: fields(
		'Alias > alias: treasury; Address > address: 0xAbC1; Network > network: ERC20; Business > business: Acme',
		'Asset Supported > supportedAssets: usdt, USDC,eth = USDT USDC ETH; status > status: Whitelisted = whitelisted',
	),
	settlement_account_update: fields(
		'Alias > alias: supplier-main; Bank Name > bank: First Bank; Account Number > accountNumber: 0012345678',
		'Account Name > accountName: Supplier Ltd; status > status: Whitelisted = whitelisted; Business > business: Acme',
		'other details > otherDetails: line one\nline two; Currency > currency: ngn = NGN',
	),
	crypto_received: fields(
		'id > id: cr_1; wallet_alias > walletAlias: hot; wallet_address > walletAddress: bc1q; tx_hash > txHash: 0xfeed',
		'status > status: Successful = successful; Business > business: Acme; coin > coin: btc = BTC',
		'Amount > amount: 0.123456789012345678; fee > fee: 0.0001',
	),
	virtual_account_created: fields(
		'Alias > alias: customer-0042; Bank > bank: First Bank; Account Number > accountNumber: 9900',
		'Account Name > accountName: Customer 42; Merchant Associated > merchant: Shop',
		'Business > business: Acme; Currency > currency: NGN',
	),
	virtual_account_credited: fields(
		'id > id: vc_1; currency > currency: NGN; status > status: successful; Amount > amount: 9007199254740993.10',
		'Account received alias > accountAlias: customer-0042; Business > business: Acme; Merchant Associated > merchant: Shop',
		'Sender Bank > senderBank: Second Bank; Sender account name > senderAccountName: Payer',
		'Sender account number > senderAccountNumber: 0001',
	),
	crypto_payout_update: fields(
		'id > id: cp_1; coin > coin: usdt = USDT; status > status: successful; Amount sent > amount: 25.50',
		'Wallet received alias > walletAlias: treasury; Business > business: Acme; fee > fee: 0.5 usdt = 0.5',
		'tx_hash > txHash: 0xbeef',
	),
	admin_funding: fields(
		'id > id: af_1; Asset > asset: NGN; status > status: successful; Amount > amount: 1000.00; Business > business: Acme',
		'fee > fee: 0; credit/debit > direction: Credit = credit; fiat/crypto > assetClass: Fiat = fiat',
	),
};
/** The second field that the fee of `crypto_payout_update` becomes. */
const FEE_COIN = { feeCoin: 'USDT' };

const NOW = new Date('2026-01-01T00:00:00.000Z');

function itemOf(text: string, includeRaw = false): Record<string, unknown> {
	const parsed = parseDelivery(Buffer.from(text));
	if (typeof parsed === 'string') throw new Error(parsed);
	return toItem(parsed, NOW, { deliveryKey: 'the key', includeRaw });
}

test('the table of events has exactly the 7 kinds of the document', () => {
	expect(Object.keys(EVENTS).sort()).toEqual(Object.keys(DELIVERIES).sort());
});

describe.each(Object.entries(DELIVERIES))('%s', (event, rows) => {
	const body = { event, ...Object.fromEntries(rows.map(([key, sent]) => [key, sent])) };
	const text = JSON.stringify(body);

	test('the item has the normalized fields and the delivery key', () => {
		const held = Object.fromEntries(rows.map(([, , name, text]) => [name, text]));
		expect(itemOf(text, true)).toEqual({
			event,
			deliveryKey: 'the key',
			receivedAt: '2026-01-01T00:00:00.000Z',
			raw: body,
			...held,
			...(event === 'crypto_payout_update' && FEE_COIN),
		});
		expect(itemOf(text)).not.toHaveProperty('raw');
	});

	test('an unknown field is kept under extra', () => {
		const added = { 'New Field': { deep: [1] } };
		expect(itemOf(JSON.stringify({ ...body, ...added })).extra).toEqual(added);
	});

	test('a field that is missing or of another type never becomes an empty text', () => {
		for (const [key] of rows) {
			for (const value of [null, {}, [], true, undefined]) {
				const sent = { ...body, [key]: value };
				const { raw, ...read } = itemOf(JSON.stringify(sent), true);
				expect(Object.values(read)).not.toContain('');
				expect(read).not.toHaveProperty('extra');
				expect(raw).toEqual(JSON.parse(JSON.stringify(sent)));
			}
		}
	});
});

test('each kind keeps the place of its output, because wires of stored workflows go by it', () => {
	const kinds = [
		'settlement_wallet_update',
		'settlement_account_update',
		'crypto_received',
		'virtual_account_created',
		'virtual_account_credited',
		'crypto_payout_update',
		'admin_funding',
		'a kind that comes later',
	];
	for (const [place, kind] of kinds.entries())
		expect(placeOnOutput([kind], kind)).toEqual(kinds.map((_, at) => (at === place ? [kind] : [])));
});

test('the output schema in the built package has every field of every kind', () => {
	const { properties } = JSON.parse(
		readFileSync('dist/nodes/WalletServiceTrigger/__schema__/v2.0.0.json', 'utf8'),
	);
	const names = Object.values(DELIVERIES).flatMap((rows) => rows.map(([, , name]) => name));
	const head = ['event', 'id', 'notFiltered', 'deliveryKey', 'receivedAt', ...Object.keys(FEE_COIN)];
	expect(Object.keys(properties).sort()).toEqual([...new Set([...head, ...names])].sort());
	for (const name of ['supportedAssets', 'notFiltered'])
		expect(properties[name]).toEqual({ type: 'array', items: { type: 'string' } });
});

describe('values', () => {
	test('an amount that is no decimal is left out', () => {
		expect(itemOf('{"event":"virtual_account_credited","Amount":"1,000.50"}')).not.toHaveProperty('amount');
	});

	test('a number in place of documented text keeps all its digits', () => {
		const sent = '{"event":"virtual_account_credited","Amount":9007199254740993,"Sender account number":123}';
		expect(itemOf(sent, true)).toMatchObject({
			amount: '9007199254740993',
			senderAccountNumber: '123',
			// A number that a double cannot hold exactly is text in raw, too.
			raw: { Amount: '9007199254740993', 'Sender account number': 123 },
		});
	});

	test.each([
		['0.5usdt', '0.5', 'USDT'],
		['12 1inch', '12', '1INCH'],
		['5e3', '5000', undefined],
		['5e3usdt', undefined, undefined],
		['1 000', undefined, undefined],
		['free', undefined, undefined],
	])('the fee %s is split into amount and coin', (sent, fee, feeCoin) => {
		const item = itemOf(`{"event":"crypto_payout_update","fee":"${sent}"}`);
		expect([item.fee, item.feeCoin]).toEqual([fee, feeCoin]);
	});

	test.each([
		['1000.50 USDT', '1000.50'],
		['1000.50usdt', '1000.50'],
		['1000.50 BTC', undefined],
		['1.5 usdt-trc20', undefined],
		['USDT 1.5', undefined],
		['1,5 USDT', undefined],
		['0.1%', undefined],
	])('the amount %s of USDT is read only if its code is that of the event', (sent, amount) => {
		const item = itemOf(`{"event":"crypto_received","coin":"usdt","Amount":"${sent}"}`, true);
		expect(item).toMatchObject({ coin: 'USDT', raw: { Amount: sent } });
		expect(item.amount).toBe(amount);
		expect(item).not.toHaveProperty('amountCoin');
		expect(itemOf(`{"event":"crypto_received","Amount":"${sent}"}`)).not.toHaveProperty('amount');
	});

	test.each([
		['USDT_BSC', '5 usdt_bsc', '5'],
		['USDT-TRC20', '1.5USDT-TRC20', '1.5'],
		['1INCH', '12 1inch', '12'],
		['E3', '5e3', '5000'],
		['USDT', '5 USDT_BSC', undefined],
		['', '5', '5'],
	])('in an event of %s the amount %s is %s', (coin, sent, amount) => {
		expect(itemOf(JSON.stringify({ event: 'crypto_received', coin, Amount: sent })).amount).toBe(amount);
	});

	test('a key that stands twice is left out, and raw has all its values: nobody knows which one counts', () => {
		const twice =
			'{"event":"crypto_received","id":"a","Amount":"1","coin":"btc","\\u0041mount":2.50,"id":"b"}';
		expect(itemOf(twice, true)).toEqual({
			event: 'crypto_received',
			deliveryKey: 'the key',
			receivedAt: NOW.toISOString(),
			coin: 'BTC',
			raw: { event: 'crypto_received', id: ['a', 'b'], Amount: ['1', 2.5], coin: 'btc' },
		});
		expect(parseDelivery(Buffer.from('{"event":"crypto_received","event":"admin_funding"}'))).toContain(
			"no text in 'event'",
		);
	});

	test('so is one inside another field, whose digits are all kept', () => {
		const inside = '"payer":{"name":"Ada","ref":[{"n":1.0,"n":9007199254740993}],"name":"Eve"}';
		const twice = `{"event":"crypto_received","id":"a","Amount":"1",${inside}}`;
		const payer = { name: ['Ada', 'Eve'], ref: [{ n: [1, '9007199254740993'] }] };
		expect(itemOf(twice, true)).toMatchObject({ id: 'a', amount: '1', extra: { payer }, raw: { payer } });
		const other = twice.replace('"name":"Ada",', '');
		expect(itemOf(other, true)).toMatchObject({ extra: { payer: { name: 'Eve' } } });
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
