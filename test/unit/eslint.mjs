/**
 * ESLint in a process of its own for test/unit/lint.ts, because Jest's module system cannot load ESLint's configuration.
 * Reads `{ options, files, texts }` from stdin and prints ESLint's results. A file in `texts` need not exist.
 */
import { json } from 'node:stream/consumers';
import { ESLint } from 'eslint';

const { options, files, texts } = await json(process.stdin);
const eslint = new ESLint({ passOnNoPatterns: true, ...options });
const results = await eslint.lintFiles(files);
for (const [filePath, code] of Object.entries(texts)) {
	results.push(...(await eslint.lintText(code, { filePath, warnIgnored: true })));
}
console.log(JSON.stringify(results));
