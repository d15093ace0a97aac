/** PostgreSQL and Redis for n8n's queue mode, with their default settings except for the addresses. */
import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Json } from './client.ts';
import { freePort, startProgram } from '../program.ts';
import type { Program, ProgramOptions } from '../program.ts';

const run = promisify(execFile);

/** No password is needed, because PostgreSQL listens on loopback and lasts for one run. It makes this database itself. */
const USER = 'n8n';
const DATABASE = 'postgres';

/** Starts both on free loopback ports, empty. Their logs are in the folder; `stop` deletes the data. */
export async function startStores(folder: string) {
	const { POSTGRES, REDIS } = process.env;
	if (!POSTGRES || !REDIS)
		throw new Error('Queue mode needs PostgreSQL and Redis. Install them, and start through npm.');
	mkdirSync(join(folder, 'redis'), { recursive: true });
	const running: Array<Pick<Program, 'stop'>> = [];
	const stop = async () => {
		for (const program of running.splice(0).reverse()) await program.stop();
		rmSync(data, { recursive: true, force: true });
	};
	const user = await postgresUser();
	// In the temporary folder, because PostgreSQL's user may not read this repository.
	const data = mkdtempSync(join(tmpdir(), 'postgres-'));
	if (user !== undefined) chownSync(data, user.uid, user.gid);
	try {
		const [port, redisPort] = [String(await freePort()), String(await freePort())];
		const startRedis = () =>
			startProgram({
				name: 'Redis',
				command: REDIS,
				args: ['--port', redisPort, '--bind', '127.0.0.1', '--dir', join(folder, 'redis')],
				logFile: join(folder, 'redis.log'),
				ready: () => succeeds(join(dirname(REDIS), 'redis-cli'), ['-p', redisPort, 'ping']),
			});
		let redis = await startRedis();
		running.push({ stop: () => redis.stop() });
		// The other programs of PostgreSQL are beside the real file, not beside a link to it.
		const bin = dirname(realpathSync(POSTGRES));
		const initial = ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C'];
		await run(join(bin, 'initdb'), initial, { cwd: data, ...user });
		const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
		const startPostgres = () =>
			startProgram({
				name: 'PostgreSQL',
				command: join(bin, 'postgres'),
				args: ['-D', data, ...settings, '-p', port],
				logFile: join(folder, 'postgres.log'),
				ready: () => succeeds(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', port]),
				user,
				// PostgreSQL's "fast" and "immediate" shutdown. SIGKILL would leave its child processes behind.
				signals: { stop: 'SIGINT', kill: 'SIGQUIT' },
			});
		let postgres = await startPostgres();
		running.push({ stop: () => postgres.stop() });
		const env = {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: port,
			DB_POSTGRESDB_USER: USER,
			DB_POSTGRESDB_DATABASE: DATABASE,
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: redisPort,
		};
		/** It keeps what it has saved: all of it after a stop, and little after a kill. */
		const restartRedis = async (how: 'kill' | 'stop', awayMs = 0) => {
			await redis[how]();
			await sleep(awayMs);
			redis = await startRedis();
		};
		/** It keeps all that it has committed. */
		const restartPostgres = async (how: 'kill' | 'stop', awayMs = 0) => {
			await postgres[how]();
			await sleep(awayMs);
			postgres = await startPostgres();
		};
		/** `env`: n8n's settings for both, as environment variables. */
		return { env, database: databaseAt(bin, port), restartRedis, restartPostgres, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

function databaseAt(bin: string, port: string) {
	const reach = ['-h', '127.0.0.1', '-p', port, '-U', USER, '-d', DATABASE, '-v', 'ON_ERROR_STOP=1', '-qAt'];
	const psql = async (sql: string) =>
		(await run(join(bin, 'psql'), [...reach, '-c', sql], { maxBuffer: 2 ** 28 })).stdout;
	return {
		/** Returns the rows. Throws when PostgreSQL reports an error. */
		query: async (sql: string) => {
			const select = `SELECT coalesce(json_agg(result_row), '[]') FROM (${sql}) result_row`;
			return JSON.parse(await psql(select)) as Json[];
		},
		/** A statement without rows. Throws when PostgreSQL reports an error. */
		execute: async (sql: string) => void (await psql(sql)),
	};
}

/** PostgreSQL refuses to run as root. Root runs it as the user that Debian's package creates. */
async function postgresUser(): Promise<ProgramOptions['user']> {
	if (process.getuid?.() !== 0) return undefined;
	const id = async (option: string) => Number((await run('id', [option, 'postgres'])).stdout);
	return { uid: await id('-u'), gid: await id('-g') };
}

const succeeds = (command: string, args: string[]): Promise<boolean> =>
	run(command, args).then(
		() => true,
		() => false,
	);
