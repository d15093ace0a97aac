import { execFileSync } from 'node:child_process';
import { relative, sep } from 'node:path';
import type { ESLint } from 'eslint';

interface LintRequest {
	/** Files of the repository. */
	files?: string[];
	/** Code by the path that ESLint takes it for. */
	texts?: Record<string, string>;
	options?: ESLint.Options;
}

/**
 * Lints with the repository's configuration, or with the one in `options`. Returns for each request one
 * `path:line rule: message` for each finding. Each call starts ESLint, which takes about 3 s.
 */
export const lint = <Requests extends LintRequest[]>(...requests: Requests) => {
	const output = execFileSync(process.execPath, ['test/unit/eslint.mjs'], {
		input: JSON.stringify(requests),
		maxBuffer: 64 * 1024 * 1024,
		encoding: 'utf8',
		// Jest sets "test", with which eslint-plugin-n8n-nodes-base takes each file for one of its own fixtures.
		env: { ...process.env, NODE_ENV: undefined },
	});
	const answers = JSON.parse(output) as ESLint.LintResult[][];
	return answers.map(findingsIn) as { [request in keyof Requests]: string[] };
};

const findingsIn = (results: ESLint.LintResult[]): string[] =>
	results.flatMap(({ filePath, messages }) => {
		const path = relative(process.cwd(), filePath).replaceAll(sep, '/');
		return messages.map(({ line, ruleId, message }) => `${path}:${line} ${ruleId}: ${message}`);
	});
