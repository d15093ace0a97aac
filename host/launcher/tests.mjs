import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { parts as allParts } from '../../jest.config.mjs';
import { build } from './build.mjs';
import { node24Environment, npm, run, say, step } from './processes.mjs';
import { provideN8n } from './provideN8n.mjs';
import { provideTools, toolPaths } from './provideTools.mjs';
import { TOOLS_OF_PART } from './tools.mjs';

const CHECKS = ['typecheck', 'lint'];
const PARTS_ON_N8N = ['n8n', 'queue', 'browser'];

/**
 * Runs all tests, after the checks of types and style, or the part that is named first.
 * `--n8n <version>` runs them on another n8n than that of `host`; other arguments go to jest. Returns the exit code.
 */
export async function runTests(args) {
	const [version, [first, ...rest]] = takeOption('--n8n', args);
	const isOnePart = allParts.includes(first);
	const parts = await provide(isOnePart ? [first] : allParts, version);
	if (parts.length === 0) return 0;
	await build();

	const total = { passed: 0, failed: 0, skipped: 0 };
	if (!isOnePart) {
		for (const check of CHECKS) {
			if (await passes(check)) total.passed++;
			else total.failed++;
		}
	}

	const jestArguments = isOnePart || first === undefined ? rest : [first, ...rest];
	const { code, result } = await runJest(parts, jestArguments);
	if (result !== undefined) {
		total.passed += result.numPassedTests;
		total.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
		total.skipped += result.numPendingTests + result.numTodoTests;
	}
	if (code !== 0 && total.failed === 0) total.failed++;
	const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
	process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`);
	return total.failed === 0 ? 0 : 1;
}

/** Installs what the parts need. Returns the parts that can run here; in CI it throws instead of leaving one out. */
async function provide(chosen, version) {
	const canSkip = !process.env.CI;
	const skip = (parts) => {
		if (parts.length > 0) say(`Skipped: the ${parts.join(' and ')} tests`);
	};
	const toolsOf = (part) => TOOLS_OF_PART[part] ?? [];
	const missing = await provideTools(chosen.flatMap(toolsOf), {
		reason: 'Some tests need more than this machine has.',
		canSkip,
	});
	const isRunnable = (part) => !toolsOf(part).some((tool) => missing.includes(tool));
	skip(chosen.filter((part) => !isRunnable(part)));
	const runnable = chosen.filter(isRunnable);

	const onN8n = runnable.filter((part) => PARTS_ON_N8N.includes(part));
	if (onN8n.length === 0) return runnable;
	// The driver of the browser comes with host, whatever version of n8n is tested.
	const hostIsNeeded = onN8n.includes('browser') && version !== undefined;
	const isProvided =
		(!hostIsNeeded || (await provideN8n({ canSkip }))) && (await provideN8n({ version, canSkip }));
	if (isProvided) return runnable;
	skip(onN8n);
	return runnable.filter((part) => !onN8n.includes(part));
}

/** Runs a check of the code. */
async function passes(check) {
	try {
		await step(check, `Checking: ${check}`, [...npm(), 'run', check], { env: node24Environment() });
		return true;
	} catch (error) {
		say(error.message);
		return false;
	}
}

/** Runs jest. Returns its exit code and its report, which is undefined if jest did not get that far. */
async function runJest(parts, args) {
	mkdirSync('.local', { recursive: true });
	const report = `.local/jest-${process.pid}.json`;
	const options = ['--passWithNoTests', '--json', `--outputFile=${report}`, '--selectProjects', ...parts];
	const code = await run(['node_modules/jest/bin/jest.js', ...args, ...options], toolPaths());
	if (!existsSync(report)) return { code };
	const result = JSON.parse(readFileSync(report, 'utf8'));
	rmSync(report);
	return { code, result };
}

/** Returns the value of an option, undefined if it is not given, and the arguments without it. */
function takeOption(name, args) {
	const index = args.indexOf(name);
	if (index === -1) return [undefined, args];
	const value = args[index + 1];
	if (value === undefined) throw new Error(`${name} needs a value`);
	return [value, args.toSpliced(index, 2)];
}
