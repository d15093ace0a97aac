/** What the workflows of GitHub may do: the right to publish and to write is given to no job that runs packages. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

type Permissions = Record<string, string>;

interface Step {
	if?: string;
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
	'continue-on-error'?: boolean;
}

interface Job {
	if?: string;
	permissions?: Permissions;
	needs?: string | string[];
	environment?: string;
	/** Another workflow that it calls. */
	uses?: string;
	steps?: Step[];
	strategy?: { matrix: Record<string, string[]> };
}

interface Workflow {
	on: Record<string, unknown>;
	permissions: Permissions;
	jobs: Record<string, Job>;
}

const FOLDER = '.github/workflows/';
const workflows = new Map(
	globSync(`${FOLDER}*.yml`).map((file) => [
		file.slice(FOLDER.length),
		parse(readFileSync(file, 'utf8')) as Workflow,
	]),
);
const workflow = (name: string) => workflows.get(name)!;
const jobs = [...workflows].flatMap(([file, { jobs, permissions }]) =>
	Object.entries(jobs).map(([name, job]) => ({ name: `${file} ${name}`, permissions, ...job })),
);
const stepsOf = ({ steps = [] }: Job) => steps;
/** `actions/checkout` of `actions/checkout@11bd…`. */
const actionOf = ({ uses = '' }: Step) => uses.split('@')[0]!;
const rightsToWrite = (permissions: Permissions) =>
	Object.keys(permissions).filter((name) => permissions[name] !== 'read');

test('there are these workflows, and each has only the right to read unless a job says more', () => {
	expect([...workflows.keys()].sort()).toEqual([
		'ci.yml',
		'codeql.yml',
		'mutation.yml',
		'nightly.yml',
		'publish.yml',
		'tell.yml',
		'weekly.yml',
	]);
	for (const { permissions } of workflows.values()) expect(permissions).toEqual({ contents: 'read' });
});

test('three jobs with steps may write: one publishes, one opens an issue, and one tells what CodeQL found', () => {
	const writing = jobs
		.filter((job) => job.steps !== undefined)
		.flatMap(({ name, permissions }) => rightsToWrite(permissions).map((right) => `${name}: ${right}`));
	expect(writing.sort()).toEqual([
		'codeql.yml analyze: security-events',
		'publish.yml publish: id-token',
		'tell.yml tell: issues',
	]);
});

test('the job that publishes takes the tarball of another one, and runs only npm publish', () => {
	const { pack, publish } = workflow('publish.yml').jobs as { pack: Job; publish: Job };
	expect(publish.needs).toEqual(['nightly', 'pack']);
	expect(publish.environment).toBe('npm');
	expect(publish.permissions).toEqual({ 'id-token': 'write' });
	expect(stepsOf(publish).map((step) => step.run ?? actionOf(step))).toEqual([
		'actions/download-artifact',
		'actions/setup-node',
		'npm publish ./*.tgz --ignore-scripts --provenance --access public',
	]);
	// Neither a cache nor settings of the repository.
	expect(stepsOf(publish).map((step) => step.with)).toEqual([
		{ name: 'package' },
		{ 'node-version': 24 },
		undefined,
	]);
	const packed = stepsOf(pack).at(-1)!;
	expect(actionOf(packed)).toBe('actions/upload-artifact');
	expect(packed.with).toMatchObject({ name: 'package', path: 'packed/*.tgz' });
	expect(stepsOf(pack).map(({ run }) => run)).toEqual(expect.arrayContaining(['npm test', 'npm run build']));
});

test('the jobs that open an issue and that analyze run no package', () => {
	const { tell } = workflow('tell.yml').jobs as { tell: Job };
	const { analyze } = workflow('codeql.yml').jobs as { analyze: Job };
	expect(stepsOf(tell)).toHaveLength(1);
	for (const { run = '' } of [...stepsOf(tell), ...stepsOf(analyze)]) expect(run).not.toMatch(/\bnp[mx]\b/);
});

test('a red nightly or weekly run opens an issue, whichever of its jobs failed', () => {
	for (const name of ['nightly.yml', 'weekly.yml']) {
		const all = Object.entries(workflow(name).jobs);
		const tells = all.filter(([, { uses, if: when }]) => uses?.endsWith('/tell.yml') && when === 'failure()');
		const others = all.filter(([job, { uses }]) => uses === undefined && job !== 'newest');
		expect(tells.flatMap(([, { needs }]) => needs)).toEqual(others.map(([job]) => job));
	}
});

