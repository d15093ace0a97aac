/**
 * Duplicate Check in all schedules of two or three payments that are alike: each question to the rows, each kill, each write that
 * fails, each refusal of the service. dayRowsSchedules.test.ts tries the statements of n8n below the questions.
 */
import { isDuplicate, takeUnlessDuplicate } from '../../nodes/WalletService/payments/guards/duplicateRows.ts';
import type { Made, RowName, Rows, Taken } from '../../nodes/shared/store/rows.ts';

const DAY = 86_400_000;
const PAYMENT = { account: 'a', operation: 'o', amount: '1', currency: 'NGN', destination: 'd' };
const LOOK_BACK = 1;
const PERIOD = 'duplicates period';
const periodOf = (day: number) => Math.floor(day / 16);

type Table = Set<string>;
/** A question of a payment that waits. `what`: what the code has asked. */
interface Question {
	what: string;
	answer: (fate: Fate) => void;
}
type Fate = 'goes on' | 'fails' | 'is done, but fails';
type State = 'is checked' | 'has the right' | 'paid' | 'held' | 'refused' | 'failed' | 'killed';
type Plan = { day: number; isMeant: boolean };
/** Another protocol, as a wrapper. */
type Protocol = (rows: Rows) => Rows;

/** A payment on its way. `heard`: all that its code knows. */
class Attempt {
	state: State = 'is checked';
	/** Whether its request may have gone out. */
	maySend = false;
	/** Of the others, those that had the right before this one began. */
	before?: Attempt[];
	questions: Question[] = [];
	readonly heard: string[] = [];
	readonly plan: Plan;
	#giveBack?: () => Promise<void>;

	constructor(table: Table, plan: Plan, days: number[], protocol: Protocol = (rows) => rows) {
		this.plan = plan;
		void this.#take(protocol(this.#rowsOf(table, days)));
	}

	async #take(rows: Rows): Promise<void> {
		const { day, isMeant } = this.plan;
		try {
			this.#giveBack = await takeUnlessDuplicate(rows, PAYMENT, { lookBack: LOOK_BACK, isMeant }, day * DAY);
			this.state = this.#giveBack === undefined ? 'held' : 'has the right';
		} catch {
			this.state = 'failed';
		}
		this.maySend = this.state === 'has the right';
	}

	isRefused(): void {
		this.state = 'refused';
		this.maySend = false;
		this.#giveBack!().catch(() => {});
	}

	isKilled(): void {
		this.state = 'killed';
		this.questions = [];
	}

	/** Each question is one step, but for rows of days on which nobody pays: they are never there. */
	#rowsOf(table: Table, days: number[]): Rows {
		const isWritten = ([kind, ...about]: RowName) =>
			days.map((day) => (kind === PERIOD ? periodOf(day) : day)).includes(Number(about.at(-1)));
		const ask = async <T>(kind: string, name: RowName, act: (place: string) => T, inDoubt?: T): Promise<T> =>
			await new Promise((resolve, reject) => {
				const what = `${kind} ${name.join(' ')}`;
				const question: Question = {
					what,
					answer: (fate) => {
						const result = fate === 'fails' ? undefined : act(name.join(' '));
						this.questions = this.questions.filter((one) => one !== question);
						this.heard.push(`${what}: ${fate} ${JSON.stringify(result)}`);
						if (fate === 'goes on') resolve(result as T);
						// Of a row without texts of one's own, n8n says only that it is there.
						else if (fate === 'is done, but fails' && inDoubt !== undefined) resolve(inDoubt);
						else reject(new Error('database is locked'));
					},
				};
				this.questions.push(question);
			});
		const add = (place: string): Taken => {
			if (table.has(place)) return { is: 'others', missing: [] };
			table.add(place);
			return { is: 'made' };
		};
		return {
			workflowId: 'w',
			make: async (name) => await ask<Made>('make', name, add, { is: 'mine' }),
			take: async (name) => await ask('take', name, add),
			exists: async (name) => isWritten(name) && (await ask('exists', name, (place) => table.has(place))),
			delete: async (name) => await ask('delete', name, (place) => void table.delete(place)),
			count,
		};
	}
}

/** These rows have no numbers. */
const count: Rows['count'] = async () => await Promise.reject(new Error('nobody counts'));

