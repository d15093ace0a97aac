/**
 * A test environment without a context of its own, so that all runs of a process share one copy of n8n's packages. Loading them
 * takes three seconds, and Stryker runs the tests once for each change. After the first failure the rest of a run is skipped.
 */
import { createRequire } from 'node:module';
import vm from 'node:vm';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Stands for the context of this process: Jest asks for a context before it compiles a file. */
const MAIN = vm.createContext({});
const { compileFunction } = vm;
vm.compileFunction = (source, parameters, { parsingContext, ...options } = {}) =>
	compileFunction(source, parameters, { ...options, ...(parsingContext !== MAIN && { parsingContext }) });

globalThis.requireShared = createRequire(import.meta.url);

/** Changed code is slower, so these tests would fail for no reason. */
const TIMED = /within [\d.]+ ms|takes under|^the time to|before anything is looked for$/;

const LINE_ENDS = { n: '\n', r: '\r' };

/**
 * Stryker names up to 2,000 tests in one expression. Asking it for each name takes seconds, so its names become a set. Where a
 * change keeps a file from loading, one more test fails, which Stryker does not name.
 */
function exactly({ source }) {
	const names = new Set(
		source
			.slice(1, -1)
			.split(')|(')
			.map((name) => name.replaceAll(/\\(.)/g, (_, escaped) => LINE_ENDS[escaped] ?? escaped)),
	);
	return { test: (name) => names.has(name) || name.endsWith(' cannot be loaded') };
}

export default class SharedEnvironment {
	global = globalThis;
	moduleMocker = new ModuleMocker(globalThis);
	fakeTimers = null;
	fakeTimersModern;
	#hasFailed = false;

	constructor({ projectConfig }) {
		// With the global object itself, the timers of Node's own modules would be faked, too.
		const global = new Proxy(globalThis, {});
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global });
	}

	async setup() {
		// Jest keeps its listeners in the global object: without this, each run would also tell those of all runs before it.
		globalThis[Symbol.for('EVENT_HANDLERS')] = undefined;
	}

	async teardown() {
		this.fakeTimersModern.dispose();
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	getVmContext() {
		return MAIN;
	}

	handleTestEvent({ name, test, describeBlock }, state) {
		if (name === 'run_start' && state.testNamePattern instanceof RegExp)
			state.testNamePattern = exactly(state.testNamePattern);
		if (name === 'test_fn_failure' || name === 'hook_failure') this.#hasFailed = true;
		// A test whose `beforeAll` has failed is not skipped: it is what Stryker sees of the failure.
		if (name === 'test_start' && test.errors.length === 0 && (this.#hasFailed || TIMED.test(test.name)))
			test.mode = 'skip';
		// Without its mode, Jest would run the hooks of a group whose tests are skipped.
		if (name === 'run_describe_start' && this.#hasFailed) describeBlock.mode = 'skip';
	}
}
