/**
 * ESLint in its own process for test/unit/lint.test.ts, because Jest's module system cannot load ESLint's configuration.
 * Reads a list of `{ options, files, texts }` from stdin and prints a list of the findings of each, as `path:line rule: message`.
 * A file in `texts` need not exist.
 */
import { relative, sep } from 'node:path';
import { json } from 'node:stream/consumers';
import { ESLint } from 'eslint';

const answers = [];
/** @type {any} */
const questions = await json(process.stdin);
for (const { options = {}, files = [], texts = {} } of questions) {
	const eslint = new ESLint({ passOnNoPatterns: true, ...options });
	const results = await eslint.lintFiles(files);
	for (const [filePath, code] of Object.entries(texts)) {
		results.push(...(await eslint.lintText(code, { filePath, warnIgnored: true })));
	}
	answers.push(results.flatMap(findings));
}
console.log(JSON.stringify(answers));

function findings({ filePath, messages }) {
	const path = relative(process.cwd(), filePath).replaceAll(sep, '/');
	return messages.map(({ line, ruleId, message }) => `${path}:${line} ${ruleId}: ${message}`);
}
