/** The documentation is for people who do not code and whose second language is English. */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import readability from 'text-readability-ts';

/** Flesch reading ease: 60 and more is plain English. */
const EASE = 60;
const LONGEST_SENTENCE = 25;

interface Text {
	name: string;
	markdown: string;
}

const pages: Text[] = globSync(['*.md', 'docs/*.md', 'sandbox/*.md'])
	.filter((file) => file !== 'LICENSE.md')
	.map((file) => ({ name: file, markdown: readFileSync(file, 'utf8') }));

const notes: Text[] = readdirSync('examples').map((file) => {
	const { nodes } = JSON.parse(readFileSync(`examples/${file}`, 'utf8')) as {
		nodes: Array<{ type: string; parameters: { content?: string } }>;
	};
	const contents = nodes
		.filter(({ type }) => type.endsWith('.stickyNote'))
		.map((note) => note.parameters.content);
	return { name: `the notes of examples/${file}`, markdown: contents.join('\n\n') };
});

/** Removes what is not prose: code, pictures, addresses, the names of tests, and marks of Markdown. */
function proseOf({ markdown }: Text, code: string): string {
	return markdown
		.replace(/^```[^]*?^```/gm, '')
		.replace(/`[^`]*`/g, code)
		.replace(/!\[[^\]]*\]\([^)]*\)|<img [^>]*>/g, '')
		.replace(/\[[^\]]*\]\([^)\s]*\.ts\)/g, '')
		.replace(/\[([^\]]*)\]\([^)\s]*\)/g, '$1')
		.replace(/https?:\/\/\S+/g, '')
		.replace(/\*\*|\\\*|(?<!\w)\*|\*(?!\w)/g, '');
}

/** The paragraphs, list items and table cells with at least four words, each with a full stop at its end. */
function blocksOf(text: Text, code = ''): string[] {
	return proseOf(text, code)
		.replace(/^#.*$/gm, '\n')
		.replace(/^\s*\|.*$/gm, (row) => `\n\n${row.split('|').join('\n\n')}\n\n`)
		.replace(/^\s*(?:[-*]|\d+\.)\s+/gm, '\n\n')
		.split(/\n\s*\n/)
		.map((block) => block.replace(/\s+/g, ' ').trim())
		.filter((block) => block.split(' ').filter((word) => /\w/.test(word)).length >= 4)
		.map((block) => (/[.?!:]["”)]?$/.test(block) ? block : `${block}.`));
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const sentencesOf = (text: Text, code?: string) =>
	blocksOf(text, code).flatMap((block) => [...sentences.segment(block)].map(({ segment }) => segment.trim()));

/** Flesch's formula with the library's counts. The library's own result rounds them first, which is up to 4 points off. */
function readingEase(text: string): number {
	const words = readability.lexiconCount(text);
	const syllables = readability.syllableCount(text);
	return 206.835 - 1.015 * (words / readability.sentenceCount(text)) - 84.6 * (syllables / words);
}

test('the reading ease of simple sentences agrees with the formula', () => {
	// 8 words and 9 syllables in 2 sentences.
	expect(readingEase('The cat sat here. The water was cold.')).toBeCloseTo(
		206.835 - 1.015 * 4 - 84.6 * (9 / 8),
		5,
	);
});

describe.each([...pages, ...notes])('$name', (text) => {
	test(`${text.name} has a reading ease of at least ${EASE}`, () => {
		const ease = readingEase(sentencesOf(text).join(' '));
		if (process.env.SHOW_READABILITY) process.stdout.write(`${ease.toFixed(1)} ${text.name}\n`);
		expect(ease).toBeGreaterThanOrEqual(EASE);
	});

	test(`${text.name} has no sentence of more than ${LONGEST_SENTENCE} words`, () => {
		const words = (sentence: string) => sentence.split(' ').filter((word) => /\w/.test(word)).length;
		const long = sentencesOf(text, 'CODE').filter((sentence) => words(sentence) > LONGEST_SENTENCE);
		expect(long).toEqual([]);
	});
});
