/** Days of the world, with the operations of the node: Make Rows makes the rows, and Reconcile asks the service for its balances. */
import type { INodeExecutionData } from 'n8n-workflow';

import { worldOf } from '../../host/world/business.ts';
import { drawMonth } from '../../host/world/commands.ts';
import { ASSETS, isCoin } from '../../host/world/money.ts';
import type { Batch } from '../../host/world/memory.ts';
import { liveMonth, type Answer } from '../../host/world/mornings.ts';
import { PERSON, type Row } from '../../host/world/rows.ts';
import { randomNumbers } from '../../host/testkit/random.ts';
import { withNode } from './withNode.ts';

const { run, sandbox } = withNode('walletServiceDesk');

// Only the date is that of the world.
const doNotFake = [
	...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
	...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];
afterEach(() => jest.useRealTimers());

async function itemsOf(now: string, operation: string, items: object[], options: object = {}) {
	jest.useFakeTimers({ doNotFake, now: new Date(now) });
	const parameters = { resource: 'book', operation, options };
	const given = items.map((json) => ({ json })) as INodeExecutionData[];
	const { items: all, error } = await run(parameters, { items: given.length === 0 ? [{ json: {} }] : given });
	if (error) throw error;
	return all[0]!.map(({ json }) => json);
}

/** The rows that Make Rows makes, with the execution of the world in place of that of the test. */
async function rowsMadeOf({ items, rows, writer, now }: Batch): Promise<Row[]> {
	if (items.length === 0 || writer.workflow === '') return rows;
	const made = await itemsOf(now, 'makeRows', items);
	return made.map((row) => ({ ...(row as Row), ...writer }));
}

const assets = { asset: ASSETS.map((code) => ({ code, isCoin: isCoin(code) })) };

test('the operations make the same rows, and tell each difference and each large loss', async () => {
	const random = randomNumbers();
	const month = { days: 4, readAt: 5 * 60, share: 0.2 };
	const world = worldOf(random, drawMonth(random, month));
	const made: Row[] = [];
	let read = 0;
	const reconcile = async (): Promise<Answer> => {
		const { now } = world;
		for (const batch of world.batches.slice(read)) made.push(...(await rowsMadeOf(batch)));
		read = world.batches.length;
		for (const code of ASSETS) {
			const { ledger, store } = sandbox.service;
			store.transaction(() =>
				ledger.balances.put(code, { ...ledger.balances.get(code)!, amount: world.balance(code) }),
			);
		}
		const [item] = await itemsOf(now, 'reconcile', made, { assets });
		const { rows, ...answer } = item as unknown as Answer & { rows: Row[] };
		world.insert({ items: [], rows, writer: PERSON, now });
		return answer;
	};
	const { figures } = await liveMonth(world, month, reconcile);
	expect(made.map((row) => ({ ...row, message: '' }))).toEqual(
		world.batches.slice(0, read).flatMap(({ rows }) => rows.map((row) => ({ ...row, message: '' }))),
	);
	expect(figures.calm + figures.withFault).toBe(2 * month.days);
	expect(figures.wronglyNamed).toBe(0);
	expect(figures.falseAlarms + figures.hidden).toBeLessThanOrEqual(3);
});
