/** Searches all schedules of a scenario, the shortest first, and judges each end by what the next runs do. */
import { emptyView, judge, planOf, runAlone } from './judge.ts';
import type { Protocol } from './moments.ts';
import { Places } from './numbers.ts';
import { Space, type State } from './space.ts';
import { startAll, textOfProcess, textOfStore, type Process, type View } from './world.ts';

/**
 * Plans are texts such as `a=2@test person`: key, amount, account, decision. `before`: what has run, each with the answer of the
 * service or `killed`. `ticks`: how often ten minutes may pass.
 */
export type Scenario = { before: string[]; processes: string[][]; hasFaults: boolean; ticks: number };

/**
 * Where a search ends early: at this break, after so many milliseconds, or above so many bytes of states and steps. `isPlain`:
 * nothing is taken for the same that is not equal.
 */
type Bounds = { until?: string; milliseconds?: number; bytes?: number; isPlain?: boolean };

/**
 * `ends`: how they ended. `broken`: what was broken, with its first schedule. `depth`: all schedules of so many steps were searched.
 * `isWhole`: there are no longer ones.
 */
export type Found = {
	states: number;
	ends: Set<string>;
	broken: Map<string, string[]>;
	depth: number;
	isWhole: boolean;
};

/** With an index each, and with its steps, as measured. */
const BYTES_OF_NUMBER = 4;
const BYTES_OF_STEPS = 500;

export async function search(
	{ before, processes, hasFaults, ticks }: Scenario,
	protocol: Protocol = {},
	bounds: Bounds = {},
): Promise<Found> {
	// Proves the rows of this process, so that this is no part of a schedule.
	await runAlone(emptyView({}), planOf('a'));
	const view = emptyView(protocol, bounds.isPlain);
	for (const text of before) {
		const [plan = '', answer] = text.split(': ');
		await runAlone(view, planOf(plan), answer);
	}
	Object.assign(view, { broken: [], isAlone: processes.length === 1 });
	Object.assign(view.store, { ticks, fault: hasFaults ? undefined : 'none' });
	const started: Process[] = [];
	for (const plans of processes) {
		await startAll(view, plans.map(planOf));
		started.push(view.process);
	}
	const names = processes.map((plans, index) => (bounds.isPlain ? `${index}` : plans.join()));
	const space = new Space(view, names);
	return await searchFrom(space.stateOf(started, view.store), space, view, bounds);
}

async function searchFrom(
	first: State,
	space: Space,
	view: View,
	{ until, milliseconds = Infinity, bytes = Infinity }: Bounds,
): Promise<Found> {
	const found: Found = { states: 0, ends: new Set(), broken: new Map(), depth: -1, isWhole: false };
	const places = new Places(first.length);
	const bytesOfState = BYTES_OF_NUMBER * (first.length + 4);
	const end = Date.now() + milliseconds;
	const note = async (what: string, place: number, ...last: string[]) => {
		if (!found.broken.has(what))
			found.broken.set(what, [...(await scheduleTo(place, places, first, space)), ...last]);
	};
	places.add(space.ordered(first), 0);
	for (let level = 1; found.states < places.length; found.states += 1) {
		if (found.states === level) {
			found.depth += 1;
			level = places.length;
		}
		const size = places.length * bytesOfState + space.size * BYTES_OF_STEPS;
		if (size > bytes || (found.states % 1000 === 0 && Date.now() > end)) return found;
		const state = places.at(found.states).row;
		const next = await space.next(state);
		if (space.hasNews)
			for (const { does, broken } of await space.named(state))
				for (const what of broken) await note(what, found.states, does);
		space.hasNews = false;
		for (const one of next) places.add(space.ordered(one), found.states);
		if (next.length === 0) {
			const executions = space.executionsOf(state);
			const store = space.storeOf(state);
			const ends = executions.map((one) => textOfProcess({ executions: [one] })).sort();
			const text = `${textOfStore(store)} ${ends.join()}`;
			if (!found.ends.has(text))
				for (const what of await judge({ ...view, store }, executions)) await note(what, found.states);
			found.ends.add(text);
		}
		if (until !== undefined && found.broken.has(until)) return found;
	}
	return { ...found, depth: found.depth + 1, isWhole: true };
}

/** The names of the steps to a place. */
async function scheduleTo(place: number, places: Places, first: State, space: Space): Promise<string[]> {
	const way: string[] = [];
	for (let at = place; at > 0; at = places.at(at).from) way.unshift(places.at(at).row.join());
	const names: string[] = [];
	let now = first;
	for (const wanted of way) {
		const steps = await space.named(now);
		const { does, next } = steps.find((step) => space.ordered(step.next).join() === wanted)!;
		names.push(does);
		now = next;
	}
	return names;
}
