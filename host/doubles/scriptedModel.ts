import { json } from 'node:stream/consumers';
import type { Json } from '../n8n/client.ts';
import { serve } from './loopbackServer.ts';

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

/** n8n's name for the tool of a node. */
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
	const { url, stop } = await serve(async (incoming, outgoing) => {
		const chat = (await json(incoming)) as ChatRequest;
		requests.push(chat);
		// An agent with a memory sends earlier messages again.
		const since = chat.messages.slice(chat.messages.findLastIndex(({ role }) => role === 'user'));
		const results = since.filter(({ role }) => role === 'tool').map(({ content }) => content);
		const turn = script.shift() ?? turnIn(since) ?? [];
		const calls = turn.map(({ tool, input }, index) => ({
			id: `call_${requests.length}_${index}`,
			type: 'function',
			function: { name: nameOf(tool), arguments: JSON.stringify(input) },
		}));
		const [message, finish_reason] =
			calls.length === 0
				? [{ role: 'assistant', content: JSON.stringify(results) }, 'stop']
				: [{ role: 'assistant', content: null, tool_calls: calls }, 'tool_calls'];
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		const answerOf = (object: string, choice: Json) => {
			const choices = [{ index: 0, finish_reason, ...choice }];
			return JSON.stringify({ id: 'chat', created: 0, model: 'script', object, choices, usage });
		};
		if (chat.stream === true) {
			const delta = { ...message, tool_calls: calls.map((call, index) => ({ ...call, index })) };
			const events = [answerOf('chat.completion.chunk', { delta }), '[DONE]'];
			outgoing.setHeader('content-type', 'text/event-stream');
			outgoing.end(events.map((data) => `data: ${data}\n\n`).join(''));
		} else {
			outgoing.setHeader('content-type', 'application/json');
			outgoing.end(answerOf('chat.completion', { message }));
		}
	});
	return {
		url: `${url}/v1`,
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
		stop,
	};
}
