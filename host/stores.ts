/** The servers that n8n's processes share in queue mode: PostgreSQL and Redis, with their defaults but for the addresses. */
import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Json } from './n8nClient.ts';
import { freePort, startProgram } from './program.ts';
import type { Program, ProgramOptions } from './program.ts';

const run = promisify(execFile);

/** The owner of all databases, who needs no password: they are of this machine and of this run only. */
const USER = 'n8n';

export interface Database {
	/** n8n's settings for it. */
	env: Record<string, string>;
	/** How n8n's Postgres node reaches it. */
	credential: Json;
	query(sql: string): Promise<Json[]>;
}

export interface Stores {
	/** n8n's settings for Redis. */
	redis: Record<string, string>;
	/** Makes a database of that name. */
	database(name: string): Promise<Database>;
	stop(): Promise<void>;
}

/** Starts both on free loopback ports, with nothing in them; what they keep is below the folder. */
export async function startStores(folder: string): Promise<Stores> {
	const { POSTGRES, REDIS } = process.env;
	if (!POSTGRES || !REDIS)
		throw new Error('Queue mode needs PostgreSQL and Redis: npm looks for them and gives their paths.');
	// Its other programs stand beside it, not beside a link to it.
	const bin = dirname(realpathSync(POSTGRES));
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const running: Program[] = [];
	const stop = async () => {
		for (const program of running.splice(0).reverse()) await program.stop();
		rmSync(data, { recursive: true, force: true });
	};
	const user = await postgresUser();
	const data = dataFolder(folder, user);
	try {
		const [port, redisPort] = [await freePort(), await freePort()];
		running.push(await startRedis(REDIS, folder, redisPort));
		running.push(await startPostgres(bin, data, join(folder, 'postgres.log'), port, user));
		return {
			redis: { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: String(redisPort) },
			database: (name) => makeDatabase(bin, name, port),
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

async function startRedis(command: string, folder: string, port: number): Promise<Program> {
	const dir = join(folder, 'redis');
	mkdirSync(dir);
	const cli = join(dirname(command), 'redis-cli');
	return await startProgram({
		name: 'Redis',
		command,
		args: ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir],
		logFile: join(folder, 'redis.log'),
		ready: () => succeeds(cli, ['-p', String(port), 'ping']),
	});
}

async function startPostgres(
	bin: string,
	data: string,
	logFile: string,
	port: number,
	user: ProgramOptions['user'],
): Promise<Program> {
	const options = { cwd: data, ...user };
	await run(
		join(bin, 'initdb'),
		['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C'],
		options,
	);
	const address = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-p', String(port)];
	return await startProgram({
		name: 'PostgreSQL',
		command: join(bin, 'postgres'),
		args: ['-D', data, ...address],
		logFile,
		ready: () => succeeds(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]),
		user,
		// Its "fast" and its "immediate" shutdown: killed, it would leave processes of its own behind.
		signals: { stop: 'SIGINT', kill: 'SIGQUIT' },
	});
}

async function makeDatabase(bin: string, name: string, port: number): Promise<Database> {
	const reach = ['-h', '127.0.0.1', '-p', String(port), '-U', USER];
	await run(join(bin, 'createdb'), [...reach, name]);
	return {
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_USER: USER,
			DB_POSTGRESDB_DATABASE: name,
		},
		credential: { host: '127.0.0.1', port, database: name, user: USER, password: '', ssl: 'disable' },
		query: async (sql) => {
			const asJson = `SELECT coalesce(json_agg(result_row), '[]') FROM (${sql}) result_row`;
			const args = [...reach, '-d', name, '-v', 'ON_ERROR_STOP=1', '-qAt', '-c', asJson];
			const { stdout } = await run(join(bin, 'psql'), args, { maxBuffer: 2 ** 28 });
			return JSON.parse(stdout) as Json[];
		},
	};
}

/** PostgreSQL refuses to run as root: then as the user that its package makes. */
async function postgresUser(): Promise<ProgramOptions['user']> {
	if (process.getuid?.() !== 0) return undefined;
	const id = async (option: string) => Number((await run('id', [option, 'postgres'])).stdout);
	return { uid: await id('-u'), gid: await id('-g') };
}

/** An empty folder that is PostgreSQL's: below the given one, or elsewhere where another user cannot get there. */
function dataFolder(folder: string, user: ProgramOptions['user']): string {
	const below = join(resolve(folder), 'postgres');
	if (user === undefined) {
		mkdirSync(below);
		return below;
	}
	const passable = (path: string): boolean =>
		(statSync(path).mode & 0o001) !== 0 && (path === dirname(path) || passable(dirname(path)));
	const data = passable(resolve(folder)) ? below : mkdtempSync(join(tmpdir(), 'postgres-'));
	mkdirSync(data, { recursive: true });
	chownSync(data, user.uid, user.gid);
	return data;
}

async function succeeds(command: string, args: string[]): Promise<boolean> {
	try {
		await run(command, args);
		return true;
	} catch (error) {
		// It ended with a number, or was not even there.
		if (typeof (error as { code: unknown }).code === 'number') return false;
		throw error;
	}
}
