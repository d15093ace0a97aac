/** What *pay once* decides about a row, by what the book says. */
import { PAYMENT_IDS } from '../../api/guesses/identifiers.ts';
import { run } from '../../examples/code/pay-once.decide.js';
import * as example from './exampleNodes.ts';
import { outputOf } from './outputOf.ts';

const { column: columns } = example.parametersOf('pay-once', 'Book').columns;

const wanted = {
	...{ paymentKey: 'INV-2', amount: '5', kind: 'fiat payout', asset: 'NGN', counterpart: 'supplier-main' },
	...{ currency: 'NGN', coin: '', destination: 'supplier-main', again: '', dryRun: false, problem: '' },
};
const row = { ...wanted, key: 'INV-2', amount: '-5', result: 'unknown', workflow: 'own', settle: '' };
const same = { ...row, key: 'INV-1', result: 'paid', reference: 'po_1', time: '2026-11-25T10:00:00.000Z' };

const items = (...all: object[]) => ({ ...outputOf(...all), params: { columns: { column: columns } } });

/** What *Decide* says of a row, of its rows in the book, and of rows with the same destination. */
function decided(more: object, own: object[], others: object[] = [], { unclear = 0, gone = [''] } = {}) {
	const outputs: Record<string, object> = {
		'Each row': items({ ...wanted, ...more }),
		'Look up': items(...(own.length > 0 ? own : [{}])),
		Book: items({ columns: columns.filter(({ name }) => !gone.includes(name)) }),
		'What happened': items({ unclear }),
	};
	const $ = (name: string) => outputs[name];
	return run({ $, $input: items(...others), $workflow: { id: 'own' } } as never)[0]!.json as unknown;
}

describe('a row that is wanted', () => {
	const given = { paymentKey: 'INV-1', amount: '5', currency: 'ngn ', destination: ' supplier-main' };
	const read = (field: string, more: object) =>
		example.fieldOf('pay-once', 'Wanted', field, { $json: { ...given, ...more } });

	test.each([[['INV-1']], [{ invoice: 'INV-1' }], [true], [2 ** 53], [1e21], [12.5]])(
		'is not sent with the key %j, which is no text or has lost digits',
		(paymentKey) => {
			expect(read('problem', { paymentKey })).toBe(
				`The paymentKey ${JSON.stringify(paymentKey)} is not text. Write it as text, so that nothing of it is lost.`,
			);
		},
	);

	test.each([
		[{ paymentKey: '  ' }, 'The row has no paymentKey.'],
		[{ amount: '' }, 'The row has no amount.'],
		[{ currency: '' }, 'The row needs a currency or a coin: one of the two.'],
		[{ coin: 'USDT' }, 'The row needs a currency or a coin: one of the two.'],
		[{ destination: '' }, 'The row has no destination.'],
		[{ amount: 12.5 }, 'The amount 12.5 is a number. Write it as text, so that no digit is lost.'],
		[{ paymentKey: 70_001 }, ''],
		[{}, ''],
	])('is not sent without what a payment needs: %j', (more, problem) => {
		expect(read('problem', more)).toBe(problem);
		const told = { next: 'tell', result: 'notSent', message: problem };
		if (problem) expect(decided({ problem }, [{ ...row, result: 'paid' }])).toMatchObject(told);
	});

	test('has a key, an asset and a dry run in any spelling', () => {
		const spellings = [
			"O'Neil - 7",
			'O\u2019NEIL \u2e3a 7',
			'o\u02bcneil\u00a0\u2013\u3000 7',
			'\uff2f\u2032Neil \u2212 7 ',
		];
		const keys = spellings.map((paymentKey) => read('paymentKey', { paymentKey }));
		expect(new Set(keys)).toEqual(new Set(["O'NEIL-7"]));
		expect(read('paymentKey', { paymentKey: 70_001 })).toBe('70001');
		expect([read('asset', {}), read('asset', { coin: ' usdt' }), read('kind', { coin: 'usdt' })]).toEqual([
			...['NGN', 'USDT', 'coin payout'],
		]);
		const isDry = (dryRun: unknown) => read('dryRun', { dryRun });
		expect([true, 'true', 1].map(isDry)).toEqual([true, true, true]);
		expect([undefined, null, '', false, 'false'].map(isDry)).not.toContain(true);
	});
});

