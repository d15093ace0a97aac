import js from '@eslint/js';
import { config as n8n } from '@n8n/node-cli/eslint';
import { globalIgnores } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/** What is published is linted by n8n's rules alone; the rest, which needs node:* and process, by ordinary ones. */
const published = ['{api,credentials,nodes}/**/*.ts'];
const unpublished = ['{sandbox,test,bench}/**/*.ts'];

/** Imports run one way: api <- credentials, nodes, sandbox <- test, bench. The folders that may import little: */
const layers = {
	api: ['\\./', 'node:crypto$'],
	credentials: ['\\./', '\\.\\./api/', 'n8n-workflow$', 'node:crypto$', 'zod$'],
	nodes: ['\\./', '(\\.\\./)+api/', 'n8n-workflow$', 'node:crypto$', 'zod$'],
	sandbox: ['\\./', '\\.\\./api/', 'node:', 'undici$', 'zod(/v4)?$'],
};

export default tseslint.config(
	globalIgnores(['**/.local/', 'coverage/']),
	n8n.map((block) => (block.files?.includes('**/*.ts') ? { ...block, files: published } : block)),
	{ files: published, linterOptions: { noInlineConfig: true } },
	Object.entries(layers).map(([folder, allowed]) => ({
		files: [`${folder}/**/*.ts`],
		rules: {
			'no-restricted-imports': [
				'error',
				{
					patterns: [
						{
							regex: `^(?!${allowed.join('|')})`,
							message: `${folder}/ may not import this: see layers in eslint.config.mjs.`,
						},
					],
				},
			],
		},
	})),
	{
		files: unpublished,
		extends: [js.configs.recommended, tseslint.configs.recommended],
		// `const { unwanted, ...rest } = value` is how a key is left out.
		rules: { '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }] },
	},
	{
		files: ['**/*.{js,mjs}'],
		extends: [js.configs.recommended],
		languageOptions: { globals: globals.node },
	},
	{ files: ['sandbox/page/*.js'], languageOptions: { globals: globals.browser } },
	{ files: ['gulpfile.js'], languageOptions: { sourceType: 'commonjs' } },
);
