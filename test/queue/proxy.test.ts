/** The proxy that docs/set-up/receive-events.md recommends in front of n8n, with the real n8n. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { send } from '../../host/http.ts';
import { freePort } from '../../host/program.ts';
import { startTemporaryStack, webhookUrl } from '../../host/stack.ts';
import { withStack } from '../../host/testkit/stacks.ts';
import { publishLine, triggerNode } from '../../host/testkit/workflows.ts';
import { until } from '../../host/until.ts';
import { JSON_TYPE } from '../../host/testkit/deliveries.ts';

/** Starts nginx with the configuration of the page, but on a free port without TLS, in front of n8n. */
async function startNginx(n8nUrl: string) {
	const program = process.env.NGINX ?? 'nginx';
	const page = readFileSync('docs/set-up/receive-events.md', 'utf8');
	const [, example = ''] = /```nginx\n([^]*?)```/.exec(page) ?? [];
	const port = await freePort();
	const server = example
		.replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
		.replaceAll('http://127.0.0.1:5678', n8nUrl);
	expect(server).toContain('auth_request');
	const folder = mkdtempSync(join(tmpdir(), 'wallet-service-nginx-'));
	const file = join(folder, 'nginx.conf');
	const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
		(name) => `${name}_temp_path ${folder}/${name};`,
	);
	writeFileSync(
		file,
		`daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {} http { access_log off; ${paths.join(' ')}\n${server} }`,
	);
	await promisify(execFile)(program, ['-t', '-c', file, '-p', folder, '-e', join(folder, 'error.log')]);
	const child = spawn(program, ['-c', file, '-p', folder, '-e', join(folder, 'error.log')], {
		stdio: 'ignore',
	});
	return {
		url: `http://127.0.0.1:${port}`,
		stop: async () => {
			child.kill();
			await once(child, 'exit');
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

test('behind the proxy of the page, a delivery during a restart is answered by the trigger or repeated', async () => {
	const withoutExamples = () => startTemporaryStack({ examples: [] });
	await withStack(withoutExamples, async (host) => {
		const open = await publishLine(host.client, 'Open', triggerNode({ events: ['admin_funding'] }));
		const proxy = await startNginx(host.n8n.url);
		const path = new URL(webhookUrl(host.n8n, open)).pathname;
		const answers = new Set<string>();
		let isOver = false;
		const deliver = async () => {
			for (let index = 0; !isOver; index += 1) {
				const body = `{"event":"crypto_received","id":"${index}"}`;
				const { status, text } = await send(proxy.url + path, 'POST', body, JSON_TYPE);
				answers.add(status === 200 ? text : String(status));
				await sleep(3);
			}
		};
		try {
			await until('the proxy', () => send(proxy.url, 'GET').catch(() => undefined));
			const sending = deliver();
			await sleep(500);
			await host.restart();
			await sleep(500);
			isOver = true;
			await sending;
			// 503 while n8n is not ready, 404 until the workflows are published.
			const expected = ['{"ok":true,"ignored":true}', '503', '404'];
			expect(expected).toEqual(expect.arrayContaining([...answers]));
			expect([...answers]).toEqual(expect.arrayContaining(expected.slice(0, 2)));
		} finally {
			await proxy.stop();
		}
	});
});
