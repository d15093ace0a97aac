/**
 * Processes over one table and one service. Each statement of the database, each answer, each fault and each start of a person's
 * decision is a step.
 */
import { startAdd, startRemove, type Rows } from '../../fixtures/processedItems.ts';
import type { Decision } from '../../../nodes/WalletService/payments/guards/idempotencyKey.ts';
import type { Call, Heard, Moment, Moments, Payment, Said } from './moments.ts';

/**
 * `later`: Do Not Pay, which may start at any time. `person`: looks the payment up and tells the truth. `left`: what a person has
 * decided, left in place.
 */
export interface Plan {
	payment: Payment;
	decision: Decision | 'later' | 'person' | 'left';
	/** How many requests there were when the person decided. */
	since: number;
}

/** `given`: what it has started with. `read`: its row as its call has read it. `request`: the number of its own that is open. */
export type Execution = Plan & { given?: Decision; read?: { row?: string[] }; request?: number; said?: Said };

/** `failed`: the row for which its last call has failed. */
export type Process = { executions: Execution[]; moment?: Moment; isKilled?: true; failed?: string };

/** `isMade`: undefined while the service works on it. */
type Request = {
	payment: Payment;
	answer: 'open' | 'accepted' | 'rejected' | 'unknown';
	isMade?: boolean;
};

/** What outlives the processes. `fault`: has happened; `none`: none may; `over`: the schedule has ended. */
export type Store = {
	rows: Rows;
	requests: Request[];
	fault?: 'none' | 'happened' | 'over';
	time: number;
	ticks: number;
};

/** One process and what it can reach. `broken`: by the last step. `isAlone`: there is no other process. */
export type View = { process: Process; store: Store; broken: string[]; moments: Moments; isAlone: boolean };

export type Step = [name: string, act: (view: View) => unknown];

/** After a kill or a failed write while two payments took a key at the same instant, a person may pay the refused one, too. */
export const CUT_REFUSAL = 'x: a person pays another payment under a used key after a fault';

export function copyOf(view: View): View {
	const { process, store } = view;
	const executions = process.executions.map((one) => ({ ...one }));
	const requests = store.requests.map((one) => ({ ...one }));
	return {
		...view,
		process: { ...process, executions },
		broken: [],
		store: { ...store, requests, rows: new Map(store.rows) },
	};
}

/** Two processes with the same text go on in the same ways. */
export function textOfProcess(process: Process): string {
	const executions = process.executions.map(({ payment, ...one }) => ({ name: payment.name, ...one }));
	const { isKilled, moment, failed } = process;
	return JSON.stringify(isOver(process) ? [isKilled, executions] : [moment?.id, failed, executions]);
}

export function textOfStore({ rows, requests, ...others }: Store): string {
	const sent = requests.map(({ payment, answer, isMade: made }) => [payment.name, answer, made]);
	return JSON.stringify([
		[...rows].map(([place, texts]) => [place, ...texts.toSorted()]).sort(),
		sent,
		others,
	]);
}

export const isOver = ({ isKilled, executions }: Process) =>
	isKilled === true || executions.every(({ said }) => said);
/** Whether an execution waits for a person, or for its time. */
export const hasUnstarted = (process: Process) =>
	!isOver(process) && process.executions.some(({ given }) => given === undefined);
/** No request lasts for ten minutes, so nothing is under way when they pass. */
export const isIdle = ({ isKilled, executions }: Process) =>
	isKilled === true || executions.every(({ given, said }) => given === undefined || said !== undefined);
export const hasFault = ({ fault }: Store) => fault !== undefined && fault !== 'none';
export const isMade = ({ requests }: Store, payment: Payment) =>
	requests.some((one) => one.payment.name === payment.name && one.isMade);

/** Starts the executions, but for those that wait. */
export async function startAll(view: View, plans: Plan[]): Promise<void> {
	view.process = { executions: plans.map((plan) => ({ ...plan })) };
	for (const [who, { decision, since }] of plans.entries())
		if (decision !== 'later' && decision !== 'person' && decision !== 'left')
			await start(view, who, decision, since);
}

