import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { nightlyParts, parts as allParts, partsOnSharedN8n } from '../../jest.config.mjs';
import { build } from './build.mjs';
import { provideNode } from './nodeVersion.mjs';
import { installRoot } from './npmPackages.mjs';
import { node24Environment, npm, run, say, succeeds, together } from './processes.mjs';
import { keepRuns } from './promises.mjs';
import { provideN8n } from './provideN8n.mjs';
import { provideTools, toolPaths, unavailable } from './provideTools.mjs';

/** npm scripts that must pass with each change, beside the tests. */
export const CHECKS = ['typecheck', 'lint', 'scan'];
const PARTS_ON_N8N = [...partsOnSharedN8n, 'queue'];
/** The parts that need more than npm packages. */
const TOOLS_OF_PART = { queue: ['postgres', 'redis', 'nginx'], browser: ['chromium'], editor: ['chromium'] };
/** A part runs without these, but for a test that says so. In CI they must be there. */
const TOOLS_OF_TESTS = { unit: ['hledger'] };
/** These need npm packages only, and run while n8n is being installed. All files wait for a part of their time. */
const FAST = { parts: ['unit', 'headless', 'sandbox'], workers: availableParallelism() + 1 };
/** One file after the other, beside the others: one of them has six n8n processes. */
const QUEUE = { parts: ['queue'], workers: 1 };
/** These begin when the fast ones have ended. They wait for two thirds of their time. */
const ON_N8N = { parts: partsOnSharedN8n, workers: availableParallelism() + 3 };

/**
 * Runs all tests but the nightly parts, after the checks of types and style, or the part that is named first.
 * `--n8n <version>` and `--node <version>` run them on another version than `host` has; other arguments go to jest. Returns the exit
 * code.
 */
