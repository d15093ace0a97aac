import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../../host/n8nClient.ts';

/** What the model asks for: a tool by the name of its node, with these arguments. */
export interface Call {
	tool: string;
	input: Json;
}

interface ChatRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools: Array<{ function: { name: string; description: string; parameters: { properties: Json } } }>;
}

/**
 * A model for AI agents that is a script, behind OpenAI's interface. In each turn it makes the turn's calls; then it says, as
 * a JSON list, what the tools answered.
 */
export async function startModel() {
	const requests: ChatRequest[] = [];
	const script: Call[][] = [];
	const server = createServer((incoming, outgoing) => {
		void (async () => {
			const chat = JSON.parse(Buffer.concat(await incoming.toArray()).toString()) as ChatRequest;
			requests.push(chat);
			// A memory repeats what was said before.
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
		requests,
		play: (turns: Call[][]) => {
			requests.length = 0;
			script.splice(0, script.length, ...turns);
		},
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
