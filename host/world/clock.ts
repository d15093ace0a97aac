/** The time of the world, in minutes since it began. What is to happen happens in its order. */
const START = Date.UTC(2026, 0, 1);

export const SECOND = 1 / 60;
export const HOUR = 60;
export const DAY = 24 * HOUR;

/** In a world that takes time, the next thing happens when this one has ended. */
export type Act = () => void | Promise<void>;

export class Clock {
	minute = 0;
	readonly #due: Array<{ minute: number; act: Act }> = [];

	get now(): string {
		return new Date(START + Math.round(this.minute * 60_000)).toISOString();
	}

	later(minutes: number, act: Act): void {
		const minute = this.minute + minutes;
		const place = this.#due.findLastIndex((task) => task.minute <= minute) + 1;
		this.#due.splice(place, 0, { minute, act });
	}

	/** Lets all happen that is due until then. */
	async runUntil(minute: number): Promise<void> {
		for (let next = this.#due[0]; next && next.minute <= minute; next = this.#due[0]) {
			this.#due.shift();
			this.minute = next.minute;
			await next.act();
		}
		this.minute = minute;
	}
}
