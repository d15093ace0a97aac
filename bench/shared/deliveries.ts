/** Sends deliveries to one workflow at a time, and measures what n8n does with them. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { N8n } from '../../host/n8n/process.ts';
import { NODE_OPTIONS } from './childNode.ts';
import { allSucceeded, newestExecution } from './executions.ts';
import type { Query } from './executions.ts';
import { percentile } from './statistics.ts';

/** A published workflow that receives deliveries. */
export interface Receiver {
	workflowId: string;
	url: string;
	/** Whose signature it checks. */
	style: 'wallet' | 'slack';
	secret: string;
	/** The body, with `<id>` where each delivery has its own id. */
	template: string;
	/** All processes of its n8n. */
	processes: N8n[];
	query: Query;
}

/**
 * - `clients`: each has one delivery at a time, so they wait for a slow receiver. For rates.
 * - `perSecond`: each delivery goes out at its time, as those of a service do. For times to the answer.
 */
export type Load = { clients: number } | { perSecond: number };

/** What the sending process is told. */
export type SendOrder = Pick<Receiver, 'url' | 'style' | 'secret' | 'template'> & {
	load: Load;
	milliseconds: number;
};

/** What the sending process has seen. Every answer was 200 and took the delivery as a new one. */
export interface SendResult {
	/** Milliseconds since 1970. */
	begun: number;
	seconds: number;
	/** Milliseconds from the time of each delivery to the end of its answer. */
	took: number[];
}

export interface Figures {
	/** How many were sent. */
	count: number;
	/** Answered in a second. */
	deliveries: number;
	/** Executed in a second, until the last execution ended. */
	executions: number;
	/** Milliseconds to the answer, of half of them and of nine of ten. */
	p50: number;
	p90: number;
	/** Milliseconds of processor time for a delivery and its execution. NaN if the system does not tell. */
	processor: number;
}

/** Throws if n8n does not answer each delivery with 200 and execute it once. */
export type Measure = (receiver: Receiver, load: Load, milliseconds: number) => Promise<Figures>;

/** Runs the work with a sender in another process, so that it does not share a thread with what measures. */
export async function withSender<T>(work: (measure: Measure) => Promise<T>): Promise<T> {
	const child = fork('bench/shared/senderProcess.ts', { execArgv: NODE_OPTIONS });
	const send = async (order: SendOrder): Promise<SendResult> => {
		child.send(order);
		const [answer] = (await once(child, 'message')) as [SendResult | { failure: string }];
		if ('failure' in answer) throw new Error(answer.failure);
		return answer;
	};
	const measure: Measure = async (receiver, load, milliseconds) => {
		const { workflowId, url, style, secret, template, processes, query } = receiver;
		const processor = () => processes.reduce((sum, each) => sum + processorTime(each), 0);
		const since = await newestExecution(query);
		const before = processor();
		const { begun, seconds, took } = await send({ url, style, secret, template, load, milliseconds });
		const count = took.length;
		const lastEnd = await allSucceeded(query, workflowId, since, count);
		return {
			count,
			deliveries: count / seconds,
			executions: (count * 1000) / (lastEnd - begun),
			p50: percentile(took, 0.5),
			p90: percentile(took, 0.9),
			processor: (processor() - before) / count,
		};
	};
	try {
		return await work(measure);
	} finally {
		child.kill();
	}
}

/** Milliseconds of processor time that a process has used. NaN if the system does not tell (other than Linux). */
function processorTime({ pid }: { pid: number }): number {
	const file = `/proc/${pid}/stat`;
	if (!existsSync(file)) return NaN;
	// The second field is a name in brackets that may contain spaces. After it, user and system time are in 1/100 s.
	const fields = readFileSync(file, 'utf8')
		.replace(/^.*\) /s, '')
		.split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 10;
}
