/**
 * Payment Keys pay once in all schedules of a model: each statement of the database, each answer, each fault. With
 * `PAYMENT_KEY_MODEL_MINUTES`, the large scenarios are searched too, in so many minutes, and their figures are printed.
 */
import { readFileSync } from 'node:fs';
import type { Rows } from '../../nodes/shared/store/rows.ts';
import { BLOCKED, UNSENT } from './model/judge.ts';
import type { Protocol } from './model/moments.ts';
import { search, type Scenario } from './model/search.ts';
import { CUT_REFUSAL } from './model/world.ts';

const MINUTES = Number(process.env.PAYMENT_KEY_MODEL_MINUTES ?? 0);
/** For what a search remembers. */
const BYTES = 4e9;

/** Texts such as `a: unknown > a + a | a person`: what was before, and two processes, of which one runs two payments. */
function scenarioOf(text: string, hasFaults: boolean, ticks = text.includes('person') ? 1 : 0): Scenario {
	const [last = '', first] = text.split(' > ').reverse();
	const processes = last.split(' | ').map((plans) => plans.split(' + '));
	return { processes, before: first?.split(', ') ?? [], hasFaults, ticks };
}

/** `known`: what is broken there, and named in docs/understand/once-is-once.md. `depth`: it is not whole after a night, but so many steps are. */
type Searched = {
	text: string;
	faults: 'no fault' | 'each fault';
	ticks?: number;
	known?: string[];
	depth?: number;
};

/** Two workers pay different payments with one key. */
const DIFFERENT = [CUT_REFUSAL, BLOCKED];
/** What a person has decided stays in place, and acts again after a later run has said that the payment is unknown. */
const LEFT = ['h: a decision sends a second time', 'a: sent although it was made', 'a: made twice'];

const TWO = [
	'a + a',
	'a + a=2',
	'a | a',
	'a wasNotPaid + a wasNotPaid',
	'a wasNotPaid | a wasNotPaid',
	'a wasPaid | a wasPaid',
	'a: accepted > a | a',
	'a: accepted > a wasNotPaid | a wasPaid',
	'a: accepted > a=2 | a@test',
	'a: unknown > a | a',
	'a: unknown > a + a person',
	'a: unknown > a | a person',
	'a: unknown > a=2 | a person',
	'a: unknown > a person | a person',
	'a: unknown > a person | a left',
	'a: killed > a | a person',
	'a: killed > a | a=2',
	'a wasNotPaid: unknown > a | a person',
];
const SMALL: Searched[] = [
	...TWO.map((text): Searched => ({ text, faults: 'each fault' })),
	{ text: 'a | a=2', faults: 'each fault', known: DIFFERENT },
	{ text: 'a | a@test', faults: 'each fault', known: DIFFERENT },
	{ text: 'a: rejected > a | a=2', faults: 'each fault', known: DIFFERENT },
	{ text: 'a: accepted > a=2 | a@test | a=2', faults: 'each fault' },
	{ text: 'a: unknown > a | a=2 | a person', faults: 'each fault' },
	{ text: 'a: unknown > a | a | a person', faults: 'each fault' },
	{ text: 'a | a | a', faults: 'each fault', known: [BLOCKED] },
	{ text: 'a | a | a person', faults: 'no fault' },
	{ text: 'a: unknown > a person | a left | a person', faults: 'no fault' },
];

