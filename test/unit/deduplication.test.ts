/** Deduplication without n8n. Within n8n it is tested in `test/headless/triggerMemory.test.ts` and in the soak. */

import { keyOf } from '../../nodes/WalletService/trigger/deduplication/key.ts';

/** Deduplication in a new process, which knows no delivery yet. */
async function freshProcess() {
	jest.resetModules();
	return await import('../../nodes/WalletService/trigger/deduplication/index.ts');
}

/** The key of a delivery whose ID is known, or of another status or content of it. */
const k = (id: string, fields: object = {}) => keyOf('trigger', { event: 'admin_funding', id, ...fields });

/** An answer of 2xx that reached the service. */
const OK = { accepted: true, sent: true };

/** The value as n8n stores and loads it. */
const viaDatabase = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

test('deliveries in static data are duplicates after a restart and stay in static data', async () => {
	const before = await freshProcess();
	before.recordExecution('trigger', k('a'), 'x', '');
	const stored = viaDatabase(before.recordExecution('trigger', k('b'), 'x', '').staticData);

	const { claim, recordExecution } = await freshProcess();
	expect(await claim('trigger', k('a'), stored)).toBeUndefined();
	expect(
		await claim('other trigger', keyOf('other trigger', { event: 'admin_funding', id: 'a' }), ''),
	).toBeDefined();
	const next = viaDatabase(recordExecution('trigger', k('c'), 'x', stored).staticData) as string;
	expect(next.startsWith(stored as string)).toBe(true);
	expect(next).toHaveLength(48);
});

test('an execution that n8n recovers without static data writes nothing, and stored deliveries stay known', async () => {
	const before = await freshProcess();
	const stored = viaDatabase(before.recordExecution('trigger', k('a'), 'x', '').staticData);

	const { claim, recordExecution } = await freshProcess();
	expect(recordExecution('trigger', k('b'), 'x', undefined).staticData).toBeUndefined();
	expect(await claim('trigger', k('a'), stored)).toBeUndefined();
	expect(await claim('trigger', k('b'), stored)).toBeUndefined();
});

describe('the key of a delivery', () => {
	const item = {
		event: 'admin_funding',
		id: 'a',
		status: 'pending',
		amount: '1',
		raw: { x: { b: 1, a: 2 } },
	};
	const same = (other: object) => keyOf('trigger', { ...item, ...other }) === keyOf('trigger', item);

	test('the arrival and the order of members do not change the key, anything else does', () => {
		expect(same({ receivedAt: '2026-01-01', headers: { a: 'b' } })).toBe(true);
		expect(same({ raw: { x: { a: 2, b: 1 } } })).toBe(true);
		for (const other of [{ amount: '2' }, { status: 'failed' }, { raw: { x: { a: 1, b: 2 } } }, { id: 'b' }])
			expect(same(other)).toBe(false);
		expect(keyOf('other trigger', item)).not.toBe(keyOf('trigger', item));
	});

	test('the key has 16 characters, and no two of event, id and status run into each other', () => {
		const [one, other] = [
			{ event: 'a:b', id: 'c', deliveryKey: 'a:b:c:' },
			{ event: 'a', id: 'b:c', deliveryKey: 'a:b:c:' },
		];
		expect(keyOf('trigger', one)).toHaveLength(16);
		expect(keyOf('trigger', one).slice(0, 6)).not.toBe(keyOf('trigger', other).slice(0, 6));
	});

	test('a member __proto__ and a list instead of an object change the key', () => {
		const keys = ['{}', '{"__proto__":1}', '[]', '[1]', '{"0":1}'].map((json) =>
			keyOf('trigger', { ...item, raw: JSON.parse(json) as object }),
		);
		expect(new Set(keys).size).toBe(keys.length);
	});
});

