/** Searches all schedules of a world whose steps are chosen from outside. A world cannot be copied, so each path is run again. */
import { createHash } from 'node:crypto';

export interface World {
	/** Waits until everything that runs waits for a step. */
	settle(): Promise<void>;
	/** The steps that are possible now, always in the same order. */
	steps(): Array<() => void>;
	/** Everything on which the rest of the world's life depends. Two worlds with the same text go on in the same ways. */
	state(): string;
	/** Called in each new state, before a step is chosen. */
	visited(): Promise<void>;
	/** No step is left. */
	ended(): Promise<void>;
}

export interface Found {
	states: number;
	/** Paths that were run, most of them until they met a state that was known. */
	paths: number;
	/** Whether every schedule was searched. */
	isComplete: boolean;
}

/** Each path is followed to its end, or to a state that is known. `mayMerge`: whether known states are left out. */
export async function searchSchedules(
	make: () => World,
	{ maxStates = Infinity, mayMerge = true }: { maxStates?: number; mayMerge?: boolean } = {},
): Promise<Found> {
	const seen = new Set<string>();
	const open: number[][] = [[]];
	let paths = 0;
	let states = 0;
	// From both ends, so that a search that is cut has seen early steps and late ones.
	for (let path = open.pop(); path !== undefined; path = paths % 2 === 0 ? open.pop() : open.shift()) {
		paths += 1;
		const world = make();
		for (let depth = 0; ; depth += 1) {
			await world.settle();
			const steps = world.steps();
			if (depth >= path.length) {
				const digest = createHash('sha1').update(world.state()).digest('base64');
				if (mayMerge && seen.has(digest)) break;
				if (states >= maxStates) return { states, paths, isComplete: false };
				seen.add(digest);
				states += 1;
				await world.visited();
				if (steps.length === 0) {
					await world.ended();
					break;
				}
				const taken = path.concat(Array<number>(depth - path.length).fill(0));
				for (const step of steps.keys()) if (step > 0) open.push([...taken, step]);
			}
			steps[path[depth] ?? 0]?.();
		}
	}
	return { states, paths, isComplete: true };
}
