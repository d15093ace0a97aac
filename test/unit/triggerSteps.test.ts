/** Steps of the trigger that need no n8n. */
import { acknowledgeWhenStored } from '../../nodes/WalletService/trigger/answer.ts';
import {
	eventsWithOutput,
	placeOnOutput,
	withoutSecretHeaders,
} from '../../nodes/WalletService/trigger/item.ts';

test('beforeAck runs only when n8n reads the answer', () => {
	const beforeAck = jest.fn();
	const answer = acknowledgeWhenStored([[{ json: {} }]], beforeAck);
	expect(answer.workflowData).toEqual([[{ json: {} }]]);
	expect(beforeAck).not.toHaveBeenCalled();
	expect(answer.webhookResponse).toEqual({ ok: true });
	expect(beforeAck).toHaveBeenCalledTimes(1);
});

test.each([
	['single', 'b', [['item']]],
	['perEvent', 'a', [['item'], [], []]],
	['perEvent', 'b', [[], ['item'], []]],
	['perEvent', 'unknown', [[], [], ['item']]],
])('with Output %p the item of event %p is on the output %p', (output, event, outputs) => {
	expect(placeOnOutput('item', event, eventsWithOutput(output, ['a', 'b']))).toEqual(outputs);
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