describe('a status that comes back', () => {
	async function openProcess() {
		const { claim, endRepetitions } = await freshProcess();
		/** 'news' for a delivery that n8n accepts, otherwise 'duplicate'. */
		const deliver = async (fields: object, sent = true) => {
			const complete = await claim('trigger', k('a', fields), '');
			complete?.({ accepted: true, sent });
			return complete === undefined ? 'duplicate' : 'news';
		};
		return { deliver, endRepetitions };
	}
	const [pending, failed] = [{ status: 'pending' }, { status: 'failed' }];

	test('pending, failed, pending are three new deliveries, and each repeated at once is a duplicate', async () => {
		const { deliver } = await openProcess();
		for (const fields of [pending, failed, pending, failed]) {
			expect([await deliver(fields), await deliver(fields)]).toEqual(['news', 'duplicate']);
		}
	});

	test('Whitelisted, Rejected, Whitelisted of a wallet without ID are three new deliveries', async () => {
		const { claim } = await freshProcess();
		const wallet = (status: string) => ({
			event: 'settlement_wallet_update',
			alias: 'treasury',
			status,
			deliveryKey: `settlement_wallet_update:hash of ${status}`,
			raw: { status },
		});
		for (const status of ['whitelisted', 'rejected', 'whitelisted']) {
			const complete = await claim('trigger', keyOf('trigger', wallet(status)), '');
			expect(complete).toBeDefined();
			complete!(OK);
		}
	});

	test('a status whose answer did not reach the service is a duplicate even after another status', async () => {
		const { deliver, endRepetitions } = await openProcess();
		expect(await deliver(pending, false)).toBe('news');
		expect(await deliver(failed)).toBe('news');
		expect(await deliver(pending)).toBe('duplicate');
		// The answer to the repetition has reached it.
		endRepetitions(k('a', pending));
		expect(await deliver(pending)).toBe('news');
	});

	test('other content under the same key is news: a forged delivery does not hide the genuine one', async () => {
		const { deliver } = await openProcess();
		expect(await deliver({ ...pending, amount: '900' })).toBe('news');
		expect(await deliver({ ...pending, amount: '100' })).toBe('news');
		expect(await deliver({ ...pending, amount: '100' })).toBe('duplicate');
	});

	test('static data has the last status of each ID, so a status that comes back after a restart is news', async () => {
		const before = await freshProcess();
		before.recordExecution('trigger', k('a', pending), '1', '');
		before.recordExecution('trigger', k('b', pending), '2', '');
		const { staticData } = before.recordExecution('trigger', k('a', failed), '3', '');
		const stored = viaDatabase(staticData);
		expect(stored).toHaveLength(32);

		const { claim } = await freshProcess();
		expect(await claim('trigger', k('a', failed), stored)).toBeUndefined();
		expect(await claim('trigger', k('b', pending), stored)).toBeUndefined();
		expect(await claim('trigger', k('a', pending), stored)).toBeDefined();
	});
});

describe('static data that an earlier status has written', () => {
	const [pending, failed] = [k('a', { status: 'pending' }), k('a', { status: 'failed' })];
	type Process = Awaited<ReturnType<typeof freshProcess>>;

	async function deliver({ claim }: Process, key: string, stored: unknown) {
		const complete = await claim('trigger', key, stored);
		complete?.(OK);
		return complete === undefined ? 'duplicate' : 'news';
	}

	test('an earlier status does not come back into static data while the execution of the next status runs', async () => {
		const before = await freshProcess();
		await deliver(before, pending, '');
		const stored = viaDatabase(before.recordExecution('trigger', pending, '1', '').staticData);
		await deliver(before, failed, stored);
		const { staticData } = before.recordExecution('trigger', failed, '2', stored);
		// The execution of `failed` runs on, so n8n loads the same static data again.
		await deliver(before, k('b'), stored);

		const after = await freshProcess();
		expect(await deliver(after, failed, viaDatabase(staticData))).toBe('duplicate');
		expect(await deliver(after, pending, viaDatabase(staticData))).toBe('news');
	});

	test('no status is lost when several processes disagree about the last one', async () => {
		const one = await freshProcess();
		await deliver(one, pending, '');
		const stored = viaDatabase(one.recordBeforeAck('trigger', pending, ''));
		await deliver(one, failed, stored);
		one.recordBeforeAck('trigger', failed, stored);
		// Another process has written `pending`: a write that was late, or a third delivery.
		await deliver(one, k('b'), stored);
		expect(await deliver(one, failed, stored)).toBe('news');
		expect(await deliver(one, pending, '')).toBe('news');
	});
});

