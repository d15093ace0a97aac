import { projects } from '../../jest.config.mjs';

const unit = projects.find(({ displayName }) => displayName === 'unit');

/** The unit and headless tests, as Stryker runs them in a copy of the repository. */
export default {
	...unit,
	rootDir: '../..',
	testEnvironment: `${import.meta.dirname}/environment.mjs`,
	testMatch: ['<rootDir>/test/mutation/together.test.ts'],
	moduleNameMapper: {
		'^(n8n-core|n8n-workflow|reflect-metadata)$': `${import.meta.dirname}/shared/$1.cjs`,
		'/openSsl\\.ts$': `${import.meta.dirname}/shared/openSsl.cjs`,
	},
	setupFiles: [...(unit?.setupFiles ?? []), `${import.meta.dirname}/shared/forgetRecord.cjs`],
	// A change that makes a test wait forever ends the run after this time.
	testTimeout: 60_000,
};
