/** What an execution has paid is known to its other runs and retries, and is listed in words. */
import { Journal } from '../../nodes/WalletService/payments/guards/journal.ts';
import { listed } from '../../nodes/WalletService/payments/report.ts';
import type { JournalEntry } from '../../nodes/WalletService/payments/guards/journal.ts';

const ROUTE = 'POST /v1/fiat_payout';

const entry = (more: Partial<JournalEntry> = {}) =>
	({ route: ROUTE, money: {}, itemIndex: 0, result: { ok: false }, ...more }) as JournalEntry;

const keyOf = (written: string) => ({ written, compared: written.toLowerCase(), sent: written });

const place = { executionId: '1', runIndex: 0 };

describe('an execution that n8n runs again', () => {
	const stored = entry({ key: keyOf('INV-1') });

	test('an entry decides in its own execution; in a retry, what is unknown is asked by its key', () => {
		const nodeContext = {};
		const journal = new Journal(nodeContext, place);
		journal.set(0, stored);
		journal.set(1, entry());
		journal.set(2, entry({ key: keyOf('INV-2'), result: { ok: true, items: [] } }));
		expect([0, 1, 2, 3].map((item) => journal.isFinal(item))).toEqual([true, true, true, false]);
		const retry = new Journal(nodeContext, { ...place, executionId: '2' });
		expect([0, 1, 2, 3].map((item) => retry.isFinal(item))).toEqual([false, true, true, false]);
	});

	test('a tool of a retry has no entry of the calls before it, and counts them in its total', () => {
		const nodeContext = {};
		new Journal(nodeContext, { ...place, isTool: true }).set(0, stored);
		const retry = new Journal(nodeContext, { executionId: '2', runIndex: 0, isTool: true });
		expect(retry.get(0)).toBeUndefined();
		retry.set(0, stored);
		expect(retry.all()).toHaveLength(2);
		expect(retry.ofThisRun('unknown')).toHaveLength(1);
	});

	test('nothing was tried until an entry stands in some run, or once each was taken out again', () => {
		const nodeContext = {};
		const [first, second] = [0, 1].map((runIndex) => new Journal(nodeContext, { ...place, runIndex }));
		expect(first!.isEmpty).toBe(true);
		first!.set(0, stored);
		first!.set(1, stored);
		expect([first!.isEmpty, second!.isEmpty]).toEqual([false, false]);
		first!.delete(0);
		second!.delete(1);
		expect([first!.isEmpty, second!.isEmpty]).toEqual([false, false]);
		first!.delete(1);
		expect([first!.isEmpty, second!.isEmpty]).toEqual([true, true]);
	});

	test('what this run has paid stands apart from what it may have paid', () => {
		const ledger = new Journal({}, place);
		const paid = entry({ result: { ok: true, items: [] } });
		ledger.set(0, stored);
		ledger.set(1, paid);
		expect(ledger.ofThisRun('accepted')).toMatchObject([paid]);
		expect(ledger.ofThisRun('unknown')).toMatchObject([stored]);
	});

	test('each ID is taken once by route, in all runs', () => {
		const nodeContext = {};
		const [first, second] = [0, 1].map((runIndex) => new Journal(nodeContext, { ...place, runIndex }));
		expect(first!.takeId(ROUTE, 'po_1')).toBe(true);
		expect(second!.takeId(ROUTE, 'po_1')).toBe(false);
		expect(second!.takeId(ROUTE, 'po_2')).toBe(true);
		expect(second!.takeId('POST /v1/crypto_payout', 'po_1')).toBe(true);
	});

	test('answers that are not clear are counted over the runs of a loop, and not those of the execution before', () => {
		const nodeContext = {};
		const journalOf = (executionId: string, runIndex: number) =>
			new Journal(nodeContext, { executionId, runIndex });
		journalOf('1', 0).countAnswer({ isClear: false });
		journalOf('1', 1).countAnswer({ isClear: false });
		expect(journalOf('1', 2).unclearInARow).toBe(2);
		expect(journalOf('2', 0).unclearInARow).toBe(0);
		journalOf('1', 2).countAnswer({ isClear: true });
		expect(journalOf('1', 3).unclearInARow).toBe(0);
	});
});

describe('payments in words', () => {
	test('a payment has its unit, destination, key and ID; a conversion names its contract once', () => {
		const result = { ok: true as const, items: [], id: 'po_1' };
		const money = { amount: '12.50', currency: 'NGN', destination: 'supplier-main' };
		expect(
			listed([
				entry({ money, itemIndex: 3, result, key: keyOf('INV-1') }),
				entry({ money: { amount: '5', currency: 'ic_usd_ngn', destination: 'ic_usd_ngn' } }),
				entry({ itemIndex: 4 }),
			]),
		).toBe('item 4: 12.50 NGN to supplier-main, key INV-1, ID po_1; item 1: 5 to ic_usd_ngn; item 5');
	});

	test('of more than 20 payments the others are numbers', () => {
		const many = (count: number) =>
			listed(Array.from({ length: count }, (_, itemIndex) => entry({ money: { amount: '1' }, itemIndex })));
		expect(many(20)).toMatch(/^item 1: 1; .*; item 20: 1$/);
		expect(many(24)).toMatch(/^item 1: 1; .*; item 20: 1; items 21 to 24$/);
	});
});
