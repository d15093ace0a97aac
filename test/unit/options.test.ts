/** One table of options: the types, the form and the checks of both nodes follow from it. */
import { optionProperties } from '../../nodes/shared/options/optionProperties.ts';
import { expectedOf } from '../../nodes/shared/options/options.ts';
import type { OptionTable, ValuesOf } from '../../nodes/shared/options/options.ts';
import { readOptionValues } from '../../nodes/shared/options/readOptions.ts';
import { labelOfOption } from '../../nodes/WalletService/input/paymentOptions.ts';

const WORDS = { description: 'Words', expected: 'something else' };
const TABLE = {
	name: { kind: 'text', label: 'Name', default: 'amount', ...WORDS },
	other: { kind: 'text', label: 'Other', ...WORDS },
	names: { kind: 'list', label: 'Names', ...WORDS },
	codes: { kind: 'list', label: 'Codes', isEntry: (entry: string) => entry.length === 3, ...WORDS },
	limit: { kind: 'decimal', label: 'Limit', ...WORDS },
	days: { kind: 'count', label: 'Days', minimum: 1, maximum: 90, ...WORDS },
	by: { kind: 'person', label: 'By', ...WORDS },
	isDry: { kind: 'flag', label: 'Dry', default: false, whenAdded: true, ...WORDS },
	isRaw: { kind: 'flag', label: 'Raw', default: true, ...WORDS },
	format: {
		kind: 'choice',
		label: 'Format',
		choices: { strict: { name: 'Z' }, loose: { name: 'A' } },
		...WORDS,
	},
} as const satisfies OptionTable;

const NOT_ADDED = {
	name: 'amount',
	other: undefined,
	names: undefined,
	codes: undefined,
	limit: undefined,
	days: undefined,
	by: undefined,
	isDry: false,
	isRaw: true,
	format: 'strict',
};

test('an option that was not added has its default, and an unknown one is not read', () => {
	expect(readOptionValues(TABLE, { unknown: 'x' })).toEqual({ values: NOT_ADDED, problems: [] });
});

test.each<[name: keyof typeof TABLE, given: unknown, value: unknown]>([
	['name', ' total ', 'total'],
	['other', 7, '7'],
	['names', 'a, "Acme, Inc"\nb', ['a', 'Acme, Inc', 'b']],
	['names', ['a', 'Acme, Inc', ' b '], ['a', 'Acme, Inc', 'b']],
	['names', 12, ['12']],
	['names', ['', 'a'], ['a']],
	['codes', '402, 409', ['402', '409']],
	['limit', '0.10', '0.10'],
	['limit', -9_007_199_254_740_991, '-9007199254740991'],
	['days', 90, 90],
	['days', '1', 1],
	['by', ' Ada Obi ', 'Ada Obi'],
	['isDry', true, true],
	['isRaw', 'false', false],
	['format', 'loose', 'loose'],
])('%s: %j is read as %j', (name, given, value) => {
	const { values, problems } = readOptionValues(TABLE, { [name]: given });
	expect([values[name], problems]).toEqual([value, []]);
});

