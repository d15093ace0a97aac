/** The parts of the suite, fastest first. `npm run test:<part>` runs one of them. */
export const parts = ['unit', 'headless', 'sandbox', 'n8n', 'queue', 'browser', 'editor'];
/** Their files share one n8n for each worker. */
export const partsOnSharedN8n = ['n8n', 'browser', 'editor'];
/** `npm run nightly` runs them, `npm test` does not. */
export const nightlyParts = ['editor'];

/** Jest's context of a file is slow to find what is global. Not `Date`: Stryker runs this part with fake timers, too. */
const FOUND_AT_ONCE =
	'Array BigInt Boolean Error JSON Map Math Number Object Promise RegExp Set String Symbol WeakMap';

const project = (part) => ({
	displayName: part,
	rootDir: import.meta.dirname,
	testEnvironment: '<rootDir>/test/environment.ts',
	setupFiles: ['<rootDir>/test/seed.ts'],
	testMatch: [`<rootDir>/test/${part}/**/*.test.ts`],
	// What takes too long for each change.
	testPathIgnorePatterns: process.env.NIGHTLY ? [] : ['\\.nightly\\.test\\.ts$'],
	transform: {
		'\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
	},
	// These folders hold further package.json files with the same names, which Jest reports as collisions.
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.local/', '<rootDir>/host/node_modules/'],
	...(part === 'unit' && { sandboxInjectedGlobals: FOUND_AT_ONCE.split(' ') }),
	...(partsOnSharedN8n.includes(part) && {
		globalSetup: '<rootDir>/test/n8n/beforeAllTests.ts',
		globalTeardown: '<rootDir>/test/n8n/afterAllTests.ts',
	}),
});

// The tests start programs, and a busy machine can be ten times slower.
export const projects = parts.map(project);
export default {
	projects,
	testTimeout: 900_000,
	collectCoverageFrom: ['{api,credentials,nodes}/**/*.ts'],
	coverageDirectory: '.local/coverage',
	coverageReporters: ['html', 'text-summary'],
};
