/** The command line of the sandbox. */
import { parseArgs } from 'node:util';
import { startSandbox } from './http/server.ts';
import type { Sandbox } from './http/server.ts';
import { PRINTED } from './machine/settings.ts';

const USAGE =
	'Usage: npm run sandbox -- [--port NUMBER] [--webhook-url URL] [--db FILE] [--settle-after MILLISECONDS|never]';

function readArguments() {
	const option = { type: 'string' } as const;
	const { values } = parseArgs({
		options: { port: option, 'webhook-url': option, db: option, 'settle-after': option },
	});
	const number = (name: keyof typeof values, what: string) => {
		const { [name]: value } = values;
		if (value === undefined) return undefined;
		if (/^\d{1,8}$/.test(value)) return Number(value);
		throw new Error(`--${name} takes ${what}, not ${value}`);
	};
	const isNever = values['settle-after'] === 'never';
	return {
		port: number('port', 'a number'),
		webhookUrl: values['webhook-url'],
		db: values.db,
		settleAfterMs: isNever ? null : number('settle-after', 'a number of milliseconds or never'),
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
