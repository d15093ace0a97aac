import { fork } from 'node:child_process';
import { once } from 'node:events';
import { NODE_OPTIONS } from './childNode.ts';

/** What the sending process is told. */
export interface SendOrder {
	url: string;
	/** Whose signature the receiver checks. */
	style: 'wallet' | 'slack';
	secret: string;
	/** The body, with `<id>` where each delivery has its own id. */
	template: string;
	load: Load;
	milliseconds: number;
}

/**
 * - `clients`: each has one delivery at a time, so they wait for a slow receiver. For rates.
 * - `perSecond`: each delivery goes out at its time, as those of a service do. For times to the answer.
 */
export type Load = { clients: number } | { perSecond: number };

/** What the sending process has seen; every answer was 200. */
export interface SendResult {
	/** Milliseconds since 1970. */
	begun: number;
	seconds: number;
	/** Milliseconds from the time of each delivery to the end of its answer. */
	took: number[];
}

/** Sends deliveries from another process, so that the clients do not share a thread with what measures. */
export class DeliverySender {
	readonly #child = fork('bench/shared/deliverySenderProcess.ts', { execArgv: NODE_OPTIONS });

	/** Throws if an answer is not 200 or does not take the delivery as a new one. */
	async send(order: SendOrder): Promise<SendResult> {
		this.#child.send(order);
		const [answer] = (await once(this.#child, 'message')) as [SendResult | { failure: string }];
		if ('failure' in answer) throw new Error(answer.failure);
		return answer;
	}

	stop(): void {
		this.#child.kill();
	}
}
