/**
 * `npm run mutate -- [--mutate <files>]`: Stryker changes the code in one place at a time, and the unit and headless tests have to
 * notice. A change that they do not notice stands in a line that no test defends.
 */
export default {
	// What moves money or lets events in. mutation.yml runs each of these by itself.
	mutate: [
		'api/**/*.ts',
		'nodes/WalletService/*.ts',
		'nodes/WalletService/agent/**/*.ts',
		'nodes/WalletService/input/**/*.ts',
		'nodes/WalletService/payments/**/*.ts',
		'nodes/WalletServiceTrigger/**/*.ts',
		'nodes/shared/**/*.ts',
	],
	testRunner: 'jest',
	coverageAnalysis: 'perTest',
	// All tests run once before the first change.
	dryRunTimeoutMinutes: 30,
	// To load the modules again takes seconds on a busy machine.
	timeoutMS: 20_000,
	// What a module makes when it is loaded is part of each test: such a mutant takes as long as all of them.
	ignoreStatic: true,
	jest: { projectType: 'custom', configFile: 'test/mutation/jest.config.mjs', enableFindRelatedTests: false },
	ignorePatterns: ['.local', 'host/node_modules', 'host/node', 'host/sqlite3'],
	tempDirName: '.local/mutation',
	incremental: true,
	incrementalFile: '.local/mutation.json',
	reporters: ['clear-text', 'progress-append-only'],
	clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false },
};
