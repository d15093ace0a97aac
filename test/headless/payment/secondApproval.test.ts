/**
 * Second Approval Above per Day: what one person can let go out in a day, over all runs and processes. What is paid is counted at the
 * service.
 */
import { turn } from '../../fixtures/turn.ts';
import { until } from '../../../host/until.ts';
import { timing } from '../memoryProcessedItems.ts';
import { CONTINUED, listRow as row, PAY_LIST, resultOf, startProcess, withNode } from '../withNode.ts';
import type { Setup } from '../withNode.ts';

const { run, fault, restart, sandbox, credentials } = withNode();

type Rows = Array<ReturnType<typeof row>>;
const TWO = { approvedBy: 'Ada Obi, Ben Eze' };
const NOBODY = { approvedBy: undefined };
const coin = { currency: undefined, coin: 'USDT', destination: 'treasury' };

const LABEL = 'Second Approval Above per Day';
const above = (secondApprovalAbovePerDay: unknown, more: object = {}) => ({
	limits: {
		limit: [
			{ code: 'NGN', secondApprovalAbovePerDay, ...more },
			{ code: 'USDT', isCoin: true, secondApprovalAbovePerDay },
		],
	},
});
const ABOVE_100 = above('100');
const pay = async (items: Rows, parameters: object = ABOVE_100, more: Partial<Setup> = {}) =>
	(await run({ ...PAY_LIST, ...parameters } as never, { ...CONTINUED, items, ...more })).items.flat();
const paying = async (...given: Parameters<typeof pay>) => (await pay(...given)).map(resultOf);
const errorOf = ({ json }: { json: object }) => (json as { error?: Error & { description: string } }).error;
const paid = () => [...sandbox.service.ledger.payouts.all()].map(({ amount, code }) => `${amount} ${code}`);

test('lists that pass the sum together are paid up to it, and the rest says what to do', async () => {
	expect(await paying([row('a1', '40'), row('a2', '20')])).toEqual(['paid', 'paid']);
	const items = await pay([row('b1', '30'), row('b2', '30.01'), row('b3', '10')]);
	expect(items.map(resultOf)).toEqual(['paid', 'notSent', 'paid']);
	expect(errorOf(items[1]!)).toMatchObject({
		message: `Not sent because the rows of today with fewer than two names would add up to 120.01 NGN, above '${LABEL}' 100`,
		description: expect.stringMatching(/a second person say yes.*two different names/),
		outcome: 'notSent',
	});
	expect(await paying([row('c1', '0.01')])).toEqual(['notSent']);
	expect(paid()).toEqual(['40 NGN', '20 NGN', '30 NGN', '10 NGN']);
});

test('a row with two names is paid above the sum, and counts nothing', async () => {
	expect(await paying([row('a', '500', TWO), row('b', '100')])).toEqual(['paid', 'paid']);
	const refused = [row('c', '1'), row('d', '1', { approvedBy: 'Ada Obi, ada obi' })];
	expect(await paying(refused)).toEqual(['notSent', 'notSent']);
	// A second person is asked for the rows that were not paid, under the same keys.
	expect(await paying([row('c', '1', TWO), row('d', '1', TWO)])).toEqual(['paid', 'paid']);
});

test('rows without a name count where none is needed', async () => {
	const options = { needsApproval: false };
	const items = [row('a', '60', NOBODY), row('b', '60', NOBODY)];
	expect(await paying(items, { ...ABOVE_100, options })).toEqual(['paid', 'notSent']);
	expect(await paying([row('c', '41')])).toEqual(['notSent']);
});

test('each currency and coin has a sum of its own', async () => {
	const items = [row('a', '90'), row('b', '90', coin), row('c', '20'), row('d', '20', coin)];
	expect(await paying(items)).toEqual(['paid', 'paid', 'notSent', 'notSent']);
	expect(paid()).toEqual(['90 NGN', '90 USDT']);
});

test('amounts of 18 digits are added up exactly', async () => {
	const of = (amount: string, key: string) => row(key, amount, coin);
	const parameters = above('1');
	expect(await paying([of('0.999999999999999999', 'a')], parameters)).toEqual(['paid']);
	expect(await paying([of('0.000000000000000002', 'b')], parameters)).toEqual(['notSent']);
	expect(await paying([of('0.000000000000000001', 'c')], parameters)).toEqual(['paid']);
	expect(await paying([of('0.000000000000000001', 'd')], parameters)).toEqual(['notSent']);
});

