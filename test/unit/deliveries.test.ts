/** The memory by itself. What n8n does with it is in `test/headless/trigger-memory.test.ts` and in the soak. */

/** The memory of a new process. */
async function freshProcess() {
	jest.resetModules();
	return await import('../../nodes/WalletService/trigger/deduplication.ts');
}

/** What n8n stores. */
const viaDatabase = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

test('what static data had is known, and stays there', async () => {
	const before = await freshProcess();
	before.started('trigger', 'a', '');
	const stored = viaDatabase(before.started('trigger', 'b', ''));

	const { claim, started } = await freshProcess();
	expect(await claim('trigger', 'a', stored)).toBeUndefined();
	expect(await claim('other trigger', 'a', '')).toBeDefined();
	const next = viaDatabase(started('trigger', 'c', stored)) as string;
	expect(next.startsWith(stored as string)).toBe(true);
	expect(next).toHaveLength(48);
});

test('an execution that n8n takes up again without static data writes nothing and hides nothing', async () => {
	const before = await freshProcess();
	const stored = viaDatabase(before.started('trigger', 'a', ''));

	const { claim, started } = await freshProcess();
	expect(started('trigger', 'b', undefined)).toBeUndefined();
	expect(await claim('trigger', 'a', stored)).toBeUndefined();
	expect(await claim('trigger', 'b', stored)).toBeUndefined();
});

describe('several processes, as in queue mode', () => {
	test('what one has executed is a duplicate at another that knew the trigger before', async () => {
		const [worker, processor] = [await freshProcess(), await freshProcess()];
		const settle = await processor.claim('trigger', 'a', '');
		settle!(true);
		worker.started('trigger', 'a', '');
		const stored = viaDatabase(worker.started('trigger', 'b', ''));
		expect(await processor.claim('trigger', 'b', stored)).toBeUndefined();
		expect(await processor.claim('trigger', 'c', stored)).toBeDefined();
	});

	test('workers write in turns and keep what the others wrote', async () => {
		const [one, other, processor] = [await freshProcess(), await freshProcess(), await freshProcess()];
		let stored: unknown = '';
		for (let index = 0; index < 100; index += 1) {
			stored = viaDatabase((index % 3 === 0 ? one : other).started('trigger', `e${index}`, stored));
		}
		expect(stored).toHaveLength(1600);
		for (let index = 0; index < 100; index += 1) {
			expect(await processor.claim('trigger', `e${index}`, stored)).toBeUndefined();
		}
	});

	test('a write that another one has overwritten is made good by the next', async () => {
		const [one, other, processor] = [await freshProcess(), await freshProcess(), await freshProcess()];
		one.started('trigger', 'a', '');
		const overwritten = viaDatabase(other.started('trigger', 'b', ''));
		const stored = viaDatabase(one.started('trigger', 'c', overwritten));
		for (const key of ['a', 'b', 'c']) {
			expect(await processor.claim('trigger', key, stored)).toBeUndefined();
		}
	});
});

describe('where executions run elsewhere', () => {
	test('a processor writes down what was taken, and others know it', async () => {
		const [one, other] = [await freshProcess(), await freshProcess()];
		const found = viaDatabase(one.stored('trigger', 'a', ''));
		expect(found).toHaveLength(16);
		expect(await other.claim('trigger', 'a', found)).toBeUndefined();
		const next = viaDatabase(other.stored('trigger', 'b', found));
		expect(next).toHaveLength(32);
	});

	test('what it found once is known, also when it is not found again', async () => {
		const [one, other] = [await freshProcess(), await freshProcess()];
		const found = viaDatabase(one.stored('trigger', 'a', ''));
		await other.claim('trigger', 'b', found);
		expect(await other.claim('trigger', 'a', '')).toBeUndefined();
	});

	test('a process in which executions run leaves the writing to them', async () => {
		const { started, stored } = await freshProcess();
		started('trigger', 'a', '');
		expect(stored('trigger', 'b', '')).toBeUndefined();
	});

	test('a trigger without static data of its own gets none', async () => {
		const { stored } = await freshProcess();
		expect(stored('trigger', 'a', undefined)).toBeUndefined();
	});
});

describe('the second look of workers', () => {
	/** As n8n does it: texts of a node, of which it keeps the latest. */
	function record() {
		const kept: string[] = [];
		return {
			kept,
			recall: async (texts: string[]) => {
				const processed = texts.filter((text) => kept.includes(text));
				kept.push(...texts.filter((text) => !kept.includes(text)));
				return { processed };
			},
		};
	}

	test('one execution of a delivery goes on, whichever worker has it; started again, it goes on too', async () => {
		const [one, other] = [await freshProcess(), await freshProcess()];
		const { recall } = record();
		expect(await one.isRepetition('trigger', 'a', '1', recall)).toBe(false);
		expect(await other.isRepetition('trigger', 'a', '2', recall)).toBe(true);
		expect(await one.isRepetition('trigger', 'a', '3', recall)).toBe(true);
		expect(await other.isRepetition('trigger', 'a', '1', recall)).toBe(false);
		expect(await other.isRepetition('other trigger', 'a', '4', recall)).toBe(false);
	});

	test('what another worker has erased is told again', async () => {
		const [one, other] = [await freshProcess(), await freshProcess()];
		const { kept, recall } = record();
		await one.isRepetition('trigger', 'a', '1', recall);
		kept.splice(0);
		await one.isRepetition('trigger', 'b', '2', recall);
		expect(await other.isRepetition('trigger', 'a', '3', recall)).toBe(true);
	});

	test('of two at once in one worker, one goes on', async () => {
		const { isRepetition } = await freshProcess();
		const { recall } = record();
		const both = ['1', '2'].map((id) => isRepetition('trigger', 'a', id, recall));
		expect(await Promise.all(both)).toEqual([false, true]);
	});

	test('a record that cannot be read stops nothing, now or later', async () => {
		const { isRepetition } = await freshProcess();
		const { recall } = record();
		const broken = async () => await Promise.reject(new Error('no database'));
		expect(await isRepetition('trigger', 'a', '1', broken)).toBe(false);
		expect(await isRepetition('trigger', 'b', '2', recall)).toBe(false);
		expect(await isRepetition('trigger', 'a', '3', recall)).toBe(true);
	});
});

test('static data gets what is known when it is written', async () => {
	const { started } = await freshProcess();
	const staticData = started('trigger', 'a', '');
	started('trigger', 'b', '');
	expect(viaDatabase(staticData)).toHaveLength(32);
	// n8n watches static data for changes through proxies.
	expect(viaDatabase(new Proxy(staticData!, {}))).toHaveLength(32);
});

test('after 300,000 deliveries the latest 50,000 are known, and 2000 of them would be after a restart', async () => {
	const { claim, started } = await freshProcess();
	let staticData: unknown = '';
	for (let index = 0; index < 300_000; index += 1) {
		const settle = await claim('trigger', `e${index}`, '');
		settle!(true);
		staticData = started('trigger', `e${index}`, '');
	}
	expect(await claim('trigger', 'e250000', '')).toBeUndefined();
	expect(await claim('trigger', 'e100000', '')).toBeDefined();

	const after = await freshProcess();
	const stored = viaDatabase(staticData);
	expect(stored).toHaveLength(32_000);
	expect(await after.claim('trigger', 'e298000', stored)).toBeUndefined();
	expect(await after.claim('trigger', 'e297999', stored)).toBeDefined();
});
