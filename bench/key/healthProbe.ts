import { fork } from 'node:child_process';
import { once } from 'node:events';
import { NODE_OPTIONS } from '../shared/childNode.ts';

/** Milliseconds between the answer of a server to one question and the next question. */
export const PROBE_EVERY_MS = 10;

export interface Probed {
	/** Milliseconds of the longest wait for an answer. */
	longest: number;
	answers: number;
}

/** Asks a server from another process all the time while the work is under way. Throws if it refuses an answer. */
export async function probeWhile<T>(url: string, work: () => Promise<T>): Promise<{ result: T } & Probed> {
	const child = fork('bench/key/healthProbeProcess.ts', [url], { execArgv: NODE_OPTIONS });
	try {
		// It tells when it has its first answer.
		await once(child, 'message');
		const result = await work();
		child.send('stop');
		const [probed] = (await once(child, 'message')) as [Probed | { failure: string }];
		if ('failure' in probed) throw new Error(probed.failure);
		return { result, ...probed };
	} finally {
		child.kill();
	}
}
