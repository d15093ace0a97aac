/** Runs a scenario of the model in all schedules, and judges each of its ends by what the service did. */
import { searchSchedules } from './scheduleSearch.ts';
import type { World } from './scheduleSearch.ts';
import { nameOf, PaymentWorld } from './paymentWorld.ts';
import type { Execution, NodeCode, Said, Stored, WorldOptions } from './paymentWorld.ts';
import { Service } from './service.ts';
import type { Answer } from './service.ts';

export interface Scenario extends WorldOptions {
	name: string;
	executions: Execution[];
	/** What has run before, each with the answer of the service; `none`: killed while it was sent. */
	before?: Array<{ execution: Execution; answer: Answer | 'noneMade' | 'noneNotMade' }>;
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

export interface ModelFigures {
	name: string;
	states: number;
	paths: number;
	isComplete: boolean;
	/** Final states, each kill in a state among them. */
	ends: number;
	seconds: number;
	broken: Broken[];
	/** Wrong in the safe direction, as the next run says it: in how many ends, and in how many of one end's keys at most. */
	paidSaysUnknown: Count;
	freeIsBlocked: Count;
	/** Keys that a fault made unknown, those on their way to the service among them. */
	madeUnknown: Count;
	/** Ends after which a decision of a person that was left in place sent a paid payment, or another one under its key. */
	sentByDecision: number;
	/** Ends in which an execution called an outcome unknown that the service had told, while another one was at work. */
	saidUnknownMeanwhile: number;
}

interface Count {
	ends: number;
	most: number;
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
	{ maxStates, mayMerge }: { maxStates?: number; mayMerge?: boolean } = {},
): Promise<ModelFigures> {
	const begun = Date.now();
	const judge = new Judge(code, scenario);
	const found = await inStandingTime(async () => {
		const stored = await judge.before();
		const make = () => new PaymentWorld(code, scenario.executions, stored, scenario);
		return await searchSchedules(() => new JudgedWorld(make(), judge), { maxStates, mayMerge });
	});
	const { broken, ...figures } = judge.figures;
	return {
		name: scenario.name,
		...found,
		...figures,
		broken: [...broken.values()],
		seconds: (Date.now() - begun) / 1000,
	};
}

/** Checks that take long wait for a timer, which the model does not see. So a busy machine must not make them take long. */
async function inStandingTime<T>(work: () => Promise<T>): Promise<T> {
	const now = performance.now.bind(performance);
	performance.now = () => 0;
	try {
		return await work();
	} finally {
		performance.now = now;
	}
}

/** A world whose ends are judged. */
class JudgedWorld implements World {
	readonly #world: PaymentWorld;
	readonly #judge: Judge;

	constructor(world: PaymentWorld, judge: Judge) {
		this.#world = world;
		this.#judge = judge;
	}

	async settle() {
		await this.#world.settle();
	}

	steps() {
		return this.#world.steps();
	}

	state() {
		return this.#world.state();
	}

	async visited() {
		await this.#judge.visited(this.#world);
	}

	async ended() {
		await this.#judge.ended(this.#world);
	}
}

class Judge {
	readonly figures = {
		ends: 0,
		broken: new Map<string, Broken>(),
		paidSaysUnknown: { ends: 0, most: 0 },
		freeIsBlocked: { ends: 0, most: 0 },
		madeUnknown: { ends: 0, most: 0 },
		sentByDecision: 0,
		saidUnknownMeanwhile: 0,
	};
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
	async visited(world: PaymentWorld): Promise<void> {
		const mayBeKilled = this.#processes === 1 && this.#scenario.faults?.includes('kill') === true;
		if (!mayBeKilled || world.fault !== undefined || world.isOver) return;
		for (const stored of world.killed()) await this.#judge(world, stored, true);
	}

	async ended(world: PaymentWorld): Promise<void> {
		world.checkThatAllEnded();
		await this.#judge(world, world, false);
	}

	async #judge(world: PaymentWorld, stored: Stored, isKilled: boolean): Promise<void> {
		const { figures } = this;
		const { service } = stored;
		figures.ends += 1;
		const next = await this.#nextOf(world, stored);
		const broken = new Set([...world.broken, ...next.broken]);
		const unknown = [...new Set(next.first.filter(({ result }) => result === 'unknown'))];
		const hasFault = isKilled || world.fault !== undefined;
		const isStrict = this.#processes === 1 && !hasFault;