describe('by the rows of its key', () => {
	test.each([
		[{ amount: '5.01' }, '5.01 NGN to supplier-main'],
		[{ asset: 'USD' }, '5 USD to supplier-main'],
		[{ kind: 'coin payout' }, '5 of the coin NGN to supplier-main'],
		[{ counterpart: 'supplier-new' }, '5 NGN to supplier-new'],
	])('another payment is refused, and what differs is said: %j', (more, words) => {
		for (const result of ['paid', 'unknown'])
			expect(decided(more, [{ ...row, result, settle: 'wasPaid' }])).toMatchObject({
				...{ next: 'tell', result: 'notSent' },
				message: `In the table, INV-2 is 5 NGN to supplier-main. This row says ${words}. One of the two is wrong. Nothing was sent.`,
			});
		// One that was not paid may be corrected.
		expect(decided(more, [{ ...row, result: 'rejected' }])).toMatchObject({ next: 'fiat' });
	});

	const others = { ...row, workflow: 'another' };
	const paid = { ...row, result: 'paid' };
	const told = { next: 'tell', result: 'unknown', message: expect.stringContaining('wasPaid or wasNotPaid') };
	const written = { next: 'write', result: 'alreadyPaid', says: { alreadyPaid: 'A person wrote wasPaid.' } };
	const word = (settle: string, more: object = row) => ({ ...more, settle });
	const refused = (result: string, settle: string) => ({
		...{ next: 'tell', result, message: expect.stringContaining(`says '${settle}'.`) },
	});
	const [added, withId] = [
		{ ...row, result: null },
		{ ...paid, reference: 'po_9' },
	];
	const dry = { dryRun: true };
	const otherWord = {
		next: 'tell',
		result: 'notSent',
		message: expect.stringContaining('The column result says'),
	};
	const failed = (status: string) => ({ ...withId, status });
	const sentBefore = (status: string) => ({
		...{ next: 'tell', result: 'notSent', status },
		message: `This was sent before, and its status is ${status}. To pay it again, use another key.`,
	});
	const keeps = (decision: string, ...results: string[]) => ({ next: 'fiat', decision, keeps: results });

	test.each<[what: string, more: object, own: object[], says: object]>([
		['nothing', {}, [], { next: 'fiat', decision: 'doNotPay', keeps: [] }],
		['coins', { coin: 'USDT', kind: 'coin payout', asset: 'USDT' }, [], { next: 'coin' }],
		['what a person added', {}, [word('', added)], { next: 'fiat', keeps: [] }],
		['paid', {}, [paid], { next: 'tell', result: 'alreadyPaid' }],
		['paid, in a dry run, with a word', dry, [word('wasNotPaid', paid)], { result: 'alreadyPaid' }],
		['Paid', {}, [{ ...row, result: 'Paid' }], otherWord],
		['paid and a space', {}, [{ ...row, result: 'paid ' }], otherWord],
		['alreadyPaid', {}, [{ ...row, result: 'alreadyPaid' }], otherWord],
		['paid and failed', {}, [failed('failed')], sentBefore('failed')],
		['paid and returned, in the words of a person', {}, [failed('Returned ')], sentBefore('Returned ')],
		['unknown', {}, [row], keeps('doNotPay', 'notSent', 'unknown')],
		['unknown to another workflow', {}, [others], told],
		['unknown to a workflow that the row does not name', {}, [{ ...others, workflow: '' }], told],
		['unknown to a workflow that the row has never named', {}, [{ ...others, workflow: null }], told],
		['unknown, in a dry run', dry, [row], told],
		['wasNotPaid, of another workflow', {}, [word('wasNotPaid', others)], keeps('wasNotPaid', 'notSent')],
		['wasNotPaid, in a dry run', dry, [word('wasNotPaid')], { next: 'fiat' }],
		['wasPaid', {}, [word('wasPaid')], written],
		['wasPaid, of another workflow, in a dry run', dry, [word('wasPaid', others)], written],
		['another word', {}, [word('paid')], refused('unknown', 'paid')],
		['a word where nothing is unknown', {}, [word('wasPaid', added)], refused('notSent', 'wasPaid')],
		['two, one with the ID', {}, [paid, withId], { result: 'alreadyPaid', payoutId: 'po_9' }],
		['two, one paid', {}, [row, paid], { result: 'alreadyPaid' }],
		['two, one with a word', {}, [row, word('wasPaid')], written],
	])('%s', (_, more, own, says) => {
		expect(decided(more, own)).toMatchObject(says);
	});

	test('after three unclear payments in a row only the word wasPaid acts', () => {
		const down = { unclear: 3 };
		const message = expect.stringMatching(
			/^Not sent, because the service gave no clear answer to 3 payments/,
		);
		const held = (result: string) => ({ next: 'tell', result, message });
		expect(decided({}, [], [], down)).toMatchObject(held('notSent'));
		expect(decided({}, [word('wasNotPaid')], [], down)).toMatchObject(held('unknown'));
		expect(decided({}, [word('wasPaid')], [], down)).toMatchObject(written);
		expect(decided({}, [paid], [], down)).toMatchObject({ result: 'alreadyPaid' });
		expect(decided({}, [], [same], down)).toMatchObject({ next: 'write', result: 'notSent' });
		expect(decided({}, [], [], { unclear: 2 })).toMatchObject({ next: 'fiat' });
	});

	test.each(columns)('without its column $name nothing is sent, and it is said', ({ name, type }) => {
		const message = `The table wallet_service_book has no column ${name} (${type}). Add it, then run this again. Nothing was sent.`;
		for (const own of [[], [row], [paid]])
			expect(decided({}, own, [], { gone: [name] })).toMatchObject({
				...{ next: 'tell', message, result: own[0] === row ? 'unknown' : 'notSent' },
			});
	});
});

