import { execFile, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { request } from 'undici';

const run = promisify(execFile);

/** What n8n inherits: nothing that would set it up differently, no jest, no proxy between it and the sandbox. */
const INHERITED = ['HOME', 'USERPROFILE', 'LANG', 'TMPDIR', 'TEMP', 'SystemRoot'];

/** The first start makes the database: seconds here, more on a slow disk. */
const READY_WITHIN_MS = 120_000;
const STOPPED_WITHIN_MS = 20_000;

export interface N8n {
	/** Of the editor, the webhooks and both of its APIs; without a slash at the end. */
	url: string;
	pid: number;
	userFolder: string;
	/** All that it has written to its console since this start. */
	log(): string;
	/** As an operator stops it; resolves when it is gone. */
	stop(): Promise<void>;
	/** As a power cut stops it. */
	kill(): Promise<void>;
}

export interface N8nOptions {
	/** Holds `.n8n` with the database and all else that lasts; made where missing. */
	userFolder: string;
	/** Further settings, as n8n's own environment variables. */
	env?: Record<string, string>;
}

/** A port of the loopback interface that is free now. */
export async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	const { port } = server.address() as AddressInfo;
	await new Promise((done) => server.close(done));
	return port;
}

/** Packs the built package as for publishing and unpacks it where n8n keeps community packages. */
export async function installPackage(userFolder: string): Promise<void> {
	const packages = join(userFolder, '.n8n/nodes/node_modules');
	const target = join(packages, 'n8n-nodes-wallet-service');
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', packages], {
		shell: process.platform === 'win32',
	});
	const tarball = join(packages, stdout.trim());
	await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', target]);
	rmSync(tarball);
	// Below this repository Node would find the repository's n8n-workflow, whose errors n8n does not take for its own: it
	// would drop what they carry.
	const workflow = join(packages, 'n8n-workflow');
	rmSync(workflow, { force: true });
	symlinkSync(resolve('test/host/node_modules/n8n-workflow'), workflow, 'junction');
}

/** Starts n8n 2.41.1 on free loopback ports and waits until it answers. Throws with its log where it does not. */
export async function startN8n({ userFolder, env }: N8nOptions): Promise<N8n> {
	mkdirSync(userFolder, { recursive: true });
	const [port, brokerPort] = [await freePort(), await freePort()];
	const url = `http://127.0.0.1:${port}`;
	const logFile = join(userFolder, 'n8n.log');
	const output = openSync(logFile, 'w');
	const child = spawn(process.execPath, ['test/host/node_modules/n8n/bin/n8n', 'start'], {
		stdio: ['ignore', output, output],
		env: {
			...Object.fromEntries(INHERITED.map((name) => [name, process.env[name]])),
			// n8n starts its task runner as plain `node`.
			PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
			N8N_USER_FOLDER: resolve(userFolder),
			N8N_PORT: String(port),
			N8N_RUNNERS_BROKER_PORT: String(brokerPort),
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_HOST: '127.0.0.1',
			N8N_SECURE_COOKIE: 'false',
			N8N_DIAGNOSTICS_ENABLED: 'false',
			N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
			N8N_TEMPLATES_ENABLED: 'false',
			N8N_PERSONALIZATION_ENABLED: 'false',
			...env,
		},
	});
	closeSync(output);

	const log = () => readFileSync(logFile, 'utf8');
	const gone = new Promise<void>((done) => child.once('close', () => done()));
	const running = () => child.exitCode === null && child.signalCode === null;
	const end = async (signal: NodeJS.Signals) => {
		if (running()) child.kill(signal);
		await gone;
		process.off('exit', abandon);
	};
	const stop = async () => {
		const impatient = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS);
		await end('SIGTERM');
		clearTimeout(impatient);
	};
	const abandon = () => child.kill('SIGKILL');
	process.on('exit', abandon);

	const answers = async (path: string) => {
		try {
			const { statusCode, body } = await request(url + path);
			await body.dump();
			return statusCode === 200;
		} catch {
			return false;
		}
	};
	const giveUp = Date.now() + READY_WITHIN_MS;
	// It answers /healthz while its migrations still run.
	while (!((await answers('/healthz/readiness')) && (await answers('/rest/settings')))) {
		if (!running() || Date.now() > giveUp) {
			await end('SIGKILL');
			throw new Error(`n8n did not start. The end of its log:\n${log().slice(-3000)}`);
		}
		await sleep(200);
	}
	return { url, pid: child.pid!, userFolder, log, stop, kill: () => end('SIGKILL') };
}
