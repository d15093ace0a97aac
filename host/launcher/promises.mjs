/** When each promise of test/PROMISES.md last ran, and how that ended. From the runs on this machine; nothing of it is committed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const RUNS = '.local/runs.json';
const PAGE = '.local/promises.md';

/**
 * Keeps the runs of test files, and writes the page.
 * @param {{ name: string, at: string, hasPassed: boolean }[]} files by their paths from the root, such as `test/unit/docs.test.ts`
 */
export function keepRuns(files) {
	mkdirSync('.local', { recursive: true });
	const kept = existsSync(RUNS) ? JSON.parse(readFileSync(RUNS, 'utf8')) : {};
	for (const { name, at, hasPassed } of files) kept[name] = { at, hasPassed };
	writeFileSync(RUNS, JSON.stringify(kept));
	writeFileSync(PAGE, withRuns(readFileSync('test/PROMISES.md', 'utf8'), kept));
}

/**
 * The page with another column: the oldest of the last runs of a promise's tests, or which of them failed or never ran.
 * @param {string} page
 * @param {Record<string, { at: string, hasPassed: boolean }>} runs
 */
export function withRuns(page, runs) {
	const isLine = /^\|[-|]+\|$/;
	return page
		.split('\n')
		.map((row, index, all) => {
			if (!row.startsWith('|')) return row;
			if (isLine.test(row)) return `${row}---|`;
			if (isLine.test(all[index + 1] ?? '')) return `${row} Last run |`;
			const links = [...row.matchAll(/\]\(([^)#]+\.test\.ts)\)/g)];
			return `${row} ${lastOf(
				links.map(([, file]) => `test/${file}`),
				runs,
			)} |`;
		})
		.join('\n');
}

/** @type {(files: string[], runs: Record<string, { at: string, hasPassed: boolean }>) => string} */
function lastOf(files, runs) {
	const failed = files.filter((file) => runs[file]?.hasPassed === false);
	if (failed.length > 0) return `**failed:** ${failed.join(', ')}`;
	const missing = files.filter((file) => runs[file] === undefined);
	if (missing.length > 0) return `not run: ${missing.join(', ')}`;
	return files
		.map((file) => runs[file]?.at ?? '')
		.sort()
		.slice(0, 1)
		.join('');
}
