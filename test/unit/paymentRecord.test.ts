import { setTimeout as sleep } from 'node:timers/promises';
import type {
	KeyState,
	PaymentRecord,
	ProcessedItems,
} from '../../nodes/WalletService/action/paymentRecord.ts';

const DETAILS = { amount: '10', currency: 'NGN', destination: 'supplier-main' };

/** Loads the module once more, as another n8n process does. */
const newProcess = (): typeof PaymentRecord => {
	let loaded: typeof PaymentRecord | undefined;
	jest.isolateModules(() => {
		loaded = jest.requireActual<{ PaymentRecord: typeof PaymentRecord }>(
			'../../nodes/WalletService/action/paymentRecord.ts',
		).PaymentRecord;
	});
	return loaded!;
};

/** n8n's record: each call reads it as a whole and writes it as a whole. `duration` in milliseconds. */
class SharedRecord implements ProcessedItems {
	entries: string[] = [];
	writes = 0;
	/** Throws instead of writing this call and all later ones, as if the process was killed. */
	killedAt = Infinity;
	duration = () => 0;

	async add(entries: string[]) {
		const before = await this.#change((stored) => [
			...stored,
			...entries.filter((text) => !stored.includes(text)),
		]);
		return { processed: entries.filter((text) => before.includes(text)) };
	}

	async remove(entries: string[]) {
		await this.#change((stored) => stored.filter((text) => !entries.includes(text)));
	}

	async #change(edit: (stored: string[]) => string[]): Promise<string[]> {
		const before = this.entries;
		await sleep(this.duration());
		this.writes += 1;
		if (this.writes >= this.killedAt) throw new Error('killed');
		this.entries = edit(before);
		return before;
	}
}

const open = (shared: SharedRecord, Process = newProcess()) => new Process('workflow/node', shared, sleep);

const isClaim = (result: object): boolean => 'accepted' in result;

test('of two processes that claim the same key at the same instant, exactly one may pay', async () => {
	const [First, Second] = [newProcess(), newProcess()];
	const pairs = await Promise.all(
		Array.from({ length: 200 }, async (_, pair) => {
			const shared = new SharedRecord();
			shared.duration = () => Math.random() * 9;
			const claims = [First, Second].map(async (Process, index) => {
				await sleep(Math.random() * 6 * index);
				return await new Process(`workflow/${pair}`, shared, sleep).claim('a', DETAILS);
			});
			return (await Promise.all(claims)).filter(isClaim).length;
		}),
	);
	expect(pairs).toEqual(pairs.map(() => 1));
});

test('claims of other keys in other processes never take a claim away', async () => {
	const processes = Array.from({ length: 3 }, newProcess);
	const shared = new SharedRecord();
	shared.duration = () => Math.random() * 4;
	const results = await Promise.all(
		processes.map(async (Process, index) => {
			const record = new Process('workflow/node', shared, sleep);
			const paid: string[] = [];
			for (const key of ['a', 'b', `only-${index}`, 'c']) {
				const claim = await record.claim(key, DETAILS);
				if (!isClaim(claim)) continue;
				paid.push(key);
				await (claim as { accepted(): Promise<void> }).accepted();
			}
			return paid;
		}),
	);
	const paid = results.flat();
	expect(paid).toHaveLength(new Set(paid).size);
});

test('a process that is killed at any write never lets a second payment out', async () => {
	for (let killedAt = 1; killedAt <= 4; killedAt += 1) {
		const shared = new SharedRecord();
		shared.killedAt = killedAt;
		let sent = 0;
		const pay = async () => {
			const claim = await open(shared).claim('a', DETAILS);
			if (!('accepted' in claim)) return claim;
			sent += 1;
			await claim.accepted();
			return { is: 'paid' };
		};
		await pay().catch(() => undefined);
		shared.killedAt = Infinity;
		const again = await pay();
		expect(sent).toBeLessThanOrEqual(1);
		expect([{ is: 'paid' }, { is: 'accepted' }, { is: 'unknown' }]).toContainEqual(again);
		expect(sent === 1 || (again as KeyState).is === 'unknown').toBe(true);
	}
});

