/** The heap that the trigger's record of handled deliveries takes after very many of them, in this process, without n8n. */
import { heapAfterCollection } from '../../bench/shared/garbage.ts';
import { elementAt } from '../../bench/shared/lists.ts';
import { triggerCode } from '../../bench/shared/publishedCode.ts';
import { reportFigures } from '../shared/figures.ts';
import type { Figures } from '../shared/figures.ts';

const FULL = 1_000_000;
const SHORT = 200_000;
/** The record is full long before this number, so the heap should not grow any more. */
const FILLED = 100_000;

export async function run({ short }: { short: boolean }): Promise<void> {
	const { memoryOf } = triggerCode();
	const memory = memoryOf('workflow/node');
	const bytes: number[] = [];
	const figures: Figures = {};
	let done = 0;
	for (const count of [10_000, FILLED, short ? SHORT : FULL]) {
		const begun = performance.now();
		const before = done;
		for (; done < count; done += 1) {
			// As long as a digest.
			const complete = await memory.claim({ key: `e${done}`.padStart(22) });
			complete?.(true);
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