test('what was refused, or was paid before, is given back; what is unknown is not', async () => {
	await fault({ status: 422 }, 1, 'POST /v1/fiat_payout');
	expect(await paying([row('a', '60'), row('b', '10')])).toEqual(['rejected', 'paid']);
	// The rows behind the first were added with it.
	expect(await paying([row('c', '30'), row('b', '10'), row('wrong', 'x')])).toEqual([
		'paid',
		'alreadyPaid',
		'notSent',
	]);
	await fault({ dropAfter: true }, 1, 'POST /v1/fiat_payout');
	expect(await paying([row('d', '50')])).toEqual(['unknown']);
	expect(await paying([row('e', '10.01'), row('f', '10')])).toEqual(['notSent', 'paid']);
});

describe('a dry run', () => {
	test('says what a row with a name would be, and takes nothing', async () => {
		const options = { dryRun: true };
		const items = [row('a', '60'), row('a', '60'), row('b', '60'), row('c', '60', TWO)];
		for (let time = 0; time < 2; time += 1)
			expect(await paying(items, { ...ABOVE_100, options })).toEqual([
				'dryRun',
				'dryRun',
				'notSent',
				'dryRun',
			]);
		expect(await paying([row('d', '100')])).toEqual(['paid']);
	});

	test('asks for two names for a row that nobody has approved yet', async () => {
		const items = [row('a', '60', NOBODY), row('b', '60', NOBODY), row('c', '1', coin)];
		const small = await pay(items.slice(0, 1));
		expect(small[0]!.json).not.toHaveProperty('approvalsNeeded');
		await pay([row('z', '40.01')]);
		const checked = await pay(items);
		expect(checked.map(resultOf)).toEqual(['dryRun', 'dryRun', 'paid']);
		expect(checked.map(({ json }) => json.approvalsNeeded)).toEqual([2, 2, undefined]);
		// So it does not go out with one, even if something was given back meanwhile.
		const three = await pay([row('d', '60', { ...NOBODY, approvalsNeeded: 3 })]);
		expect(three[0]!.json.approvalsNeeded).toBe(3);
		const [first] = checked;
		const one = { json: { ...first!.json, approvedBy: 'Ada Obi' } } as unknown as Rows[number];
		expect(await paying([one], above('1000'))).toEqual(['notSent']);
	});
});

test.each(['', '={{ "" }}', 'many', '-1', '={{ 100 }}'])('a limit of %j', async (given) => {
	const results = await paying([row('a', '1'), row('b', '500')], above(given));
	// The form adds each field empty.
	expect(results).toEqual(given === '' ? ['paid', 'paid'] : ['notSent', 'notSent']);
});

test('a limit of 0 always asks a second person', async () => {
	expect(await paying([row('a', '0.01'), row('b', '500', TWO)], above('0'))).toEqual(['notSent', 'paid']);
});

test('the day is that of the time zone of the workflow', async () => {
	const payIn = async (timezone: string, key: string, amount: string) =>
		await paying([row(key, amount)], ABOVE_100, {
			workflowSettings: { executionOrder: 'v1', timezone },
		});
	// They are 25 hours apart, so it is never the same day in both.
	expect(await payIn('Pacific/Pago_Pago', 'a', '100')).toEqual(['paid']);
	expect(await payIn('Pacific/Pago_Pago', 'b', '1')).toEqual(['notSent']);
	expect(await payIn('Pacific/Kiritimati', 'c', '100')).toEqual(['paid']);
	expect(await payIn('Pacific/Pago_Pago', 'd', '1')).toEqual(['notSent']);
});

