/** An event starts the workflow once: by its identity, in the memory of a process, and by rows that all workers share. */
import { BoundedMap } from '../../nodes/WalletService/shared/boundedMap.ts';
import { identityOf } from '../../nodes/WalletService/trigger/deduplication/identity.ts';
import { memoryOf } from '../../nodes/WalletService/trigger/deduplication/memory.ts';
import { wasHandled } from '../../nodes/WalletService/trigger/deduplication/handledEvents.ts';
import { parseDelivery } from '../../nodes/WalletService/trigger/parse.ts';
import { memoryRows, type MemoryRows } from './memoryRows.ts';
import { openSslHash } from './openSsl.ts';

/** Entries of an earlier version of this package must be found again, so the keys are written out. */
describe('the identity of a delivery', () => {
	const identity = (body: string, messageId?: string) => {
		const parsed = parseDelivery(Buffer.from(body));
		if (typeof parsed === 'string') throw new Error(parsed);
		return identityOf(parsed, messageId);
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
	])('without a message ID the key is made of %s', (_, body, parts) => {
		expect(identity(body)).toEqual({ key: digest(parts) });
	});

	test('the signed message ID is the key, whatever the body says', () => {
		const key = digest('["message","msg_1"]');
		expect(identity('{"event":"admin_funding"}', 'msg_1')).toEqual({ key });
		expect(identity('{"event":"settlement_wallet_update","Alias":"vault"}', 'msg_1')).toEqual({ key });
	});
});

describe('the memory of a process', () => {
	let triggers = 0;
	let memory: ReturnType<typeof memoryOf>;
	beforeEach(() => (memory = memoryOf(`trigger ${(triggers += 1)}`)));

	/** Claims a delivery and ends the claim at once. Returns whether the workflow starts. */
	async function deliver(key: string, subject?: string, isAccepted = true) {
		const complete = await memory.claim({ key, subject });
		complete?.(isAccepted);
		return complete !== undefined;
	}

	test('a full map drops its older half', () => {
		const map = new BoundedMap<string>(4);
		const kept = () => [...'abcde'].filter((key) => map.get(key) === key).join('');
		for (const key of 'abcd') map.set(key, key);
		expect(kept()).toBe('abcd');
		map.set('e', 'e');
		expect(kept()).toBe('cde');
		for (const key of 'ce') map.delete(key);
		expect(kept()).toBe('d');
	});

	test('a claim that ends twice does not end the claim of the next copy', async () => {
		const completeFirst = await memory.claim({ key: 'event', subject: undefined });
		completeFirst!(false);
		const completeSecond = await memory.claim({ key: 'event', subject: undefined });
		completeFirst!(false);
		const third = deliver('event');
		completeSecond!(true);
		expect(await third).toBe(false);
	});

	test('the last state is the one that arrived last, whichever is answered first', async () => {
		const [approved, pending] = await Promise.all(
			['approved', 'pending'].map((key) => memory.claim({ key, subject: 'wallet' })),
		);
		pending!(true);
		approved!(true);
		expect(await deliver('pending', 'wallet')).toBe(false);
		expect(await deliver('approved', 'wallet')).toBe(true);
	});

	test('a state that was forgotten after 50,000 deliveries is known again once it is delivered again', async () => {
		expect(await deliver('approved', 'wallet')).toBe(true);
		for (let event = 0; event < 50_000; event += 1) await deliver(`event ${event}`);
		expect(await deliver('approved', 'wallet')).toBe(true);
		expect(await deliver('approved', 'wallet')).toBe(false);
	});
});

describe('the rows of events', () => {
	const DAY = 86_400_000;
	let triggers = 0;
	let trigger: string;
	let rows: MemoryRows;
	beforeEach(() => {
		rows = memoryRows();
		trigger = `rows ${(triggers += 1)}`;
	});
	/** `at` is in milliseconds. */
	const handle = async (key: string, at = 0, execution = key) =>
		await wasHandled(trigger, rows, key, execution, at);

	test('an earlier version has made the same rows, so their names are written out', async () => {
		await handle('a', 0, '7');
		expect([...rows.table]).toEqual([[`event ${trigger} a`, ['7']]]);
	});

	test('a process deletes its rows after a day, and those of others never', async () => {
		await rows.make(['event', trigger, 'x'], 'of another process');
		expect(await handle('x')).toBe(true);
		for (const [index, key] of ['a', 'b', 'c'].entries()) await handle(key, index);
		await handle('d', DAY - 1);
		expect(rows.table.size).toBe(5);
		await handle('e', DAY + 1);
		// Those of a and b are gone.
		expect(rows.table.size).toBe(4);
		expect(await handle('x')).toBe(true);
		expect(await handle('c', DAY + 1, 'another')).toBe(true);
	});

	test('a process keeps its last 50,000 rows of a trigger, and another trigger none of them', async () => {
		for (let event = 0; event < 50_001; event += 1) await handle(`event ${event}`);
		expect(rows.table.size).toBe(50_000);
		expect(await handle('event 1', 0, 'another')).toBe(true);
		trigger = `${trigger} of another workflow`;
		expect(await handle('event 1', 0, 'another')).toBe(false);
	});
});
