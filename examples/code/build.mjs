/**
 * Writes the files of this folder into the Code nodes of the examples: `<workflow>.<node>.js` is the text of that node, after what it
 * imports. n8n's Code node cannot import, so each node has its own copy.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const folder = import.meta.dirname;
const IMPORT = /^import .* from '\.\/(.*)';\n+/gm;

/** A module and all that it imports, each once, without the words of modules. */
function inline(file, seen = new Set()) {
	if (seen.has(file)) return '';
	seen.add(file);
	const text = readFileSync(`${folder}/${file}`, 'utf8');
	const imported = [...text.matchAll(IMPORT)].map(([, name]) => inline(name, seen));
	return [...imported, text.replace(IMPORT, '').replace(/^export /gm, '')].join('\n').trim() + '\n';
}

const fileOf = (workflow, node) =>
	`${workflow}.${node.toLowerCase().replace(/ (.)/g, (_, letter) => letter.toUpperCase())}.js`;

/** The text of a Code node. */
const codeOf = (workflow, node) =>
	`${inline(fileOf(workflow, node))}\nreturn run({ $, $input, $now, $today, $workflow, DateTime });`;

/** The workflow with the code of its files, as text. */
export function withCode(file) {
	let text = readFileSync(`${folder}/../${file}`, 'utf8');
	for (const { type, name, parameters } of JSON.parse(text).nodes)
		if (type === 'n8n-nodes-base.code')
			text = text.replace(JSON.stringify(parameters.jsCode), () =>
				JSON.stringify(codeOf(file.replace('.json', ''), name)),
			);
	return text;
}

export const examples = () => readdirSync(`${folder}/..`).filter((file) => file.endsWith('.json'));

if (process.argv[1] === import.meta.filename)
	for (const file of examples()) writeFileSync(`${folder}/../${file}`, withCode(file));
