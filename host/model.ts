import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from './n8nClient.ts';

/** A call that the model makes: the tool, by the name of its node, and the arguments. */
export interface ToolCall {
	tool: string;
	input: Json;
}

interface ChatRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools: Array<{ function: { name: string; description: string; parameters: { properties: Json } } }>;
}

/**
 * Starts a server with OpenAI's chat interface whose model follows a script. In each turn it makes the calls of the script;
 * after the last turn it answers with a JSON list of what the tools returned.
 */
export async function startModel() {
	const requests: ChatRequest[] = [];
	const script: ToolCall[][] = [];
	const server = createServer((incoming, outgoing) => {
		void (async () => {
			const chat = JSON.parse(Buffer.concat(await incoming.toArray()).toString()) as ChatRequest;
			requests.push(chat);
			// An agent with a memory sends earlier messages again.
			const asked = chat.messages.findLastIndex(({ role }) => role === 'user');
			const answers = chat.messages.slice(asked).filter(({ role }) => role === 'tool');
			const calls = (script.shift() ?? []).map(({ tool, input }, index) => ({
				id: `call_${requests.length}_${index}`,
				type: 'function',
				function: { name: tool.replaceAll(' ', '_'), arguments: JSON.stringify(input) },
			}));
			const message =
				calls.length === 0
					? { role: 'assistant', content: JSON.stringify(answers.map(({ content }) => content)) }
					: { role: 'assistant', content: null, tool_calls: calls };
			outgoing.setHeader('content-type', 'application/json').end(
				JSON.stringify({
					id: 'chat',
					object: 'chat.completion',
					created: 0,
					model: 'script',
					choices: [{ index: 0, message, finish_reason: calls.length === 0 ? 'stop' : 'tool_calls' }],
					usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
				}),
			);
		})();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		/** The requests since `play`. */
		requests,
		/** Sets the script. */
		play: (turns: ToolCall[][]) => {
			requests.length = 0;
			script.splice(0, script.length, ...turns);
		},
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
