import { projects } from '../../jest.config.mjs';

const [unit] = projects;

/** They read sources as text or start programs, so no change of the code, or each, makes them fail. */
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
