/** What the model runs: lists, what was paid before, and which faults may happen. */
import type { Scenario } from './modelRun.ts';
import type { ExecutionPlan, Fault, Payment } from './paymentWorld.ts';
import type { Answer } from './service.ts';

const ANSWERS: Answer[] = ['accepted', 'rejected', 'unknownMade', 'unknownNotMade'];
const FAULTS: Fault[] = ['kill', 'failedBefore', 'failedAfter'];

/** `a b=2`: key a with the amount 1, key b with the amount 2. */
function list(text: string, decision?: Payment['decision']): Payment[] {
	return text.split(' ').map((word) => {
		const [key = '', amount = '1'] = word.split('=');
		return { key, amount, ...(decision && { decision }) };
	});
}

interface Lists {
	A: string;
	B: string;
	decisions?: [Payment['decision'], Payment['decision']];
	accounts?: [string, string];
}

function executions(
	{ A, B, decisions = [undefined, undefined], accounts }: Lists,
	second: string,
): ExecutionPlan[] {
	return [
		{ name: 'A', process: 'P', pays: list(A, decisions[0]), ...(accounts && { account: accounts[0] }) },
		{ name: 'B', process: second, pays: list(B, decisions[1]), ...(accounts && { account: accounts[1] }) },
	];
}

const before = (keys: string, answer: NonNullable<Scenario['before']>[number]['answer']) =>
	keys.split(' ').map((key) => ({
		execution: { name: `before ${key}`, process: 'before', pays: list(key) },
		answer,
	}));

type Pair = Lists & Pick<Scenario, 'name' | 'before' | 'knowsKeys'>;

const ONE_KEY: Pair[] = [
	{ name: 'the same key', A: 'a', B: 'a' },
	{ name: 'two keys', A: 'a', B: 'b' },
	{ name: 'another payment under the same key', A: 'a', B: 'a=2' },
	{ name: 'the same key in two accounts', A: 'a', B: 'a', accounts: ['live', 'test'] },
	{ name: 'the same key, paid before', A: 'a', B: 'a', before: before('a', 'accepted') },
	{ name: 'another payment under a paid key', A: 'a', B: 'a=2', before: before('a', 'accepted') },
	{ name: 'an unknown key', A: 'a', B: 'a', before: before('a', 'unknownMade') },
	...(['unknownMade', 'unknownNotMade', 'noneMade', 'noneNotMade'] as const).flatMap((answer) =>
		(
			[
				['wasPaid', undefined],
				['wasNotPaid', undefined],
				['wasNotPaid', 'wasNotPaid'],
				['wasPaid', 'wasNotPaid'],
			] as const
		).map(
			(decisions): Pair => ({
				name: `${answer}, then ${decisions.map((decision) => decision ?? 'doNotPay').join(' and ')}`,
				A: 'a',
				B: 'a',
				decisions: [...decisions],
				before: before('a', answer),
			}),
		),
	),
	...(['unknownMade', 'unknownNotMade', 'noneMade'] as const).map(
		(answer): Pair => ({
			name: `${answer}, then sent again to a service that knows keys`,
			A: 'a',
			B: 'a',
			knowsKeys: true,
			before: before('a', answer),
		}),
	),
	{ name: 'the same key, to a service that knows keys', A: 'a', B: 'a', knowsKeys: true },
];

const TWO_KEYS: Pair[] = [
	{ name: 'the same list', A: 'a b', B: 'a b' },
	{ name: 'the same list, the other way round', A: 'a b', B: 'b a' },
	{ name: 'other keys', A: 'a b', B: 'c d' },
	{ name: 'a key that comes twice', A: 'a a', B: 'a' },
	{ name: 'a list and one of its keys', A: 'a b', B: 'b' },
	{ name: 'lists with other payments', A: 'a b', B: 'b=2 a=2' },
	{ name: 'a paid list', A: 'a b', B: 'b a', before: before('a b', 'accepted') },
	{ name: 'a list with a paid key', A: 'a b', B: 'b c', before: before('b', 'accepted') },
	{
		name: 'an unknown list, then wasNotPaid',
		A: 'a b',
		B: 'b a',
		decisions: ['wasNotPaid', 'wasNotPaid'],
		before: before('a b', 'unknownNotMade'),
	},
];

const scenario = (pair: Pair, where: 'one process' | 'two processes'): Scenario => {
	const { name, before: earlier, knowsKeys } = pair;
	const isOne = where === 'one process';
	return {
		name: `${where}: ${name}`,
		executions: executions(pair, isOne ? 'P' : 'Q'),
		// Two processes only undo each other's writes in a row that is there.
		before: earlier ?? (isOne ? [] : before('other', 'accepted')),
		...(knowsKeys && { knowsKeys }),
		faults: FAULTS,
		answers: ANSWERS,
		apart: !isOne,
	};
};

/** One execution after the other waits for its turn at the record, so each call is one step. */
export const ONE_PROCESS = {
	oneKey: ONE_KEY.map((pair) => scenario(pair, 'one process')),
	twoKeys: TWO_KEYS.map((pair) => scenario(pair, 'one process')),
};

const withoutFault = (found: Scenario, answers = ANSWERS): Scenario => ({
	...found,
	name: found.name.replace('two processes', 'two processes, no fault'),
	faults: [],
	answers,
});

const TWO = [
	...ONE_KEY.map((pair) => scenario(pair, 'two processes')),
	scenario({ name: 'the same key, without a record', A: 'a', B: 'a', before: [] }, 'two processes'),
];

/** A write takes less than the pause of the other process. */
export const TWO_PROCESSES = {
	oneKey: [...TWO.map((found) => withoutFault(found)), ...TWO],
	/** Too many schedules with a fault at each step. */
	twoKeys: TWO_KEYS.map((pair) => withoutFault(scenario(pair, 'two processes'), ['accepted', 'rejected'])),
};

/** What a write that takes longer than the pause does: the search must find a payment that is made twice. */
export const SLOW_WRITES: Scenario = {
	...scenario({ name: '', A: 'a', B: 'a' }, 'two processes'),
	name: 'two processes, one with a slow write: the same key',
	faults: [],
	answers: ['accepted'],
	slowWrites: true,
};
