/** Short forms of the benches that need n8n. Other tests run at the same time, so no assertion here depends on speed. */
import * as key from '../../bench/keyBench.ts';
import { RECEIVERS } from '../../bench/receivers.ts';
import { Report } from '../../bench/results.ts';
import * as trigger from '../../bench/triggerBench.ts';
import { prepare } from '../../host/testkit/payments.ts';
import { ACTION_NODE, LANGCHAIN, node, TRIGGER_NODE } from '../../host/testkit/workflows.ts';
import { useOwnStack, useStack } from './setup.ts';

jest.setTimeout(180_000);

const stack = useStack();
const withNullNodes = useOwnStack(() => trigger.startWithNullNodes(trigger.LAZY.env));

function expectPositive({ rows }: Pick<Report, 'rows'>): void {
	for (const number of rows.flatMap(({ values }) => values).filter((value) => !Number.isNaN(value))) {
		expect(number).toBeGreaterThan(0);
		expect(number).toBeLessThan(Infinity);
	}
}

test('every delivery of the trigger bench is answered and executed', async () => {
	const report = new Report(trigger.triggerBench);
	await trigger.measure(withNullNodes, report, trigger.SHORT, trigger.LAZY);
	expect(report.rows.map(({ what }) => what)).toEqual([
		'deliveries/s, Wallet Service Trigger',
		...RECEIVERS.slice(1).map((name) => `ours to ${name}`),
		'processor time, to Null Trigger, a credential',
	]);
	expectPositive(report);
});

test('the key bench: each payment is made, and each paid key is known when it runs again', async () => {
	await prepare(stack.sandbox);
	const report = new Report(key.keyBench);
	await key.measure(stack, report, key.SHORT);
	expect(report.rows).toHaveLength(2 * key.SHORT.lists.length + 3);
	expectPositive({ rows: report.rows.filter(({ what }) => /a payment$|^s$|nobody$/.test(what)) });
});

test('the nodes that benches and tests make have the newest versions', async () => {
	const types = await stack.client.nodeTypes();
	for (const type of [ACTION_NODE, TRIGGER_NODE, 'n8n-nodes-base.set', `${LANGCHAIN}.agent`]) {
		const versions = types.filter(({ name }) => name === type).flatMap(({ version }) => version);
		expect([type, node('A', type).typeVersion]).toEqual([type, Math.max(...versions)]);
	}
});
