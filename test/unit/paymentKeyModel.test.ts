/** Payment Keys pay once in schedules of a model. `npm run soak -- paymentKeyModel` searches more of them. */
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

/** Runs the scenario. `maxStates`: how much of it; all of it if left out. */
async function expectUnbroken(scenario: Scenario, maxStates?: number) {
	const { broken, isComplete } = await runScenario(code, scenario, { maxStates });
	expect(broken).toEqual([]);
	if (maxStates === undefined) expect(isComplete).toBe(true);
}

const named = (scenarios: Scenario[]) =>
	scenarios.map((scenario): [string, Scenario] => [scenario.name, scenario]);

/** Keys that have nothing to do with each other are searched in part, because their schedules are many. */
const isOfTwoKeys = ({ name }: Scenario) => name === 'one process: two keys';
/** A decision and a run with Do Not Pay at the same time. */
const DECIDED = 'two processes, no fault: unknownMade, then wasNotPaid and doNotPay';

test.each(
	named([
		...ONE_PROCESS.oneKey.filter((scenario) => !isOfTwoKeys(scenario)),
		{ ...SLOW_WRITES, name: 'two processes, each accepted at once', slowWrites: false },
		...TWO_PROCESSES.oneKey.filter(({ name }) => name === DECIDED),
	]),
)('%s: all schedules', async (_, scenario) => await expectUnbroken(scenario));

test.each(
	named([
		...ONE_PROCESS.oneKey.filter(isOfTwoKeys),
		...ONE_PROCESS.twoKeys,
		...TWO_PROCESSES.oneKey,
		...TWO_PROCESSES.twoKeys,
	]),
)('%s: some schedules', async (_, scenario) => await expectUnbroken(scenario, 120));

test('the search finds the same when it does not merge equal states', async () => {
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