test('a clear answer ends the count of unclear ones, and what was not sent or known before does not count', () => {
	const counts: number[] = [];
	const steps = [
		...['unknown', undefined, 'notSent', 'alreadyPaid', 'dryRun', 'known', 'unknown', 'rejected'],
		...['unknown', 'paid', 'unknown'],
	];
	for (const [$runIndex, step] of steps.entries()) {
		const $ = (node: string) =>
			items(node === 'Decide' ? { keeps: step === 'known' ? ['unknown'] : [] } : { unclear: counts.at(-1) });
		const $json = { result: step === 'known' ? 'unknown' : step };
		counts.push(example.fieldOf('pay-once', 'What happened', 'unclear', { $, $json, $runIndex }) as number);
	}
	expect(counts).toEqual([1, 2, 2, 2, 2, 2, 3, 0, 1, 0, 1]);
});

const unknown = [{ id: 1, result: 'unknown' }];
test.each<[what: string, isWritten: boolean, result: string, more?: object]>([
	['a payment', true, 'paid', { later: unknown }],
	['a payment in a dry run', false, 'paid', { dryRun: true }],
	['a dry run', false, 'dryRun', { dryRun: true }],
	['a row that is missing', true, 'alreadyPaid'],
	['a row that came meanwhile', false, 'alreadyPaid', { later: unknown }],
	['what is still unknown', false, 'unknown', { keeps: ['notSent', 'unknown'] }],
	['what is unknown again', true, 'unknown', { keeps: ['notSent'], before: unknown, later: unknown }],
	['the word of a person, and it cannot be sent', false, 'notSent', { keeps: ['notSent'] }],
	['a rejection, and an unknown row came meanwhile', true, 'rejected', { later: unknown }],
	['a rejection, and a paid row came meanwhile', false, 'rejected', { later: [{ result: 'paid' }] }],
])('%s is written: %j', (_, isWritten, result, more = {}) => {
	const none = { keeps: [], dryRun: false, before: [{}], later: [{}] };
	const { keeps, dryRun, before, later } = { ...none, ...more };
	const outputs: Record<string, object> = {
		...{ 'Each row': items({ dryRun }), Decide: items({ keeps }), 'What happened': items({ result }) },
		...{ 'Look up': items(...before), 'Look again': items(...later) },
	};
	const isDry = example.valueOf(example.parametersOf('pay-once', 'Write the result').options.dryRun, {
		$: (name: string) => outputs[name],
	});
	expect(isDry).toBe(!isWritten);
});

