import { queryDatabase } from '../../host/testkit/database.ts';
import type { Json } from '../../host/n8n/client.ts';
import type { Stack } from '../../host/stack.ts';

/** The examples that each test file executes. `examples.test.ts` checks that none is missing. */
export const EXECUTED_BY = {
	'n8n/payouts': [
		'payouts-from-list',
		'payouts-from-table',
		'payouts-from-file',
		'request-a-payout',
		'agent-asks-for-payouts',
		'request-of-agent',
		'payout-by-chat',
		'payout-of-agent',
	],
	'n8n/goLive': ['go-live'],
	'n8n/mail': ['deposit-arrives', 'deposit-credits-customer', 'destination-reviewed'],
	'n8n/conversions': ['convert-at-rate', 'deposit-to-bank'],
	'n8n/payOnce': ['pay-once'],
	'n8n/ask': ['ask', 'ask-the-second', 'carry-out'],
	'n8n/events': ['book-an-event'],
	'n8n/reconcileAndAlerts': ['reconcile-each-morning', 'alerts-each-hour'],
};

/** The last test of such a file: n8n itself tells which workflows it has executed. What waits shows the answer. */
export function testExamplesOf(
	file: keyof typeof EXECUTED_BY,
	stack: Stack,
	query: (sql: string) => Promise<Json[]> | Json[] = (sql) => queryDatabase(stack, sql),
): void {
	test('the examples that this file is to execute have been executed', async () => {
		const executed = await query(
			`SELECT DISTINCT w.name FROM execution_entity e JOIN workflow_entity w ON w.id = e."workflowId"
			WHERE e.status IN ('success', 'waiting')`,
		);
		const wanted = EXECUTED_BY[file].map((example) => stack.example(example).name);
		expect(executed.map(({ name }) => name)).toEqual(expect.arrayContaining(wanted));
	});
}
