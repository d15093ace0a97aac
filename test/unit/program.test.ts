/** Starting servers beside other processes that do the same. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { freePort, startProgram } from '../../host/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'wallet-service-program-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('processes that ask for ports at the same time get different ones', async () => {
	const moduleUrl = JSON.stringify(pathToFileURL('host/program.ts').href);
	const code = `const { freePort } = await import(${moduleUrl});
		const ports = [];
		for (let count = 0; count < 20; count++) ports.push(await freePort());
		console.log(JSON.stringify(ports));`;
	const args = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', '--input-type=module', '--eval', code];
	const outputs = await Promise.all(
		[1, 2, 3].map(() => promisify(execFile)(process.execPath, args, { encoding: 'utf8' })),
	);
	const ports = outputs.flatMap(({ stdout }) => JSON.parse(stdout) as number[]);
	expect(ports).toHaveLength(60);
	expect(new Set(ports).size).toBe(60);
});

test('a port on which a server listens is not given', async () => {
	const port = await freePort();
	const next = createServer();
	await new Promise<void>((done) => next.listen(port + 1, '127.0.0.1', done));
	expect(await freePort()).toBeGreaterThan((next.address() as AddressInfo).port);
	await new Promise((done) => next.close(done));
});

test('a program that has ended is not started, though another one answers in its place', async () => {
	const logFile = join(folder, 'program.log');
	const ends = startProgram({
		name: 'The program',
		command: process.execPath,
		args: ['-e', "console.log('address in use'); process.exit(1)"],
		logFile,
		ready: () => new Promise((done) => setTimeout(() => done(true), 3000)),
	});
	await expect(ends).rejects.toThrow(/The program did not start\. .*\naddress in use/);
});
