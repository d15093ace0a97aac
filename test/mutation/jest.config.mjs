import { projects } from '../../jest.config.mjs';

const [unit] = projects;

/** Left out: tests that read sources as text fail with every change, and tests that start programs notice none. */
const OTHERS = [
	'benchResults',
	'cost',
	'docs',
	'examples',
	'hostile',
	'launcher',
	'lint',
	'package',
	'readability',
];

/** The unit and headless tests, as Stryker runs them in a copy of the repository. */
export default {
	...unit,
	rootDir: '../..',
	testMatch: ['<rootDir>/test/{unit,headless}/**/*.test.ts'],
	testPathIgnorePatterns: [`/test/unit/(?:${OTHERS.join('|')})\\.test\\.ts$`],
	testTimeout: 30_000,
};
