/**
 * ESLint in its own process for test/unit/lint.test.ts, because Jest's module system cannot load ESLint's configuration.
 * Reads code by the path that ESLint takes it for from stdin, and prints the findings as `path:line rule: message`.
 */
import { relative, sep } from 'node:path';
import { json } from 'node:stream/consumers';
import { ESLint } from 'eslint';

const eslint = new ESLint();
const findings = [];
/** @type {any} */
const texts = await json(process.stdin);
for (const [filePath, code] of Object.entries(texts))
	for (const { messages } of await eslint.lintText(code, { filePath, warnIgnored: true }))
		for (const { line, ruleId, message } of messages)
			findings.push(`${relative('.', filePath).replaceAll(sep, '/')}:${line} ${ruleId}: ${message}`);
console.log(JSON.stringify(findings));
