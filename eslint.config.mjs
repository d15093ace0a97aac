import js from '@eslint/js';
import { config as n8n } from '@n8n/node-cli/eslint';
import { globalIgnores } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/** What is published is linted by n8n's rules alone; the rest, which needs node:* and process, by ordinary ones. */
const published = ['{api,credentials,nodes}/**/*.ts'];
const unpublished = ['{sandbox,host,test,bench,soak}/**/*.ts'];

/** A literal that is spread into another one only saves lines. */
const PACKED = {
	selector: [
		'ObjectExpression > SpreadElement > ObjectExpression',
		'ArrayExpression > SpreadElement > ArrayExpression',
	].join(', '),
	message: 'Write the parts of the literal where it is spread.',
};

const RANDOM = 'Use host/testkit/random.ts, which TEST_SEED repeats.';

export default tseslint.config(
	globalIgnores(['**/.local/', 'coverage/']),
	n8n.map((block) => (block.files?.includes('**/*.ts') ? { ...block, files: published } : block)),
	{ files: published, linterOptions: { noInlineConfig: true } },
	{
		files: published,
		plugins: { '@typescript-eslint': tseslint.plugin },
		languageOptions: {
			parserOptions: { project: 'test/tsconfig.json', tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			'@typescript-eslint/no-floating-promises': 'error',
			'@typescript-eslint/no-misused-promises': 'error',
			'@typescript-eslint/switch-exhaustiveness-check': 'error',
		},
	},
	{
		files: unpublished,
		extends: [js.configs.recommended, tseslint.configs.recommendedTypeChecked],
		languageOptions: {
			parserOptions: { project: 'test/tsconfig.json', tsconfigRootDir: import.meta.dirname },
		},
		// `const { unwanted, ...rest } = value` is how a key is left out.
		rules: { '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }] },
	},
	{
		files: ['test/**/*.ts'],
		// Answers of any shape go straight into expect(), whose matchers are of type any themselves.
		rules: Object.fromEntries(
			['argument', 'assignment', 'call', 'member-access', 'return'].map((use) => [
				`@typescript-eslint/no-unsafe-${use}`,
				'off',
			]),
		),
	},
	{
		files: ['{test,soak}/**/*.ts'],
		// What is drawn elsewhere cannot be repeated.
		rules: {
			'no-restricted-properties': ['error', { object: 'Math', property: 'random', message: RANDOM }],
			'no-restricted-imports': [
				'error',
				...['node:crypto', 'crypto'].map((name) => ({
					name,
					importNames: ['getRandomValues', 'randomBytes', 'randomFill', 'randomInt', 'webcrypto'],
					message: RANDOM,
				})),
			],
		},
	},
	{
		files: ['**/*.{js,mjs}'],
		extends: [js.configs.recommended],
		languageOptions: { globals: globals.node },
		rules: { 'no-unused-vars': ['error', { ignoreRestSiblings: true }] },
	},
	{ rules: { 'no-restricted-syntax': ['error', PACKED] } },
	{ files: ['sandbox/page/*.js'], languageOptions: { globals: globals.browser } },
	{ files: ['gulpfile.js', 'bench/null-nodes/*.js'], languageOptions: { sourceType: 'commonjs' } },
);
