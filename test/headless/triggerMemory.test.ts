/** Deduplication in n8n: simultaneous copies, restarts, and failures of n8n. */
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { IDataObject } from 'n8n-workflow';
import type { Listener, ListenSetup } from './harness.ts';

const open: Listener[] = [];
let last = 0;

afterEach(async () => {
	for (const listener of open.splice(0)) await listener.close();
});

/** The trigger with newly loaded modules, like a new process: it knows no delivery yet. */
async function freshProcess() {
	jest.resetModules();
	const { headless } = await import('./harness.ts');
	const n8n = headless();
	return async (setup: Partial<ListenSetup> = {}) => {
		const listener = await n8n.listen({
			type: 'walletServiceTrigger',
			...setup,
			parameters: { events: ['admin_funding'], verification: 'none', ...setup.parameters },
		});
		open.push(listener);
		const post = async (id: string, signal?: AbortSignal) => {
			const answer = await request(listener.url, {
				method: 'POST',
				body: JSON.stringify({ event: 'admin_funding', id, status: 'successful' }),
				headers: { 'content-type': 'application/json' },
				signal,
			});
			const { ok, duplicate = false } = (await answer.body.json()) as { ok?: boolean; duplicate?: boolean };
			return `${answer.statusCode}${ok ? ' ok' : ''}${duplicate ? ' duplicate' : ''}`;
		};
		return { ...listener, post };
	};
}

const newId = () => `af_${(last += 1)}`;

test('deliveries handled before a restart are duplicates after it', async () => {
	const staticData: IDataObject = {};
	const before = await (await freshProcess())({ staticData });
	const ids = Array.from({ length: 50 }, newId);
	await Promise.all(ids.map((id) => before.post(id)));
	await before.idle();

	const after = await (await freshProcess())({ staticData });
	expect(await Promise.all(ids.map((id) => after.post(id)))).toEqual(ids.map(() => '200 ok duplicate'));
	expect(await after.post(newId())).toBe('200 ok');
	expect(after.started).toHaveLength(1);
});

test('a delivery whose execution was killed starts the workflow again after the restart', async () => {
	const staticData: IDataObject = {};
	const before = await (await freshProcess())({ staticData });
	const [handled, killed] = [newId(), newId()];
	await before.post(handled);
	await before.idle();
	const inTheDatabase = structuredClone(staticData);
	await before.post(killed);

	const after = await (await freshProcess())({ staticData: inTheDatabase });
	expect([await after.post(handled), await after.post(killed)]).toEqual(['200 ok duplicate', '200 ok']);
});

test('a delivery that n8n answered with 500 starts the workflow when it is repeated', async () => {
	let failures = 2;
	const listen = await freshProcess();
	const { post, started } = await listen({
		onStart: () => {
			if (failures-- > 0) throw new Error('The database is away');
		},
	});
	const id = newId();
	expect([await post(id), await post(id), await post(id), await post(id)]).toEqual([
		'500',
		'500',
		'200 ok',
		'200 ok duplicate',
	]);
	expect(started).toHaveLength(1);
});

describe('a copy that arrives during the handling of the first', () => {
	const held = async (outcome: () => void) => {
		const listen = await freshProcess();
		let release = () => {};
		const gate = new Promise<void>((resolve) => (release = resolve));
		let attempts = 0;
		const listener = await listen({
			onStart: async () => {
				if ((attempts += 1) > 1) return;
				await gate;
				outcome();
			},
		});
		return { ...listener, release };
	};

	test('a copy waits and is a duplicate if the first succeeds', async () => {
		const { post, started, release } = await held(() => {});
		const id = newId();
		const answers: string[] = [];
		const all = [post(id), post(id), post(id)].map((answer) => answer.then((text) => answers.push(text)));
		await sleep(50);
		expect(answers).toEqual([]);
		release();
		await Promise.all(all);
		expect(answers.toSorted()).toEqual(['200 ok', '200 ok duplicate', '200 ok duplicate']);
		expect(started).toHaveLength(1);
	});

	test('the second copy starts the workflow if the first fails, and the third is a duplicate', async () => {
		const { post, started, release } = await held(() => {
			throw new Error('The database is away');
		});
		const id = newId();
		const all = Promise.all([post(id), post(id), post(id)]);
		await sleep(50);
		release();
		expect((await all).toSorted()).toEqual(['200 ok', '200 ok duplicate', '500']);
		expect(started).toHaveLength(1);
	});

	/** Sends a delivery and hangs up before n8n answers. */
	const hangUp = async (post: (id: string, signal: AbortSignal) => Promise<string>, id: string) => {
		const impatient = new AbortController();
		const answer = post(id, impatient.signal);
		await sleep(50);
		impatient.abort();
		await expect(answer).rejects.toThrow();
	};

	test('a copy is a duplicate even if the sender of the first has hung up', async () => {
		const { post, started, release } = await held(() => {});
		const id = newId();
		await hangUp(post, id);
		const second = post(id);
		await sleep(50);
		release();
		expect([await second, await post(id)]).toEqual(['200 ok duplicate', '200 ok duplicate']);
		expect(started).toHaveLength(1);
	});

	test('a copy starts the workflow if the first fails after its sender has hung up', async () => {
		const { post, started, release } = await held(() => {
			throw new Error('The database is away');
		});
		const id = newId();
		await hangUp(post, id);
		const second = post(id);
		await sleep(50);
		release();
		expect([await second, await post(id)]).toEqual(['200 ok', '200 ok duplicate']);
		expect(started).toHaveLength(1);
	});

	test('a waiting copy whose sender hangs up does not block later copies', async () => {
		const { post, started, release } = await held(() => {
			throw new Error('The database is away');
		});
		const id = newId();
		const first = post(id);
		await sleep(20);
		await hangUp(post, id);
		release();
		expect(await first).toBe('500');
		expect(await post(id)).toBe('200 ok duplicate');
		expect(started).toHaveLength(1);
	});
});

test('each trigger of a workflow detects duplicates on its own', async () => {
	const listen = await freshProcess();
	const id = newId();
	const [one, other] = [await listen(), await listen({ nodeId: 'other-node' })];
	expect([await one.post(id), await other.post(id), await one.post(id)]).toEqual([
		'200 ok',
		'200 ok',
		'200 ok duplicate',
	]);
});

test('static data has a limited size', async () => {
	// 2,000 keys of 16 characters; the first 6 name the subject.
	const keys = Array.from({ length: 2000 }, (_, index) => `${index}`.padStart(6, '0') + 'x'.repeat(10));
	const staticData: IDataObject = { 'node:Node': { seen: keys.join('') } };
	const listener = await (await freshProcess())({ staticData });
	await listener.post(newId());
	await listener.idle();
	const { seen } = staticData['node:Node'] as { seen: string };
	expect(seen.slice(0, -16)).toBe(keys.slice(1).join(''));
	expect(seen).toMatch(/[\w+/]{16}$/);
});
