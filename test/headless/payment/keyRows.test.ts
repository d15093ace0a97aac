/**
 * Whatever becomes of the rows of keys, each interruption ends on the safe side: no second payment, and no key waits for ever. The
 * model of Payment Keys in test/unit tries every fault and every kill, and rows.test.ts there what n8n may make of rows. Here is what the
 * node makes of them.
 */
import { openSslHash } from '../../unit/openSsl.ts';
import { records, timing } from '../memoryProcessedItems.ts';
import { cryptoPayout, keyed, resultOf, withNode } from '../withNode.ts';

const { payByKey, fault, accepted, asked, answered, restart, sandbox } = withNode();

const pay = async (keys: string[]) => (await payByKey(keys.map((key) => keyed(key)))).map(resultOf);

/** The first use of a process proves that rows are separate. What follows counts the writes of payments only. */
beforeEach(async () => {
	await pay(['the first of all']);
});
const paidSince = () => accepted().slice(1);

describe('a write fails', () => {
	test.each(['before', 'after', 'silently'] as const)('a paid key stays paid (%s)', async (kind) => {
		await pay(['a', 'b', 'c']);
		restart();
		timing.fail = (call) => (call === 'read' ? undefined : kind);
		expect(await pay(['a', 'b', 'c'])).toEqual(['alreadyPaid', 'alreadyPaid', 'alreadyPaid']);
		expect(paidSince()).toHaveLength(3);
	});

	test('when n8n can keep no row at all, nothing is sent, and only one key is tried', async () => {
		let writes = 0;
		timing.fail = (kind) => {
			if (kind === 'read') return undefined;
			writes += 1;
			return 'before';
		};
		expect(await pay(['a', 'b', 'c'])).toEqual(['notSent', 'notSent', 'notSent']);
		expect(asked()).toBe(1);
		// The row, and twice more, because another process may have made and freed it.
		expect(writes).toBe(3);
		timing.fail = undefined;
		expect(await pay(['a', 'b', 'c'])).toEqual(['paid', 'paid', 'paid']);
	});

	/** A claim takes three writes: begun, sent, used. */
	test.each([4, 5])('a key that cannot be freed after a rejection says so (write %i)', async (number) => {
		await fault({ status: 422 });
		let write = 0;
		timing.fail = (kind) => (kind !== 'read' && (write += 1) >= number ? 'before' : undefined);
		const [item] = await payByKey([keyed('a')]);
		expect(item!.json.error).toMatchObject({
			outcome: 'rejected',
			description: expect.stringContaining('n8n could not free the Payment Key.'),
		});
	});
});

test('an unknown key keeps three rows, which do not grow, whatever is asked about it', async () => {
	const { size } = records;
	await fault({ dropAfter: true });
	await pay(['no answer']);
	const rows = [...records.keys()].slice(size).map((place) => place.split(' ')[1]);
	expect(rows).toEqual(['begun', 'sent', 'used']);
	const { length } = JSON.stringify([...records]);
	for (const amount of ['10', '11', '10']) {
		restart();
		await payByKey([keyed('no answer', amount)]);
	}
	expect(JSON.stringify([...records])).toHaveLength(length);
});

test('the rows of a key have these names and texts, which later versions must find again', async () => {
	const hash = (value: unknown) => openSslHash(JSON.stringify(value), 'sha256', 'base64url');
	const before = new Set(records.keys());
	await pay(['A']);
	const details = {
		account: JSON.stringify([sandbox.url, '/v1/', 'credential-id']),
		operation: 'fiatWallet.createPayout',
		amount: '10',
		currency: 'NGN',
		destination: 'supplier-main',
		'field of the request': '{}',
	};
	const [key, about] = [hash(['a']), hash(['a', hash(details)])];
	const made = [...records].filter(([place]) => !before.has(place));
	expect(made.map(([place, texts]) => [place.split('/n:')[1], texts])).toEqual([
		[`wallet-service sent ${about}`, ['row']],
		[`wallet-service used ${key}`, ['row', hash(details), ...Object.entries(details).map(hash)]],
		[`wallet-service paid ${about}`, ['row']],
	]);
	await answered({ ...cryptoPayout('{"x":1}'), paymentKey: 'b' }, { body: '{"id":7}' });
	const [, texts] = [...records].find(([place]) => place.endsWith(`used ${hash(['b'])}`))!;
	const blank = ['amount', 'currency', 'destination'].map((name) => hash([name, '']));
	expect(texts).toEqual(expect.arrayContaining([...blank, hash(['field of the request', '{"x":1}'])]));
});
