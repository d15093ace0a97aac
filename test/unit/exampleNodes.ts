/** The nodes of the examples, and what their expressions give. */
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

interface Parameters {
	assignments: { assignments: Array<{ name: string; value: string }> };
	columns: { column: Array<{ name: string; type: string }>; value: Record<string, string> };
	matchType: string;
	conditions: { conditions: Array<{ leftValue: string }> };
	filters: { conditions: Array<{ keyName: string; keyValue?: string }> };
	workflowInputs: { value: Record<string, string> };
	options: { dryRun: string };
	jsonOutput: string;
	completionMessage: string;
	rules: { values: Array<{ outputKey: string; conditions: { conditions: Array<{ leftValue: string }> } }> };
}

export function nodeOf(example: string, node: string) {
	const { nodes } = JSON.parse(readFileSync(`examples/${example}.json`, 'utf8')) as {
		nodes: Array<{ name: string; parameters: Parameters; executeOnce?: boolean }>;
	};
	return nodes.find(({ name }) => name === node)!;
}

export const parametersOf = (example: string, node: string) => nodeOf(example, node).parameters;

/** The value of an expression of a workflow. */
export const valueOf = (expression: string, context: object): unknown =>
	runInNewContext(expression.replace(/^=\{\{|\}\}$/g, ''), context);

/** What a node *Edit Fields* gives one of its fields. */
export function fieldOf(example: string, node: string, field: string, context: object): unknown {
	const { assignments } = parametersOf(example, node).assignments;
	return valueOf(assignments.find(({ name }) => name === field)!.value, context);
}
