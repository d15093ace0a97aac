/**
 * The trigger's memory of the deliveries that n8n has taken. The service repeats a delivery that was not acknowledged
 * ("Delivery rules" 4 and 5), so one event may arrive several times, also within milliseconds.
 *
 * The memory has two halves. All that this process has seen is in `seen`, where a look-up waits for nothing. The latest
 * of it is in the static data of the workflow too, which outlives a restart and is shared by all processes of n8n's queue
 * mode: n8n loads it with each delivery. It is written when the execution of a delivery ends, so what is found there has been
 * handled; in queue mode, whose workers have no static data, when n8n has stored the execution and is about to answer. n8n
 * writes it as a whole: what another process has written since it was loaded is lost, until that one writes again. A write
 * that is lost costs a repetition, never an event.
 */
import { hash } from 'node:crypto';

import { BoundedMap } from './boundedMap.ts';

/** So many deliveries of all triggers are remembered at most, and half as many at least: some 10 to 20 MB. */
const CAPACITY = 100_000;

/**
 * So many deliveries of one trigger outlive a restart: at n8n's highest rate those of the last minute or so. They are 32
 * KB, which n8n reads with each delivery and writes after it; against 80 ms for a delivery that could not be measured.
 */
const LASTING = 2000;

/** So many triggers have their latest deliveries at hand; those of others are taken from static data again. */
const TRIGGERS = 1000;

/** Length of a name, 96 bits: neither chance nor intent finds another delivery of the same name. In base64, characters. */
const NAME_BYTES = 12;
const NAME_LENGTH = 16;

/** What became of a delivery: true once n8n has taken it, false where it must come again. */
type Outcome = Promise<boolean>;

/** Names of a trigger's latest deliveries, oldest first. */
class PersistedKeys {
	// As bytes, because to add to a long text copies it.
	readonly #bytes = Buffer.alloc(2 * LASTING * NAME_BYTES);
	#end = 0;

