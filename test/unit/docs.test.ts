/** What the documentation says of files in this repository. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MESSAGES as TRIGGER_MESSAGES } from '../../nodes/WalletService/trigger/messages.ts';

const read = (file: string) => readFileSync(file, 'utf8');

/** The links of a document, `[words](target)`, pictures included. */
const linksIn = (document: string) =>
	[...read(document).matchAll(/\[([^\]]*)\]\(([^)\s]+)\)|<img src="([^"]+)"/g)].map(
		([, words = '', target, picture = '']) => ({ words, target: target ?? picture }),
	);

const documents = globSync(['*.md', '{docs,sandbox}/*.md']);

describe('docs/features.md', () => {
	const proofs = linksIn('docs/features.md').filter(({ words }) => words !== 'one of them');
	const tests = proofs.filter(({ target }) => target.endsWith('.ts'));

	test('names tests', () => expect(tests.length).toBeGreaterThan(30));

	test.each(tests)('$target has a test with the title $words', ({ words, target }) => {
		// The title follows a bracket: `test('…'`, `describe('…'`, `test.each(…)('…'`.
		const titles = [...read(join('docs', target)).matchAll(/\(\s*(['"`])(.+?)\1,/g)].map(
			([, , title = '']) => title,
		);
		expect(titles).toContain(words);
	});
});

test.each(documents)('%s links to what there is', (document) => {
	const missing = linksIn(document)
		.map(({ target }) => target)
		.filter((target) => !/^(https?:|#)/.test(target))
		.filter((target) => !existsSync(join(dirname(document), target.replace(/#.*/, ''))));
	expect(missing).toEqual([]);
});

test('every picture is shown in a document', () => {
	const shown = documents.flatMap((document) =>
		linksIn(document).map(({ target }) => join(dirname(document), target)),
	);
	expect(globSync('docs/screenshots/*').filter((picture) => !shown.includes(picture))).toEqual([]);
});

describe('docs/troubleshoot.md', () => {
	const tables = [TRIGGER_MESSAGES];
	const fromTables = tables
		.flatMap((table) => Object.values(table))
		.map((message) => (typeof message === 'string' ? message : message('…')));

	// Other sources have no table of messages. A text that follows one of these is shown to the user.
	const said = /(?:SettingError\(|refuse\(|complaint?\(|unexpectedResponse\(|message:|reason:)\s*/;
	const literal = /(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|`([^`]*)`)/;
	const fromSources = globSync('{api,credentials,nodes}/**/*.ts').flatMap((file) =>
		[...read(file).matchAll(new RegExp(said.source + literal.source, 'g'))].map(
			([, single, double, template]) => single ?? double ?? template ?? '',
		),
	);
	const messages = [...fromTables, ...fromSources];

	test('is compared with messages', () => expect(messages.length).toBeGreaterThan(40));

	test.each(messages)('says what to do about: %s', (message) => {
		const [sentence = ''] = message.split('. ');
		// What the message fills in is … or an example in the document.
		const pieces = sentence.split(/\$\{[^}]*\}|…/).map((piece) => piece.trim());
		const [longest = ''] = pieces.sort((a, b) => b.length - a.length);
		expect(read('docs/troubleshoot.md')).toContain(longest);
	});
});
