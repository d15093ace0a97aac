/**
 * Processes over one table and one service. Each statement of the database, each answer, each fault and each start of a person's
 * decision is a step.
 */
import { startAdd, startRemove, type Rows } from '../../fixtures/processedItems.ts';
import type { Decision } from '../../../nodes/WalletService/payments/guards/idempotencyKey.ts';
import type { Call, Heard, Moment, Moments, Payment, Said } from './moments.ts';

/** `person`: looks the payment up and tells the truth. `left`: what a person has decided, left in place. */
export interface Plan {
	payment: Payment;
	decision: Decision | 'person' | 'left';
	/** How many requests there were when the person decided. */
	since: number;
}

/** `given`: what it has started with. `read`: its row as its call has read it. */
export type Execution = Plan & {
	given?: Decision;
	read?: { row?: string[] };
	said?: Said;
	isUnderWay?: boolean;
};

/** `failed`: the row for which its last call has failed. */
type Process = {
	name: string;
	executions: Execution[];
	moment?: Moment;
	isKilled?: boolean;
	failed?: string;
};

/** `answer`: `open` or `none`, if its process was killed. `isMade`: undefined while the service works on it. */
type Request = { payment: Payment; answer: string; isMade?: boolean; process: string; who: number };

/**
 * `told`: payments of which a run under Do Not Pay has said that they are unknown.
 * `fault`: has happened; `none`: none may; `over`: the schedule has ended. `broken`: by the last step.
 */
export type World = {
	rows: Rows;
	processes: Process[];
	requests: Request[];
	moments: Moments;
	told: Record<string, true>;
	fault?: 'none' | 'over' | 'kill' | 'failed';
	time: number;
	ticks: number;
	broken: string[];
};

type Step = [name: string, act: (world: World) => unknown];

/** If n8n was killed while two payments took a key at the same instant, the refused one is unknown, and a person may pay it. */
export const CUT_REFUSAL = 'x: a person pays another payment under a used key after a fault';

export function copyOf({ rows, processes, requests, told, ...others }: World): World {
	const copied = processes.map((one) => ({ ...one, executions: one.executions.map((two) => ({ ...two })) }));
	const sent = requests.map((one) => ({ ...one }));
	return { ...others, rows: new Map(rows), processes: copied, requests: sent, told: { ...told }, broken: [] };
}

/** Two worlds in the same state go on in the same ways. */
export function stateOf(world: World): string {
	const processes = world.processes.map((process) => {
		const known = process.executions.map(({ payment: _, ...one }) => one);
		return [isOver(process) ? process.isKilled : process.moment?.id, process.failed, known];
	});
	return JSON.stringify([processes, storedOf(world), world.fault, world.time, world.ticks]);
}

/** What outlives the processes. */
export function storedOf({ rows, requests, told }: World): unknown {
	const sent = requests.map(({ payment, ...one }) => [payment.name, ...Object.values(one)]);
	return [[...rows].map(([place, texts]) => `${place} ${texts.toSorted().join()}`).sort(), sent, told];
}

const isOver = ({ isKilled, executions }: Process) =>
	isKilled === true || executions.every(({ said }) => said);
export const hasFault = ({ fault }: World) => fault !== undefined && fault !== 'none';
export const isMade = ({ requests }: World, payment: Payment) =>
	requests.some((one) => one.payment.name === payment.name && one.isMade);

/** Adds a process and starts its executions, but for those that wait for a person. */
export async function addProcess(world: World, name: string, plans: Plan[]): Promise<void> {
	world.processes.push({ name, executions: plans.map((plan) => ({ ...plan })) });
	for (const [who, { decision, since }] of plans.entries())
		if (decision !== 'person' && decision !== 'left') await start(world, name, who, decision, since);
}

async function start(world: World, name: string, who: number, given: Decision, since: number): Promise<void> {
	const execution = processOf(world, name).executions[who]!;
	Object.assign(execution, { given, since });
	await hear(world, name, { who, time: world.time, starts: [execution.payment, given] });
}

