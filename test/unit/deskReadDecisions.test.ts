/** *Read Decisions*: what a person decides about unknown payments. What is in doubt decides nothing. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { tryToParseJsonToFormFields } from 'n8n-workflow';

import { reportList } from '../../nodes/WalletServiceDesk/list/report/reportList.ts';
import type { ReportRow } from '../../nodes/WalletServiceDesk/list/report/reportList.ts';
import { readDecisions } from '../../nodes/WalletServiceDesk/list/decisions/readDecisions.ts';
import { settleForm } from '../../nodes/WalletServiceDesk/list/report/settleForm.ts';
import { DeskProblem } from '../../nodes/WalletServiceDesk/operation/problem.ts';
import { AT } from './reportItems.ts';

const [PAID, PAY, LATER] = ['It was paid', 'It was not paid: pay it now', 'I do not know yet'];

const unknown = (paymentKey: string, more: Partial<ReportRow> = {}): ReportRow => ({
	...{ paymentKey, amount: '1250.50', currency: 'NGN', destination: 'supplier-main', note: 'Rent' },
	...{ result: 'unknown', message: 'The service gave no answer.', problems: [] },
	...more,
});

interface Field {
	fieldLabel: string;
	fieldName: string;
	fieldType: string;
	requiredField: boolean;
	fieldOptions: { values: Array<{ option: string }> };
}

const fieldsOf = (rows: ReportRow[]) => JSON.parse(settleForm(rows)) as Field[];
const labelsOf = (rows: ReportRow[]) => fieldsOf(rows).map(({ fieldLabel }) => fieldLabel);

describe('the form', () => {
	test('it asks about each unknown payment by itself, and nothing is answered beforehand', () => {
		const rows = [unknown('INV-7'), { ...unknown('INV-8'), result: 'paid' as const }, unknown('INV-9')];
		const [first, ...others] = fieldsOf(rows);
		expect(first).toEqual({
			fieldLabel: '1: INV-7, 1,250.50 NGN to supplier-main',
			fieldName: '1: INV-7, 1,250.50 NGN to supplier-main',
			fieldType: 'dropdown',
			fieldOptions: { values: [{ option: PAID }, { option: PAY }, { option: LATER }] },
			requiredField: true,
		});
		expect(others.map(({ fieldLabel }) => fieldLabel)).toEqual(['2: INV-9, 1,250.50 NGN to supplier-main']);
		expect(settleForm([])).toBe('[]');
	});

	test.each<[string, Partial<ReportRow>]>([
		['no key', { paymentKey: '' }],
		['a key without a value', { paymentKey: 'INV-undefined' }],
		['no amount', { amount: '' }],
		['an amount that cannot be read', { amount: '1,5' }],
		['nothing to pay', { amount: '0.00' }],
		['no destination', { destination: '' }],
		['no currency', { currency: undefined }],
	])('nobody is asked about a payment with %s', (_, more) => {
		expect(settleForm([unknown('INV-7', more)])).toBe('[]');
	});

	test('n8n takes it, and no text of a payment changes a field', () => {
		const texts = [
			'<b>',
			'{{ $env }}',
			'"},{"a":"',
			'\\u0022',
			"$&$'$`$$",
			'a\nb',
			'\u202ea',
			'x'.repeat(5000),
			'&lt;',
		];
		const rows = texts.map((text) =>
			unknown(`INV-7 ${text}`.slice(0, 60), { destination: text, currency: 'NGN' }),
		);
		const form = settleForm([unknown('INV <$1>'), ...rows]);
		// What n8n does with an expression that gives this text.
		const resolved = '{{ $json.settleForm }}'.replace('{{ $json.settleForm }}', form);
		const fields = tryToParseJsonToFormFields(resolved);
		expect(fields).toEqual(JSON.parse(form));
		const labels = fields.map(({ fieldLabel }) => fieldLabel);
		expect(new Set(labels).size).toBe(labels.length);
		for (const label of labels) expect(label).toMatch(/^\d+: INV[^<>{}\\"\n\u202e&]*$/);
		expect(labels[0]).toBe('1: INV ‹$1›, 1,250.50 NGN to supplier-main');
	});
});

describe('an answer', () => {
	const rows = ['INV-1', 'INV-2', 'INV-3'].map((key) => unknown(key));
	const [first = '', second = '', third = ''] = labelsOf(rows);
	const settle = (answer: IDataObject, list: unknown = rows) => readDecisions({ answer, rows: list });
	const decided = (answer: IDataObject, list?: unknown) =>
		settle(answer, list).map(({ paymentKey, decision }) => [paymentKey, decision]);

	test('it is the row and the decision of the person', () => {
		expect(settle({ data: { [first]: PAID, [second]: PAY, [third]: LATER, respondedAt: 'now' } })).toEqual([
			{ ...rows[0], decision: 'wasPaid' },
			{ ...rows[1], decision: 'wasNotPaid' },
		]);
	});

	test.each<[string, IDataObject, unknown]>([
		[
			'at the top',
			{ [first]: PAID, [second]: LATER, [third]: PAY, submittedAt: 'now', formMode: 'test' },
			rows,
		],
		['in another order', { data: { [third]: PAY, [second]: LATER, [first]: PAID } }, rows],
		['with rows as JSON text', { data: { [first]: PAID, [third]: PAY } }, JSON.stringify(rows)],
		[
			'with fields of the author',
			{ data: { [first]: PAID, [third]: PAY, Comment: 'I have looked', approved: true } },
			rows,
		],
		['with a field twice', { [first]: PAID, [third]: PAY, data: { [first]: PAID, [third]: PAY } }, rows],
		['with spaces', { data: { [first]: ` ${PAID} `, [third]: PAY } }, rows],
	])('%s is read', (_, answer, list) => {
		expect(Object.fromEntries(decided(answer, list))).toEqual({ 'INV-1': 'wasPaid', 'INV-3': 'wasNotPaid' });
		expect(decided(answer, list)).toHaveLength(2);
	});

	test.each<[string, IDataObject]>([
		['who does not know yet', { data: { [first]: LATER, [second]: LATER } }],
		['who has not answered', { data: { [first]: null, [second]: '' } }],
	])('%s decides nothing', (_, answer) => expect(settle(answer)).toEqual([]));

	test.each<[string, IDataObject, string]>([
		['no answer', {}, 'has no answer about a payment of these rows'],
		['an approval', { data: { approved: true } }, 'has no answer about a payment of these rows'],
		['data that is no object', { data: PAY }, 'names no unknown payment'],
		['a number alone', { data: { '1': PAY } }, 'names no unknown payment'],
		[
			'a payment of another report',
			{ data: { [first]: PAID, '1: INV-9, 5 NGN to x': PAY } },
			'names no unknown payment',
		],
		[
			'a payment of another report, unanswered',
			{ data: { [first]: PAID, '1: INV-9, 5 NGN to x': null } },
			'names no unknown payment',
		],
		[
			'the place of another payment',
			{ data: { [first.replace('1:', '2:')]: PAID } },
			'names no unknown payment',
		],
		[
			'the key of another payment',
			{ data: { [first.replace('INV-1', 'INV-2')]: PAID } },
			'names no unknown payment',
		],
		['a word in small letters', { data: { [first]: 'it was paid' } }, 'is none of the choices'],
		['a decision in place of its words', { data: { [first]: 'wasNotPaid' } }, 'is none of the choices'],
		['the name of a method', { data: { [first]: 'constructor' } }, 'is none of the choices'],
		['a list', { data: { [first]: [PAID] } }, 'is none of the choices'],
		['two words', { data: { [first]: [PAID, PAY] } }, 'is none of the choices'],
		['yes', { data: { [first]: true } }, 'is none of the choices'],
		['two words for one field', { [first]: PAID, data: { [first]: PAY } }, 'say different things'],
		['knowing and not knowing', { [first]: PAID, data: { [first]: LATER } }, 'say different things'],
	])('%s decides nothing at all, and says why', (_, answer, message) => {
		const act = () => settle({ ...answer });
		expect(act).toThrow(DeskProblem);
		expect(act).toThrow(message);
		expect(act).toThrow(/othing was decided/);
		try {
			act();
		} catch (error) {
			expect((error as DeskProblem).description).toMatch(/\w/);
		}
	});

	test.each<[string, unknown]>([
		['undefined', undefined],
		['no JSON', 'x'],
		['an object', {}],
		['rows without keys', [{ amount: '5' }]],
		['texts', ['INV-1']],
		['a row among others', [...rows, { ...rows[0], amount: 5 }]],
	])('rows that are %s are not those of a report', (_, list) => {
		expect(() => settle({ data: { [first]: PAID } }, list ?? null)).toThrow(
			"'Rows of the Report' is not the list",
		);
	});

	test('one key is one payment, however often and in whatever spelling the list has it', () => {
		const twice = [unknown('INV-1'), unknown('inv - 1')];
		const [one = '', other = ''] = labelsOf(twice);
		expect([one, other]).toEqual([
			'1: INV-1, 1,250.50 NGN to supplier-main',
			'2: inv - 1, 1,250.50 NGN to supplier-main',
		]);
		expect(() => settle({ data: { [one]: PAID, [other]: PAY } }, twice)).toThrow('say different things');
		expect(() => settle({ data: { [one]: PAY, [other]: LATER } }, twice)).toThrow('say different things');
		expect(settle({ data: { [one]: PAY, [other]: PAY } }, twice)).toHaveLength(2);
		expect(decided({ data: { [one]: PAID, [other]: null } }, twice)).toEqual([['INV-1', 'wasPaid']]);
	});

	test('a report with nothing unknown has nothing to settle', () => {
		expect(settle({ data: { approved: true } }, [{ ...rows[0], result: 'paid' }])).toEqual([]);
	});
});

test('what the form of a report says is what Read Decisions reads, for any payments and answers', () => {
	const text = fc.string({ unit: 'binary', maxLength: 30 });
	const item = fc.record({
		result: fc.constantFrom('paid', 'unknown', 'unknown'),
		paymentKey: fc.nat().map((number) => `INV-${number + 1}`),
		amount: fc.integer({ min: 1, max: 9999 }).map(String),
		currency: fc.constantFrom('NGN', 'usd'),
		accountAlias: text.map((alias) => `a${alias}`),
		note: text,
	});
	const choice = fc.constantFrom(PAID, PAY, LATER, null);
	const list = fc.uniqueArray(item, { selector: ({ paymentKey }) => paymentKey });
	fc.assert(
		fc.property(list, fc.infiniteStream(choice), (items, choices) => {
			const { rows, settleForm: form } = reportList({ items, balances: [], ...AT });
			const fields = tryToParseJsonToFormFields(form);
			const open = rows.filter(({ result }) => result === 'unknown');
			expect(fields).toHaveLength(open.length);
			const answers = open.map(() => choices.next().value as string | null);
			const data = Object.fromEntries(fields.map(({ fieldLabel }, at) => [fieldLabel, answers[at]]));
			const expected = open.flatMap(({ paymentKey }, at) => {
				if (answers[at] !== PAID && answers[at] !== PAY) return [];
				return [[paymentKey, answers[at] === PAID ? 'wasPaid' : 'wasNotPaid']];
			});
			const found = readDecisions({ answer: { data }, rows: JSON.stringify(rows) });
			expect(found.map(({ paymentKey, decision }) => [paymentKey, decision])).toEqual(expected);
		}),
		{ numRuns: 500 },
	);
});
