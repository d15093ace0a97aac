/** Searches all schedules of a scenario, the shortest first, and judges each end by what the next runs do. */
import { Moments, type Protocol } from './moments.ts';
import { hash } from 'node:crypto';
import { addProcess, copyOf, hasActed, hasFault, isMade, stateOf, stepsOf, storedOf } from './world.ts';
import type { Execution, Plan, World } from './world.ts';

/**
 * Plans are texts such as `a=2@test person`: key, amount, account, decision. `before`: what has run, each with the answer of the
 * service or `killed`. `ticks`: how often ten minutes may pass.
 */
export type Scenario = { before: string[]; processes: string[][]; hasFaults: boolean; ticks: number };

/** `broken`: what was broken, with its first schedule. */
type Found = { states: number; ends: number; broken: Map<string, string[]> };
type Trace = { step: string; before?: Trace };

const emptyWorld = (protocol: Protocol): World => ({
	...{ rows: new Map(), processes: [], requests: [], told: {}, broken: [] },
	...{ moments: new Moments(protocol), fault: 'over', time: 1_000, ticks: 0 },
});

function planOf(text: string): Plan {
	const [, key = '', amount = '1', account = 'live', decision = 'doNotPay'] =
		/^(\w)(?:=(\d))?(?:@(\w+))?(?: (\w+))?$/.exec(text) ?? [];
	const payment = { name: `${key} ${amount} ${account}`, key, details: { account, amount } };
	return { payment, decision: decision as Plan['decision'], since: 0 };
}

/** A new process runs the plan alone. The first step is the usual one. Returns what was broken. */
async function runAlone(world: World, name: string, plan: Plan, answer = 'accepted'): Promise<string[]> {
	Object.assign(world, { processes: [], broken: [] });
	await addProcess(world, name, [plan]);
	const isOver = () => world.processes.every((one) => one.isKilled === true || one.executions[0]?.said);
	while (!isOver()) {
		const isSent = world.processes[0]?.moment?.calls[0]?.kind === 'send';
		if (isSent && answer === 'killed') world.fault = undefined;
		const steps = stepsOf(world);
		await (isSent ? steps.find(([step]) => step.endsWith(answer)) : steps[0])?.[1](world);
	}
	world.fault = 'over';
	return world.broken;
}

/** With `until`, the search ends when it has found that this is broken. */
export async function search(
	{ before, processes, hasFaults, ticks }: Scenario,
	protocol: Protocol = {},
	until?: string,
): Promise<Found> {
	// Proves the rows of this process, so that this is no part of a schedule.
	await runAlone(emptyWorld({}), 'proof', planOf('a'));
	const world = emptyWorld(protocol);
	for (const [index, text] of before.entries()) {
		const [plan = '', answer] = text.split(': ');
		await runAlone(world, `before${index}`, planOf(plan), answer);
	}
	Object.assign(world, { processes: [], ticks, fault: hasFaults ? undefined : 'none' });
	for (const [index, plans] of processes.entries()) await addProcess(world, 'ABC'[index]!, plans.map(planOf));

	const found: Found = { states: 0, ends: 0, broken: new Map() };
	const seen = new Set([hash('sha1', stateOf(world))]);
	const judged = new Map<string, Promise<string[]>>();
	const open: Array<[World, Trace?] | undefined> = [[world]];
	for (let at = 0; at < open.length; ) {
		const [now, trace] = open[at]!;
		open[at++] = undefined;
		found.states += 1;
		const broken = new Set(now.broken);
		const steps = stepsOf(now);
		if (steps.length === 0) {
			found.ends += 1;
			const state = JSON.stringify([storedOf(now), now.fault, now.processes.map((one) => one.executions)]);
			if (!judged.has(state)) judged.set(state, judge(now));
			for (const what of await judged.get(state)!) broken.add(what);
		}
		for (const what of broken) if (!found.broken.has(what)) found.broken.set(what, stepsTo(trace));
		if (until !== undefined && broken.has(until)) return found;
		for (const [step, act] of steps) {
			const next = copyOf(now);
			await act(next);
			const state = hash('sha1', stateOf(next));
			if (next.broken.length === 0 && seen.has(state)) continue;
			seen.add(state);
			open.push([next, { step, ...(trace && { before: trace }) }]);
		}
	}
	return found;
}

