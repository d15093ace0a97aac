/** Second layer, in the workflow's static data: it survives a restart, and all processes of queue mode read it. */
import { BoundedMap } from '../boundedMap.ts';
import { KEY_LENGTH, subjectOf } from './key.ts';
import { MAX_PERSISTED_KEYS, MAX_TRIGGERS } from './capacities.ts';

const MAX_LENGTH = MAX_PERSISTED_KEYS * KEY_LENGTH;

/**
 * Keys of the recent deliveries of one trigger, as static data has them: one text without separators, oldest first, one key per
 * subject.
 */
export class PersistedKeys {
	#text = '';

	/**
	 * The value for static data. n8n calls `toJSON` when it saves, so it saves the keys known at that moment: executions end in
	 * any order. The object has only a function, because n8n puts proxies around everything else.
	 */
	readonly forStaticData = { toJSON: () => this.#text };

	has(key: string): boolean {
		return this.#find(key) >= 0;
	}

	/** Adds a key as the last one of its subject. Drops the oldest keys if there are too many. */
	add(key: string): void {
		this.deleteSubject(subjectOf(key));
		this.#text = (this.#text + key).slice(-MAX_LENGTH);
	}

	/** Where a key with this beginning stands; negative if there is none. */
	#find(beginning: string): number {
		let at = this.#text.lastIndexOf(beginning);
		while (at > 0 && at % KEY_LENGTH !== 0) at = this.#text.lastIndexOf(beginning, at - 1);
		return at;
	}

	/** The keys that another process has saved, or this one before its restart, and that are not here. */
	missingFrom(stored: string): string[] {
		// Writers append, so knowing the newest key implies knowing the rest.
		if (stored === '' || this.has(stored.slice(-KEY_LENGTH))) return [];
		const known = new Set(split(this.#text));
		return split(stored).filter((key) => !known.has(key));
	}

	/** Forgets the key of a subject. */
	deleteSubject(subject: string): void {
		const at = this.#find(subject);
		if (at >= 0) this.#text = this.#text.slice(0, at) + this.#text.slice(at + KEY_LENGTH);
	}
}

const keysByScope = new BoundedMap<PersistedKeys>(MAX_TRIGGERS);

/** The keys of one trigger, as far as this process knows them. */
export function persistedKeysOf(scope: string): PersistedKeys {
	const keys = keysByScope.get(scope) ?? new PersistedKeys();
	keysByScope.set(scope, keys);
	return keys;
}

function split(stored: string): string[] {
	return Array.from({ length: stored.length / KEY_LENGTH }, (_, index) =>
		stored.slice(index * KEY_LENGTH, (index + 1) * KEY_LENGTH),
	);
}
