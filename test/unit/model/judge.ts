/** What becomes of a world in which nothing happens any more: its next runs, each in a new process. */
import { Moments, type Protocol } from './moments.ts';
import { copyOf, hasActed, hasFault, isMade, isOver, startAll, stepsOf } from './world.ts';
import type { Execution, Plan, View } from './world.ts';

export const emptyView = (protocol: Protocol, isPlain = false): View => ({
	process: { executions: [] },
	broken: [],
	moments: new Moments(protocol, isPlain),
	isAlone: true,
	store: { rows: new Map(), requests: [], fault: 'over', time: 1_000, ticks: 0 },
});

export function planOf(text: string): Plan {
	const [, key = '', amount = '1', account = 'live', decision = 'doNotPay'] =
		/^(\w)(?:=(\d))?(?:@(\w+))?(?: (\w+))?$/.exec(text) ?? [];
	const payment = { name: `${key} ${amount} ${account}`, key, details: { account, amount } };
	return { payment, decision: decision as Plan['decision'], since: 0 };
}

/** A new process runs the plan alone. The first step is the usual one. */
export async function runAlone(view: View, plan: Plan, answer = 'accepted'): Promise<Execution> {
	await startAll(view, [plan]);
	while (!isOver(view.process)) {
		const isSent = view.process.moment?.calls[0]?.kind === 'send';
		if (isSent && answer === 'killed') view.store.fault = undefined;
		const steps = stepsOf(view);
		await (isSent ? steps.find(([step]) => step.endsWith(answer)) : steps[0])?.[1](view);
	}
	view.store.fault = 'over';
	return view.process.executions[0]!;
}

/** The row of a key that one process makes to ask, or that two write at the same instant, may stay without its owner. */
export const BLOCKED = 'y: a key refuses every payment, and nothing was paid under it';

export const UNSENT = 'i: unknown without a fault, although the answers were clear';

function isBlocked(executions: Execution[]): boolean {
	return executions.every(({ said }) => said?.result === 'different');
}

/** Of two decisions about a payment, either may be the one that stays in place. */
export async function judge(end: View, executions: Execution[]): Promise<string[]> {
	const decided = executions.filter(({ given = 'doNotPay' }) => given !== 'doNotPay');
	const broken: string[] = [];
	for (const stays of decided.length > 0 ? decided : [undefined])
		broken.push(...(await judgeWith(end, executions, stays)));
	return broken;
}

/** The same list after an hour, then under Do Not Pay, then with what a person finds. Each run in a new process. */
async function judgeWith(end: View, executions: Execution[], stays?: Execution): Promise<string[]> {
	const view = copyOf(end);
	Object.assign(view.store, { ticks: 0, fault: 'over' });
	const { broken } = view;
	const again = async (decide: (one: Execution) => Omit<Plan, 'payment'>, list = executions) => {
		const ended: Execution[] = [];
		view.store.time += 6;
		for (const one of list) ended.push(await runAlone(view, { payment: one.payment, ...decide(one) }));
		return ended;
	};
	const isOf =
		({ payment }: Execution) =>
		(one: Pick<Execution, 'payment'>) =>
			one.payment.name === payment.name;
	const foundAtLast = ({ payment }: Execution): Omit<Plan, 'payment'> => ({
		decision: isMade(view.store, payment) ? 'wasPaid' : 'wasNotPaid',
		since: view.store.requests.length,
	});
	const doNotPay = { decision: 'doNotPay', since: 0 } as const;
	// A decision stays in place until a run under Do Not Pay says, or was about to say, that the payment is unknown.
	const first = await again((one) => {
		const all = executions.filter(isOf(one));
		const decided =
			stays && isOf(one)(stays) ? stays : all.findLast(({ given = 'doNotPay' }) => given !== 'doNotPay');
		const isTold = all.some(({ given, said }) => given === 'doNotPay' && said?.result !== 'alreadyPaid');
		if (isTold || !decided?.given) return doNotPay;
		// Who decided too early was told when to look again.
		if (!hasActed(end.store, decided)) return foundAtLast(one);
		return { decision: decided.given, since: decided.since };
	});
	await again(() => doNotPay);
	// Who decides twice about a payment that is refused is told to look first.
	const last = await again(
		foundAtLast,
		executions.filter((one, index) => executions.findIndex(isOf(one)) === index),
	);
	for (const { payment, said } of last)
		if (
			!view.store.requests.some((one) => one.payment.key === payment.key && one.isMade) ||
			!['paid', 'accepted', 'alreadyPaid', 'different'].includes(said!.result)
		)
			broken.push(isBlocked(last) ? BLOCKED : 'g: a person who tells the truth does not settle the key');

	for (const one of first) {
		const requests = end.store.requests.filter(isOf(one));
		const are = (...answers: string[]) => requests.every(({ answer }) => answers.includes(answer));
		const sameKey = executions.filter(({ payment }) => payment.key === one.payment.key);
		if (one.said?.result !== 'unknown' || sameKey.some(({ said }) => said?.isNotFree)) continue;
		if (!hasFault(end.store) && are('accepted', 'rejected')) broken.push(UNSENT);
		const isCut = sameKey.some(
			({ given, said }) => given && !['accepted', 'rejected'].includes(said?.result ?? ''),
		);
		if (requests.length > 0 && are('rejected') && !isCut)
			broken.push('d: a rejected payment blocks its key, and nothing says so');
	}
	return broken;
}