test('what failed leaves its logs and pictures', () => {
	const uploads = [workflow('ci.yml').jobs.test!, workflow('nightly.yml').jobs.nightly!].map((job) =>
		stepsOf(job).find((step) => actionOf(step) === 'actions/upload-artifact'),
	);
	for (const upload of uploads) {
		expect(upload!.if).toMatch(/^(failure|always)\(\)$/);
		expect(upload!.with!.path).toMatch(/\.local\/logs\n\.local\/browser\n/);
		// Without this, nothing below a folder with a dot is uploaded.
		expect(upload!.with!['include-hidden-files']).toBe(true);
	}
});

test('each week the newest scanner looks, and each night a computer of each kind starts', () => {
	const run = (name: string, job: string) => stepsOf(workflow(name).jobs[job]!).map((step) => step.run);
	expect(run('weekly.yml', 'scan')).toContain('npm run scan -- --newest');
	expect(run('weekly.yml', 'signatures')).toContain('npm audit signatures');
	expect(run('nightly.yml', 'systems')).toContain('npm start -- --once');
	const { matrix } = workflow('nightly.yml').jobs.systems!.strategy!;
	expect(matrix.system).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest']);
});

test('the newest n8n stops no release, and the tested ones do', () => {
	const { nightly, newest } = workflow('nightly.yml').jobs as { nightly: Job; newest: Job };
	const isPassedOver = (job: Job) =>
		stepsOf(job).flatMap(({ run = '', ...step }) =>
			/^npm run/.test(run) ? [[run, step['continue-on-error'] ?? false]] : [],
		);
	expect(isPassedOver(nightly)).toEqual([['npm run nightly', false]]);
	expect(isPassedOver(newest)).toEqual([['npm run test:n8n -- --n8n "$VERSION"', true]]);
});

test('a job that calls another workflow gives it the rights that its jobs ask for', () => {
	const calls = jobs.filter(({ uses }) => uses !== undefined);
	expect(calls.map(({ name }) => name).sort()).toEqual([
		'nightly.yml tell-newest',
		'nightly.yml tell-red',
		'publish.yml nightly',
		'weekly.yml tell',
	]);
	for (const { uses, permissions } of calls) {
		const called = Object.values(workflow(uses!.replace(`./${FOLDER}`, '')).jobs);
		const asked = called.flatMap((job) => rightsToWrite(job.permissions ?? {}));
		expect(rightsToWrite(permissions)).toEqual([...new Set(asked)]);
	}
});

test('each action is pinned to a commit, the same everywhere, and no checkout keeps its token', () => {
	const steps = jobs.flatMap(stepsOf).filter(({ uses }) => uses !== undefined);
	const pinned = new Set(steps.map(({ uses }) => uses!));
	expect([...pinned].sort()).toEqual([
		expect.stringMatching(/^actions\/checkout@[\da-f]{40}$/),
		expect.stringMatching(/^actions\/download-artifact@[\da-f]{40}$/),
		expect.stringMatching(/^actions\/setup-node@[\da-f]{40}$/),
		expect.stringMatching(/^actions\/upload-artifact@[\da-f]{40}$/),
		expect.stringMatching(/^github\/codeql-action\/analyze@[\da-f]{40}$/),
		expect.stringMatching(/^github\/codeql-action\/init@[\da-f]{40}$/),
	]);
	for (const step of steps.filter((each) => actionOf(each) === 'actions/checkout'))
		expect(step.with).toEqual({ 'persist-credentials': false });
});

test('mutation.yml changes each week all that Stryker is to change', () => {
	const { on, jobs } = workflow('mutation.yml');
	// Jest imports no ES modules.
	const print =
		"import config from './test/mutation/stryker.config.mjs'; console.log(JSON.stringify(config.mutate))";
	const changed = execFileSync(process.execPath, ['--input-type=module', '--eval', print], {
		encoding: 'utf8',
	});
	expect(on.schedule).toEqual([{ cron: expect.stringMatching(/ [0-6]$/) }]);
	expect(jobs.mutate!.strategy!.matrix.files).toEqual(JSON.parse(changed));
});