async function start(view: View, who: number, given: Decision, since: number): Promise<void> {
	const execution = view.process.executions[who]!;
	Object.assign(execution, { given, since });
	await hear(view, { who, time: view.store.time, starts: [execution.payment, given] });
}

/** What its process and its calls may do next. The first step is the usual one. */
export function stepsOf(view: View): Step[] {
	const { process, store } = view;
	if (isOver(process)) return [];
	const steps = process.executions.flatMap((_, who) => {
		const call = process.moment?.calls[who];
		return call === undefined ? [] : stepsOfCall(view, who, call);
	});
	if (store.fault === undefined && process.executions.some(({ given, said }) => given && !said))
		steps.push(['is killed', kill]);
	return steps;
}

/** What the service may do with requests whose answer has not come. */
export function stepsOfService({ requests }: Store): Step[] {
	return requests.flatMap(({ isMade: made, answer, payment }, index) => {
		if (made !== undefined || answer === 'open') return [];
		return [true, false].map(
			(is): Step => [`${payment.name} is ${is ? '' : 'not '}made`, (view) => settle(view, index, answer, is)],
		);
	});
}

/** Ten minutes pass, if nothing is under way at the service either. */
export function stepsOfTime({ requests, ticks }: Store): Step[] {
	if (ticks === 0 || requests.some((one) => one.isMade === undefined)) return [];
	return [['ten minutes pass', ({ store }) => ((store.time += 1), (store.ticks -= 1))]];
}

/** Whether something was sent for the payment since a person decided about it. */
export function hasActed({ requests }: Store, { payment, since }: Execution): boolean {
	return requests.slice(since).some((one) => one.payment.name === payment.name);
}

/** The starts of what waits. `all`: the executions of all processes. */
export function stepsToStart({ process, store }: View, all: Execution[]): Step[] {
	return process.executions.flatMap(({ decision, payment, given }, who) => {
		if (given !== undefined) return [];
		const isSame = (one: { payment: Payment }) => one.payment.name === payment.name;
		const starts = (with1: Decision, since: number): Step => [
			`starts with ${with1}`,
			async (view) => await start(view, who, with1, since),
		];
		if (decision === 'later') return [starts('doNotPay', 0)];
		const first = all.filter((one) => isSame(one) && one.decision === 'person' && one.given !== undefined);
		if (decision === 'left' && first.length === 0) return [];
		// Who decided too early was told when to look again.
		const acted = decision === 'left' ? first.filter((one) => hasActed(store, one)) : [];
		if (acted.length > 0) return acted.map((one) => starts(one.given!, one.since));
		// A person does not wait: neither for a request nor for a run that is about to send one.
		const isTold = all.some(
			(one) => isSame(one) && one.given === 'doNotPay' && one.said?.result === 'unknown',
		);
		if (!isTold && !store.requests.some(isSame)) return [];
		return [starts(isMade(store, payment) ? 'wasPaid' : 'wasNotPaid', store.requests.length)];
	});
}

function stepsOfCall({ process, store }: View, who: number, call: Call): Step[] {
	const { kind, place } = call;
	const { executions, failed } = process;
	const { read } = executions[who]!;
	const words = `${executions.length > 1 ? `${who + 1} ` : ''}${kind} ${place}`;
	const tell = async (next: View, what: Partial<Heard>) =>
		await hear(next, { who, time: next.store.time, ...what });
	if (kind === 'send')
		return (['accepted', 'rejected', 'unknown'] as const).map((result) => [
			`${words}: ${result}`,
			async (next) => {
				const own = next.process.executions[who]!;
				settle(next, own.request!, result, result === 'unknown' ? undefined : result === 'accepted');
				own.request = undefined;
				await tell(next, { result });
			},
		]);
	const read1 = (next: View) =>
		(next.process.executions[who]!.read = { row: next.store.rows.get(place)?.toSorted() });
	if ((kind === 'ask' || kind === 'remove') && read === undefined) return [[`${words}: select`, read1]];

	const write = (next: View) => write1(next.store.rows, call, read?.row);
	const steps: Step[] = [[`${words}: done`, async (next) => await tell(next, write(next))]];
	if (store.fault !== undefined && !(kind === 'ask' && failed === place)) return steps;
	const fail = async (next: View) => {
		next.process.failed = next.store.fault === undefined ? place : '';
		next.store.fault = 'happened';
		await tell(next, { fails: true });
	};
	steps.push([`${words}: fails`, fail]);
	if (kind !== 'count')
		steps.push([`${words}: done, but fails`, async (next) => (write(next), await fail(next))]);
	return steps;
}

