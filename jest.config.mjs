/** The parts of the suite, cheapest first; `npm run test:<part>` runs one of them. */
export const parts = ['unit', 'headless', 'sandbox', 'n8n', 'queue', 'browser'];

const project = (part) => ({
	displayName: part,
	rootDir: import.meta.dirname,
	testEnvironment: 'node',
	testMatch: [`<rootDir>/test/${part}/**/*.test.ts`],
	transform: { '\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }] },
	// The published package and n8n's own folders hold other package.json files of the same names.
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.local/', '<rootDir>/host/node_modules/'],
});

// Programs are started in the tests, on machines that may be busy.
export default { projects: parts.map(project), testTimeout: 30_000 };
