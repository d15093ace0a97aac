/** What the trigger remembers of deliveries: while one is being handled, over a restart, and when n8n fails. */
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { IDataObject } from 'n8n-workflow';
import type { Listener, ListenSetup } from './harness.ts';

const open: Listener[] = [];
let last = 0;

afterEach(async () => {
	for (const listener of open.splice(0)) await listener.close();
});

/** The trigger in a process of its own, as far as modules go: it has seen nothing before. */
async function freshProcess() {
	jest.resetModules();
	const { headless } = await import('./harness.ts');
	const n8n = headless();
	return async (setup: Partial<ListenSetup> = {}) => {
		const listener = await n8n.listen({
			type: 'walletServiceTrigger',
			...setup,
			parameters: { events: ['admin_funding'], ...setup.parameters },
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

test('a restart forgets nothing that was handled', async () => {
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

test('a delivery whose execution a kill has ended is no duplicate after the restart', async () => {
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

test('where n8n answers 500, the repetition starts the workflow', async () => {
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

describe('a copy that arrives while the first is being handled', () => {
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

	test('waits, and is a duplicate once the first is through', async () => {
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

	test('starts the workflow where the first fails; the third copy is then a duplicate', async () => {
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

	/** Sends, and hangs up while n8n is at work. */
	const hangUp = async (post: (id: string, signal: AbortSignal) => Promise<string>, id: string) => {
		const impatient = new AbortController();
		const answer = post(id, impatient.signal);
		await sleep(50);
		impatient.abort();
		await expect(answer).rejects.toThrow();
	};

	test('is a duplicate also where the sender of the first has hung up', async () => {
		const { post, started, release } = await held(() => {});
		const id = newId();
		await hangUp(post, id);
		const second = post(id);
		await sleep(50);
		release();
		expect([await second, await post(id)]).toEqual(['200 ok duplicate', '200 ok duplicate']);
		expect(started).toHaveLength(1);
	});

	test('starts the workflow where the first failed after its sender had hung up', async () => {
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

	test('and is given up by its sender while it waits, blocks no other', async () => {
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

test('two triggers each have a memory of their own', async () => {
	const listen = await freshProcess();
	const id = newId();
	const [one, other] = [await listen(), await listen({ nodeId: 'other-node' })];
	expect([await one.post(id), await other.post(id), await one.post(id)]).toEqual([
		'200 ok',
		'200 ok',
		'200 ok duplicate',
	]);
});

test('static data holds a bounded text', async () => {
	const staticData: IDataObject = { 'node:Node': { seen: 'x'.repeat(32_000) } };
	const { post, idle } = await (await freshProcess())({ staticData });
	await post(newId());
	await idle();
	expect(staticData).toEqual({ 'node:Node': { seen: expect.stringMatching(/^x{31984}[\w+/]{16}$/) } });
});
