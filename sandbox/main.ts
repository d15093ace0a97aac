/** The command line of the sandbox. */
import { parseArgs } from 'node:util';
import { startSandbox } from './server.ts';
import type { Sandbox } from './server.ts';
import { PRINTED } from './settings.ts';

const USAGE = `Usage: npm run sandbox -- [--port NUMBER] [--webhook-url URL] [--db FILE]
  [--settle-after MILLISECONDS|never] [--retry-delay MILLISECONDS]
  [--payment-key-header NAME]`;

function readArguments() {
	const { values } = parseArgs({
		options: {
			port: { type: 'string' },
			'webhook-url': { type: 'string' },
			db: { type: 'string' },
			'settle-after': { type: 'string' },
			'retry-delay': { type: 'string' },
			'payment-key-header': { type: 'string' },
		},
	});
	const number = (name: 'port' | 'settle-after' | 'retry-delay', what: string) => {
		const value = values[name];
		if (value === undefined || /^\d{1,8}$/.test(value))
			return value === undefined ? undefined : Number(value);
		throw new Error(`--${name} takes ${what}, not ${value}`);
	};
	return {
		port: number('port', 'a number'),
		webhookUrl: values['webhook-url'],
		db: values.db,
		settleAfterMs:
			values['settle-after'] === 'never' ? null : number('settle-after', 'a number of milliseconds or never'),
		retryDelayMs: number('retry-delay', 'a number of milliseconds'),
		paymentKeyHeader: values['payment-key-header'],
	};
}

function startMessage({ url, key, secret, webhookSecret, service }: Sandbox, db: string | undefined): string {
	const noUrl = 'none yet; set it with --webhook-url or PUT /_sandbox/webhook';
	const rows: Array<[name: string, value: string]> = [
		['Page', `${url}/`],
		[PRINTED.url, url],
		[PRINTED.key, key],
		[PRINTED.secret, secret],
		[PRINTED.webhookSecret, webhookSecret],
		['Webhook URL', service.settings.current.webhookUrl || noUrl],
		['Kept in', db ?? 'memory'],
	];
	const lines = rows.map(([name, value]) => `  ${name.padEnd(16)}  ${value}`);
	return ['Sandbox of the wallet service: no real money', ...lines, 'Ctrl-C stops it.'].join('\n');
}

async function main(): Promise<void> {
	const options = readArguments();
	const sandbox = await startSandbox(options);
	console.log(startMessage(sandbox, options.db));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.stop());
}

main().catch((error) => {
	console.error(`${(error as Error).message}\n${USAGE}`);
	process.exitCode = 1;
});
