import { heapAfterCollection } from '../shared/garbage.ts';
import { median } from '../shared/statistics.ts';

export interface Cost {
	/** Processor time of the thread, per use. */
	microseconds: number;
	/** Growth of the heap, per use. */
	bytes: number;
}

/** How much is measured for each figure. */
export interface Effort {
	/** Inputs whose time is measured. */
	inputs: number;
	/** Batches whose allocations are measured; the figure is their median. */
	batches: number;
	/** Inputs in a batch: few, so that no garbage is collected within a batch. */
	batchInputs: number;
}

/** At this cost per item or delivery, or without any allocation, the measurement or the code is wrong. */
const IMPLAUSIBLE_MICROSECONDS = 10_000;

/**
 * Returns the cost of `use` per input. `make` is not measured: all inputs exist before. Half as many inputs again go first, so that
 * the code is compiled.
 */
export async function costOf<I>(effort: Effort, make: () => I, use: (input: I) => unknown): Promise<Cost> {
	const inputs = (count: number) => Array.from({ length: Math.max(1, count) }, make);
	const spent = async (batch: I[], meter: () => number) => {
		const before = meter();
		for (const input of batch) await use(input);
		return (meter() - before) / batch.length;
	};
	await spent(inputs(effort.inputs / 2), cpuTime);
	const growths: number[] = [];
	for (let batch = 0; batch < effort.batches; batch += 1) {
		const few = inputs(Math.min(effort.inputs, effort.batchInputs));
		heapAfterCollection();
		growths.push(await spent(few, () => process.memoryUsage().heapUsed));
	}
	const bytes = median(growths);
	// One measurement for all, because systems count the time of a thread in ticks of milliseconds.
	return { microseconds: await spent(inputs(effort.inputs), cpuTime), bytes };
}

/** Microseconds. */
function cpuTime(): number {
	const { user, system } = process.threadCpuUsage();
	return user + system;
}

/** The cost in words. Throws if it is implausible. */
export function show({ microseconds, bytes }: Cost): string {
	if (microseconds >= IMPLAUSIBLE_MICROSECONDS || bytes <= 0)
		throw new Error(`Implausible cost: ${microseconds} µs, ${bytes} bytes`);
	return `${microseconds.toFixed(1)} µs, ${(bytes / 1024).toFixed(1)} KiB allocated`;
}
