/**
 * A test environment without a context of its own, so that all test files of a process share one copy of n8n's packages.
 * Loading them takes three seconds, and Stryker runs many files for each change. After the first failure it skips the rest.
 */
import { createRequire } from 'node:module';
import vm from 'node:vm';
import { ModuleMocker } from 'jest-mock';

/** Stands for the context of this process: Jest asks for a context before it compiles a file. */
const MAIN = vm.createContext({});
const { compileFunction } = vm;
vm.compileFunction = (source, parameters, { parsingContext, ...options } = {}) =>
	compileFunction(source, parameters, {
		...options,
		...(parsingContext !== MAIN && { parsingContext }),
	});

globalThis.requireShared = createRequire(import.meta.url);

const activeMutant = () => process.env.__STRYKER_ACTIVE_MUTANT__;

let noticed;

export default class SharedEnvironment {
	global = globalThis;
	moduleMocker = new ModuleMocker(globalThis);
	fakeTimers = null;
	fakeTimersModern = null;

	async setup() {}

	async teardown() {}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	getVmContext() {
		return MAIN;
	}

	handleTestEvent({ name, test }) {
		if (name === 'test_fn_failure' || name === 'hook_failure') noticed = activeMutant();
		if (name === 'test_start' && noticed !== undefined && noticed === activeMutant()) test.mode = 'skip';
	}
}
