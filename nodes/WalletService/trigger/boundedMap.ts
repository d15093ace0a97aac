/**
 * A map that forgets its older half when it is full. (To delete the oldest key of one Map each time is slow: it has to be
 * looked for behind the gaps that the earlier ones have left.)
 */
export class BoundedMap<V> {
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
