/** What an example does with rows of its tables, also with those that a person has written. */
import { run as answer } from '../../examples/code/payouts-file-4-settle.answer.js';
import { run as question } from '../../examples/code/payouts-file-4-settle.question.js';
import { run as reportOfTable } from '../../examples/code/payouts-from-table.report.js';
import { outputOf } from './outputOf.ts';
import { parametersOf, valueOf } from './exampleNodes.ts';

/** Whether the Data Table node of an example finds a row. */
function finds(example: string, node: string, context: object, row: Record<string, unknown>): boolean {
	const { filters, matchType } = parametersOf(example, node);
	const read = (text = '') => (text.startsWith('=') ? valueOf(text, context) : text);
	const fits = filters.conditions.map(
		({ keyName, keyValue }) => (row[read(keyName) as string] ?? '') === read(keyValue),
	);
	return matchType === 'anyCondition' ? fits.includes(true) : !fits.includes(false);
}

test.each<[what: string, more: object, isFound: boolean]>([
	['the try that was asked about', {}, true],
	['a newer try, about which nobody was asked', { execution: '6' }, false],
	['what is known by now', { result: 'paid' }, false],
	['another row', { id: 8 }, false],
])('an answer about an unknown payment is written beside %s: %j', (_, more, isFound) => {
	const asked = { id: 7, execution: '5', settle: 'wasNotPaid' };
	const row = { id: 7, execution: '5', result: 'unknown', ...more };
	expect(finds('payouts-file-4-settle', 'Write the answer', { $json: asked }, row)).toBe(isFound);
});

test('a number means the same row in all questions, and its payment is sent under the key as it was written', () => {
	const book = ['A', 'B', 'C'].map((key, id) => ({
		...{ id, key, kind: 'fiat payout', asset: 'NGN', amount: `-${id + 5}`, counterpart: 'supplier-main' },
		...{ result: 'unknown', execution: '7', message: '', time: null },
	}));
	const asked = outputOf(...['a', 'b', 'B', 'c'].map((paymentKey) => ({ paymentKey })));
	const ask = (...rows: object[]) =>
		question({ $: () => asked, $input: outputOf(...rows), $now: {}, DateTime: {} } as never)[0]!.json;
	expect(ask(...book).text).toMatch(
		/^Row 1: 5 NGN .*\nRow 2: 6 NGN .* key b, .*\nRow 4: 7 NGN .* key c, .*\nWhy/,
	);
	const second = ask({ ...book[0]!, result: 'paid' }, ...book.slice(1));
	expect(second.text).toMatch(/^Row 2: 6 NGN .*\nRow 4: 7 NGN/);
	// The person still has the first mail, or goes back to its page.
	const input = outputOf({ Answer: 'It was not paid: pay now', Rows: '2' });
	const answers = answer({ $: () => outputOf(second), $input: input } as never).map(({ json }) => json);
	expect(answers).toMatchObject([{ id: 1, settle: 'wasNotPaid' }]);
	const { paymentKey } = parametersOf('payouts-file-4-settle', 'Pay once').workflowInputs.value;
	const context = { $json: { id: 1, key: 'B' }, $: () => outputOf(...answers) };
	expect(valueOf(paymentKey!, context)).toBe('b');
});

test.each<[what: string, result: string, row: object, isFound: boolean]>([
	['paid', 'paid', {}, true],
	['unknown', 'unknown', {}, true],
	['unknown and is known by now', 'paid', { result: 'unknown' }, false],
	['paid by another workflow, whose key is another one', 'paid', { workflow: 'other' }, false],
	['unknown to another workflow', 'unknown', { workflow: 'other', result: 'unknown' }, false],
])('the chat finds its payment in the book if it was %s', (_, result, more, isFound) => {
	const context = { $json: { key: 'INV-7', result }, $workflow: { id: 'chat' } };
	const row = { key: 'INV-7', workflow: 'chat', result: 'paid', ...more };
	expect(finds('payout-by-chat', 'Not in the book', context, row)).toBe(isFound);
});

test.each([
	...['', null, 'notSent', 'rejected', 'unknown', 'dryRun'].map((result) => ({ result, isPaid: true })),
	...['paid', 'alreadyPaid', 'Paid', 'paid ', 'done'].map((result) => ({ result, isPaid: false })),
])('a row of the table of payouts is handed over: %j', ({ result, isPaid }) => {
	expect(finds('payouts-from-table', 'Payouts to make', {}, { result })).toBe(isPaid);
});

test('a space behind an amount of the table is in no total', () => {
	const row = { invoice: 'INV-1', currency: 'NGN', amount: '1250.50 ', result: 'paid', payout_id: 'po_1' };
	const [report] = reportOfTable({ $input: outputOf(row, { ...row, amount: '1' }) } as never);
	expect(report!.json.totals).toEqual({ NGN: '1251.50' });
});

describe('a list that is approved', () => {
	const now = '2026-11-25T10:00:00.000Z';
	const ago = (minutes: number) => new Date(Date.parse(now) - minutes * 60_000).toISOString();

	test.each([
		['', 'paying'],
		['second@example.com', 'asked'],
	])('with the second person %j it is taken at once, and its state is %s', (second, state) => {
		const nodes: Record<string, object> = { Question: outputOf({ second, people: 'first@example.com' }) };
		const context = { $: (name: string) => nodes[name], $now: { toISO: () => now }, $execution: { id: '5' } };
		const { value } = parametersOf('payouts-file-2-pay', 'Take').columns;
		const written = Object.entries(value).map(([name, text]) => [name, valueOf(text, context)]);
		const people = { approver: 'first@example.com', execution: '5' };
		expect(Object.fromEntries(written)).toEqual({ state, taken: now, ...people });
	});

	test.each<[what: string, taken: number, rows: number[], hasPaid: boolean, told: string[]]>([
		['it was paid here', 30, [30], true, ['This execution']],
		['it has stood still for more than ten minutes', 30, [29, 11], false, ['Nobody any more']],
		['it has written nothing for more than ten minutes', 11, [], false, ['Nobody any more']],
		['it has been paid for half an hour, and goes on', 30, [29, 9], false, []],
		['it has just begun', 9, [], false, []],
	])('when %s, its result is told by the right one', (_, taken, rows, hasPaid, told) => {
		const nodes: Record<string, object> = {
			'Pay once': { isExecuted: hasPaid },
			'List of the table': outputOf({ taken: ago(taken) }),
			Book: outputOf(...rows.map((minutes) => ({ time: ago(minutes) }))),
		};
		const context = {
			$: (name: string) => nodes[name],
			Date: { parse: Date.parse, now: () => Date.parse(now) },
		};
		const outputs = parametersOf('payouts-file-2-pay', 'Who tells?').rules.values.filter(({ conditions }) =>
			conditions.conditions.every(({ leftValue }) => valueOf(leftValue, context) === true),
		);
		expect(outputs.map(({ outputKey }) => outputKey)).toEqual(told);
	});
});
