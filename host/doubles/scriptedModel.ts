import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../n8n/client.ts';

/** A call that the model makes: the tool, by the name of its node, and the arguments. */
export interface ToolCall {
	tool: string;
	input: Json;
}

interface Message {
	role: string;
	content: unknown;
	/** Of an earlier answer of the model. */
	tool_calls?: Array<{ id: string; function: { name: string } }>;
	/** Of the result of a call. */
	tool_call_id?: string;
}

interface ChatRequest {
	/** Older agents ask for the answer as a stream of events. */
	stream?: boolean;
	messages: Message[];
	tools: Array<{ function: { name: string; description: string; parameters: { properties: Json } } }>;
}

/** The name that n8n gives to the tool of a node. */
const nameOf = (node: string) => node.replaceAll(' ', '_');

/** A user may send a script as JSON. Then the model needs no other one, and several can be asked at the same time. */
function turnIn([asked, ...since]: Message[]): ToolCall[] | undefined {
	const text = String(asked?.content);
	if (!text.startsWith('[[')) return undefined;
	return (JSON.parse(text) as ToolCall[][])[since.filter(({ role }) => role === 'assistant').length];
}

export type Model = Awaited<ReturnType<typeof startModel>>;

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
			const turn = script.shift() ?? turnIn(chat.messages.slice(asked)) ?? [];
			const calls = turn.map(({ tool, input }, index) => ({
				id: `call_${requests.length}_${index}`,
				type: 'function',
				function: { name: nameOf(tool), arguments: JSON.stringify(input) },
			}));
			const message =
				calls.length === 0
					? { role: 'assistant', content: JSON.stringify(answers.map(({ content }) => content)) }
					: { role: 'assistant', content: null, tool_calls: calls };
			const answer = { id: 'chat', created: 0, model: 'script' };
			const choice = { index: 0, finish_reason: calls.length === 0 ? 'stop' : 'tool_calls' };
			const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
			if (chat.stream === true) {
				const object = 'chat.completion.chunk';
				const delta = { ...message, tool_calls: calls.map((call, index) => ({ ...call, index })) };
				const event = JSON.stringify({ ...answer, object, choices: [{ ...choice, delta }], usage });
				outgoing.setHeader('content-type', 'text/event-stream').end(`data: ${event}\n\ndata: [DONE]\n\n`);
			} else {
				const object = 'chat.completion';
				outgoing
					.setHeader('content-type', 'application/json')
					.end(JSON.stringify({ ...answer, object, choices: [{ ...choice, message }], usage }));
			}
		})();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		/** The requests since `play`. */
		requests,
		/** What the model has read since `play` as the results of a tool, in the order of its calls. */
		read: (tool: string): string[] => {
			const messages = requests.flatMap((chat) => chat.messages);
			const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
			const ids = new Set(calls.filter((call) => call.function.name === nameOf(tool)).map(({ id }) => id));
			const results = messages.filter(({ tool_call_id: id }) => id !== undefined && ids.has(id));
			const texts = new Map(results.map(({ tool_call_id: id, content }) => [id, String(content)]));
			return [...ids].map((id) => texts.get(id) ?? '');
		},
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
