/**
 * The program behind `npm start`: the sandbox and n8n until Ctrl-C, or with `--once` until the main job is done.
 * Progress goes to stderr, items as JSON lines to stdout.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runMainJob } from './mainJob.ts';
import type { Owner } from './n8nClient.ts';
import { startStack } from './stack.ts';
import type { Stack } from './stack.ts';

const FOLDER = '.local/start';

const say = (text: string) => process.stderr.write(`${text}\n`);

/** The owner of the n8n in the folder: made up at the first start, the same from then on. */
function ownerOf(folder: string): Owner {
	const file = `${folder}/owner.json`;
	if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Owner;
	// n8n wants a capital letter and a digit in it.
	const owner = { email: 'owner@example.com', password: `${randomBytes(9).toString('base64url')}A1` };
	writeFileSync(file, JSON.stringify(owner), { mode: 0o600 });
	return owner;
}

/** Two n8n over one database would spoil it. Gives the release of the folder. */
function claim(folder: string): () => void {
	const file = `${folder}/pid`;
	const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
	if (pid !== undefined && isAlive(pid))
		throw new Error(
			`It is already running, as process ${pid}. Stop that one first (if it is another program, delete ${file}).`,
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

function whatToTry({ n8n, sandbox, examples }: Stack, owner: Owner): string {
	const deposit = `'{"alias":"customer-0042","amount":"250000.00"}'`;
	return `
n8n is ready.
  Editor:    ${n8n.url}
  Log-in:    ${owner.email}  ${owner.password}
  Sandbox:   ${sandbox.url}  (open it: deposits, payouts and deliveries with buttons)

Try:
  1. Let a deposit arrive:
       curl -X POST ${sandbox.url}/_sandbox/deposits -H 'content-type: application/json' -d ${deposit}
     and see the item: ${n8n.url}/workflow/${examples.deposits.id}/executions
  2. Pay out: open ${n8n.url}/workflow/${examples.payouts.id}, press "Execute workflow",
     and see under Executions how the updates of the payouts arrive.
  3. Look at the other examples (docs/examples.md): ${n8n.url}/home/workflows

Ctrl-C stops everything; the next "npm start" goes on with the same data (.local/start).
`;
}

/** Runs until the work is done or, without `--once`, until it is interrupted. */
async function main(): Promise<void> {
	const { values } = parseArgs({ options: { once: { type: 'boolean', default: false } } });
	// A terminal's Ctrl-C reaches every process of the group and is passed on by the launcher too: it may come twice.
	const interrupted = new Promise<'interrupted'>((done) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => done('interrupted'));
	});
	mkdirSync(FOLDER, { recursive: true });
	const release = claim(FOLDER);
	const owner = ownerOf(FOLDER);
	let stack: Stack | undefined;

	const work = async () => {
		stack = await startStack({ userFolder: FOLDER, sandboxDatabase: `${FOLDER}/sandbox.db`, owner, say });
		if (values.once) {
			const { deposits, payouts, updates } = await runMainJob(stack, say);
			for (const item of [...deposits, ...payouts, ...updates])
				process.stdout.write(`${JSON.stringify(item)}\n`);
		} else {
			say(whatToTry(stack, owner));
			await interrupted;
		}
	};
	try {
		const end = await Promise.race([work(), interrupted]);
		if (end === 'interrupted' && values.once) throw new Error('It was interrupted');
	} finally {
		say('Stopping');
		await stack?.stop();
		release();
	}
}

main().then(
	// Explicitly: an interrupted start leaves work behind that would go on.
	() => process.exit(0),
	(error: Error) => {
		say(`It did not work: ${error.message}`);
		process.exit(1);
	},
);
