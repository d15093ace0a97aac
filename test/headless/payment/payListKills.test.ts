/** A list of thirty rows while n8n is killed at each step of a row, and while two processes pay it. What was paid is counted at the service. */
import { ageKeys, timing } from '../memoryProcessedItems.ts';
import { CONTINUED, resultOf, startProcess, withNode } from '../withNode.ts';

const { run, fault, restart, sandbox, credentials } = withNode();

const ROWS = 30;
/** Each amount is another one, so the service's records tell the rows apart. Each third row is in coins. */
const rowOf = (index: number, more: object = {}) => {
	const isCoin = index % 3 === 2;
	const payout = isCoin
		? { coin: 'USDT', destination: 'treasury', amount: `0.${index + 101}` }
		: { currency: 'NGN', destination: 'supplier-main', amount: `${index + 1}.25` };
	return { json: { paymentKey: `LIST-${index}`, approvedBy: 'Ada Obi', ...payout, ...more } };
};
const LIST = Array.from({ length: ROWS }, (_, index) => rowOf(index));
const PAY_LIST = {
	resource: 'payoutList',
	operation: 'pay',
	limits: {
		limit: [
			{ code: 'NGN', maximumTotal: '10000' },
			{ code: 'USDT', isCoin: true, maximumTotal: '100' },
		],
	},
};
/** Each of them makes rows of its own. */
const GUARDED = { maximumPerDay: '500', duplicateCheck: '7' };
let options: object;
beforeEach(() => (options = {}));
const pay = async (items = LIST, more: object = {}) =>
	(await run({ ...PAY_LIST, options }, { ...CONTINUED, items, ...more })).items.flat().map(resultOf);
const amounts = LIST.map(({ json }) => json.amount);
const paid = () => [...sandbox.service.ledger.payouts.all()].map(({ amount }) => amount);
const timesPaid = () => amounts.map((amount) => paid().filter((each) => each === amount).length);

/**
 * Pays the list until its process is killed: from that question to n8n's table on, nothing is stored. `step`: the number of the question
 * after those of the rows before.
 */
async function payAndKill({ row, step }: { row: number; step: number }): Promise<boolean> {
	let [steps, isKilled] = [0, false];
	timing.fail = () => {
		if (paid().length >= row) steps += 1;
		isKilled ||= steps > step;
		return isKilled ? 'before' : undefined;
	};
	await pay();
	timing.fail = undefined;
	return isKilled;
}

/** From the last questions of the row before, which is paid, to the first ones of the row behind. With the options, some of many. */
const STEPS = [
	...Array.from({ length: 20 }, (_, step) => ({ step, given: {} })),
	...Array.from({ length: 12 }, (_, step) => ({ step: step * 4, given: GUARDED })),
].map((each, index) => ({ ...each, row: 1 + ((index * 7) % (ROWS - 2)) }));

test.each(STEPS)(
	'with the options $given, killed at step $step from row $row on, a list is paid to its end by Retry, each row once',
	async ({ given, ...at }) => {
		options = given;
		expect(await payAndKill(at)).toBe(true);
		const early = paid().length;
		expect(early).toBeGreaterThanOrEqual(at.row);
		expect(early).toBeLessThan(at.row + 5);
		restart();
		const results = await pay(LIST, { mode: 'retry' });
		const unknown = [...results.keys()].filter((index) => results[index] === 'unknown');
		expect(unknown.length).toBeLessThanOrEqual(1);
		expect(results.slice(0, at.row - 1)).toEqual(Array(at.row - 1).fill('alreadyPaid'));
		expect(results.filter((result) => !['paid', 'alreadyPaid', 'unknown'].includes(String(result)))).toEqual(
			[],
		);
		expect(Math.max(...timesPaid())).toBe(1);
		ageKeys();
		const decided = unknown.map((index) =>
			rowOf(index, { decision: paid().includes(amounts[index]!) ? 'wasPaid' : 'wasNotPaid' }),
		);
		for (const result of decided.length > 0 ? await pay(decided) : [])
			expect(['paid', 'alreadyPaid']).toContain(result);
		expect(await pay()).toEqual(amounts.map(() => 'alreadyPaid'));
		expect(timesPaid()).toEqual(amounts.map(() => 1));
	},
);

/** Each step of a row, and of the writes behind its answer. */
const AWAY = Array.from({ length: 14 }, (_, step) => ({
	step: step * 2 + 1,
	given: step % 3 ? {} : GUARDED,
}));

test.each(AWAY)(
	'with the options $given, a database that is away from step $step on for some tries keeps no row from being paid',
	async ({ step, given }) => {
		options = given;
		await pay([rowOf(ROWS)]);
		let calls = 0;
		timing.fail = () => ((calls += 1) > step && calls <= step + 4 ? 'away' : undefined);
		expect(await pay(LIST.slice(0, 4))).toEqual(['paid', 'paid', 'paid', 'paid']);
		timing.fail = undefined;
		expect(timesPaid().slice(0, 4)).toEqual([1, 1, 1, 1]);
	},
);

test.each(AWAY)(
	'with the options $given, a connection that ends at step $step pays nothing twice, and hides nothing',
	async ({ step, given }) => {
		options = given;
		await pay([rowOf(ROWS)]);
		let calls = 0;
		timing.fail = () =>
			(calls += 1) === step ? 'cutOff' : calls > step && calls <= step + 4 ? 'away' : undefined;
		const results = await pay(LIST.slice(0, 4));
		timing.fail = undefined;
		const times = timesPaid().slice(0, 4);
		for (const [index, result] of results.entries()) {
			if (result === 'paid') expect(times[index]).toBe(1);
			else if (result === 'notSent') expect(times[index]).toBe(0);
			else expect(result).toBe('unknown');
		}
		expect(results.filter((result) => result === 'unknown').length).toBeLessThanOrEqual(1);
		const again = await pay(LIST.slice(0, 4));
		expect(Math.max(...timesPaid())).toBe(1);
		const open = again.filter((result) => result !== 'paid' && result !== 'alreadyPaid');
		expect(open.length === 0 || open.join() === 'unknown').toBe(true);
	},
);

test.each([{}, { delayMs: 20 }])(
	'two processes with the same list pay each row once, where the service answers with %j',
	async (answer) => {
		await fault({ delayMs: 0, ...answer }, ROWS);
		const processes = [await startProcess(), await startProcess()];
		const workflowId = 'same-list';
		const payIn = async ({ runNode }: (typeof processes)[number]) => {
			const items = LIST;
			const { items: output } = await runNode({
				parameters: { ...PAY_LIST, options: GUARDED } as never,
				credentials,
				credentialId: 'credential-id',
				workflowId,
				items,
				...CONTINUED,
			});
			return output.flat().map(resultOf);
		};
		const [one, other] = (await Promise.all(processes.map(payIn))) as [unknown[], unknown[]];
		expect(timesPaid()).toEqual(amounts.map(() => 1));
		for (const [index, result] of one.entries()) {
			const both = [result, other[index]];
			expect(both.filter((each) => each === 'paid')).toHaveLength(1);
			for (const each of both) expect(['paid', 'alreadyPaid', 'unknown']).toContain(each);
		}
		// Once all is quiet, both say that all is paid.
		for (const each of processes) expect(await payIn(each)).toEqual(amounts.map(() => 'alreadyPaid'));
	},
);