/** The steps from here. The first one of a process is the usual one. */
export function stepsOf(world: World): Step[] {
	const steps: Step[] = [];
	for (const process of world.processes.filter((one) => !isOver(one))) {
		for (const [who, execution] of process.executions.entries()) {
			const call = process.moment?.calls[who];
			if (execution.given === undefined) steps.push(...startsOf(world, process, execution, who));
			else if (call !== undefined) steps.push(...stepsOfCall(world, process, who, call));
		}
		if (world.fault === undefined && process.executions.some(({ given, said }) => given && !said))
			steps.push([`${process.name} is killed`, (next) => kill(next, process.name)]);
	}
	for (const [index, { isMade: made, answer, payment }] of world.requests.entries())
		if (made === undefined && answer !== 'open')
			for (const is of [true, false])
				steps.push([`${payment.name} is ${is ? '' : 'not '}made`, (next) => settle(next, index, answer, is)]);
	const pass = (next: World) => Object.assign(next, { time: next.time + 1, ticks: next.ticks - 1 });
	if (steps.length > 0 && world.ticks > 0 && isCalm(world)) steps.push(['ten minutes pass', pass]);
	return steps;
}

/** No request lasts for ten minutes: nothing is under way, neither here nor at the service. */
function isCalm({ processes, requests }: World): boolean {
	const isIdle = ({ given, said }: Execution) => given === undefined || said !== undefined;
	return (
		processes.every((one) => one.isKilled === true || one.executions.every(isIdle)) &&
		requests.every((one) => one.isMade !== undefined)
	);
}

/** Whether something was sent for the payment since a person decided about it. */
export function hasActed({ requests }: World, { payment, since }: Execution): boolean {
	return requests.slice(since).some((one) => one.payment.name === payment.name);
}

function startsOf(world: World, { name }: Process, { decision, payment }: Execution, who: number): Step[] {
	const isSame = (one: { payment: Payment }) => one.payment.name === payment.name;
	const all = world.processes.flatMap((one) => one.executions.filter(isSame));
	const first = all.find((one) => one.decision === 'person' && one.given);
	const found = { given: isMade(world, payment) ? 'wasPaid' : 'wasNotPaid', since: world.requests.length };
	// A person does not wait: neither for a request nor for a run that is about to send one.
	const isKnown = world.requests.some(isSame) || world.told[payment.name] !== undefined;
	// Who decided too early was told when to look again.
	const isLeft = decision === 'left' && (first === undefined || hasActed(world, first));
	const { given, since } = (isLeft ? first : isKnown ? found : undefined) ?? {};
	if (given === undefined || since === undefined) return [];
	return [[`${name} starts with ${given}`, (next) => start(next, name, who, given as Decision, since)]];
}

function stepsOfCall(world: World, { name, executions, failed }: Process, who: number, call: Call): Step[] {
	const { kind, place } = call;
	const { read } = executions[who]!;
	const words = `${name}${executions.length > 1 ? who + 1 : ''} ${kind} ${place}`;
	const tell = async (next: World, what: Partial<Heard>) =>
		await hear(next, name, { who, time: next.time, ...what });
	if (kind === 'send') {
		const isOwn = (one: Request) => one.answer === 'open' && one.process === name && one.who === who;
		const index = world.requests.findIndex(isOwn);
		return ['accepted', 'rejected', 'unknown'].map((result) => [
			`${words}: ${result}`,
			async (next) => {
				settle(next, index, result, result === 'unknown' ? undefined : result === 'accepted');
				await tell(next, { result });
			},
		]);
	}
	const read1 = (next: World) =>
		(processOf(next, name).executions[who]!.read = { row: world.rows.get(place) });
	if ((kind === 'ask' || kind === 'remove') && read === undefined) return [[`${words}: select`, read1]];

	const write = (next: World) => write1(next.rows, call, name, read?.row);
	const steps: Step[] = [[`${words}: done`, async (next) => await tell(next, write(next))]];
	if (world.fault !== undefined && !(kind === 'ask' && failed === place)) return steps;
	const fail = async (next: World) => {
		const process = processOf(next, name);
		process.failed = next.fault === undefined ? place : '';
		next.fault = 'failed';
		await tell(next, { fails: true });
	};
	steps.push([`${words}: fails`, fail]);
	if (kind !== 'count')
		steps.push([`${words}: done, but fails`, async (next) => (write(next), await fail(next))]);
	return steps;
}

