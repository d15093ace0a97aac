import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import type { ESLint } from 'eslint';

interface LintRequest {
	/** Files of the repository. */
	files?: string[];
	/** Code by the name of the file it stands for. */
	texts?: Record<string, string>;
	options?: ESLint.Options;
}

/** Lints with the repository's configuration, or the one in `options`. Gives `file:line rule: message` for each finding. */
export const lint = ({ files = [], texts = {}, options = {} }: LintRequest): string[] => {
	const output = execFileSync(process.execPath, ['test/unit/eslint.mjs'], {
		input: JSON.stringify({ options, files, texts }),
		maxBuffer: 64 * 1024 * 1024,
		encoding: 'utf8',
		// eslint-plugin-n8n-nodes-base takes every file for a fixture of its own where this is "test", as Jest sets it.
		env: { ...process.env, NODE_ENV: undefined },
	});
	return (JSON.parse(output) as ESLint.LintResult[]).flatMap(({ filePath, messages }) =>
		messages.map(
			({ line, ruleId, message }) => `${relative(process.cwd(), filePath)}:${line} ${ruleId}: ${message}`,
		),
	);
};
