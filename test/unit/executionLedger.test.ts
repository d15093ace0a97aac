/** What an execution has paid is known to its other runs and retries, and is listed in words. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { ExecutionLedger } from '../../nodes/WalletService/action/change/remember/ledger.ts';
import { listed } from '../../nodes/WalletService/action/change/report/runReport.ts';
import type { LedgerEntry } from '../../nodes/WalletService/action/change/remember/ledger.ts';
import { findStaleness } from '../../nodes/WalletService/action/change/pay/retryGuard.ts';
import { memoryRows } from './memoryRows.ts';

const ROUTE = 'POST /v1/fiat_payout';

const entry = (more: Partial<LedgerEntry> = {}) =>
	({ route: ROUTE, money: {}, itemIndex: 0, result: { ok: false }, ...more }) as LedgerEntry;

describe('a tool in a retried execution', () => {
	const stalenessOf = async (entries: LedgerEntry[], execution = 'failed') => {
		const nodeContext = {};
		const failed = new ExecutionLedger(nodeContext, 0, execution);
		failed.takeOver();
		for (const [item, each] of entries.entries()) failed.set(item, each);
		const context = {
			getExecutionId: () => 'retry',
			getMode: () => 'retry',
			getNode: () => ({ id: 'id', name: 'Pay out', type: 'n8n-nodes-wallet-service.walletServiceTool' }),
		} as unknown as IExecuteFunctions;
		const ledger = new ExecutionLedger(nodeContext, 0, 'retry');
		const failure = await findStaleness(context, ledger, () => Promise.resolve(memoryRows()), false);
		return failure?.message;
	};

	test('pays if no call has paid, and nothing after a call that may have paid', async () => {
		expect(await stalenessOf([])).toBeUndefined();
		// Its own calls.
		expect(await stalenessOf([entry()], 'retry')).toBeUndefined();
		const message = 'the execution that is retried has already called this tool';
		expect(await stalenessOf([entry()])).toContain(message);
	});
});

test('of an execution that failed before the payment, one retry pays, whatever order its steps have', async () => {
	const rows = memoryRows();
	const stalenessAfter = async (startTime: number) => {
		// An object has names that are numbers first.
		const runData = { Start: [{ startTime: 5, data: 'first' }], '7': [{ startTime, data: 'later' }] };
		const context = {
			getExecutionContext: () => ({ establishedAt: 4 }),
			getExecutionDataById: () => Promise.resolve({ resultData: { runData } }),
			getExecutionId: () => 'retry',
			getMode: () => 'retry',
			getNode: () => ({ id: 'id', name: 'Pay out', type: 'n8n-nodes-wallet-service.walletService' }),
		} as unknown as IExecuteFunctions;
		const ledger = new ExecutionLedger({}, 0, 'retry');
		return await findStaleness(context, ledger, () => Promise.resolve(rows), false);
	};
	expect(await stalenessAfter(8)).toBeUndefined();
	expect(await stalenessAfter(9)).toMatchObject({ message: expect.stringContaining('an earlier retry') });
	// An earlier version has made the same rows.
	const state = '[4,5,"first"]';
	const texts = ['without keys'];
	expect([...rows.table]).toEqual([
		[`retry ${state} id`, texts],
		[`retry ${state} Pay out`, texts],
	]);
});

describe('payments in words', () => {
	test('a payment has its unit, destination, key and ID; a conversion names its contract once', () => {
		const result = { ok: true as const, items: [], id: 'po_1' };
		const money = { amount: '12.50', currency: 'NGN', destination: 'supplier-main' };
		expect(
			listed([
				entry({ money, itemIndex: 3, result, paymentKey: 'INV-1' }),
				entry({ money: { amount: '5', currency: 'ic_usd_ngn', destination: 'ic_usd_ngn' } }),
				entry({ itemIndex: 4 }),
			]),
		).toBe('item 3: 12.50 NGN to supplier-main, key INV-1, ID po_1; item 0: 5 to ic_usd_ngn; item 4');
	});

	test('of more than 20 payments the others are numbers', () => {
		const many = (count: number) =>
			listed(Array.from({ length: count }, (_, itemIndex) => entry({ money: { amount: '1' }, itemIndex })));
		expect(many(20)).toMatch(/^item 0: 1; .*; item 19: 1$/);
		expect(many(24)).toMatch(/^item 0: 1; .*; item 19: 1; items 20 to 23$/);
	});
});
