/** What *pay once* decides about a row, by what the book says. */
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { PAYMENT_IDS } from '../../api/answers.ts';
import { run } from '../../examples/code/pay-once.decide.js';

const wanted = {
	...{ paymentKey: 'INV-2', amount: '5', kind: 'fiat payout', asset: 'NGN', counterpart: 'supplier-main' },
	...{ currency: 'NGN', coin: '', destination: 'supplier-main', again: '', dryRun: false, problem: '' },
};
const row = { ...wanted, key: 'INV-2', amount: '-5', result: 'unknown', workflow: 'own', settle: '' };
const same = { ...row, key: 'INV-1', result: 'paid', reference: 'po_1', time: '2026-11-25T10:00:00.000Z' };

/** What *Decide* says of a row, of its rows in the book, and of rows with the same destination. */
function decided(more: object, own: object[], others: object[]) {
	const items = (...all: object[]) => ({
		...{ isExecuted: true, params: { columns: { column: [] } } },
		all: () => all.map((json) => ({ json })),
		first: () => ({ json: all[0] }),
	});
	const nodes: Record<string, object> = {
		'Each row': items({ ...wanted, ...more }),
		'Look up': items(...(own.length > 0 ? own : [{}])),
		Book: items({ columns: [] }),
		'What happened': { isExecuted: false },
	};
	const $ = (name: string) => nodes[name];
	return run({ $, $input: items(...others), $workflow: { id: 'own' } } as never)[0]!.json as unknown;
}

test('what is held is written: a list that ends at the next row must not take this one for it', () => {
	expect(decided({}, [], [same])).toMatchObject({
		...{ next: 'write', result: 'notSent', sameAs: 'INV-1 (paid on 2026-11-25)' },
		...{ keeps: [], tried: {} },
		says: {
			notSent: expect.stringMatching(/^The same payment has another key: INV-1 .* Nothing was sent\.$/),
		},
	});
	// n8n takes an item with an error for a failed try, and runs the node three times more, after five seconds each.
	expect(decided({}, [], [same])).not.toHaveProperty('error');
	expect(decided({ again: 'Yes' }, [], [same])).toMatchObject({ next: 'fiat' });
	expect(decided({}, [], [{ ...same, status: 'failed' }])).toMatchObject({ next: 'fiat', sameAs: '' });
});

test.each(['yes', 'YES', 'yes, the same as INV-0 (paid on 2026-11-20)'])('%j means any of them', (again) => {
	expect(decided({ again }, [], [same])).toMatchObject({ next: 'fiat' });
});

test.each(['', 'no', 'yesterday', 'true', 'INV-1'])('%j means none of them', (again) => {
	expect(decided({ again }, [], [same])).toMatchObject({ next: 'write', result: 'notSent' });
});

test('a yes to one of the same payments is none to a newer one', () => {
	const again = 'INV-1 (paid on 2026-11-25)';
	expect(decided({ again }, [], [same])).toMatchObject({ next: 'fiat', sameAs: again });
	expect(decided({ again }, [], [same, { ...same, key: 'INV-3' }])).toMatchObject({
		...{ next: 'write', result: 'notSent', sameAs: 'INV-3 (paid on 2026-11-25)' },
	});
});

test('the ID of a payout in coins is kept under each name that proves the payment, so that its updates find it', () => {
	const { nodes } = JSON.parse(readFileSync('examples/pay-once.json', 'utf8')) as {
		nodes: Array<{ name: string; parameters: { assignments: { assignments: object[] } } }>;
	};
	const { assignments } = nodes.find(({ name }) => name === 'What happened')!.parameters.assignments;
	const { value } = (assignments as Array<{ name: string; value: string }>).find(
		({ name }) => name === 'payoutId',
	)!;
	const payoutId = ($json: object) =>
		runInNewContext(value.replace(/^=\{\{|\}\}$/g, ''), { $json }) as string;
	// The hash of a transaction is no ID: an update has both.
	for (const name of PAYMENT_IDS.filter((each) => !['payout_id', 'tx_hash'].includes(each)))
		expect(payoutId({ result: 'paid', [name]: 'cp_1' })).toBe('cp_1');
	expect(payoutId({ result: 'paid', tx_hash: 'ab' })).toBe('');
	expect(payoutId({ result: 'unknown', id: 'cp_1', error: 'x' })).toBe('');
});