const processOf = ({ processes }: World, name: string) => processes.find((one) => one.name === name)!;

/** The second statement of a call, by n8n's double. `before`: the row as the first one has read it. */
function write1(rows: Rows, call: Call, name: string, before: string[] | undefined): Partial<Heard> {
	const { kind, place } = call;
	const put = (row?: string[]) => (row === undefined ? rows.delete(place) : rows.set(place, row));
	if (kind === 'count') return { result: rows.get(place)?.length ?? 0 };
	if (kind === 'clear') return { result: void put() };
	const texts = call.texts.map((text) => (text.startsWith('~') ? name + text : text));
	const now = rows.get(place);
	put(before);
	const write: () => unknown = (kind === 'ask' ? startAdd : startRemove)(rows, place, texts);
	put(now);
	try {
		const { new: added = [] } = (write() ?? {}) as { new?: unknown[] };
		return { result: call.texts.filter((_, index) => added.includes(texts[index])) };
	} catch {
		return { fails: true };
	}
}

function settle(world: World, index: number, answer: string, made: boolean | undefined): void {
	const request = world.requests[index]!;
	if (made && isMade(world, request.payment)) world.broken.push('a: made twice');
	Object.assign(request, { answer, isMade: made });
}

function kill(world: World, name: string): void {
	processOf(world, name).isKilled = true;
	for (const one of world.requests) if (one.process === name && one.answer === 'open') one.answer = 'none';
	world.fault = 'kill';
}

/** Lets the code hear it, and looks at what it does next. */
async function hear(world: World, name: string, heard: Heard): Promise<void> {
	const process = processOf(world, name);
	const before = process.moment;
	const { calls, said: words } = (process.moment = await world.moments.after(before, heard));
	if (!heard.fails) process.failed = undefined;
	const own = process.executions[heard.who]!;
	Object.assign(own, { read: undefined, isUnderWay: heard.starts === undefined });
	for (const [who, execution] of process.executions.entries()) {
		const said = words[who];
		if (said !== undefined && execution.said === undefined) {
			if (said.result === 'unknown' && execution.given === 'doNotPay')
				world.told[execution.payment.name] = true;
			checkWords(world, execution.payment, said);
		}
		execution.said = said;
		if (calls[who]?.kind !== 'send' || before?.calls[who]?.kind === 'send') continue;
		checkRequest(world, execution);
		world.requests.push({ payment: execution.payment, answer: 'open', process: name, who });
	}
}

function checkRequest(world: World, { payment, given, since }: Execution): void {
	for (const [index, earlier] of world.requests.entries()) {
		const isRejected = (one: Request) =>
			one.payment.name === earlier.payment.name && one.answer === 'rejected';
		const isFreed = earlier.isMade === false && world.requests.slice(index).some(isRejected);
		const isPersons = given === 'wasNotPaid' && hasFault(world);
		if (earlier.payment.key !== payment.key || isFreed) continue;
		if (earlier.payment.name !== payment.name)
			world.broken.push(isPersons ? CUT_REFUSAL : 'e: another payment is sent under a used key');
		else if (earlier.isMade === true) world.broken.push('a: sent although it was made');
		else if (earlier.isMade === undefined) world.broken.push('a: sent while it is under way');
		else if (given !== 'wasNotPaid') world.broken.push('h: sent again without a person');
		else if (index >= since) world.broken.push('h: a decision sends a second time');
	}
}

function checkWords(world: World, payment: Payment, { result, isNotFree }: Said): void {
	if (result === 'alreadyPaid' && !isMade(world, payment))
		world.broken.push('b: alreadyPaid, but it was not made');
	if (hasFault(world) || world.processes.length > 1) return;
	const isUnclear = (one: Request) => one.payment.name === payment.name && one.answer === 'unknown';
	if (result === 'unknown' ? !world.requests.some(isUnclear) : result === 'notSent' || isNotFree)
		world.broken.push('i: unknown or not sent in one process, although all was clear');
}