/** One schedule up to now. */
interface World {
	table: Table;
	attempts: Attempt[];
	hasFault: boolean;
	broken: Set<string>;
}

type Step = [name: string, act: () => void];

/** Until the code has asked its next questions. */
const flush = async () => await new Promise<void>((resolve) => setImmediate(resolve));

/** What may happen next. */
function stepsOf(world: World, withFaults: boolean): Step[] {
	const mayFail = withFaults && !world.hasFault;
	return world.attempts.flatMap((attempt, index) => {
		const steps: Step[] = attempt.questions.flatMap(({ what, answer }) => {
			const go = (fate: Fate) => () => {
				attempt.before ??= world.attempts.filter((other) => other !== attempt && other.maySend);
				world.hasFault ||= fate !== 'goes on';
				answer(fate);
			};
			const fates: Fate[] = [
				'fails',
				...(what.startsWith('exists') ? [] : (['is done, but fails'] as const)),
			];
			return [
				[what, go('goes on')] as Step,
				...(mayFail ? fates.map((fate): Step => [`${what} ${fate}`, go(fate)]) : []),
			];
		});
		if (attempt.state === 'has the right')
			steps.push(['is paid', () => (attempt.state = 'paid')], ['is refused', () => attempt.isRefused()]);
		if (mayFail && attempt.questions.length > 0)
			steps.push(['is killed', () => ((world.hasFault = true), attempt.isKilled())]);
		return steps.map(([name, act]): Step => [`${index} ${name}`, act]);
	});
}

/** What is wrong with a payment that has just got the right to send. */
function check({ attempts, broken }: World, attempt: Attempt): void {
	if (attempt.plan.isMeant) return;
	for (const other of attempts) {
		if (other === attempt || !other.maySend) continue;
		if (!other.plan.isMeant) broken.add('two are sent');
		else if (attempt.before!.includes(other)) broken.add('one that was meant is not seen');
	}
}

/** At the end nothing waits. What do the next payments find? */
async function judge({ table, attempts, hasFault }: World): Promise<Set<string>> {
	const broken = new Set<string>();
	const days = attempts.map(({ plan }) => plan.day);
	const isHeld = async (day: number) => {
		const copy = new Set(table);
		const probe = new Attempt(copy, { day, isMeant: false }, days);
		for (; probe.state === 'is checked'; await flush())
			for (const { answer } of [...probe.questions]) answer('goes on');
		const exists: Rows['exists'] = async (name) => await Promise.resolve(table.has(name.join(' ')));
		const seen = await isDuplicate({ workflowId: 'w', exists, count }, PAYMENT, LOOK_BACK, day * DAY);
		// Without a row of its period, nobody has got so far as to send: only the day itself is held.
		if (seen !== (probe.state === 'held') && !hasFault) broken.add('a dry run says something else');
		return probe.state === 'held';
	};
	for (const { plan, maySend } of attempts)
		for (const day of [plan.day - 1, plan.day, plan.day + LOOK_BACK])
			if (maySend && !(await isHeld(day))) broken.add('the next one is sent');
	const isGivenBack = attempts.every(({ maySend, plan }) => !maySend && !plan.isMeant);
	if (isGivenBack && !hasFault)
		for (const day of days) if (await isHeld(day)) broken.add('what moved no money holds the next one');
	const areSameDay = new Set(days).size === 1;
	if (!hasFault && areSameDay && attempts.every(({ state }) => state === 'held')) broken.add('none is sent');
	return broken;
}

interface Searched {
	states: number;
	/** What is wrong, with its first schedule. */
	broken: Map<string, string[]>;
}

