import { send } from '../http.ts';
import { until } from '../until.ts';
import type { Json, Owner } from './types.ts';

/** Calls of n8n's two APIs, authenticated. They throw with n8n's own message when n8n refuses. */
export type Session = Awaited<ReturnType<typeof openSession>>;

/** The status code of n8n's answer, undefined for an error of another kind. */
export const statusCodeOf = (error: unknown) => (error as { statusCode?: number }).statusCode;

/** Logs in, after creating the owner if n8n has none yet, and creates an API key of all scopes. */
export async function openSession(url: string, { email, password }: Owner) {
	const headers: Record<string, string> = {};

	/** Any path of n8n, `/api/v1/…` for its public API. Returns the body of the answer. */
	const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
		const content = body === undefined ? undefined : JSON.stringify(body);
		const all = { ...headers, ...(content !== undefined && { 'content-type': 'application/json' }) };
		const { status, text, ...answer } = await until('the database of n8n', async () => {
			const response = await send(url + path, method, content, all);
			// On a busy machine n8n misses its database for a moment. Then it refuses all calls, and does nothing of them.
			const isMissing = response.status === 503 && response.text.includes('Database is not ready');
			return isMissing ? undefined : response;
		});
		const cookies = [answer.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0]);
		if (cookies.length > 0) headers.cookie = cookies.join('; ');
		if (status < 400) return JSON.parse(text) as unknown;
		// n8n answers with a page when it does not have the route.
		const message = text.startsWith('{') ? (JSON.parse(text) as { message: string }).message : text;
		const error = new Error(`n8n: ${method} ${path}: ${status} ${message}`);
		throw Object.assign(error, { statusCode: status });
	};
	/** A path below `/rest`, the API of the editor. Returns the `data` of the answer. */
	const rest = async <T = Json>(method: string, path: string, body?: unknown): Promise<T> =>
		((await call(method, `/rest${path}`, body)) as { data: T }).data;
	/** Creates a key of the public API with these scopes, in place of one with that label. n8n shows a key only once. */
	const createApiKey = async (label: string, scopes: string[]): Promise<string> => {
		type Key = { id: string; label: string };
		const keys = await rest<Key[] | { items: Key[] }>('GET', '/api-keys');
		// n8n 2.0 returns them without pages.
		for (const key of Array.isArray(keys) ? keys : keys.items)
			if (key.label === label) await rest('DELETE', `/api-keys/${key.id}`);
		const key = { label, scopes, expiresAt: null };
		return (await rest<{ rawApiKey: string }>('POST', '/api-keys', key)).rawApiKey;
	};

	try {
		await rest('POST', '/owner/setup', { email, password, firstName: 'Wallet', lastName: 'Owner' });
	} catch (error) {
		// It has an owner.
		if (statusCodeOf(error) !== 400) throw error;
		await rest('POST', '/login', { emailOrLdapLoginId: email, password });
	}
	// The public API alone returns decoded execution data.
	const scopes = await rest<string[]>('GET', '/api-keys/scopes');
	headers['x-n8n-api-key'] = await createApiKey('wallet-service test host', scopes);
	return { call, rest, createApiKey };
}