describe('n8n that cannot keep the sum', () => {
	const isOfTotal = (place: string) => place.includes('total of day');
	afterEach(() => (timing.fail = undefined));

	test.each(['before', 'after', 'silently'] as const)('a write that fails %s sends nothing', async (kind) => {
		timing.fail = (asks, place) => (asks === 'ask' && isOfTotal(place) ? kind : undefined);
		const items = await pay([row('a', '10'), row('b', '10', TWO)]);
		timing.fail = undefined;
		// n8n that is asked again after a write that was stored may answer as it should.
		expect(items.map(resultOf)).toEqual(['notSent', 'paid']);
		expect(errorOf(items[0]!)!.message).toContain(LABEL);
	});

	test('a read that fails sends nothing, and no dry run says that it would', async () => {
		timing.fail = (asks, place) => (asks === 'read' && isOfTotal(place) ? 'before' : undefined);
		expect(await paying([row('a', '10')])).toEqual(['notSent']);
		expect(await paying([row('a', '10', NOBODY)])).toEqual(['notSent']);
		expect(paid()).toEqual([]);
	});
});

test('what was taken before a kill stays taken', async () => {
	let isKilled = false;
	timing.fail = () => (isKilled ? 'before' : undefined);
	await fault({ dropAfter: true }, 1, 'POST /v1/fiat_payout');
	const dying = paying([row('a', '60'), row('b', '30')]);
	await until('the request', () => paid().length > 0);
	isKilled = true;
	await dying;
	timing.fail = undefined;
	restart();
	expect(await paying([row('c', '10.01')])).toEqual(['notSent']);
	expect(await paying([row('d', '10')])).toEqual(['paid']);
});

describe('executions at once', () => {
	/** Each list has one row of 40: two of them fit. */
	const lists = Array.from({ length: 3 }, (_, index) => [row(`list-${index}`, '40')]);

	test.each([0, 20])('in one process, where the service needs %d ms: what fits is paid', async (delayMs) => {
		await fault({ delayMs }, 3);
		const results = await Promise.all(lists.map(async (list) => await paying(list)));
		expect(results.flat().sort()).toEqual(['notSent', 'paid', 'paid']);
		expect(paid()).toEqual(['40 NGN', '40 NGN']);
	});

	test('in several processes: what fits is paid', async () => {
		const processes = [await startProcess(), await startProcess(), await startProcess()];
		const results = await Promise.all(
			processes.map(async ({ runNode }, index) => {
				const { items } = await runNode({
					parameters: { ...PAY_LIST, ...ABOVE_100 } as never,
					credentials,
					credentialId: 'credential-id',
					workflowId: 'several',
					items: lists[index]!,
					...CONTINUED,
				});
				return items.flat().map(resultOf);
			}),
		);
		expect(results.flat().sort()).toEqual(['notSent', 'paid', 'paid']);
		expect(paid()).toEqual(['40 NGN', '40 NGN']);
	});

	test('while the first waits minutes for its answer, it counts', async () => {
		await fault({ delayMs: 1500 }, 1, 'POST /v1/fiat_payout');
		const before = sandbox.service.requests.all().length;
		const slow = paying([row('slow', '70')]);
		await until('the request', () => sandbox.service.requests.all().length > before);
		await turn();
		timing.ahead += 300_000;
		expect(await paying([row('next', '40')])).toEqual(['notSent']);
		expect(['paid', 'unknown']).toContain((await slow)[0]);
		expect(await paying([row('last', '30.01')])).toEqual(['notSent']);
	});
});

test('as a tool, rows of a model count, and none is paid above the sum', async () => {
	const limit = { maximumAmount: '100', allowedAliases: 'supplier-main' };
	const call = async (amounts: string[], options: object) => {
		const rows = amounts.map((amount) => ({
			paymentKey: `MODEL-${amount}`,
			amount,
			currency: 'NGN',
			destination: 'supplier-main',
		}));
		const parameters = {
			...PAY_LIST,
			limits: { limit: [{ code: 'NGN', secondApprovalAbovePerDay: '100', ...limit }] },
			options,
			toolRows: "={{ $fromAI('rows') }}",
		};
		const items = [{ json: { rows: JSON.stringify(rows) } }];
		const { items: given } = await run(parameters as never, { type: 'walletServiceTool', items });
		return given.flat().map(({ json }) => json.result);
	};
	const unattended = { needsApproval: false };
	expect(await call(['60', '41', '40'], unattended)).toEqual(['paid', 'notSent', 'paid']);
	expect(await call(['1'], unattended)).toEqual(['notSent']);
	expect(await call(['2'], {})).toEqual(['dryRun']);
	expect(await paying([row('person', '1')])).toEqual(['notSent']);
});
