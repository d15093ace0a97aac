/** An event starts the workflow once: by its identity, in the memory of a process, and in n8n's record that workers share. */
import { startAdd, startRemove } from '../../host/doubles/processedItems.ts';
import type { Rows } from '../../host/doubles/processedItems.ts';
import { until } from '../../host/until.ts';
import { identityOf } from '../../nodes/WalletService/trigger/deduplication/identity.ts';
import { memoryOf } from '../../nodes/WalletService/trigger/deduplication/memory.ts';
import { wasHandled } from '../../nodes/WalletService/trigger/deduplication/record.ts';
import { parseDelivery } from '../../nodes/WalletService/trigger/parse.ts';
import type { ProcessedItems } from '../../nodes/WalletService/sharedRecord.ts';
import { openSslHash } from './openSsl.ts';

/** Entries of an earlier version of this package must be found again, so the keys are written out. */
describe('the identity of a delivery', () => {
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

	test('the states of one reviewed wallet share a subject', () => {
		const review = (Alias: string, status: string) =>
			identity(JSON.stringify({ event: 'settlement_wallet_update', Alias, status }));
		const [pending, approved] = [review('vault', 'pending'), review('vault', 'approved')];
		expect(pending.subject).toBe(digest('["settlement_wallet_update","vault"]'));
		expect(approved.subject).toBe(pending.subject);
		expect(approved.key).not.toBe(pending.key);
		expect(review('other', 'pending').subject).not.toBe(pending.subject);
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

	test('a process knows a delivery that it has received, unless it was not accepted', async () => {
		expect(memory.has('event')).toBe(false);
		const complete = await memory.claim({ key: 'event', subject: undefined });
		expect(memory.has('event')).toBe(true);
		complete!(false);
		expect(memory.has('event')).toBe(false);
		expect(await deliver('event')).toBe(true);
		expect(memory.has('event')).toBe(true);
		expect(await deliver('event')).toBe(false);
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

	test('a state of a review starts the workflow again after another state of the same wallet', async () => {
		expect(await deliver('approved', 'wallet')).toBe(true);
		expect(await deliver('approved', 'wallet')).toBe(false);
		expect(await deliver('approved for another', 'other')).toBe(true);
		expect(await deliver('approved', 'wallet')).toBe(false);
		expect(await deliver('rejected', 'wallet')).toBe(true);
		expect(await deliver('approved', 'wallet')).toBe(true);
	});

	test('a state that was forgotten after 50,000 deliveries is known again once it is delivered again', async () => {
		expect(await deliver('approved', 'wallet')).toBe(true);
		for (let event = 0; event < 50_000; event += 1) await deliver(`event ${event}`);
		expect(await deliver('approved', 'wallet')).toBe(true);
		expect(await deliver('approved', 'wallet')).toBe(false);
	});

	test('the last 100 finished deliveries are told once', () => {
		expect(memory.takeFinished()).toEqual([]);
		const keys = Array.from({ length: 101 }, (_, index) => `event ${index}`);
		for (const key of keys) memory.addFinished(key);
		expect(memory.takeFinished()).toEqual(keys.slice(1));
		expect(memory.takeFinished()).toEqual([]);
	});
});

describe("n8n's record", () => {
	const PLACE = 'n:trigger';
	/** All pauses are so many times shorter here. A worker waits 100 to 200 ms before it writes again. */
	const FASTER = 10;
	const { setTimeout: start } = globalThis;
	const sleep = async (milliseconds: number) =>
		await new Promise((resolve) => start(resolve, milliseconds / FASTER));
	beforeEach(() =>
		jest
			.spyOn(globalThis, 'setTimeout')
			.mockImplementation(((work: () => void, delay = 0) => start(work, delay / FASTER)) as never),
	);
	afterEach(() => jest.restoreAllMocks());

	let workers = 0;

	interface Setup {
		/** How many of the first writes a write of another process undoes. */
		undone?: number;
		/** Whether the question with this number fails. Removals then fail too, but are stored. */
		fails?: (question: number) => boolean;
	}

	interface Handling {
		worker?: string;
		execution?: string;
		isWorker?: boolean;
		finished?: string[];
	}

	/** A record that several workers share, with what was written. */
	function record({ undone = 0, fails }: Setup = {}) {
		const rows: Rows = new Map([[PLACE, ['an earlier event']]]);
		const asked: string[][] = [];
		const removed: string[][] = [];
		const next = { undone, duration: 0 };
		const items: ProcessedItems = {
			add: async (entries, max) => {
				asked.push(entries);
				if (fails?.(asked.length)) throw new Error('database is locked');
				const writeOther = startAdd(rows, PLACE, ['of another process'], max);
				const answer = startAdd(rows, PLACE, entries, max)();
				if (next.undone-- > 0) writeOther();
				if (next.duration > 0) await sleep(next.duration);
				return await Promise.resolve(answer);
			},
			remove: async (entries) => {
				removed.push(entries);
				startRemove(rows, PLACE, entries)();
				if (fails) throw new Error('database is locked');
				await Promise.resolve();
			},
		};
		const number = (workers += 1);
		const handle = async (
			key: string,
			{ worker = 'a worker', execution = worker, isWorker = true, finished }: Handling = {},
		) => {
			const by = { executionId: `${execution} ${key}`, isWorker };
			return await wasHandled(`${worker} ${number}`, items, { key, finished }, by);
		};
		const has = (entry: string) => rows.get(PLACE)!.includes(entry);
		return { handle, has, asked, removed, next };
	}

	test.each([1, 3])(
		'an event whose first %d writes are undone is a duplicate at the other worker',
		async (undone) => {
			const { handle, has } = record({ undone });
			expect(await handle('event')).toBe(false);
			await until('the event to be there', () => has('event') || undefined);
			expect(await handle('event', { worker: 'other' })).toBe(true);
		},
	);

	test('an event whose write is undone is a duplicate at the same worker', async () => {
		const { handle } = record({ undone: 1 });
		expect(await handle('event')).toBe(false);
		expect(await handle('event', { execution: 'second' })).toBe(true);
	});

	test('an event whose write is undone is written again with the next events until a write stays', async () => {
		const { handle, has } = record({ undone: 8 });
		for (let event = 0; event < 9; event += 1) expect(await handle(`event ${event}`)).toBe(false);
		expect(has('event 0')).toBe(true);
		expect(await handle('event 0', { worker: 'other' })).toBe(true);
	});

	test('an event that comes while the worker writes others again is written again, too', async () => {
		const { handle, next, has } = record();
		await handle('event');
		// The write of the late event waits for this one.
		next.duration = 300;
		next.undone = 1;
		expect(await handle('late')).toBe(false);
		next.duration = 0;
		await until('the late event to be there', () => has('late') || undefined);
	});

	test('what was found is not written any more', async () => {
		const { handle, asked } = record();
		await handle('event');
		await until('the second write', () => asked.length === 2 || undefined);
		await sleep(500);
		expect(asked).toHaveLength(2);
	});

	test('an event is handled if the record cannot be asked: a duplicate is better than a lost event', async () => {
		const { handle } = record({ fails: () => true });
		expect(await handle('event', { isWorker: false })).toBe(false);
		expect(await handle('event', { isWorker: false, finished: [] })).toBe(false);
	});

	test('a worker goes on writing its events again when a write fails', async () => {
		const { handle, asked } = record({ fails: (question) => question === 2 });
		await handle('event');
		await until('the third write', () => asked.length === 3 || undefined);
		expect(asked[2]).toEqual(expect.arrayContaining(['event', 'event a worker event']));
	});

	test('a worker writes the last 40 events again in one write, and then later ones', async () => {
		const { handle, asked } = record();
		for (let event = 0; event < 41; event += 1) await handle(`event ${event}`);
		expect(asked).toHaveLength(41);
		await until('one more write', () => asked.length === 42 || undefined);
		expect(asked.at(-1)).toHaveLength(80);
		expect(asked.at(-1)).not.toContain('event 0');
		await sleep(400);
		expect(asked).toHaveLength(42);
		await handle('later');
		await until('the write after it', () => asked.length === 44 || undefined);
	});

	test('a worker gives up after 20 more writes that another process undoes', async () => {
		const { handle, asked } = record({ undone: Infinity });
		await handle('event');
		await until('the last write', () => asked.length === 21 || undefined);
		await sleep(400);
		expect(asked).toHaveLength(21);
	});

	test('When Finished: marks are removed of what has finished and of a duplicate, and of nothing else', async () => {
		const { handle, removed } = record({ fails: () => false });
		expect(await handle('event', { finished: [] })).toBe(false);
		expect(removed).toEqual([]);
		expect(await handle('other', { finished: ['event'] })).toBe(false);
		expect(await handle('event', { finished: [] })).toBe(true);
		expect(removed).toEqual([['event unfinished'], ['event unfinished']]);
	});
});
