/**
 * Payment Keys pay once in all schedules of a model: each statement of the database, each answer, each fault. With
 * `PAYMENT_KEY_MODEL=full`, the large scenarios are searched as a whole too, and their figures are printed.
 */
import type { Rows } from '../../nodes/shared/store/rows.ts';
import type { Protocol } from './model/moments.ts';
import { BLOCKED, search, type Scenario } from './model/search.ts';
import { CUT_REFUSAL } from './model/world.ts';

const isFull = process.env.PAYMENT_KEY_MODEL === 'full';

/** Texts such as `a: unknown > a + a | a person`: what was before, and two processes, of which one runs two payments. */
function scenarioOf(text: string, hasFaults: boolean, ticks = 0): Scenario {
	const [last = '', first] = text.split(' > ').reverse();
	const processes = last.split(' | ').map((plans) => plans.split(' + '));
	return { processes, before: first?.split(', ') ?? [], hasFaults, ticks };
}

const FEW = [
	...['a + a', 'a + a=2', 'a | a', 'a | a=2', 'a | a@test', 'a wasNotPaid + a wasNotPaid'],
	...['a wasNotPaid | a wasNotPaid', 'a wasPaid | a wasPaid', 'a: rejected > a | a=2', 'a: accepted > a | a'],
	...['a: accepted > a wasNotPaid | a wasPaid', 'a: accepted > a=2 | a@test', 'a: unknown > a | a'],
	...['a: unknown > a + a person', 'a: unknown > a | a person', 'a: unknown > a=2 | a person'],
	...['a: unknown > a person | a person', 'a: unknown > a person | a left', 'a: killed > a | a person'],
	...['a: killed > a | a=2', 'a wasNotPaid: unknown > a | a person'],
];
/**
 * Not here: Do Not Pay beside two persons who decide. If the decision of one sends it, and a run then says that it is unknown,
 * the other decision acts on this news. Nothing tells the node that it is older.
 */
const THREE = ['a: accepted > a=2 | a@test | a=2', 'a: unknown > a | a=2 | a person'];
const LARGE = [
	...['a | a | a', 'a | a | a person', 'a | a=2 | a@test', 'a: unknown > a | a | a person'],
	'a: unknown > a person | a left | a person',
];

/** A decision acts only when ten minutes may pass before it. */
const all = (texts: string[], hasFaults: boolean) =>
	texts.map((text) => {
		const scenario = scenarioOf(text, hasFaults, text.includes('person') ? 1 : 0);
		return [text, hasFaults ? 'each fault' : 'no fault', scenario] as const;
	});
const WHOLE = [...all(FEW, true), ...all(THREE, false)];
const FULL = [...all(LARGE, false), ...all(THREE, true), ...all(LARGE, true)];

test.each(isFull ? [...WHOLE, ...FULL] : WHOLE)(
	'all schedules of %s, %s',
	async (text, faults, scenario) => {
		const { states, ends, broken } = await search(scenario);
		if (isFull)
			process.stdout.write(
				`${text}, ${faults}: ${states} states, ${ends} ends ${[...broken.keys()].join()}\n`,
			);
		// Only where two payments take an unused key at the same instant.
		if (scenario.before.every((text) => text.endsWith('rejected'))) {
			broken.delete(CUT_REFUSAL);
			if (scenario.hasFaults) broken.delete(BLOCKED);
		}
		expect(Object.fromEntries(broken)).toEqual({});
		expect(ends).toBeGreaterThan(0);
	},
	86_400_000,
);

const nothing = async () => await Promise.resolve();
const withMake = (make: (rows: Rows) => Rows['make']): Protocol => ({
	rows: (rows) => ({ ...rows, make: make(rows) }),
});
const made = { is: 'made' } as const;
const PAID_FIRST: Protocol = {
	claim: async (claim) => await claim.end('accepted').then(() => ({ ...claim, end: nothing })),
};
const UNDECIDED = withMake((rows) => async (name, ...texts) => {
	return name[0] === 'attempt' ? made : await rows.make(name, ...texts);
});
const IMPATIENT: Protocol = {
	rows: (rows) => ({ ...rows, exists: async (name) => name[0] !== 'begun' && (await rows.exists(name)) }),
};
const LOOKED_UP = withMake((rows) => async (name, ...texts) => {
	if (await rows.exists(name)) return { is: 'others', missing: texts };
	return await rows.make(name, ...texts).then(() => made);
});

test.each([
	['paid before the answer', PAID_FIRST, 'a', 'b: alreadyPaid, but it was not made'],
	['a decision without its row', UNDECIDED, 'a: unknown > a person | a person', 'a: made twice'],
	['a decision beside a young request', IMPATIENT, 'a | a person', 'a: sent while it is under way'],
	['exists in place of make', LOOKED_UP, 'a | a', 'a: made twice'],
])('the model finds what is wrong with %s', async (_, protocol, text, what) => {
	const scenario = scenarioOf(text, false, text.includes('person') ? 1 : 0);
	expect([...(await search(scenario, protocol, what)).broken.keys()]).toContain(what);
	expect([...(await search(scenario)).broken.keys()]).not.toContain(what);
});
