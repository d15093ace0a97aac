/** What a search remembers, as numbers, so that millions of states fit into memory. */
import { hash } from 'node:crypto';

/** Values and their numbers. Two values with the same text are one. */
export class Numbered<Value> {
	readonly values: Value[] = [];
	readonly #numbers = new Map<string, number>();
	readonly #textOf: (value: Value) => string;

	constructor(textOf: (value: Value) => string) {
		this.#textOf = textOf;
	}

	numberOf(value: Value): number {
		const digest = hash('sha1', this.#textOf(value), 'base64');
		const known = this.#numbers.get(digest);
		if (known !== undefined) return known;
		this.#numbers.set(digest, this.values.length);
		return this.values.push(value) - 1;
	}
}

/** A power of two: the rows of a chunk. */
const CHUNK = 16;

/** Rows of numbers, each once, in the order in which they came. Each has the place of another one: of that from which it was found. */
export class Places {
	length = 0;
	readonly #width: number;
	readonly #chunks: Uint32Array[] = [];
	/** The place of a row, counted from 1, in a slot that follows from its numbers, or in the next free one. */
	#slots = new Uint32Array(1 << 16);

	constructor(width: number) {
		this.#width = width;
	}

	add(row: number[], from: number): void {
		const slot = this.#slotOf(row);
		if (this.#slots[slot] !== 0) return;
		const chunk = this.length >> CHUNK;
		this.#chunks[chunk] ??= new Uint32Array((this.#width + 1) << CHUNK);
		this.#chunks[chunk].set([...row, from], this.#startOf(this.length));
		this.#slots[slot] = this.length += 1;
		if (this.length * 2 > this.#slots.length) this.#grow();
	}

	at(place: number): { row: number[]; from: number } {
		const start = this.#startOf(place);
		const [...row] = this.#chunks[place >> CHUNK]!.subarray(start, start + this.#width);
		return { row, from: this.#chunks[place >> CHUNK]![start + this.#width]! };
	}

	#startOf(place: number): number {
		return (place & ((1 << CHUNK) - 1)) * (this.#width + 1);
	}

	/** The slot of a row, or the free one for it. */
	#slotOf(row: number[]): number {
		let mixed = 0;
		for (const number of row) {
			mixed = Math.imul(mixed ^ number, 0x9e3779b1);
			mixed ^= mixed >>> 15;
		}
		let slot = mixed & (this.#slots.length - 1);
		while (this.#slots[slot] !== 0 && !this.#isAt(this.#slots[slot]! - 1, row))
			slot = (slot + 1) & (this.#slots.length - 1);
		return slot;
	}

	#isAt(place: number, row: number[]): boolean {
		const chunk = this.#chunks[place >> CHUNK]!;
		const start = this.#startOf(place);
		return row.every((number, index) => chunk[start + index] === number);
	}

	#grow(): void {
		this.#slots = new Uint32Array(this.#slots.length * 2);
		for (let place = 0; place < this.length; place += 1)
			this.#slots[this.#slotOf(this.at(place).row)] = place + 1;
	}
}
