/**
 * Runs a scenario in all schedules, or in as many as allowed, and judges each end by what the service did. The invariants:
 * - a: nothing is sent twice
 * - b: what is said is true
 * - c: a kill makes few keys unknown
 * - d: a rejection frees its key, or says that it did not
 * - e: a key belongs to one payment
 * - f: every execution ends
 * - g: a person can settle each key
 * - h: a decision acts once
 * - i: without a fault, all is paid and known
 */
import { createHash } from 'node:crypto';
import { nameOf, PaymentWorld } from './paymentWorld.ts';
import type { ExecutionPlan, NodeCode, Said, Stored, WorldOptions } from './paymentWorld.ts';
import { Service } from './service.ts';
import type { Answer } from './service.ts';

export interface Scenario extends WorldOptions {
	name: string;
	executions: ExecutionPlan[];
	/** What has run before, each with the answer of the service; `none`: killed while it was sent. */
	before?: Array<{ execution: ExecutionPlan; answer: Answer | 'noneMade' | 'noneNotMade' }>;
	/** Whether the service makes a payment with the same key once. */
	knowsKeys?: boolean;
}

export interface Broken {
	/** Begins with the letter of the invariant. */
	what: string;
	ends: number;
	/** A shortest schedule that was found. */
	trace: string[];
}

interface Options {
	maxStates?: number;
	/** Whether states that are known are left out. */
	mayMerge?: boolean;
}

export interface ModelFigures {
	states: number;
	/** Whether every schedule was searched. */
	isComplete: boolean;
	/** Final states. Each kill counts as one. */
	ends: number;
	broken: Broken[];
	/** The most keys that a fault made unknown in an end, those on their way to the service among them. */
	mostMadeUnknown: number;
}

/** What the next runs say, in new processes. */
interface Next {
	first: Said[];
	broken: string[];
	sentByDecision: boolean;
}

export async function runScenario(
	code: NodeCode,
	scenario: Scenario,
	options: Options = {},
): Promise<ModelFigures> {
	const judge = new Judge(code, scenario);
	const found = await inStandingTime(async () => {
		const stored = await judge.before();
		const make = () => new PaymentWorld(code, scenario.executions, stored, scenario);
		return await searchSchedules(make, judge, options);
	});
	const { ends, broken, mostMadeUnknown } = judge;
	return { ...found, ends, broken: [...broken.values()], mostMadeUnknown };
}

/** Checks wait for a timer when they take long. The model does not see that, so its clock stands still. */
async function inStandingTime<T>(work: () => Promise<T>): Promise<T> {
	const now = performance.now.bind(performance);
	performance.now = () => 0;
	try {
		return await work();
	} finally {
		performance.now = now;
	}
}

/**
 * A world cannot be copied, so each path is run again from its beginning. It is followed to its end, or to a state that is known:
 * two worlds in the same state go on in the same ways.
 */
async function searchSchedules(
	make: () => PaymentWorld,
	judge: Judge,
	{ maxStates = Infinity, mayMerge = true }: Options,
): Promise<Pick<ModelFigures, 'states' | 'isComplete'>> {
	const seen = new Set<string>();
	const open: number[][] = [[]];
	let [paths, states] = [0, 0];
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
				if (states >= maxStates) return { states, isComplete: false };
				seen.add(digest);
				states += 1;
				await judge.visit(world);
				if (steps.length === 0) {
					await judge.end(world);
					break;
				}
				const taken = path.concat(Array<number>(depth - path.length).fill(0));
				for (const step of steps.keys()) if (step > 0) open.push([...taken, step]);
			}
			steps[path[depth] ?? 0]?.();
		}
	}
	return { states, isComplete: true };
}

class Judge {
	ends = 0;
	mostMadeUnknown = 0;
	readonly broken = new Map<string, Broken>();
	readonly #code: NodeCode;
	readonly #scenario: Scenario;
	readonly #next = new Map<string, Promise<Next>>();
	readonly #processes: number;

	constructor(code: NodeCode, scenario: Scenario) {
		this.#code = code;
		this.#scenario = scenario;
		this.#processes = new Set(scenario.executions.map(({ process }) => process)).size;
	}

