/** What the trigger does with a field follows from its role in the table of events, whatever its name is. */
import { EVENTS, type EventKind } from '../../api/events.ts';
import { keysWithRole, type EventRole } from '../../api/shape.ts';
import { identityOf } from '../../nodes/WalletServiceTrigger/once/identity.ts';
import { select } from '../../nodes/WalletServiceTrigger/filter.ts';
import { parseDelivery } from '../../nodes/WalletServiceTrigger/parse.ts';

/** Kinds that a maintainer might add, with names that no code knows. */
const ADDED = {
	token_received: {
		name: 'Token Received',
		description: 'Tokens arrived',
		fields: {
			reference: { kind: 'id', role: 'id' },
			state: { kind: 'status', role: 'status' },
			token: { kind: 'code', role: 'currency' },
			network_token: { kind: 'code', role: 'none' },
			quantity: { kind: 'decimal', role: 'amount' },
			gas: { kind: 'decimal', role: 'none' },
			place: { kind: 'text', role: 'account' },
			cost: { kind: 'money', role: 'fee' },
			proof: { kind: 'text', role: 'txHash' },
		},
	},
	pair_traded: {
		name: 'Pair Traded',
		description: 'Two tokens were exchanged',
		fields: {
			sold: { kind: 'code', role: 'currency' },
			bought: { kind: 'code', role: 'currency' },
		},
	},
	card_issued: {
		name: 'Card Issued',
		description: 'A card was issued',
		fields: { Card: { kind: 'text', role: 'subject' }, holder: 'text' },
	},
	card_reviewed: {
		name: 'Card Reviewed',
		description: 'A card was reviewed',
		isReview: true,
		fields: { Card: { kind: 'text', role: 'subject' }, state: { kind: 'status', role: 'status' } },
	},
} as const satisfies Record<string, EventKind>;

beforeAll(() => Object.assign(EVENTS, ADDED));
afterAll(() => {
	for (const name of Object.keys(ADDED)) Reflect.deleteProperty(EVENTS, name);
});

function parsed(event: keyof typeof ADDED, fields: object) {
	const delivery = parseDelivery(Buffer.from(JSON.stringify({ event, ...fields })));
	if (typeof delivery === 'string') throw new Error(delivery);
	return delivery;
}

const NO_FILTER = { unknownEvents: false, statuses: [], currencies: [], minimumAmount: undefined };
type Filters = Partial<Parameters<typeof select>[1]>;

const received = {
	reference: 'r1',
	state: 'Done',
	token: 'usdt',
	network_token: 'eth',
	quantity: '5',
	gas: '9',
};
const pair = { sold: 'USDT', bought: 'BTC' };

test.each<[keyof typeof ADDED, object, Filters, isWanted: boolean, notFiltered?: string[]]>([
	['token_received', received, { currencies: ['usdt'] }, true],
	['token_received', received, { currencies: ['eth'] }, false],
	['token_received', { ...received, token: undefined }, { currencies: ['usdt'] }, true, ['token']],
	['token_received', received, { statuses: ['done'] }, true],
	['token_received', received, { statuses: ['failed'] }, false],
	['token_received', received, { minimumAmount: '5' }, true],
	['token_received', received, { minimumAmount: '6' }, false],
	['token_received', { ...received, quantity: '-5' }, { minimumAmount: '5' }, true],
	['token_received', { ...received, quantity: 'many' }, { minimumAmount: '6' }, true, ['quantity']],
	// Each of its currencies must be wanted.
	['pair_traded', pair, { currencies: ['usdt'] }, false],
	['pair_traded', pair, { currencies: ['usdt', 'btc'] }, true],
	['pair_traded', { sold: 'USDT' }, { currencies: ['usdt'] }, true, ['bought']],
	['pair_traded', { sold: 'BTC' }, { currencies: ['usdt'] }, false],
	// A filter applies to the kinds that have its field.
	['pair_traded', pair, { statuses: ['done'], minimumAmount: '6' }, true],
	['card_issued', { Card: 'c' }, { currencies: ['usdt'], statuses: ['done'], minimumAmount: '6' }, true],
])('%s %j with %j passes: %s', (event, fields, filters, isWanted, notFiltered = []) => {
	const selected = select(parsed(event, fields), { ...NO_FILTER, events: [event], ...filters });
	expect(selected).toEqual(isWanted ? { isWanted, notFiltered } : { isWanted });
});

describe('the identity of an event of a new kind', () => {
	const key = (event: keyof typeof ADDED, fields: object) => identityOf(parsed(event, fields)).key;
	const isSame = (event: keyof typeof ADDED, one: object, other: object) =>
		key(event, one) === key(event, other);

	test('its fields with a role count, and others do not, if the field that names it is there', () => {
		expect(isSame('token_received', received, { ...received, attempt: 2 })).toBe(true);
		expect(isSame('token_received', received, { ...received, token: 'usdc' })).toBe(false);
		expect(isSame('token_received', received, { ...received, network_token: 'btc', gas: '10' })).toBe(true);
		expect(isSame('token_received', received, { ...received, place: 'b' })).toBe(false);
		expect(isSame('token_received', received, { ...received, proof: 'b' })).toBe(false);
		expect(isSame('token_received', received, { ...received, cost: '2' })).toBe(false);
		expect(isSame('card_issued', { Card: 'c' }, { Card: 'c', attempt: 2, holder: 'a' })).toBe(true);
	});

	test('without the field that names it, the whole body counts', () => {
		for (const [event, fields] of [
			['token_received', { ...received, reference: undefined }],
			['card_issued', { holder: 'a' }],
		] as const)
			expect(isSame(event, fields, { ...fields, attempt: 2 })).toBe(false);
	});

	test('a review has the subject that its state belongs to, and no other kind has one', () => {
		const reviewed = (state: string) => identityOf(parsed('card_reviewed', { Card: 'c', state }));
		expect(reviewed('Blocked').subject).toBe(reviewed('Open').subject);
		expect(reviewed('Blocked').subject).toMatch(/./);
		expect(identityOf(parsed('card_issued', { Card: 'c' }))).not.toHaveProperty('subject');
	});
});

/** By the API document, "Events" and "Payload fields". */
const ROLES: Record<string, Partial<Record<EventRole, string>>> = {
	settlement_wallet_update: { subject: 'Alias', status: 'status' },
	settlement_account_update: { subject: 'Alias', status: 'status', currency: 'Currency' },
	crypto_received: { id: 'id', status: 'status', currency: 'coin', amount: 'Amount' },
	virtual_account_created: { subject: 'Alias', currency: 'Currency' },
	virtual_account_credited: { id: 'id', status: 'status', currency: 'currency', amount: 'Amount' },
	crypto_payout_update: { id: 'id', status: 'status', currency: 'coin', amount: 'Amount sent' },
	admin_funding: { id: 'id', status: 'status', currency: 'Asset', amount: 'Amount' },
};

test.each(Object.entries(ROLES))('%s has the roles %j, and each once', (name, roles) => {
	const { fields } = new Map<string, EventKind>(Object.entries(EVENTS)).get(name)!;
	const all: EventRole[] = ['id', 'subject', 'status', 'currency', 'amount'];
	expect(all.map((role) => keysWithRole(fields, role))).toEqual(
		all.map((role) => [roles[role] ?? []].flat()),
	);
});
