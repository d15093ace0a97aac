/** The command line of the sandbox. */
import { parseArgs } from 'node:util';
import { startSandbox } from './server.ts';
import type { Sandbox } from './server.ts';

const USAGE = 'Usage: npm run sandbox -- [--port NUMBER] [--webhook-url URL] [--db FILE]';

function readArguments() {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '0' },
			'webhook-url': { type: 'string' },
			db: { type: 'string' },
		},
	});
	if (!/^\d{1,5}$/.test(values.port)) throw new Error(`--port takes a number, not ${values.port}`);
	return { port: Number(values.port), webhookUrl: values['webhook-url'], db: values.db };
}

function greeting({ url, key, secret, webhookSecret, service }: Sandbox, db: string | undefined): string {
	return `Sandbox of the wallet service: no real money
  address         ${url}
  key             ${key}
  secret          ${secret}
  webhook secret  ${webhookSecret}
  webhook URL     ${service.deliveries.url || 'none yet: --webhook-url, or PUT /_sandbox/webhook'}
  kept in         ${db ?? 'memory'}
Ctrl-C stops it.`;
}

async function main(): Promise<void> {
	const options = readArguments();
	const sandbox = await startSandbox(options);
	console.log(greeting(sandbox, options.db));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.stop());
}

main().catch((error) => {
	console.error(`${(error as Error).message}\n${USAGE}`);
	process.exitCode = 1;
});