test.each([
	['alreadyPaid', ['po_7', 'successful']],
	['rejected', ['', '']],
])('a row that is %s then has this ID and status of the try before: %j', (result, has) => {
	const outputs: Record<string, object> = {
		...{ 'Each row': items(wanted), Decide: items({ tried: { reference: 'po_7', status: 'successful' } }) },
		'What happened': items({ result, payoutId: '', status: '' }),
	};
	const { value } = example.parametersOf('pay-once', 'Write the result').columns;
	const context = { $: (name: string) => outputs[name] };
	expect([value.reference!, value.status!].map((text) => example.valueOf(text, context))).toEqual(has);
});

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
	expect(decided({ dryRun: true }, [], [same])).toMatchObject({ next: 'write', result: 'notSent' });
	// A word about one that is not known still acts beside another.
	expect(decided({}, [{ ...row, settle: 'wasNotPaid' }], [same])).toMatchObject({ next: 'fiat' });
});

test.each<[what: string, sameAs: string, other: object]>([
	['one that is not known', 'INV-1 (perhaps paid on 2026-11-25)', { result: 'unknown', reference: '' }],
	['one in another spelling', 'INV-1 (paid on 2026-11-25)', { amount: '-5.00' }],
	[
		'a row that a person added',
		'INV-1 (paid on 2026-11-25)',
		{ time: null, reference: null, createdAt: same.time },
	],
	['one in small letters', 'INV-1 (paid on 2026-11-25)', { asset: 'ngn ' }],
	['another amount', '', { amount: '-5.01' }],
	['another currency', '', { asset: 'USD' }],
	['one that failed', '', { status: 'failed' }],
	['one that was rejected', '', { result: 'rejected', reference: '' }],
	['one that was not sent', '', { result: 'notSent', reference: '' }],
	['an update without an order', '', { result: '' }],
])('beside %s it is held because of: %j', (_, sameAs, other) => {
	const next = sameAs ? 'write' : 'fiat';
	expect(decided({}, [], [{ ...same, ...other }])).toMatchObject({ next, sameAs });
});

test.each([
	...['Yes', 'yes, the same as INV-0 (paid on 2026-11-20)'].map((again) => [again, 'fiat']),
	...['no', 'yesterday', 'INV-1'].map((again) => [again, 'write']),
])('again says %j: %s', (again, next) => expect(decided({ again }, [], [same])).toMatchObject({ next }));

test('a yes to one of the same payments is none to a newer one', () => {
	const again = 'INV-1 (paid on 2026-11-25)';
	expect(decided({ again }, [], [same])).toMatchObject({ next: 'fiat', sameAs: again });
	expect(decided({ again }, [], [same, { ...same, key: 'INV-3' }])).toMatchObject({
		...{ next: 'write', result: 'notSent', sameAs: 'INV-3 (paid on 2026-11-25)' },
	});
});

test('the ID of a payout in coins is kept under each name that proves the payment, so that its updates find it', () => {
	const payoutId = ($json: object) => example.fieldOf('pay-once', 'What happened', 'payoutId', { $json });
	// The hash of a transaction is no ID: an update has both.
	for (const name of PAYMENT_IDS.filter((each) => !['payout_id', 'tx_hash'].includes(each)))
		expect(payoutId({ result: 'paid', [name]: 'cp_1' })).toBe('cp_1');
	expect(payoutId({ result: 'paid', tx_hash: 'ab' })).toBe('');
	expect(payoutId({ result: 'unknown', id: 'cp_1', error: 'x' })).toBe('');
});
