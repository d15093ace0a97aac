/** The terminal, README.md and the notes on the canvases tell a newcomer to do the same, in the same order. */
import { readFileSync } from 'node:fs';
import { TRIES } from '../../host/tries.ts';

const [, section = ''] =
	/^## Try it on your computer$([^]*?)^## /m.exec(readFileSync('README.md', 'utf8')) ?? [];
/** The numbered steps, whose further lines are indented. */
const steps = [...section.matchAll(/^\d+\. \*\*(.+?)\.\*\* (.+(?:\n +.+)*)$/gm)].map(
	([, name = '', text = '']) => ({ name, text: text.replace(/\s+/g, ' ') }),
);

/** What a person reads on the screen, in quotation marks. */
const quotedIn = (text: string) => [...text.matchAll(/"([^"]+)"/g)].map(([, words]) => words!);
/** The same in a document: bold, in italics or as code. */
const emphasizedIn = (text: string) =>
	[...text.matchAll(/(\*\*?|`)([^*`]+)\1/g)].map(([, , words]) => words!.replace(/[.:]$/, ''));

/** The texts of the notes of an example. */
function notesOf(example: string): string {
	const { nodes } = JSON.parse(readFileSync(`examples/${example}.json`, 'utf8')) as {
		nodes: Array<{ type: string; parameters: { content?: string } }>;
	};
	return nodes.map(({ parameters }) => parameters.content ?? '').join('\n');
}

test('README.md names the same tries as the terminal, in the same order', () => {
	expect(TRIES.length).toBeGreaterThan(2);
	expect(steps.map(({ name }) => name)).toEqual(TRIES.map(({ name }) => name));
});

test.each(TRIES)('README.md names the same words in the same order: $name', ({ name, steps: text }) => {
	const wanted = quotedIn(text);
	expect(wanted.length).toBeGreaterThan(0);
	const said = emphasizedIn(steps.find((step) => step.name === name)?.text ?? '');
	expect(said.filter((words) => wanted.includes(words))).toEqual(wanted);
});

test.each(TRIES.filter(({ opens }) => opens !== 'form'))(
	'the note on the canvas names the same words: $name',
	({ example, steps: text }) => {
		const said = emphasizedIn(notesOf(example));
		expect(quotedIn(text).filter((words) => !said.includes(words))).toEqual([]);
	},
);
