/** An HTTP client of the sandbox. */
import { createHmac } from 'node:crypto';
import type { Secrets } from '../../sandbox/machine/settings.ts';
import { send, type HttpResponse } from '../../host/http.ts';
import { requireControl } from '../../host/sandboxClient.ts';

export { send } from '../../host/http.ts';
export type { AnyJson, HttpResponse } from '../../host/http.ts';
export { control, requireControl } from '../../host/sandboxClient.ts';

/** URL and secrets of a running sandbox. */
export type SandboxConnection = Secrets & { url: string };

/** The three headers by the credential's defaults. Computed here, so that the code under test does not check itself. */
export function signed(
	{ key, secret }: Pick<SandboxConnection, 'key' | 'secret'>,
	method: string,
	path: string,
	body: string,
	timestamp: number,
) {
	const signature = createHmac('sha256', secret).update(`${timestamp}${method}${path}${body}`).digest('hex');
	return { 'x-svc-key': key, 'x-svc-signature': signature, 'x-svc-timestamp': String(timestamp) };
}

/** A signed API call to a route such as `POST /v1/fiat_balance`. Sends the body unchanged. */
export function call(
	sandbox: Pick<SandboxConnection, 'url' | 'key' | 'secret'>,
	route: string,
	body = '',
	now = Date.now(),
): Promise<HttpResponse> {
	const [method = '', path = ''] = route.split(' ');
	const headers: Record<string, string> = { accept: '*/*', ...signed(sandbox, method, path, body, now) };
	if (body !== '') headers['content-type'] = 'application/json';
	return send(sandbox.url + path, method, body === '' ? undefined : body, headers);
}

/** The balance of a currency or coin as plain decimal text. */
export async function balanceOf(sandbox: SandboxConnection, code: string): Promise<string> {
	const { balances } = (await requireControl(sandbox, 'GET state')) as { balances: Record<string, string> };
	const balance = balances[code];
	if (balance === undefined) throw new Error(`The sandbox has no ${code} balance`);
	return balance;
}
