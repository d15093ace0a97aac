/** A map that drops its older half when it is full. Deleting the oldest key of one Map each time would be slow. */
export class BoundedMap<V> {
	readonly #half: number;
	#newer = new Map<string, V>();
	#older = new Map<string, V>();

	constructor(capacity = 1000) {
		this.#half = capacity / 2;
	}

	get(key: string): V | undefined {
		return this.#newer.get(key) ?? this.#older.get(key);
	}

	set(key: string, value: V): void {
		if (this.#newer.size >= this.#half) [this.#older, this.#newer] = [this.#newer, new Map()];
		this.#newer.set(key, value);
	}

	delete(key: string): void {
		this.#newer.delete(key);
		this.#older.delete(key);
	}
}
