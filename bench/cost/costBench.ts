/** The cost of the package's own code, as published, without n8n and without a network. */
import type { Bench, Options, Report } from '../results.ts';
import { measureCalls, measureMoneyCalls } from './callCost.ts';
import type { Effort } from './costMeter.ts';
import { measureDeliveries, measureRemembered } from './deliveryCost.ts';

export interface Size extends Effort {
	/** How many deliveries the trigger remembers, for each figure. */
	remembered: number[];
}

const FULL: Size = {
	inputs: 20_000,
	batches: 5,
	batchInputs: 50,
	remembered: [1000, 100_000, 1_000_000],
};
/** Every figure is there, but it is not precise. */
const SHORT: Size = { inputs: 100, batches: 1, batchInputs: 10, remembered: [100, 1000] };

const title = 'Cost inside the process';
const how =
	"Processor time of the thread (`process.threadCpuUsage`), in the published JavaScript. A delivery: verify (HMAC-SHA256), parse, read, filter, look for it among the remembered ones and make the item. An item: build the request, sign it, read the answer. n8n's own work and the network are not included. Allocated: growth of the heap between two collections.";

async function run(report: Report, { short }: Options): Promise<void> {
	await measure(report, short ? SHORT : FULL);
}

export const costBench: Bench = { title, how, run };

/** Adds the cost of every kind of event and of every operation. Throws if a figure is implausible. */
async function measure(report: Report, size: Size): Promise<void> {
	await measureDeliveries(report, size);
	await measureRemembered(report, size, size.remembered);
	await measureCalls(report, size);
	await measureMoneyCalls(report, size);
}