/** They are whole after a night, the smallest ones first. */
const LARGE: Searched[] = [
	{ text: 'a: killed > a | a | a person', faults: 'each fault' },
	{ text: 'a: killed > a person | a=2 | a person', faults: 'each fault' },
	{ text: 'a: unknown > a=2 | a person | a person', faults: 'each fault' },
	{ text: 'a: unknown > a | a person | a person', faults: 'each fault', ticks: 2 },
	{ text: 'a | a | a=2', faults: 'no fault', known: [BLOCKED] },
	{ text: 'a | a=2 | a person', faults: 'no fault', known: [BLOCKED] },
	{ text: 'a | a=2 | a@test', faults: 'no fault', known: [BLOCKED, UNSENT] },
	{ text: 'a | a | a person', faults: 'each fault', known: [BLOCKED] },
	{ text: 'a wasNotPaid | a wasNotPaid | a wasNotPaid', faults: 'each fault', known: [BLOCKED] },
	{ text: 'a: unknown > a person | a person | a person', faults: 'each fault', known: [BLOCKED] },
	{ text: 'a: unknown > a person | a left | a person', faults: 'each fault', known: [BLOCKED] },
	{ text: 'a | a | a wasNotPaid', faults: 'each fault', known: [BLOCKED] },
	{ text: 'a: unknown > a later | a person | a person', faults: 'each fault', ticks: 2, known: [BLOCKED] },
	{
		text: 'a: unknown > a later | a person | a left',
		faults: 'each fault',
		ticks: 2,
		known: [BLOCKED, ...LEFT],
	},
	{ text: 'a | a | a=2', faults: 'each fault', known: DIFFERENT },
	{ text: 'a | a=2 | a person', faults: 'each fault', known: DIFFERENT },
	{ text: 'a | a=2 | a@test', faults: 'each fault', known: [...DIFFERENT, UNSENT] },
	{ text: 'a | a | a | a', faults: 'no fault', known: [BLOCKED] },
	{ text: 'a | a | a | a person', faults: 'no fault', known: [BLOCKED] },
	{ text: 'a | a | a | a', faults: 'each fault', known: [BLOCKED] },
];

/** They share the rest of the night. */
const DEEP: Searched[] = [
	{
		text: 'a: unknown > a person | a person | a later | a later',
		faults: 'no fault',
		known: [BLOCKED],
		depth: 150,
	},
	{ text: 'a | a | a=2 | a=2', faults: 'no fault', known: [...DIFFERENT, UNSENT], depth: 60 },
	{ text: 'a | a | a | a person', faults: 'each fault', known: [BLOCKED], depth: 50 },
];

const MEGABYTE = 2 ** 20;
const end = Date.now() + MINUTES * 60_000;

test.each(MINUTES > 0 ? [...SMALL, ...LARGE, ...DEEP] : SMALL)(
	'all schedules of $text, $faults',
	async (searched) => {
		const { text, faults, ticks, known = [], depth: promised } = searched;
		const begin = Date.now();
		const left = end - begin;
		const milliseconds = DEEP.includes(searched) ? left / (DEEP.length - DEEP.indexOf(searched)) : left;
		const bounds = SMALL.includes(searched) ? {} : { milliseconds, bytes: BYTES };
		const found = await search(scenarioOf(text, faults === 'each fault', ticks), {}, bounds);
		const { states, ends, broken, isWhole, depth } = found;
		const figures = [
			`${states} states, ${ends.size} ends, ${((Date.now() - begin) / 1000).toFixed(1)} s`,
			`${Math.round(process.memoryUsage().rss / MEGABYTE)} MB, ${isWhole ? 'whole' : `up to ${depth} steps`}`,
			...broken.keys(),
		];
		if (MINUTES > 0) process.stdout.write(`${text}, ${faults}: ${figures.join(', ')}\n`);
		if (isWhole) expect([...broken.keys()]).toEqual(expect.arrayContaining(known));
		for (const what of known) broken.delete(what);
		expect(Object.fromEntries(broken)).toEqual({});
		expect(isWhole || depth >= (promised ?? Infinity)).toBe(true);
		expect(ends.size).toBeGreaterThan(0);
	},
	86_400_000,
);

test('PROMISES.md names what is searched in part, and how far', () => {
	const lines = DEEP.map(({ text, faults, depth }) => `- \`${text}\`, ${faults}: ${depth} steps`);
	const page = readFileSync('test/PROMISES.md', 'utf8').split('\n');
	expect(page.filter((line) => line.endsWith(' steps'))).toEqual(lines);
});

/** Equal processes, and ways after which the code goes on in the same way. */
test.each([
	['a | a', 'no fault'],
	['a: unknown > a person | a person', 'no fault'],
	['a: unknown > a + a person', 'each fault'],
	['a: killed > a | a person', 'each fault'],
])('what is left out changes no end of %s, %s', async (text, faults) => {
	const scenario = scenarioOf(text, faults === 'each fault');
	const [few, all] = [await search(scenario), await search(scenario, {}, { isPlain: true })];
	expect([...few.ends].sort()).toEqual([...all.ends].sort());
	expect(few.states).toBeLessThan(all.states);
});

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
	const scenario = scenarioOf(text, false);
	expect([...(await search(scenario, protocol, { until: what })).broken.keys()]).toContain(what);
	expect([...(await search(scenario)).broken.keys()]).not.toContain(what);
});