const stepsTo = (trace?: Trace): string[] => (trace ? [...stepsTo(trace.before), trace.step] : []);

/**
 * If n8n was killed while it asked for what differs in a payment, at the instant at which that payment was refused, the key
 * refuses every payment. It says so, and nothing was paid under it.
 */
export const BLOCKED = 'y: a key refuses every payment after a kill';

function isBlocked(executions: Execution[]): boolean {
	return executions.every(({ said }) => said?.result === 'different');
}

/** The same list after an hour, then under Do Not Pay, then with what a person finds. Each run in a new process. */
async function judge(end: World): Promise<string[]> {
	const world = copyOf(end);
	Object.assign(world, { ticks: 0, fault: 'over' });
	const executions = end.processes.flatMap((one) => one.executions);
	const broken: string[] = [];
	const again = async (name: string, decide: (one: Execution) => Omit<Plan, 'payment'>) => {
		const ended: Execution[] = [];
		world.time += 6;
		for (const [index, one] of executions.entries()) {
			const plan = { payment: one.payment, ...decide(one) };
			broken.push(...(await runAlone(world, `${name}${index}`, plan)));
			ended.push(...world.processes.flatMap((process) => process.executions));
		}
		return ended;
	};
	const isOf =
		({ payment }: Execution) =>
		(one: Pick<Execution, 'payment'>) =>
			one.payment.name === payment.name;
	const foundAtLast = ({ payment }: Execution): Omit<Plan, 'payment'> => ({
		decision: isMade(world, payment) ? 'wasPaid' : 'wasNotPaid',
		since: world.requests.length,
	});
	const doNotPay = { decision: 'doNotPay', since: 0 } as const;
	// A decision stays in place until a run under Do Not Pay says, or was about to say, that the payment is unknown.
	const first = await again('again', (one) => {
		const all = executions.filter(isOf(one));
		const decided = all.findLast(({ given = 'doNotPay' }) => given !== 'doNotPay');
		const isTold = all.some(({ given, said }) => given === 'doNotPay' && said?.result !== 'alreadyPaid');
		if (isTold || !decided?.given) return doNotPay;
		// Who decided too early was told when to look again.
		if (!hasActed(end, decided)) return foundAtLast(one);
		return { decision: decided.given, since: decided.since };
	});
	await again('told', () => doNotPay);
	const last = await again('settled', foundAtLast);
	for (const { payment, said } of last)
		if (
			!world.requests.some((one) => one.payment.key === payment.key && one.isMade) ||
			!['paid', 'accepted', 'alreadyPaid', 'different'].includes(said!.result)
		)
			broken.push(isBlocked(last) ? BLOCKED : 'g: a person who tells the truth does not settle the key');

	for (const one of first) {
		const requests = end.requests.filter(isOf(one));
		const are = (...answers: string[]) => requests.every(({ answer }) => answers.includes(answer));
		const sameKey = executions.filter(({ payment }) => payment.key === one.payment.key);
		if (one.said?.result !== 'unknown' || sameKey.some(({ said }) => said?.isNotFree)) continue;
		if (!hasFault(end) && are('accepted', 'rejected'))
			broken.push('i: unknown without a fault, although the answers were clear');
		const isCut = sameKey.some(
			({ given, said }) => given && !['accepted', 'rejected'].includes(said?.result ?? ''),
		);
		if (requests.length > 0 && are('rejected') && !isCut)
			broken.push('d: a rejected payment blocks its key, and nothing says so');
	}
	return broken;
}
