/**
 * A test environment without a context of its own, so that all runs of a process share one copy of n8n's packages. Loading them
 * takes three seconds, and Stryker runs the tests once for each change. After the first failure the rest of a run is skipped.
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

export default class SharedEnvironment {
	global = globalThis;
	moduleMocker = new ModuleMocker(globalThis);
	fakeTimers = null;
	fakeTimersModern = null;
	#hasFailed = false;

	async setup() {}

	async teardown() {}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	getVmContext() {
		return MAIN;
	}

	handleTestEvent({ name, test }) {
		if (name === 'test_fn_failure' || name === 'hook_failure') this.#hasFailed = true;
		if (name === 'test_start' && this.#hasFailed) test.mode = 'skip';
	}
}