describe('an execution that n8n starts again after a crash', () => {
	test.each([
		['the resumed one', ['resumed', undefined], ['repetition', '']],
		['the one of the repetition', ['repetition', ''], ['resumed', undefined]],
	] as const)('of two executions %s continues if it begins first', async (_, first, second) => {
		const { claim, recordExecution } = await freshProcess();
		const complete = await claim('trigger', k('a'), '');
		const begin = ([id, stored]: readonly [string, string | undefined]) =>
			recordExecution('trigger', k('a'), id, stored).isTaken;
		// Another delivery has shown that executions run in this process.
		recordExecution('trigger', k('b'), 'other', '');
		expect(begin(first)).toBe(false);
		complete!(OK);
		expect(begin(second)).toBe(true);
		// n8n may run the trigger of one execution several times.
		expect(begin(first)).toBe(false);
	});

	test('a repetition is a duplicate once n8n has resumed the execution after a crash', async () => {
		const { claim, recordExecution } = await freshProcess();
		expect(recordExecution('trigger', k('a'), 'resumed', undefined)).toEqual({ isTaken: false });
		expect(await claim('trigger', k('a'), '')).toBeUndefined();
	});

	test('a resumed execution stops if static data says that an execution of the repetition has ended, even before two crashes', async () => {
		const before = await freshProcess();
		const stored = viaDatabase(before.recordExecution('trigger', k('a'), 'repetition', '').staticData);
		const { recordExecution } = await freshProcess();
		// Another delivery has brought static data into this process.
		recordExecution('trigger', k('b'), 'other', stored);
		expect(recordExecution('trigger', k('a'), 'resumed', undefined).isTaken).toBe(true);
	});

	test('a status that comes back later is news, because nobody knows whether the first answer reached the service', async () => {
		const { claim, recordExecution } = await freshProcess();
		recordExecution('trigger', k('a', { status: 'pending' }), 'resumed', undefined);
		for (const status of ['failed', 'pending']) {
			const complete = await claim('trigger', k('a', { status }), '');
			expect(complete).toBeDefined();
			complete!(OK);
		}
	});

	test('a worker leaves copies to the record that all workers share', async () => {
		const { recordExecution } = await freshProcess();
		for (const id of ['1', '2']) {
			expect(recordExecution('trigger', k('a'), id, undefined)).toEqual({ isTaken: false });
		}
	});
});

test('a trigger that was renamed while n8n ran starts with the deliveries of this process', async () => {
	const { valueWhenPublished, recordExecution } = await freshProcess();
	expect(viaDatabase(valueWhenPublished('trigger', undefined))).toBe('');
	recordExecution('trigger', k('a'), '1', '');
	expect(viaDatabase(valueWhenPublished('trigger', undefined))).toBe(k('a'));
	// It has its old name again, under which n8n has kept an old value.
	expect(viaDatabase(valueWhenPublished('trigger', k('b')))).toBe(k('a') + k('b'));
});

describe('several processes, as in queue mode', () => {
	test('a delivery executed by one process is a duplicate in another that already knows the trigger', async () => {
		const [worker, processor] = [await freshProcess(), await freshProcess()];
		const complete = await processor.claim('trigger', k('a'), '');
		complete!(OK);
		worker.recordExecution('trigger', k('a'), 'x', '');
		const stored = viaDatabase(worker.recordExecution('trigger', k('b'), 'x', '').staticData);
		expect(await processor.claim('trigger', k('b'), stored)).toBeUndefined();
		expect(await processor.claim('trigger', k('c'), stored)).toBeDefined();
	});

	test('processes that write alternately keep the deliveries of each other', async () => {
		const [one, other, processor] = [await freshProcess(), await freshProcess(), await freshProcess()];
		let stored: unknown = '';
		for (let index = 0; index < 100; index += 1) {
			stored = viaDatabase(
				(index % 3 === 0 ? one : other).recordExecution('trigger', k(`e${index}`), 'x', stored).staticData,
			);
		}
		expect(stored).toHaveLength(1600);
		for (let index = 0; index < 100; index += 1) {
			expect(await processor.claim('trigger', k(`e${index}`), stored)).toBeUndefined();
		}
	});

	test('the next write of a process restores its deliveries that another process has overwritten', async () => {
		const [one, other, processor] = [await freshProcess(), await freshProcess(), await freshProcess()];
		one.recordExecution('trigger', k('a'), 'x', '');
		const overwritten = viaDatabase(other.recordExecution('trigger', k('b'), 'x', '').staticData);
		const stored = viaDatabase(one.recordExecution('trigger', k('c'), 'x', overwritten).staticData);
		for (const key of ['a', 'b', 'c']) {
			expect(await processor.claim('trigger', k(key), stored)).toBeUndefined();
		}
	});
});

