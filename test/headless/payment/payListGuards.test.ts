/**
 * The guards of a row of Pay List: what is left of what each has taken, in fiat and in coins. guards.test.ts has their order, with the
 * guard of conversions in place of the total of a code.
 */
import { timing } from '../memoryProcessedItems.ts';
import { CONTINUED, cryptoPayout, FIAT, resultOf, withNode, type Setup } from '../withNode.ts';

const { run, fault } = withNode();

/**
 * `result`: of the row. `key`, `duplicate`, `day`: what another payment finds, and `one`: what another row with one name finds of the sum
 * of the day. `total`: what the next row of the code finds in the same run.
 */
const TABLE = `
what happens                       | result   | key     | duplicate | day   | one   | total
key: its outcome is unknown        | unknown  | unknown | free      | free  | free  | free
halt: three without a clear answer | notSent  | free    | free      | free  | free  | halted
total: it would be above           | notSent  | free    | free      | free  | free  | closed
one name: it would be above        | notSent  | free    | free      | free  | free  | free
duplicate check: another is alike  | notSent  | free    | taken     | free  | free  | free
day: none is left                  | notSent  | free    | free      | free  | free  | none left
deadline: the guards took too long | notSent  | free    | free      | free  | free  | free
rejected                           | rejected | free    | free      | free  | free  | free
accepted                           | paid     | paid    | taken     | taken | taken | taken
no answer                          | unknown  | unknown | taken     | taken | taken | taken`;
const [names = [], ...lines] = TABLE.trim()
	.split('\n')
	.map((line) => line.split('|').map((cell) => cell.trim()));
const ROWS = lines.map((cells) => Object.fromEntries(cells.map((cell, index) => [names[index], cell])));

const KINDS = {
	fiat: {
		route: 'POST /v1/fiat_payout',
		row: { currency: 'NGN', destination: 'supplier-main' },
		isCoin: false,
		/** Another payout, by itself. */
		single: (more: object) => ({ ...FIAT, ...more }),
	},
	coin: {
		route: 'POST /v1/crypto_payout',
		row: { coin: 'USDT', destination: 'treasury' },
		isCoin: true,
		single: (more: object) => ({
			...cryptoPayout('{"coin":"USDT","amount":"11","wallet_alias":"treasury"}'),
			...more,
		}),
	},
} as const;
type Kind = keyof typeof KINDS;

const KEY = 'ROW-1';
const AMOUNT = '20';
/** The row of 20 and the next one of 11 are above it together. */
const MOST = '30';
const NEXT = '11';

const rowOf = (kind: Kind, paymentKey: string, amount: string) => ({
	json: { paymentKey, amount, approvedBy: 'Ada Obi', ...KINDS[kind].row },
});
/** More than all rows have together. */
const MOST_OF_ONE = '90';

const pay = async (kind: Kind, items: Setup['items'], options: object = {}, more: object = {}) => {
	const { row, isCoin } = KINDS[kind];
	const code = 'coin' in row ? row.coin : row.currency;
	const limit = { code, isCoin, maximumTotal: MOST, secondApprovalAbovePerDay: MOST_OF_ONE, ...more };
	const limits = { limit: [limit] };
	const parameters = { resource: 'payoutList', operation: 'pay', limits, options };
	return (await run(parameters as never, { ...CONTINUED, items })).items.flat().map(resultOf);
};
/** For what is to be found of the row alone. */
const NOT_COUNTED = { secondApprovalAbovePerDay: '' };
const OPTIONS = { duplicateCheck: '7', maximumPerDay: '9' };

interface Story {
	before?(kind: Kind): Promise<unknown>;
	/** Rows of the same run before it that get no answer. */
	unclear?: number;
	options?: object;
	limit?: object;
	request?: object;
}

const STORIES: Record<string, Story> = {
	'key: its outcome is unknown': {
		before: async (kind) => {
			await fault({ dropAfter: true }, 1, KINDS[kind].route);
			await pay(kind, [rowOf(kind, KEY, AMOUNT)], {}, NOT_COUNTED);
		},
	},
	'halt: three without a clear answer': { unclear: 3 },
	'total: it would be above': { limit: { maximumTotal: '19.99' } },
	'one name: it would be above': { limit: { secondApprovalAbovePerDay: '19.99' } },
	'duplicate check: another is alike': {
		before: async (kind) =>
			await pay(kind, [rowOf(kind, 'another', AMOUNT)], { duplicateCheck: '7' }, NOT_COUNTED),
	},
	'day: none is left': { options: { ...OPTIONS, maximumPerDay: '0' } },
	'deadline: the guards took too long': {
		before: async () => {
			// When the row takes its place in the day. Old days are only read.
			timing.fail = (asks, place) => {
				if (asks === 'ask' && place.includes('payments of day')) {
					timing.ahead += 31_000;
					timing.fail = undefined;
				}
				return undefined;
			};
			return await Promise.resolve();
		},
	},
	rejected: { request: { status: 422 } },
	accepted: {},
	'no answer': { request: { dropAfter: true } },
};

