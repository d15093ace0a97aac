/** Compares the documentation with the files of this repository. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const read = (file: string) => readFileSync(file, 'utf8');

/** The links and pictures of a document: `[words](target)`, `<img src="target">`. */
const linksIn = (document: string) =>
	[...read(document).matchAll(/\[([^\]]*)\]\(([^)\s]+)\)|<img src="([^"]+)"/g)].map(
		([, words = '', target, picture]) => ({ words, target: target ?? picture ?? '' }),
	);

const documents = globSync(['*.md', '{docs,sandbox}/*.md']);

describe('docs/features.md', () => {
	const proofs = linksIn('docs/features.md').filter(({ words }) => words !== 'one of them');
	const tests = proofs.filter(({ target }) => target.endsWith('.ts'));

	test('docs/features.md links to more than thirty tests', () => expect(tests.length).toBeGreaterThan(30));

	test.each(tests)('$target has a test with the title $words', ({ words, target }) => {
		// A title follows a bracket: `test('…'`, `describe('…'`, `test.each(…)('…'`.
		const titles = [...read(join('docs', target)).matchAll(/\(\s*(['"`])(.+?)\1,/g)].map(
			([, , title]) => title,
		);
		expect(titles).toContain(words);
	});
});

test.each(documents)('%s links to existing files only', (document) => {
	const missing = linksIn(document)
		.map(({ target }) => target)
		.filter((target) => !/^(https?:|#)/.test(target))
		.filter((target) => !existsSync(join(dirname(document), target.replace(/#.*/, ''))));
	expect(missing).toEqual([]);
});

test('each picture is shown in a document', () => {
	const shown = documents.flatMap((document) =>
		linksIn(document).map(({ target }) => join(dirname(document), target)),
	);
	expect(globSync('docs/screenshots/*').filter((picture) => !shown.includes(picture))).toEqual([]);
});

describe('docs/troubleshoot.md', () => {
	/** The text after one of these is shown to the user. */
	const beforeMessage = /(?:SettingError\(|refuse\(|complaint?\(|unexpectedResponse\(|message:|reason:)\s*/;
	const literal = /(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|`([^`]*)`)/;
	const messages = globSync('{api,credentials,nodes}/**/*.ts').flatMap((file) =>
		[...read(file).matchAll(new RegExp(beforeMessage.source + literal.source, 'g'))].map(
			([, single, double, template]) => single ?? double ?? template ?? '',
		),
	);

	test('more than forty messages are compared with docs/troubleshoot.md', () =>
		expect(messages.length).toBeGreaterThan(40));

	test.each(messages)('docs/troubleshoot.md says what to do about: %s', (message) => {
		const [sentence = ''] = message.split('. ');
		// The document shows … or an example in place of each inserted value.
		const pieces = sentence.split(/\$\{[^}]*\}/).map((piece) => piece.trim());
		const [longest = ''] = pieces.sort((a, b) => b.length - a.length);
		expect(read('docs/troubleshoot.md')).toContain(longest);
	});
});
