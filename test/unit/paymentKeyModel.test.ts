/** The short form of the model run of Payment Keys (`npm run soak -- paymentKeyModel`), and what it does not say plainly. */
import { getEndpoint } from '../../api/catalog.ts';
import { runScenario } from '../../soak/payments/model/modelRun.ts';
import type { Scenario } from '../../soak/payments/model/modelRun.ts';
import { ONE_PROCESS, SLOW_WRITES, TWO_PROCESSES } from '../../soak/payments/model/scenarios.ts';
import { PAYMENT_KEY } from '../../nodes/WalletService/action/messages.ts';
import { ExecutionLedger } from '../../nodes/WalletService/action/payment/executionLedger.ts';
import { payItems } from '../../nodes/WalletService/action/payment/payItems.ts';
import { PaymentKeys } from '../../nodes/WalletService/action/payment/paymentKeys.ts';
import { SharedRecord } from '../../nodes/WalletService/sharedRecord.ts';

const { isNotFree } = PAYMENT_KEY;
const code = { payItems, ExecutionLedger, PaymentKeys, SharedRecord, getEndpoint, isNotFree };

const named = (scenarios: Scenario[]) =>
	scenarios.map((scenario): [string, Scenario] => [scenario.name, scenario]);

test.each(named(ONE_PROCESS.oneKey))('%s: all schedules', async (_, scenario) => {
	const { broken, isComplete } = await runScenario(code, scenario);
	expect(broken).toEqual([]);
	expect(isComplete).toBe(true);
});

test.each(named([...ONE_PROCESS.twoKeys, ...TWO_PROCESSES.oneKey, ...TWO_PROCESSES.twoKeys]))(
	'%s: some schedules',
	async (_, scenario) => {
		const { broken } = await runScenario(code, scenario, { maxStates: 120 });
		expect(broken).toEqual([]);
	},
);

test('two processes, each accepted at once: all schedules', async () => {
	const { broken, isComplete } = await runScenario(code, { ...SLOW_WRITES, slowWrites: false });
	expect(broken).toEqual([]);
	expect(isComplete).toBe(true);
});

test('two processes, a decision and a run with Do Not Pay: all schedules', async () => {
	const name = 'two processes, no fault: unknownMade, then wasNotPaid and doNotPay';
	const scenario = TWO_PROCESSES.oneKey.find((found) => found.name === name)!;
	const { broken, isComplete } = await runScenario(code, scenario);
	expect(broken).toEqual([]);
	expect(isComplete).toBe(true);
});

test('merging equal states leaves nothing out', async () => {
	const scenario = { ...ONE_PROCESS.oneKey[1]!, answers: ['accepted' as const], faults: [] };
	const figures = await runScenario(code, scenario);
	const all = await runScenario(code, scenario, { mayMerge: false });
	expect(all.ends).toBeGreaterThan(figures.ends);
	expect(all.broken).toEqual(figures.broken);
});

test('the model finds that a write that takes longer than the pause pays twice', async () => {
	const { broken } = await runScenario(code, SLOW_WRITES);
	expect(broken.map(({ what }) => what)).toContain('a: sent while it is under way');
});
