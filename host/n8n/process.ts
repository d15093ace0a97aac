import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { send } from '../http.ts';
import { freePort, startProgram } from '../program.ts';
import type { Program } from '../program.ts';

const run = promisify(execFile);

/** The folder of packages that has n8n; the launcher sets it. */
export const packagesFolder = () => resolve(process.env.TEST_N8N ?? 'host/node_modules');

export interface N8n extends Program {
	/** The address of the editor and of both APIs, without a slash at the end. */
	url: string;
	/** The address for production webhooks: `url`, or the balancer in queue mode. */
	webhooks: string;
	/** What it was started with, for another start. */
	options: Parameters<typeof startN8n>[0];
}

/** Settings of an n8n that nobody opens in a browser. Writing the editor's files takes a third of a start. */
export const WITHOUT_EDITOR = { N8N_DISABLE_UI: 'true' };

/** With this, n8n makes an expression engine only if one is needed. Without it, n8n makes one for each delivery. */
export const LAZY_EXPRESSION_ENGINE = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

/** The same, and each engine is made from the compiled code of the first one. A third of n8n's work in the tests is that of its engines. */
const FAST_EXPRESSION_ENGINE = {
	...LAZY_EXPRESSION_ENGINE,
	N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
};

/** With it, the testkit can make payments older. Node.js loads this file first. */
export const NAMED_ROWS = {
	NODE_OPTIONS: `--import=${pathToFileURL(resolve('host/n8n/nameRows.mjs')).href}`,
};

/** Settings of an n8n of tests and soaks. At night its expression engine is as n8n has it by itself. */
export const FOR_TESTS = {
	...NAMED_ROWS,
	...(process.env.EXPRESSION_ENGINE !== 'default' && FAST_EXPRESSION_ENGINE),
};

/** n8n must delete no execution while they are counted. */
export const KEEP_EXECUTIONS = { EXECUTIONS_DATA_PRUNE: 'false' };

const communityPackages = (userFolder: string) => join(userFolder, '.n8n/nodes/node_modules');

/** Where n8n has the package. */
export const installedPackage = (userFolder: string) =>
	join(communityPackages(userFolder), 'n8n-nodes-wallet-service');

/** Packs the built package as for publishing and unpacks it into the community packages of each n8n folder. */
export async function installPackage(...userFolders: string[]): Promise<void> {
	const first = userFolders[0]!;
	mkdirSync(first, { recursive: true });
	// Windows needs a shell for `npm.cmd`, which splits a path at its spaces.
	const shell = process.platform === 'win32';
	const destination = shell ? `"${first}"` : first;
	const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', destination], { shell });
	const tarball = stdout.trim();
	for (const userFolder of userFolders) {
		const packages = communityPackages(userFolder);
		const target = installedPackage(userFolder);
		rmSync(target, { recursive: true, force: true });
		mkdirSync(target, { recursive: true });
		// Some programs named tar take the colon of `C:` for the end of a machine's name.
		const options = ['--strip-components=1', '-C', relative(first, target)];
		await run('tar', ['-xzf', tarball, ...options], { cwd: first });
		// Otherwise Node finds the n8n-workflow of this repository. n8n does not recognize its errors and drops their details.
		const workflow = join(packages, 'n8n-workflow');
		rmSync(workflow, { force: true });
		symlinkSync(join(packagesFolder(), 'n8n-workflow'), workflow, 'junction');
	}
	rmSync(join(first, tarball));
}

/**
 * Starts n8n on free loopback ports and waits until it answers. Throws with the end of its log otherwise.
 *   userFolder   holds `.n8n` with the database and the settings; it is created if it is missing
 *   role         `start` does everything, or is the main process in queue mode
 *   env          more settings, as n8n's own environment variables
 */
export async function startN8n(options: {
	userFolder: string;
	role?: 'start' | 'webhook' | 'worker';
	port?: number;
	env?: Record<string, string>;
}): Promise<N8n> {
	const { userFolder, role = 'start', env, port = await freePort() } = options;
	mkdirSync(userFolder, { recursive: true });
	const url = `http://127.0.0.1:${port}`;
	const answers = async (path: string, status: number) => {
		const answer = await send(url + path, 'GET').catch(() => undefined);
		return answer?.status === status;
	};
	const program = await startProgram({
		name: `n8n ${role}`,
		command: process.execPath,
		args: [join(packagesFolder(), 'n8n/bin/n8n'), role],
		logFile: join(userFolder, 'n8n.log'),
		env: {
			// It saves a sixth of the processor time of a start.
			NODE_COMPILE_CACHE: resolve('.local/compile-cache'),
			// n8n starts its task runner as plain `node`.
			PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
			N8N_USER_FOLDER: resolve(userFolder),
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_HOST: '127.0.0.1',
			// Otherwise n8n writes times of New York.
			GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
			N8N_PORT: String(port),
			// A worker serves only its health check, and only when that is switched on.
			...(role === 'worker' && {
				QUEUE_HEALTH_CHECK_ACTIVE: 'true',
				QUEUE_HEALTH_CHECK_PORT: String(port),
				N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
			}),
			N8N_SECURE_COOKIE: 'false',
			N8N_DIAGNOSTICS_ENABLED: 'false',
			N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
			N8N_TEMPLATES_ENABLED: 'false',
			N8N_PERSONALIZATION_ENABLED: 'false',
			...env,
		},
		// `/healthz` is not enough, since it answers during migrations.
		ready: async () =>
			(await answers('/healthz/readiness', 200)) && (role !== 'start' || (await answers('/rest/login', 401))),
	});
	return { ...program, url, webhooks: url, options: { ...options, port } };
}

/** Stops n8n cleanly, or kills it as a power cut does, and starts it again at the same address with the same settings. */
export async function restartN8n(n8n: N8n, how: 'kill' | 'stop' = 'kill'): Promise<N8n> {
	await n8n[how]();
	// n8n does nothing for ten seconds after a start that finds this file.
	rmSync(join(n8n.options.userFolder, '.n8n/crash.journal'), { force: true });
	return await startN8n(n8n.options);
}