export async function runTests(args) {
	const [version, others] = takeOption('--n8n', args);
	const [nodeVersion, [first, ...rest]] = takeOption('--node', others);
	const isOnePart = allParts.includes(first);
	const total = { passed: 0, failed: 0, skipped: 0, files: [], seconds: new Map() };
	const timed = async (name, work) => {
		const start = Date.now();
		await work();
		total.seconds.set(name, (Date.now() - start) / 1000);
	};
	const check = (name) =>
		timed(name, async () => {
			const words = `Checking by npm run ${name}`;
			const hasPassed = await succeeds(name, words, [...npm(), 'run', name], { env: node24Environment() });
			total[hasPassed ? 'passed' : 'failed']++;
		});
	const checks = isOnePart ? [] : CHECKS;
	const chosen = isOnePart ? [first] : allParts.filter((part) => !nightlyParts.includes(part));
	const jestArguments = amongTests(isOnePart || first === undefined ? rest : [first, ...rest]);
	const hasWorkers = jestArguments.some((arg) => /^(-i|--runInBand|-w|--maxWorkers)\b/.test(arg));
	const runGroup = async ({ parts, workers }, among) => {
		const options = [...(hasWorkers ? [] : [`--maxWorkers=${workers}`]), ...jestArguments];
		const chosenParts = parts.filter((part) => among.includes(part));
		if (chosenParts.length === 0) return;
		await timed(chosenParts.join(' + '), () => addJest(total, chosenParts, options));
	};
	const provided = await provide(chosen, { version, nodeVersion });
	if (provided === undefined) return 0;
	const { built, possible } = provided;
	const fast = built.then(() => Promise.all([...checks.map(check), runGroup(FAST, chosen)]));
	const queue = possible.then((parts) => runGroup(QUEUE, parts));
	const onN8n = Promise.all([possible, fast]).then(([parts]) => runGroup(ON_N8N, parts));
	await together(fast, queue, onN8n);
	sayTimes(total);
	keepRuns(total.files);
	const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
	process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`);
	return total.failed === 0 ? 0 : 1;
}

/**
 * Installs what the parts need, side by side, and builds the package. In CI it throws instead of leaving a part out. Returns undefined
 * if no part can run here, else two promises:
 *   built      the package is there, while n8n may still be installed
 *   possible   the parts that can run here, when all that they need is there
 */
async function provide(chosen, { version, nodeVersion }) {
	const canSkip = !process.env.CI;
	const toolsOf = (part) => TOOLS_OF_PART[part] ?? [];
	const withTools = (missing) =>
		chosen.filter((part) => !toolsOf(part).some((tool) => missing.includes(tool)));
	const needsN8n = (part) => PARTS_ON_N8N.includes(part);
	const runnable = (parts) => {
		const skipped = chosen.filter((part) => !parts.includes(part));
		if (skipped.length > 0) say(`Skipped: the ${skipped.join(' and ')} tests`);
		return parts;
	};

	const tools = chosen.flatMap(toolsOf);
	const reason = 'Some tests need more than this machine has.';
	// First, because its part runs while the other tools are still being installed.
	const ofTests = provideTools(
		chosen.flatMap((part) => TOOLS_OF_TESTS[part] ?? []),
		{ reason, canSkip },
	);
	const missing = provideTools(tools, { reason, canSkip });
	const parts = withTools(unavailable(tools));
	const isComplete = parts.length === chosen.length;
	if (parts.length === 0 || !(canSkip || isComplete)) {
		runnable(withTools(await missing));
		return undefined;
	}

	const node = provideNode(nodeVersion);
	const built = Promise.all([node, installRoot(), ofTests]).then(build);
	const n8n = parts.some(needsN8n) ? provideN8n({ node, version, canSkip }) : true;
	const possible = Promise.all([missing, n8n, built]).then(([stillMissing, hasN8n]) =>
		runnable(withTools(stillMissing).filter((part) => hasN8n || !needsN8n(part))),
	);
	return { built, possible };
}

/** Runs jest with some parts and adds its counts. */
async function addJest(total, parts, args) {
	mkdirSync('.local', { recursive: true });
	const report = `.local/jest-${parts.join('-')}-${process.pid}.json`;
	const options = ['--passWithNoTests', '--json', `--outputFile=${report}`, '--selectProjects', ...parts];
	const code = await run(['node_modules/jest/bin/jest.js', ...args, ...options], toolPaths());
	let failed = 0;
	// Jest writes no report if it does not get that far.
	if (existsSync(report)) {
		const result = JSON.parse(readFileSync(report, 'utf8'));
		rmSync(report);
		failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
		total.passed += result.numPassedTests;
		total.skipped += result.numPendingTests + result.numTodoTests;
		for (const { name, startTime, endTime, status } of result.testResults)
			total.files.push({
				name: relative('.', name).replaceAll('\\', '/'),
				seconds: (endTime - startTime) / 1000,
				at: new Date(endTime).toISOString(),
				hasPassed: status === 'passed',
			});
	}
	total.failed += code !== 0 && failed === 0 ? 1 : failed;
}

/** Words before the options are parts of a path. Jest looks for them in the whole path, and the folder of the clone may have them. */
export function amongTests(args) {
	const options = args.findIndex((arg) => arg.startsWith('-'));
	const words = options === -1 ? args : args.slice(0, options);
	return [
		...words.map((word) => `/test/(?=(?:${allParts.join('|')})/).*${word}`),
		...args.slice(words.length),
	];
}

const SLOWEST = 10;

/** Prints how long each part took, and the slowest files. Parts run side by side, so their seconds overlap. */
function sayTimes({ files, seconds }) {
	const line = (name, time) => `${time.toFixed(0).padStart(5)} s  ${name}`;
	const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
	say(
		[
			'The slowest files, and the parts:',
			...slowest.map(({ name, seconds }) => line(name, seconds)),
			...[...seconds].map(([name, time]) => line(name, time)),
		].join('\n'),
	);
}

/** Returns the value of an option, undefined if it is not given, and the arguments without it. */
function takeOption(name, args) {
	const index = args.indexOf(name);
	if (index === -1) return [undefined, args];
	const value = args[index + 1];
	if (value === undefined) throw new Error(`${name} needs a value`);
	return [value, args.toSpliced(index, 2)];
}
