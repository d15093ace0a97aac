/** The heap that the trigger takes to remember very many deliveries and the rows of their events, in this process, without n8n. */
import { heapAfterCollection } from '../../bench/shared/garbage.ts';
import { elementAt } from '../../bench/shared/lists.ts';
import { triggerCode } from '../../bench/shared/publishedCode.ts';
import type { Rows } from '../../nodes/WalletService/shared/rows.ts';
import { reportFigures } from '../shared/figures.ts';
import type { Figures } from '../shared/figures.ts';

const FULL = 1_000_000;
const SHORT = 200_000;
/** The memory is full long before this number, so the heap should not grow any more. */
const FILLED = 100_000;

const TRIGGER = 'workflow/node';

const ROWS: Rows = {
	workflowId: 'workflow',
	make: async () => await Promise.resolve({ is: 'made' }),
	exists: async () => await Promise.resolve(false),
	delete: async () => await Promise.resolve(),
};

export async function run({ short }: { short: boolean }): Promise<void> {
	const { memoryOf, wasHandled } = triggerCode();
	const memory = memoryOf(TRIGGER);
	const bytes: number[] = [];
	const figures: Figures = {};
	let done = 0;
	for (const count of [10_000, FILLED, short ? SHORT : FULL]) {
		const begun = performance.now();
		const before = done;
		for (; done < count; done += 1) {
			// As long as a digest.
			const key = `e${done}`.padStart(22);
			const complete = await memory.claim({ key });
			complete?.(true);
			await wasHandled(TRIGGER, ROWS, { key }, String(done));
		}
		const microseconds = ((performance.now() - begun) * 1000) / (count - before);
		const heap = heapAfterCollection();
		bytes.push(heap);
		figures[`heap after ${count} deliveries`] = `${(heap / 2 ** 20).toFixed(1)} MiB`;
		figures[`microseconds for each up to ${count}`] = microseconds.toFixed(1);
	}
	const growth = elementAt(bytes, 2) - elementAt(bytes, 1);
	// Eleven bytes for each delivery would show, in the short form too.
	const grown = `MiB more than after ${FILLED}`;
	figures[grown] = Math.max(0, Math.floor(growth / 2 ** 20));
	reportFigures('Memory of handled deliveries', figures, [grown]);
}
