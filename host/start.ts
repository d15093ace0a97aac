/**
 * The program behind `npm start`: runs the sandbox and n8n until Ctrl-C, or with `--once` until the main job is done. With `--watch`,
 * as `npm run dev` has it, n8n reloads the nodes when a source is saved.
 * Writes progress to stderr and the items of the main job to stdout, as JSON lines.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runMainJob } from './mainJob.ts';
import type { Owner, StoredWorkflow } from './n8n/client.ts';
import { installedPackage } from './n8n/process.ts';
import { CREDENTIAL_NAME, formUrl, startSingleProcess, startStack } from './stack.ts';
import type { Stack } from './stack.ts';
import { TRIES } from './tries.ts';
import type { Try } from './tries.ts';

const FOLDER = '.local/start';

const say = (text: string) => process.stderr.write(`${text}\n`);

/** The owner of n8n, generated at the first start and kept in the folder. */
function loadOwner(folder: string): Owner {
	const file = `${folder}/owner.json`;
	if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Owner;
	// n8n requires a capital letter and a digit.
	const owner = { email: 'owner@example.com', password: `${randomBytes(9).toString('base64url')}A1` };
	writeFileSync(file, JSON.stringify(owner), { mode: 0o600 });
	return owner;
}

/** Locks the folder, because two n8n would damage one database. Returns the function that unlocks it. */
function lock(folder: string): () => void {
	const file = `${folder}/pid`;
	const pid = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
	if (pid !== undefined && isAlive(Number(pid)))
		throw new Error(
			`It is already running as process ${pid}. Stop that first. If it is another program, delete ${file}.`,
		);
	writeFileSync(file, String(process.pid));
	return () => rmSync(file);
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

function whatToTry(stack: Stack, owner: Owner, credential: Record<string, unknown>): string {
	const { n8n, sandbox, mailbox, example, approvers } = stack;
	const placeOf = (opens: Try['opens'], workflow: StoredWorkflow) => {
		if (opens === 'sandbox') return sandbox.url;
		return opens === 'form' ? formUrl(stack, workflow) : `${n8n.url}/workflow/${workflow.id}`;
	};
	const tries = TRIES.map(({ name, example: file, opens, steps }, index) => {
		const lines = [`${name}: open ${placeOf(opens, example(file))}`, ...steps.split('\n')];
		return `  ${index + 1}. ${lines.join('\n     ')}`;
	});
	const people = Object.values(approvers).map(({ user, password }) => `${user}  ${password}`);
	const fields = Object.entries(credential).map(([label, value]) => `  ${label.padEnd(17)} ${String(value)}`);
	return `
n8n is ready.
  Editor:    ${n8n.url}/home/workflows
  Log-in:    ${owner.email}  ${owner.password}
  Sandbox:   ${sandbox.url}  (deposits, payouts and deliveries with buttons)
  Mailbox:   ${mailbox.url}  (the mails that n8n sends)
  Approvers: ${people.join('   ')}  (names and passwords for the pages of these mails)

Try, in this order:
${tries.join('\n')}
docs/set-up/examples.md describes the other examples. On a published canvas, n8n opens a checklist.
Close it, and leave its "Enable MCP access" off: docs/reference/agents.md says why.

n8n has this credential as "${CREDENTIAL_NAME}". In another n8n on this machine, enter:
${fields.join('\n')}

The service knows one webhook URL. Now it is the URL of "${example('deposit-arrives').name}". To receive
events with a trigger of your own, enter its URL in the field Webhook URL of the sandbox page.
The examples then receive no events.

Ctrl-C stops everything. The next "npm start" uses the same data (.local/start).
`;
}

/** Compiles a saved source into the package that n8n has installed, where n8n notices it. Returns what ends this. */
function watchSources(): () => void {
	const target = join(installedPackage(FOLDER), 'dist');
	const args = ['-p', 'tsconfig.json', '--watch', '--preserveWatchOutput', '--outDir', target];
	const compiler = spawn(process.execPath, ['node_modules/typescript/bin/tsc', ...args], {
		stdio: ['ignore', process.stderr, process.stderr],
	});
	say(`Save a file of api, credentials or nodes: n8n reloads the nodes within seconds. Reload the editor's page to see new
parameters. Tests of a folder: npm run test:unit -- decimal, npm run test:headless -- payment, npm run test:n8n -- trigger
`);
	return () => void compiler.kill();
}

/** Runs until an interruption, or with `--once` until the main job is done. */
async function main(): Promise<void> {
	const option = { type: 'boolean', default: false } as const;
	const { values } = parseArgs({ options: { once: option, watch: option } });
	// The signal may come twice, from the terminal and from the launcher, so the handlers stay.
	const interrupted = new Promise<'interrupted'>((done) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => done('interrupted'));
	});
	mkdirSync(FOLDER, { recursive: true });
	const unlock = lock(FOLDER);
	const owner = loadOwner(FOLDER);
	let stack: Stack | undefined;
	let stopWatching = () => {};

	const work = async () => {
		stack = await startStack({
			userFolder: FOLDER,
			sandboxDatabase: `${FOLDER}/sandbox.db`,
			owner,
			say,
			start: async (userFolder) =>
				await startSingleProcess(userFolder, values.watch ? { N8N_DEV_RELOAD: 'true' } : {}),
		});
		if (values.once) {
			const { deposits, payouts, updates } = await runMainJob(stack, say);
			for (const item of [...deposits, ...payouts, ...updates])
				process.stdout.write(`${JSON.stringify(item)}\n`);
			for (const { to, subject } of stack.mailbox.mails) say(`A mail to ${to.join(', ')}: ${subject}`);
		} else {
			say(whatToTry(stack, owner, await stack.control('GET', '/credential')));
			if (values.watch) stopWatching = watchSources();
			await interrupted;
		}
	};
	try {
		const end = await Promise.race([work(), interrupted]);
		if (end === 'interrupted' && values.once) throw new Error('it was interrupted');
	} finally {
		say('Stopping');
		stopWatching();
		await stack?.stop();
		unlock();
	}
}

main().then(
	// An interrupted start would keep the process alive.
	() => process.exit(0),
	(error: Error) => {
		say(`npm start failed: ${error.message}`);
		process.exit(1);
	},
);