	/** What is stored before the executions begin. */
	async before(): Promise<Stored> {
		let stored: Stored = { rows: new Map(), service: new Service(this.#scenario.knowsKeys) };
		for (const { execution, answer } of this.#scenario.before ?? []) {
			const isKilled = answer === 'noneMade' || answer === 'noneNotMade';
			const world = new PaymentWorld(this.#code, [], stored, { answers: isKilled ? [] : [answer] });
			await drive(world, execution);
			stored = (isKilled ? world.killed()[answer === 'noneMade' ? 1 : 0] : world) ?? stored;
		}
		return stored;
	}

	/** One process may be killed in each state. Those of several are killed in steps of their own. */
	async visit(world: PaymentWorld): Promise<void> {
		const mayBeKilled = this.#processes === 1 && this.#scenario.faults?.includes('kill') === true;
		if (!mayBeKilled || world.fault !== undefined || world.isOver) return;
		for (const stored of world.killed()) await this.#judge(world, stored, true);
	}

	async end(world: PaymentWorld): Promise<void> {
		world.checkThatAllEnded();
		await this.#judge(world, world, false);
	}

	async #judge(world: PaymentWorld, stored: Stored, isKilled: boolean): Promise<void> {
		const { service } = stored;
		this.ends += 1;
		const next = await this.#nextOf(world, stored);
		const broken = new Set([...world.broken, ...next.broken]);
		const hasFault = isKilled || world.fault !== undefined;
		const isStrict = this.#processes === 1 && !hasFault;

		const unknown = next.first.filter(({ result }) => result === 'unknown');
		const madeUnknown = unknown.filter(({ payment }) => !service.isAnsweredUnknown(payment));
		const keys = new Set(madeUnknown.map(({ key }) => key)).size;
		if (hasFault) this.mostMadeUnknown = Math.max(this.mostMadeUnknown, keys);
		const working = this.#scenario.executions.filter(
			({ process }) => isKilled || process === world.fault?.process,
		).length;
		if (hasFault && this.#processes === 1 && keys > 2 * working) broken.add(`c: ${keys} keys became unknown`);
		if (isStrict && keys > 0) broken.add('i: a key became unknown without a fault');

		const isBlocked = (payment: string) =>
			!service.isUnknown(payment) &&
			!service.wasMade(payment) &&
			unknown.some((one) => one.payment === payment);
		for (const { payment, key, result, saysNotFree, isDifferent } of world.executions.flatMap(
			({ said = [] }) => said,
		)) {
			if (isStrict && result === 'unknown' && !service.isUnknown(payment))
				broken.add('i: unknown without a fault, although the service has answered');
			if (isStrict && result === 'notSent' && !isDifferent) broken.add('i: not sent without a fault');
			if (result === 'rejected' && !saysNotFree && isBlocked(payment) && !isExplained(world, key))
				broken.add('d: a rejected payment blocks its key, and no result says so');
		}
		if (isStrict && (world.service.sentByDecision || next.sentByDecision))
			broken.add('a: a decision that was left in place sent a paid payment without a fault');
		const trace = isKilled ? [...world.trace, 'the process is killed'] : [...world.trace];
		for (const what of broken) this.#note(what, trace);
	}

	#note(what: string, trace: string[]): void {
		const known = this.broken.get(what);
		const shortest = known !== undefined && known.trace.length <= trace.length ? known.trace : trace;
		this.broken.set(what, { what, ends: (known?.ends ?? 0) + 1, trace: shortest });
	}

	/** Depends on nothing but what is stored. Nobody asks for the tickets of processes that are gone. */
	async #nextOf(world: PaymentWorld, stored: Stored): Promise<Next> {
		const record = world.record()?.filter((entry) => !entry.startsWith('ticket'));
		const state = JSON.stringify([record, stored.service.state()]);
		const known = this.#next.get(state) ?? this.#runAgain(stored);
		this.#next.set(state, known);
		return await known;
	}

	/** The same lists twice, then with Do Not Pay, then with what a person finds at the service. Each time a new process. */
	async #runAgain(before: Stored): Promise<Next> {
		const { executions } = this.#scenario;
		const broken: string[] = [];
		let sentByDecision = false;
		let stored = before;
		const again = async (process: string, plans: ExecutionPlan[]) => {
			const world = new PaymentWorld(this.#code, [], stored);
			for (const plan of plans) await drive(world, { ...plan, name: `${process}${plan.name}`, process });
			world.checkThatAllEnded();
			broken.push(...world.broken);
			sentByDecision ||= world.service.sentByDecision;
			stored = world;
			return world.executions.flatMap(({ said = [] }) => said);
		};
		const first = await again('next', executions);
		await again('later', executions);
		// A person sees each payment, looks it up, and says what is true.
		await again(
			'seen',
			executions.map((plan) => ({
				...plan,
				pays: plan.pays.map(({ decision: _, ...payment }) => payment),
			})),
		);
		const last = await again(
			'settled',
			executions.map((plan) => withTruth(plan, stored.service)),
		);
		if (last.some(({ result, isDifferent }) => !['paid', 'alreadyPaid'].includes(result) && !isDifferent))
			broken.push('g: a person who has seen a payment and tells the truth does not settle its key');
		return { first, broken, sentByDecision };
	}
}

/** Starts an execution and takes the first step each time until it ends or waits for an answer that does not come. */
async function drive(world: PaymentWorld, execution: ExecutionPlan): Promise<void> {
	world.start(execution);
	await world.settle();
	for (let [step] = world.steps(); step !== undefined; [step] = world.steps()) {
		step();
		await world.settle();
	}
}

/** Whether an execution with the key was cut off, or says that the key is not free or that something else went wrong with it. */
function isExplained({ executions }: PaymentWorld, key: string): boolean {
	return executions.some(({ said, plan }) =>
		said === undefined
			? plan.pays.some((one) => one.key === key)
			: said.some(
					(one) => one.key === key && (one.saysNotFree || !['paid', 'rejected'].includes(one.result)),
				),
	);
}

function withTruth(plan: ExecutionPlan, service: Service): ExecutionPlan {
	const pays = plan.pays.map((payment) => ({
		...payment,
		decision: service.wasMade(nameOf(plan, payment)) ? ('wasPaid' as const) : ('wasNotPaid' as const),
	}));
	return { ...plan, pays };
}