/** All schedules, each state once. */
async function search(
	plans: Plan[],
	withFaults: boolean,
	protocol: Protocol = (rows) => rows,
): Promise<Searched> {
	const seen = new Set<string>();
	const found: Searched = { states: 0, broken: new Map() };
	const days = plans.map(({ day }) => day);
	const play = async (path: string[]): Promise<World> => {
		const table: Table = new Set();
		const attempts = plans.map((plan) => new Attempt(table, plan, days, protocol));
		const world: World = { table, attempts, hasFault: false, broken: new Set() };
		await flush();
		for (const name of path) {
			const had = attempts.map(({ maySend }) => maySend);
			stepsOf(world, withFaults).find(([each]) => each === name)![1]();
			await flush();
			for (const [index, attempt] of attempts.entries())
				if (attempt.maySend && !had[index]) check(world, attempt);
		}
		return world;
	};
	const stack: string[][] = [[]];
	for (let path = stack.pop(); path; path = stack.pop()) {
		const world = await play(path);
		const state = JSON.stringify([
			[...world.table].sort(),
			world.hasFault,
			world.attempts.map(({ state: is, heard, questions, maySend, before }) => [
				is,
				maySend,
				heard.toSorted(),
				questions.map(({ what }) => what),
				before?.map((other) => world.attempts.indexOf(other)),
			]),
		]);
		for (const what of world.broken) if (!found.broken.has(what)) found.broken.set(what, path);
		if (seen.has(state)) continue;
		seen.add(state);
		found.states += 1;
		const steps = stepsOf(world, withFaults);
		if (steps.length === 0)
			for (const what of await judge(world)) if (!found.broken.has(what)) found.broken.set(what, path);
		for (const [name] of steps) stack.push([...path, name]);
	}
	return found;
}

/** A period ends between the days 0 and -1. */
const planOf = (text: string): Plan => {
	const [, word, day] = /^(pays|meant) (-?\d+)$/.exec(text)!;
	return { day: 16_000 + Number(day), isMeant: word === 'meant' };
};

test.each([
	['pays 0 | pays 0', true],
	['pays 0 | pays 1', true],
	['pays -1 | pays 0', true],
	['pays 0 | meant 0', true],
	['pays 0 | meant 1', true],
	['meant -1 | pays 0', true],
	['meant 0 | meant 0', true],
	['pays 0 | pays 0 | pays 0', false],
	['pays -1 | pays 0 | pays 0', false],
	['pays -1 | pays 0 | meant 0', false],
	['pays 0 | pays 1 | meant 0', false],
])('all schedules of %s, with faults: %s', async (text, withFaults) => {
	const { states, broken } = await search(text.split(' | ').map(planOf), withFaults);
	expect(Object.fromEntries(broken)).toEqual({});
	expect(states).toBeGreaterThan(10);
});

const wrongWith =
	(change: (rows: Rows) => Partial<Rows>): Protocol =>
	(rows) => ({ ...rows, ...change(rows) });
const NO_LOCK = wrongWith((rows) => ({
	take: async (name) => {
		if (await rows.exists(name)) return { is: 'others', missing: [] };
		return await rows.take(name).then(() => ({ is: 'made' }));
	},
}));
const without = (kind: string) =>
	wrongWith((rows) => ({
		make: async (name) => (name[0] === kind ? { is: 'made' } : await rows.make(name)),
	}));
/** The period is made when there is nothing to look at yet, before the row of the day. */
const PERIOD_FIRST = wrongWith((rows) => {
	let period: ReturnType<Rows['make']> | undefined;
	return {
		take: async (name) => {
			const [, ...about] = name;
			const number = String(periodOf(Number(about.pop())));
			await (period = rows.make([PERIOD, ...about, number]));
			return await rows.take(name);
		},
		make: async (name) => (name[0] === PERIOD ? await period! : await rows.make(name)),
	};
});
const ALL_GIVEN_BACK = wrongWith((rows) => ({
	delete: async (name) => {
		const [, ...about] = name;
		const number = String(periodOf(Number(about.pop())));
		await rows.delete([PERIOD, ...about, number]);
		await rows.delete(name);
	},
}));

test.each([
	['exists in place of take', NO_LOCK, 'pays 0 | pays 0', 'two are sent'],
	['a payment without its period', without(PERIOD), 'pays 0 | pays 1', 'two are sent'],
	['a period before its day', PERIOD_FIRST, 'pays 0 | pays 1', 'two are sent'],
	['a period that is given back', ALL_GIVEN_BACK, 'pays 0 | pays 1', 'the next one is sent'],
	['no second row', without('duplicates second'), 'pays 0 | meant 0', 'the next one is sent'],
])('the model finds what is wrong with %s', async (_, protocol, text, what) => {
	const plans = text.split(' | ').map(planOf);
	expect([...(await search(plans, false, protocol)).broken.keys()]).toContain(what);
});
