/** Deduplication without n8n. Within n8n it is tested in `test/headless/triggerMemory.test.ts` and in the soak. */

/** Deduplication in a new process, which knows no delivery yet. */
async function freshProcess() {
	jest.resetModules();
	return await import('../../nodes/WalletService/trigger/deduplication/index.ts');
}

/** The value as n8n stores and loads it. */
const viaDatabase = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

test('deliveries in static data are duplicates after a restart and stay in static data', async () => {
	const before = await freshProcess();
	before.recordExecution('trigger', 'a', '');
	const stored = viaDatabase(before.recordExecution('trigger', 'b', ''));

	const { claim, recordExecution } = await freshProcess();
	expect(await claim('trigger', 'a', stored)).toBeUndefined();
	expect(await claim('other trigger', 'a', '')).toBeDefined();
	const next = viaDatabase(recordExecution('trigger', 'c', stored)) as string;
	expect(next.startsWith(stored as string)).toBe(true);
	expect(next).toHaveLength(48);
});

test('an execution that n8n recovers without static data writes nothing, and stored deliveries stay known', async () => {
	const before = await freshProcess();
	const stored = viaDatabase(before.recordExecution('trigger', 'a', ''));

	const { claim, recordExecution } = await freshProcess();
	expect(recordExecution('trigger', 'b', undefined)).toBeUndefined();
	expect(await claim('trigger', 'a', stored)).toBeUndefined();
	expect(await claim('trigger', 'b', stored)).toBeUndefined();
});

describe('several processes, as in queue mode', () => {
	test('a delivery executed by one process is a duplicate in another that already knows the trigger', async () => {
		const [worker, processor] = [await freshProcess(), await freshProcess()];
		const complete = await processor.claim('trigger', 'a', '');
		complete!(true);
		worker.recordExecution('trigger', 'a', '');
		const stored = viaDatabase(worker.recordExecution('trigger', 'b', ''));
		expect(await processor.claim('trigger', 'b', stored)).toBeUndefined();
		expect(await processor.claim('trigger', 'c', stored)).toBeDefined();
	});

	test('processes that write alternately keep the deliveries of each other', async () => {
		const [one, other, processor] = [await freshProcess(), await freshProcess(), await freshProcess()];
		let stored: unknown = '';
		for (let index = 0; index < 100; index += 1) {
			stored = viaDatabase((index % 3 === 0 ? one : other).recordExecution('trigger', `e${index}`, stored));
		}
		expect(stored).toHaveLength(1600);
		for (let index = 0; index < 100; index += 1) {
			expect(await processor.claim('trigger', `e${index}`, stored)).toBeUndefined();
		}
	});

	test('the next write of a process restores its deliveries that another process has overwritten', async () => {
		const [one, other, processor] = [await freshProcess(), await freshProcess(), await freshProcess()];
		one.recordExecution('trigger', 'a', '');
		const overwritten = viaDatabase(other.recordExecution('trigger', 'b', ''));
		const stored = viaDatabase(one.recordExecution('trigger', 'c', overwritten));
		for (const key of ['a', 'b', 'c']) {
			expect(await processor.claim('trigger', key, stored)).toBeUndefined();
		}
	});
});

describe('executions on workers', () => {
	test('a processor records an accepted delivery, and other processors know it', async () => {
		const [one, other] = [await freshProcess(), await freshProcess()];
		const found = viaDatabase(one.recordBeforeAck('trigger', 'a', ''));
		expect(found).toHaveLength(16);
		expect(await other.claim('trigger', 'a', found)).toBeUndefined();
		const next = viaDatabase(other.recordBeforeAck('trigger', 'b', found));
		expect(next).toHaveLength(32);
	});

	test('a delivery loaded from static data once stays known when static data no longer has it', async () => {
		const [one, other] = [await freshProcess(), await freshProcess()];
		const found = viaDatabase(one.recordBeforeAck('trigger', 'a', ''));
		await other.claim('trigger', 'b', found);
		expect(await other.claim('trigger', 'a', '')).toBeUndefined();
	});

	test('recordBeforeAck writes nothing in a process that runs executions', async () => {
		const { recordExecution, recordBeforeAck } = await freshProcess();
		recordExecution('trigger', 'a', '');
		expect(recordBeforeAck('trigger', 'b', '')).toBeUndefined();
	});

	test('recordBeforeAck writes nothing for a trigger without static data', async () => {
		const { recordBeforeAck } = await freshProcess();
		expect(recordBeforeAck('trigger', 'a', undefined)).toBeUndefined();
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
	const staticData = recordExecution('trigger', 'a', '');
	recordExecution('trigger', 'b', '');
	expect(viaDatabase(staticData)).toHaveLength(32);
	// n8n wraps static data in proxies to notice changes.
	expect(viaDatabase(new Proxy(staticData!, {}))).toHaveLength(32);
});

test('after 150,000 deliveries the newest 50,000 are known, and the newest 2000 after a restart', async () => {
	const { claim, recordExecution } = await freshProcess();
	let staticData: unknown = '';
	for (let index = 0; index < 150_000; index += 1) {
		const complete = await claim('trigger', `e${index}`, '');
		complete!(true);
		staticData = recordExecution('trigger', `e${index}`, '');
	}
	expect(await claim('trigger', 'e100000', '')).toBeUndefined();
	expect(await claim('trigger', 'e40000', '')).toBeDefined();

	const after = await freshProcess();
	const stored = viaDatabase(staticData);
	expect(stored).toHaveLength(32_000);
	expect(await after.claim('trigger', 'e148000', stored)).toBeUndefined();
	expect(await after.claim('trigger', 'e147999', stored)).toBeDefined();
});