test.each<[name: keyof typeof TABLE, given: unknown, wrong: string]>([
	...(['name', 'names', 'limit', 'days', 'by', 'isDry', 'format'] as const).flatMap((name) => [
		[name, undefined, 'nothing'] as [typeof name, unknown, string],
		[name, null, 'nothing'] as [typeof name, unknown, string],
		[name, ' , ', 'empty'] as [typeof name, unknown, string],
		[name, { a: 1 }, 'notAllowed'] as [typeof name, unknown, string],
	]),
	['names', [], 'empty'],
	['names', ['', ' '], 'empty'],
	['names', [['a']], 'notAllowed'],
	['names', ['a', null], 'notAllowed'],
	['names', '""', 'notAllowed'],
	['codes', '402, 5000', 'notAllowed'],
	['limit', '1,000', 'notAllowed'],
	['limit', '1e3', 'notAllowed'],
	['limit', true, 'notAllowed'],
	['limit', Number.NaN, 'notAllowed'],
	// The number may have lost digits.
	['limit', 9_007_199_254_740_992, 'notAllowed'],
	['days', '0', 'notAllowed'],
	['days', 91, 'notAllowed'],
	['days', 1.5, 'notAllowed'],
	['days', '9'.repeat(400), 'notAllowed'],
	['by', 'no', 'notAllowed'],
	['by', true, 'notAllowed'],
	['by', ['Ada Obi'], 'notAllowed'],
	['isDry', 'yes', 'notAllowed'],
	['isDry', [], 'notAllowed'],
	['isDry', [true], 'notAllowed'],
	['format', ['strict'], 'notAllowed'],
	['limit', ['1'], 'notAllowed'],
	['format', 'Strict', 'notAllowed'],
	['format', 'constructor', 'notAllowed'],
])('%s: %j has no value: %s', (name, given, wrong) => {
	const { values, problems } = readOptionValues(TABLE, { [name]: given });
	expect(problems).toMatchObject([{ option: TABLE[name], wrong }]);
	expect(values).toEqual(NOT_ADDED);
});

describe('persons', () => {
	const PEOPLE = {
		by: { kind: 'person', label: 'By', mayBeList: true, ...WORDS },
		book: { kind: 'person', label: 'Book', mayBeNobody: true, ...WORDS },
	} as const satisfies OptionTable;

	test('may be a list where the option allows one: a comma in an answer makes no second name', () => {
		const { values, problems } = readOptionValues(PEOPLE, { by: ['Obi, Ada', ' Bayo Ade '] });
		expect([values.by, problems]).toEqual(['Obi Ada, Bayo Ade', []]);
	});

	test.each([
		[[], 'empty'],
		[['Ada Obi', 'no'], 'notAllowed'],
		[['no'], 'notAllowed'],
		[[7], 'notAllowed'],
	])('the list %j has no name of somebody: %s', (by, wrong) => {
		const { values, problems } = readOptionValues(PEOPLE, { by });
		expect(values.by).toBeUndefined();
		expect(problems).toMatchObject([{ option: PEOPLE.by, wrong }]);
	});

	test('may be nobody where a name is only written down', () => {
		expect(readOptionValues(PEOPLE, { book: 'no' })).toEqual({ values: {}, problems: [] });
		expect(readOptionValues(PEOPLE, { book: 'Ada Obi' }).values.book).toBe('Ada Obi');
	});

	test('are asked for as the name of a person', () => {
		expect(expectedOf(PEOPLE.by)).toBe('the name of a person');
	});
});

test('the form is sorted by name, and has the field that shows one expression for all', () => {
	const form = optionProperties(TABLE);
	const labels = ['By', 'Codes', 'Days', 'Dry', 'Format', 'Length', 'Limit', 'Name', 'Names', 'Other', 'Raw'];
	expect(form.map(({ displayName }) => displayName)).toEqual(labels);
	const fieldOf = (name: string) => form.find((field) => field.name === name);
	// A switch that is added is on, and the first choice is the default.
	expect(fieldOf('isDry')).toMatchObject({ type: 'boolean', default: true });
	expect(fieldOf('format')).toMatchObject({
		type: 'options',
		default: 'strict',
		options: [
			{ name: 'A', value: 'loose' },
			{ name: 'Z', value: 'strict' },
		],
	});
	expect(fieldOf('length')).toMatchObject({ type: 'hidden' });
});

test('a misspelt option, or a wrong use of its value, does not compile', () => {
	const { values } = readOptionValues(TABLE, {});
	const typed: ValuesOf<typeof TABLE> = values;
	const flag: boolean = typed.isDry;
	const format: 'strict' | 'loose' = typed.format;
	expect([flag, format]).toEqual([false, 'strict']);
	// @ts-expect-error -- no option of the table
	expect(values.isdry).toBeUndefined();
	// @ts-expect-error -- a misspelt option
	expect(() => labelOfOption('maximumAmmount')).toThrow();
	// @ts-expect-error -- it may be undefined
	const days: number = typed.days;
	expect(days).toBeUndefined();
});
