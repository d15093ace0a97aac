/** Steps of the trigger that need no n8n. */
import { lacksHttps } from '../../nodes/WalletService/trigger/execution.ts';
import { placeOnOutput, withoutSecretHeaders } from '../../nodes/WalletService/trigger/item.ts';

test.each([
	['settlement_wallet_update', 0],
	['settlement_account_update', 1],
	['crypto_received', 2],
	['virtual_account_created', 3],
	['virtual_account_credited', 4],
	['crypto_payout_update', 5],
	['admin_funding', 6],
	['card_issued', 7],
	['toString', 7],
])('with Output "One per Event" the item of event %p is on the output %p of eight', (event, place) => {
	const outputs = placeOnOutput(['item'], event);
	expect(outputs).toEqual(Array.from({ length: 8 }, (_, index) => (index === place ? ['item'] : [])));
});

test.each([
	['http://n8n.example.com/', true],
	['http://192.168.0.7:5678/', true],
	['http://localhost.example.com/', true],
	['', true],
	['https://n8n.example.com/', false],
	['http://localhost:5678/', false],
	['http://127.0.0.1:5678/webhook/x', false],
	['http://[::1]:5678/', false],
])('the service cannot deliver to the address %p: %p', (address, expected) => {
	expect(lacksHttps(address)).toBe(expected);
});

test('headers that hold a secret are left out, in any case of the signature header', () => {
	const headers = {
		authorization: 'a',
		cookie: 'b',
		'proxy-authorization': 'c',
		'x-token': 'd',
		'x-other': 'e',
	};
	expect(withoutSecretHeaders(headers, 'X-Token')).toEqual({ 'x-other': 'e' });
	expect(withoutSecretHeaders(headers)).toEqual({ 'x-token': 'd', 'x-other': 'e' });
});
