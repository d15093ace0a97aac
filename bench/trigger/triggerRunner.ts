/** Sends deliveries to one of the compared workflows at a time and measures them. */
import { DeliverySender } from '../shared/deliverySender.ts';
import type { Load, SendResult } from '../shared/deliverySender.ts';
import { allSucceeded, newestExecution } from '../shared/executions.ts';
import type { Executions } from '../shared/executions.ts';
import { entryOf } from '../shared/lists.ts';
import { processorTime } from '../shared/processorTime.ts';
import { percentile } from '../shared/statistics.ts';
import type { TemporaryN8n } from '../shared/temporaryN8n.ts';
import { checkThatTheyVerify, publishContenders } from './contenders.ts';

export interface Runner {
	/** Throws if n8n does not execute each delivery once. */
	measure(name: string, load: Load, milliseconds: number): Promise<Figures>;
	/** How many there were, of all workflows. */
	deliveries(): number;
	stop(): void;
}

/** Publishes the compared workflows. */
export async function startRunner(host: TemporaryN8n): Promise<Runner> {
	const contenders = await publishContenders(host);
	await checkThatTheyVerify(contenders);
	const sender = new DeliverySender();
	let deliveries = 0;
	return {
		async measure(name, load, milliseconds) {
			const { workflowId, order } = entryOf(contenders, name);
			const since = newestExecution(host);
			const before = processorTime(host.n8n);
			const result = await sender.send({ ...order, load, milliseconds });
			deliveries += result.took.length;
			const executions = await allSucceeded(host, workflowId, since, result.took.length);
			const after = processorTime(host.n8n);
			const used = before === undefined || after === undefined ? undefined : after - before;
			return figuresOf(result, executions, used);
		},
		deliveries: () => deliveries,
		stop: () => sender.stop(),
	};
}

export interface Figures {
	/** Per second. */
	deliveries: number;
	/** Per second. */
	executions: number;
	/** Milliseconds to the answer. */
	p50: number;
	p90: number;
	/** Milliseconds of processor time for a delivery and its execution; NaN if the system does not tell. */
	processor: number;
}

function figuresOf(
	{ begun, seconds, took }: SendResult,
	{ count, lastEnd }: Executions,
	usedProcessor: number | undefined,
): Figures {
	if (count !== took.length) throw new Error(`${took.length} deliveries were executed ${count} times`);
	return {
		deliveries: count / seconds,
		executions: (count * 1000) / (lastEnd - begun),
		p50: percentile(took, 0.5),
		p90: percentile(took, 0.9),
		processor: (usedProcessor ?? NaN) / count,
	};
}