		const wasTold = (payment: string) => !service.isUnknown(payment);
		const paidSaysUnknown = unknown.filter(({ payment }) => wasTold(payment) && service.wasMade(payment));
		const freeIsBlocked = unknown.filter(({ payment }) => wasTold(payment) && !service.wasMade(payment));
		const madeUnknown = unknown.filter(({ payment }) => !isAnsweredUnknown(service, payment));
		const keys = new Set(madeUnknown.map(({ key }) => key)).size;
		const working = this.#scenario.executions.filter(
			({ process }) => isKilled || process === world.fault?.process,
		).length;
		if (hasFault && this.#processes === 1 && keys > 2 * working) broken.add(`c: ${keys} keys became unknown`);
		if (isStrict && keys > 0) broken.add('i: a key became unknown without a fault');

		const over = world.executions.filter(({ said }) => said !== undefined);
		for (const { said = [] } of over) {
			for (const { payment, key, result, saysNotFree, isDifferent } of said) {
				if (isStrict && result === 'unknown' && wasTold(payment))
					broken.add('i: unknown without a fault, although the service has answered');
				if (isStrict && result === 'notSent' && !isDifferent) broken.add('i: not sent without a fault');
				if (result !== 'rejected' || saysNotFree) continue;
				const isExplained = world.executions.some((other) =>
					other.said === undefined
						? other.plan.pays.some((one) => one.key === key)
						: other.said.some(
								(one) =>
									one.key === key &&
									(one.saysNotFree || (one.result !== 'paid' && one.result !== 'rejected')),
							),
				);
				const isBlocked = freeIsBlocked.some((one) => one.payment === payment);
				if (isBlocked && !isExplained)
					broken.add('d: a rejected payment blocks its key, and no result says so');
			}
		}
		if (over.some(({ said }) => said?.some((one) => one.result === 'unknown' && wasTold(one.payment))))
			figures.saidUnknownMeanwhile += 1;
		if (world.service.sentByDecision || next.sentByDecision) {
			figures.sentByDecision += 1;
			if (isStrict) broken.add('a: a decision that was left in place sent a paid payment without a fault');
		}
		count(figures.paidSaysUnknown, paidSaysUnknown);
		count(figures.freeIsBlocked, freeIsBlocked);
		if (hasFault) count(figures.madeUnknown, madeUnknown);
		const trace = isKilled ? [...world.trace, 'the process is killed'] : [...world.trace];
		for (const what of broken) this.#note(what, trace);
	}

	#note(what: string, trace: string[]): void {
		const known = this.figures.broken.get(what);
		const shortest = known !== undefined && known.trace.length <= trace.length ? known.trace : trace;
		this.figures.broken.set(what, { what, ends: (known?.ends ?? 0) + 1, trace: shortest });
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
	async #runAgain({ rows, service }: Stored): Promise<Next> {
		const { executions } = this.#scenario;
		const broken: string[] = [];
		let sentByDecision = false;
		let stored: Stored = { rows, service };
		const again = async (process: string, plans: Execution[]) => {
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
async function drive(world: PaymentWorld, execution: Execution): Promise<void> {
	world.start(execution);
	await world.settle();
	for (let [step] = world.steps(); step !== undefined; [step] = world.steps()) {
		step();
		await world.settle();
	}
}

function withTruth(plan: Execution, service: Service): Execution {
	const pays = plan.pays.map((payment) => ({
		...payment,
		decision: service.wasMade(nameOf(plan, payment)) ? ('wasPaid' as const) : ('wasNotPaid' as const),
	}));
	return { ...plan, pays };
}

function isAnsweredUnknown(service: Service, payment: string): boolean {
	return service.sent.some((request) => request.payment === payment && /^unknown|^none/.test(request.answer));
}

function count(figure: Count, said: Said[]): void {
	const { size } = new Set(said.map(({ key }) => key));
	if (size > 0) figure.ends += 1;
	figure.most = Math.max(figure.most, size);
}
