/** What n8n's record keeps of an event. Entries of an earlier version of this package must be found again. */
import { identityOf } from '../../nodes/WalletService/trigger/deduplication/identity.ts';
import { parseDelivery } from '../../nodes/WalletService/trigger/parse.ts';
import { openSslHash } from './openSsl.ts';

const identity = (body: string, messageId?: string) => {
	const parsed = parseDelivery(Buffer.from(body));
	if (!parsed.ok) throw new Error(parsed.reason);
	return identityOf(parsed.event, messageId);
};

/** The first 22 characters of the hash, 132 of its 256 bits. */
const digest = (text: string) => openSslHash(text, 'sha256', 'base64').slice(0, 22);

test.each([
	[
		'the documented fields, id and status, in one order',
		'{ "status": "active", "event": "virtual_account_created", "Alias": "a", "other": 1, "id": "e1" }',
		'["virtual_account_created",{"Alias":"a","id":"e1","status":"active"}]',
	],
	[
		'all fields of an unknown kind',
		'{"event":"card_issued","b":2,"a":{"d":1,"c":[]}}',
		'["card_issued",{"a":{"c":[],"d":1},"b":2,"event":"card_issued"}]',
	],
])('without a message ID the key is made of %s', (_, body, parts) => {
	expect(identity(body)).toEqual({ key: digest(parts) });
});

test('the signed message ID is the key, whatever the body says', () => {
	const key = digest('["message","msg_1"]');
	expect(identity('{"event":"admin_funding"}', 'msg_1')).toEqual({ key });
	expect(identity('{"event":"settlement_wallet_update","Alias":"vault"}', 'msg_1')).toEqual({ key });
});

test('the states of one reviewed wallet or account share a subject', () => {
	const [pending, approved, other] = ['pending', 'approved']
		.map((status) => identity(JSON.stringify({ event: 'settlement_wallet_update', Alias: 'vault', status })))
		.concat(identity('{"event":"settlement_wallet_update","Alias":"other","status":"pending"}'));
	expect(pending!.subject).toBe(digest('["settlement_wallet_update","vault"]'));
	expect(approved!.subject).toBe(pending!.subject);
	expect(approved!.key).not.toBe(pending!.key);
	expect(other!.subject).not.toBe(pending!.subject);
});
