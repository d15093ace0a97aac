/**
 * The trigger's memory of the deliveries that n8n has taken. The service repeats a delivery that was not acknowledged
 * ("Delivery rules" 4 and 5), so one event may arrive several times, also within milliseconds.
 *
 * The memory has two halves. All that this process has seen is in `seen`, where a look-up waits for nothing. The latest
 * of it is in the static data of the workflow too, which outlives a restart: n8n writes that when the execution of a
 * delivery ends, so what is found there has been handled. A write that is lost costs a repetition after a crash, never
 * an event. Neither half is shared between processes.
 */
import { hash } from 'node:crypto';

/** So many deliveries of all triggers are remembered at most, and half as many at least: some 10 to 20 MB. */
const CAPACITY = 100_000;

/**
 * So many deliveries of one trigger outlive a restart: at n8n's highest rate those of the last minute or so. They are 32
 * KB, which n8n reads with each delivery and writes after it; against 80 ms for a delivery that could not be measured.
 */
const LASTING = 2000;

/** So many triggers have their latest deliveries at hand; those of others are read from static data again. */
const TRIGGERS = 1000;

/** Characters of a name, 96 bits: neither chance nor intent finds another delivery of the same name. */
const NAME_LENGTH = 16;

/** What became of a delivery: true once n8n has taken it, false where it must come again. */
type Outcome = Promise<boolean>;

/**
 * A map that forgets its older half when it is full. (To delete the oldest key of one Map each time is slow: it has to be
 * looked for behind the gaps that the earlier ones have left.)
 */
class Recent<V> {
	readonly #half: number;
	#young = new Map<string, V>();
	#old = new Map<string, V>();

	constructor(capacity: number) {
		this.#half = capacity / 2;
	}

	get(key: string): V | undefined {
		return this.#young.get(key) ?? this.#old.get(key);
	}

	set(key: string, value: V): void {
		if (this.#young.size >= this.#half) [this.#old, this.#young] = [this.#young, new Map()];
		this.#young.set(key, value);
	}

	delete(key: string): void {
		this.#young.delete(key);
		this.#old.delete(key);
	}
}

/**
 * Names of a trigger's latest deliveries, oldest first, as one text. Static data holds this object itself, so that n8n
 * writes what is known then, not what was known when the execution began: executions end in any order.
 */
class Latest {
	// Not #names: n8n may put a proxy around what static data holds.
	private names: string;

	constructor(names: string) {
		this.names = names;
	}

	add(name: string): void {
		this.names = (this.names + name).slice(-LASTING * NAME_LENGTH);
	}

	toJSON(): string {
		return this.names;
	}
}

// Of the module, not of the node: n8n makes a new node for each delivery.
const seen = new Recent<Outcome | true>(CAPACITY);
const latest = new Recent<Latest>(TRIGGERS);

/** Tells whether n8n has taken the delivery that was claimed. The first word counts. */
export type Settle = (taken: boolean) => void;

/**
 * Claims a delivery for the trigger `scope`, in whose static data n8n found `stored`. Undefined where n8n has taken the
 * delivery before; while an earlier copy is being handled, its outcome is waited for. There is no await between the
 * look-up and the claim, so of the copies that arrive together one wins.
 */
export async function claim(
	scope: string,
	deliveryKey: string,
	stored: unknown,
): Promise<Settle | undefined> {
	const names = recall(scope, stored);
	const name = nameOf(scope, deliveryKey);
	for (let earlier = seen.get(name); earlier !== undefined; earlier = seen.get(name)) {
		if (earlier === true || (await earlier)) return undefined;
	}
	let tell: Settle;
	const outcome: Outcome = new Promise((resolve) => (tell = resolve));
	seen.set(name, outcome);
	return (taken) => {
		if (taken) remember(names, name);
		else if (seen.get(name) === outcome) seen.delete(name);
		tell(seen.get(name) === true);
	};
}

/**
 * Notes that a workflow runs with this delivery, whatever was answered. `stored` is what its execution found in static
 * data; gives what belongs there instead, undefined where nothing may be written: an execution that n8n takes up again
 * after a restart is given no static data at all, and would write over what is there.
 */
export function started(scope: string, deliveryKey: string, stored: unknown): object | undefined {
	const name = nameOf(scope, deliveryKey);
	if (typeof stored !== 'string') {
		seen.set(name, true);
		return undefined;
	}
	const names = recall(scope, stored);
	remember(names, name);
	return names;
}

/** A trigger's latest deliveries; what static data has of them is read once, when this process first hears of it. */
function recall(scope: string, stored: unknown): Latest {
	const known = latest.get(scope);
	if (known !== undefined) return known;
	const text = typeof stored === 'string' ? stored : '';
	for (let at = 0; at < text.length; at += NAME_LENGTH) seen.set(text.slice(at, at + NAME_LENGTH), true);
	const names = new Latest(text);
	latest.set(scope, names);
	return names;
}

function remember(names: Latest, name: string): void {
	if (seen.get(name) === true) return;
	seen.set(name, true);
	names.add(name);
}

/** Of one length, whatever a sender puts into an id. */
function nameOf(scope: string, deliveryKey: string): string {
	return hash('sha256', `${scope}\n${deliveryKey}`, 'base64').slice(0, NAME_LENGTH);
}