/** The second statement of a call, by n8n's double. `before`: the row as the first one has read it. */
function write1(rows: Rows, { kind, place, texts }: Call, before: string[] | undefined): Partial<Heard> {
	const put = (row?: string[]) => (row === undefined ? rows.delete(place) : rows.set(place, row));
	if (kind === 'count') return { result: rows.get(place)?.length ?? 0 };
	if (kind === 'clear') return { result: void put() };
	const now = rows.get(place);
	put(before);
	const write: () => unknown = (kind === 'ask' ? startAdd : startRemove)(rows, place, texts);
	put(now);
	try {
		return { result: ((write() ?? {}) as { new?: unknown[] }).new ?? [] };
	} catch {
		return { fails: true };
	}
}

function settle({ store, broken }: View, index: number, answer: Request['answer'], made?: boolean): void {
	const request = store.requests[index]!;
	if (made && isMade(store, request.payment)) broken.push('a: made twice');
	Object.assign(request, { answer, isMade: made });
}

function kill({ process, store }: View): void {
	process.isKilled = true;
	store.fault = 'happened';
	for (const execution of process.executions) {
		if (execution.request !== undefined) store.requests[execution.request]!.answer = 'unknown';
		Object.assign(execution, { request: undefined, read: undefined });
	}
}

/** Lets the code hear it, and looks at what it does next. */
async function hear(view: View, heard: Heard): Promise<void> {
	const { process, store, moments } = view;
	const before = process.moment;
	const { calls, said: words } = (process.moment = await moments.after(before, heard));
	if (!heard.fails) process.failed = undefined;
	process.executions[heard.who]!.read = undefined;
	for (const [who, execution] of process.executions.entries()) {
		const said = words[who];
		if (said !== undefined && execution.said === undefined) checkWords(view, execution.payment, said);
		execution.said = said;
		if (calls[who]?.kind !== 'send' || before?.calls[who]?.kind === 'send') continue;
		checkRequest(view, execution);
		execution.request = store.requests.push({ payment: execution.payment, answer: 'open' }) - 1;
	}
}

function checkRequest({ store, broken }: View, { payment, given, since }: Execution): void {
	for (const [index, earlier] of store.requests.entries()) {
		const isRejected = (one: Request) =>
			one.payment.name === earlier.payment.name && one.answer === 'rejected';
		const isFreed = earlier.isMade === false && store.requests.slice(index).some(isRejected);
		const isPersons = given === 'wasNotPaid' && hasFault(store);
		if (earlier.payment.key !== payment.key || isFreed) continue;
		if (earlier.payment.name !== payment.name)
			broken.push(isPersons ? CUT_REFUSAL : 'e: another payment is sent under a used key');
		else if (earlier.isMade === true) broken.push('a: sent although it was made');
		else if (earlier.isMade === undefined) broken.push('a: sent while it is under way');
		else if (given !== 'wasNotPaid') broken.push('h: sent again without a person');
		else if (index >= since) broken.push('h: a decision sends a second time');
	}
}

function checkWords({ store, broken, isAlone }: View, payment: Payment, { result, isNotFree }: Said): void {
	if (result === 'alreadyPaid' && !isMade(store, payment)) broken.push('b: alreadyPaid, but it was not made');
	if (hasFault(store) || !isAlone) return;
	const isUnclear = (one: Request) => one.payment.name === payment.name && one.answer === 'unknown';
	if (result === 'unknown' ? !store.requests.some(isUnclear) : result === 'notSent' || isNotFree)
		broken.push('i: unknown or not sent in one process, although all was clear');
}
