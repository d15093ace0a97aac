import { request } from 'undici';
import type { Json } from '../n8n/client.ts';

/** Opens a session with an MCP server. The functions return the text of its answer. */
export async function openMcp(url: string) {
	const headers: Record<string, string> = {
		'content-type': 'application/json',
		accept: 'application/json, text/event-stream',
	};
	let calls = 0;
	const rpc = async (method: string, params: Json, id?: number): Promise<string> => {
		const body = JSON.stringify({ jsonrpc: '2.0', method, params, id });
		const response = await request(url, { method: 'POST', headers, body });
		const session = response.headers['mcp-session-id'];
		if (typeof session === 'string') headers['mcp-session-id'] = session;
		return await response.body.text();
	};
	const clientInfo = { name: 'test', version: '1' };
	await rpc('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo }, 0);
	await rpc('notifications/initialized', {});
	return {
		list: async () => await rpc('tools/list', {}, (calls += 1)),
		/** `node`: the name of the tool's node. */
		call: async (node: string, input: unknown) =>
			await rpc('tools/call', { name: node.replaceAll(' ', '_'), arguments: input }, (calls += 1)),
	};
}