test('a process that is killed while it only looks keys up leaves every key as it was', async () => {
	for (let killedAt = 1; killedAt <= 5; killedAt += 1) {
		const shared = new SharedRecord();
		const claim = await open(shared).claim('paid', DETAILS);
		await (claim as { accepted(): Promise<void> }).accepted();
		shared.writes = 0;
		shared.killedAt = killedAt;
		const keys = ['paid', 'new'].map((key) => ({ key, details: DETAILS }));
		await open(shared)
			.lookUpAll(keys)
			.catch(() => undefined);
		shared.killedAt = Infinity;
		const states = (await open(shared).lookUpAll(keys)).map(({ is }) => is);
		expect(states[1]).toBe('unused');
		expect(['accepted', 'unknown']).toContain(states[0]);
		expect(isClaim(await open(shared).claim('new', DETAILS))).toBe(true);
	}
});

test('a process that looks a key up neither keeps another from claiming it nor takes its claim away', async () => {
	const shared = new SharedRecord();
	const lookUp = async (record: ProcessedItems) =>
		await new (newProcess())('workflow/node', record, sleep).lookUpAll([{ key: 'a', details: DETAILS }]);
	// A process that is killed during a look-up leaves the entry `seen` behind.
	shared.killedAt = 2;
	await lookUp(shared).catch(() => undefined);
	shared.killedAt = Infinity;

	let goOn = () => {};
	const stalled = new Promise<void>((resolve) => (goOn = resolve));
	let isStalled = () => {};
	const reached = new Promise<void>((resolve) => (isStalled = resolve));
	const looking = lookUp({
		add: async (entries) => await shared.add(entries),
		remove: async (entries) => {
			isStalled();
			await stalled;
			await shared.remove(entries);
		},
	});
	await reached;
	expect(isClaim(await open(shared).claim('a', DETAILS))).toBe(true);
	goOn();
	await looking;
	expect(isClaim(await open(shared).claim('a', DETAILS))).toBe(false);
});

test('a payment with the same key that is under way in this process is waited for', async () => {
	const shared = new SharedRecord();
	const Process = newProcess();
	const first = await open(shared, Process).claim('a', DETAILS);
	const second = open(shared, Process).claim('a', DETAILS);
	await sleep(60);
	await (first as { accepted(): Promise<void> }).accepted();
	expect(await second).toEqual({ is: 'accepted' });
});

test('isFirst is true only for the first caller with a text, in any execution', async () => {
	const shared = new SharedRecord();
	const answers = await Promise.all([1, 2, 3].map(async () => await open(shared).isFirst('retry of 7')));
	expect(answers.filter(Boolean)).toHaveLength(1);
	expect(await open(shared).isFirst('retry of 8')).toBe(true);
});

test('keys and details that look alike are different', async () => {
	const record = open(new SharedRecord());
	await record.claim('a', { amount: '1', destination: 'b' });
	expect(await record.lookUpAll([{ key: 'a","b', details: {} }])).toEqual([{ is: 'unused' }]);
	expect(await record.lookUpAll([{ key: 'a', details: { amount: '1', destination: 'c' } }])).toEqual([
		{ is: 'different', details: ['destination'] },
	]);
});

test('a record that another process makes at the same instant is read again', async () => {
	const shared = new SharedRecord();
	const failing: ProcessedItems = {
		add: jest
			.fn<ReturnType<ProcessedItems['add']>, [string[]]>()
			.mockRejectedValueOnce(new Error('UNIQUE constraint failed'))
			.mockImplementation(async (entries) => await shared.add(entries)),
		remove: async (entries) => await shared.remove(entries),
	};
	const Process = newProcess();
	expect(isClaim(await new Process('workflow/node', failing, sleep).claim('a', DETAILS))).toBe(true);
});
