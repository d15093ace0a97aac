/** What makes two deliveries the same event, and the key that items have of it. */
import { EVENT_KINDS } from '../fixtures/eventKinds.ts';
import { laterSpellings, spellings } from '../fixtures/spellings.ts';
import { identityOf } from '../../nodes/WalletServiceTrigger/once/identity.ts';
import { parseDelivery } from '../../nodes/WalletServiceTrigger/parse.ts';
import { openSslHash } from './openSsl.ts';

function identity(body: string | object, messageId?: string) {
	const parsed = parseDelivery(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
	if (typeof parsed === 'string') throw new Error(parsed);
	return identityOf(parsed, messageId);
}

/** How many events these deliveries are. Each event has its own delivery key. */
function eventsIn(bodies: ReadonlyArray<string | object>): number {
	const identities = bodies.map((body) => identity(body));
	const [keys, deliveryKeys] = [
		new Set(identities.map(({ key }) => key)),
		new Set(identities.map(({ deliveryKey }) => deliveryKey)),
	];
	expect(deliveryKeys.size).toBe(keys.size);
	return keys.size;
}

test('twenty spellings are one event. A fee that comes later makes another one, and a hash a third', () => {
	expect(new Set(spellings()).size).toBe(20);
	expect(eventsIn(spellings())).toBe(1);
	expect(eventsIn([...spellings(), ...laterSpellings()])).toBe(3);
});

/** By the API document ("Payload fields"), sorted by hand: which fields say what moved where, and which only describe it. */
const FIELDS: Record<string, { counted: Record<string, string>; others: string[] }> = {
	settlement_wallet_update: {
		counted: {
			Alias: 'treasury',
			Address: '0xAbC1',
			Network: 'ERC20',
			'Asset Supported': 'USDT, USDC',
			status: 'Whitelisted',
		},
		others: ['Business'],
	},
	settlement_account_update: {
		counted: {
			Alias: 'supplier-main',
			'Bank Name': 'First Bank',
			'Account Number': '0012345678',
			status: 'Whitelisted',
			Currency: 'NGN',
		},
		others: ['Account Name', 'Business', 'other details'],
	},
	crypto_received: {
		counted: {
			id: 'cr_1',
			wallet_alias: 'hot',
			wallet_address: 'bc1q',
			tx_hash: '0xfeed',
			status: 'successful',
			coin: 'BTC',
			Amount: '0.5',
			fee: '0.0001',
		},
		others: ['Business'],
	},
	virtual_account_created: {
		counted: { Alias: 'customer-0042', Bank: 'First Bank', 'Account Number': '9900', Currency: 'NGN' },
		others: ['Account Name', 'Merchant Associated', 'Business'],
	},
	virtual_account_credited: {
		counted: {
			id: 'vc_1',
			currency: 'NGN',
			status: 'successful',
			Amount: '100.00',
			'Account received alias': 'customer-0042',
		},
		others: [
			'Business',
			'Merchant Associated',
			'Sender Bank',
			'Sender account name',
			'Sender account number',
		],
	},
	crypto_payout_update: {
		counted: {
			id: 'cp_1',
			coin: 'usdt',
			status: 'successful',
			'Amount sent': '25.50',
			'Wallet received alias': 'treasury',
			fee: '0.5 usdt',
			tx_hash: '0xbeef',
		},
		others: ['Business'],
	},
	admin_funding: {
		counted: { id: 'af_1', Asset: 'NGN', status: 'successful', Amount: '1000.00', fee: '1' },
		others: ['Business', 'credit/debit', 'fiat/crypto'],
	},
};

test('every kind of the document is in the table', () => {
	expect(Object.keys(FIELDS).sort()).toEqual(EVENT_KINDS.toSorted());
});

describe.each(Object.entries(FIELDS))('%s', (event, { counted, others }) => {
	const body = { event, ...counted };
	const names = Object.keys(counted);
	const amounts = names.filter((name) => /amount|fee/i.test(name));

	test.each(names)('another %s, or none, is another event', (name) => {
		const other = amounts.includes(name) ? '7' : 'another';
		expect(eventsIn([body, { ...body, [name]: other }, { ...body, [name]: undefined }])).toBe(3);
	});

	test.each([...others, 'attempt'])('%s tells no events apart', (name) => {
		expect(eventsIn([body, { ...body, [name]: 'Credit' }, { ...body, [name]: 'Debit' }])).toBe(1);
	});

	test('a field that is null, empty or blank is none', () => {
		for (const name of names) {
			const empty = [null, '', ' ', undefined].map((value) => ({ ...body, [name]: value }));
			// Without the field that names the event, the whole body counts.
			const isNaming = ['id', 'Alias'].includes(name);
			if (!isNaming) expect([name, eventsIn(empty)]).toEqual([name, 1]);
		}
	});

	test('without the field that names it, all fields count', () => {
		const [naming = ''] = names.filter((name) => ['id', 'Alias'].includes(name));
		const nameless = { ...body, [naming]: undefined };
		expect(eventsIn([nameless, { ...nameless, attempt: 2 }, { ...nameless, Business: 'Acme' }])).toBe(3);
		expect(eventsIn([nameless, Object.fromEntries(Object.entries(nameless).reverse())])).toBe(1);
	});
});

test.each<[what: string, fields: object[], events: number]>([
	['a dash of another kind', [{ wallet_alias: 'hot-1' }, { wallet_alias: ' Hot\u20111' }], 1],
	['an ID in two cases', [{ id: 'A1' }, { id: 'a1' }], 2],
	['an ID as a number', [{ id: '7' }, { id: 7 }, { id: ' 7 ' }], 1],
	['an ID that is no text', [{ id: { a: 1 } }, { id: { a: 1 }, attempt: 2 }], 2],
	['a minus', [{ Amount: '5' }, { Amount: '-5' }], 2],
	['every digit', [{ Amount: '0.123456789012345678' }, { Amount: '0.123456789012345679' }], 2],
	['amounts that cannot be read', [{ Amount: '1,000' }, { Amount: '2,000' }, { Amount: ['1', '2'] }], 3],
	['a fee with and without its coin', [{ fee: '0.5 btc' }, { fee: '0.50BTC' }, { fee: '0.5' }], 1],
	['a fee in another coin', [{ fee: '0.5 btc' }, { fee: '0.5 eth' }], 2],
	['no fee, and a fee of zero', [{ fee: undefined }, { fee: '0' }, { fee: '0.00 BTC' }], 2],
	['a hash in two cases', [{ tx_hash: '0xfeed' }, { tx_hash: ' 0xFEED' }], 1],
])('%s', (_, fields, events) => {
	const body = { event: 'crypto_received', ...FIELDS.crypto_received!.counted };
	expect(eventsIn(fields.map((each) => ({ ...body, ...each })))).toBe(events);
});

test.each([
	'null',
	'undefined',
	'NaN',
	'N/A',
	'none',
	'0',
	'-',
	'\u200b',
	'00000000-0000-0000-0000-000000000000',
])('the ID %j stands where there is none, so two deposits are two events', (id) => {
	const body = { event: 'virtual_account_credited', ...FIELDS.virtual_account_credited!.counted, id };
	const numbers = ['0012345678', '0087654321'];
	expect(eventsIn(numbers.map((number) => ({ ...body, 'Sender account number': number })))).toBe(2);
	expect(eventsIn([body, { ...body, id: `${id}7` }, { ...body, id: `A-${id}7` }])).toBe(3);
});

test('a list of coins in another order is the same', () => {
	const body = { event: 'settlement_wallet_update', Alias: 'a' };
	const lists = ['USDT,USDC', 'usdc , usdt,', 'USDC'];
	expect(eventsIn(lists.map((list) => ({ ...body, 'Asset Supported': list })))).toBe(2);
});

test('of an unknown kind, the whole body counts, but for order and white space', () => {
	const kind = '{"event":"card_issued","id":"1","a":1.50}';
	expect(eventsIn([kind, '{ "a": 1.5, "id": "1", "event": "card_issued" }'])).toBe(1);
	expect(eventsIn([kind, kind.replace('"1"', '"1","attempt":2'), kind.replace('1.50', '"1.50"')])).toBe(3);
});

/** Rows of executions that have not begun must be found after an update, so what is hashed is written out. */
describe('the key', () => {
	test.each([
		[
			'what was read',
			'{ "status": "Active", "event": "virtual_account_created", "Alias": " A", "other": 1, "id": "e1" }',
			'["virtual_account_created",{"Alias":"a","id":"e1","status":"active"}]',
		],
		[
			'amounts and coins in one spelling',
			'{"event":"crypto_received","id":"c","Amount":"1.50 btc","coin":"btc","fee":"0.10 eth"}',
			'["crypto_received",{"Amount":"1.5","coin":"BTC","fee":["0.1","ETH"],"id":"c"}]',
		],
		[
			'all fields of an unknown kind',
			'{"event":"card_issued","b":2,"a":{"d":1,"c":[]}}',
			'["card_issued",{"a":{"c":[],"d":1},"b":2,"event":"card_issued"}]',
		],
		[
			'all fields of a deposit without ID',
			'{"event":"virtual_account_credited","Amount":"5","reference":"FT-1"}',
			'["virtual_account_credited",{"Amount":"5","event":"virtual_account_credited","reference":"FT-1"}]',
		],
		[
			'all fields of an account whose alias has another name',
			'{"event":"virtual_account_created","Bank":"A","alias":"c-1"}',
			'["virtual_account_created",{"Bank":"A","alias":"c-1","event":"virtual_account_created"}]',
		],
	])('without a message ID it is made of %s', (_, body, parts) => {
		expect(identity(body).key).toBe(openSslHash(parts, 'sha256', 'hex'));
	});

	test('the signed message ID comes first, whatever the body says', () => {
		const key = openSslHash('["message","msg_1"]', 'sha256', 'hex');
		expect(identity('{"event":"admin_funding"}', 'msg_1')).toEqual({
			key,
			deliveryKey: `admin_funding::${key}`,
		});
		const review = '{"event":"settlement_wallet_update","Alias":"vault"}';
		expect(identity(review, 'msg_1')).toMatchObject({ key });
		expect(identity(review, 'msg_1')).not.toHaveProperty('subject');
		expect(identity('{"event":"admin_funding","id":"a"}', 'msg_1').deliveryKey).toBe(
			`admin_funding:a::${key.slice(0, 8)}`,
		);
	});
});

test.each([
	[
		'an ID and a status',
		'{"event":"admin_funding","id":"n1","status":"New"}',
		/^admin_funding:n1:new:[0-9a-f]{8}$/,
	],
	[
		'an ID and a status that the document does not show',
		'{"event":"virtual_account_created","Alias":"a","id":"n1","status":"New"}',
		/^virtual_account_created:n1:new:[0-9a-f]{8}$/,
	],
	['an unknown kind with an ID', '{"event":"something_new","id":7}', /^something_new:7::[0-9a-f]{8}$/],
	['no ID', '{"event":"virtual_account_created","Alias":"a"}', /^virtual_account_created::[0-9a-f]{64}$/],
	['an empty ID', '{"event":"admin_funding","id":" "}', /^admin_funding::[0-9a-f]{64}$/],
	['an ID that stands twice', '{"event":"admin_funding","id":"a","id":"a"}', /^admin_funding::[0-9a-f]{64}$/],
	['a colon and a percent sign', '{"event":"a:b","id":"c%","status":":"}', /^a%3Ab:c%25:%3A:[0-9a-f]{8}$/],
])('the delivery key with %s', (_, body, expected) => {
	const { key, deliveryKey } = identity(body);
	expect(deliveryKey).toMatch(expected);
	expect(key).toContain(deliveryKey.split(':').at(-1));
});
