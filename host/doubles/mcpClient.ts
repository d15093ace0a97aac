import type { Json } from '../n8n/client.ts';
import { send } from '../http.ts';

/** Opens a session with an MCP server, with a token if it needs one. The functions return the text of its answer. */
export async function openMcp(url: string, token?: string) {
	const headers: Record<string, string> = {
		'content-type': 'application/json',
		accept: 'application/json, text/event-stream',
		...(token !== undefined && { authorization: `Bearer ${token}` }),
	};
	let calls = 0;
	const rpc = async (method: string, params: Json, id?: number): Promise<string> => {
		const body = JSON.stringify({ jsonrpc: '2.0', method, params, id });
		const answer = await send(url, 'POST', body, headers);
		const session = answer.headers['mcp-session-id'];
		if (typeof session === 'string') headers['mcp-session-id'] = session;
		return answer.text;
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