async function findKey(kind: Kind): Promise<unknown> {
	const other = await run(KINDS[kind].single({ paymentKey: KEY }), CONTINUED);
	if (resultOf(other.items[0]![0]!) === 'paid') return 'free';
	const [state] = await pay(kind, [rowOf(kind, KEY, AMOUNT)], { dryRun: true });
	return state === 'alreadyPaid' ? 'paid' : state;
}

async function findDuplicate(kind: Kind): Promise<string> {
	const [dry] = await pay(kind, [rowOf(kind, 'yet another', AMOUNT)], { duplicateCheck: '7', dryRun: true });
	return dry === 'dryRun' ? 'free' : 'taken';
}

/** `others`: payments of the day beside the row. */
async function findDay(kind: Kind, others: number): Promise<string> {
	const options = { maximumPerDay: String(others + 1) };
	const { items } = await run(KINDS[kind].single({ options }), CONTINUED);
	return resultOf(items[0]![0]!) === 'paid' ? 'free' : 'taken';
}

/** `others`: what other rows with one name have paid. */
async function findOne(kind: Kind, others: number): Promise<string> {
	const secondApprovalAbovePerDay = String(others + 1);
	const [dry] = await pay(
		kind,
		[rowOf(kind, 'one more', '1')],
		{ dryRun: true },
		{ secondApprovalAbovePerDay },
	);
	return dry === 'dryRun' ? 'free' : 'taken';
}

describe.each(Object.keys(KINDS) as Kind[])('a row in %s', (kind) => {
	test.each(ROWS)('$what happens', async (expected) => {
		const story = STORIES[expected['what happens']!]!;
		const { unclear = 0, options = OPTIONS, request, limit } = story;
		await story.before?.(kind);
		const { route } = KINDS[kind];
		if (unclear > 0) await fault({ dropAfter: true }, unclear, route);
		if (request !== undefined) await fault(request, 1, route);
		const first = Array.from({ length: unclear }, (_, index) =>
			rowOf(kind, `unclear-${index}`, `0.${index + 1}`),
		);
		const items = [...first, rowOf(kind, KEY, AMOUNT), rowOf(kind, 'next', NEXT)];
		const [result, next] = (await pay(kind, items, options, limit)).slice(unclear);
		expect(result).toBe(expected.result);
		const isNextPaid = expected.total === 'free';
		expect(next).toBe(isNextPaid ? 'paid' : 'notSent');
		expect({
			key: await findKey(kind),
			duplicate: await findDuplicate(kind),
			day: await findDay(kind, unclear + Number(isNextPaid)),
			one: await findOne(kind, (unclear > 0 ? 0.6 : 0) + (isNextPaid ? Number(NEXT) : 0)),
		}).toEqual({
			key: expected.key,
			duplicate: expected.duplicate,
			day: expected.day,
			one: expected.one,
		});
	});
});

test('a row that an earlier try of the execution has paid is asked of no guard', async () => {
	await fault({ status: 422 }, 1, KINDS.coin.route);
	const limits = {
		limit: [
			{ code: 'NGN', maximumTotal: MOST },
			{ code: 'USDT', isCoin: true },
		],
	};
	const parameters = { resource: 'payoutList', operation: 'pay', limits, options: OPTIONS };
	const items = [rowOf('fiat', KEY, AMOUNT), rowOf('coin', 'coin', AMOUNT)];
	const failed = await run(parameters, { items });
	expect(failed.error?.message).toMatch(/\[item 2 of 2\]$/);
	const refusing = { ...parameters, limits: { limit: [{ code: 'USD' }] }, options: { maximumPerDay: '0' } };
	const again = await failed.retry({ parameters: refusing, ...CONTINUED });
	expect(again.items.flat().map(resultOf)).toEqual(['paid', 'notSent']);
});