describe('executions on workers', () => {
	test('a processor records an accepted delivery, and other processors know it', async () => {
		const [one, other] = [await freshProcess(), await freshProcess()];
		const found = viaDatabase(one.recordBeforeAck('trigger', k('a'), ''));
		expect(found).toHaveLength(16);
		expect(await other.claim('trigger', k('a'), found)).toBeUndefined();
		const next = viaDatabase(other.recordBeforeAck('trigger', k('b'), found));
		expect(next).toHaveLength(32);
	});

	test('a delivery loaded from static data once stays known when static data no longer has it', async () => {
		const [one, other] = [await freshProcess(), await freshProcess()];
		const found = viaDatabase(one.recordBeforeAck('trigger', k('a'), ''));
		await other.claim('trigger', k('b'), found);
		expect(await other.claim('trigger', k('a'), '')).toBeUndefined();
	});

	test('recordBeforeAck writes nothing in a process that runs executions', async () => {
		const { recordExecution, recordBeforeAck } = await freshProcess();
		recordExecution('trigger', k('a'), 'x', '');
		expect(recordBeforeAck('trigger', k('b'), '')).toBeUndefined();
	});

	test('recordBeforeAck writes nothing for a trigger without static data', async () => {
		const { recordBeforeAck } = await freshProcess();
		expect(recordBeforeAck('trigger', k('a'), undefined)).toBeUndefined();
	});
});

describe('the check on workers', () => {
	/** n8n's record of processed items for one node. */
	function record() {
		const kept: string[] = [];
		return {
			kept,
			checkProcessed: (texts: string[]) => {
				const processed = texts.filter((text) => kept.includes(text));
				kept.push(...texts.filter((text) => !kept.includes(text)));
				return Promise.resolve({ processed });
			},
		};
	}

	test('only the first execution of a delivery continues, on any worker, even when it is started again', async () => {
		const [one, other] = [await freshProcess(), await freshProcess()];
		const { checkProcessed } = record();
		expect(await one.isDuplicate('trigger', 'a', '1', checkProcessed)).toBe(false);
		expect(await other.isDuplicate('trigger', 'a', '2', checkProcessed)).toBe(true);
		expect(await one.isDuplicate('trigger', 'a', '3', checkProcessed)).toBe(true);
		expect(await other.isDuplicate('trigger', 'a', '1', checkProcessed)).toBe(false);
		expect(await other.isDuplicate('other trigger', 'a', '4', checkProcessed)).toBe(false);
	});

	test('a worker records its recent deliveries again, in case another worker has erased them', async () => {
		const [one, other] = [await freshProcess(), await freshProcess()];
		const { kept, checkProcessed } = record();
		await one.isDuplicate('trigger', 'a', '1', checkProcessed);
		kept.splice(0);
		await one.isDuplicate('trigger', 'b', '2', checkProcessed);
		expect(await other.isDuplicate('trigger', 'a', '3', checkProcessed)).toBe(true);
	});

	test('of two simultaneous executions on one worker, one continues', async () => {
		const { isDuplicate } = await freshProcess();
		const { checkProcessed } = record();
		const both = ['1', '2'].map((id) => isDuplicate('trigger', 'a', id, checkProcessed));
		expect(await Promise.all(both)).toEqual([false, true]);
	});

	test('a record that cannot be read stops no execution and does not break later checks', async () => {
		const { isDuplicate } = await freshProcess();
		const { checkProcessed } = record();
		const broken = async () => await Promise.reject(new Error('no database'));
		expect(await isDuplicate('trigger', 'a', '1', broken)).toBe(false);
		expect(await isDuplicate('trigger', 'b', '2', checkProcessed)).toBe(false);
		expect(await isDuplicate('trigger', 'a', '3', checkProcessed)).toBe(true);
	});
});

test('static data gets all deliveries known at the time of saving', async () => {
	const { recordExecution } = await freshProcess();
	const { staticData } = recordExecution('trigger', k('a'), 'x', '');
	recordExecution('trigger', k('b'), 'x', '');
	expect(viaDatabase(staticData)).toHaveLength(32);
	// n8n wraps static data in proxies to notice changes.
	expect(viaDatabase(new Proxy(staticData!, {}))).toHaveLength(32);
});

test('after 150,000 deliveries the newest 50,000 are known, and the newest 2000 after a restart', async () => {
	const { claim, recordExecution } = await freshProcess();
	let staticData: unknown = '';
	for (let index = 0; index < 150_000; index += 1) {
		const key = k(`e${index}`);
		const complete = await claim('trigger', key, '');
		complete!(OK);
		staticData = recordExecution('trigger', key, 'x', '').staticData;
	}
	expect(await claim('trigger', k('e100000'), '')).toBeUndefined();
	expect(await claim('trigger', k('e40000'), '')).toBeDefined();

	const after = await freshProcess();
	const stored = viaDatabase(staticData);
	expect(stored).toHaveLength(32_000);
	expect(await after.claim('trigger', k('e148000'), stored)).toBeUndefined();
	expect(await after.claim('trigger', k('e147999'), stored)).toBeDefined();
});
