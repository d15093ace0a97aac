import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { request } from 'undici';
import { freePort, startProgram } from './program.ts';
import type { Program } from './program.ts';

const run = promisify(execFile);

/** The installed packages among which n8n is; the launcher says where. */
const installed = () => resolve(process.env.TEST_N8N ?? 'host/node_modules');

export interface N8n extends Program {
	/** Of the editor, the webhooks and both of its APIs; without a slash at the end. */
	url: string;
	/** Where production webhooks are taken: the same, unless other processes do that. */
	webhooks: string;
	userFolder: string;
}

export interface N8nOptions {
	/** Holds `.n8n` with the database and all else that lasts; made where missing. */
	userFolder: string;
	/** What the process does: everything, or a part of it in queue mode. */
	role?: 'start' | 'webhook' | 'worker';
	/** Further settings, as n8n's own environment variables. */
	env?: Record<string, string>;
}

/** What answers 200 when a process is ready. The first answers `/healthz` while its migrations still run. */
const READY: Record<NonNullable<N8nOptions['role']>, string[]> = {
	start: ['/healthz/readiness', '/rest/settings'],
	webhook: ['/healthz/readiness'],
	worker: ['/healthz/readiness'],
};

/** Packs the built package as for publishing and unpacks it where the n8n of each folder keeps community packages. */
export async function installPackage(...userFolders: string[]): Promise<void> {
	const [first] = userFolders;
	mkdirSync(first, { recursive: true });
	const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', first], {
		shell: process.platform === 'win32',
	});
	const tarball = join(first, stdout.trim());
	for (const userFolder of userFolders) {
		const packages = join(userFolder, '.n8n/nodes/node_modules');
		const target = join(packages, 'n8n-nodes-wallet-service');
		rmSync(target, { recursive: true, force: true });
		mkdirSync(target, { recursive: true });
		await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', target]);
		// Below this repository Node would find the repository's n8n-workflow, whose errors n8n does not take for its own:
		// it would drop what they carry.
		const workflow = join(packages, 'n8n-workflow');
		rmSync(workflow, { force: true });
		symlinkSync(join(installed(), 'n8n-workflow'), workflow, 'junction');
	}
	rmSync(tarball);
}

/** Starts n8n on free loopback ports and waits until it answers. Throws with its log where it does not. */
export async function startN8n({ userFolder, role = 'start', env }: N8nOptions): Promise<N8n> {
	mkdirSync(userFolder, { recursive: true });
	const [port, brokerPort] = [await freePort(), await freePort()];
	const url = `http://127.0.0.1:${port}`;
	const answers = async (path: string) => {
		try {
			const { statusCode, body } = await request(url + path);
			await body.dump();
			return statusCode === 200;
		} catch {
			return false;
		}
	};
	const program = await startProgram({
		name: `n8n ${role}`,
		command: process.execPath,
		args: [join(installed(), 'n8n/bin/n8n'), role],
		logFile: join(userFolder, 'n8n.log'),
		env: {
			// n8n starts its task runner as plain `node`.
			PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
			N8N_USER_FOLDER: resolve(userFolder),
			N8N_RUNNERS_BROKER_PORT: String(brokerPort),
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_HOST: '127.0.0.1',
			// A worker answers questions for its health only, if at all.
			...(role === 'worker'
				? {
						QUEUE_HEALTH_CHECK_ACTIVE: 'true',
						QUEUE_HEALTH_CHECK_PORT: String(port),
						N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
					}
				: { N8N_PORT: String(port) }),
			N8N_SECURE_COOKIE: 'false',
			N8N_DIAGNOSTICS_ENABLED: 'false',
			N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
			N8N_TEMPLATES_ENABLED: 'false',
			N8N_PERSONALIZATION_ENABLED: 'false',
			...env,
		},
		ready: async () => {
			for (const path of READY[role]) if (!(await answers(path))) return false;
			return true;
		},
	});
	return { ...program, url, webhooks: url, userFolder };
}
