/** Short forms of the benches that need n8n. Other tests run at the same time, so no assertion here depends on speed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CATALOG } from '../../api/catalog.ts';
import * as action from '../../bench/actionBench.ts';
import * as growth from '../../bench/growthBench.ts';
import * as key from '../../bench/keyBench.ts';
import { Report } from '../../bench/results.ts';
import { countExecutions, countPublished } from '../../bench/shared/executions.ts';
import { elementAt } from '../../bench/shared/lists.ts';
import { prepare } from '../../bench/shared/payments/payer.ts';
import { RECEIVERS } from '../../bench/shared/receivers.ts';
import { LAZY_EXPRESSION_ENGINE, startTemporaryN8n } from '../../bench/shared/temporaryN8n.ts';
import type { TemporaryN8n } from '../../bench/shared/temporaryN8n.ts';
import { ACTION_NODE, node, TRIGGER_NODE } from '../../bench/shared/workflowParts.ts';
import * as trigger from '../../bench/triggerBench.ts';
import * as weight from '../../bench/weightBench.ts';
import { useStack } from './setup.ts';

jest.setTimeout(180_000);

const folder = mkdtempSync(join(tmpdir(), 'wallet-service-bench-test-'));
/** The other tests measure an n8n without the editor. */
const stack = useStack();
let host: TemporaryN8n;

beforeAll(async () => {
	host = await startTemporaryN8n(LAZY_EXPRESSION_ENGINE);
});

afterAll(async () => {
	await host?.stop();
	rmSync(folder, { recursive: true, force: true });
});

/** The figures of the rows with this name, in all tables of a report. */
function figures({ rows }: Report, what: string): number[] {
	return rows.filter((row) => row.what === what).flatMap(({ values }) => values);
}

function expectPositive(numbers: number[], count: number): void {
	expect(numbers).toHaveLength(count);
	for (const number of numbers) {
		expect(number).toBeGreaterThan(0);
		expect(number).toBeLessThan(Infinity);
	}
}

test('every delivery of the trigger bench is answered and executed', async () => {
	const report = new Report(trigger.triggerBench);
	await trigger.measure(host, report, trigger.SHORT, trigger.LAZY);
	const { length } = trigger.SHORT.clients;
	for (const name of RECEIVERS) {
		expectPositive(figures(report, `deliveries/s, ${name}`), length);
		// Times to the answer: of half of the answers, and of nine of ten.
		expectPositive(figures(report, name), 2);
	}
	for (const other of ['Null Trigger', 'Null Trigger, a credential', 'Webhook', 'Slack Trigger'])
		expectPositive(figures(report, `deliveries/s, ours to ${other}`), length);
});

test('the bench of growth reaches its numbers of workflows and of executions', async () => {
	const report = new Report(growth.growthBench);
	await growth.measureGrowth(host, report, growth.SHORT);
	expect(report.rows).toHaveLength(10);
	for (const { values } of report.rows) expectPositive(values, 2);
	expect(countPublished(host)).toBeGreaterThanOrEqual(10);
	expect(countExecutions(host)).toBeGreaterThanOrEqual(1000);
});

test('every item of the action bench is read or paid', async () => {
	const report = new Report(action.actionBench);
	await action.measure(host, report, action.SHORT);
	const [reads, payments] = [action.SHORT.items.read.length, action.SHORT.items.money.length];
	expectPositive(figures(report, 'items/s, ours to HTTP Request'), reads + payments);
	expectPositive(figures(report, 'items/s, ours to Code that signs + HTTP Request'), reads + payments);
	expectPositive(figures(report, 'items/s, ours to Loop Over Items + HTTP Request'), payments);
	expectPositive(figures(report, 'items/s, ours to Null Node'), reads);
});

test('the key bench: each payment is made, and each paid key is known when it runs again', async () => {
	await prepare(stack.sandbox);
	const report = new Report(key.keyBench);
	await key.measure(stack, report, key.SHORT);
	const { remembered, lists } = key.SHORT;
	expect(report.rows).toHaveLength(3 * lists.length + 3);
	const times = report.rows.filter(({ what }) => what.endsWith('ms a payment'));
	expectPositive(
		times.flatMap(({ values }) => values),
		lists.length * (1 + remembered.length),
	);
	expectPositive(figures(report, 's'), remembered.length);
	expectPositive(figures(report, 'ms, the longest time that n8n answers nobody'), remembered.length);
});

test('the nodes that benches make have the newest versions', async () => {
	const types = await stack.client.nodeTypes();
	for (const type of [ACTION_NODE, TRIGGER_NODE, 'n8n-nodes-base.set', '@n8n/n8n-nodes-langchain.agent']) {
		const versions = types.filter(({ name }) => name === type).flatMap(({ version }) => version);
		expect([type, node('A', type, {}).typeVersion]).toEqual([type, Math.max(...versions)]);
	}
});

test('the package loads with n8n’s own loader, and its tarball and descriptions are small', async () => {
	const report = new Report(weight.weightBench);
	report.table('');
	expect(await weight.loading(report, folder, 1)).toEqual(['walletService', 'walletServiceTrigger']);
	await weight.tarball(report);
	expect(report.misses.filter((miss) => miss.includes('tarball'))).toEqual([]);
	expectPositive(figures(report, 'KB of packed tarball'), 1);
	await weight.descriptions(report, stack.client);
	const bytes = (node: string) =>
		elementAt(figures(report, `KB of description for each operation, ${node}`), 0);
	expect(bytes('walletService')).toBeLessThan(bytes('stripe'));
	expect(figures(report, 'operations, walletService')).toEqual([CATALOG.length]);
});
