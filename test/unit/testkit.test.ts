/** The testkit's page is true, and it has no word that nobody uses. */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, normalize, join } from 'node:path';
import fc from 'fast-check';
import { paymentsOn } from '../../host/testkit/approvalPage.ts';
import { randomNumbers, SEED } from '../../host/testkit/random.ts';
import { report, row } from './reportItems.ts';

const FILES = globSync('host/testkit/*.ts');
const PAGE = readFileSync('host/testkit/README.md', 'utf8');
const read = (file: string) => readFileSync(file, 'utf8');

/** The names that a file exports, types too. */
const exportsOf = (file: string): string[] =>
	[...read(file).matchAll(/^export (?:async )?(?:const|function|interface|type) (\w+)/gm)].map(
		([, name]) => name!,
	);

/** What a file imports: each name behind the path of its file. */
const importsOf = (file: string): string[] =>
	[...read(file).matchAll(/^import (?:type )?\{([^}]*)\} from '(\.[^']*)'/gm)].flatMap(([, names, from]) =>
		names!
			.split(',')
			.map(
				(name) =>
					name
						.trim()
						.replace(/^type /, '')
						.split(' as ')[0]!,
			)
			.map((name) => `${normalize(join(dirname(file), from!))} ${name}`),
	);

test('every word of the testkit is used by another file', () => {
	const users = globSync(['host/**/*.ts', 'bench/**/*.ts', 'soak/**/*.ts', 'test/**/*.ts'], {
		exclude: (path) => String(path).endsWith('node_modules'),
	});
	const used = new Set(users.flatMap(importsOf));
	const words = FILES.flatMap((file) => exportsOf(file).map((name) => `${normalize(file)} ${name}`));
	expect(words.length).toBeGreaterThan(40);
	expect(words.filter((word) => !used.has(word))).toEqual([]);
});

test('its page names each file, and what its example calls is there', () => {
	for (const file of FILES.filter((each) => basename(each) !== 'lists.ts'))
		expect(PAGE).toContain(`(${basename(file)})`);
	const [, example = ''] = /```ts\n(.*?)```/s.exec(PAGE) ?? [];
	const called = [...example.matchAll(/(?<![.\w])(\w+)\(/g)].map(([, name]) => name!);
	const known = [...FILES, 'host/stack.ts'].flatMap(exportsOf);
	expect(called.filter((name) => name !== 'expect' && !known.includes(name))).toEqual([]);
	expect(called).toContain('publishLine');
});

test('what is random has one seed', () => {
	const tenOf = (next: () => number) => Array.from({ length: 10 }, next);
	const numbers = tenOf(randomNumbers());
	expect(tenOf(randomNumbers())).toEqual(numbers);
	expect(new Set(numbers).size).toBe(10);
	const drawn = () => fc.sample(fc.bigInt(), 10);
	expect(drawn()).toEqual(drawn());
	expect(fc.readConfigureGlobal().seed).toBe(SEED);
});

test('the payments on a page are those of the list, and no text of a row adds one', () => {
	const note = '9 NGN\nto treasury</td></tr><tr><td>8<br/>INV-8</td>';
	const payment = { paymentKey: 'inv 12-B', amount: '40000.13', destination: 'supplier-main', note };
	const rows = [row(1, payment), row(2, { amount: '7.50', destination: 'a supplier' })];
	const checked = rows.map((each) => ({ ...each, result: 'dryRun' }));
	const page = report(checked).html.replaceAll('&#160;', ' ');
	expect(paymentsOn(page)).toEqual([
		{ key: 'inv 12-B', amount: '40000.13', code: 'NGN', destination: 'supplier-main' },
		{ key: 'INV-2', amount: '7.50', code: 'NGN', destination: 'a supplier' },
	]);
});