	/**
	 * What static data holds, so that n8n writes what is known then, not what was known when the execution began: executions
	 * end in any order. A function alone, because n8n puts proxies around whatever else it finds there.
	 */
	readonly written = { toJSON: () => this.#text() };

	#text(): string {
		const start = Math.max(0, this.#end - LASTING * NAME_BYTES);
		return this.#bytes.toString('base64', start, this.#end);
	}

	add(name: string): void {
		if (this.#end === this.#bytes.length) {
			this.#end = this.#bytes.length / 2;
			this.#bytes.copyWithin(0, this.#end);
		}
		this.#bytes.write(name, this.#end, 'base64');
		this.#end += NAME_BYTES;
	}

	/** Whether all that is stored is known here. Each process writes its newest name last: who knows that knows all before it. */
	covers(stored: string): boolean {
		if (stored === '') return true;
		const newest = Buffer.from(stored.slice(-NAME_LENGTH), 'base64');
		return this.#end > 0 && this.#bytes.lastIndexOf(newest, this.#end - NAME_BYTES) >= 0;
	}

	/** Takes up what another process has written in the meantime, or this one before it was started again. Gives what was new. */
	unite(stored: string): string[] {
		if (this.covers(stored)) return [];
		const known = new Set(split(this.#text()));
		const news = split(stored).filter((name) => !known.has(name));
		for (const name of news) this.add(name);
		return news;
	}
}

function split(names: string): string[] {
	return Array.from({ length: names.length / NAME_LENGTH }, (_, index) =>
		names.slice(index * NAME_LENGTH, (index + 1) * NAME_LENGTH),
	);
}

// Of the module, not of the node: n8n makes a new node for each delivery.
const seen = new BoundedMap<Outcome | true>(CAPACITY);
const latest = new BoundedMap<PersistedKeys>(TRIGGERS);

/** Tells whether n8n has taken the delivery that was claimed. The first word counts. */
export type Settle = (taken: boolean) => void;

/**
 * Claims a delivery for the trigger `scope`, in whose static data n8n has `found`. Undefined where n8n has taken the
 * delivery before; while an earlier copy is being handled, its outcome is waited for. There is no await between the
 * look-up and the claim, so of the copies that arrive together at one process one wins.
 */
export async function claim(scope: string, deliveryKey: string, found: unknown): Promise<Settle | undefined> {
	const name = nameOf(scope, deliveryKey);
	takeUp(scope, found);
	for (let earlier = seen.get(name); earlier !== undefined; earlier = seen.get(name)) {
		if (earlier === true || (await earlier)) return undefined;
	}
	let tell: Settle;
	const outcome: Outcome = new Promise((resolve) => (tell = resolve));
	seen.set(name, outcome);
	return (taken) => {
		if (taken) seen.set(name, true);
		else if (seen.get(name) === outcome) seen.delete(name);
		tell(seen.get(name) === true);
	};
}

/**
 * Notes that a workflow runs with this delivery, whatever was answered. `found` is what its execution has in static
 * data; gives what belongs there instead, undefined where nothing may be written: an execution on a worker, or one that n8n
 * takes up again after a restart, is given no static data at all, and would write over what is there.
 */
export function started(scope: string, deliveryKey: string, found: unknown): object | undefined {
	const name = nameOf(scope, deliveryKey);
	seen.set(name, true);
	const names = takeUp(scope, found);
	// The first one of a process was written down when it was stored.
	if (executesHere || !names?.covers(name)) names?.add(name);
	executesHere = true;
	return names?.written;
}

/**
 * Notes that n8n has stored an execution for this delivery and is about to say so. Gives what belongs into static data,
 * undefined where the execution itself writes it: it does so where it runs in the process that took the delivery.
 */
export function stored(scope: string, deliveryKey: string, found: unknown): object | undefined {
	if (executesHere) return undefined;
	const names = takeUp(scope, found);
	names?.add(nameOf(scope, deliveryKey));
	return names?.written;
}

/** Whether executions run in this process; known after the first. */
let executesHere = false;

/** Takes up what other processes have written in the meantime, or this one before it was started again. */
function takeUp(scope: string, found: unknown): PersistedKeys | undefined {
	if (typeof found !== 'string') return undefined;
	const names = latest.get(scope) ?? new PersistedKeys();
	latest.set(scope, names);
	for (const other of names.unite(found)) seen.set(other, true);
	return names;
}

/** Keeps texts and tells which of them it had: n8n's own record of what a node has processed, which all workers share. */
export type Recall = (texts: string[]) => Promise<{ processed: unknown[] }>;

/** n8n writes that record as a whole too, so a worker tells it again what it has told it last. */
const AGAIN = 40;
const told = new BoundedMap<string[]>(TRIGGERS);
/** In this process one after the other. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Whether another execution runs with this delivery: a second look, on a worker, for what has slipped past the processors.
 * Two that look within the same milliseconds do not see each other. When in doubt it is none: an execution that a worker
 * takes over from one that died finds itself, and a record that cannot be read stops nothing.
 */
export async function isRepetition(
	scope: string,
	deliveryKey: string,
	executionId: string,
	recall: Recall,
): Promise<boolean> {
	const event = nameOf(scope, deliveryKey);
	const run = nameOf(scope, `${deliveryKey}\n${executionId}`);
	const before = told.get(scope) ?? [];
	told.set(scope, [...before, event, run].slice(-AGAIN));
	const look = turn.then(async () => await recall([event, run, ...before])).catch(() => undefined);
	turn = look;
	const { processed = [] } = (await look) ?? {};
	return processed.includes(event) && !processed.includes(run);
}

/** Of one length, whatever a sender puts into an id. */
function nameOf(scope: string, deliveryKey: string): string {
	return hash('sha256', `${scope}\n${deliveryKey}`, 'base64').slice(0, NAME_LENGTH);
}
