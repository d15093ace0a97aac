/** All states of a scenario, and the steps from one to the next. What a process can do is found once for each store. */
import { Numbered } from './numbers.ts';
import { copyOf, hasUnstarted, isIdle, textOfProcess, textOfStore } from './world.ts';
import { stepsOf, stepsOfService, stepsOfTime, stepsToStart } from './world.ts';
import type { Execution, Process, Step, Store, View } from './world.ts';

/** The numbers of its processes, and last that of what outlives them. */
export type State = number[];

/** `broken`: by this step. */
type Named = { does: string; next: State; broken: string[] };

export class Space {
	/** How many steps are remembered. */
	size = 0;
	/** Whether a step was found that breaks something. */
	hasNews = false;
	readonly #processes = new Numbered(textOfProcess);
	readonly #stores = new Numbered(textOfStore);
	/** By process and store: for each step, a process and a store. */
	readonly #known: Array<Map<number, number[]> | undefined> = [];
	/** For each process, the nearest one before it with the same plans, or -1. */
	readonly #alike: number[];
	readonly #base: View;
	/** Has no executions. Its steps are those of the service. */
	readonly #service: number;

	/** `plans`: a text for each process. `base`: what each view has, but for its process and its store. */
	constructor(base: View, plans: string[]) {
		this.#base = base;
		this.#service = this.#processes.numberOf({ executions: [] });
		this.#alike = plans.map((plan, index) => plans.slice(0, index).lastIndexOf(plan));
	}

	stateOf(processes: Process[], store: Store): State {
		return [...processes.map((one) => this.#processes.numberOf(one)), this.#stores.numberOf(store)];
	}

	/** Which of two equal processes is which makes no difference, so they stand in the order of their numbers. */
	ordered(state: State): State {
		const ordered = [...state];
		for (let index = 1; index < this.#alike.length; index += 1)
			for (
				let at = index, to = this.#alike[at]!;
				to >= 0 && ordered[at]! < ordered[to]!;
				to = this.#alike[at]!
			) {
				[ordered[at], ordered[to]] = [ordered[to]!, ordered[at]!];
				at = to;
			}
		return ordered;
	}

	storeOf(state: State): Store {
		return this.#stores.values[state.at(-1)!]!;
	}

	executionsOf(state: State): Execution[] {
		return state.slice(0, -1).flatMap((process) => this.#processes.values[process]!.executions);
	}

	/** The states after all steps from here. */
	async next(state: State): Promise<State[]> {
		const store = state.at(-1)!;
		const next: State[] = [];
		for (const [mover, process] of [...state.slice(0, -1), this.#service].entries()) {
			const known = this.#known[process]?.get(store) ?? (await this.#find(process, store));
			for (let index = 0; index < known.length; index += 2)
				next.push(moved(state, mover, known[index]!, known[index + 1]!));
		}
		for (const step of await this.#steps(state, this.#rareSteps(state, next.length > 0)))
			next.push(step.next);
		return next;
	}

	/** The same steps with their names. */
	async named(state: State): Promise<Named[]> {
		const all = [...state.slice(0, -1), this.#service].flatMap((process, mover) =>
			this.#usualSteps(process, state.at(-1)!).map((step) => [mover, step] as const),
		);
		return await this.#steps(state, [...all, ...this.#rareSteps(state, all.length > 0)]);
	}

	#view(process: number, store: number): View {
		return { ...this.#base, process: this.#processes.values[process]!, store: this.#stores.values[store]! };
	}

	/** They depend on nothing but the process and the store. */
	#usualSteps(process: number, store: number): Step[] {
		const view = this.#view(process, store);
		return process === this.#service ? stepsOfService(view.store) : stepsOf(view);
	}

	/** Starts, and time that passes. */
	#rareSteps(state: State, isGoingOn: boolean): Array<readonly [mover: number, Step]> {
		const steps: Array<readonly [number, Step]> = [];
		const views = state.slice(0, -1).map((process) => this.#view(process, state.at(-1)!));
		for (const [mover, view] of views.entries())
			if (hasUnstarted(view.process))
				for (const step of stepsToStart(view, this.executionsOf(state))) steps.push([mover, step]);
		if ((isGoingOn || steps.length > 0) && views.every(({ process }) => isIdle(process)))
			for (const step of stepsOfTime(this.storeOf(state))) steps.push([views.length, step]);
		return steps;
	}

	async #steps(state: State, steps: Array<readonly [mover: number, Step]>): Promise<Named[]> {
		const named: Named[] = [];
		for (const [mover, step] of steps) {
			const isService = mover === state.length - 1;
			const before = isService ? this.#service : state[mover]!;
			const [process, store, broken] = await this.#take(before, state.at(-1)!, step);
			const does = isService ? step[0] : `${'ABCD'[mover]} ${step[0]}`;
			named.push({ does, next: moved(state, mover, process, store), broken });
		}
		return named;
	}

	async #find(process: number, store: number): Promise<number[]> {
		const found: number[] = [];
		for (const step of this.#usualSteps(process, store)) {
			const [nextProcess, nextStore, broken] = await this.#take(process, store, step);
			found.push(nextProcess, nextStore);
			this.hasNews ||= broken.length > 0;
		}
		this.size += 1;
		(this.#known[process] ??= new Map<number, number[]>()).set(store, found);
		return found;
	}

	async #take(process: number, store: number, [, act]: Step): Promise<[number, number, string[]]> {
		const next = copyOf(this.#view(process, store));
		await act(next);
		return [this.#processes.numberOf(next.process), this.#stores.numberOf(next.store), next.broken];
	}
}

function moved(state: State, mover: number, process: number, store: number): State {
	const next = [...state];
	if (mover < state.length - 1) next[mover] = process;
	next[state.length - 1] = store;
	return next;
}
